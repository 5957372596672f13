"""What is seen of trees with flexible bodies: points on rigid bodies and on the axes of beams, forces and energies."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from flexarm.core.sweeps.dynamics import kernel_of, new_work
from flexarm.core.tree.build import Body, build_tree
from flexarm.core.tree.elastic import Attachment
from flexarm.core.tree.types import Laws
from tests.oracles import flexible

from .flexible_trees import (
    X,
    flexible_engine,
    gravity_of,
    random_elastic,
    random_flexible_state,
    random_flexible_tree,
    random_shapes,
    random_wrenches,
)
from .trees import Engine, constant_laws

EITHER = pytest.mark.parametrize("planar", [False, True], ids=["spatial", "planar"])
# Products of some ten transforms: hundreds of roundings.
ROUNDING = 1e-13


class Point(NamedTuple):
    """A point in the frame of a body or in one on its axis, and the rotation from its own frame to that."""

    body: int
    attachment: Attachment | None
    offset: np.ndarray
    rotation: np.ndarray


class Seen(NamedTuple):
    """What the engine saw: (m, points, 3), orientation (m, points, 4), force (m, nq), energy (m, 3)."""

    position: np.ndarray
    velocity: np.ndarray
    acceleration: np.ndarray
    orientation: np.ndarray
    force: np.ndarray
    energy: np.ndarray


def random_points(seed: int, bodies: list[Body], planar: bool) -> list[Point]:
    """A point on every rigid body and at every clamp, and one at each place where something stands."""
    rng = np.random.default_rng(50_000 + seed)
    points = []
    places = [(i, None) for i in range(len(bodies))]
    places += [(body.parent, body.attachment) for body in bodies if body.attachment is not None]
    for body, at in places:
        offset = rng.standard_normal(3) * ([1, 1, 0] if planar else 1)
        turn = Rotation.from_rotvec(rng.standard_normal(3) * ([0, 0, 1] if planar else 1))
        points.append(Point(body, at, offset, turn.as_matrix()))
    return points


def observed(
    bodies: list[Body], planar: bool, points: list[Point], states: np.ndarray, engine: Engine, times: np.ndarray
) -> Seen:
    """What is seen at states (3, m, nq) of q, v, a; the engine's loads and laws act."""
    frames = [point.attachment for point in points if point.attachment is not None]
    # loads keep their frames where they are: those of the points come behind
    loaded = engine.loads.place[:, 3]
    built = build_tree(bodies, gravity=engine.tree.gravity, frames=frames)
    tree = built[int(planar)]
    shift = len(tree.attachment)
    tree = tree._replace(attachment=np.concatenate([tree.attachment, engine.tree.attachment]))
    place = engine.loads.place.copy()
    place[loaded >= 0, 3] += shift
    loads = engine.loads._replace(place=place)
    begins, where = iter(built.frames[int(planar)]), np.full(len(points), -1)
    rows = []
    for j, point in enumerate(points):
        if point.attachment is not None:
            where[j] = next(begins)
        angle = np.arctan2(point.rotation[1, 0], point.rotation[0, 0])
        turn = built.turns[point.body]
        in_space = [*(turn @ point.offset), *(turn @ point.rotation).ravel()]
        rows.append([*point.offset[:2], angle] if planar else in_space)
    m, nq = states.shape[1:]
    seen = Seen(*(np.zeros((m, len(points), k)) for k in (3, 3, 3, 4)), np.zeros((m, nq)), np.zeros((m, 3)))
    work = np.full_like(new_work(tree), np.nan)  # NaN: nothing may be read before it is written
    given = (tree, loads, engine.laws, times, *(np.ascontiguousarray(part) for part in states))
    asked = (np.array([point.body + 1 for point in points]), where, np.array(rows))
    kernel_of("observe", type(tree))(*given, *asked, *seen, work, True)
    return seen


def as_matrix(quaternion: np.ndarray) -> np.ndarray:
    """Rotation matrix of w, x, y, z."""
    return Rotation.from_quat(quaternion, scalar_first=True).as_matrix()


def close(found: np.ndarray, expected: np.ndarray, relative: float = ROUNDING) -> None:
    """Compares to a part of the largest entry, but no less than of one."""
    np.testing.assert_allclose(found, expected, rtol=0, atol=relative * max(1.0, np.abs(expected).max()))


@EITHER
@pytest.mark.parametrize("seed", range(6))
def test_points_move_as_the_frames_they_stand_in(seed, planar):
    bodies = random_flexible_tree(seed, planar)
    points = random_points(seed, bodies, planar)
    states = np.array([random_flexible_state(seed + 100 * k, bodies)[:3] for k in range(2)]).transpose(1, 0, 2)
    seen = observed(bodies, planar, points, states, flexible_engine(bodies, planar), np.zeros(2))
    for k, (q, v, a) in enumerate(states.transpose(1, 0, 2)):
        for j, point in enumerate(points):
            expected = flexible.point(bodies, q, v, a, point.body, point.attachment, point.offset)
            close(seen.position[k, j], expected.position)
            close(seen.velocity[k, j], expected.velocity)
            close(seen.acceleration[k, j], expected.acceleration)
            close(as_matrix(seen.orientation[k, j]), expected.rotation @ point.rotation)


@EITHER
@pytest.mark.parametrize("seed", range(4))
def test_forces_and_energies_are_seen_as_they_are(seed, planar):
    bodies, gravity = random_flexible_tree(seed, planar), gravity_of(planar)
    loads = random_wrenches(seed, bodies, 8, planar)
    engine = flexible_engine(bodies, planar, loads, laws=constant_laws(1.0), law=0)
    q, v, a, _ = random_flexible_state(seed, bodies)
    points = random_points(seed, bodies, planar)
    seen = observed(bodies, planar, points, np.array([[q], [v], [a]]), engine, np.zeros(1))
    close(seen.force[0], flexible.forces(bodies, gravity, q, v, a, loads))
    close(seen.energy[0], flexible.energy(bodies, gravity, q, v), 1e-12)
    # loads move no point of a given state
    unloaded = observed(bodies, planar, points, np.array([[q], [v], [a]]), flexible_engine(bodies, planar), np.zeros(1))
    for one, two in zip(seen[:4], unloaded[:4], strict=True):
        np.testing.assert_array_equal(one, two)


@EITHER
def test_a_load_that_jumps_is_seen_from_the_left(planar):
    bodies = random_flexible_tree(1, planar)
    loads = random_wrenches(1, bodies, 4, planar)
    # one until t = 1, then three
    laws = Laws(np.array([0, 2]), np.array([[0.0, 0, 0, 0, 1], [1, 0, 0, 0, 3]]))
    engine = flexible_engine(bodies, planar, loads, laws=laws, law=0)
    times = np.array([0.0, 1.0, 1.5])
    q, v, a, _ = random_flexible_state(1, bodies)
    states = np.array([[part] * 3 for part in (q, v, a)])
    force = observed(bodies, planar, random_points(1, bodies, planar), states, engine, times).force
    np.testing.assert_array_equal(force[0], force[1])
    close(force[2] - force[1], -2 * flexible.load_force(bodies, q, loads), 1e-12)


@pytest.mark.parametrize("angle", [0.0, 1e-12, 1e-5, 0.1, 0.4999, 0.5001, 1.0, 2.0, 3.1])
@EITHER
def test_a_frame_on_a_beam_turns_through_any_angle(planar, angle):
    # a series below 0.5 rad, closed forms above: the same rotation, rates and accelerations
    rng = np.random.default_rng(8)
    shapes = random_shapes(rng, 3, planar)
    psi = rng.standard_normal((3, 3)) * ([[0], [0], [1]] if planar else 1)
    at = replace(shapes.attachment(shapes.length), psi=psi)
    outer = Body(1, "revolute", attachment=at, offset=0.3 * X, mass=0.5, centre=0.2 * X, inertia=0.02 * np.eye(3))
    bodies = [Body(-1, "revolute", rotor=0.2), Body(0, elastic=random_elastic(rng, shapes)), outer]
    q, v, a = rng.standard_normal((3, 5))
    q[1:4] *= angle / np.linalg.norm(psi @ q[1:4])
    engine = flexible_engine(bodies, planar)
    points = [Point(1, at, np.zeros(3), np.eye(3)), Point(2, None, 0.4 * X, np.eye(3))]
    seen = observed(bodies, planar, points, np.array([[q], [v], [a]]), engine, np.zeros(1))
    for j, point in enumerate(points):
        expected = flexible.point(bodies, q, v, a, point.body, point.attachment, point.offset)
        close(seen.position[0, j], expected.position)
        close(seen.velocity[0, j], expected.velocity)
        close(seen.acceleration[0, j], expected.acceleration, 1e-12)
        close(as_matrix(seen.orientation[0, j]), expected.rotation)
    close(seen.force[0], flexible.forces(bodies, gravity_of(planar), q, v, a), 1e-12)
    close(engine.mass(q), flexible.mass_matrix(bodies, q))
