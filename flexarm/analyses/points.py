"""Points of an arm in given states: positions and what they do when coordinates change."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from flexarm.assembly import CompiledArm
from flexarm.core.sweeps.dynamics import kernel_of, new_work
from flexarm.core.tree.types import Floats, PlanarFlexTree, PlanarTree


class Seen(NamedTuple):
    """Observations of the arm at m states; SI, base frame."""

    position: Floats  # (m, points, 3)
    velocity: Floats
    acceleration: Floats
    orientation: Floats  # (m, points, 4)
    force: Floats  # (m, nq) generalised forces by inverse dynamics
    energy: Floats  # (m, 3) kinetic, elastic, gravity


def see(compiled: CompiledArm, times: Floats, q: Floats, v: Floats, a: Floats, *, full: bool = True) -> Seen:
    """Points, forces and energies at the given times and states (m, nq); unless `full` positions, velocities and
    orientations alone, for half the time: accelerations and forces are left zero, and there are no energies.
    """
    m, points, nq = len(times), len(compiled.point_names), q.shape[1]
    seen = Seen(
        np.zeros((m, points, 3)),
        np.zeros((m, points, 3)),
        np.zeros((m, points, 3)),
        np.zeros((m, points, 4)),
        np.zeros((m, nq)),
        np.zeros((m if full else 0, 3)),
    )
    tree = compiled.tree
    place = compiled.point_in_plane if isinstance(tree, PlanarTree | PlanarFlexTree) else compiled.point_place
    where = (compiled.point_body, compiled.point_frame, place)
    given = (tree, compiled.loads, compiled.laws, np.ascontiguousarray(times), q, v, a, *where)
    kernel_of("observe", type(tree))(*given, *seen, new_work(tree), full)
    return seen


def positions(compiled: CompiledArm, q: Floats) -> Floats:
    """Positions (m, points, 3) of the arm's points at the coordinates (m, nq)."""
    zero = np.zeros_like(q)
    return see(compiled, np.zeros(len(q)), q, zero, zero, full=False).position


def point_rates(compiled: CompiledArm, q: Floats) -> Floats:
    """Jacobian (points, 3, nq): velocity of every point per unit rate of every coordinate."""
    nq = len(q)
    states = np.repeat(q[None, :], nq, axis=0)
    seen = see(compiled, np.zeros(nq), states, np.eye(nq), np.zeros((nq, nq)), full=False)
    return np.moveaxis(seen.velocity, 0, -1)


def undeformed(compiled: CompiledArm, q: Floats) -> Floats:
    """The coordinates (…, nq) with every elastic one zero: the rigid arm in the same posture."""
    rigid = q.copy()
    rigid[..., compiled.elastic_coordinates] = 0.0
    return rigid
