"""The curve of the residual vibration versus the braking time, and the choice made from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from flexarm.analyses.brake.arrival import Arrivals, briefest, with_arrival
from flexarm.analyses.brake.prediction import Prediction, explained, ruled
from flexarm.analyses.brake.runs import BrakeRuns
from flexarm.analyses.brake.search import (
    Look,
    Looker,
    border,
    individual_times,
    refined,
    shortest_within,
    turning_points,
)
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.model import Arm
from flexarm.results.braking import BrakePoint, IndividualBraking, LinearBraking, RobustBraking
from flexarm.results.engineering import quantity

Progress = Callable[[str, int, int], None]

# An extreme stands out if the curve leaves it by this many times the noise, or this part of its greatest value.
_STANDS_OUT, _PART = 2.0, 1e-6
# Error allowed on the curve as a part of the residual, besides the absolute one.
_CURVE_PART = 2e-3
# Of what the long brakes leave: a curve that errs by more is too rough.
_NOISY = 0.01
# Largest tolerance with it.
_ROUGH = 1e-3
# The error of a run is estimated by one that is this many times tighter.
_TIGHTER = 16.0


class Choice:
    """A curve of residuals, its extremes and the best of them within the bounds."""

    def __init__(self, scan: Looker, fine: Looker, times: Floats, resolution: float, limit: float | None) -> None:
        self._scan, self._fine, self._wanted = scan, fine, times
        self._resolution, self._limit = resolution, limit
        self._looks: list[Look] = []
        self.minima: list[BrakePoint] = []
        self.maxima: list[BrakePoint] = []
        self.best: BrakePoint | None = None
        self.worst: BrakePoint | None = None
        self.shortest: BrakePoint | None = None
        self.noise = self.curve_error = np.nan
        self.notes: list[str] = []
        self.linear: LinearBraking | None = None
        self.robust: RobustBraking | None = None
        self.individual: IndividualBraking | None = None
        self.soonest: BrakePoint | None = None
        self.brief: BrakePoint | None = None
        self.settled: list[float | None] = []
        self._points: list[BrakePoint] = []
        stops = fine.runs.stops
        self.given = self._point(fine.of(np.array([stop.duration for stop in stops])), "model")

    # --- The curve ---------------------------------------------------------------------------------------------------

    @property
    def times(self) -> Floats:
        """Braking times (s) that have been run."""
        return self._wanted[: len(self._looks)]

    @property
    def residuals(self) -> Floats:
        """The residuals at them."""
        return np.array([look.residual for look in self._looks])

    @property
    def stops(self) -> Floats:
        """When the arm then stops (s)."""
        return np.array([look.stop for look in self._looks])

    @property
    def allowed(self) -> np.ndarray:
        """True where all bounds are kept."""
        return np.array([not look.broken for look in self._looks], dtype=bool)

    @property
    def torques(self) -> dict[str, Floats]:
        """Greatest drive torques or forces (N m, N) by joint over the times, if there are bounds on them."""
        runs = self._fine.runs
        if not self._scan.bounds.torques:
            return {}
        empty = np.full(len(runs.driven), np.nan)
        table = np.array([empty if look.torques is None else look.torques for look in self._looks])
        return {runs.compiled.coordinate_names[c]: table[:, j] for j, c in enumerate(runs.driven)}

    def run_curve(self, progress: Progress | None = None) -> None:
        """Run all times."""
        runs = self._scan.runs
        runs.prepare(np.repeat(self._wanted[:, None], len(runs.stops), axis=1))
        for k, each in enumerate(self._wanted):
            self._looks.append(self._scan.at(float(each)))
            if progress is not None:
                progress("curve", k + 1, len(self._wanted))
        failed = int(np.count_nonzero(np.isnan(self.residuals)))
        if failed == len(self._looks):
            raise AnalysisError(f"no run reached its stop: {self._scan.failure}")
        if failed:
            self.notes.append(f"{failed} of {len(self._looks)} runs failed: {self._scan.failure}")

    def curve_is_resolved(self, allowed: float) -> bool:
        """True if the curve errs by no more than allowed, or by a small part of itself."""
        values = self.residuals
        return all(
            abs(values[k] - look.residual) <= allowed + _CURVE_PART * look.residual
            for k, look in self._checked()
            if np.isfinite(values[k])
        )

    def tighter_by(self, size: float) -> float:
        """What the tolerance (m) is to be multiplied by, lest the error of the runs shows in what long brakes
        leave, in amplitude or in time; 1 if it does not. `size` (m) is what a unit of the residual moves.
        """
        values = self.residuals
        level = float(np.nanmax(values[-max(len(values) // 4, 2) :], initial=0.0))
        error = self._scan_noise()
        found = 1.0
        if error > _NOISY * level > 0.0:
            found = 0.5 * _NOISY * level / error
        if level > 0.0 and self._fine.measure.unit != "J":
            # steps that are long compared with the period shift the minima long before they blur the maxima
            found = min(found, _ROUGH * level * size / self._fine.runs.settings.tolerance)
        return 1.0 if found > 0.8 else max(found, 1e-3)

    def _checked(self) -> list[tuple[int, Look]]:
        """Places of the curve, its least and greatest among them, with what a fine run has there."""
        values = self.residuals
        places = sorted({int(np.nanargmin(values)), int(np.nanargmax(values)), len(values) // 2})
        return [(k, self._fine.at(float(self.times[k]))) for k in places]

    # --- What is chosen ----------------------------------------------------------------------------------------------

    def refine(self, progress: Progress | None = None) -> None:
        """Extremes to the resolution, the best within the bounds, the shortest under the limit."""
        self.curve_error = self._scan_noise()
        threshold = max(_STANDS_OUT * self.curve_error, _PART * float(np.nanmax(self.residuals)))
        turns = turning_points(self.residuals, threshold)
        for done, (k, sign) in enumerate(turns):
            if progress is not None:
                progress("extremes", done, len(turns))
            look = refined(self._fine, self.times, k, sign, self._resolution)
            (self.minima if sign < 0 else self.maxima).append(self._point(look, "minimum" if sign < 0 else "maximum"))
        borders = self._borders()
        ends = [self._point(self._fine.at(float(each)), "end of the range") for each in self.times[[0, -1]]]
        self._points = [*self.minima, *borders, *ends]
        self.best = self._best(self._points)
        known = [each for each in (*self.maxima, *ends) if np.isfinite(each.residual)]
        self.worst = max(known, key=lambda each: each.residual, default=None)
        self._report_noise()
        if self._limit is not None:
            self.shortest = self._shortest(borders)
        self._report_extremes()

    def _best(self, points: Sequence[BrakePoint]) -> BrakePoint | None:
        """The least residual of all that keep the bounds."""
        found = [each for each in points if each.allowed and np.isfinite(each.residual)]
        if not found and self.allowed.any():
            # a run of the curve keeps what its finer twin just breaks
            k = int(np.nanargmin(np.where(self.allowed, self.residuals, np.nan)))
            found = [self._point(self._looks[k], "bound")]
        return min(found, key=lambda each: each.residual, default=None)

    def _borders(self) -> list[BrakePoint]:
        """The last times that keep the bounds, next to some that do not."""
        found = []
        allowed = self.allowed
        for k in np.flatnonzero(allowed[1:] != allowed[:-1]):
            inside, outside = (k, k + 1) if allowed[k] else (k + 1, k)
            at = border(
                lambda t: not self._fine.at(t).broken,
                float(self.times[inside]),
                float(self.times[outside]),
                self._resolution,
            )
            found.append(self._point(self._fine.at(at), "bound"))
        return found

    def _shortest(self, borders: Sequence[BrakePoint]) -> BrakePoint | None:
        assert self._limit is not None
        # only times that may keep the limit are worth a finer run
        slack = self._limit + 3.0 * max(self.curve_error, self.noise)
        likely = self.times[self.allowed & (self.residuals <= slack)]
        extra = [each.time for each in (*self.minima, *borders) if each.allowed]
        candidates = np.unique(np.concatenate([likely, extra]))
        for candidate in candidates:
            look = self._fine.at(float(candidate))
            if look.broken or not look.residual <= self._limit:
                continue
            shorter = self.times[self.times < candidate]
            near = [float(shorter[-1]), float(candidate)] if len(shorter) else [float(candidate)]
            found = shortest_within(self._fine, near, self._limit, self._resolution)
            return None if found is None else self._point(found, "limit")
        return None

    # --- What is reported --------------------------------------------------------------------------------------------

    def _scan_noise(self) -> float:
        """The error of the loose runs of the curve, estimated at its least and greatest."""
        errors = np.array([abs(self.residuals[k] - look.residual) for k, look in self._checked()])
        return float(np.max(errors[np.isfinite(errors)], initial=0.0))

    def _report_noise(self) -> None:
        """The error of the fine runs, estimated at the best time."""
        at = self.best.time if self.best is not None else float(self.times[int(np.nanargmin(self.residuals))])
        runs = self._fine.runs
        simulation = runs.compiled.arm.simulation
        arm, tolerance = runs.compiled.arm, runs.settings.tolerance / _TIGHTER
        if simulation.step is not None:
            arm = arm.changed(simulation=simulation.changed(step=0.5 * simulation.step))
        finer = BrakeRuns(arm, runs.stops, runs.hold, runs.between, tolerance=tolerance, span=runs.span)
        finer.samples, finer.interval = 2 * runs.samples, 0.5 * runs.interval
        tight = Looker(finer, self._fine.measure, self._fine.bounds, self._fine.rest)
        self.noise = abs(tight.residual(at) - self._fine.residual(at))

    def _report_extremes(self) -> None:
        """Remarks on what was not found."""
        unit = self._fine.measure.unit
        low, high = (f"{each:.6g}" for each in self.times[[0, -1]])
        if self.best is None:
            words = sorted({word for look in self._looks for word in look.broken})
            self.notes.append(
                f"no braking time from {low} to {high} s keeps the bounds ({', '.join(words)}); {self._way_out()}"
            )
        elif self.best.kind == "end of the range":
            self.notes.append(
                f"the best time is the end of the range: the residual still falls there, beyond {self.best.time:.6g} s "
                "it may be less"
            )
        if not self.minima:
            self.notes.append(f"the residual has no minimum between {low} and {high} s")
        if self._limit is not None and self.shortest is None:
            if self.best is None:
                reason = "no time keeps the bounds"
            else:
                reason = f"the least is {quantity(self.best.residual, unit)} at {self.best.time:.5g} s"
            self.notes.append(
                f"no braking time from {low} to {high} s leaves {quantity(self._limit, unit)} or less: {reason}"
            )

    def _way_out(self) -> str:
        """What would have to be changed for the bounds to be kept."""
        longest = self._looks[-1]
        if "latest stop" in self._looks[0].broken:
            return f"the shortest brake is over at {self._looks[0].stop:.4g} s"
        runs = self._fine.runs
        needs = []
        for j, most in self._fine.bounds.decelerations.items():
            stop = runs.stops[j]
            power = 0.5 if runs.hold == "path" else 1.0
            needs.append(f"{stop.joint} needs {stop.duration * (stop.hardest / most) ** power:.4g} s")
        for j, most in self._fine.bounds.torques.items():
            if longest.torques is not None and longest.torques[j] > most:
                name = runs.compiled.coordinate_names[runs.driven[j]]
                needs.append(f"{name} still takes {longest.torques[j]:.4g} at {longest.time:.4g} s")
        return ", ".join(needs) or "try a wider range"

    def _point(self, look: Look, kind: str) -> BrakePoint:
        torques = None
        runs = self._fine.runs
        if look.torques is not None:
            names = [runs.compiled.coordinate_names[c] for c in runs.driven]
            torques = dict(zip(names, look.torques.tolist(), strict=True))
        return BrakePoint(look.time, look.residual, look.stop, kind, look.broken, torques=torques)

    def rank(self, arrivals: Arrivals, progress: Progress | None = None) -> None:
        """Settling times along the curve and of all reported points, and the braking time that settles first."""
        arrivals.prepare(self.times)
        for done, each in enumerate(self.times):
            self.settled.append(arrivals.at(float(each)))
            if progress is not None:
                progress("times to rest", done + 1, len(self.times))
        # dips may be narrower than the times of the curve are apart: their minima are refined too
        known = {float(t): bool(keeps) for t, keeps in zip(self.times, self.allowed, strict=True)}
        known |= {each.time: each.allowed for each in self._points}
        at = arrivals.soonest(known, self._resolution)
        if at is not None:
            self.soonest = with_arrival(self._point(self._fine.at(at), "soonest"), arrivals.at)
        if self.best is not None:
            self.brief = with_arrival(briefest(self.best, self._points, self.noise), arrivals.at)
        self.best, self.worst, self.shortest = (
            with_arrival(each, arrivals.at) for each in (self.best, self.worst, self.shortest)
        )
        self.minima = [replace(each, settled=arrivals.at(each.time)) for each in self.minima]
        self.maxima = [replace(each, settled=arrivals.at(each.time)) for each in self.maxima]
        durations = np.array([stop.duration for stop in self._fine.runs.stops])
        if durations.max() <= arrivals.longest * (1.0 + 1e-12):
            self.given = replace(self.given, settled=arrivals.of(durations))

    # --- Further questions -------------------------------------------------------------------------------------------

    def predict(self, prediction: Prediction) -> None:
        """The prediction of the linear arm for every minimum."""
        self.linear = prediction.linear_braking(self.times)
        self.minima = [ruled(each, self.linear) for each in self.minima]
        if self.best is not None:
            self.best = ruled(self.best, self.linear)

    def explain(self, arm: Arm, prediction: Prediction) -> None:
        """Why the best minimum is not where the rule has it."""
        kept = [each for each in self.minima if each.allowed] or self.minima
        if self.linear is not None and kept:
            least = min(kept, key=lambda each: each.residual)
            self.linear = explained(arm, prediction, self.linear, least, self._fine, self._resolution)

    def time_each_joint(self) -> None:
        """Braking times for every joint by itself, from the best common one."""
        runs = self._fine.runs
        if self.best is None or len(runs.stops) < 2:
            return
        count = self.runs
        box = float(self._wanted[0]), float(self._wanted[-1])
        look = individual_times(self._scan, self._fine, self.best.time, box, self._resolution)
        self.individual = IndividualBraking(
            {stop.joint: float(t) for stop, t in zip(runs.stops, look.times, strict=True)},
            look.residual,
            look.stop,
            self.runs - count,
            look.broken,
        )

    @property
    def runs(self) -> int:
        """The number of runs."""
        return self._scan.runs.runs + self._fine.runs.runs

    @property
    def lookers(self) -> tuple[Looker, Looker]:
        """The loose and the fine one."""
        return self._scan, self._fine

    @property
    def resolution(self) -> float:
        """To which times are refined (s)."""
        return self._resolution
