"""Arms in space: the same as in the plane where they stay in it, and alike in every formulation where they do not."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import flexarm as fa
from tests.analyses.flexible_arms import DOWN, largest, three_joints, two_links
from tests.links.cantilever import WAY, WAYS

pytestmark = pytest.mark.usefixtures("no_error_estimates")


@WAY
@pytest.mark.parametrize("analysis", ["nonlinear", "linear"])
def test_an_arm_in_space_that_moves_in_a_plane_is_the_planar_arm(way, analysis) -> None:
    flat, full = (
        fa.simulate(
            two_links(way, 2, planar=planar, gravity=DOWN),
            start="static",
            end=0.5,
            output=0.02,
            tolerance=1e-9,
            analysis=analysis,
        )
        for planar in (True, False)
    )
    assert largest(flat.values("point_deflection")) > 1e-3
    # the same equations in another order of sums: what differs is rounding, through the step control
    for name, near in (
        ("point_position", 1e-9),
        ("point_velocity", 1e-6),
        ("joint_torque", 1e-4),
        ("point_deflection", 1e-9),
    ):
        np.testing.assert_allclose(full.values(name), flat.values(name), rtol=0, atol=near)
    shared = [name for name in flat.labels("coordinate") if name in full.labels("coordinate")]
    assert shared == list(flat.labels("coordinate"))
    for name in full.labels("coordinate"):
        column = full.values("elastic_position")[:, full.labels("coordinate").index(name)]
        if name not in shared:
            assert largest(column) < 1e-12


@WAY
def test_an_arm_in_space_has_the_frequencies_of_the_planar_arm_among_its_own(way) -> None:
    flat, full = (fa.modes(two_links(way, 2, planar=planar), count=40).frequencies_hz for planar in (True, False))
    for frequency in flat[:4]:
        assert np.min(np.abs(full / frequency - 1)) < 1e-7


# --- An arm of three joints ------------------------------------------------------------------------------------------


def path(way: dict[str, Any], elements: int) -> tuple[np.ndarray, float]:
    """Where the tip of the arm of three joints is over time, and its peak deflection (m)."""
    run = fa.simulate(three_joints(way, elements), start="static", end=1.3, tolerance=1e-7, output=0.02)
    return run.values("point_position")[:, 0], largest(np.linalg.norm(run.values("point_deflection")[:, 0], axis=1))


@cache
def extrapolated() -> tuple[np.ndarray, float]:
    """The same of rigid finite elements, their error of second order extrapolated away."""
    (coarse, _), (fine, peak) = (path(WAYS["rigid-fe"], n) for n in (8, 16))
    return fine + (fine - coarse) / 3.0, peak


# In element frames what is left is the mesh, and 3e-4 of the extrapolation. A link's frame adds up small rotations as
# if they were vectors: two links that sag by 50 mm and bend sideways as well leave some 3e-3 of it.
@pytest.mark.parametrize(
    ("name", "elements", "near"),
    [
        ("hencky", 4, 1.5e-3),
        ("timoshenko", 8, 4e-3),
        ("hermite", 3, 1e-3),
        ("isoparametric", 3, 1e-3),
        ("timoshenko-link", 8, 8e-3),
        ("hermite-link", 3, 5e-3),
        ("isoparametric-link", 3, 5e-3),
    ],
)
def test_an_arm_of_three_joints_under_its_weight_moves_alike_in_every_formulation(name, elements, near) -> None:
    expected, peak = extrapolated()
    assert peak > 0.04
    found, _ = path(WAYS[name], elements)
    assert largest(found - expected) < near * peak
