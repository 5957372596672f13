"""The reproduction of the paper on assumed modes against the independent derivations."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import import_module

import numpy as np
import pytest

from flexarm.papers import ROW_COUNTS, Row, reproduce
from tests.oracles.hub_cases import MEAN_ARM, HubBeam, falling
from tests.oracles.stiffened_modes import ModalArm
from tests.oracles.turning_beam import TurningBeam

pytestmark = pytest.mark.usefixtures("no_error_estimates")

COUNTS = (1, 2, 3, 4)
TIMES = ("0.5", "1.0", "1.5", "2.0")
OBSERVED = ("theta", "tip_u", "thetadot", "tip_udot")
# What the paper concludes, and whether it holds.
CLAIMS = {
    "reliability_is_99_7_per_cent": False,
    "statistics_tell_more_than_one_run": True,
    "reliability_can_be_computed": True,
    "deformation_is_small": False,
}
IDS = [
    *(f"hewang.eq17.n{n}.{what}" for n in COUNTS for what in ("theta2", "thetadot2", "tip_x_m", "tip_y_m")),
    *(f"hewang.second_order.n{n}.{what}" for n in COUNTS for what in ("theta2", "tip_x_m", "tip_y_m")),
    *(f"hewang.rigid_fe.{what}" for what in ("theta2", "tip_x_m", "tip_y_m")),
    *(f"hewang.mc.{m}_{what}.t{t}" for m in ("mean", "var") for what in OBSERVED for t in TIMES),
    "hewang.reliability",
    "hewang.reliability_lo",
    "hewang.reliability_hi",
    "hewang.radius_for_0.997_m",
]


# The guide runs the whole case: a million samples, and chains of 128 and 256 elements, six minutes of processor time.
# Here are fewer of both: the samples by hand are 4000, and the limit of shorter chains is as good as the oracle.
SAMPLES, CHAIN = 50_000, (32, 64)


@pytest.fixture(scope="module")
def listed() -> Iterator[tuple[Row, ...]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("flexarm.papers.hewang_random._SAMPLES", SAMPLES)
        patch.setattr(import_module("flexarm.papers.hewang"), "_CHAIN", CHAIN)
        yield reproduce(["hewang"])


@pytest.fixture(scope="module")
def values(listed: tuple[Row, ...]) -> dict[str, float]:
    return {row.id.removeprefix("hewang."): row.value for row in listed}


def test_every_row_is_there_once_and_in_json(listed: tuple[Row, ...]) -> None:
    assert sorted(row.id for row in listed) == sorted([*IDS, *(f"claim.hewang.{name}" for name in CLAIMS)])
    assert len(listed) == ROW_COUNTS["hewang"]
    for row in listed:
        assert set(json.loads(json.dumps(row.to_dict()))) == {"id", "value", "unit", "paper", "verdict", "note"}
        assert np.isfinite(row.value) and row.note
        if row.id.startswith("claim."):
            assert row.verdict == ("holds" if CLAIMS[row.id.removeprefix("claim.hewang.")] else "does not hold"), row
            continue
        printed = row.id == "hewang.reliability"
        assert (row.paper, row.verdict) == ((0.997, "differs") if printed else (None, "not printed"))


@pytest.mark.parametrize("n", COUNTS)
@pytest.mark.parametrize("word", ["eq17", "second_order"])
def test_modes_end_where_the_equations_by_hand_do(values: dict[str, float], word: str, n: int) -> None:
    arm = ModalArm(MEAN_ARM, n)
    (x,), (v,) = arm.history(2.0, second_order=word == "second_order", rtol=1e-11, atol=1e-13)([2.0])[:2]
    assert values[f"{word}.n{n}.theta2"] == pytest.approx(x[0], rel=1e-6)
    if word == "eq17":
        # the torque has given no momentum by then: the rate is that of the vibration alone
        assert values[f"{word}.n{n}.thetadot2"] == pytest.approx(v[0], rel=1e-6)
    np.testing.assert_allclose([values[f"{word}.n{n}.tip_{a}_m"] for a in "xy"], arm.place(x), rtol=1e-6)


def test_the_chain_s_limit_is_the_beam_of_finite_rotations(values: dict[str, float]) -> None:
    beam = TurningBeam(MEAN_ARM, 6)
    x = beam.torqued(falling, (0.0, 2.0), rtol=1e-7, atol=1e-10)([2.0])[0][0]
    assert values["rigid_fe.theta2"] == pytest.approx(x[0], rel=1e-7)
    along, lateral = beam.deflection(x[1:])[0]
    tip = np.exp(1j * x[0]) * (along + 1j * lateral)
    # six polynomials are some µm from the limit: the jump of the torque at the start rings in all modes
    np.testing.assert_allclose(
        [values["rigid_fe.tip_x_m"], values["rigid_fe.tip_y_m"]], [tip.real, tip.imag], atol=1e-5
    )


def samples_by_hand(count: int) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """What is observed (4 times, count) and the tip at 2 s (count, 2) of other samples, by NumPy and RK4."""
    rng = np.random.default_rng(11)
    density, length, width, height = (
        mean + np.sqrt(variance) * rng.standard_normal(count)
        for mean, variance in ((7800, 100), (0.53, 1e-6), (0.032, 1e-8), (8.5e-4, 1e-10))
    )
    mass = density * width * height * length
    stiffness = 2.22e11 * width * height**3 / 12
    unit = ModalArm(HubBeam(L=1.0, EI=1.0, rhoA=1.0), 2)
    square = unit.squares[:, None] * stiffness / (mass * length**3)
    lever = unit.lever[:, None] * np.sqrt(mass) * length
    inertia = 1.46e-2 + mass * length**2 / 3
    second = np.eye(2) - unit.stiffening

    def slope(t: float, y: np.ndarray) -> np.ndarray:
        q, rate = y[1:3], y[3]
        force = rate**2 * (second @ q) - square * q
        alpha = (1 - t - (lever * force).sum(axis=0)) / (inertia - (lever**2).sum(axis=0))
        return np.concatenate([y[3:], alpha[None], force - lever * alpha])

    y, h, seen = np.zeros((6, count)), 2.0**-9, []
    for k in range(1024):
        t = k * h
        a = slope(t, y)
        b = slope(t + h / 2, y + h / 2 * a)
        c = slope(t + h / 2, y + h / 2 * b)
        y = y + h / 6 * (a + 2 * b + 2 * c + slope(t + h, y + h * c))
        if (k + 1) % 256 == 0:
            seen.append((y[0], unit.tip @ y[1:3] / np.sqrt(mass), y[3], unit.tip @ y[4:] / np.sqrt(mass)))
    drawn = np.einsum("im,ij,jm->m", y[1:3], unit.drawn, y[1:3]) / (mass * length)
    place = np.exp(1j * y[0]) * (length - drawn / 2 + 1j * seen[-1][1])
    observed = (np.array(each) for each in zip(*seen, strict=True))
    return dict(zip(OBSERVED, observed, strict=True)), np.stack([place.real, place.imag], axis=1)


def test_statistics_are_those_of_other_samples_within_their_own_error(values: dict[str, float]) -> None:
    count = 4000
    observed, tip = samples_by_hand(count)
    for word, found in observed.items():
        for k, t in enumerate(TIMES):
            mean, variance = np.mean(found[k]), np.var(found[k])
            # five times the standard errors of 4000 samples; that of a variance from the fourth moment
            assert values[f"mc.mean_{word}.t{t}"] == pytest.approx(mean, abs=5 * np.sqrt(variance / count))
            fourth = np.mean((found[k] - mean) ** 4)
            assert values[f"mc.var_{word}.t{t}"] == pytest.approx(
                variance, abs=5 * np.sqrt((fourth - variance**2) / count)
            )
    distance = np.linalg.norm(tip - [-0.025, 0.5260], axis=1)
    share = values["reliability"]
    assert np.mean(distance <= 0.015) == pytest.approx(share, abs=5 * np.sqrt(share * (1 - share) / count))
    assert values["reliability_lo"] < share < values["reliability_hi"]
    assert values["reliability_hi"] - values["reliability_lo"] == pytest.approx(
        2 * 1.96 * np.sqrt(share * (1 - share) / SAMPLES), rel=1e-2
    )
    radius = values["radius_for_0.997_m"]
    assert np.mean(distance <= radius) == pytest.approx(0.997, abs=5 * np.sqrt(0.997 * 0.003 / count))
