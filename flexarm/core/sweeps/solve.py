"""Forward and hybrid dynamics (NOTATION 10–17, 34–36), O(n), for every kind of tree.

Three sweeps: outward frames and what each body is by itself, inward articulated inertia, outward accelerations. Along a
chain the parent of a body is the row just visited: what is handed on stays in registers, and memory is read only where
the tree branches. `steps` stands for the generated steps of a kind of tree, whose numbers and places it hides.
"""

from __future__ import annotations

from typing import Any

from flexarm.core.time.laws import law_value
from flexarm.core.tree.types import (
    OK,
    PRISMATIC,
    REVOLUTE,
    S_D,
    S_K,
    S_REST,
    S_ROTOR,
    T_BRANCH,
    T_COORD,
    T_DRIVEN,
    T_JOINT,
    T_PARENT,
    Floats,
    Laws,
    Loads,
    Tree,
)

steps: Any = None  # `emit.blocks` puts the steps of a kind of tree in the place of these names


def solve(
    tree: Tree,
    loads: Loads,
    laws: Laws,
    t: float,
    left: bool,
    q: Floats,
    v: Floats,
    a: Floats,
    tau: Floats,
    q_spring: Floats,
    v_damper: Floats,
    gh: float,
    bh2: float,
    drive: Floats,
    work: Floats,
) -> int:
    """Accelerations of the free coordinates into `a`, forces of the driven ones into `drive`; a Status.

    q, v: all coordinates (driven ones as commanded), a: driven ones on entry; springs act at q_spring, dampers at
    v_damper and gh, bh2 are γh and βh² of (16): q, v, 0, 0 give the plain forward dynamics.
    """
    work = steps.room(tree, work)
    outward(tree, q, v, tau, q_spring, v_damper, gh, bh2, work)
    loaded = steps.bears_loads() and loads.place.shape[0] > 0
    for i in range(1, tree.topology.shape[0]):
        if loaded or tree.topology[i, T_BRANCH] == 1:
            steps.clear(work, i)
    if steps.bears_loads() and loaded:
        apply_loads(loads, laws, t, left, work)
    status = inward(tree, loaded, a, tau, q_spring, v_damper, gh, bh2, work)
    accelerations(tree, q, v, a, drive, work)
    return status


def outward(
    tree: Tree,
    q: Floats,
    v: Floats,
    tau: Floats,
    q_spring: Floats,
    v_damper: Floats,
    gh: float,
    bh2: float,
    work: Floats,
) -> None:
    """Fill frames, own inertia and bias of every body, row by row: what follows the chain, then what does not."""
    topology = tree.topology
    n = topology.shape[0]
    at = steps.base()
    steps.keep(work, 0, at)
    if steps.far_nodes_add():
        steps.fill(tree, work, 0, q, v, tau, q_spring, v_damper, True)
    for m in range(steps.rows(n)):
        first, last = steps.first(m), steps.last(m, n)
        if steps.far_nodes_turn():
            small = True
            for i in range(first, last):
                steps.fill(tree, work, i, q, v, tau, q_spring, v_damper, small)
            steps.turns(tree, work, m, small)
        near = True
        for i in range(max(first, 1), last):
            if steps.far_nodes_add():
                steps.fill(tree, work, i, q, v, tau, q_spring, v_damper, near)
            up, c = topology[i, T_PARENT], topology[i, T_COORD]
            if up != i - 1:
                at = steps.recall(work, up)
                if steps.is_element(tree, up):
                    at = steps.far_frame(work, up, at)
            if steps.is_jointed(tree, i):
                at, off = steps.placed(tree, work, i, at)
                if steps.offsets_follow():
                    slip = steps.unslid()
                    if topology[i, T_JOINT] == PRISMATIC:
                        off, slip = steps.slid(work, i, c, q, v, at, off)
                    steps.swung(work, i, at, off, slip)
                if topology[i, T_JOINT] == REVOLUTE:
                    at = steps.turned(work, i, c, q, v, at)
                else:
                    steps.unturned(work, i)
            steps.keep(work, i, at)
            near = near and steps.is_near()
            if steps.is_element(tree, i):
                at = steps.far_frame(work, i, at)
        if not steps.follows_chain():
            steps.off_chain(tree, work, m, q, v, gh, bh2, near)


def apply_loads(loads: Loads, laws: Laws, t: float, left: bool, work: Floats) -> None:
    """Subtract the external loads from the bias of their bodies."""
    for j in range(loads.place.shape[0]):
        i = loads.place[j, 0]
        factor = 1.0
        if loads.place[j, 2] >= 0:
            factor = law_value(laws, loads.place[j, 2], t, left)[0]
        if loads.place[j, 1] == 1:
            steps.following_load(work, i, loads.wrench[j], factor)
        else:
            steps.steady_load(work, i, loads.wrench[j], factor)


def inward(
    tree: Tree,
    loaded: bool,
    a: Floats,
    tau: Floats,
    q_spring: Floats,
    v_damper: Floats,
    gh: float,
    bh2: float,
    work: Floats,
) -> int:
    """Status; fills what every coordinate keeps of its elimination."""
    topology, spring = tree.topology, tree.spring
    status = OK
    # inertia and bias of what stands on the frame of body i
    carried = steps.nothing()
    for i in range(topology.shape[0] - 1, 0, -1):
        c, kind, up = topology[i, T_COORD], topology[i, T_JOINT], topology[i, T_PARENT]
        if loaded or topology[i, T_BRANCH] == 1:
            carried = steps.gathered(work, i, carried)
        if steps.is_element(tree, i):
            carried, status = steps.element(tree, work, i, status, carried)
        elif steps.is_heavy(tree, i):
            carried = steps.body(tree, work, i, carried)
        if steps.is_jointed(tree, i):
            free = kind != 0 and topology[i, T_DRIVEN] == 0
            if free:
                # (16): I_r + E, and (11) but for the bias
                extra = spring[c, S_ROTOR] + gh * spring[c, S_D] + bh2 * spring[c, S_K]
                push = tau[c] - spring[c, S_K] * (q_spring[c] - spring[c, S_REST]) - spring[c, S_D] * v_damper[c]
            if steps.is_fused() and free and kind == REVOLUTE:
                carried, status = steps.fused_turn(work, i, extra, push, status, carried)
            else:
                carried = steps.biased(work, i, carried)
                if kind != 0:
                    if kind == REVOLUTE:
                        column = steps.column_of_turn(work, i, carried)
                    else:
                        column = steps.column_of_slide(work, i, carried)
                    if free:
                        carried, status = steps.freed(work, i, extra, push, status, column, carried)
                    else:
                        carried = steps.driven(work, i, a[c], column, carried)
                if steps.stands_off(work, i):
                    carried = steps.shifted(work, i, carried)
        if up != i - 1:
            if up > 0:
                steps.gather(work, up, carried)
            carried = steps.nothing()
    return status


def accelerations(tree: Tree, q: Floats, v: Floats, a: Floats, drive: Floats, work: Floats) -> None:
    """Fill the accelerations of the free coordinates (14, 36) and the forces of the driven joints (15)."""
    topology, spring = tree.topology, tree.spring
    A = steps.falling(tree)
    steps.keep_acceleration(work, 0, A)
    for i in range(1, topology.shape[0]):
        c, kind, up = topology[i, T_COORD], topology[i, T_JOINT], topology[i, T_PARENT]
        if up != i - 1:
            A = steps.recall_acceleration(work, up)
        if steps.is_jointed(tree, i):
            if kind != 0:
                if topology[i, T_DRIVEN] == 1:
                    acc = a[c]
                    force = steps.drive_force(work, i, acc, spring[c, S_ROTOR], A)
                    # (9)
                    drive[c] = force + spring[c, S_K] * (q[c] - spring[c, S_REST]) + spring[c, S_D] * v[c]
                else:
                    acc = steps.free_acceleration(work, i, A)
                    a[c] = acc
            A = steps.carried_out(work, i, A)
            if kind == REVOLUTE:
                A = steps.turn_moved(work, i, acc, A)
            elif kind == PRISMATIC:
                A = steps.slide_moved(work, i, acc, A)
        if steps.is_element(tree, i):
            A, eta = steps.element_out(work, i, A)
            steps.stored(tree, i, c, a, eta)
        if topology[i, T_BRANCH] == 1:
            steps.keep_acceleration(work, i, A)


PARTS = (outward, apply_loads, inward, accelerations)
