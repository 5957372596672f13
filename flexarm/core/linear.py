"""An arm linearised along its rigid motion, in the form of a tree: the steppers run it like any other (NOTATION 41–43).

The commanded joints move as commanded; elastic coordinates and servo joints depart from that motion to first order. The
matrices depend on time alone: they are filled once for a time and kept until another is asked for.
"""

from __future__ import annotations

import math

import numpy as np

from ._jit import choose, inner, jit
from .dynamics import kernel_of, spring_matrices, without_springs
from .laws import command, law_value
from .types import NOT_FINITE, NOT_POSITIVE, OK, S_D, S_K, S_REST, Commands, Floats, Ints, Laws, LinearTree, Loads, Tree

# Step of the central differences: displacements by the arm's size, angles by the radian. Forces are quadratic in the
# rates (exact) and trigonometric in the coordinates (1e-9 of the geometric part, which is small beside the springs).
_STEP = 1e-4


def linearised(tree: Tree, commands: Commands, units: tuple[str, ...], reach: float, free: Ints) -> LinearTree:
    """The tree made linear along the motion its commands give; all coordinates but the free ones must be commanded."""
    nq, nf = tree.spring.shape[0], len(free)
    k0, d0 = spring_matrices(tree)
    step = np.array([_STEP if units[c] == "rad" else _STEP * reach for c in free])
    return LinearTree(
        without_springs(tree, sleeves=False),  # their stiffness changes with the motion
        tree.spring.copy(),  # within a step the drives of a run write into them
        commands,
        np.ascontiguousarray(free, dtype=np.int64),
        step,
        k0,
        d0,
        np.zeros((8, nq)),
        np.full(2, np.nan),
        np.zeros((nq, nq)),
        np.zeros((nq, nf)),
        np.zeros((nq, nf)),
        np.zeros((nf, nf)),
    )


def any_rnea(tree, loads, laws, t, left, q, v, a, tau, work):  # type: ignore[no-untyped-def]
    """Inverse dynamics; see `sweeps.rnea`."""
    raise TypeError("any_rnea is called by compiled code only")


def any_crba(tree, q, v, mass, work):  # type: ignore[no-untyped-def]
    """The mass matrix; see `sweeps.crba`."""
    raise TypeError("any_crba is called by compiled code only")


def any_load_power(tree, loads, laws, t, left, q, v, work):  # type: ignore[no-untyped-def]
    """Power of the external loads; see `sweeps.loads`."""
    raise TypeError("any_load_power is called by compiled code only")


choose(any_load_power, lambda tree: kernel_of("load_power", tree))
choose(any_rnea, lambda tree: kernel_of("rnea", tree))
choose(any_crba, lambda tree: kernel_of("crba", tree))


@inner
def _fill(tree: LinearTree, loads: Loads, laws: Laws, t: float, left: bool, work: Floats) -> None:
    """Fill the rigid motion at t, the forces it takes, and M, C, K about it (42)."""
    commands = tree.commands
    ref = tree.reference
    q, v, a = ref[0], ref[1], ref[2]
    force, plus, minus = ref[3], ref[4], ref[5]
    nq = q.shape[0]
    nf = tree.free.shape[0]
    for j in range(nq):
        q[j] = 0.0
        v[j] = 0.0
        a[j] = 0.0
    command(laws, commands, t, left, q, v, a, plus)
    for j in range(commands.servo_coordinate.shape[0]):
        c = commands.servo_coordinate[j]
        q[c], v[c], a[c] = law_value(laws, commands.servo_law[j], t, left)
    any_rnea(tree.bare, loads, laws, t, left, q, v, a, force, work)
    any_crba(tree.bare, q, v, tree.m, work)
    for f in range(nf):
        c = tree.free[f]
        h = tree.step[f]
        at = q[c]
        q[c] = at + h
        any_rnea(tree.bare, loads, laws, t, left, q, v, a, plus, work)
        q[c] = at - h
        any_rnea(tree.bare, loads, laws, t, left, q, v, a, minus, work)
        q[c] = at
        for j in range(nq):
            tree.k[j, f] = (plus[j] - minus[j]) / (2.0 * h) + tree.k0[j, c]
        at = v[c]
        # exact for any step, as forces are quadratic in the rates
        v[c] = at + 1.0
        any_rnea(tree.bare, loads, laws, t, left, q, v, a, plus, work)
        v[c] = at - 1.0
        any_rnea(tree.bare, loads, laws, t, left, q, v, a, minus, work)
        v[c] = at
        for j in range(nq):
            tree.c[j, f] = 0.5 * (plus[j] - minus[j]) + tree.d0[j, c]
    # springs and dampers at the rigid motion: only joints' act there
    for j in range(nq):
        force[j] += tree.k0[j, j] * (q[j] - tree.spring[j, S_REST]) + tree.d0[j, j] * v[j]
    tree.kept[0] = t
    tree.kept[1] = 1.0 if left else 0.0


@inner
def _solved(lu: Floats, b: Floats, n: int) -> int:
    """Status; b ← A⁻¹ b by elimination with row exchange, A in lu is lost."""
    for k in range(n):
        at = k
        for i in range(k + 1, n):
            if abs(lu[i, k]) > abs(lu[at, k]):
                at = i
        if at != k:
            for j in range(n):
                lu[k, j], lu[at, j] = lu[at, j], lu[k, j]
            b[k], b[at] = b[at], b[k]
        if lu[k, k] == 0.0:
            return NOT_POSITIVE
        inv = 1.0 / lu[k, k]
        if not math.isfinite(inv):
            return NOT_FINITE
        for i in range(k + 1, n):
            f = lu[i, k] * inv
            if f != 0.0:
                for j in range(k + 1, n):
                    lu[i, j] -= f * lu[k, j]
                b[i] -= f * b[k]
    for k in range(n - 1, -1, -1):
        s = b[k]
        for j in range(k + 1, n):
            s -= lu[k, j] * b[j]
        b[k] = s / lu[k, k]
    return OK


@jit
def linear_solve(
    tree: LinearTree,
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
    """Status; fills the free accelerations and the forces of the driven coordinates (43); see `sweeps.solve`."""
    if not (tree.kept[0] == t and tree.kept[1] == (1.0 if left else 0.0)):
        _fill(tree, loads, laws, t, left, work)
    free = tree.free
    nf = free.shape[0]
    ref = tree.reference
    x, xd, b = ref[4], ref[5], ref[6]
    for f in range(nf):
        c = free[f]
        x[f] = q_spring[c] - ref[0, c]
        xd[f] = v_damper[c] - ref[1, c]
    for f in range(nf):
        c = free[f]
        s = tau[c] - ref[3, c]
        for j in range(nf):
            m = tree.m[c, free[j]]
            s += m * ref[2, free[j]] - tree.c[c, j] * xd[j] - tree.k[c, j] * x[j]
            tree.lu[f, j] = m + gh * tree.c[c, j] + bh2 * tree.k[c, j]
        b[f] = s
    for i in range(tree.commands.servo_coordinate.shape[0]):
        # what integrators and limits of drives make of a joint's spring and damper in this stage
        c = tree.commands.servo_coordinate[i]
        stiff = tree.spring[c, S_K] - tree.k0[c, c]
        rate = tree.spring[c, S_D] - tree.d0[c, c]
        for f in range(nf):
            if free[f] == c:
                b[f] -= stiff * (q_spring[c] - tree.spring[c, S_REST]) + rate * v_damper[c]
                tree.lu[f, f] += gh * rate + bh2 * stiff
    status = _solved(tree.lu, b, nf)
    for f in range(nf):
        c = free[f]
        a[c] = b[f]
        x[f] += bh2 * b[f]
        xd[f] += gh * b[f]
    driven = tree.commands.motion_coordinate
    for i in range(driven.shape[0]):
        c = driven[i]
        s = ref[3, c]
        for j in range(nf):
            s += tree.m[c, free[j]] * (b[j] - ref[2, free[j]]) + tree.c[c, j] * xd[j] + tree.k[c, j] * x[j]
        drive[c] = s
    return status


@jit
def linear_energy(tree: LinearTree, q: Floats, v: Floats, work: Floats) -> tuple[float, float, float]:
    """½ vᵀMv of the free coordinates with the matrix at hand, and no other energy: for the steppers' own use."""
    free = tree.free
    total = 0.0
    for i in range(free.shape[0]):
        s = 0.0
        for j in range(free.shape[0]):
            s += tree.m[free[i], free[j]] * v[free[j]]
        total += 0.5 * s * v[free[i]]
    return total, 0.0, 0.0


@inner
def linear_load_power(
    tree: LinearTree, loads: Loads, laws: Laws, t: float, left: bool, q: Floats, v: Floats, work: Floats
) -> float:
    """Power of the external loads (W)."""
    # not `load_power` itself, which is being compiled for this very tree: the cache cannot hold such a recursion
    return any_load_power(tree.bare, loads, laws, t, left, q, v, work)


@inner
def linear_elastic_form(tree: LinearTree, q: Floats, x: Floats, rate: float, stiff: float) -> float:
    """xᵀ (rate·D + stiff·K) x over the flexible bodies."""
    total = 0.0
    n = x.shape[0]
    for i in range(n):
        s = 0.0
        for j in range(n):
            s += (rate * tree.d0[i, j] + stiff * tree.k0[i, j]) * x[j]
        total += s * x[i]
        # the steppers count the joints' own by themselves
        total -= (rate * tree.spring[i, S_D] + stiff * tree.spring[i, S_K]) * x[i] * x[i]
    return total
