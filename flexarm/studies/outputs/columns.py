"""The columns of a study's table: outputs by name, resolved against the arm into columns of numbers.

"tip.x"              at every time of the study, for bands over time
"tip.x@0.5 s"        at a time; "tip.x@end" at the end
"max(tip.deflection)", "min(…)", "peak(…)"    greatest, least, greatest absolute value over the run
"residual(tip.y)"    range after the command last switched or came to rest
"residual(tip)"      greatest distance from the point's target after the command's end
"settling_time(tip@1 mm)"    when the point stays within a distance of its target, from t = 0 (s)

The last two take "about equilibrium" and "of elastic" behind the point or the distance: `flexarm.results.settling`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import final

import numpy as np

from flexarm.analyses.run.end_of_command import last_change
from flexarm.analyses.run.integrate import sample_times, settings_of
from flexarm.analyses.run.one_run import follow
from flexarm.analyses.sensors.measured import check_sensors, refined
from flexarm.analyses.signals.names import in_lanes, is_measured, signal_unit
from flexarm.analyses.signals.observed import Observed, OneObserved, snapped
from flexarm.assembly import CompiledArm
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError, FlexarmError
from flexarm.model import Arm
from flexarm.model.reading.messages import quoted
from flexarm.results.extremes import extremes_of_batch
from flexarm.results.stored_samples import series_column
from flexarm.studies.outputs.requirement_values import Check, check_fits, check_times, make_check, needs_nominal
from flexarm.studies.outputs.settling import Aim, check_aim, read_aim, settles, settling_values
from flexarm.studies.reliability.requirements import PLANES, Requirement

# How many times bands have where none are given.
TIMES = 41
MEASURES = ("max", "min", "peak", "residual", "settling_time")
_MEASURE = re.compile(rf"({'|'.join(MEASURES)})\((.+)\)")


@final
@dataclass(frozen=True)
class Column:
    """One number of every sample: a signal at a time (s), or a measure of it over the run."""

    name: str
    unit: str
    signal: str
    time: float | None = None
    over: str | None = None
    aim: Aim | None = None  # of a settling time or a residual distance


@final
@dataclass(frozen=True, eq=False)
class Plan:
    """Everything that is kept of a sample; SI."""

    columns: tuple[Column, ...]
    checks: tuple[Check, ...]
    series: tuple[str, ...]  # signals with a column at every one of the times
    times: tuple[float, ...]
    grid: tuple[float, ...]  # where whole runs are sampled; empty if nothing needs that
    unasked: frozenset[str] = frozenset()  # columns kept for pictures alone
    asked: Mapping[str, str] = field(default_factory=dict)  # words asked for that are one number → their columns

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of all columns, outputs before requirements."""
        return (*(column.name for column in self.columns), *(each.requirement.column for each in self.checks))

    @property
    def units(self) -> dict[str, str]:
        """The SI unit of every column."""
        wanted = [each.requirement for each in self.checks]
        return {c.name: c.unit for c in self.columns} | {each.column: each.unit for each in wanted}

    @property
    def in_equilibrium(self) -> bool:
        """True if something counts from where the arm comes to rest."""
        aims = [each.aim for each in self.columns] + [each.settling for each in self.checks]
        return any(aim is not None and aim.about == "equilibrium" for aim in aims)

    @property
    def run_by_run(self) -> bool:
        """True if something is asked for that runs in lanes do not know."""
        signals = [each.signal for each in self.columns] + [each.requirement.signal for each in self.checks]
        return not all(in_lanes(signal) for signal in signals if signal)

    @cached_property
    def headline(self) -> tuple[str, ...]:
        """The columns that stand for the rest: single numbers, and every signal at its last time."""
        last = {series_column(signal, self.times[-1]) for signal in self.series}
        inner = {series_column(signal, time) for signal in self.series for time in self.times[:-1]}
        return tuple(name for name in self.names if name in last or name not in inner | self.unasked)

    @cached_property
    def sampled(self) -> Floats:
        """All times (s) at which a run has to be known, rising."""
        return _instants(self.grid, self.columns, [each.times for each in self.checks])

    @cached_property
    def _on_grid(self) -> np.ndarray:
        return np.isin(self.sampled, self.grid)

    def rows(self, observed: Observed) -> Floats:
        """The numbers (runs, columns) of runs that reached their ends."""
        found = np.empty((len(self.names), observed.count))
        for signal, (columns, instants) in self._timed.items():
            found[columns] = observed.signal(signal)[instants]
        for k, column in enumerate(self.columns):
            if column.over is not None:
                found[k] = _over_run(column, observed, self._on_grid)
        for k, each in enumerate(self.checks, start=len(self.columns)):
            found[k] = each.numbers(observed)
        return found.T

    @cached_property
    def _timed(self) -> dict[str, tuple[list[int], list[int]]]:
        """Signal → columns that have it at a time, and which of the times."""
        found: dict[str, tuple[list[int], list[int]]] = {}
        for k, column in enumerate(self.columns):
            if column.time is not None:
                columns, instants = found.setdefault(column.signal, ([], []))
                columns.append(k)
                instants.append(int(np.searchsorted(self.sampled, column.time)))
        return found


def region_axes(wanted: Requirement) -> tuple[int, ...]:
    """The base axes (0 is x) along which a region is bounded; none where the requirement is no region."""
    if wanted.kind in ("circle", "ellipse"):
        first, second = PLANES[wanted.plane]
        return first, second
    return tuple(range(len(wanted.size) or 3)) if wanted.kind in ("sphere", "box") else ()


def place_columns(check: Check) -> tuple[str, ...]:
    """The columns of where the point of a region is, if the region is looked at once; none otherwise."""
    wanted = check.requirement
    if len(check.times) != 1:
        return ()
    time = float(check.times[0])
    return tuple(series_column(f"{wanted.point}.{'xyz'[axis]}", time) for axis in region_axes(wanted))


def region_of(check: Check) -> tuple[tuple[str, ...], tuple[float, ...]]:
    """The columns of where the point of a region is, and the region's centre (m); nothing for other requirements."""
    columns = place_columns(check)
    return (columns, tuple(check.aim[0].tolist()[: len(columns)])) if columns and check.aim is not None else ((), ())


def plan_outputs(
    arm: Arm,
    compiled: CompiledArm,
    outputs: Sequence[str] | None,
    times: Sequence[float] | int | None,
    requirements: Sequence[Requirement] = (),
) -> Plan:
    """The words resolved against the nominal arm; words, points and times it does not have are refused.

    `times` (s) are those of the bands, or how many of them, evenly from 0 to the end.
    """
    settings = settings_of(arm.simulation)
    end = settings.end
    grid = sample_times(end, arm.simulation.output_interval or end / 1000)
    chosen = _times(times, end, grid)
    changes = last_change(arm, compiled.commands.switches, end)
    words = list(dict.fromkeys(_default(compiled, changes, end) if outputs is None else outputs))
    if not words and not requirements:
        raise AnalysisError("outputs: there is none, must be at least one such as tip.x")
    columns: dict[str, Column] = {}
    series = []
    asked = {}
    for word in words:
        for column in _columns(word.strip(), compiled, chosen, end, grid):
            if column.aim is not None:
                check_aim(f"the output {quoted(word)}", compiled, column.aim, end)
            elif column.over == "residual" and changes is None:
                raise AnalysisError(f"the output {quoted(word)} needs a command that comes to rest before the end")
            columns.setdefault(column.name, column)
            asked[word.strip()] = column.name
        if is_series(word):
            series.append(word.strip())
            asked.pop(word.strip(), None)
    measured = any(is_measured(column.signal) for column in columns.values())
    if measured or any(is_measured(each.signal) for each in requirements):
        # what a sensor reads depends on all that came before
        check_sensors(compiled)
        used = tuple(refined(arm, grid)[0].tolist())
    else:
        used = tuple(grid.tolist()) if any(column.over for column in columns.values()) else ()
    for each in requirements:
        check_fits(each, compiled)
    moments = [check_times(each, grid, end) for each in requirements]
    nominal = None
    if any(needs_nominal(each) for each in requirements):
        nominal = nominal_run(compiled, _instants(used, columns.values(), moments))
    checks = [make_check(each, when, nominal) for each, when in zip(requirements, moments, strict=True)]
    # where the point of a region is costs nothing more, and shows which samples miss it and by how much
    places = {name: float(check.times[0]) for check in checks for name in place_columns(check) if name not in columns}
    columns |= {name: Column(name, "m", name.partition("@")[0], time=time) for name, time in places.items()}
    return Plan(tuple(columns.values()), tuple(checks), tuple(series), chosen, used, frozenset(places), asked)


def nominal_run(compiled: CompiledArm, times: Floats) -> Observed:
    """The run of the nominal arm; one that stops early is refused."""
    simulation = compiled.arm.simulation
    if compiled.arm.controllers:
        from flexarm.analyses.plant.controlled import sample_controlled

        controlled = sample_controlled(compiled.arm, np.array(times), compiled.arm)
        run, observed = controlled.run, controlled.observed
    else:
        run = follow(compiled, settings_of(simulation), times, simulation.analysis)
        observed = OneObserved(compiled, run, simulation.analysis)
    if run.status == "interrupted":
        raise KeyboardInterrupt
    if not run.ok:
        raise AnalysisError(f"the nominal arm stopped at t = {run.reached:.4g} s: {run.message}; try {run.advice}")
    return observed


def _instants(grid: Sequence[float], columns: Iterable[Column], moments: Sequence[Floats]) -> Floats:
    """All these times, rising, each once."""
    at = [column.time for column in columns if column.time is not None]
    return np.unique(np.concatenate([np.array([*grid, *at], dtype=float), *moments]))


def _times(times: Sequence[float] | int | None, end: float, grid: Floats) -> tuple[float, ...]:
    if times is None or isinstance(times, int):
        count = TIMES if times is None else times
        if count < 2:
            raise AnalysisError(f"times is {count}, must be at least 2 of them, or a list of times")
        chosen = np.linspace(0.0, end, count).tolist()
    else:
        chosen = [float(time) for time in times]
    for time in chosen:
        if not 0.0 <= time <= end * (1.0 + 1e-9):
            raise AnalysisError(f"times holds {time:.6g} s, must be within 0 and the end, {end:.6g} s")
    return tuple(sorted({snapped(time, grid) for time in chosen}))


def _default(compiled: CompiledArm, changes: float | None, end: float) -> list[str]:
    """Default outputs: path and deflection of the tip, and motion of the joints."""
    tip = "tip" if "tip" in compiled.point_names else compiled.point_names[0]
    axes = "xy" if compiled.arm.planar else "xyz"
    words = [f"{tip}.{axis}" for axis in axes]
    if len(compiled.elastic_coordinates):
        words += [f"{tip}.deflection", f"max({tip}.deflection)"]
        words += [f"residual({tip}.{axis})" for axis in axes if changes is not None]
        words += [f"residual({tip})"] if settles(compiled, tip, end) else []
    free = set(compiled.free.tolist())
    for name, c in zip(compiled.joint_names, compiled.joint_coordinates.tolist(), strict=True):
        words += [f"{name}.position", f"{name}.rate"] if c in free else []
    return words


def usual_outputs(arm: Arm, compiled: CompiledArm) -> list[str]:
    """The outputs of a study that asks for none in particular."""
    end = settings_of(arm.simulation).end
    return _default(compiled, last_change(arm, compiled.commands.switches, end), end)


def is_series(word: str) -> bool:
    """True of a signal at every time, False of a single number of a run."""
    return "@" not in word and _MEASURE.fullmatch(word.strip()) is None


def _columns(word: str, compiled: CompiledArm, times: Sequence[float], end: float, grid: Floats) -> list[Column]:
    if match := _MEASURE.fullmatch(word):
        if (aim := read_aim(word, match[1], match[2])) is not None:
            signal_unit(compiled, f"{aim.point}.distance")
            unit = "s" if match[1] == "settling_time" else "m"
            return [Column(word, unit, f"{aim.point}.distance", over=match[1], aim=aim)]
        return [Column(word, signal_unit(compiled, match[2]), match[2], over=match[1])]
    signal, at, when = word.partition("@")
    unit = signal_unit(compiled, signal)
    chosen = [snapped(_when(word, when.strip(), end), grid)] if at else list(times)
    return [Column(series_column(signal, time), unit, signal, time=time) for time in chosen]


def _when(word: str, text: str, end: float) -> float:
    """A time of the run (s)."""
    from flexarm.studies.parameters.quantities import read_quantity

    if text == "end":
        return end
    try:
        time = read_quantity(text, "s")
    except FlexarmError as error:
        raise AnalysisError(f"the output {quoted(word)}: the time {error}") from None
    if not 0.0 <= time <= end * (1.0 + 1e-9):
        raise AnalysisError(f"the output {quoted(word)} is at {time:.6g} s, must be within 0 and the end, {end:.6g} s")
    return time


def jumps_with_command(signal: str) -> bool:
    """True of a signal that jumps where a command switches."""
    what = signal.rpartition(".")[2]
    return what == "torque" or what.endswith("acceleration") or what.startswith("reaction")


def _over_run(column: Column, observed: Observed, on_grid: np.ndarray) -> Floats:
    """A measure (runs,) of a signal over its run."""
    if column.aim is not None:
        return settling_values(column.aim, observed, on_grid)
    values, rates = observed.signal(column.signal), observed.rates(column.signal)
    times = observed.times
    if not on_grid.all():
        times, values = times[on_grid], values[on_grid]
        rates = None if rates is None else rates[on_grid]
    after = observed.changed() if column.over == "residual" else None
    jumps = observed.switches() if jumps_with_command(column.signal) else None
    smooth = observed.smooth_signal(column.signal)
    least, greatest = extremes_of_batch(times, values, rates, after=after, between=smooth, jumps=jumps)
    if column.over == "residual":
        return greatest - least
    if column.over == "peak":
        return np.maximum(np.abs(least), np.abs(greatest))
    return greatest if column.over == "max" else least
