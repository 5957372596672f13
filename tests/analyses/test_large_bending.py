"""All formulations agree on an arm of two links; element frames follow the finite rotations of the rigid chain."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import numpy as np
import pytest

import flexarm as fa
from flexarm.analyses.equilibrium import Forces
from flexarm.assembly import compile_arm
from flexarm.model import arm_from_dict
from tests.analyses.flexible_arms import STILL, largest, swinging, two_links
from tests.links.cantilever import WAYS, thin

pytestmark = pytest.mark.usefixtures("no_error_estimates")

ELEMENT_FRAMES = pytest.mark.parametrize("name", ["timoshenko", "hermite", "isoparametric"])

# --- An arm of two links ---------------------------------------------------------------------------------------------


def deflection(way: dict[str, Any], elements: int) -> np.ndarray:
    """How far the tip of the two-link arm is from the rigid arm's over time (m)."""
    run = fa.simulate(two_links(way, elements), end=3.0, tolerance=1e-8, output=0.01)
    return np.linalg.norm(run.values("point_deflection")[:, 0], axis=1)


@cache
def converged() -> tuple[float, ...]:
    """The same with eight cubic elements on each link, in element frames."""
    return tuple(deflection({"formulation": "hermite"}, 8))


@pytest.mark.parametrize(
    ("way", "elements"),
    [
        (WAYS["rigid-fe"], 30),
        (WAYS["hencky"], 8),
        (WAYS["timoshenko"], 16),
        (WAYS["hermite"], 4),
        (WAYS["isoparametric"], 4),
        (WAYS["timoshenko-link"], 10),
        (WAYS["hermite-link"], 4),
        (WAYS["isoparametric-link"], 4),
        ({**WAYS["hermite-link"], "modes": 4}, 4),
    ],
    ids=[*WAYS, "craig-bampton"],
)
def test_all_formulations_agree_on_how_two_links_bend(way, elements) -> None:
    # hinges and linear elements leave (1/2n)² or so, the others next to nothing
    found, expected = deflection(way, elements), np.array(converged())
    second = way["formulation"] in ("rigid-fe", "timoshenko")
    assert np.max(found) == pytest.approx(np.max(expected), rel=1e-3 if second else 1e-4)
    assert largest(found - expected) < (2e-3 if second else 4e-4) * np.max(expected)


# --- A beam that bends by its own length -----------------------------------------------------------------------------


def whipped(way: dict[str, Any], elements: int) -> fa.Arm:
    """A beam as limber as a whip, turned by 1.5 rad in 0.6 s: its tip stays behind by nearly its length."""
    # no shear to speak of: the chain has none
    beam = thin(way["formulation"], {"bending_stiffness": 1.0, "mass_per_length": 0.5}, shear=1e6, rotary=1e-7)
    link = {"beam": beam, "damping": {"retardation": 1e-2}}
    go = {"kind": "cycloidal", "travel": 1.5, "duration": 0.6}
    return swinging(way, {"motion": "go"}, elements, gravity=STILL, link=link, motions={"go": go})


def path(way: dict[str, Any], elements: int) -> np.ndarray:
    """Where its tip is every tenth of a second (m)."""
    run = fa.simulate(whipped(way, elements), end=0.8, tolerance=1e-7, output=0.1)
    assert run.complete
    return run.values("point_position")[:, 0, :2]


@cache
def finite_rotations() -> np.ndarray:
    """The path of the rigid chain, whose error of second order is extrapolated away."""
    coarse, fine = (path(WAYS["rigid-fe"], n) for n in (48, 96))
    return fine + (fine - coarse) / 3.0


@ELEMENT_FRAMES
def test_element_frames_tend_to_the_chain_of_finite_rotations(name) -> None:
    # orders as of large static deflections: an element that turns by θ misses its θ³, linear ones some of its θ²
    elements, order = ((8, 16, 32), 2.0) if name == "timoshenko" else ((4, 8, 16), 3.0)
    errors = [largest(path({"formulation": name}, n) - finite_rotations()) for n in elements]
    assert -np.polyfit(np.log(elements), np.log(errors), 1)[0] == pytest.approx(order, abs=0.2)
    assert errors[-1] < 5e-4


@ELEMENT_FRAMES
def test_inertia_stays_positive_in_element_frames_up_to_half_the_length(name) -> None:
    # sections as of a beam 1.5 mm thick: next to no inertia of their own
    arm = whipped({"formulation": name}, 8)
    run = fa.simulate(arm, end=0.8, tolerance=1e-6, output=0.01)
    assert run.complete
    bent = np.linalg.norm(run.values("point_deflection")[:, 0], axis=1)
    assert np.max(bent) > 0.9
    until = int(np.argmax(bent > 0.5))
    forces = Forces(compile_arm(arm))
    for joint, elastic in zip(run.values("joint_position")[:until], run.values("elastic_position"), strict=False):
        mass = forces.mass(np.concatenate([joint, elastic]))
        size = 1 / np.sqrt(np.diag(mass))
        assert np.linalg.eigvalsh(mass * np.outer(size, size))[0] > 0.0


@ELEMENT_FRAMES
@pytest.mark.parametrize("planar", [True, False])
def test_inertia_is_positive_wherever_the_bend_of_an_element_is_not_complained_of(name, planar) -> None:
    # a blade on a bare pin, every element bent by 0.2 rad and by a tenth of its length, forth or to and fro
    blade = {"section": {"shape": "rectangle", "width": 0.02, "height": 0.0015}, "material": "steel"}
    link = {"name": "beam", "length": 1.0, "joint": {"type": "revolute", "free": True}, "beam": blade}
    model = {"formulation": name, "elements": 4}
    compiled = compile_arm(arm_from_dict({"name": "bent", "planar": planar, "link": [{**link, "model": model}]}))
    forces, length = Forces(compiled), 0.25
    bends = {"v": lambda x: 0.2 * x**2 / (2 * length), "slope_z": lambda x: 0.2 * x / length}
    for signs in ((1, 1, 1, 1), (1, -1, 1, -1)):
        q = np.zeros(len(compiled.coordinate_names))
        for c, coordinate in enumerate(compiled.coordinate_names[1:], start=1):
            kind, place = re.fullmatch(r"beam\.([a-z_]+?)([0-9.]+)", coordinate).groups()
            if kind in bends:
                k = int(np.ceil(float(place))) - 1
                q[c] = signs[k] * bends[kind](length * (float(place) - k))
        mass = forces.mass(q)
        size = 1 / np.sqrt(np.diag(mass))
        assert np.linalg.eigvalsh(mass * np.outer(size, size))[0] > 0.0


@pytest.mark.parametrize("name", ["rigid-fe", "timoshenko", "hermite", "isoparametric"])
def test_a_thin_blade_goes_through_a_switch_of_its_command_while_it_is_bent(name) -> None:
    blade = {"section": {"shape": "rectangle", "width": 0.02, "height": 0.0015}, "material": "steel"}
    link = {"beam": blade, "model": {"formulation": name, "elements": 4}}
    go = {"kind": "bang-bang", "acceleration": 4.0, "duration": 1.0}
    arm = swinging({"formulation": name}, {"motion": "go"}, gravity=STILL, link=link, motions={"go": go})
    run = fa.simulate(arm, end=1.1, tolerance=1e-5)
    assert largest(run.values("point_deflection")) > 0.1
    assert run.complete


def pushed(way: dict[str, Any], amplitude: float, **link: Any) -> fa.Trajectory:
    """A limber beam on a bare pin, pushed to and fro by a torque."""
    arm = swinging(
        way,
        {"torque": "push"},
        4,
        stiffness=4.0,
        gravity=STILL,
        link={"damping": {"retardation": 5e-3}, **link},
        torques={"push": {"kind": "sine", "amplitude": amplitude, "period": 0.5, "end": 0.5}},
    )
    return fa.simulate(arm, end=0.6, output=0.01)


@ELEMENT_FRAMES
def test_a_bare_pin_is_too_much_for_a_link_frame_bent_far_and_the_failure_is_reported(name) -> None:
    failed = pushed({"formulation": name, "frames": "link"}, 8.0)
    assert failed.info["status"] == "singular" and not failed.complete
    assert failed.failure is not None
    assert "inertia" in failed.failure and "rotor_inertia" in failed.failure and 'frames = "element"' in failed.failure
    assert 0.0 < failed.info["reached"] < 0.6
    assert np.all(np.isfinite(failed.values("point_position")))
    # element frames go on where it stopped, to far more than half the length
    run = pushed({"formulation": name}, 8.0)
    assert run.complete and largest(run.values("point_deflection")) > 0.5


@ELEMENT_FRAMES
def test_a_link_frame_says_when_it_is_bent_beyond_a_tenth_of_its_length(name) -> None:
    hub = {"inertia": 0.5}
    mild, far = (pushed({"formulation": name, "frames": "link"}, amplitude, hub=hub) for amplitude in (1.0, 10.0))
    assert mild.complete and mild.info["warnings"] == []
    assert largest(mild.values("point_deflection")) < 0.1
    (warning,) = far.info["warnings"]
    bent = largest(far.values("point_deflection"))
    assert bent > 0.11
    assert 'link "beam" bends by' in warning and "its length" in warning and 'frames = "element"' in warning
    assert "WARNING" in far.summary() and warning in far.summary()


def test_an_element_frame_says_when_an_element_is_bent_beyond_a_tenth_of_it() -> None:
    few, many = (
        pushed({"formulation": "hermite"}, 8.0, model={"formulation": "hermite", "elements": n}) for n in (4, 16)
    )
    (warning,) = few.info["warnings"]
    assert "an element's length" in warning and "try more elements" in warning
    assert many.info["warnings"] == []
