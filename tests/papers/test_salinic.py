"""The reproduction of the bar-chain paper against the independent derivations."""

from __future__ import annotations

import json

import numpy as np
import pytest

from flexarm.papers import ROW_COUNTS, Row, reproduce
from tests.oracles.hencky_chain import Chain, spun_history, torqued_with_slides
from tests.oracles.hub_cases import (
    PULSE_TIME,
    SPIN_END,
    SPIN_TIME,
    SPUN,
    TORQUED,
    HubBeam,
    pulse,
    spin_figures,
    spin_up,
)
from tests.oracles.printed_chain import PrintedChain
from tests.oracles.turning_beam import TurningBeam

pytestmark = pytest.mark.usefixtures("no_error_estimates")

RATES, TIMES, TURNING = ("0.6", "2", "4", "8"), ("1", "2", "3", "5"), ("0", "2", "8")
COUNTS = {"euler": (2, 4, 8, 16), "timoshenko": (4, 8, 16)}
IDS = [
    *(
        f"salinic.spinup.{way}.{what}.w{w}"
        for way in ("printed.n2", "finite")
        for what in ("peak_m", "residual_m")
        for w in RATES
    ),
    *(f"salinic.omega1.{way}.W{w}" for way in ("printed.n2", "second_order") for w in TURNING),
    *(
        f"salinic.torque.{way}.{what}.t{t}"
        for way in ("printed.n2", "finite")
        for what in ("theta", "tip_m")
        for t in TIMES
    ),
    *(f"salinic.lambda1.{theory}.n{n}" for theory, counts in COUNTS.items() for n in counts),
]
# What the paper concludes, and whether it holds.
CLAIMS = {
    "captures_dynamic_stiffening": False,
    "results_stay_bounded_at_high_rates": True,
    "more_segments_are_more_accurate": False,
    "accurate_when_slow": True,
    "accurate_when_fast": False,
    "torque_close_to_first_order_model": True,
    "rigid_motion_is_coupled_with_bending": True,
    "three_beam_theories": True,
}


@pytest.fixture(scope="module")
def listed() -> tuple[Row, ...]:
    return reproduce(["salinic"])


@pytest.fixture(scope="module")
def values(listed: tuple[Row, ...]) -> dict[str, float]:
    return {row.id.removeprefix("salinic."): row.value for row in listed}


def test_every_row_is_there_once_and_in_json(listed: tuple[Row, ...]) -> None:
    assert sorted(row.id for row in listed) == sorted([*IDS, *(f"claim.salinic.{name}" for name in CLAIMS)])
    assert len(listed) == ROW_COUNTS["salinic"]
    for row in listed:
        assert set(json.loads(json.dumps(row.to_dict()))) == {"id", "value", "unit", "paper", "verdict", "note"}
        assert np.isfinite(row.value) and row.note
        assert row.paper is None
        if row.id.startswith("claim."):
            assert row.verdict == ("holds" if CLAIMS[row.id.removeprefix("claim.salinic.")] else "does not hold"), row
        else:
            assert row.verdict == "not printed"


@pytest.mark.parametrize("rate", RATES)
def test_the_printed_chain_is_spun_up_as_by_its_lagrangian(values: dict[str, float], rate: str) -> None:
    history = spun_history(Chain(SPUN, 2), float(rate), SPIN_END, "slides")
    peak, residual = spin_figures(lambda times: history(times)[0][:, -1])
    # rows are asked for to 1e-4
    assert values[f"spinup.printed.n2.peak_m.w{rate}"] == pytest.approx(peak, rel=1e-5)
    assert values[f"spinup.printed.n2.residual_m.w{rate}"] == pytest.approx(residual, rel=2e-5)


def test_finite_rotations_are_those_of_the_series_in_the_complex_plane(values: dict[str, float]) -> None:
    beam = TurningBeam(SPUN, 6)
    history = beam.driven(lambda t: spin_up(t, 8.0), (0.0, SPIN_TIME, SPIN_END), rtol=1e-8, atol=1e-10)
    times = np.linspace(0.0, SPIN_END, 6001)
    tip = beam.deflection(history(times)[0])[:, 1]
    after = tip[times >= SPIN_TIME]
    assert values["spinup.finite.peak_m.w8"] == pytest.approx(np.max(np.abs(tip)), rel=1e-5)
    # six polynomials are within 1e-4 of the limit
    assert values["spinup.finite.residual_m.w8"] == pytest.approx((after.max() - after.min()) / 2, rel=2e-4)


def test_the_printed_chain_is_a_third_too_limber_at_eight_radians_per_second(values: dict[str, float]) -> None:
    assert values["spinup.printed.n2.peak_m.w8"] / values["spinup.finite.peak_m.w8"] == pytest.approx(1.30, abs=0.01)


@pytest.mark.parametrize("rate", TURNING)
def test_rotating_frequencies(values: dict[str, float], rate: str) -> None:
    printed = PrintedChain(SPUN, 2).frequencies(float(rate))[0]
    assert values[f"omega1.printed.n2.W{rate}"] == pytest.approx(printed, rel=1e-7)
    exact = float(np.sqrt(TurningBeam(SPUN, 16).squares(float(rate))[0][0]))
    assert values[f"omega1.second_order.W{rate}"] == pytest.approx(exact, rel=2e-6)


def test_the_printed_chain_under_a_torque_is_that_of_its_momenta(values: dict[str, float]) -> None:
    angles, tips = torqued_with_slides(Chain(TORQUED, 2), np.array([float(t) for t in TIMES]))
    for t, angle, tip in zip(TIMES, angles, tips, strict=True):
        assert values[f"torque.printed.n2.theta.t{t}"] == pytest.approx(angle, rel=1e-6)
        assert values[f"torque.printed.n2.tip_m.t{t}"] == pytest.approx(tip, rel=1e-5)


def test_the_beam_under_a_torque_is_that_of_the_series(values: dict[str, float]) -> None:
    beam = TurningBeam(TORQUED, 8)
    history = beam.torqued(pulse, (0.0, PULSE_TIME, 5.0), rtol=1e-8, atol=1e-11)
    for t, x in zip(TIMES, history([float(t) for t in TIMES])[0], strict=True):
        # eight polynomials are within 5e-6 of the limit
        assert values[f"torque.finite.theta.t{t}"] == pytest.approx(x[0], rel=1e-5)
        assert values[f"torque.finite.tip_m.t{t}"] == pytest.approx(beam.deflection(x[1:])[0, 1], rel=3e-5)


def test_frequencies_are_those_of_the_condensed_chain(values: dict[str, float]) -> None:
    unit = HubBeam(L=1.0, EI=1.0, rhoA=1.0)
    stubby = {"rhoI": 1 / 1200, "kGA": 5 / 6 * 1200 / 2.6}
    for theory, counts in COUNTS.items():
        for n in counts:
            exact = Chain(unit, n, **(stubby if theory == "timoshenko" else {})).frequencies()[0]
            assert values[f"lambda1.{theory}.n{n}"] == pytest.approx(exact, rel=1e-7)
