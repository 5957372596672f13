"""What simple rules predict for a stop, and why the simulated one differs from them.

The rule: a mode that is pushed evenly for a whole number of its periods does not ring. From it a chain of models,
each with one thing more, leads to the simulation; the minimum is tracked through them, so that every shift has its
cause.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from flexarm.analyses.brake.residual import Measure
from flexarm.analyses.brake.runs import BrakeRuns
from flexarm.analyses.brake.search import LATE, Looker, StopBounds, turning_points
from flexarm.analyses.brake.stop import StopMotion, frozen_response, motion_at_stop, swing_of
from flexarm.analyses.golden_section import golden_section
from flexarm.assembly import CompiledArm
from flexarm.core.tree.types import Floats, Ints
from flexarm.errors import AnalysisError
from flexarm.model import Arm
from flexarm.results.braking import BrakePoint, Cause, LinearBraking, ResidualMode

# Modes with less than this share of the residual are not reported.
_LITTLE = 1e-3
_MOST_MODES = 6
# Parts of a pole that are rounding: of its imaginary part, of its damping.
_RINGS, _UNDAMPED = 1e-6, 1e-10
_MOST_PERIODS = 30
_LOOKS = 17  # of a model, around where its minimum is expected
_FINE = 1601  # of the linear curve, for its minima

Model = Callable[[Floats], Floats]


class Prediction:
    """The linear arm in equilibrium in the posture it stops in, pushed by the accelerations of its joints."""

    def __init__(self, runs: BrakeRuns, compiled: CompiledArm, rest: StopMotion, measure: Measure) -> None:
        self.runs, self.rest, self.measure = runs, rest, measure
        self._compiled = compiled
        self._span = runs.span
        self._swing = swing_of(rest, damped=True)
        self.even = runs.hold != "path" and all(stop.even for stop in runs.stops)

    def residuals(self, times: Floats, *, only: Ints | None = None) -> Floats:
        """The residual at each braking time (s), of some poles (places among the roots of the swing) or of all."""
        runs = self.runs
        table = np.repeat(np.asarray(times, dtype=float)[:, None], len(runs.stops), axis=1)
        swing = self._swing
        x, rate = frozen_response(self.rest, swing, runs.stops, table, runs.hold, runs.origin, only)
        return self.measure.of_modes(self._compiled, self.rest, swing, x, rate, self._span)

    def modes(self, times: Floats) -> tuple[ResidualMode, ...]:
        """Every pole that has a share in the residual, with the whole periods of it within the times."""
        swing = self._swing
        groups = swing.groups()[: 2 * _MOST_MODES]
        parts = np.array([np.mean(self.residuals(times, only=group)) for group in groups])
        shares = parts / max(float(parts.sum()), 1e-300)
        found: list[ResidualMode] = []
        count = len(self.rest.omega)
        for group, share in zip(groups, shares, strict=True):
            if share < _LITTLE or len(found) == _MOST_MODES:
                continue
            root = complex(swing.roots[group[0]])
            rings = abs(root.imag) > _RINGS * abs(root)
            frequency = abs(root) / (2.0 * np.pi) if rings else 0.0
            # the mode that has the greatest part in it
            name = self.rest.names[int(np.argmax(np.abs(swing.right[:count, group[0]])))]
            alike = len(group) // 2 if rings else len(group)
            ratio = -root.real / abs(root)
            found.append(
                ResidualMode(
                    name=name if alike == 1 else f"{name} ({alike} alike)",
                    frequency_hz=frequency,
                    damping_ratio=float(ratio) if rings and abs(ratio) > _UNDAMPED else 0.0 if rings else 1.0,
                    share=float(share),
                    whole_periods=whole_periods(frequency, float(times[0]), float(times[-1])) if self.even else (),
                    decay=float(-root.real) + 0.0,
                )
            )
        return tuple(found)

    def group_of(self, mode: ResidualMode) -> Ints:
        """The places of a mode that rings among the roots of the damped swing."""
        swing = self._swing
        pole = 2.0 * np.pi * mode.frequency_hz * complex(-mode.damping_ratio, np.sqrt(1.0 - mode.damping_ratio**2))
        return min(swing.groups(), key=lambda group: _apart(complex(swing.roots[group[0]]), pole))

    def linear_braking(self, times: Floats) -> LinearBraking:
        """Modes, curve and minima of the linear arm."""
        fine = np.linspace(times[0], times[-1], _FINE)
        values = self.residuals(fine)
        minima = [float(fine[k]) for k, sign in turning_points(values, 1e-3 * float(np.max(values))) if sign < 0]
        return LinearBraking(self.modes(times), self.even, self.residuals(times), tuple(minima))

    def changes(self, time: float) -> tuple[float, float, float]:
        """What braking changes by itself: the leading frequency from its begin to its end, and size (parts) and
        direction (rad) of the joints' push on the modes that have it.
        """
        runs = self.runs
        each = np.full(len(runs.stops), time)
        compiled = runs.commanded(each)
        slowing = np.array([-stop.rate / time for stop in runs.stops])
        found = []
        for t in (runs.first_begin(each), runs.last_stop(each) + LATE):
            rest = motion_at_stop(compiled, runs.stops, t)
            push = rest.pushed @ slowing
            if self.measure.unit == "J":
                sizes = [np.array([np.linalg.norm(push[group])]) for group in rest.together()]
            else:
                rows = self.measure.rows(compiled, rest)
                sizes = [rows[:, group] @ push[group] / rest.omega[group[0]] ** 2 for group in rest.together()]
            k = max(range(len(sizes)), key=lambda j: float(np.linalg.norm(sizes[j])))
            found.append((float(rest.omega[rest.together()[k][0]]), sizes[k]))
        (before, first), (after, last) = found
        lengths = [max(float(np.linalg.norm(each)), 1e-300) for each in (first, last)]
        turn = float(np.arccos(np.clip(first @ last / (lengths[0] * lengths[1]), -1.0, 1.0)))
        return after / before - 1.0, lengths[1] / lengths[0] - 1.0, turn


def whole_periods(frequency: float, low: float, high: float) -> tuple[float, ...]:
    """Whole multiples of the period (s) within a range of times; none if they are too many to mean anything."""
    if frequency == 0.0:
        return ()
    first, last = int(np.ceil(low * frequency - 1e-9)), int(np.floor(high * frequency + 1e-9))
    return tuple(k / frequency for k in range(max(first, 1), last + 1)) if last - first < _MOST_PERIODS else ()


def leading(modes: Sequence[ResidualMode]) -> ResidualMode | None:
    """The mode with the greatest share of those that ring, None if there is none."""
    return max([mode for mode in modes if mode.frequency_hz > 0.0], key=lambda mode: mode.share, default=None)


def ruled(point: BrakePoint, linear: LinearBraking) -> BrakePoint:
    """The point with the whole periods of the leading mode, or the minimum of the linear curve, next to it."""
    lead = leading(linear.modes)
    if lead is None:
        return point
    if linear.even:
        count = max(1, round(point.time * lead.frequency_hz))
        word = f"{count} period{'s' * (count > 1)} of {lead.name}"
        return _with_rule(point, word, count / lead.frequency_hz)
    if not linear.minima:
        return point
    nearest = min(linear.minima, key=lambda time: abs(time - point.time))
    return _with_rule(point, "the linear arm's minimum", nearest)


def _with_rule(point: BrakePoint, word: str, time: float) -> BrakePoint:
    return replace(point, rule=word, rule_time=time)


def _apart(root: complex, pole: complex) -> float:
    """How far a root or its conjugate is from a pole with Im > 0 (1/s)."""
    return abs(complex(root.real, abs(root.imag)) - pole)


# --- Why they differ -------------------------------------------------------------------------------------------------


def explained(
    arm: Arm,
    prediction: Prediction,
    linear: LinearBraking,
    point: BrakePoint,
    fine: Looker,
    resolution: float,
) -> LinearBraking:
    """The prediction with the causes of the difference between its rule and a simulated minimum."""
    lead = leading(linear.modes)
    if lead is None or point.rule_time is None:
        return linear
    period = 1.0 / lead.frequency_hz
    runs = fine.runs
    box = (max(0.02 * period, point.time - 1.5 * period), point.time + 1.5 * period)
    box = (box[0], min([box[1], *(stop.longest(runs.hold) for stop in runs.stops)]))
    chain: list[tuple[str, Model]] = []
    if linear.even:
        # the rule's period is that of the damped pole, so the first step is this pole alone
        alone = prediction.group_of(lead)
        if lead.damping_ratio > 0.0:
            chain.append(("damping", lambda t: prediction.residuals(t, only=alone)))
        if len(linear.modes) > 1:
            chain.append(("the other modes", prediction.residuals))
    calm = _twin(arm.changed(gravity=(0.0, 0.0, 0.0)), prediction, fine, box)
    chain.append(("the motion: postures and rates change while braking", calm))
    if any(arm.gravity):
        chain.append(("gravity", _twin(arm, prediction, fine, box)))
    if runs.hold != "path":
        chain.append(("vibration from before the brake", lambda t: np.array([fine.residual(float(x)) for x in t])))
    causes: list[Cause] = []
    at = point.rule_time
    for what, model in chain[:-1]:
        found = _followed(model, at, period, box, resolution)
        if found is None:
            return replace(
                linear,
                causes=tuple(causes),
                sentence=f"the minimum cannot be followed from the rule to the simulation: it is lost with {what}",
            )
        causes.append(Cause(what, found[0] - at, *found))
        at = found[0]
    causes.append(Cause(chain[-1][0], point.time - at, point.time, point.residual))
    frequency, push, turn = prediction.changes(point.time)
    return replace(
        linear,
        causes=tuple(causes),
        explained=point.time,
        sentence=_sentence(point, causes, resolution),
        frequency_change=frequency,
        push_change=push,
        push_turn=turn,
    )


def _twin(arm: Arm, prediction: Prediction, fine: Looker, box: tuple[float, float]) -> Model:
    """The residual of the nonlinear arm that brakes from the equilibrium of its constant rates."""
    runs = fine.runs
    looker: Looker | None = None

    def left(times: Floats) -> Floats:
        nonlocal looker
        if looker is None:
            try:
                looker = Looker(runs.twin(arm, box, calm=True), fine.measure, StopBounds(), prediction.rest)
            except AnalysisError:
                return np.full(len(times), np.nan)
        return np.array([looker.residual(float(t)) for t in times])

    return left


def _followed(
    model: Model, near: float, period: float, box: tuple[float, float], resolution: float
) -> tuple[float, float] | None:
    """The minimum (s) of a model next to a time, and what it leaves there; None if there is none within a period."""
    times = np.linspace(max(box[0], near - 0.7 * period), min(box[1], near + 0.7 * period), _LOOKS)
    values = model(times)
    if not np.isfinite(values).all():
        return None
    minima = [k for k, sign in turning_points(values, 1e-3 * float(np.max(values))) if sign < 0]
    if not minima:
        return None
    k = min(minima, key=lambda j: abs(times[j] - near))
    at = golden_section(lambda t: float(model(np.array([t]))[0]), float(times[k - 1]), float(times[k + 1]), resolution)
    return at, float(model(np.array([at]))[0])


def _sentence(point: BrakePoint, causes: Sequence[Cause], resolution: float) -> str:
    """What makes most of the difference."""
    assert point.rule_time is not None
    off = point.time - point.rule_time
    if abs(off) <= 2.0 * resolution:
        return f"{point.rule} and the simulated minimum agree to {1e3 * max(abs(off), resolution):.2g} ms"
    most = max(causes, key=lambda cause: abs(cause.shift))
    way = "later" if off > 0 else "earlier"
    return (
        f"the simulated minimum lies {1e3 * abs(off):.2g} ms {way} than {point.rule}; the largest shift, "
        f"{1e3 * most.shift:+.2g} ms, comes from {most.what}"
    )
