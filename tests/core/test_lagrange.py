"""The recursions against Lagrange's equations taken literally: absolute kinematics and complex-step derivatives."""

from __future__ import annotations

import numpy as np
import pytest

from tests.oracles import lagrange

from .trees import (
    FLAT_GRAVITY,
    GRAVITY,
    Push,
    as_oracle,
    planar_engine,
    random_bodies,
    random_pushes,
    random_state,
    spatial_engine,
)

SEEDS = range(12)
# Oracle and engine round in different orders; 1e-12 of the largest entry is ten times what is seen.
ROUNDING = 1e-12
PLACES = pytest.mark.parametrize(
    ("planar", "engine", "gravity"),
    [(False, spatial_engine, GRAVITY), (True, planar_engine, FLAT_GRAVITY)],
    ids=["spatial", "planar"],
)


def close(found: np.ndarray, expected: np.ndarray, factor: float = 1.0) -> None:
    np.testing.assert_allclose(found, expected, rtol=0, atol=factor * ROUNDING * np.abs(expected).max())


def generalised(tree: list[lagrange.Body], pushes: list[Push], q: np.ndarray) -> np.ndarray:
    """Forces of the loads on the coordinates, by the power they have on unit rates."""
    R, _ = lagrange.poses(tree, q)
    forces = np.zeros(len(q))
    for j, unit in enumerate(np.eye(len(q))):
        spin, speed = lagrange.velocities(tree, q, unit)
        for push in pushes:
            turn = R[push.body]
            axes = turn if push.follows else np.eye(3)
            at = speed[push.body] + np.cross(spin[push.body], turn @ push.point)
            forces[j] += (axes @ push.force) @ at + (axes @ push.moment) @ spin[push.body]
    return forces


@PLACES
@pytest.mark.parametrize("seed", SEEDS)
def test_mass_matrix_bias_and_energy_are_those_of_lagrange(planar, engine, gravity, seed):
    bodies = random_bodies(seed, planar=planar)
    tree, here = as_oracle(bodies), engine(bodies)
    q, v, a, _ = random_state(seed, bodies)
    M = lagrange.mass_matrix(tree, q)
    force = M @ a + lagrange.bias(tree, q, v, gravity) - lagrange.spring_force(tree, q, v)
    stored = lagrange.energy(tree, q, v, gravity)
    close(here.mass(q), M)
    close(here.inverse(q, v, a), force)
    close(here.energy(q, v), np.array([stored.kinetic, stored.elastic, stored.gravity]))


@PLACES
@pytest.mark.parametrize("seed", SEEDS)
def test_hybrid_dynamics_is_that_of_lagrange(planar, engine, gravity, seed):
    bodies = random_bodies(seed, planar=planar, driven=0.4)
    here = engine(bodies)
    q, v, a, tau = random_state(seed, bodies)
    driven = here.tree.spring[:, 5] == 1.0
    expected, force = lagrange.hybrid(
        as_oracle(bodies), q, v, prescribed=driven, acceleration=a, force=tau, gravity=gravity
    )
    found, drive = here.forward(q, v, a, tau)
    # solving loses up to the three digits of the mass matrix's condition
    close(found, expected, 1e2)
    np.testing.assert_allclose(drive[driven], force[driven], rtol=0, atol=1e2 * ROUNDING * np.abs(force).max())


@PLACES
@pytest.mark.parametrize("seed", SEEDS)
def test_loads_act_by_the_power_they_have(planar, engine, gravity, seed):
    bodies = random_bodies(seed, planar=planar)
    pushes = random_pushes(seed, bodies, planar=planar)
    q, v, a, _ = random_state(seed, bodies)
    free, pushed = engine(bodies).inverse(q, v, a), engine(bodies, pushes=pushes).inverse(q, v, a)
    expected = generalised(as_oracle(bodies), pushes, q)
    np.testing.assert_allclose(free - pushed, expected, rtol=0, atol=ROUNDING * np.abs(free).max())
