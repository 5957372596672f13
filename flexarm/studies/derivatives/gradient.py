"""Exact derivatives of outputs and signals of a run by numbers of the model file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Unpack

import numpy as np

from flexarm.analyses.run.integrate import Settings, settings_of
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.model import Arm
from flexarm.model.parts.simulation import SimulationSettings, given_settings, takes_settings
from flexarm.model.reading.given import takes_arm
from flexarm.model.reading.messages import quoted
from flexarm.results.gradient import Gradient, Jacobian
from flexarm.studies.derivatives.asked import Asked, asked_of, refuse_measured
from flexarm.studies.derivatives.directions import directions_of
from flexarm.studies.derivatives.outputs import DerivedRows, derived_rows, moving_times
from flexarm.studies.derivatives.runs import derived_run
from flexarm.studies.derivatives.variants import Variants, variants_of
from flexarm.studies.outputs.columns import Plan, jumps_with_command, plan_outputs

# Part of a derivative that it may err by, and of the largest of its row of which no part is asked for.
ACCURACY, _NEGLIGIBLE = 1e-5, 1e-3
# Runs at most, each with half the steps of the one before, and the tolerance (parts of the reach) below which rounding
# decides.
_MOST_RUNS, _FINEST = 8, 1e-13


@takes_arm
@takes_settings
def gradient(
    arm: Arm, *, of: str | Sequence[str], by: str | Sequence[str], **settings: Unpack[SimulationSettings]
) -> Gradient:
    """Exact derivatives of outputs of the run by numbers of the model file, SI.

    They are carried along by the run itself, in the steps it takes: no runs are differenced. Runs with ever finer steps
    follow until the derivatives no longer change.

    Parameters
    ----------
    arm
        An arm, or the path of its model file.
    of
        Outputs: a signal at a time, "tip.y @ end" or "tip.y @ 1.5 s"; "max(…)", "min(…)" and "peak(…)" of a signal;
        "residual(tip.y)", its range after the last switch of the command; "residual", the greatest distance of the tip
        from its target after the command's end; "peak torque", the greatest of all drives (N m, N).
    by
        Paths of numbers in the model file, such as "link[1].beam.bending_stiffness" or "motion.stop.braking_time".
    **settings
        Settings of the run in place of the model file's, as for `simulate`.

    Returns
    -------
    Gradient
        `.value` (len(of)), `.derivative` (len(of), len(by)) and its estimated `.error`.

    Examples
    --------
    >>> import flexarm as fa
    >>> found = fa.gradient("rod_handler.toml", of="tip.y @ end", by="link[2].length")
    >>> found.derivative.shape
    (1, 1)
    """
    arm = _ready(arm, settings)
    directions = directions_of(arm, by)
    variants = variants_of(directions)
    asked = asked_of(directions.study.nominal, variants.nominal, of)
    plan = asked.plan
    rows, error, info = _refined(variants, plan, settings_of(arm.simulation), asked.rows)
    none, remarks = _without(variants, asked, rows)
    rows.derivatives[none] = error[none] = np.nan
    return Gradient(
        arm_name=arm.name or "",
        of=asked.words,
        by=directions.places,
        units=asked.units,
        by_units=directions.units,
        by_values=directions.values,
        value=rows.values,
        derivative=rows.derivatives,
        error=error,
        remarks=remarks,
        info=info,
        arm=arm,
    )


@takes_arm
@takes_settings
def jacobian(
    arm: Arm,
    *,
    of: str | Sequence[str],
    by: str | Sequence[str],
    times: Sequence[float] | int | None = None,
    **settings: Unpack[SimulationSettings],
) -> Jacobian:
    """Exact derivatives of signals over time by numbers of the model file, SI.

    Parameters
    ----------
    arm
        An arm, or the path of its model file.
    of
        Signals, such as "tip.y" or "forearm.torque".
    by
        Paths of numbers in the model file, as for `gradient`.
    times
        Times (s), or how many of them, evenly from 0 to the end: 41 where nothing is given.
    **settings
        Settings of the run in place of the model file's, as for `simulate`.

    Returns
    -------
    Jacobian
        `.time` (m), `.value` (m, signals), `.derivative` (m, signals, numbers) and its estimated `.error`.

    Examples
    --------
    >>> import flexarm as fa
    >>> found = fa.jacobian("rod_handler.toml", of="tip.y", by="link[2].length", times=3)
    >>> found.derivative.shape
    (3, 1, 1)
    """
    arm = _ready(arm, settings)
    signals = SignalDerivatives(arm, of, by, times)
    directions = signals.variants.directions
    rows, error, info = _refined(signals.variants, signals.plan, settings_of(arm.simulation), lambda rows: rows)
    value, derivative = signals.shaped(rows.values), signals.shaped(rows.derivatives)
    return Jacobian(
        arm_name=arm.name or "",
        of=signals.words,
        by=directions.places,
        units=signals.units,
        by_units=directions.units,
        by_values=directions.values,
        time=np.array(signals.plan.times),
        value=value,
        derivative=derivative,
        error=signals.shaped(error),
        info=info,
        arm=arm,
    )


class SignalDerivatives:
    """Signals of an arm at sample times with their derivatives, by one run: for fits and searches, which ask again and
    again. `at(tolerance)` gives (m, signals) and (m, signals, n).
    """

    def __init__(
        self, arm: Arm, of: str | Sequence[str], by: str | Sequence[str], times: Sequence[float] | int | None
    ) -> None:
        self.arm = arm
        self.variants = variants_of(directions_of(arm, by))
        self.words = (of,) if isinstance(of, str) else tuple(of)
        nominal = self.variants.directions.study.nominal
        self.plan = plan_outputs(nominal, self.variants.nominal, list(self.words), times)
        for word in self.words:
            refuse_measured(word)
            if word.strip() not in self.plan.series:
                raise AnalysisError(f"of: {quoted(word)} is a single number, must be a signal over time; see gradient")
        self.units = tuple(self.plan.units[self.plan.names[k * len(self.plan.times)]] for k in range(len(self.words)))

    def shaped(self, rows: Floats) -> Floats:
        """Columns (signals · m, …) as (m, signals, …)."""
        return np.moveaxis(rows.reshape(len(self.words), len(self.plan.times), *rows.shape[1:]), 0, 1)

    def at(self, settings: Settings | None = None) -> tuple[Floats, Floats]:
        """Signals (m, signals) and their derivatives (m, signals, n) of one run with these settings (None: the
        arm's own).
        """
        chosen = settings_of(self.arm.simulation) if settings is None else settings
        run = derived_run(self.variants, chosen, self.plan.sampled)
        rows = derived_rows(self.variants, run, self.plan)
        return self.shaped(rows.values), self.shaped(rows.derivatives)


def _ready(arm: Arm, settings: Any) -> Arm:
    """The arm with settings in place of its own; refused where a run has no derivatives."""
    chosen = given_settings(settings)
    if chosen:
        # the settings are checked by themselves: no other part of an arm depends on them
        arm = arm.model_copy(update={"simulation": arm.simulation.changed(**chosen)})
    refuse_controllers(arm)
    if arm.simulation.analysis != "nonlinear":
        raise AnalysisError(
            f"simulation.analysis is {quoted(arm.simulation.analysis)}, must be nonlinear: derivatives are those of "
            "the nonlinear run"
        )
    return arm


def refuse_controllers(arm: Arm) -> None:
    """Refuse an arm whose loops are closed by sampled controllers: these hold no derivatives."""
    if arm.controllers:
        raise AnalysisError(
            "controller: sampled controllers have no derivatives, must be left out or be servos of joints"
        )


class _Refined(NamedTuple):
    rows: DerivedRows
    error: Floats
    info: dict[str, Any]


def _refined(
    variants: Variants, plan: Plan, settings: Settings, read: Callable[[DerivedRows], DerivedRows]
) -> _Refined:
    """The outputs of runs with ever finer steps until their derivatives stay what they are, and what these still err
    by (outputs, n).
    """
    scale = variants.directions.scale
    least = _FINEST * max(variants.nominal.reach, 1e-3)
    before, used = None, 0
    # an order less than the method has: where modes are faster than the steps it is not reached
    part = 1.0 / (2.0 ** (settings.order - 1.0) - 1.0)
    while True:
        run = derived_run(variants, settings, plan.sampled)
        rows = read(derived_rows(variants, run, plan))
        used += 1
        if before is not None:
            change = np.abs(rows.derivatives - before.derivatives)
            size = np.abs(rows.derivatives) * scale
            largest = np.max(size, axis=-1, keepdims=True, initial=0.0)
            enough = np.all(part * change * scale <= ACCURACY * np.maximum(size, _NEGLIGIBLE * largest))
            finer = settings.tightened()
            if enough or used == _MOST_RUNS or (finer.step is None and finer.tolerance < least):
                break
        before = rows
        settings = settings.tightened()
    info = {"runs": used, "steps": run.steps, "sweeps": run.sweeps, "tolerance_m": settings.tolerance}
    return _Refined(rows, part * change, info)


def _jumping(asked: Asked, name: str) -> bool:
    """True of an extreme of a signal that jumps where a command switches."""
    return any(column.name == name and jumps_with_command(column.signal) for column in asked.plan.columns)


def _without(variants: Variants, asked: Asked, rows: DerivedRows) -> tuple[np.ndarray, tuple[str, ...]]:
    """Where outputs have no derivative (outputs, n), and why."""
    names = variants.directions.places
    none = rows.corners | ~np.isfinite(rows.derivatives)
    end = float(asked.plan.sampled[-1])
    unsettled = [word.startswith("settling_time") and rows.values[k] >= end for k, word in enumerate(asked.words)]
    none[unsettled] = True
    remarks = [
        f"{asked.words[k]} has no derivative by {names[j]}: the run does not settle"
        if unsettled[k]
        else f"{asked.words[k]} has no derivative by {names[j]}: it has a corner or jumps there"
        for k, j in zip(*np.nonzero(none), strict=True)
    ]
    grid = asked.plan.grid
    near = 1.5 * float(np.max(np.diff(grid))) if len(grid) > 1 else 0.0
    for time, moves in moving_times(variants):
        for k, columns in enumerate(asked.columns):
            if not abs(rows.when[k] - time) <= near or not _jumping(asked, columns[0]):
                continue
            for j in np.flatnonzero((moves != 0.0) & ~none[k]):
                none[k, j] = True
                remarks.append(
                    f"{asked.words[k]} has no derivative by {names[j]}: its extreme is where the command switches, at "
                    f"{time:.6g} s, and jumps with it"
                )
    return none, tuple(remarks)
