"""Which command moves the arm to the same place and leaves it at rest?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from flexarm.analyses.modes.joint_states import followed, states_in
from flexarm.analyses.run.integrate import RunFailed
from flexarm.analyses.shaping.bounds import Limits, Value, broken, read_bounds, read_distance
from flexarm.analyses.shaping.choice import advice_of, chosen_of
from flexarm.analyses.shaping.commands import (
    ALIKE,
    SHAPERS,
    Command,
    check_words,
    command_of,
    distinct,
    lasting,
)
from flexarm.analyses.shaping.laws import LAWS
from flexarm.analyses.shaping.move import Move, move_of
from flexarm.analyses.shaping.optimum import CommandBounds
from flexarm.analyses.shaping.plan import Planned, one_digit
from flexarm.analyses.shaping.robust import Uncertain, read_uncertain
from flexarm.analyses.shaping.runs import Bench, Measures
from flexarm.analyses.shaping.search import FAMILIES, find_optimum
from flexarm.analyses.shaping.shapers import Mode, damped_period
from flexarm.analyses.shaping.tuning import tuned_by_runs
from flexarm.errors import AnalysisError, FlexarmError
from flexarm.model import Arm
from flexarm.model.extent import check_can_move
from flexarm.model.reading.given import takes_arm
from flexarm.model.reading.messages import either, meant, quoted
from flexarm.results.engineering import quantity
from flexarm.results.settling import TOLERANCES
from flexarm.results.shape_study import CommandRow, RingingMode, ShapeStudy

SHIFTS = (-0.20, -0.10, -0.05, 0.05, 0.10, 0.20)
# Modes in which the tip swings by less than this part of all are left alone, and so are all beyond the first few.
_MATTERS, _MOST_MODES = 0.005, 4
# Modes that are reported, besides those that are shaped for.
_REPORTED = 6
# What time stepping may err by, as part of the unshaped residual and of the arm's reach.
_FINE, _FINEST = 2e-5, 1e-10
# Below this part of the arm's reach nothing is left to shape.
_NOTHING = 1e-9

Progress = Callable[[str, int, int], None]  # what has just been done; rows done, rows wanted


@takes_arm
def shape(
    arm: Arm,
    *,
    shapers: Sequence[str] | None = None,
    laws: Sequence[str] | None = None,
    modes: Sequence[int] | None = None,
    joints: str | None = None,
    optimum: bool = False,
    family: str | None = None,
    max_torque: Limits = None,
    max_rate: Limits = None,
    max_duration: Value | None = None,
    uncertain: Mapping[str, Any] | None = None,
    choose: str = "worst",
    vibration: float = 0.05,
    target: float = 0.01,
    within: Value | None = None,
    sensitivity: bool = True,
    progress: Progress | None = None,
) -> ShapeStudy:
    """The arm's move under shaped commands, compared with the unshaped one, and the command to take.

    Commands are ranked by the time, counted from t = 0, from which the tip stays `within` a distance of its target; if
    the unshaped command arrives first, none is recommended. All residuals count from the same time, the end of the
    longest command. Quantities are numbers in SI units or texts with a unit, for all joints or by joint.

    Parameters
    ----------
    arm
        An arm, or the path of its model file.
    shapers
        Of "zv", "zvd", "zvdd", "ei", "zv-simultaneous", "zvd-simultaneous".
    laws
        Smooth laws with tuned durations, of "cycloidal", "s-curve", "trapezoidal-acceleration".
    modes
        Numbers of the poles at the stop (1: the lowest) that shapers are designed for; default: those by which the tip
        vibrates.
    joints
        "servo" (closed loop), "locked" (every joint exactly on its command, servos left out) or None: as in the model
        file.
    optimum
        Also search the command with the least residual on the nonlinear arm.
    family
        Commands among which the optimum is searched: "knots" (an acceleration through knots on top of the best command)
        or "switches" (constant accelerations with free switching times). Default: both,
        "switches" only where "knots" leaves a noticeable residual.
    max_torque, max_rate, max_duration
        Bounds: commands that break them are not recommended, and the optimum keeps them. Without any, the optimum asks
        for no more torque than the unshaped command and takes one period longer.
    uncertain
        {"payload", "stiffness", "length", "frequency": ± part or factors}: commands are judged, and the optimum is
        searched, over the arms within these ranges.
    choose
        "worst" or "mean" of these arms.
    vibration
        Residual that an "ei" shaper allows at the mode itself, as a part of the unshaped one.
    target
        Part of the unshaped residual that is good enough where no command settles.
    within
        Distance (m); default: `target` of the unshaped residual, 1 mm at the most.
    sensitivity
        Also run every command with the frequencies shifted.
    progress
        Called with what is done, rows done and rows wanted.

    Returns
    -------
    ShapeStudy
        One row per command, the poles, and the arm with the command to take (`.arm()`). Ctrl-C ends the study with what
        is done (`.complete`).

    Examples
    --------
    >>> import flexarm as fa
    >>> found = fa.shape("rod_handler.toml", shapers=["zv"], laws=[], sensitivity=False)
    >>> [row.name for row in found.rows]
    ['unshaped', 'zv']
    """
    check_can_move(arm, "tip")
    given, arm = arm, followed(arm, joints)
    move = move_of(arm)
    for words, known, what in ((shapers, SHAPERS, "shapers"), (laws, LAWS, "laws")):
        check_words(words or (), known, what)
    if family is not None and family not in FAMILIES:
        raise AnalysisError(f"family is {quoted(str(family))}, must be {either(FAMILIES)}{meant(family, FAMILIES)}")
    if family is not None and not optimum:
        raise AnalysisError(f"family is {quoted(family)} but no optimum is searched, must be given with optimum")
    if not (np.isfinite(target) and target > 0.0):
        raise AnalysisError(f"target is {target:.6g}, must be > 0")
    ranges = read_uncertain(uncertain, choose)
    distance = None if within is None else read_distance(within)
    bounds = read_bounds(arm, list(move.laws), max_torque, max_rate, max_duration)
    table = _Table(arm, move, bounds, sensitivity, progress)
    table.given = given if joints == "locked" else None
    table.find_modes(modes)
    if ranges is not None:
        table.others = Uncertain(table.bench, ranges, choose, table.modes[0][0], move.duration)
    designed = distinct(table.modes)
    if shapers is None:
        shapers = ("zv", "zvd", "ei", *(("zv-simultaneous",) if len(designed) > 1 else ()))
    if laws is None:
        laws = LAWS if move.from_rest else ()
    table.wanted = 1 + len(shapers) + len(laws) + optimum
    planned = Planned(arm, move, designed, vibration)
    table.count_from(planned.latest(shapers, laws, bounds.duration if optimum else None, optimum), distance, target)
    try:
        table.add_unshaped()
        for word in shapers:
            table.add(word, "shaper", partial(planned.shaped, word))
        for word in laws:
            table.add(word, "law", partial(tuned_by_runs, table.bench, word, designed))
        if optimum:
            table.add_optimum(damped_period(*designed[0]), family)
    except KeyboardInterrupt:
        # what is done is done: the caller sees that it is not complete
        pass
    asked = {"shapers": list(shapers), "laws": list(laws), "optimum": optimum, "family": family}
    return table.study(target, asked | {"vibration": vibration, "sensitivity": sensitivity})


@dataclass(frozen=True, eq=False)
class _Done:
    command: Command
    measures: Measures


class _Table:
    """The rows as they come about."""

    def __init__(
        self, arm: Arm, move: Move, bounds: CommandBounds, sensitivity: bool, progress: Progress | None
    ) -> None:
        self.arm, self.move, self.bounds = arm, move, bounds
        self.shifts = SHIFTS if sensitivity else ()
        self.progress: Progress = progress if progress is not None else lambda *_: None
        self.bench = Bench(arm, move)
        self.rows: list[CommandRow] = []
        self.done: dict[str, _Done] = {}
        self.others: Uncertain | None = None
        self.wanted = 0
        self.given: Arm | None = None  # as it came, where its servos are left out
        self.notes: list[str] = []

    def find_modes(self, numbers: Sequence[int] | None) -> None:
        """Run the unshaped command, fine enough for its residual, and find which modes ring."""
        self.unshaped = command_of(self.arm, self.move, "unshaped", "unshaped")
        reach = self.bench.compiled.reach
        for _ in range(3):
            found = self.bench.measure(self.unshaped)
            residual = float(np.max(found.ranges))
            wanted = max(_FINE * residual, _FINEST * reach)
            if self.bench.settings.tolerance <= 5.0 * wanted:
                break
            self.bench.tighten(wanted)
        if residual <= _NOTHING * reach:
            raise AnalysisError(
                f"the command leaves a vibration of {quantity(residual, 'm', 2)} only, there is nothing to shape"
            )
        self.left_at_its_end = residual
        poles = self.bench.rest.poles
        self.swings = found.swings
        self.numbers = self._chosen(numbers)
        self.modes: list[Mode] = [(float(poles.frequencies_hz[i]), float(poles.ratios[i])) for i in self.numbers]
        self.bench.watch(min(mode[0] for mode in self.modes), max(mode[0] for mode in self.modes))

    def count_from(self, time: float, within: float | None, target: float) -> None:
        """Count residuals from a time (s) on, the same for all, and settling to within a distance (m)."""
        if within is None:
            within = one_digit(min(TOLERANCES[0], target * self.left_at_its_end))
        self.bench.count_from(time, within)

    def _chosen(self, numbers: Sequence[int] | None) -> list[int]:
        """Indices of the poles to shape for, the one by which the tip swings most first."""
        rings, swings = self.bench.rest.rings, self.swings
        if not rings.any():
            raise AnalysisError("nothing of the arm rings where its move stops, all its poles are real: shape nothing")
        if numbers is None:
            ringing = np.where(rings, swings, 0.0)
            order = [int(i) for i in np.argsort(-ringing) if ringing[i] >= _MATTERS * float(np.sum(ringing))]
            return order[:_MOST_MODES]
        count = len(rings)
        for number in numbers:
            if isinstance(number, bool) or not isinstance(number, int | np.integer) or not 1 <= number <= count:
                raise AnalysisError(f"modes holds {number!r}, must be whole numbers from 1 to {count}")
            if not rings[int(number) - 1]:
                raise AnalysisError(f"modes holds {number}, a real pole that does not ring, must be one that does")
        if not numbers:
            raise AnalysisError("modes: there is none, must be at least one number")
        return sorted({int(number) - 1 for number in numbers}, key=lambda i: -float(swings[i]))

    def add_unshaped(self) -> None:
        """The first row."""
        row = self._measured(self.unshaped)
        self.rows.append(row)
        self.progress("unshaped", 1, self.wanted)

    def add(self, name: str, kind: str, make: Callable[[], Command]) -> None:
        """One more row, with its reason where it cannot be had."""
        try:
            row = self._measured(make())
        except RunFailed as error:
            row = CommandRow(name, kind, "stopped", str(error))
        except FlexarmError as error:
            row = CommandRow(name, kind, "refused", str(error).splitlines()[0])
        self.rows.append(row)
        self.progress(name, len(self.rows), self.wanted)

    def add_optimum(self, period: float, family: str | None) -> None:
        """The row of the direct optimum, or why there is none."""
        measured = [(done.command, done.measures) for done in self.done.values()]

        def reported(what: str) -> None:
            self.progress(what, len(self.rows), self.wanted)

        found = find_optimum(self.bench, measured, self.bounds, period, reported, family, self.others)
        if found.command is None:
            self.rows.append(CommandRow("optimum", "optimum", "not found", found.reason))
        else:
            self.rows.append(replace(self._measured(found.command), reason=found.reason))
        reported("optimum")

    def _measured(self, command: Command) -> CommandRow:
        measures = self.bench.measure(command)
        shifted = tuple(self._shifted(command, shift) for shift in self.shifts)
        end = float(self.bench.times(self.bench.compiled, command.stop, self.bench.window)[-1])
        kept = replace(command, arm=lasting(command.arm, end))
        self.done[command.name] = _Done(kept, measures)
        residual = float(np.max(measures.ranges))
        each, last = ((), None) if self.others is None else self.others.judged(command)
        first = self.rows[0].residual if self.rows else residual
        x, y, z = (float(part) for part in measures.ranges)
        return CommandRow(
            name=command.name,
            kind=command.kind,
            duration=command.stop - self.move.begin,
            residual=residual,
            ratio=residual / first if first else None,
            residual_axes=(x, y, z),
            residual_energy=measures.energy,
            peak_deflection=measures.peak_deflection,
            peak_torque=measures.torque,
            peak_rate=measures.rate,
            sensitivity=shifted,
            uncertain=each,
            robust=self.others.summed(each) if self.others is not None else None,
            settled=measures.settled,
            robust_settled=last,
            beyond=broken(self.arm, self.bounds, measures, command.stop - self.move.begin),
            impulses=tuple(command.shaper.impulses()) if command.shaper is not None else None,
        )

    def _shifted(self, command: Command, shift: float) -> float | None:
        """The residual with all frequencies shifted; None if that arm cannot be run."""
        try:
            return self.bench.detuned_range(command, 1.0 + shift)
        except RunFailed:
            return None

    def study(self, target: float, options: Mapping[str, Any]) -> ShapeStudy:
        """All there is."""
        if not self.rows:
            raise KeyboardInterrupt
        best = chosen_of(self.rows, target)
        poles, there = self.bench.rest.poles, self.bench.destination()
        reported = sorted({*self.numbers, *range(min(_REPORTED, len(poles)))})
        if there.about == "equilibrium" and np.isfinite(there.off):
            self.notes.append(
                f"The tip comes to rest {quantity(there.off, 'm', 3)} from its target, where the rigid arm has it at "
                "the end of the command: settling counts from its equilibrium."
            )
        if self.arm.simulation.analysis != "nonlinear":
            self.notes.append(f"The file asks for a {self.arm.simulation.analysis} analysis; these runs are nonlinear.")
        return ShapeStudy(
            arm_name=self.arm.name,
            modes=tuple(
                RingingMode(
                    i + 1,
                    poles.names[i],
                    float(poles.frequencies_hz[i]),
                    float(poles.ratios[i]),
                    float(self.swings[i]),
                    any(abs(poles.frequencies_hz[i] - frequency) <= ALIKE * frequency for frequency, _ in self.modes),
                    float(-poles.values[i].real),
                )
                for i in reported
            ),
            joints={name: self.arm.link(name).joint.unit for name in self.move.laws},
            joint_states=states_in(self.arm),
            shifts=self.shifts,
            rows=tuple(self.rows),
            chosen=best,
            target=target,
            bounds={
                "torque": dict(self.bounds.torque),
                "rate": dict(self.bounds.rate),
                "duration": self.bounds.duration,
            },
            window=self.bench.window,
            counted_from=self.bench.counted_from,
            within=self.bench.within,
            about=there.about,
            uncertain={} if self.others is None else dict(self.others.ranges),
            choose=None if self.others is None else self.others.by,
            arms_that_may_be=() if self.others is None else self.others.words,
            advice=advice_of(self.rows, best, target, self.bench.within, there.about),
            notes=tuple(self.notes),
            wanted=self.wanted,
            options=options,
            arms={name: done.command.arm for name, done in self.done.items()},
            studied=self.arm,
            given=self.given,
        )
