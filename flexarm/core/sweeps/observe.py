"""What is observed of a run: points, joint forces and energies at the sampled states."""

from __future__ import annotations

from flexarm.core.tree.types import T_COORD, T_COUNT, Floats, Ints, Laws, Loads

from .energy import body_energy
from .kinds import FLEXIBLE, AnyTree, sweep
from .outward import frame, move, outward, through_frame
from .rnea import rnea
from .space import angular, at, carried, cross, linear, motion, put_orientation, turn, turned, vec
from .tuples import plus, put


@sweep
def observe(
    tree: AnyTree,
    loads: Loads,
    laws: Laws,
    times: Floats,
    q: Floats,
    v: Floats,
    a: Floats,
    point_body: Ints,
    point_frame: Ints,
    point_place: Floats,
    position: Floats,
    velocity: Floats,
    acceleration: Floats,
    orientation: Floats,
    force: Floats,
    energy: Floats,
    work: Floats,
    full: bool,
) -> None:
    """Fill positions, velocities, accelerations (m, points, 3), quaternions (m, points, 4), generalised forces (m,
    nq), energies (m, 3).

    point_frame: where the point's frame begins on a flexible body (−1: the body's own); point_place: offset in that
    frame, then in space the rotation (9,) from the point's axes to the frame's, in the plane the angle. Unless `full`,
    accelerations and forces are left as they are; energies are filled as far as there is room for them.
    """
    g = vec(tree.gravity, 0)
    for k in range(times.shape[0]):
        if full:
            rnea(tree, loads, laws, times[k], times[k] > 0.0, q[k], v[k], a[k], force[k], work)
        else:
            outward(tree, q[k], v[k], work)
        move(tree, v[k], work)
        if k < energy.shape[0]:
            energy[k, 0], energy[k, 1], energy[k, 2] = body_energy(tree, q[k], v[k], work)
        for j in range(point_body.shape[0]):
            i = point_body[j]
            row = work[i]
            R, p, V, A = turn(row, at.R), vec(row, at.O), motion(row, at.V), motion(row, at.A)
            if FLEXIBLE and point_frame[j] >= 0:
                n, c = tree.topology[i, T_COUNT], tree.topology[i, T_COORD]
                spare = work[tree.topology.shape[0]]
                frame(tree, i, point_frame[j], q[k], v[k], work, spare)
                R, p = turn(spare, at.TR), plus(p, vec(spare, at.T))
                V = through_frame(V, n, c, v[k], spare)
                A = plus(through_frame(A, n, c, a[k], spare), motion(spare, at.TC))
            place = point_place[j]
            r, w = turned(R, vec(place, 0)), angular(V)
            put(position[k, j], 0, plus(p, r))
            put(velocity[k, j], 0, linear(carried(V, r)))
            if full:
                # the base accelerates with −g inside the recursion: take it out again
                put(acceleration[k, j], 0, plus(plus(linear(carried(A, r)), g), cross(w, cross(w, r))))
            put_orientation(orientation[k, j], R, place)
