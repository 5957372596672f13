"""An arm linearised along its rigid motion, in the form of a tree: the steppers run it like any other (NOTATION 41–43).

The commanded joints move as commanded; elastic coordinates and servo joints depart from that motion to first order. No
matrix is formed: inertia, springs and dampers are eliminated by the sweep of the tree on its rigid motion, and what a
departure adds to the other forces is a difference of two inverse dynamics along it, O(n) both.
"""

from __future__ import annotations

import math

import numpy as np

from .._jit import choose, inner, jit
from ..time.commands import command
from ..time.laws import law_value
from ..tree.types import Commands, Floats, Ints, Laws, LinearTree, Loads, Tree
from .dynamics import kernel_of, solver_of

# Sum of what all coordinates are moved by in a difference, in radians and arms' sizes. Forces are quadratic in the
# rates and trigonometric in the coordinates: h² is 1e-10 and eps/h 1e-11 of the forces there.
_STEP = 1e-5
# Rows of `reference`: the rigid motion, what is handed to the sweeps, and forces.
_Q, _V, _A, _MOVED, _SWIFT, _PLUS, _MINUS, _PUSH = range(8)


def linearised(tree: Tree, commands: Commands, units: tuple[str, ...], reach: float, free: Ints) -> LinearTree:
    """The tree made linear along the motion its commands give; all coordinates but the free ones must be commanded.

    Within a step the drives of a run write into its springs: they must be its own.
    """
    size = np.array([1.0 if units[c] == "rad" else reach for c in free])
    return LinearTree(
        tree,
        tree.spring,
        commands,
        np.ascontiguousarray(free, dtype=np.int64),
        size,
        np.zeros((8, tree.spring.shape[0])),
        np.full(2, np.nan),
    )


def any_solve(tree, loads, laws, t, left, q, v, a, tau, q_spring, v_damper, gh, bh2, drive, work):  # type: ignore[no-untyped-def]
    """Hybrid dynamics; see `sweeps.solve`."""
    raise TypeError("any_solve is called by compiled code only")


def any_energy(tree, q, v, work):  # type: ignore[no-untyped-def]
    """Kinetic, elastic and gravity energy (J); see `sweeps.energy`."""
    raise TypeError("any_energy is called by compiled code only")


def any_elastic_form(tree, q, x, rate, stiff):  # type: ignore[no-untyped-def]
    """xᵀ (rate·D + stiff·K) x over the flexible bodies; see `sweeps.forms`."""
    raise TypeError("any_elastic_form is called by compiled code only")


def any_rnea(tree, loads, laws, t, left, q, v, a, tau, work):  # type: ignore[no-untyped-def]
    """Inverse dynamics; see `sweeps.rnea`."""
    raise TypeError("any_rnea is called by compiled code only")


def any_load_power(tree, loads, laws, t, left, q, v, work):  # type: ignore[no-untyped-def]
    """Power of the external loads; see `sweeps.loads`."""
    raise TypeError("any_load_power is called by compiled code only")


choose(any_load_power, lambda tree: kernel_of("load_power", tree))
choose(any_rnea, lambda tree: kernel_of("rnea", tree))
choose(any_solve, solver_of)
choose(any_energy, lambda tree: kernel_of("energy", tree))
choose(any_elastic_form, lambda tree: kernel_of("elastic_form", tree))


@inner
def _refer(tree: LinearTree, laws: Laws, t: float, left: bool) -> None:
    """Fill the rigid motion at t (41), unless it is there."""
    side = 1.0 if left else 0.0
    if tree.kept[0] == t and tree.kept[1] == side:
        return
    ref = tree.reference
    for j in range(ref.shape[1]):
        ref[_Q, j] = 0.0
        ref[_V, j] = 0.0
        ref[_A, j] = 0.0
    command(laws, tree.commands, t, left, ref[_Q], ref[_V], ref[_A], ref[_PLUS])
    for j in range(tree.commands.servo_coordinate.shape[0]):
        c = tree.commands.servo_coordinate[j]
        ref[_Q, c], ref[_V, c], ref[_A, c] = law_value(laws, tree.commands.servo_law[j], t, left)
    tree.kept[0] = t
    tree.kept[1] = side


@inner
def _change(
    tree: LinearTree, loads: Loads, laws: Laws, t: float, left: bool, q: Floats, v: Floats, work: Floats
) -> None:
    """Fill row _PUSH with K (q − q_r) + C (v − v_r), springs and dampers among them (42)."""
    ref = tree.reference
    whole, swift = 0.0, 0.0
    for f in range(tree.free.shape[0]):
        c = tree.free[f]
        whole += abs(q[c] - ref[_Q, c]) / tree.size[f]
        swift += abs(v[c] - ref[_V, c]) / tree.size[f]
    for j in range(ref.shape[1]):
        ref[_PUSH, j] = 0.0
    if not (whole > 0.0 or swift > 0.0):
        return
    # where there are rates alone any step is exact
    h = _STEP / whole if whole > 0.0 else 1.0
    if not math.isfinite(h):
        h = 1.0
    for side in (1.0, -1.0):
        for j in range(ref.shape[1]):
            ref[_MOVED, j] = ref[_Q, j]
            ref[_SWIFT, j] = ref[_V, j]
        for f in range(tree.free.shape[0]):
            c = tree.free[f]
            ref[_MOVED, c] += side * h * (q[c] - ref[_Q, c])
            ref[_SWIFT, c] += side * h * (v[c] - ref[_V, c])
        any_rnea(tree.bare, loads, laws, t, left, ref[_MOVED], ref[_SWIFT], ref[_A], ref[_PLUS], work)
        for j in range(ref.shape[1]):
            ref[_PUSH, j] += side * 0.5 / h * ref[_PLUS, j]


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
    _refer(tree, laws, t, left)
    _change(tree, loads, laws, t, left, q, v, work)
    ref = tree.reference
    # the sweep counts springs and dampers at the predictor, the change has them at q and v: (43a)
    for j in range(ref.shape[1]):
        ref[_MOVED, j] = q_spring[j] - (q[j] - ref[_Q, j])
        ref[_SWIFT, j] = v_damper[j] - (v[j] - ref[_V, j])
        ref[_PLUS, j] = tau[j] - ref[_PUSH, j]
    status = any_solve(
        tree.bare,
        loads,
        laws,
        t,
        left,
        ref[_Q],
        ref[_V],
        a,
        ref[_PLUS],
        ref[_MOVED],
        ref[_SWIFT],
        gh,
        bh2,
        drive,
        work,
    )
    driven = tree.commands.motion_coordinate
    for i in range(driven.shape[0]):
        drive[driven[i]] += ref[_PUSH, driven[i]]
    return status


@jit
def linear_energy(tree: LinearTree, q: Floats, v: Floats, work: Floats) -> tuple[float, float, float]:
    """½ vᵀMv of the free coordinates on the rigid motion at hand, and no other energy: for the steppers' own use."""
    ref = tree.reference
    for j in range(ref.shape[1]):
        ref[_SWIFT, j] = 0.0
    for f in range(tree.free.shape[0]):
        ref[_SWIFT, tree.free[f]] = v[tree.free[f]]
    kinetic = any_energy(tree.bare, ref[_Q], ref[_SWIFT], work)[0]
    return kinetic, 0.0, 0.0


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
    return any_elastic_form(tree.bare, tree.reference[_Q], x, rate, stiff)
