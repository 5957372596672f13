"""Design points: where in standard space a requirement is missed nearest to the mean, found by OpenTURNS' FORM.

A tolerance is mostly missed on two sides or more, and where it is centred on the nominal arm its limit state has its
tip, without a gradient, just there. So searches begin away from the mean, along all axes, at the mirror image of what
was found, and wherever the points found so far do not explain the evaluations.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from flexarm.core.tree.types import Floats
from flexarm.studies.parameters.distributions import quiet
from flexarm.studies.reliability.limit_states import STEP, LimitStates
from flexarm.studies.reliability.series_systems import normal_index, normal_tail

_PILOTS = (1.5, 3.0)  # how far out, on both sides of every axis
_EXPLAINED = 0.1  # of the limit
# Searches of one requirement at most, and in a row that add nothing to what was found; of one search its steps, and
# how often it asks for g, several times along a ray.
_SEARCHES, _FRUITLESS = 8, 3
_ITERATIONS, _CALLS = 40, 200
_ACCURACY = 1e-4
# A point is one if g is zero there within so many deviations, and u along its gradient within such an angle.
_OFF, _COSINE = 0.02, 0.999
_ONE = 0.5  # of the index apart, two points are one
_KINK = 0.3  # differences to both sides differ by so much of the slope
_NEGLIGIBLE = 1e-4  # of the likeliest point's probability


@final
@dataclass(frozen=True, eq=False)
class DesignPoint:
    """The nearest point of one side of a limit state: in standard space, and in the parameters' own units (SI).

    `direction` is the unit vector α into the failure region, `index` is β = α·u, `shares` the importance factors,
    `curved` the failure probability with curvatures, after Breitung. At a `kink` the number bends or jumps, as where
    another side of a box or another instant takes over.
    """

    which: int
    standard: Floats
    own: Floats
    direction: Floats
    index: float
    slope: float
    shares: Floats
    kink: bool = False
    curved: float | None = None

    @property
    def probability(self) -> float:
        """The failure probability of the flat limit state through the point, Φ(−β)."""
        return normal_tail(self.index)

    @property
    def corrected_index(self) -> float:
        """β, or with curvatures the index of their probability."""
        if self.curved is None or not 0.0 < self.curved < 1.0:
            return self.index
        return normal_index(self.curved)

    def expected(self, points: Floats) -> Floats:
        """Number over limit (n,) that the flat limit state has at points (n, p)."""
        return np.asarray(1.0 + self.slope * (points @ self.direction - self.index))


@final
@dataclass(frozen=True)
class Search:
    """The design points of one requirement, likeliest first; `trouble` says why there is none, or not all of them."""

    points: tuple[DesignPoint, ...]
    trouble: str = ""


def find_design_points(states: LimitStates, which: int, *, curvatures: bool = False) -> Search:
    """The design points of a requirement, those that matter."""
    count = states.space.dimension
    axes = np.eye(count)
    pilots = np.concatenate([np.zeros((1, count)), *(far * sign * axes for far in _PILOTS for sign in (1.0, -1.0))])
    seen = states.ratios(pilots)[:, which]
    if seen[0] > 1.0:
        return Search(
            (), "it is missed by the arm at its parameters' medians already, which is not rare; try method plain"
        )
    # the nearer to the limit, the better to begin at; never at the mean, which has no gradient
    order = 1 + np.argsort(np.abs(seen[1:] - 1.0), kind="stable")
    starts = [pilots[k] for k in order]
    known = dict(zip(map(bytes, pilots), seen.tolist(), strict=True))
    found: list[DesignPoint] = []
    reasons: list[str] = []
    searches = fruitless = 0
    while starts and searches < _SEARCHES and not (found and fruitless == _FRUITLESS):
        start = starts.pop(0)
        if bytes(start) in known and _explained(found, start, known[bytes(start)]):
            continue
        searches, fruitless = searches + 1, fruitless + 1
        point, reason = _search(states, which, start)
        if point is None:
            reasons.append(reason)
        elif not (near := [other for other in found if _near(point, other)]):
            found.append(point)
            starts.insert(0, -point.standard)
            fruitless = 0
        elif all(point.index < other.index for other in near):
            found = [*(other for other in found if other not in near), point]
    found.sort(key=lambda each: each.index)
    if found:
        found = [each for each in found if each.probability >= _NEGLIGIBLE * found[0].probability]
    if curvatures:
        found = [_curved(states, each) for each in found]
    if not found:
        return Search((), _why_none(seen, reasons, states.failed))
    return Search(tuple(found))


def _explained(found: list[DesignPoint], start: Floats, seen: float) -> bool:
    if not found:
        return False
    expected = max(float(each.expected(start[None])[0]) for each in found)
    return abs(expected - seen) <= _EXPLAINED


def _near(one: DesignPoint, other: DesignPoint) -> bool:
    apart = float(np.linalg.norm(one.standard - other.standard))
    return apart <= _ONE * max(1.0, one.index)


def _search(states: LimitStates, which: int, start: Floats) -> tuple[DesignPoint | None, str]:
    """The design point one search ends in, or why it is none."""
    import openturns as ot

    try:
        algorithm = ot.FORM(_solver(states, start), states.event(which))
        with quiet():
            states.run(algorithm)
        standard = np.array(algorithm.getResult().getStandardSpaceDesignPoint())
    except (RuntimeError, TypeError, ValueError) as error:
        return None, _short(error)
    return _confirmed(states, which, standard)


def _solver(states: LimitStates, start: Floats) -> Any:
    import openturns as ot

    solver = ot.AbdoRackwitz()
    solver.setStartingPoint(start)
    solver.setStopCallback(states.stopping)
    solver.setMaximumIterationNumber(_ITERATIONS)
    solver.setMaximumCallsNumber(_CALLS)
    solver.setMaximumAbsoluteError(_ACCURACY)
    solver.setMaximumRelativeError(_ACCURACY)
    solver.setMaximumResidualError(_ACCURACY)
    solver.setMaximumConstraintError(_ACCURACY)
    # whether it is a design point is looked at afterwards, whatever ended the search
    solver.setCheckStatus(False)
    return solver


def _confirmed(states: LimitStates, which: int, standard: Floats) -> tuple[DesignPoint | None, str]:
    """The point with what belongs to it, if it is one."""
    if not np.all(np.isfinite(standard)):
        return None, "the search left the numbers"
    steps = STEP * np.eye(len(standard))
    around = np.concatenate([standard[None], standard + steps, standard - steps])
    ratios = states.ratios(around)[:, which]
    if states.any_failed(around):
        return None, "the search ended where samples fail"
    gradient = (ratios[1 : 1 + len(standard)] - ratios[1 + len(standard) :]) / (2.0 * STEP)
    slope = float(np.linalg.norm(gradient))
    if not slope > 0.0:
        return None, "the search ended where the number does not change"
    direction = gradient / slope
    size = float(np.linalg.norm(standard))
    # g = 0 to first order, which takes the last error of the search away
    index = float(direction @ standard) + (1.0 - float(ratios[0])) / slope
    if abs(ratios[0] - 1.0) / slope > _OFF or direction @ standard < _COSINE * size - _OFF:
        # also the far side of a region behind which the requirement is met again
        return None, "the search did not settle"
    own = states.space.own(standard[None])[0]
    shares = states.space.shares(direction, standard)
    bends = ratios[1 : 1 + len(standard)] + ratios[1 + len(standard) :] - 2.0 * ratios[0]
    kink = bool(np.max(np.abs(bends)) > _KINK * slope * STEP)
    return DesignPoint(which, standard, own, direction, index, slope, shares, kink), ""


def _curved(states: LimitStates, point: DesignPoint) -> DesignPoint:
    """The point with the probability that curvatures give it, where they give one."""
    from dataclasses import replace

    import openturns as ot

    try:
        algorithm = ot.SORM(_solver(states, point.standard), states.event(point.which))
        with quiet():
            states.run(algorithm)
        found = float(algorithm.getResult().getEventProbabilityBreitung())
    except (RuntimeError, TypeError, ValueError):
        return point
    return replace(point, curved=found) if 0.0 < found < 1.0 else point


def _why_none(seen: Floats, reasons: list[str], failed: dict[str, int]) -> str:
    nearest = f"the number is {seen.min():.3g} to {seen.max():.3g} of its limit within {_PILOTS[-1]:g} deviations"
    failures = f"; {sum(failed.values())} evaluations failed" if failed else ""
    why = f" ({max(set(reasons), key=reasons.count)})" if reasons else ""
    return f"no design point was found{why}: {nearest}{failures}; try method subset"


def _short(error: Exception) -> str:
    text = " ".join(str(error).split()).split(" : ", 1)[-1]
    return text[:100] or type(error).__name__
