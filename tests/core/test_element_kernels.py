"""The kernels made for beam elements against the general ones, and when they are chosen."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa
from flexarm.assembly import CompiledArm, compile_arm
from flexarm.core.sweeps.dynamics import new_work, solve
from flexarm.core.tree.elements import stepping_tree
from flexarm.core.tree.types import (
    NOT_POSITIVE,
    OK,
    PlanarElementTree,
    PlanarFlexTree,
    PlanarStretchTree,
    SpatialElementTree,
    SpatialFlexTree,
    SpatialMixedTree,
    SpatialStretchTree,
    SpatialTorsionTree,
    Tree,
)
from flexarm.model import arm_from_dict

SLAB = {"section": {"shape": "rectangle", "width": "30 mm", "height": "15 mm"}, "material": "steel"}
TUBE = {"section": {"shape": "tube", "diameter": "30 mm", "thickness": "2 mm"}, "material": "steel"}


def arm(planar: bool, formulation: str, tapered: bool = False, **more: object) -> fa.Arm:
    """A tree with offsets, a branch, a slide, payloads and a driven joint on beam elements."""
    model = {"formulation": formulation, "elements": 3, **more}
    end = {"end": {"section": {"shape": "rectangle", "width": "20 mm", "height": "12 mm"}}} if tapered else {}
    inertia = "0.02 kg m^2" if planar else ["0.02 kg m^2", "0.01 kg m^2", "0.03 kg m^2"]
    offset = ["10 mm", "20 mm", "0 mm" if planar else "30 mm"]
    other = "z" if planar else "y"
    turned = [0, 0, "20 deg"] if planar else ["10 deg", 0, "20 deg"]
    return arm_from_dict(
        {
            "name": "elements",
            "planar": planar,
            "gravity": ["0.3 m/s^2", "-9.81 m/s^2", 0 if planar else "1.7 m/s^2"],
            "link": [
                {
                    "name": "post",
                    "joint": {"type": "revolute", "free": True, "rotor_inertia": "0.1 kg m^2"},
                    "length": "0.3 m",
                    "rigid": {"mass": "3 kg", "inertia": inertia},
                    "tip_offset": offset,
                },
                {
                    "name": "beam",
                    "joint": {"type": "revolute", "axis": other, "free": True, "rotor_inertia": "0.1 kg m^2"},
                    "length": "1 m",
                    "beam": SLAB | end,
                    "model": model,
                    "tip_offset": offset,
                    "payload": {"mass": "0.5 kg", "offset": offset, "inertia": inertia},
                },
                {
                    "name": "slide",
                    "joint": {
                        "type": "prismatic",
                        "axis": "x",
                        "free": True,
                        "damping": "3 N s/m",
                        "stiffness": "10 N/m",
                        "rotation": turned,
                    },
                    "length": "0.8 m",
                    "beam": TUBE,
                    "model": model,
                    "damping": {"retardation": "1 ms"},
                },
                {
                    "name": "branch",
                    "parent": "beam",
                    "joint": {"type": "revolute", "axis": "z", "at": "0.4 rad"},
                    "length": "0.3 m",
                    "rigid": {"mass": "1 kg", "inertia": inertia},
                },
            ],
        }
    )


def solved(compiled: CompiledArm, tree: Tree, q, v, a, tau, gh, bh2):  # type: ignore[no-untyped-def]
    """Status, accelerations and drive forces of one sweep."""
    found, drive = a.copy(), np.zeros_like(a)
    status = solve(
        tree,
        compiled.loads,
        compiled.laws,
        0.0,
        False,
        q,
        v,
        found,
        tau,
        0.9 * q,
        0.8 * v,
        gh,
        bh2,
        drive,
        new_work(tree),
    )
    return status, found, drive


CASES = [
    (True, "hermite", {}),
    (True, "timoshenko", {}),
    (True, "hermite", {"freedoms": ["bending", "axial"]}),
    (True, "hermite", {"freedoms": ["bending", "axial"], "tapered": True, "grading": 1.5}),
    (True, "timoshenko", {"freedoms": ["bending", "axial"]}),
    (False, "hermite", {"freedoms": ["bending", "torsion"]}),
    (False, "hermite", {"freedoms": ["bending"]}),
    (False, "timoshenko", {"freedoms": ["bending", "torsion"]}),
    (False, "hermite", {"freedoms": ["bending", "torsion", "axial"]}),
    (False, "hermite", {"freedoms": ["bending", "torsion", "axial"], "tapered": True, "grading": 1.5}),
    (False, "timoshenko", {"freedoms": ["bending", "torsion", "axial"]}),
]


def fast_kind(planar: bool, more: dict[str, object]) -> type:
    """The class of tree whose kernel is made for such elements."""
    freedoms = more.get("freedoms", ("bending",))
    if planar:
        return PlanarStretchTree if "axial" in freedoms else PlanarElementTree  # type: ignore[operator]
    if "axial" in freedoms:  # type: ignore[operator]
        return SpatialStretchTree
    return SpatialTorsionTree if "torsion" in freedoms else SpatialElementTree  # type: ignore[operator]


@pytest.mark.parametrize("step", [(0.0, 0.0), (1e-3, 1e-6)])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("planar", "formulation", "more"), CASES)
def test_element_kernel_gives_the_accelerations_of_the_general_one(planar, formulation, more, seed, step) -> None:  # type: ignore[no-untyped-def]
    compiled = compile_arm(arm(planar, formulation, **more))
    fast = stepping_tree(compiled.tree, compiled.loads)
    assert type(fast) is fast_kind(planar, more)
    assert type(compiled.tree) is (PlanarFlexTree if planar else SpatialFlexTree)
    rng = np.random.default_rng(seed)
    nq = len(compiled.coordinate_names)
    # deflections of a per cent of an element: inertia stays positive
    q, v = 3e-3 * rng.standard_normal(nq), 0.3 * rng.standard_normal(nq)
    q[compiled.joint_coordinates] = rng.standard_normal(len(compiled.joint_coordinates))
    a, tau = rng.standard_normal(nq), rng.standard_normal(nq)
    status, general, general_drive = solved(compiled, compiled.tree, q, v, a, tau, *step)
    fast_status, found, drive = solved(compiled, fast, q, v, a, tau, *step)
    assert status == fast_status == OK
    # plain sweeps of stiff beams lose the digits of their condition
    scale = 1e-9 if step[0] == 0.0 else 1e-11
    np.testing.assert_allclose(found, general, rtol=0, atol=scale * np.max(np.abs(general)))
    np.testing.assert_allclose(drive, general_drive, rtol=0, atol=scale * np.max(np.abs(general_drive)))


@pytest.mark.parametrize("freedoms", [["bending", "torsion"], ["bending", "torsion", "axial"]])
def test_elements_twisted_far_have_the_accelerations_of_the_general_kernel(freedoms) -> None:  # type: ignore[no-untyped-def]
    compiled = compile_arm(arm(False, "hermite", freedoms=freedoms))
    fast = stepping_tree(compiled.tree, compiled.loads)
    rng = np.random.default_rng(5)
    nq = len(compiled.coordinate_names)
    q, v, a, tau = 1e-3 * rng.standard_normal(nq), rng.standard_normal(nq), rng.standard_normal(nq), np.zeros(nq)
    # beyond the reach of the series (0.5 rad), in some elements and not in others
    for c, name in enumerate(compiled.coordinate_names):
        if "twist" in name and not name.endswith("2"):
            q[c] = 1.1
    status, general, general_drive = solved(compiled, compiled.tree, q, v, a, tau, 1e-3, 1e-6)
    fast_status, found, drive = solved(compiled, fast, q, v, a, tau, 1e-3, 1e-6)
    assert status == fast_status == OK
    np.testing.assert_allclose(found, general, rtol=0, atol=1e-11 * np.max(np.abs(general)))
    np.testing.assert_allclose(drive, general_drive, rtol=0, atol=1e-11 * np.max(np.abs(general_drive)))


@pytest.mark.parametrize(
    ("planar", "more"),
    [
        (True, {}),
        (True, {"freedoms": ["bending", "axial"]}),
        (False, {"freedoms": ["bending", "torsion"]}),
        (False, {"freedoms": ["bending", "torsion", "axial"]}),
    ],
)
def test_element_kernel_reports_an_inertia_that_is_not_positive_as_the_general_one_does(planar, more) -> None:  # type: ignore[no-untyped-def]
    compiled = compile_arm(arm(planar, "hermite", **more))
    fast = stepping_tree(compiled.tree, compiled.loads)
    nq = len(compiled.coordinate_names)
    q, zero = np.full(nq, 2.0), np.zeros(nq)
    for tree in (compiled.tree, fast):
        assert solved(compiled, tree, q, zero, zero, zero, 0.0, 0.0)[0] == NOT_POSITIVE


@pytest.mark.parametrize(
    ("planar", "more"),
    [
        (True, {"formulation": "isoparametric"}),
        (True, {"frames": "link"}),
        (False, {"freedoms": ["bending", "axial"]}),
        (False, {"frames": "link"}),
    ],
)
def test_other_links_keep_the_general_kernel(planar, more) -> None:  # type: ignore[no-untyped-def]
    compiled = compile_arm(arm(planar, **{"formulation": "hermite", **more}))
    assert stepping_tree(compiled.tree, compiled.loads) is compiled.tree


def test_links_with_and_without_torsion_in_one_arm_have_a_kernel_of_their_own() -> None:
    plain = arm(False, "hermite", freedoms=["bending", "torsion"])
    beam = plain.links[1]
    stiff = beam.changed(model=beam.formulation.changed(freedoms=("bending",)))
    compiled = compile_arm(plain.changed(links=(plain.links[0], stiff, *plain.links[2:])))
    fast = stepping_tree(compiled.tree, compiled.loads)
    assert type(fast) is SpatialMixedTree
    rng = np.random.default_rng(7)
    q, v, a, tau = 3e-3 * rng.standard_normal((4, len(compiled.coordinate_names)))
    state = (q, 100 * v, 300 * a, 300 * tau, 1e-3, 1e-6)
    status, found, drive = solved(compiled, fast, *state)
    _, expected, expected_drive = solved(compiled, compiled.tree, *state)
    assert status == OK
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-11 * np.abs(expected).max())
    np.testing.assert_allclose(drive, expected_drive, rtol=0, atol=1e-11 * np.abs(expected_drive).max())


def test_links_with_and_without_stretch_in_one_arm_keep_the_general_kernel() -> None:
    plain = arm(True, "hermite")
    beam = plain.links[1]
    stretching = beam.changed(model=beam.formulation.changed(freedoms=("bending", "axial")))
    compiled = compile_arm(plain.changed(links=(plain.links[0], stretching, *plain.links[2:])))
    assert stepping_tree(compiled.tree, compiled.loads) is compiled.tree


@pytest.mark.parametrize("planar", [True, False])
def test_a_payload_inside_an_element_or_a_load_keeps_the_general_kernel(planar) -> None:  # type: ignore[no-untyped-def]
    plain = arm(planar, "hermite", **({} if planar else {"freedoms": ["bending"]}))
    beam = plain.links[1]

    def carrying(*places: float) -> fa.Arm:
        loaded = beam.changed(payloads=tuple({"mass": 0.1, "at": at} for at in places))
        return plain.changed(links=(plain.links[0], loaded, *plain.links[2:]))

    pushed = plain.changed(loads=({"link": "beam", "force": [1.0, 0.0, 0.0]},))
    # two nodes between three elements move to two payloads, not to three
    on_nodes, inside = (carrying(0.4), carrying(0.4, 0.5)), carrying(0.3, 0.4, 0.5)
    for changed, general in (*((each, False) for each in on_nodes), (inside, True), (pushed, True)):
        compiled = compile_arm(changed)
        fast = stepping_tree(compiled.tree, compiled.loads)
        assert (fast is compiled.tree) == general
        q = 3e-3 * np.random.default_rng(1).standard_normal(len(compiled.coordinate_names))
        state = (q, 100 * q, 300 * q, 300 * q, 1e-3, 1e-6)
        status, found, _ = solved(compiled, fast, *state)
        expected = solved(compiled, compiled.tree, *state)[1]
        assert status == OK
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9 * np.abs(expected).max())
