"""A rotation that cannot be steady is refused in one sentence that says why and what is allowed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import flexarm as fa
from flexarm.errors import AnalysisError
from tests.analyses.flexible_arms import two_links
from tests.analyses.rotors import hinged, of_kind, rotor
from tests.links.cantilever import WAYS

HERMITE = WAYS["hermite"]


def refused(arm: fa.Arm, *words: str, **options: Any) -> None:
    """Assert that one sentence with these words refuses the question."""
    with pytest.raises(AnalysisError) as error:
        fa.modes(arm, **{"spin": 5.0, **options})
    message = str(error.value)
    assert "must" in message or "nothing can spin" in message or "try" in message
    assert "\n" not in message and all(word in message for word in words), message


def test_gravity_across_the_axis_is_refused_and_along_it_allowed():
    refused(rotor(HERMITE, 2, gravity=(0.0, -9.81, 0.0)), "gravity", "(0, -9.81, 0)", '"beam"', "along the axis")
    refused(rotor(HERMITE, 2, planar=True, gravity=(0.0, -9.81, 0.0)), "gravity")
    assert fa.modes(rotor(HERMITE, 2, gravity=(0.0, 0.0, -9.81)), spin=5.0).frequencies_hz[0] > 0.0
    # a planar arm does not feel what is across its plane
    flat = rotor(HERMITE, 2, planar=True)
    bits = [fa.modes(flat.changed(gravity=(0.0, 0.0, g)), spin=5.0).frequencies_hz for g in (0.0, -9.81)]
    np.testing.assert_array_equal(*bits)


def test_a_joint_on_what_bends_cannot_spin():
    refused(two_links(HERMITE, 2), '"fore"', '"upper"', "gives way", spin={"fore": 5.0})


def test_a_joint_whose_carrier_is_free_cannot_spin():
    arm = hinged()
    refused(arm, '"blade"', '"hub"', "is free", spin={"blade": 5.0}, joints="free")
    assert fa.modes(arm, spin={"blade": 5.0}, joints=["blade"]).names == ("rigid-body motion 1",)


def test_two_joints_spin_only_about_one_axis():
    arm = hinged()
    refused(arm, '"hub"', '"blade"', "the same axis", spin={"hub": 5.0, "blade": 2.0}, joints=["blade"])
    # a hub without an offset: both turn about the same line, and only their sum matters
    links = (arm.links[0].changed(length=0.0), rotor(HERMITE, 4, hub=0.3).links[0].changed(joint={"type": "revolute"}))
    coaxial = arm.changed(links=links)
    both = fa.modes(coaxial, spin={"hub": 5.0, "beam": 2.0}, count=4).frequencies_hz
    np.testing.assert_allclose(both, fa.modes(coaxial, spin={"beam": 7.0}, count=4).frequencies_hz, rtol=1e-10)


def test_two_rotors_spin_side_by_side():
    one = rotor(HERMITE, 4).links[0]
    two = one.changed(name="other", parent="base", joint={"type": "revolute", "offset": (0.0, 3.0, 0.0)})
    first = one.changed(joint={"type": "revolute"})
    arm = fa.Arm(links=[first, two], gravity=(0.0, 0.0, 0.0))
    found = fa.modes(arm, spin={"beam": 20.0, "other": 40.0}, count=8)
    for name, rate in (("beam", 20.0), ("other", 40.0)):
        alone = fa.modes(fa.Arm(links=[first], gravity=(0.0, 0.0, 0.0)), spin=rate, count=2)
        np.testing.assert_allclose(
            of_kind(found, f"{name} bending z")[0], of_kind(alone, "beam bending z")[0], rtol=1e-9
        )


def test_loads_that_do_not_turn_with_the_arm_are_refused():
    world = {"link": "beam", "force": (0.0, 1.0, 0.0)}
    refused(rotor(HERMITE, 2, loads=[world]), "load", '"beam"', 'axes = "link"')
    timed = {"link": "beam", "force": (1.0, 0.0, 0.0), "axes": "link", "law": "shake"}
    shake = {"shake": {"kind": "sine", "amplitude": 1.0, "period": 0.5}}
    refused(rotor(HERMITE, 2, loads=[timed], torques=shake), "load", "changes with time")


@pytest.mark.parametrize("pull", [-20.0, 60.0])
def test_loads_along_the_axis_or_turning_with_the_arm_are_carried(pull):
    along = rotor(HERMITE, 2, loads=[{"link": "beam", "force": (0.0, 0.0, 0.5)}])
    assert fa.modes(along, spin=5.0).frequencies_hz[0] > 0.0
    following = rotor(HERMITE, 8, planar=True, loads=[{"link": "beam", "force": (pull, 0.0, 0.0), "axes": "link"}])
    without = fa.modes(rotor(HERMITE, 8, planar=True), spin=5.0, count=1).frequencies_hz[0]
    found = fa.modes(following, spin=5.0, count=1)
    # a push that follows the tip makes the first frequency rise towards the second, with which it flutters at 600 N
    assert (found.frequencies_hz[0] < without) == (pull > 0.0)
    assert np.all(found.growth_rates == 0.0)


def test_beck_s_column_flutters_in_slow_rotation():
    # a following push of 20.05 EI/L²: M. Beck, ZAMP 3 (1952) 225
    fates = []
    for part in (0.99, 1.01):
        push = {"link": "beam", "force": (-part * 20.0509 * 30.0, 0.0, 0.0), "axes": "link"}
        found = fa.modes(rotor(HERMITE, 10, planar=True, loads=[push]), spin=1e-3, count=2)
        fates.append(found.names[0].endswith("flutter") or found.names[1].endswith("flutter"))
        assert not np.any(np.isnan(found.frequencies_hz))
    assert fates == [False, True]


def test_a_free_hub_with_a_spring_cannot_spin():
    arm = hinged(hub_joint={"stiffness": 10.0})
    refused(arm, '"hub"', "wind up", joints="free")
    assert fa.modes(arm, spin=5.0, joints=["blade"]).frequencies_hz[0] > 0.0


@pytest.mark.parametrize(
    ("spin", "words"),
    [
        ("5 m/s", ("spin", '"5 m/s"', "45 deg/s")),
        ("fast", ("spin", '"fast"')),
        (float("nan"), ("spin", "finite")),
        ({"hubb": 1.0}, ('"hubb"', 'did you mean "hub"')),
        ({"hub": "x"}, ('"hub"',)),
        (None, ()),
    ],
)
def test_what_is_no_rate_of_a_revolute_joint_is_refused(spin, words):
    if spin is None:
        sliding = hinged().links[0].changed(joint={"type": "prismatic"})
        refused(hinged().changed(links=(sliding,)), "no revolute joint")
        refused(hinged().changed(links=(sliding, hinged().links[1])), '"hub"', "slides", spin={"hub": 1.0})
    else:
        refused(hinged(), *words, spin=spin)


def test_joints_that_are_not_there_are_refused():
    refused(hinged(), '"tail"', '"hub", "blade"', joints=["tail"])
    refused(hinged(), '"stuck"', joints="stuck")
    refused(hinged(), "no flexible link", joints=())


def test_a_slide_that_is_thrown_out_has_no_steady_rotation():
    slide = hinged().links[1].changed(joint={"type": "prismatic", "axis": (1, 0, 0), "free": True})
    refused(hinged().changed(links=(hinged().links[0], slide)), "no steady rotation", '"hub" at 5', joints=["blade"])


def test_an_unstiffened_bent_beam_beyond_its_limit_is_reported_to_diverge():
    way = {"formulation": "hermite", "frames": "link", "stiffening": False}
    payload = {"mass": 0.02, "offset": (0.0, 0.01, 0.0), "inertia": 0.0}
    arm = rotor(way, 4, planar=True, link={"payload": payload})
    rest = 2 * np.pi * fa.modes(arm, count=1).frequencies_hz[0]
    found = fa.modes(arm, spin=1.4 * rest, count=2)
    assert found.names[0].endswith("divergence") and np.all(np.isfinite(found.shapes))


def test_a_link_frame_bent_too_far_is_reported():
    payload = {"mass": 0.5, "offset": (0.0, 0.4, 0.0), "inertia": 0.0}
    arm = rotor(WAYS["hermite-link"], 4, planar=True, link={"payload": payload})
    found = fa.modes(arm, spin=12.0, count=2)
    assert "beware" in found.summary() and "second-order model" in found.remarks[0]
