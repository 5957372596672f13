"""The greatest residual over a whole box of uncertain quantities, bounded from above by runs at some of its points.

The residual of a motion y(p) is a seminorm of it, r(p) = ‖y(p)‖: a range, a root of a sum of squares of ranges, an
envelope. On a cell of a grid, y is its multilinear interpolant plus a remainder, so that by the triangle inequality

    r(p) ≤ max over the corners of r + Σ_d h_d²/8 · max ‖∂²y/∂p_d²‖                                          (1)

whatever peak of the motion is the greatest at p: kinks of r, where one peak overtakes another, do no harm. The second
derivatives are measured by differences of the motions themselves, on a grid that is made finer until differences over
one and over two intervals agree; then cells are halved until (1) is as tight as requested.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from flexarm.core.tree.types import Floats

Place = tuple[float, ...]  # parts of the ranges, 0 to 1
Seminorm = Callable[[Floats], Floats]  # of motions (…, signals, samples)

# Of second differences: what a motion may bend more between the points than it does at them.
_SAFETY = 1.25
# Differences over two intervals are four times those over one if the grid is fine; of a sine with a phase φ from point
# to point they are cos²(φ/2) of that, and second derivatives are then too small by (sin(φ/2) / (φ/2))².
_RESOLVED = 0.8
# Below this part of the greatest residual nothing bends that matters.
_STRAIGHT = 1e-3
_FEWEST, _MOST_ARMS = 5, 1500
# Cells halved at once, and arms run on top of the grid, at one braking time.
_AT_ONCE, _MOST_ADDED = 24, 600


@dataclass(frozen=True, eq=False)
class Sample:
    """The residual of one arm, and its motion (signals, samples); `reason` if it cannot be allowed."""

    residual: float
    motion: Floats
    reason: str = ""


Evaluate = Callable[[Sequence[Place]], list[Sample]]


@dataclass(frozen=True, eq=False)
class Worst:
    """The greatest residual of any arm that was run, where, and the bound that no arm of the box exceeds."""

    greatest: float
    place: Place
    bound: float
    mean: float  # over the box, by the trapezoidal rule
    reasons: tuple[str, ...] = ()  # why arms cannot be allowed

    @property
    def margin(self) -> float:
        """By which part the bound may be too large."""
        return self.bound / self.greatest - 1.0 if self.greatest > 0.0 else 0.0


@dataclass(frozen=True, eq=False)
class Grid:
    """Even levels of every quantity, ends included."""

    levels: tuple[int, ...]

    @property
    def places(self) -> list[Place]:
        """All points, the last quantity fastest."""
        return list(product(*(tuple(k / (n - 1) for k in range(n)) for n in self.levels)))

    @property
    def size(self) -> int:
        """How many points there are."""
        return int(np.prod(self.levels))

    def finer(self, dimensions: Sequence[int]) -> Grid:
        """Twice the intervals along some dimensions."""
        return Grid(tuple(2 * n - 1 if d in dimensions else n for d, n in enumerate(self.levels)))


@dataclass(order=True)
class _Cell:
    """A box of the grid or a part of it; ordered by the bound, greatest first."""

    rank: float
    low: Place = field(compare=False)
    high: Place = field(compare=False)
    rests: tuple[float, ...] = field(compare=False)  # remainder by dimension


def first_grid(phases: Sequence[float]) -> Grid:
    """The grid to begin with: no phase (rad) turns by more than 1 rad from point to point, of all that turn so far over
    the whole of each range.
    """
    return Grid(tuple(2 * max(int(np.ceil(0.5 * phase)), (_FEWEST - 1) // 2) + 1 for phase in phases))


def resolving(grid: Grid, evaluate: Evaluate, seminorm: Seminorm) -> tuple[Grid, bool]:
    """A grid that resolves how the motion changes over the box, and whether it does."""
    while True:
        samples = evaluate(grid.places)
        coarse = _unresolved(grid, samples, seminorm)
        finer = grid.finer(coarse)
        if not coarse:
            return grid, True
        if finer.size > _MOST_ARMS:
            return grid, False
        grid = finer


def _unresolved(grid: Grid, samples: Sequence[Sample], seminorm: Seminorm) -> list[int]:
    """The dimensions along which the motion bends too much from point to point."""
    motions, greatest = _motions(grid, samples)
    if motions is None:
        return []
    found = []
    for d in range(len(grid.levels)):
        one, two = (float(np.max(seminorm(_differences(motions, d, step)))) for step in (1, 2))
        if max(one, 0.25 * two) > _STRAIGHT * greatest and not two >= _RESOLVED * 4.0 * one:
            found.append(d)
    return found


def _motions(grid: Grid, samples: Sequence[Sample]) -> tuple[Floats | None, float]:
    """Motions (*levels, signals, samples) if all arms have one of the same kind, and the greatest residual."""
    residuals = np.array([each.residual for each in samples])
    greatest = float(np.max(residuals[np.isfinite(residuals)], initial=0.0))
    if not np.isfinite(residuals).all() or len({each.motion.shape for each in samples}) != 1:
        return None, greatest
    whole = np.array([each.motion for each in samples])
    return whole.reshape(*grid.levels, *whole.shape[1:]), greatest


def _differences(motions: Floats, d: int, step: int) -> Floats:
    """Second differences along a dimension, over one interval or two."""
    along = np.moveaxis(motions, d, 0)
    return np.moveaxis(along[: -2 * step] - 2.0 * along[step:-step] + along[2 * step :], 0, d)


def worst_case_over(grid: Grid, evaluate: Evaluate, seminorm: Seminorm, margin: float) -> Worst:
    """The greatest residual over the box; the bound is above it by no more than the margin (a part), if that can be had
    with a few hundred more arms.
    """
    places = grid.places
    samples = evaluate(places)
    known = dict(zip(places, samples, strict=True))
    reasons = tuple(dict.fromkeys(each.reason for each in samples if each.reason))
    residuals = np.array([each.residual for each in samples])
    mean = _mean(residuals.reshape(grid.levels))
    if not np.isfinite(residuals).all():
        return Worst(np.nan, places[0], np.inf, np.nan, reasons or ("run failed",))
    motions, greatest = _motions(grid, samples)
    at = places[int(np.argmax(residuals))]
    if motions is None:
        return Worst(greatest, at, np.inf, mean, reasons)
    cells = _cells(grid, known, [_remainders(motions, d, seminorm) for d in range(len(grid.levels))])
    added = 0
    while added < _MOST_ADDED and not reasons:
        cells.sort(reverse=True)
        open_cells = [cell for cell in cells[:_AT_ONCE] if cell.rank > greatest * (1.0 + margin)]
        if not open_cells:
            break
        halves = [half for cell in open_cells for half in _halved(cell)]
        wanted = [place for place in dict.fromkeys(p for half in halves for p in _corners(half)) if place not in known]
        for place, each in zip(wanted, evaluate(wanted) if wanted else [], strict=True):
            known[place] = each
            if each.reason or not np.isfinite(each.residual):
                return Worst(np.nan, place, np.inf, mean, (each.reason or "run failed",))
            if each.residual > greatest:
                greatest, at = each.residual, place
        added += len(wanted)
        cells = cells[len(open_cells) :] + [_ranked(half, known) for half in halves]
    bound = max([greatest, *(cell.rank for cell in cells)])
    return Worst(greatest, at, bound, mean, reasons)


def _mean(values: Floats) -> float:
    """The mean over the box by the trapezoidal rule."""
    for _ in range(values.ndim):
        values = (0.5 * (values[0] + values[-1]) + values[1:-1].sum(axis=0)) / (len(values) - 1)
    return float(values)


def _remainders(motions: Floats, d: int, seminorm: Seminorm) -> Floats:
    """h²/8 max ‖∂²y/∂p²‖ of every cell along a dimension: the greatest at its corners and the points next to them."""
    sizes = np.moveaxis(seminorm(_differences(motions, d, 1)), d, 0)
    levels = len(sizes) + 2
    spread = np.array([sizes[max(i - 2, 0) : i + 2].max(axis=0) for i in range(levels - 1)])
    for other in range(1, spread.ndim):
        along = np.moveaxis(spread, other, 0)
        last = len(along) - 1
        along = np.array([along[max(i - 1, 0) : i + 3].max(axis=0) for i in range(last)])
        spread = np.moveaxis(along, 0, other)
    return _SAFETY / 8.0 * np.moveaxis(spread, 0, d)


def _cells(grid: Grid, known: dict[Place, Sample], remainders: Sequence[Floats]) -> list[_Cell]:
    found = []
    for index in product(*(range(n - 1) for n in grid.levels)):
        low = tuple(i / (n - 1) for i, n in zip(index, grid.levels, strict=True))
        high = tuple((i + 1) / (n - 1) for i, n in zip(index, grid.levels, strict=True))
        found.append(_ranked(_Cell(0.0, low, high, tuple(float(each[index]) for each in remainders)), known))
    return found


def _corners(cell: _Cell) -> list[Place]:
    return list(product(*zip(cell.low, cell.high, strict=True)))


def _ranked(cell: _Cell, known: dict[Place, Sample]) -> _Cell:
    """The cell with its bound (1)."""
    highest = max(known[place].residual for place in _corners(cell))
    return _Cell(highest + sum(cell.rests), cell.low, cell.high, cell.rests)


def _halved(cell: _Cell) -> list[_Cell]:
    """The cell in two, along the dimension with the greatest remainder: that falls to a quarter."""
    d = int(np.argmax(cell.rests))
    middle = 0.5 * (cell.low[d] + cell.high[d])
    rests = tuple(0.25 * rest if k == d else rest for k, rest in enumerate(cell.rests))
    lower = tuple(middle if k == d else x for k, x in enumerate(cell.high))
    upper = tuple(middle if k == d else x for k, x in enumerate(cell.low))
    return [_Cell(0.0, cell.low, lower, rests), _Cell(0.0, upper, cell.high, rests)]
