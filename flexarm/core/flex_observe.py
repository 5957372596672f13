"""What is seen of a run with flexible bodies in space: points, joint forces and energies at the sampled states."""

from __future__ import annotations

from ._jit import inner, jit
from .flex_columns import HEAD, TC, TR, TW, A, O, R, T, V, W
from .flex_outward import frame, turned
from .flex_rnea import flex_energy, flex_rnea
from .observe import quaternion
from .types import T_COORD, T_COUNT, Floats, Ints, Laws, Loads, SpatialFlexTree


@inner
def _read(
    tree: SpatialFlexTree, i: int, begin: int, q: Floats, v: Floats, a: Floats, work: Floats, acc: Floats
) -> None:
    """Fill the spare row with position, velocity, ω (TW), orientation (TR) and acceleration A of a frame on body i.

    acc: (6,) the acceleration of body i, which the energy has overwritten in its row.
    """
    spare = tree.topology.shape[0]
    row = work[spare]
    base = work[i]
    for r in range(6):
        row[A + r] = acc[r]
    for r in range(3):
        row[V + r] = base[V + r]
        row[O + r] = base[O + r]
    if begin < 0:
        for r in range(9):
            row[TR + r] = base[R + r]
        for r in range(3):
            row[TW + r] = base[W + r]
        return
    frame(tree, i, begin, q, v, work, spare)
    _lever(row, V, base[W], base[W + 1], base[W + 2], row[T], row[T + 1], row[T + 2])
    _lever(row, A + 3, acc[0], acc[1], acc[2], row[T], row[T + 1], row[T + 2])
    c = tree.topology[i, T_COORD]
    for r in range(3):
        row[O + r] += row[T + r]
    for r in range(6):
        row[A + r] += row[TC + r]
    for k in range(tree.topology[i, T_COUNT]):
        for r in range(6):
            row[A + r] += row[HEAD + 6 * k + r] * a[c + k]
        for r in range(3):
            row[V + r] += row[HEAD + 6 * k + 3 + r] * v[c + k]


@inner
def _lever(row: Floats, at: int, w0: float, w1: float, w2: float, d0: float, d1: float, d2: float) -> None:
    """Add w × d to the three numbers at `at`."""
    row[at] += w1 * d2 - w2 * d1
    row[at + 1] += w2 * d0 - w0 * d2
    row[at + 2] += w0 * d1 - w1 * d0


@jit
def flex_observe(
    tree: SpatialFlexTree,
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
    scratch: Floats,
    kept: Floats,
    work: Floats,
    full: bool,
) -> None:
    """Fill the arrays of `observe`; point_place stands in the frame that begins at point_frame on a flexible body (−1:
    the body's own). scratch: (9,), kept: (bodies, 6).
    """
    g = tree.gravity
    spare = tree.topology.shape[0]
    for k in range(times.shape[0]):
        if full:
            flex_rnea(tree, loads, laws, times[k], times[k] > 0.0, q[k], v[k], a[k], force[k], work)
            for i in range(spare):
                for r in range(6):
                    kept[i, r] = work[i, A + r]
        energy[k, 0], energy[k, 1], energy[k, 2] = flex_energy(tree, q[k], v[k], work)
        for j in range(point_body.shape[0]):
            i = point_body[j]
            _read(tree, i, point_frame[j], q[k], v[k], a[k], work, kept[i])
            row = work[spare]
            place = point_place[j]
            r0, r1, r2 = turned(row, TR, place[0], place[1], place[2])
            w0 = row[TW]
            w1 = row[TW + 1]
            w2 = row[TW + 2]
            e0 = w1 * r2 - w2 * r1
            e1 = w2 * r0 - w0 * r2
            e2 = w0 * r1 - w1 * r0
            position[k, j, 0] = row[O] + r0
            position[k, j, 1] = row[O + 1] + r1
            position[k, j, 2] = row[O + 2] + r2
            velocity[k, j, 0] = row[V] + e0
            velocity[k, j, 1] = row[V + 1] + e1
            velocity[k, j, 2] = row[V + 2] + e2
            if full:
                # the base accelerates with −g inside the recursion: take it out again
                acceleration[k, j, 0] = row[A + 3] + g[0] + row[A + 1] * r2 - row[A + 2] * r1 + w1 * e2 - w2 * e1
                acceleration[k, j, 1] = row[A + 4] + g[1] + row[A + 2] * r0 - row[A] * r2 + w2 * e0 - w0 * e2
                acceleration[k, j, 2] = row[A + 5] + g[2] + row[A] * r1 - row[A + 1] * r0 + w0 * e1 - w1 * e0
            for x in range(3):
                for y in range(3):
                    scratch[3 * x + y] = (
                        row[TR + 3 * x] * place[3 + y]
                        + row[TR + 3 * x + 1] * place[6 + y]
                        + row[TR + 3 * x + 2] * place[9 + y]
                    )
            quaternion(scratch, orientation[k, j])
