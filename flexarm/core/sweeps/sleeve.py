"""A beam in a sleeve as a flexible body of a tree: what differs from other flexible bodies (NOTATION S6–S11).

Its coordinates are z = (d, η), the length outside first; `beam` knows it in its own axes.
"""

from __future__ import annotations

from flexarm.core.tree.sleeve import H_RETARDATION
from flexarm.core.tree.types import S_D, S_K, S_REST, S_ROTOR, T_COORD, T_COUNT, T_DATA, Floats

from .beam import SUMS, H, own_sleeve
from .kinds import AnyTree, step
from .space import (
    MOTION,
    along_axis,
    ang,
    ang_from_space,
    at,
    cross,
    in_space,
    lists,
    motion,
    own_of,
    rotary,
    spin_from_space,
    spun,
    spun_back,
    turn,
    turned,
    vec_from_space,
)
from .tuples import add_to, dot, plus, put, times


@step
def own_beam(tree: AnyTree, i: int, q: Floats, v: Floats, R, w, row: Floats):  # type: ignore[no-untyped-def]
    """Inertia and bias force of the beam i; fills what concerns its coordinates, and its stiffness."""
    most = tree.topology[0, T_COUNT]
    n = tree.topology[i, T_COUNT]
    c = tree.topology[i, T_COORD]
    to_v, _, to_f, to_m, end = lists(most)
    extra = row[end:]
    inertia = row[to_m : to_m + n * n]
    force = row[to_f : to_f + n]
    data = tree.elastic[tree.topology[i, T_DATA] :]
    rotor = tree.spring[c, S_ROTOR]
    spin, mc, b_w, b_v = own_sleeve(data, c, q, v, in_space(spun_back(R, w)), rotor, inertia, force, extra, most)
    own = extra[SUMS + 3 * most : SUMS + 9 * most]
    for k in range(n):
        moment = ang_from_space((own[6 * k], own[6 * k + 1], own[6 * k + 2]))
        push = vec_from_space((own[6 * k + 3], own[6 * k + 4], own[6 * k + 5]))
        put(row, to_v + MOTION * k, spun(R, moment) + turned(R, push))
    s = turned(R, vec_from_space(mc))
    I = rotary(R, spin_from_space(spin)) + s + (own_of(tree, i)[2],)
    put(row, at.I, I)
    put(row, at.G, s)
    return I, spun(R, ang_from_space(b_w)) + turned(R, vec_from_space(b_v))


def shorten_tip(tree: AnyTree, up: int, base: Floats, row: Floats) -> None:
    """Add the foreshortening to the frame at the tip of the beam `up` (S10)."""
    most = tree.topology[0, T_COUNT]
    extra = base[lists(most)[4] :]
    R, w = turn(base, at.R), ang(base, at.W)
    r = turned(R, along_axis(-0.5 * extra[H]))
    rate = turned(R, along_axis(-0.5 * extra[H + 1]))
    gain = turned(R, along_axis(-0.5 * extra[H + 2]))
    # ω×(ω×r + 2ṙ) + r̈ along the axis
    add_to(row, at.T, r)
    add_to(row, at.TC + len(w), plus(gain, cross(w, plus(cross(w, r), times(2.0, rate)))))
    for k in range(tree.topology[up, T_COUNT]):
        drawn = turned(R, along_axis(-0.5 * extra[SUMS + 2 * most + k]))
        add_to(row, at.HEAD + MOTION * k + len(w), drawn)


def beam_stiffness(tree: AnyTree, i: int, row: Floats, k: int, j: int) -> tuple[float, float]:
    """K and D of the coordinates k and j of the beam i: none of its length (S9)."""
    if k == 0 or j == 0:
        return 0.0, 0.0
    most = tree.topology[0, T_COUNT]
    n = tree.topology[i, T_COUNT] - 1
    K = row[lists(most)[4] + SUMS + 17 * most + (k - 1) * n + j - 1]
    return K, tree.elastic[tree.topology[i, T_DATA] + H_RETARDATION] * K


def joint_force(tree: AnyTree, i: int, q: Floats, v: Floats) -> float:
    """Force of the spring and the damper of the joint on the length of the beam i (N); its rotor is in the inertia."""
    c = tree.topology[i, T_COORD]
    return tree.spring[c, S_K] * (q[c] - tree.spring[c, S_REST]) + tree.spring[c, S_D] * v[c]


def drive_force(tree: AnyTree, i: int, q: Floats, v: Floats, a: Floats, row: Floats) -> float:
    """Force that a driven length takes (N): its row was not eliminated (S11)."""
    c = tree.topology[i, T_COORD]
    to_v, _, to_f, to_m, _ = lists(tree.topology[0, T_COUNT])
    push = row[to_f] + dot(motion(row, to_v), motion(row, at.A))
    for k in range(tree.topology[i, T_COUNT]):
        push += row[to_m + k] * a[c + k]
    return push + joint_force(tree, i, q, v)
