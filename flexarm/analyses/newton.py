"""Newton's steps to the equilibrium of an arm with many coordinates, each O(n): no tangent is ever formed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from flexarm.analyses.krylov import least_stiffness, solved
from flexarm.analyses.state import State
from flexarm.analyses.tangent import Tangent, stiff_part
from flexarm.assembly import CompiledArm
from flexarm.core.tree.types import S_LEVER, Floats, Ints

# Of the largest stiffness: what differences leave of a symmetric one is far below.
UNSYMMETRIC = 1e-6
# Steps shrink by this part or more: what is left of each is made up for by the next.
_PART = 1e-7
_MOST = 60


def line_search(
    unbalanced: Callable[[Floats], Floats], q: Floats, free: Ints, step: Floats, r: Floats, follows: bool
) -> tuple[Floats, Floats, Floats]:
    """Coordinates, unbalanced forces there, and the part of the step that leads there.

    Down the potential if there is one, else towards smaller residuals; no coordinate turns by more than half a radian.
    """
    step = step * min(1.0, 0.5 / max(float(np.max(np.abs(step))), 1e-300))
    length = 1.0
    slope = float(r @ step)  # of the potential along the step: negative
    while True:
        moved = q.copy()
        moved[free] += length * step
        tried = unbalanced(moved)
        # still going down, or not past the bottom by more than the step began above it
        down = np.linalg.norm(tried) < np.linalg.norm(r) if follows else float(tried @ step) <= -0.9 * slope
        if np.all(np.isfinite(tried)) and (down or length < 1e-3):
            return moved, tried, length * step
        length *= 0.5


def swept_equilibrium(compiled: CompiledArm, state: State, t: float, free: Ints) -> tuple[State, float, int] | None:
    """The state with the free coordinates in equilibrium, the residual left, iterations; None where Newton's steps do
    not lead straight to a stable one: it is left to the careful way.
    """
    tangent = Tangent(compiled, state, free, t)
    stiff = stiff_part(tangent)
    if stiff is None:
        return None
    lever = compiled.tree.spring[free, S_LEVER]
    sizes = tangent.springs.magnitudes()
    nothing = 1e-13 * compiled.reach * sizes.times(1.0 / np.maximum(lever, 1e-9 * compiled.reach))
    now, last = state.q.copy(), np.inf
    r = tangent.residual(now)
    biggest = float(np.max(np.abs(r))) + 1e-300
    follows: bool | None = None
    for iteration in range(1, _MOST + 1):
        here = tangent.at(now)
        if follows is None:
            follows = not _even(here)
        found = solved(here, stiff, -r, _PART)
        if not found.found or (not follows and not found.least > 0.0):
            return None
        now, r, step = line_search(tangent.residual, now, free, found.x, r, follows)
        moved = float(np.max(np.abs(step) * lever))
        biggest = max(biggest, float(np.max(np.abs(tangent.springs.times(now[free])))))
        # where stiff and soft meet in one body rounding keeps the last digits moving: steps then no longer shrink
        still = moved < 1e-12 * compiled.reach or 0.5 * last < moved < 1e-6 * compiled.reach
        last = moved
        rounding = 1e-14 * float(np.max(sizes.times(np.abs(now[free]))))
        if still and np.all(np.abs(r) <= np.maximum(max(1e-9 * biggest, rounding), nothing)):
            if not follows and here.bears and not least_stiffness(tangent.at(now), stiff) > 0.0:
                return None
            return State(now, state.v, state.a, state.tau), float(np.max(np.abs(r))), iteration
    return None


def _even(tangent: Tangent) -> bool:
    """True unless the tangent is unsymmetric by more than a part of its largest stiffness."""
    if not tangent.bears:
        return True
    x = np.random.default_rng(1).standard_normal((len(tangent.moving), 4)) / tangent.size[:, None]
    across = x.T @ tangent.geometric(x)
    size = float(np.max(np.sum(x * tangent.springs.times(x), axis=0)))
    return float(np.max(np.abs(across - across.T))) <= UNSYMMETRIC * max(size, float(np.max(np.abs(across))))
