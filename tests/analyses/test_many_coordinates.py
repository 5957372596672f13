"""Arms with many coordinates: equilibrium, modes and tangents without matrices, beside dense ways and closed forms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.linalg import eigh

import flexarm as fa
from flexarm.analyses import equilibrium as dense_equilibrium
from flexarm.analyses.equilibrium import Forces, commanded, equilibrium
from flexarm.analyses.krylov import solved
from flexarm.analyses.modes import lowest
from flexarm.analyses.newton import swept_equilibrium
from flexarm.analyses.state import State
from flexarm.analyses.tangent import Tangent, stiff_part
from flexarm.assembly import compile_arm

EI, MASS, LENGTH = 12.0, 0.4, 1.5  # N m², kg/m, m
NEVER = 10**9


def chain(elements: int, *, joint: dict[str, Any] | None = None, **given: Any) -> fa.Arm:
    """A rod on a joint, with gravity across it unless given otherwise."""
    link = {
        "name": "rod",
        "joint": {"type": "revolute", "axis": "z", **(joint or {"locked": True})},
        "length": LENGTH,
        "beam": {"bending_stiffness": EI, "mass_per_length": MASS},
        "model": {"formulation": given.pop("formulation", "hermite"), "elements": elements},
        **{key: given.pop(key) for key in ("damping", "payload", "start") if key in given},
    }
    table = {"name": "chain", "planar": True, "gravity": [0.0, -9.81, 0.0], "link": [link], **given}
    return fa.Arm.model_validate(table)


def both_ways(monkeypatch: pytest.MonkeyPatch, arm: fa.Arm, **options: Any) -> tuple[fa.ModeSet, fa.ModeSet]:
    """The modes in a subspace and by matrices."""
    found = []
    for many in (0, NEVER):
        monkeypatch.setattr(lowest, "_MANY", many)
        found.append(fa.modes(arm, **options))
    return found[0], found[1]


def apart(one: np.ndarray, other: np.ndarray) -> float:
    """The part of a shape that is not in another one."""
    factor = np.vdot(one, other) / np.vdot(one, one)
    return float(np.max(np.abs(other - factor * one)) / np.max(np.abs(other)))


# --- Modes -----------------------------------------------------------------------------------------------------------


def test_a_cantilever_of_400_elements_has_the_frequencies_of_the_continuous_beam():
    found = fa.modes(chain(400, gravity=[0.0, 0.0, 0.0]), count=6)
    roots = np.array([1.8751040687, 4.6940911330, 7.8547574382, 10.9955407349, 14.1371683911, 17.2787595321])
    exact = roots**2 * np.sqrt(EI / MASS) / (2.0 * np.pi * LENGTH**2)
    # cubic elements err by (17.3/400)⁴/720; the closed form has ten digits
    np.testing.assert_allclose(found.frequencies_hz, exact, rtol=1e-8)


@pytest.mark.parametrize("damping", [None, {"retardation": "20 us"}])
@pytest.mark.parametrize("gravity", [0.0, -9.81])
@pytest.mark.parametrize("formulation", ["rigid-fe", "hermite"])
def test_modes_in_a_subspace_are_those_of_the_matrices(monkeypatch, formulation, gravity, damping):
    given = {"damping": damping} if damping else {}
    arm = chain(120, formulation=formulation, gravity=[0.0, gravity, 0.0], **given)
    swept, dense = both_ways(monkeypatch, arm, count=6)
    np.testing.assert_allclose(swept.poles, dense.poles, rtol=1e-9)
    assert swept.names == dense.names
    assert max(apart(one, other) for one, other in zip(swept.shapes, dense.shapes, strict=True)) < 1e-9
    np.testing.assert_allclose(np.abs(swept.point_shapes), np.abs(dense.point_shapes), rtol=1e-8, atol=1e-10)


def test_frequencies_under_gravity_are_those_scipy_finds_in_the_matrices():
    arm = chain(80, payload=[{"mass": 0.3}])
    compiled = compile_arm(arm)
    state = commanded(compiled)
    free = compiled.elastic_coordinates
    balanced, _, _ = equilibrium(compiled, State(state.q, 0 * state.q, 0 * state.q, state.tau), hold=compiled.driven)
    forces = Forces(compiled)
    stiffness = forces.tangent(State(balanced.q, 0 * state.q, 0 * state.q, state.tau))[0][np.ix_(free, free)]
    inertia = forces.mass(balanced.q)[np.ix_(free, free)]
    # the largest values of the inverse problem keep their digits
    periods = eigh(inertia, 0.5 * (stiffness + stiffness.T), eigvals_only=True)[::-1][:6]
    found = fa.modes(arm, count=6)
    np.testing.assert_allclose(found.frequencies_hz, 1.0 / (2.0 * np.pi * np.sqrt(periods)), rtol=1e-9)


@pytest.mark.parametrize("gravity", [0.0, -9.81])
def test_a_free_joint_without_a_spring_is_left_to_the_sweep(monkeypatch, gravity):
    arm = chain(80, joint={"free": True, "at": "-90 deg", "damping": "2e-3 N m s/rad"}, gravity=[0.0, gravity, 0.0])
    swept, dense = both_ways(monkeypatch, arm, count=5)
    assert swept.kinds == dense.kinds
    np.testing.assert_allclose(swept.poles, dense.poles, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(swept.real_poles, dense.real_poles[: len(swept.real_poles)], rtol=1e-8)


def test_a_servo_with_an_integrator_has_the_same_poles_both_ways(monkeypatch):
    servo = {"position_gain": 12.0, "velocity_gain": 6.0, "integral_time": 0.2}
    move = {"kind": "brake", "travel_time": 1.0, "braking_time": 0.4}
    arm = chain(80, joint={"servo": servo, "motion": "move", "rate": 0.5}, motion={"move": move})
    swept, dense = both_ways(monkeypatch, arm, count=5)
    np.testing.assert_allclose(swept.poles, dense.poles, rtol=1e-8)


# --- Equilibrium -----------------------------------------------------------------------------------------------------


def states(arm: fa.Arm) -> tuple[Any, State]:
    compiled = compile_arm(arm)
    start = commanded(compiled)
    zero = np.zeros_like(start.q)
    return compiled, State(start.q, zero, zero, zero)


@pytest.mark.parametrize("formulation", ["rigid-fe", "hermite"])
def test_a_rod_bent_far_by_its_weight_is_in_the_same_place_both_ways(monkeypatch, formulation):
    # w L³/EI = 5.5: the tip hangs by more than half of the length
    arm = chain(30, formulation=formulation, payload=[{"mass": 1.4}])
    compiled, state = states(arm)
    monkeypatch.setattr(dense_equilibrium, "_MANY", NEVER)
    dense, _, _ = equilibrium(compiled, state)
    swept = swept_equilibrium(compiled, state, 0.0, np.flatnonzero(~compiled.driven))
    assert swept is not None
    np.testing.assert_allclose(swept[0].q, dense.q, atol=1e-12 * LENGTH)


def test_a_column_beyond_its_critical_length_is_left_to_the_careful_way():
    # a column under its own weight w per length stands upright up to w L³ = 7.837 EI (Greenhill)
    stands = chain(60, joint={"locked": True, "at": "90 deg"}, gravity=[1e-3, -60.0, 0.0])
    falls = chain(60, joint={"locked": True, "at": "90 deg"}, gravity=[1e-3, -80.0, 0.0])
    for arm, stable in ((stands, 60.0 * MASS * LENGTH**3 < 7.837 * EI), (falls, 80.0 * MASS * LENGTH**3 < 7.837 * EI)):
        compiled, state = states(arm)
        found = swept_equilibrium(compiled, state, 0.0, np.flatnonzero(~compiled.driven))
        assert (found is not None) == stable
        assert np.all(np.isfinite(equilibrium(compiled, state)[0].q))


# --- Tangents --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("formulation", ["rigid-fe", "hermite"])
def test_products_are_those_of_the_matrices_and_their_inverse_undoes_them(formulation):
    compiled, state = states(chain(20, formulation=formulation, payload=[{"mass": 0.5}]))
    rng = np.random.default_rng(0)
    free = np.flatnonzero(~compiled.driven)
    moved = state.q + np.where(compiled.driven, 0.0, 0.01 * rng.standard_normal(len(state.q)))
    at = State(moved, rng.standard_normal(len(moved)), rng.standard_normal(len(moved)), state.tau)
    forces, tangent = Forces(compiled), Tangent(compiled, at, free)
    block = np.ix_(free, free)
    stiffness, damping = (part[block] for part in forces.tangent(at))
    one = np.eye(len(free))
    size = float(np.max(np.abs(stiffness)))
    np.testing.assert_allclose(tangent.stiffness(one), stiffness, atol=1e-11 * size)
    rates = tangent.gyroscopic(one) + tangent.dampers.times(one)
    np.testing.assert_allclose(rates, damping, atol=1e-11 * float(np.max(np.abs(damping))))
    np.testing.assert_allclose(tangent.mass(one), forces.mass(moved)[block], rtol=1e-11, atol=1e-13)
    stiff = stiff_part(tangent)
    assert stiff is not None
    wanted = rng.standard_normal(len(free))
    found = solved(tangent, stiff, stiffness @ wanted, 1e-13)
    assert found.found
    np.testing.assert_allclose(found.x, wanted, rtol=1e-7, atol=1e-9)
