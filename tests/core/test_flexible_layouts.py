"""Other layouts of the same flexible tree: on a clamp, beside another arm, in other coordinates, without shapes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from flexarm.core.tree.build import Body, build_tree
from flexarm.core.tree.elastic import reduced_attachment
from flexarm.core.tree.types import S_LEVER
from tests.oracles import flexible

from .flexible_trees import (
    Z,
    flexible_engine,
    gravity_of,
    random_flexible_state,
    random_flexible_tree,
    swinging_beams,
)

EITHER = pytest.mark.parametrize("planar", [False, True], ids=["spatial", "planar"])
# sums of some hundred rounded terms in another order
ROUNDING = 1e-12


def close(found: np.ndarray, expected: np.ndarray, relative: float = ROUNDING) -> None:
    """Compares to a part of the largest entry."""
    np.testing.assert_allclose(found, expected, rtol=0, atol=relative * np.abs(expected).max())


@EITHER
@pytest.mark.parametrize("seed", range(6))
def test_a_body_may_stand_at_the_clamp_of_a_beam(seed, planar):
    bodies = random_flexible_tree(seed, planar)
    bodies = [replace(body, attachment=None) if i % 2 else body for i, body in enumerate(bodies)]
    assert any(body.attachment is None and bodies[body.parent].elastic for body in bodies[1:])
    engine, gravity = flexible_engine(bodies, planar), gravity_of(planar)
    q, v, a, tau = random_flexible_state(seed, bodies)
    close(engine.inverse(q, v, a), flexible.forces(bodies, gravity, q, v, a))
    close(engine.mass(q), flexible.mass_matrix(bodies, q))
    close(engine.energy(q, v), np.array(flexible.energy(bodies, gravity, q, v)))
    close(engine.forward(q, v, a, tau)[0], flexible.accelerations(bodies, gravity, q, v, tau)[0], 1e-10)


@EITHER
@pytest.mark.parametrize("seed", range(3))
def test_two_arms_on_one_base_do_not_feel_each_other(seed, planar):
    arms = [random_flexible_tree(seed, planar), random_flexible_tree(seed + 1, planar)]
    count = len(arms[0])
    beside = [replace(body, parent=body.parent + count if body.parent >= 0 else -1) for body in arms[1]]
    states = [random_flexible_state(seed, arm) for arm in arms]
    both, (q, v, a, tau) = flexible_engine(arms[0] + beside, planar), np.concatenate(states, axis=1)
    alone = [flexible_engine(arm, planar) for arm in arms]
    close(both.inverse(q, v, a), np.concatenate([e.inverse(*s[:3]) for e, s in zip(alone, states, strict=True)]))
    close(both.forward(q, v, a, tau)[0], np.concatenate([e.forward(*s)[0] for e, s in zip(alone, states, strict=True)]))
    close(both.energy(q, v), sum(e.energy(*s[:2]) for e, s in zip(alone, states, strict=True)))
    M, n = both.mass(q), alone[0].nq
    np.testing.assert_array_equal(M[:n, n:], 0.0)
    close(M[:n, :n], alone[0].mass(states[0][0]))
    close(M[n:, n:], alone[1].mass(states[1][0]))


@EITHER
def test_a_beam_in_other_coordinates_is_the_same_beam(planar):
    bodies = swinging_beams(planar, damping=1.0)
    rng = np.random.default_rng(4)
    turned, T = list(bodies), np.eye(flexible.freedoms(bodies))
    for i, place in enumerate(flexible.columns(bodies)):
        beam = bodies[i].elastic
        if beam is None:
            continue
        T[place, place] = basis = rng.standard_normal((beam.count, beam.count))
        turned[i] = replace(turned[i], elastic=beam.reduced(basis))
        child = turned[i + 1]
        assert child.attachment is not None
        turned[i + 1] = replace(child, attachment=reduced_attachment(child.attachment, basis))
    p, rate, acceleration, _ = random_flexible_state(2, bodies)
    one, two = flexible_engine(turned, planar), flexible_engine(bodies, planar)
    close(one.inverse(p, rate, acceleration), T.T @ two.inverse(T @ p, T @ rate, T @ acceleration))
    close(one.mass(p), T.T @ two.mass(T @ p) @ T)
    close(one.energy(p, rate), two.energy(T @ p, T @ rate))


@EITHER
def test_a_beam_reduced_to_fewer_shapes_moves_as_if_the_others_were_held(planar):
    bodies = swinging_beams(planar, damping=1.0)[:3]
    beam, elbow = bodies[1].elastic, bodies[2]
    assert beam is not None and elbow.attachment is not None
    basis = np.random.default_rng(6).standard_normal((beam.count, beam.count - 1))
    fewer = [bodies[0], replace(bodies[1], elastic=beam.reduced(basis))]
    fewer.append(replace(elbow, attachment=reduced_attachment(elbow.attachment, basis)))
    T = np.zeros((flexible.freedoms(bodies), flexible.freedoms(fewer)))
    T[0, 0] = T[-1, -1] = 1.0
    T[1:-1, 1:-1] = basis
    p, rate, acceleration, _ = random_flexible_state(3, fewer)
    one, two = flexible_engine(fewer, planar), flexible_engine(bodies, planar)
    close(one.inverse(p, rate, acceleration), T.T @ two.inverse(T @ p, T @ rate, T @ acceleration))


@EITHER
def test_a_beam_without_shapes_is_a_rigid_body(planar):
    bodies = swinging_beams(planar)
    beam, elbow = bodies[1].elastic, bodies[2]
    assert beam is not None and elbow.attachment is not None
    none = np.zeros((beam.count, 0))
    stiff = [bodies[0], Body(0, elastic=beam.reduced(none)), *bodies[2:]]
    stiff[2] = replace(elbow, attachment=reduced_attachment(elbow.attachment, none))
    q, v, a, tau = random_flexible_state(5, stiff)
    engine, gravity = flexible_engine(stiff, planar), gravity_of(planar)
    close(engine.inverse(q, v, a), flexible.forces(stiff, gravity, q, v, a))
    close(engine.mass(q), flexible.mass_matrix(stiff, q))
    close(engine.forward(q, v, a, tau)[0], flexible.accelerations(stiff, gravity, q, v, tau)[0], 1e-10)


@EITHER
@pytest.mark.parametrize("seed", range(4))
def test_levers_bound_what_a_coordinate_moves(seed, planar):
    # joints that turn only: how far a slide stands out is not the lever's affair
    bodies = [
        replace(body, kind="revolute", axis=Z if planar else body.axis) if body.kind == "prismatic" else body
        for body in random_flexible_tree(seed, planar)
    ]
    ends = [np.array([body.elastic.x.max(), 0, 0]) if body.elastic else body.centre for body in bodies]
    extents = [float(np.linalg.norm(end)) for end in ends]
    lever = build_tree(bodies, gravity=gravity_of(planar), extents=extents)[int(planar)].spring[:, S_LEVER]
    # straight beams: levers are those of small bends
    q = random_flexible_state(seed, bodies, bend=0.0)[0]
    for i, end in enumerate(ends):
        # the work of unit forces on unit rates is the velocity of the point
        pushes = [flexible.Wrench(body=i, offset=end, force=axis) for axis in np.eye(3)]
        moved = np.array([flexible.load_force(bodies, q, [push]) for push in pushes])
        assert np.all(np.linalg.norm(moved, axis=0) <= lever * (1 + 1e-12))
