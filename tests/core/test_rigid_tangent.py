"""Exact tangents of rigid bodies are the derivatives of what Lagrange's equations say."""

from __future__ import annotations

import numpy as np
import pytest

from flexarm.core.sweeps.rigid_tangent import rigid_tangent
from flexarm.core.tree.build import build_tree
from tests.oracles import lagrange

from .trees import GRAVITY, as_oracle, random_bodies, random_state

# Five points this far apart (rad, m): what they leave is h⁴/30 and eps/h, both below 1e-12 of the forces.
STEP = 1e-3
CLOSE = 1e-10


@pytest.mark.parametrize("seed", range(8))
def test_tangents_are_derivatives_of_the_forces_of_lagrange_s_equations(seed):
    bodies = random_bodies(seed)
    tree, (q, v, a, _) = as_oracle(bodies), random_state(seed, bodies)

    def force(q: np.ndarray, v: np.ndarray) -> np.ndarray:
        return lagrange.mass_matrix(tree, q) @ a + lagrange.bias(tree, q, v, GRAVITY)

    by_q, by_v = np.zeros((2, q.size, q.size))
    for j, unit in enumerate(STEP * np.eye(q.size)):
        for k, weight in ((-2, 1 / 12), (-1, -2 / 3), (1, 2 / 3), (2, -1 / 12)):
            by_q[:, j] += weight / STEP * force(q + k * unit, v)
        # forces are quadratic in the rates
        by_v[:, j] = (force(q, v + unit / STEP) - force(q, v - unit / STEP)) / 2
    found = rigid_tangent(build_tree(bodies, gravity=GRAVITY).spatial, q, v, a)
    mass = lagrange.mass_matrix(tree, q) - np.diag([body.rotor for body in bodies if body.kind != "fixed"])
    for one, exact in zip(found, (by_q, by_v, mass), strict=True):
        np.testing.assert_allclose(one, exact, rtol=0, atol=CLOSE * (np.abs(exact).max() + 1.0))


def test_bodies_on_two_branches_do_not_feel_one_another():
    # among random trees some have branches: pairs of coordinates of which neither carries the other
    bodies = random_bodies(1)
    q, v, a, _ = random_state(1, bodies)
    tree = build_tree(bodies, gravity=GRAVITY).spatial
    coordinate = [c for c, body in zip(tree.topology[1:, 2], bodies, strict=True) if body.kind != "fixed"]
    moving = [i for i, body in enumerate(bodies) if body.kind != "fixed"]

    def carried_by(i: int) -> set[int]:
        return {i} | (carried_by(bodies[i].parent) if bodies[i].parent >= 0 else set())

    apart = [
        (j, k)
        for j in range(len(moving))
        for k in range(len(moving))
        if moving[j] not in carried_by(moving[k]) and moving[k] not in carried_by(moving[j])
    ]
    assert apart
    for part in rigid_tangent(tree, q, v, a):
        assert all(part[coordinate[j], coordinate[k]] == 0.0 for j, k in apart)
