"""All that is of second order in space: products of twist and bending, and the inertia of sections that turn."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa
from flexarm.assembly import compile_arm
from flexarm.core.tree.elements import stepping_tree
from flexarm.core.tree.types import SpatialElementTree
from tests.links.strips import ABOUT_Z, ELEMENTS, JY, JZ, LENGTH, MASS, ONE_FRAME, TWIST, strip

FRAME = pytest.mark.parametrize("model", list(ONE_FRAME.values()), ids=list(ONE_FRAME))

# --- Lateral buckling (Prandtl, Michell; Timoshenko & Gere) ----------------------------------------------------------

ROOT = np.sqrt(ABOUT_Z * TWIST)
TIP_LOAD = 4.013 * ROOT / LENGTH**2  # N
OWN_WEIGHT = 12.85 * ROOT / LENGTH**3 / MASS  # m/s²


def lowest(arm: fa.Arm) -> float:
    """The lowest frequency (Hz), zero beyond buckling."""
    return float(fa.modes(arm, count=1).frequencies_hz[0])


# The closed forms leave out the bend before buckling, worth half of the ratio of the stiffnesses (0.2 %); six shapes
# or elements leave another per cent.
@FRAME
@pytest.mark.parametrize("case", ["tip load", "own weight"])
def test_a_strip_in_one_frame_buckles_sideways(model, case):
    def loaded(part: float) -> fa.Arm:
        if case == "tip load":
            return strip(model, load=(0.0, 0.0, -part * TIP_LOAD))
        return strip(model, weight=part * OWN_WEIGHT)

    assert 0.02 < lowest(loaded(0.98)) / lowest(loaded(0.0)) < 0.4
    assert lowest(loaded(1.03)) == 0.0


def test_a_strip_in_element_frames_comes_to_buckle_at_the_same_load():
    def loaded(elements: int, part: float) -> float:
        model = {"formulation": "hermite", "elements": elements}
        return lowest(strip(model, load=(0.0, 0.0, -part * TIP_LOAD)))

    # twist varies along an element, its frame does not: the square of a sixth, then of a twelfth
    assert loaded(6, 0.98) > 0.0 and loaded(6, 1.08) == 0.0
    assert loaded(12, 0.98) > 0.0 and loaded(12, 1.02) == 0.0


# --- Third order is the first that is missing ------------------------------------------------------------------------


def tip(model: dict, part: float) -> np.ndarray:
    """Displacement of the tip (m) under a part of a skew load."""
    force, moment = part * np.array([2.0, 0.6, 8.0]), part * np.array([0.8, 1.0, -0.3])
    return np.asarray(fa.statics(strip(model, load=tuple(force), moment=tuple(moment))).tip_sag["tip"])


# Shapes must carry what a tip load does to second order too: twelve modes, or all of eight elements.
@pytest.mark.parametrize(
    "model",
    [{"formulation": "modes", "modes": 12}, {"formulation": "hermite", "frames": "link", "elements": 8}],
    ids=["modes", "hermite-link"],
)
def test_the_tip_of_a_strip_in_one_frame_errs_by_third_order(model):
    # elements of a thirtieth err by a nine-hundredth of what a single frame does
    fine = {"formulation": "hermite", "elements": 30}
    exact = [tip(fine, part) for part in (0.5, 1.0)]
    errors = [np.linalg.norm(tip(model, part) - at) for part, at in zip((0.5, 1.0), exact, strict=True)]
    straight = [np.linalg.norm(at) for at in exact]
    assert straight[1] > 0.02
    assert errors[1] < 0.02 * straight[1]
    # products that are left out would leave a square: four times as much
    assert errors[1] / errors[0] > 6.0


# --- Sections that turn ----------------------------------------------------------------------------------------------

SPIN = 150.0  # rad/s
AT_REST = 31.37  # Hz
SOFT = (4 * LENGTH * AT_REST) ** 2 * (JY + JZ)
# T = ½Ω²(j_y − j_z)ψ² per length beside ½(j_y + j_z)ψ̇²: the tennis racket's moment
AT_SPEED = np.sqrt(AT_REST**2 - (SPIN / (2 * np.pi)) ** 2 * (JY - JZ) / (JY + JZ))


def torsion(model: dict, spin: float) -> float:
    """Frequency of the first torsion (Hz) of the strip that turns about the axis along its wide side."""
    arm = strip(
        model,
        twist=SOFT,
        joint={"type": "revolute", "axis": "z", "motion": "turn"},
        motions={"turn": {"kind": "constant-rate", "rate": SPIN}},
    )
    found = fa.modes(arm, spin=spin, count=20)
    return float(next(f for f, name in zip(found.frequencies_hz, found.names, strict=True) if "torsion" in name))


# Coriolis forces between torsion and the slow bending of the strip are worth 2e-4 of it.
@pytest.mark.parametrize("elements", [None, 12])
def test_torsion_of_a_strip_in_one_frame_softens_with_speed(elements):
    if elements is None:
        model, near = {"formulation": "modes", "modes": 4}, 5e-4
    else:
        # linear twist in elements of a twelfth: (π/24)²/24 of the frequency at rest, 2.3 times that at speed
        model, near = {"formulation": "hermite", "elements": elements, "frames": "link"}, 3e-3
    assert torsion(model, 0.0) == pytest.approx(AT_REST, rel=near)
    assert torsion(model, SPIN) == pytest.approx(AT_SPEED, rel=near)


@pytest.mark.parametrize("formulation", ELEMENTS)
def test_torsion_of_a_strip_in_element_frames_converges_with_second_order(formulation):
    exact = torsion({"formulation": "modes", "modes": 6}, SPIN)
    errors = [abs(torsion({"formulation": formulation, "elements": n}, SPIN) - exact) for n in (4, 8)]
    assert errors[1] < 2e-3 * exact
    assert errors[1] < 0.3 * errors[0]


def test_elements_that_hand_their_inertia_on_keep_the_fast_kernels():
    for formulation in ELEMENTS[:2]:
        compiled = compile_arm(strip({"formulation": formulation, "elements": 3}))
        assert isinstance(stepping_tree(compiled.tree, compiled.loads), SpatialElementTree)
