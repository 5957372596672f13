"""Identities of the recursions on random trees, in space and in the plane: each verb is checked by another."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from flexarm.core.sweeps.dynamics import aba, new_work
from flexarm.core.tree.build import Body, build_tree, rotation_to
from flexarm.core.tree.types import NOT_POSITIVE

from .trees import (
    GRAVITY,
    Engine,
    Push,
    constant_laws,
    kernel_loads,
    no_laws,
    planar_engine,
    random_bodies,
    random_pushes,
    random_state,
    spatial_engine,
)

Case = tuple[list[Body], list[Push], Engine]
# Forces of eight bodies are sums of a few hundred rounded terms: 1e-13 of the largest is a hundred times what is seen.
ROUNDING = 1e-13


@pytest.fixture(params=range(12), ids=lambda seed: f"seed{seed}")
def seed(request: pytest.FixtureRequest) -> int:
    """Number of a random tree."""
    return int(request.param)


@pytest.fixture(params=["spatial", "planar"])
def case(request: pytest.FixtureRequest) -> Callable[[int, float], Case]:
    """Bodies, loads and the engine on them."""
    planar = request.param == "planar"

    def make(seed: int, driven: float = 0.0) -> Case:
        bodies = random_bodies(seed, planar=planar, driven=driven)
        pushes = random_pushes(seed, bodies, planar=planar)
        return bodies, pushes, (planar_engine if planar else spatial_engine)(bodies, pushes=pushes)

    return make


def test_columns_of_the_mass_matrix_are_the_forces_of_unit_accelerations(case, seed):
    bodies, _, engine = case(seed)
    q, v, _, _ = random_state(seed, bodies)
    M = engine.mass(q)
    bias = engine.inverse(q, v, 0 * q)
    columns = np.array([engine.inverse(q, v, unit) - bias for unit in np.eye(len(q))]).T
    # the difference of two forces carries the rounding of the bias too
    np.testing.assert_allclose(columns, M, rtol=0, atol=ROUNDING * (np.abs(M).max() + np.abs(bias).max()))


def test_mass_matrix_is_symmetric_and_positive_definite(case, seed):
    bodies, _, engine = case(seed)
    M = engine.mass(random_state(seed, bodies)[0])
    np.testing.assert_array_equal(M, M.T)
    assert np.linalg.eigvalsh(M)[0] > 0


def test_forward_dynamics_inverts_inverse_dynamics(case, seed):
    bodies, _, engine = case(seed)
    q, v, a, _ = random_state(seed, bodies)
    found, _ = engine.forward(q, v, np.full_like(a, np.nan), engine.inverse(q, v, a))
    # solving loses as many digits as the mass matrix has in its condition, up to 1e3 here
    np.testing.assert_allclose(found, a, rtol=0, atol=1e3 * ROUNDING)


def test_forces_of_driven_joints_equal_those_of_inverse_dynamics(case, seed):
    bodies, _, engine = case(seed, driven=0.5)
    q, v, a, tau = random_state(seed, bodies)
    driven = engine.tree.spring[:, 5] == 1.0
    found, drive = engine.forward(q, v, a, tau)
    forces = engine.inverse(q, v, found)
    scale = np.abs(engine.mass(q)).max() * np.abs(found).max()
    np.testing.assert_array_equal(found[driven], a[driven])
    np.testing.assert_allclose(drive[driven], forces[driven], rtol=0, atol=ROUNDING * scale)
    np.testing.assert_allclose(tau[~driven], forces[~driven], rtol=0, atol=ROUNDING * scale)


def test_a_driven_joint_given_its_free_acceleration_takes_the_force_it_was_free_under(case, seed):
    free_bodies, _, free = case(seed)
    q, v, a, tau = random_state(seed, free_bodies)
    moved, _ = free.forward(q, v, a, tau)
    spring = free.tree.spring.copy()
    topology = free.tree.topology.copy()
    spring[::2, 5] = 1.0
    topology[np.isin(topology[:, 2], np.arange(0, len(q), 2)), 3] = 1
    mixed = Engine(free.tree._replace(topology=topology, spring=spring), free.loads)
    found, drive = mixed.forward(q, v, moved, np.where(spring[:, 5] == 1.0, np.nan, tau))
    scale = np.abs(free.mass(q)).max() * np.abs(moved).max()
    np.testing.assert_allclose(found, moved, rtol=0, atol=1e3 * ROUNDING * np.abs(moved).max())
    np.testing.assert_allclose(drive[::2], tau[::2], rtol=0, atol=1e3 * ROUNDING * scale)


def test_a_load_under_a_constant_law_is_the_load_times_the_constant(seed):
    bodies = random_bodies(seed)
    tree, _, turns, _ = build_tree(bodies, gravity=GRAVITY)
    q, v, a, _ = random_state(seed, bodies)
    pushes = random_pushes(seed, bodies)
    scaled = [push._replace(force=2.5 * push.force, moment=2.5 * push.moment) for push in pushes]
    by_law = Engine(tree, kernel_loads(pushes, turns, law=1), constant_laws(7.0, 2.5))
    np.testing.assert_allclose(
        by_law.inverse(q, v, a), spatial_engine(bodies, pushes=scaled).inverse(q, v, a), rtol=0, atol=1e-11
    )


@pytest.mark.parametrize("planar", [False, True])
def test_a_free_joint_with_nothing_behind_it_is_a_status_and_no_crash(planar):
    bodies = [Body(-1, "revolute", mass=1.0, centre=np.array([0.5, 0, 0])), Body(0, "revolute")]
    trees = build_tree(bodies, gravity=np.zeros(3))
    zero, a = np.zeros(2), np.zeros(2)
    tree = trees[int(planar)]
    work = new_work(tree)
    assert aba(tree, Engine(tree).loads, no_laws(), 0.0, zero, zero, a, zero, np.zeros(2), work) == NOT_POSITIVE
    assert np.isnan(a[1])


@pytest.mark.parametrize("kind", ["revolute", "prismatic"])
def test_massless_bodies_between_heavy_ones_change_nothing(kind):
    axis = np.array([0.48, 0.6, 0.64])
    end = Body(0, kind, axis=axis, offset=np.array([0.3, 0.1, 0.0]), mass=1.3, inertia=np.diag([0.1, 0.2, 0.25]))
    base = Body(-1, "revolute", mass=0.7, centre=np.array([0.2, 0, 0]), inertia=np.diag([0.1, 0.1, 0.1]))
    between = Body(0, "fixed", offset=np.array([0.3, 0.1, 0.0]))
    short = spatial_engine([base, end])
    long = spatial_engine([base, between, Body(1, kind, axis=axis, mass=1.3, inertia=np.diag([0.1, 0.2, 0.25]))])
    state = np.random.default_rng(3).standard_normal((4, 2))
    np.testing.assert_allclose(long.forward(*state)[0], short.forward(*state)[0], rtol=1e-13)


@pytest.mark.parametrize("gap", [0.0, 1e-12, 1e-9, 1e-8, 3e-8, 1e-6, 1e-3, 0.5])
@pytest.mark.parametrize("end", [1.0, -1.0])
def test_every_axis_is_met_by_a_rotation_exact_to_rounding(gap, end):
    axis = np.array([0.6 * np.sin(gap), 0.8 * np.sin(gap), end * np.cos(gap)])
    axis /= np.linalg.norm(axis)
    R = rotation_to(axis)
    np.testing.assert_allclose(R[:, 2], axis, rtol=0, atol=1e-15)
    np.testing.assert_allclose(R.T @ R, np.eye(3), rtol=0, atol=1e-15)
    assert np.linalg.det(R) == pytest.approx(1.0, abs=1e-15)
