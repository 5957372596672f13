"""The reproduction of the paper on assumed modes against the independent derivations."""

from __future__ import annotations

import json

import numpy as np
import pytest

from flexarm.papers import Row, reproduce
from tests.oracles.hub_cases import MEAN_ARM, falling
from tests.oracles.stiffened_modes import ModalArm
from tests.oracles.turning_beam import TurningBeam

COUNTS = (1, 2, 3, 4)
IDS = [
    *(f"hewang.eq17.n{n}.{what}" for n in COUNTS for what in ("theta2", "thetadot2", "tip_x_m", "tip_y_m")),
    *(f"hewang.second_order.n{n}.{what}" for n in COUNTS for what in ("theta2", "tip_x_m", "tip_y_m")),
    *(f"hewang.rigid_fe.{what}" for what in ("theta2", "tip_x_m", "tip_y_m")),
]


@pytest.fixture(scope="module")
def listed() -> tuple[Row, ...]:
    return reproduce(["hewang"])


@pytest.fixture(scope="module")
def values(listed: tuple[Row, ...]) -> dict[str, float]:
    return {row.id.removeprefix("hewang."): row.value for row in listed}


def test_every_row_is_there_once_and_in_json(listed: tuple[Row, ...]) -> None:
    assert sorted(row.id for row in listed) == sorted(IDS)
    for row in listed:
        assert set(json.loads(json.dumps(row.to_dict()))) == {"id", "value", "unit", "paper", "verdict", "note"}
        assert np.isfinite(row.value) and row.note
        assert (row.paper, row.verdict) == (None, "not printed")


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
