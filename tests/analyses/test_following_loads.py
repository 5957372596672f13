"""Loads that follow the arm: equilibria and stops, against the elastica by shooting and Beck's column."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import flexarm as fa
from flexarm.errors import AnalysisError
from tests.analyses.test_poles import beck, column


def _elastica(load: float) -> tuple[float, float]:
    """Tip (m) of a cantilever of EI = 1 N m², 1 m, bent by a force (N) that stays across its end: from the tip, whose
    slope α is sought, θ′ = κ, κ′ = −F cos(θ − α).
    """

    def clamp(slope: float) -> np.ndarray:
        def rates(_: float, y: np.ndarray) -> list[float]:
            return [-y[1], load * np.cos(y[0] - slope), np.cos(y[0]), np.sin(y[0])]

        return np.asarray(solve_ivp(rates, (0.0, 1.0), [slope, 0.0, 0.0, 0.0], rtol=1e-11, atol=1e-12).y[:, -1])

    found = clamp(brentq(lambda slope: clamp(slope)[0], 0.0, 0.5 * load + 0.2))
    return float(found[2]), float(found[3])


@pytest.mark.parametrize("load", [2.0, 8.0, 15.0, 30.0])
def test_a_beam_bent_by_a_following_force_has_the_elastica_s_tip(load):
    # beyond 8 N the symmetric part of the tangent is indefinite: no way leads down a potential
    arm = column(0.0, model={"formulation": "hermite", "elements": 24})
    arm = arm.changed(loads=[{"link": "column", "force": (0.0, load, 0.0), "axes": "link"}])
    sag = fa.statics(arm).to_dict()["tip_sag"]["tip"]
    # second order in 24 elements
    np.testing.assert_allclose((1.0 + sag[0], sag[1]), _elastica(load), atol=2e-3)


def _stopped(load: float) -> fa.Arm:
    """Beck's column on a slide that brakes across it."""
    slide = {
        "name": "slide",
        "joint": {"type": "prismatic", "axis": "y", "motion": "stop", "rate": 1e-2},
        "rigid": {"mass": 1.0, "inertia": 0.1},
    }
    post = column(load, model={"formulation": "hermite", "elements": 4})
    stop = {"kind": "brake", "travel_time": 2.0, "braking_time": 1.0, "unit": "m"}
    links = [slide, *(link.changed(parent="slide") for link in post.links)]
    simulation = {"start": "steady", "tolerance": 1e-7}
    return post.changed(links=links, motions={"stop": stop}, simulation=simulation)


def test_a_column_under_a_following_push_is_stopped_in_whole_periods_of_becks():
    period = 2.0 * np.pi / beck(10.0)[0]
    found = fa.brake(_stopped(10.0), (0.7 * period, 1.4 * period), points=15, residual="energy", explain=False)
    assert found.linear is not None
    assert found.linear.modes[0].frequency_hz == pytest.approx(1.0 / period, rel=2e-3)
    # one period of the first mode leaves it at rest; what is left is in the second, which moves the least a little
    assert found.best is not None
    assert found.best.time == pytest.approx(period, rel=0.02)
    # the linear arm with left modes is the arm itself at a centimetre per second
    np.testing.assert_allclose(found.linear.residuals, found.residuals, rtol=2e-3, atol=2e-3 * np.max(found.residuals))


def test_a_column_that_flutters_comes_to_no_rest():
    with pytest.raises(AnalysisError, match=r"flutters there at .* Hz under the loads that follow it"):
        fa.brake(_stopped(25.0), (1.0, 1.5), points=5)
