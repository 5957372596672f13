"""A tree with closures in the form of a tree: the time loop runs it like any other (NOTATION §22).

The sweep of the open tree is the inverse of the iteration matrix S = M + γhD + βh²K. Rigid closures add J S⁻¹ Jᵀ, one
sweep for each row, and springs between points the same with their compliance on the diagonal: both cost O(n) a row,
and stiff springs no shorter steps.
"""

from __future__ import annotations

import math

import numpy as np

from .._jit import choose, inner, jit
from ..tree.types import (
    HELD,
    K_ANY,
    K_COUNT,
    K_EARLIER,
    K_FORCES,
    K_STAGES,
    K_STEP,
    K_TIME,
    NOT_CLOSED,
    OK,
    Q_ACCELERATION,
    Q_COUNT,
    Q_EARLIER,
    Q_FLEX,
    Q_FORCE,
    Q_GAP,
    Q_PUSH,
    Q_RATE,
    Q_RIGHT,
    Q_SCALE,
    R_D,
    R_DIRECTION,
    R_K,
    R_KIND,
    S_DRIVEN,
    S_REST,
    V_COUNT,
    V_GUESS,
    V_STILL,
    V_TAU,
    ClosedTree,
    Closures,
    Floats,
    Laws,
    Loads,
    Tree,
)
from .dynamics import kernel_of, solver_of
from .pivots import factorise, substitute

# Parts of the arm's size: gaps that are rounding, and those that are none.
_CLOSED, _OPEN = 1e-12, 1e-9
# Responses are those of the step at hand: stages lie within half a step of the first, which is 2γh long.
_WITHIN = 3.0


def closed_tree(tree: Tree, closures: Closures, reach: float) -> ClosedTree:
    """The tree with its closures; within a step the drives of a run write into its springs, which must be its own."""
    rows, nq = len(closures.row), tree.spring.shape[0]
    motion = closures.row.shape[1] - R_DIRECTION
    turns = np.any(closures.row[:, R_DIRECTION : R_DIRECTION + (1 if motion == 3 else 3)] != 0.0, axis=1)
    return ClosedTree(
        tree,
        tree._replace(gravity=np.zeros(3)),
        tree.spring,
        Closures(closures.pair.copy(), closures.place.copy(), closures.row.copy()),
        np.where(turns, 1.0, reach),
        np.zeros((V_COUNT, nq)),
        np.zeros((3, rows, nq)),
        np.zeros((Q_COUNT, rows)),
        np.zeros((2, rows, rows)),
        np.zeros(rows + 1, np.int64),
        np.zeros(K_COUNT),
    )


def any_solve(tree, loads, laws, t, left, q, v, a, tau, q_spring, v_damper, gh, bh2, drive, work):  # type: ignore[no-untyped-def]
    """Hybrid dynamics; see `sweeps.solve`."""
    raise TypeError("any_solve is called by compiled code only")


def any_close(tree, closures, q, v, a, jacobian, seen, work):  # type: ignore[no-untyped-def]
    """Gaps and rows; see `sweeps.closing`."""
    raise TypeError("any_close is called by compiled code only")


def any_load_power(tree, loads, laws, t, left, q, v, work):  # type: ignore[no-untyped-def]
    """Power of the external loads (W); see `sweeps.loads`."""
    raise TypeError("any_load_power is called by compiled code only")


def any_elastic_form(tree, q, x, rate, stiff):  # type: ignore[no-untyped-def]
    """xᵀ (rate·D + stiff·K) x over the flexible bodies; see `sweeps.forms`."""
    raise TypeError("any_elastic_form is called by compiled code only")


choose(any_solve, solver_of)
choose(any_close, lambda tree: kernel_of("close", tree))
choose(any_load_power, lambda tree: kernel_of("load_power", tree))
choose(any_elastic_form, lambda tree: kernel_of("elastic_form", tree))


@inner
def _respond(  # type: ignore[no-untyped-def]
    tree: ClosedTree, loads: Loads, laws: Laws, t, left, q: Floats, gh, bh2, work: Floats
) -> int:
    """Status; fills S⁻¹Jᵀ, what it takes of the driven coordinates, and A with its factors (Q4)."""
    rows, response, taken = tree.jacobian[0], tree.jacobian[1], tree.jacobian[2]
    spring, still = tree.spring, tree.vectors[V_STILL]
    rest = tree.vectors[V_TAU]
    m, nq = rows.shape
    none = Loads(loads.place[:0], loads.wrench[:0])
    for c in range(nq):
        still[c] = 0.0
        rest[c] = spring[c, S_REST]
    status = OK
    for r in range(m):
        for c in range(nq):
            response[r, c] = taken[r, c] = 0.0
        found = any_solve(
            tree.still, none, laws, t, left, q, still, response[r], rows[r], rest, still, gh, bh2, taken[r], work
        )
        if status == OK:
            status = found
        for s in range(m):
            x = 0.0
            for c in range(nq):
                if spring[c, S_DRIVEN] == 0.0:
                    x += rows[s, c] * response[r, c]
            tree.matrix[0, r, s] = x
        for c in range(nq):
            if spring[c, S_DRIVEN] == 1.0:
                response[r, c] = 0.0
            else:
                taken[r, c] = 0.0
    for r in range(m):
        for s in range(r):
            x = 0.5 * (tree.matrix[0, r, s] + tree.matrix[0, s, r])
            tree.matrix[0, r, s] = tree.matrix[0, s, r] = x
        if tree.closures.row[r, R_KIND] != HELD:
            flex = tree.seen[Q_FLEX, r]
            if flex > 0.0:
                tree.matrix[0, r, r] += 1.0 / flex
            else:
                # its force is known
                for s in range(m):
                    tree.matrix[0, r, s] = tree.matrix[0, s, r] = 0.0
    factorise(tree)
    return status


@inner
def _foresee(tree: ClosedTree, t: float, gh: float) -> None:
    """Fill the forces of rows with what those of earlier stages lead to at t: of what is expected next to nothing is
    left to the responses, which are those of the first stage of the step.
    """
    seen, kept = tree.seen, tree.kept
    force = seen[Q_FORCE]
    if gh == 0.0:
        for r in range(force.shape[0]):
            force[r] = 0.0
        kept[K_FORCES], kept[K_STAGES] = t, 0.0
        return
    if t == kept[K_FORCES]:
        return
    if t < kept[K_FORCES]:
        # after a step that was refused
        kept[K_FORCES], kept[K_STAGES] = t, 0.0
        return
    for k in range(2, 0, -1):
        kept[K_EARLIER + k] = kept[K_EARLIER + k - 1]
        for r in range(force.shape[0]):
            seen[Q_EARLIER + k, r] = seen[Q_EARLIER + k - 1, r]
    kept[K_EARLIER] = kept[K_FORCES]
    for r in range(force.shape[0]):
        seen[Q_EARLIER, r] = force[r]
        force[r] = 0.0
    count = min(int(kept[K_STAGES]) + 1, 3)
    kept[K_FORCES], kept[K_STAGES] = t, count
    for k in range(count):
        weight = 1.0
        for j in range(count):
            if j != k:
                weight *= (t - kept[K_EARLIER + j]) / (kept[K_EARLIER + k] - kept[K_EARLIER + j])
        for r in range(force.shape[0]):
            force[r] += weight * seen[Q_EARLIER + k, r]


@jit
def closed_solve(
    tree: ClosedTree,
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
    """Status; fills the free accelerations and the forces of the driven coordinates (Q2–Q5); see `sweeps.solve`.

    Within a step the free accelerations on entry are those of the iterate q, v.
    """
    spring, closures, seen, kept = tree.spring, tree.closures, tree.seen, tree.kept
    rows, response, taken = tree.jacobian[0], tree.jacobian[1], tree.jacobian[2]
    m, nq = rows.shape
    guess, plus = tree.vectors[V_GUESS], tree.vectors[V_TAU]
    for c in range(nq):
        guess[c] = a[c] if gh > 0.0 or spring[c, S_DRIVEN] == 1.0 else 0.0
    any_close(tree.bare, closures, q, v, guess, rows, seen, work)
    for r in range(m):
        row = closures.row[r]
        seen[Q_FLEX, r] = 0.0 if row[R_KIND] == HELD else gh * row[R_D] + bh2 * row[R_K]
        seen[Q_PUSH, r] = 0.0 if row[R_KIND] == HELD else row[R_K] * seen[Q_GAP, r] + row[R_D] * seen[Q_RATE, r]
    status = OK
    since = t - kept[K_TIME]
    if not (gh > 0.0 and kept[K_ANY] == 1.0 and kept[K_STEP] == gh and since >= 0.0 and since <= _WITHIN * gh):
        kept[K_TIME], kept[K_STEP], kept[K_ANY] = t, gh, 1.0
        status = _respond(tree, loads, laws, t, left, q, gh, bh2, work)
        if status != OK:
            kept[K_ANY] = 0.0
            return status
    force, right = seen[Q_FORCE], seen[Q_RIGHT]
    _foresee(tree, t, gh)
    for r in range(m):
        if seen[Q_SCALE, r] == 0.0 or not math.isfinite(force[r]):
            force[r] = 0.0
        if closures.row[r, R_KIND] != HELD and seen[Q_FLEX, r] == 0.0:
            force[r] = -seen[Q_PUSH, r]
    for c in range(nq):
        x = tau[c]
        for r in range(m):
            x += rows[r, c] * force[r]
        plus[c] = x
    status = any_solve(tree.bare, loads, laws, t, left, q, v, a, plus, q_spring, v_damper, gh, bh2, drive, work)
    for _ in range(2):
        for r in range(m):
            x = 0.0
            for c in range(nq):
                if spring[c, S_DRIVEN] == 0.0:
                    x += rows[r, c] * (a[c] - guess[c])
            if closures.row[r, R_KIND] == HELD:
                right[r] = -(seen[Q_ACCELERATION, r] + x)
            elif seen[Q_FLEX, r] > 0.0:
                right[r] = -(seen[Q_PUSH, r] + force[r]) / seen[Q_FLEX, r] - x
            else:
                right[r] = 0.0
        substitute(tree, right)
        for r in range(m):
            x = right[r]
            force[r] += x
            for c in range(nq):
                a[c] += x * response[r, c]
                drive[c] += x * taken[r, c]
    for c in range(nq):
        if spring[c, S_DRIVEN] == 1.0:
            for r in range(m):
                drive[c] -= force[r] * rows[r, c]
    return status


@jit
def closed_project(tree: ClosedTree, q: Floats, v: Floats, work: Floats) -> int:
    """Status; brings coordinates and rates back to where rigid closures are closed, by the responses of the last
    stage (Q6): what is stiff takes next to no part in it.
    """
    closures, seen = tree.closures, tree.seen
    rows, response = tree.jacobian[0], tree.jacobian[1]
    m, nq = rows.shape
    right, none = seen[Q_RIGHT], tree.vectors[V_STILL]
    for c in range(nq):
        none[c] = 0.0
    before = math.inf
    for _ in range(8):
        any_close(tree.bare, closures, q, v, none, rows, seen, work)
        worst = 0.0
        for r in range(m):
            held = closures.row[r, R_KIND] == HELD
            right[r] = -seen[Q_GAP, r] if held else 0.0
            if held:
                worst = max(worst, abs(seen[Q_GAP, r]) / tree.size[r])
        if not math.isfinite(worst):
            return NOT_CLOSED
        if worst < _CLOSED or worst > 0.5 * before:
            break
        before = worst
        substitute(tree, right)
        for r in range(m):
            for c in range(nq):
                q[c] += right[r] * response[r, c]
    if worst > _OPEN:
        return NOT_CLOSED
    for _ in range(2):
        for r in range(m):
            x = 0.0
            for c in range(nq):
                x += rows[r, c] * v[c]
            right[r] = -x if closures.row[r, R_KIND] == HELD else 0.0
        substitute(tree, right)
        for r in range(m):
            for c in range(nq):
                v[c] += right[r] * response[r, c]
    return OK


@inner
def closed_load_power(
    tree: ClosedTree, loads: Loads, laws: Laws, t: float, left: bool, q: Floats, v: Floats, work: Floats
) -> float:
    """Power of the external loads (W)."""
    return any_load_power(tree.bare, loads, laws, t, left, q, v, work)


@inner
def closed_elastic_form(tree: ClosedTree, q: Floats, x: Floats, rate: float, stiff: float) -> float:
    """xᵀ (rate·D + stiff·K) x over the flexible bodies and the springs between points, by their rows seen last."""
    total = any_elastic_form(tree.bare, q, x, rate, stiff)
    rows, closures = tree.jacobian[0], tree.closures
    for r in range(rows.shape[0]):
        row = closures.row[r]
        if row[R_KIND] != HELD:
            s = 0.0
            for c in range(rows.shape[1]):
                s += rows[r, c] * x[c]
            total += (rate * row[R_D] + stiff * row[R_K]) * s * s
    return total
