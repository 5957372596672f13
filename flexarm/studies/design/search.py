"""The search for a design: SciPy's SLSQP from several starts, catalogues by branching, multipliers of what binds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from flexarm.core.tree.types import Floats
from flexarm.studies.design.problem import Problem

# Part of its limit by which a requirement may be missed and still counts as met: the search ends on its limit.
MET = 1e-4
# A requirement binds, and a free number stands on its bound, within such a part.
_BINDS, _ON_BOUND = 2e-3, 1e-6
_GOLDEN = 0.6180339887498949
_MOST_NODES = 60


@final
@dataclass(frozen=True)
class Found:
    """A design, and whether it meets all requirements."""

    u: Floats
    objective: float
    met: bool


def search(problem: Problem, first: Floats, starts: int, tightened: Floats | None = None) -> Found:
    """The best design found from the first one and other starts; of those that meet nothing, the nearest."""
    n = len(first)
    limit = np.zeros(len(problem.limits)) if tightened is None else tightened
    shares = [np.asarray((0.5 + _GOLDEN * (k + 1) * np.arange(1, n + 1)) % 1.0) for k in range(starts - 1)]
    bounds = np.array([[0.0, 1.0]] * n)
    found = [_continuous(problem, u, bounds, limit) for u in (first, *shares)]
    best = _better_of(problem, found)
    # where nothing between the entries of a catalogue meets the requirements, no entry does
    if best.met and any(each.catalogue for each in problem.varied):
        return _branched(problem, best, bounds, limit)
    return best


def _better_of(problem: Problem, found: list[Found]) -> Found:
    met = [each for each in found if each.met]
    if met:
        return min(met, key=lambda each: each.objective)
    return max(found, key=lambda each: float(np.min(problem(each.u).margins, initial=0.0)))


def _continuous(problem: Problem, u: Floats, bounds: Floats, limit: Floats) -> Found:
    """The best design near u within bounds; where none meets the requirements, that which misses them least."""
    u = np.clip(u, bounds[:, 0], bounds[:, 1])
    free = bounds[:, 1] > bounds[:, 0]
    if np.any(free):
        scale = abs(problem(u).objective) or 1.0
        u = _slsqp(
            u,
            free,
            bounds,
            lambda x: (problem(x).objective / scale, problem(x).slope / scale),
            lambda x: (problem(x).margins - limit, problem(x).margin_slopes),
            len(limit),
        )
        if not _meets(problem, u, limit):
            u = _nearest(problem, u, free, bounds, limit)
    return Found(u, problem(u).objective, _meets(problem, u, limit))


def _meets(problem: Problem, u: Floats, limit: Floats) -> bool:
    judged = problem(u)
    return not judged.failure and bool(np.all(judged.margins - limit >= -MET))


def _slsqp(
    u: Floats,
    free: np.ndarray,
    bounds: Floats,
    objective: Callable[[Floats], tuple[float, Floats]],
    margins: Callable[[Floats], tuple[Floats, Floats]],
    count: int,
) -> Floats:
    from scipy.optimize import minimize

    def whole(x: Floats) -> Floats:
        y = u.copy()
        y[free] = np.clip(x, bounds[free, 0], bounds[free, 1])
        return y

    constraints: list[Any] = []
    if count:
        constraints = [
            {"type": "ineq", "fun": lambda x: margins(whole(x))[0], "jac": lambda x: margins(whole(x))[1][:, free]}
        ]
    done = minimize(
        lambda x: objective(whole(x))[0],
        u[free],
        jac=lambda x: objective(whole(x))[1][free],
        bounds=bounds[free],
        constraints=constraints,
        method="SLSQP",
        options={"maxiter": 60, "ftol": 1e-7},
    )
    return whole(done.x)


def _nearest(problem: Problem, u: Floats, free: np.ndarray, bounds: Floats, limit: Floats) -> Floats:
    """The design that misses its requirements by least: the least s with margins + s ≥ 0."""
    from scipy.optimize import minimize

    n = int(np.count_nonzero(free))

    def whole(x: Floats) -> Floats:
        y = u.copy()
        y[free] = np.clip(x[:n], bounds[free, 0], bounds[free, 1])
        return y

    def slopes(x: Floats) -> Floats:
        own = problem(whole(x)).margin_slopes[:, free]
        return np.hstack([own, np.ones((len(own), 1))])

    slack = max(0.0, -float(np.min(problem(u).margins - limit, initial=0.0)))
    done = minimize(
        lambda x: x[n],
        np.append(u[free], slack),
        jac=lambda x: np.append(np.zeros(n), 1.0),
        bounds=[*bounds[free].tolist(), (0.0, None)],
        constraints=[{"type": "ineq", "fun": lambda x: problem(whole(x)).margins - limit + x[n], "jac": slopes}],
        method="SLSQP",
        options={"maxiter": 60, "ftol": 1e-7},
    )
    moved = whole(done.x)
    gained = np.min(problem(moved).margins) > np.min(problem(u).margins)
    return moved if gained else u


def _branched(problem: Problem, relaxed: Found, bounds: Floats, limit: Floats) -> Found:
    """The best design whose catalogued numbers stand in their catalogues, by branch and bound."""
    best: Found | None = None
    nodes = [(relaxed, bounds)]
    for _ in range(_MOST_NODES):
        if not nodes:
            break
        node, within = nodes.pop()
        if not node.met or (best is not None and node.objective >= best.objective):
            continue
        split = _off_catalogue(problem, node.u)
        if split is None:
            best = node
            continue
        j, below, above = split
        children = []
        for k, value in ((1, below), (0, above)):
            inner = within.copy()
            inner[j, k] = value
            if inner[j, 0] <= inner[j, 1]:
                children.append((_continuous(problem, node.u, inner, limit), inner))
        # the better child is looked at first
        nodes += sorted(children, key=lambda child: -child[0].objective)
    if best is not None:
        return best
    return Found(relaxed.u, relaxed.objective, False)


def _off_catalogue(problem: Problem, u: Floats) -> tuple[int, float, float] | None:
    """A free number that is not in its catalogue, and its neighbours there, as parts of its range."""
    for j, each in enumerate(problem.varied):
        if not each.catalogue:
            continue
        entries = (np.array(each.catalogue) - problem.low[j]) / problem.range[j]
        if np.min(np.abs(entries - u[j])) <= _ON_BOUND:
            continue
        return j, float(np.max(entries[entries < u[j]])), float(np.min(entries[entries > u[j]]))
    return None


def multipliers(problem: Problem, u: Floats) -> tuple[Floats, Floats]:
    """What the objective would gain by a part of each limit (requirements,) and of each bound (n,), where they bind.

    They are the least squares of the conditions of Karush, Kuhn and Tucker; zero for the others.
    """
    from scipy.optimize import nnls

    judged = problem(u)
    n, count = len(u), len(judged.margins)
    binding = np.flatnonzero(judged.margins <= _BINDS)
    fixed = np.array([bool(each.catalogue) for each in problem.varied])
    at_low = np.flatnonzero((u <= _ON_BOUND) & ~fixed)
    at_high = np.flatnonzero((u >= 1.0 - _ON_BOUND) & ~fixed)
    columns = [judged.margin_slopes[k] for k in binding]
    columns += [np.eye(n)[j] for j in at_low] + [-np.eye(n)[j] for j in at_high]
    requirement, bound = np.zeros(count), np.zeros(n)
    if not columns:
        return requirement, bound
    rows = ~fixed if not np.all(fixed) else np.ones(n, bool)
    matrix = np.array(columns).T[rows]
    size = np.linalg.norm(matrix, axis=0)
    size[size == 0.0] = 1.0
    found = nnls(matrix / size, judged.slope[rows])[0] / size
    requirement[binding] = found[: len(binding)]
    bound[at_low] = found[len(binding) : len(binding) + len(at_low)]
    bound[at_high] = found[len(binding) + len(at_low) :]
    return requirement, bound
