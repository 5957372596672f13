"""Beams on a turning hub: rotation stiffens them out of its plane and in it as the classical tables say."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import eigh

import flexarm as fa
from flexarm.analyses.equilibrium import Forces, commanded, equilibrium
from flexarm.assembly import compile_arm

from .cantilever import ELEMENTS, FREQUENCY_ORDER, WAY, cantilever, thin
from .rotating import WRIGHT, flapping, lagging, left_at_the_tip

EI, RHOA = 30.0, 0.5
UNIT = np.sqrt(EI / RHOA)  # rad/s of λ = 1 for 1 m
# Shear and rotary inertia change the frequencies by less than 1e-5 where a formulation asks for them.
FIRM = {"shear": 1e8, "rotary": 1e-8}
# Meshes, and what they leave: hinges a third of the square of 12/32, bars that slide a tenth of that of 4.7/48 (they
# draw in by more than the curve through their ends), linear elements a quarter of that of the second mode's 4.7/24,
# cubic and quadratic ones little more than the third decimal of the table.
MESH = {
    "rigid-fe": (32, 6e-3),
    "hencky": (24, 1.5e-3),
    "timoshenko": (24, 4e-3),
    "hermite": (12, 2e-4),
    "isoparametric": (12, 2e-4),
}


def turning(way: dict, elements: int, eta: float, delta: float = 0.0, planar: bool = True, **model) -> fa.Arm:
    """A thin beam of 1 m on a hub that turns about z."""
    beam = {"bending_stiffness": EI, "mass_per_length": RHOA, "polar_inertia": 1e-8}
    arm = cantilever(
        thin(way["formulation"], beam, **FIRM), elements, model={**way, **model}, planar=planar, hub={"radius": delta}
    )
    joint = {"type": "revolute", "motion": "turn", "rate": eta * UNIT}
    turned = arm.links[0].changed(joint=joint)
    return arm.changed(links=(turned,), motions={"turn": {"kind": "constant-rate"}})


def squares(arm: fa.Arm, direction: str) -> np.ndarray:
    """Squares of the frequencies λ of one plane about the steady rotation, lowest first."""
    compiled = compile_arm(arm)
    steady, _, _ = equilibrium(compiled, commanded(compiled))
    # straight as it is, the beam has nothing for the centrifugal forces to bend
    assert np.max(np.abs(steady.q[compiled.elastic_coordinates])) < 1e-12
    forces = Forces(compiled)
    stiffness, damping = forces.tangent(steady)
    mass = forces.mass(steady.q)
    own = [
        c
        for c, of in zip(compiled.elastic_coordinates, compiled.elastic_directions, strict=True)
        if of.startswith(direction)
    ]
    block = np.ix_(own, own)
    # an axis that neither stretches nor bends yet has no Coriolis forces across it
    assert np.max(np.abs(damping[block])) < 1e-9
    # the largest of 1/(ω² + Ω²) first: the low frequencies keep their digits, and none is negative
    shift = float(np.max(steady.v**2))
    inverse = eigh(mass[block], stiffness[block] + shift * mass[block], eigvals_only=True)[::-1]
    return (1 / inverse - shift) / UNIT**2


# --- The references --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("eta", WRIGHT)
def test_ritz_gives_the_printed_table(eta):
    # three decimals; 79.61448 of the last row went through 79.6145 to 79.615
    np.testing.assert_allclose(flapping(eta), WRIGHT[eta], rtol=0, atol=5.3e-4)


@pytest.mark.parametrize(
    ("eta", "delta", "tip"), [(12.0, 0.0, 0.0), (6.0, 1.0, 0.0), (2.0, 5.0, 0.0), (6.0, 0.2, 0.7), (2.0, -1.5, 0.3)]
)
def test_ritz_gives_the_frequencies_of_the_differential_equation(eta, delta, tip):
    for frequency in flapping(eta, delta, 2, tip=tip):
        below, above = (left_at_the_tip(frequency * (1 + part), eta, delta, tip) for part in (-1e-8, 1e-8))
        assert below * above < 0


# --- The beams -------------------------------------------------------------------------------------------------------


@WAY
@pytest.mark.parametrize("eta", [3, 12])
def test_frequencies_across_the_plane_of_rotation_are_those_of_the_table(way, eta):
    elements, tolerance = MESH[way["formulation"]]
    found = np.sqrt(squares(turning(way, elements, eta, planar=False), "bending_y")[:2])
    np.testing.assert_allclose(found, WRIGHT[eta][:2], rtol=tolerance)


@WAY
@pytest.mark.parametrize("eta", [3, 12])
def test_frequencies_in_the_plane_of_rotation_are_lower_by_the_square_of_the_rate(way, eta):
    elements, tolerance = MESH[way["formulation"]]
    found = squares(turning(way, elements, eta), "bending_z")[:2]
    flapped = np.array(WRIGHT[eta][:2]) ** 2
    # the square of a frequency errs twice as much, and as part of λ² + η²
    np.testing.assert_allclose(found + eta**2, flapped, rtol=2 * tolerance)


@WAY
@pytest.mark.parametrize(("eta", "delta"), [(6.0, 1.0), (2.0, 5.0)])
def test_a_hub_stiffens_by_its_radius_in_both_planes(way, eta, delta):
    elements, tolerance = MESH[way["formulation"]]
    across, within = (
        np.sqrt(squares(turning(way, elements, eta, delta, planar=planar), direction)[:2])
        for planar, direction in ((False, "bending_y"), (True, "bending_z"))
    )
    np.testing.assert_allclose(across, flapping(eta, delta, 2), rtol=tolerance)
    np.testing.assert_allclose(within, lagging(eta, delta, 2), rtol=tolerance)


@pytest.mark.parametrize("way", [{"formulation": "rigid-fe"}, {"formulation": "hermite"}], ids=["rigid-fe", "hermite"])
def test_rotation_does_not_spoil_the_order_of_convergence(way):
    order = FREQUENCY_ORDER[way["formulation"]]
    elements = ELEMENTS[order][-3:]
    exact = lagging(12.0, 0.0, 2)
    errors = [np.sqrt(squares(turning(way, n, 12.0), "bending_z")[:2]) / exact - 1 for n in elements]
    np.testing.assert_allclose(-np.polyfit(np.log(elements), np.log(errors), 1)[0], order, atol=0.2)


@pytest.mark.parametrize("planar", [True, False])
def test_planar_and_spatial_beams_lag_alike(planar):
    way = {"formulation": "hermite"}
    found = squares(turning(way, 6, 8.0, 0.5, planar=planar), "bending_z")[:3]
    np.testing.assert_allclose(np.sqrt(found[:2]), lagging(8.0, 0.5, 2), rtol=1e-3)


@pytest.mark.parametrize("reduction", ["clamped", "craig-bampton"])
def test_a_few_shapes_are_stiffened_as_the_whole_beam(reduction):
    way = {"formulation": "hermite", "frames": "link"}
    found = squares(turning(way, 12, 6.0, modes=6, reduction=reduction), "bending_z")[0]
    # the shapes are those at rest: six of them follow the change of shape to a thousandth
    assert np.sqrt(found) == pytest.approx(lagging(6.0)[0], rel=1e-3)


@pytest.mark.parametrize("name", ["timoshenko", "hermite", "isoparametric"])
def test_without_shortening_rotation_softens_instead(name):
    # the spurious softening of a frame that leaves it out: λ² = λ0² − η² in the plane, and nothing across it
    way = {"formulation": name, "frames": "link"}
    at_rest = squares(turning(way, 12, 1e-9, stiffening=False), "bending_z")[0]
    within = squares(turning(way, 12, 5.0, stiffening=False), "bending_z")[0]
    across = squares(turning(way, 12, 5.0, planar=False, stiffening=False), "bending_y")[0]
    assert within == pytest.approx(at_rest - 25.0, rel=1e-4)
    assert across == pytest.approx(at_rest, rel=1e-4)
    assert within < 0 < at_rest
