"""How is the arm stopped without residual vibration?"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np

from flexarm.analyses.brake.arrival import Arrivals, default_within
from flexarm.analyses.brake.choice import Choice
from flexarm.analyses.brake.family import robust_choice
from flexarm.analyses.brake.laws import TOGETHER, chosen_hold, stops_of
from flexarm.analyses.brake.options import pasted, read_between, read_bounds, read_quantity
from flexarm.analyses.brake.prediction import Prediction
from flexarm.analyses.brake.residual import Measure
from flexarm.analyses.brake.robust import read_ranges
from flexarm.analyses.brake.runs import Braked, BrakeRuns
from flexarm.analyses.brake.search import LATE, Looker
from flexarm.analyses.brake.stop import motion_at_stop, swing_of
from flexarm.analyses.modes.joint_states import followed, states_in
from flexarm.analyses.run.trust import bent_too_far
from flexarm.errors import AnalysisError
from flexarm.model import Arm
from flexarm.model.reading.given import takes_arm
from flexarm.results.braking import BrakeStudy
from flexarm.results.engineering import quantity

Progress = Callable[[str, int, int], None]  # what, how many are done, how many are wanted

# The curve is run this many times looser than the runs that report its extremes.
SCAN = 10.0
PERIODS = 3.0  # of the slowest mode: the window if none is given
# The samples resolve this number of modes.
FOLLOWED = 3
# Minima come once per period: with this number of times in each none is missed.
PER_PERIOD = 4.0
ENVELOPE = "envelope"
# Of the arm's reach: no tolerance is made tighter than this.
FINEST = 1e-12


@takes_arm
def brake(
    arm: Arm,
    between: Sequence[Any] | None = None,
    *,
    points: int = 200,
    residual: str | Sequence[float] = "across",
    point: str = "tip",
    window: float | str | None = None,
    hold: str | None = None,
    braked: Collection[str] | None = None,
    joints: str | Collection[str] | None = None,
    max_torque: Any = None,
    max_deceleration: Any = None,
    latest_stop: float | str | None = None,
    limit: float | str | None = None,
    uncertain: Mapping[str, Any] | None = None,
    choose: str = "worst",
    individual: bool = False,
    explain: bool = True,
    resolution: float | str = 1e-4,
    within: float | str | None = None,
    tolerance: float | str | None = None,
    progress: Progress | None = None,
) -> BrakeStudy:
    """The residual vibration after the stop versus the braking time, its minima, and the braking time to take.

    Quantities are numbers in SI units or texts with a unit.

    Parameters
    ----------
    arm
        An arm, or the path of its model file.
    between
        Range of braking times (s); default: half to one and a half times the model's.
    points
        Number of braking times on the curve.
    residual
        "across" (range of the point across its link), "x", "y", "z" or three numbers (range along a direction of the
        base frame), "energy", "coordinate:NAME", or a signal of the arm's shape: "root.strain", "tip.across",
        "rod.curvature_z_at_250_mm".
    point
        The point whose vibration is measured.
    window
        Time after the stop (s) in which it is measured; default: three periods of the slowest mode. "envelope": from
        the amplitudes of all modes at the stop.
    hold
        What stays when the braking time changes: "end" (where the joints stop; braking begins earlier or later on the
        way at constant rate), "begin" (when braking begins) or "path" (the whole motion is slower or faster). Default:
        "end"; "path" for laws without a constant rate before they brake.
    braked
        Names of the joints to brake; default: all that stop last.
    joints
        "servo" (closed loop), "locked" (every joint exactly on its command, servos left out) or None: as in the model
        file. A list of names means the same as `braked`.
    max_torque, max_deceleration
        StopBounds, one value or values by joint; braking times that break them are never chosen.
    latest_stop
        Time (s) by which the arm must have stopped.
    limit
        Also find the shortest stop whose residual vibration is at most this.
    uncertain
        Also find the best time for {"payload", "stiffness", "length": ± part or factors}.
    choose
        "worst" or "mean" of the uncertain arms.
    individual
        Also find a braking time for each joint individually.
    explain
        Also explain why the best time is not a whole number of periods.
    resolution
        Times are refined to this (s).
    within
        Braking times are ranked by when the point stays within this distance (m) of its target, counted from t = 0;
        default: the least residual, rounded up to one digit, 1 mm at the most.
    tolerance
        Displacement error (m) of the runs.
    progress
        Called with what is done, how much of it and how much is wanted.

    Returns
    -------
    BrakeStudy
        The curve, minima and maxima, `soonest` (at rest first), `best` (least residual) and the lines for the model
        file.

    Examples
    --------
    >>> import flexarm as fa
    >>> found = fa.brake("rod_handler.toml", ("0.44 s", "0.52 s"), points=17, residual="y", explain=False)
    >>> f"{found.best.time:.3f} s"
    '0.477 s'
    """
    begun = time.process_time()
    if points < 3:
        raise AnalysisError(f"points is {points}, must be ≥ 3")
    if choose not in ("worst", "mean"):
        raise AnalysisError(f'choose is "{choose}", must be "worst" or "mean"')
    ranges = None if uncertain is None else read_ranges(uncertain)
    if joints is not None and not isinstance(joints, str):
        joints, braked = None, joints
    arm = followed(arm, joints)
    stops = stops_of(arm, None if braked is None else tuple(braked))
    hold = chosen_hold(stops, hold)
    (low, high), remark = read_between(between, stops, hold)
    fineness = read_quantity(resolution, "s", "resolution")
    distance = None if within is None else read_quantity(within, "m", "within")
    allowed = arm.simulation.tolerance if tolerance is None else read_quantity(tolerance, "m", "tolerance")
    scout = BrakeRuns(arm, stops, hold, (low, high), tolerance=allowed)
    middle = np.full(len(stops), 0.5 * (low + high))
    compiled = scout.commanded(middle)
    rest = motion_at_stop(compiled, stops, scout.last_stop(middle) + LATE)
    measure = Measure(arm, compiled, residual, point, window == ENVELOPE)
    span = 0.0
    if not measure.at_once:
        span = PERIODS * rest.period if window is None else read_quantity(window, "s", "window")
    highest = float(rest.omega[min(FOLLOWED, len(rest.omega)) - 1]) / (2.0 * np.pi)

    def runs_within(tolerance: float, length: float) -> BrakeRuns:
        return BrakeRuns(arm, stops, hold, (low, high), tolerance=tolerance, span=length, highest=highest)

    fine_runs = runs_within(allowed, span)
    bounds, bounds_text = read_bounds(arm, fine_runs, max_torque, max_deceleration, latest_stop)
    most = None if limit is None else read_quantity(limit, measure.unit, "limit")
    fine = Looker(fine_runs, measure, bounds, rest)

    def scanning(by_modes: bool) -> Choice:
        runs = runs_within(SCAN * allowed, 0.0 if by_modes else span)
        free = measure.free_swing(compiled, rest, swing_of(rest, damped=True), span) if by_modes else None
        looker = Looker(runs, measure, bounds, rest, free)
        return Choice(looker, fine, np.linspace(low, high, points), fineness, most)

    by_modes = span > 0.0 and hold != "begin" and not bounds.torques and fine_runs.calms_down(compiled, middle)
    choice = scanning(by_modes)
    notes = [remark] if remark else []
    notes += _stops_apart(fine_runs, middle)
    notes += _points_apart((high - low) / (points - 1), rest.period)
    before = time.process_time()
    interrupted, curve_seconds = "", 0.0
    arrivals: Arrivals | None = None

    def report(what: str, done: int = 0, wanted: int = 1) -> None:
        nonlocal interrupted
        interrupted = f"{what}, {done} of {wanted} done" if wanted > 1 else what
        if progress is not None:
            progress(what, done, wanted)

    try:
        report("curve", 0, points)
        choice.run_curve(report)
        size = measure.distance(compiled, rest)
        if by_modes and not choice.curve_is_resolved(SCAN * allowed / size):
            # it swings too wide for its modes
            by_modes = False
            choice = scanning(by_modes)
            choice.run_curve(report)
        while tolerance is None and (tighter := choice.tighter_by(size)) < 1.0 and allowed > FINEST * compiled.reach:
            # the residual is so small that the runs are too rough for it
            allowed *= tighter
            fine_runs = runs_within(allowed, span)
            fine = Looker(fine_runs, measure, bounds, rest)
            choice = scanning(by_modes)
            choice.run_curve(report)
        curve_seconds = time.process_time() - before
        choice.refine(report)
        report("times to rest")
        least = choice.best.residual if choice.best is not None else np.nan
        near = default_within(least, measure.unit) if distance is None else distance
        arrivals = Arrivals(runs_within(allowed, span), measure, near, max(span, PERIODS * rest.period), rest.period)
        choice.rank(arrivals, report)
        prediction = Prediction(fine_runs, compiled, rest, measure)
        choice.predict(prediction)
        if explain:
            report("reasons")
            choice.explain(arm, prediction)
        if ranges is not None:
            choice.robust = robust_choice(arm, ranges, choose, choice, report)
        if individual:
            report("individual times")
            choice.time_each_joint()
        shown = [each.q for each in _shown_runs(fine_runs, choice)]
        if shown:
            notes += bent_too_far(compiled, np.concatenate(shown))
        interrupted = ""
    except KeyboardInterrupt:
        if len(choice.times) < 2:
            raise
    best = choice.best
    about = "target" if arrivals is None else arrivals.destination(middle).about
    if arrivals is not None and about == "equilibrium" and np.isfinite(off := arrivals.destination(middle).off):
        notes.append(
            f"{point} comes to rest {quantity(off, 'm', 3)} from its target, where the rigid arm has it at the end of "
            "the command: the settling time counts from its equilibrium"
        )
    return BrakeStudy(
        arm_name=arm.name,
        joints=tuple(stop.joint for stop in stops),
        joint_states=states_in(arm),
        hold=hold,
        measure=measure.name,
        unit=measure.unit,
        window=None if measure.at_once else span,
        times=choice.times,
        residuals=choice.residuals,
        stops=choice.stops,
        allowed=choice.allowed,
        given=choice.given,
        minima=tuple(choice.minima),
        maxima=tuple(choice.maxima),
        best=best,
        worst=choice.worst,
        limit=most,
        shortest=choice.shortest,
        bounds=bounds_text,
        linear=choice.linear,
        robust=choice.robust,
        individual=choice.individual,
        resolution=fineness,
        noise=choice.noise,
        curve_error=choice.curve_error,
        tolerance=allowed,
        runs=choice.runs + (0 if arrivals is None else arrivals.runs),
        cpu_seconds=time.process_time() - begun,
        curve_seconds=curve_seconds,
        paste=() if best is None else pasted(arm, stops, hold, fine_runs.origin, best.time),
        notes=tuple([*notes, *choice.notes]),
        interrupted=interrupted,
        torques=choice.torques,
        soonest=choice.soonest,
        brief=choice.brief,
        settled=tuple(choice.settled) if len(choice.settled) == len(choice.times) else (),
        within=1e-3 if arrivals is None else arrivals.within,
        about=about,
        watched=0.0 if arrivals is None else arrivals.end,
        arm=arm,
    )


def _shown_runs(runs: BrakeRuns, choice: Choice) -> list[Braked]:
    """The runs with the greatest and the least that is left."""
    points = [each for each in (choice.worst, choice.best) if each is not None]
    return [runs.run(np.full(len(runs.stops), each.time)) for each in points]


def _points_apart(interval: float, period: float) -> list[str]:
    """A remark if minima may hide between the times of the curve."""
    if not interval > period / PER_PERIOD:
        return []
    return [
        f"the times of the curve are {quantity(interval, 's', 3)} apart and the slowest vibration takes "
        f"{quantity(period, 's', 3)}: minima between them may be missed, try more points or a narrower range"
    ]


def _stops_apart(runs: BrakeRuns, times: Any) -> list[str]:
    """A remark if the joints do not stop together."""
    ends = {
        stop.joint: stop.end_of(float(t), runs.hold, runs.origin) for stop, t in zip(runs.stops, times, strict=True)
    }
    if max(ends.values()) - min(ends.values()) <= TOGETHER:
        return []
    stops = ", ".join(f"{joint} {end:.4g} s" for joint, end in ends.items())
    return [f"the joints do not stop together ({stops}): the residual counts from the last stop"]
