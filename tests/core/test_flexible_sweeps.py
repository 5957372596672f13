"""The sweeps over trees with flexible bodies: against Lagrange's equations of the same trees, and one another."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np
import pytest

from flexarm.core.sweeps.dynamics import aba, new_work, solve, spring_matrices
from flexarm.core.tree.build import Body
from flexarm.core.tree.types import S_DRIVEN, S_REST, Laws, PlanarFlexTree, SpatialFlexTree
from tests.oracles import flexible

from .flexible_trees import flexible_engine, gravity_of, random_flexible_state, random_flexible_tree, random_wrenches
from .trees import Engine, bare, constant_laws

SEEDS = range(12)
EITHER = pytest.mark.parametrize("planar", [False, True], ids=["spatial", "planar"])
# Both sides are sums of some hundred rounded terms: 1e-13 of the largest is ten times what is seen.
ROUNDING = 1e-13
# Solving loses as many digits as the mass matrix has in its condition, 1e3 to 1e4 here.
SOLVED = 1e-10


class Case(NamedTuple):
    """A random tree, its loads, the engine on both, and a state with rows q, v, a, τ."""

    bodies: list[Body]
    loads: list[flexible.Wrench]
    engine: Engine
    state: np.ndarray
    gravity: np.ndarray


@lru_cache(maxsize=128)
def case(seed: int, planar: bool, driven: float = 0.0) -> Case:
    """A tree with eight loads on it."""
    bodies = random_flexible_tree(seed, planar, driven)
    loads = random_wrenches(seed, bodies, 8, planar)
    state = random_flexible_state(seed, bodies)
    return Case(bodies, loads, flexible_engine(bodies, planar, loads), state, gravity_of(planar))


def close(found: np.ndarray, expected: np.ndarray, relative: float = ROUNDING) -> None:
    """Compares to a part of the largest entry."""
    np.testing.assert_allclose(found, expected, rtol=0, atol=relative * np.abs(expected).max())


@EITHER
def test_the_trees_have_what_the_kernels_report_apart(planar):
    counts, places, joints = set(), set(), set()
    for seed, driven in product(SEEDS, (0.0, 0.5)):
        bodies, loads, engine, _, _ = case(seed, planar, driven)
        assert isinstance(engine.tree, PlanarFlexTree if planar else SpatialFlexTree)
        counts |= {body.elastic.count for body in bodies if body.elastic is not None}
        joints |= {(body.kind, body.driven, body.attachment is not None) for body in bodies if body.kind != "fixed"}
        for load in loads:
            on = "rigid" if bodies[load.body].elastic is None else "clamp" if load.attachment is None else "axis"
            places.add((on, load.follows))
    assert counts == {1, 2, 3, 4, 5, 6}
    assert joints == {(kind, *flags) for kind in ("revolute", "prismatic") for flags in np.ndindex(2, 2)}
    assert places == {(on, follows) for on in ("rigid", "clamp", "axis") for follows in (False, True)}


# --- Against Lagrange's equations ------------------------------------------------------------------------------------


@EITHER
@pytest.mark.parametrize("seed", SEEDS)
def test_forces_are_those_of_lagrange(seed, planar):
    bodies, loads, engine, (q, v, a, _), gravity = case(seed, planar)
    close(engine.inverse(q, v, a), flexible.forces(bodies, gravity, q, v, a, loads))
    unloaded = Engine(engine.tree)
    close(unloaded.inverse(q, v, a), flexible.forces(bodies, gravity, q, v, a))


@EITHER
@pytest.mark.parametrize("seed", SEEDS)
def test_mass_matrix_and_energies_are_those_of_lagrange(seed, planar):
    bodies, _, engine, (q, v, _, _), gravity = case(seed, planar)
    M = engine.mass(q)
    np.testing.assert_array_equal(M, M.T)
    close(M, flexible.mass_matrix(bodies, q))
    np.testing.assert_allclose(engine.energy(q, v), flexible.energy(bodies, gravity, q, v), rtol=1e-12)


@EITHER
@pytest.mark.parametrize("driven", [0.0, 0.5])
@pytest.mark.parametrize("seed", SEEDS)
def test_accelerations_and_drive_forces_are_those_of_lagrange(seed, planar, driven):
    bodies, loads, engine, (q, v, a, tau), gravity = case(seed, planar, driven)
    held = flexible.driven_columns(bodies)
    expected, force = flexible.accelerations(bodies, gravity, q, v, tau, held, a, loads)
    # what is to be found and what is not to be read are NaN
    found, drive = engine.forward(q, v, np.where(held, a, np.nan), np.where(held, np.nan, tau))
    np.testing.assert_array_equal(found[held], a[held])
    close(found, expected, SOLVED)
    np.testing.assert_allclose(drive[held], force[held], rtol=0, atol=SOLVED * np.abs(force).max())


@EITHER
@pytest.mark.parametrize("bend", [0.0, 1e-9, 0.3])
def test_straight_and_strongly_bent_beams_obey_the_same_equations(planar, bend):
    bodies, loads, engine, _, gravity = case(1, planar)
    q, v, a, _ = random_flexible_state(1, bodies, bend)
    close(engine.inverse(q, v, a), flexible.forces(bodies, gravity, q, v, a, loads))
    close(engine.mass(q), flexible.mass_matrix(bodies, q))


# --- Against one another ---------------------------------------------------------------------------------------------


@EITHER
@pytest.mark.parametrize("seed", SEEDS)
def test_columns_of_the_mass_matrix_are_the_forces_of_unit_accelerations(seed, planar):
    _, _, engine, (q, v, _, _), _ = case(seed, planar)
    M, bias = engine.mass(q), engine.inverse(q, v, 0 * q)
    columns = np.array([engine.inverse(q, v, unit) - bias for unit in np.eye(engine.nq)]).T
    # the difference of two forces carries the rounding of the bias too
    np.testing.assert_allclose(columns, M, rtol=0, atol=ROUNDING * (np.abs(M).max() + np.abs(bias).max()))


@EITHER
@pytest.mark.parametrize("seed", SEEDS)
def test_forward_dynamics_inverts_inverse_dynamics(seed, planar):
    _, _, engine, (q, v, a, _), _ = case(seed, planar)
    close(engine.forward(q, v, np.full_like(a, np.nan), engine.inverse(q, v, a))[0], a, SOLVED)


@pytest.mark.parametrize("driven", [0.0, 0.5])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_plane_is_a_part_of_space(seed, driven):
    bodies, loads, flat, (q, v, a, tau), gravity = case(seed, True, driven)
    full = flexible_engine(bodies, False, loads, gravity=gravity)
    close(flat.inverse(q, v, a), full.inverse(q, v, a))
    close(flat.mass(q), full.mass(q))
    np.testing.assert_allclose(flat.energy(q, v), full.energy(q, v), rtol=1e-12)
    (in_plane, push), (in_space, same) = (engine.forward(q, v, a, tau) for engine in (flat, full))
    close(in_plane, in_space, SOLVED)
    held = flexible.driven_columns(bodies)
    np.testing.assert_array_equal(np.isnan(push), ~held)
    if held.any():
        np.testing.assert_allclose(push[held], same[held], rtol=0, atol=SOLVED * np.abs(in_space).max())


# --- Loads under a law -----------------------------------------------------------------------------------------------


@EITHER
@pytest.mark.parametrize("seed", range(4))
def test_loads_are_scaled_by_their_law(seed, planar):
    bodies, loads, _, (q, v, a, tau), gravity = case(seed, planar)
    # the second of two laws: 1 + 2 t + 3 sin(4 t + 0.5)
    laws = Laws(np.array([0, 1, 2]), np.array([[0.0, 0, 0, 0, 7, 0], [0, 3, 4, 0.5, 1, 2]]))
    t = 0.37
    factor = 1 + 2 * t + 3 * np.sin(4 * t + 0.5)
    scaled = [replace(load, force=factor * load.force, moment=factor * load.moment) for load in loads]
    engine = flexible_engine(bodies, planar, loads, laws=laws, law=1)
    close(engine.inverse(q, v, a, t), flexible.forces(bodies, gravity, q, v, a, scaled))
    constant = flexible_engine(bodies, planar, loads, laws=constant_laws(7.0, factor), law=1)
    free = flexible.accelerations(bodies, gravity, q, v, tau, loads=scaled)[0]
    close(constant.forward(q, v, a, tau)[0], free, SOLVED)


# --- Inside an implicit step -----------------------------------------------------------------------------------------


@EITHER
@pytest.mark.parametrize(("rate", "place"), [(0.0075, 5.6e-5), (0.3, 0.05)], ids=["short", "long"])
@pytest.mark.parametrize("seed", range(6))
def test_one_sweep_is_the_dense_solve_of_the_modified_newton_step(seed, planar, rate, place):
    bodies, loads, engine, (q, v, a, tau), gravity = case(seed, planar, 0.4)
    held = flexible.driven_columns(bodies)
    free = ~held
    at, speed = np.random.default_rng(seed).standard_normal((2, engine.nq))
    M = flexible.mass_matrix(bodies, q)
    K, D, rest = *dense_springs(bodies), engine.tree.spring[:, S_REST]
    bias = flexible.bias(bodies, gravity, q, v, loads) - K @ (q - rest) - D @ v
    # (17): [ M + γhD + βh²K ] x = τ − b − D v* − K (q* − q0), the driven columns of M on the right
    left = (M + rate * D + place * K)[np.ix_(free, free)]
    right = (tau - bias - D @ speed - K @ (at - rest))[free] - M[np.ix_(free, held)] @ a[held]
    expected = a.copy()
    expected[free] = np.linalg.solve(left, right)
    drive, found = np.full((2, engine.nq), np.nan)
    found[held] = a[held]
    given = (engine.tree, engine.loads, engine.laws, 0.0, False)
    assert solve(*given, q.copy(), v.copy(), found, tau.copy(), at, speed, rate, place, drive, engine.work) == 0
    close(found, expected, SOLVED)
    # the force of a driven joint is that of the accelerations just found, its spring at its own commanded place
    force = M @ expected + bias + D @ v + K @ (q - rest)
    np.testing.assert_allclose(drive[held], force[held], rtol=0, atol=SOLVED * np.abs(force).max())


def dense_springs(bodies: list[Body]) -> tuple[np.ndarray, np.ndarray]:
    """K and D (n, n) from the bodies themselves."""
    K, D = np.zeros((2, flexible.freedoms(bodies), flexible.freedoms(bodies)))
    for body, place in zip(bodies, flexible.columns(bodies), strict=True):
        if place.stop > place.start:
            K[place, place] = body.stiffness if body.elastic is None else body.elastic.stiffness
            D[place, place] = body.damping if body.elastic is None else body.elastic.damping
    return K, D


@EITHER
@pytest.mark.parametrize("seed", range(4))
def test_springs_and_dampers_of_a_tree_are_those_of_its_bodies(seed, planar):
    bodies, loads, engine, (q, v, a, _), gravity = case(seed, planar)
    K, D = dense_springs(bodies)
    for found, expected in zip(spring_matrices(engine.tree), (K, D), strict=True):
        close(found, expected, 1e-15)
    held = K @ (q - engine.tree.spring[:, S_REST]) + D @ v
    bared = Engine(bare(engine.tree), engine.loads).inverse(q, v, a)
    close(bared + held, flexible.forces(bodies, gravity, q, v, a, loads))


# --- Buffers ---------------------------------------------------------------------------------------------------------


@EITHER
@pytest.mark.parametrize("seed", SEEDS)
def test_sweeps_stay_inside_their_work_array(seed, planar):
    _, _, engine, (q, v, a, tau), _ = case(seed, planar, 0.3)
    rows, columns = new_work(engine.tree).shape
    frame = np.full((rows + 3, columns + 8), 7.25e77)
    frame[:rows, :columns] = np.nan
    wide = Engine(engine.tree, engine.loads)
    wide.work = frame
    found = [wide.inverse(q, v, a), wide.mass(q), wide.energy(q, v), *wide.forward(q, v, a, tau)]
    expected = [engine.inverse(q, v, a), engine.mass(q), engine.energy(q, v), *engine.forward(q, v, a, tau)]
    for one, two in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, two)
    assert np.all(frame[rows:] == 7.25e77)
    assert np.all(frame[:rows, columns:] == 7.25e77)


@EITHER
def test_given_states_are_left_as_they_are(planar):
    _, _, engine, state, _ = case(1, planar, 0.5)
    q, v, a, tau = state.copy()
    drive = np.full(engine.nq, np.nan)
    assert aba(engine.tree, engine.loads, engine.laws, 0.0, q, v, a, tau, drive, engine.work) == 0
    held = engine.tree.spring[:, S_DRIVEN] == 1.0
    np.testing.assert_array_equal([q, v, tau], state[[0, 1, 3]])
    np.testing.assert_array_equal(a[held], state[2, held])
