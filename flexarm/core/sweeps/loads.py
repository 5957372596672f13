"""External loads: as bias forces of the bodies, and their power (NOTATION §3)."""

from __future__ import annotations

from flexarm.core.time.laws import law_value
from flexarm.core.tree.types import T_COORD, T_COUNT, Floats, Laws, Loads

from .kinds import FLEXIBLE, AnyTree
from .outward import frame, move, outward, through_frame
from .space import MOTION, at, handed, lists, moment, motion, spun, turn, turned, vec, wrench_of
from .tuples import add_to, dot, plus, times


def load(tree: AnyTree, loads: Loads, laws: Laws, j: int, t: float, left: bool, q: Floats, v: Floats, work: Floats):  # type: ignore[no-untyped-def]
    """Force (n; f) of load j about the frame that carries it, which on a flexible body stands in the spare row."""
    i = loads.place[j, 0]
    factor = 1.0
    if loads.place[j, 2] >= 0:
        factor = law_value(laws, loads.place[j, 2], t, left)[0]
    R = turn(work[i], at.R)
    if FLEXIBLE and loads.place[j, 3] >= 0:
        spare = work[tree.topology.shape[0]]
        frame(tree, i, loads.place[j, 3], q, v, work, spare)
        R = turn(spare, at.TR)
    r, f, n = wrench_of(loads.wrench[j])
    if loads.place[j, 1] == 1:
        f, n = turned(R, f), spun(R, n)
    return times(factor, plus(n, moment(turned(R, r), f)) + f)


def apply_loads(
    tree: AnyTree, loads: Loads, laws: Laws, t: float, left: bool, q: Floats, v: Floats, work: Floats
) -> None:
    """Subtract the external loads from the bias of their bodies, and of the coordinates of flexible ones."""
    for j in range(loads.place.shape[0]):
        i = loads.place[j, 0]
        F = load(tree, loads, laws, j, t, left, q, v, work)
        if FLEXIBLE and loads.place[j, 3] >= 0:
            spare = work[tree.topology.shape[0]]
            to_f = lists(tree.topology[0, T_COUNT])[2]
            for k in range(tree.topology[i, T_COUNT]):
                work[i, to_f + k] -= dot(motion(spare, at.HEAD + MOTION * k), F)
            F = handed(F, vec(spare, at.T))
        add_to(work[i], at.P, times(-1.0, F))


def load_power(
    tree: AnyTree, loads: Loads, laws: Laws, t: float, left: bool, q: Floats, v: Floats, work: Floats
) -> float:
    """Power of the external loads (W)."""
    power = 0.0
    if loads.place.shape[0] == 0:
        return power
    outward(tree, q, v, work)
    move(tree, v, work)
    for j in range(loads.place.shape[0]):
        i = loads.place[j, 0]
        F = load(tree, loads, laws, j, t, left, q, v, work)
        V = motion(work[i], at.V)
        if FLEXIBLE and loads.place[j, 3] >= 0:
            spare = work[tree.topology.shape[0]]
            V = through_frame(V, tree.topology[i, T_COUNT], tree.topology[i, T_COORD], v, spare)
        power += dot(F, V)
    return power
