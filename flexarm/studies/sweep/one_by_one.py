"""Arms of a sweep that differ in more than their numbers (elements, words, settings), read and run one by one."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Event
from typing import Any, final

import numpy as np

from flexarm.analyses.run.integrate import settings_of
from flexarm.analyses.run.one_run import follow
from flexarm.analyses.servo import with_servo_gains
from flexarm.analyses.signals.observed import OneObserved
from flexarm.assembly import compile_arm
from flexarm.core.tree.types import Floats
from flexarm.errors import FlexarmError
from flexarm.model import Arm
from flexarm.model.reading.file import arm_from_dict
from flexarm.model.reading.paths import placed
from flexarm.studies.execution.evaluate import Evaluated, Stopped, Task, plan_of
from flexarm.studies.outputs.columns import Plan
from flexarm.studies.store.rows import OK
from flexarm.studies.sweep.keys import Key, grid_indices


@final
@dataclass(frozen=True, eq=False)
class Arms:
    """The arms of a sweep: a raw model, and what its keys are."""

    data: Mapping[str, Any]
    keys: tuple[Key, ...]
    source: str
    folder: str | os.PathLike[str] | None

    def arm(self, indices: Sequence[int]) -> Arm:
        """The arm in which every key has the value of this index; its drives are tuned for it."""
        entries = [(key.path, key.written[k]) for key, k in zip(self.keys, indices, strict=True)]
        return with_servo_gains(arm_from_dict(placed(self.data, entries), source=self.source, folder=self.folder))

    @cached_property
    def first(self) -> Arm:
        """The first arm that can be read; where none can, the mistakes of the first are reported."""
        refused: FlexarmError | None = None
        for k in range(int(np.prod([len(key) for key in self.keys]))):
            try:
                return self.arm(grid_indices(self.keys, k, k + 1)[0].tolist())
            except FlexarmError as error:
                refused = refused or error
        assert refused is not None
        raise refused


@final
class OneByOne:
    """Evaluates the arms of a sweep, whose rows of parameters are indices of values; every drive is tuned for its own
    arm, and every arm has the outputs at its own times.
    """

    def __init__(self, arms: Arms, task: Task, plan: Plan) -> None:
        self.arms, self.task, self.plan = arms, task, plan
        self._stop = Event()

    def __call__(self, values: Floats) -> Evaluated:
        """The outcome of the arms; an arm that is refused or fails has its reason."""
        outputs = np.full((len(values), len(self.plan.names)), np.nan)
        status, reason = [OK] * len(values), [""] * len(values)
        for k, row in enumerate(values):
            if self._stop.is_set():
                raise Stopped
            try:
                outputs[k] = self._row(self.arms.arm([int(index) for index in row]))
            except _Failed as error:
                status[k], reason[k] = error.status, str(error)
            except FlexarmError as error:
                status[k], reason[k] = "refused", " ".join(str(error).split())[:300]
        return Evaluated(outputs, status, reason)

    def close(self) -> None:
        """End soon."""
        self._stop.set()

    def _row(self, arm: Arm) -> Floats:
        plan, compiled = plan_of(arm, self.task), compile_arm(arm)
        if len(plan.names) != len(self.plan.names):
            raise _Failed("refused", "it has other outputs than the first arm")
        if arm.controllers:
            from flexarm.analyses.plant.controlled import sample_controlled

            controlled = sample_controlled(arm, np.array(plan.sampled), arm)
            run, observed = controlled.run, controlled.observed
        else:
            run = follow(compiled, settings_of(arm.simulation), plan.sampled, arm.simulation.analysis)
            observed = OneObserved(compiled, run, arm.simulation.analysis)
        if run.status == "interrupted":
            raise KeyboardInterrupt
        if not run.ok:
            raise _Failed(run.status, f"stopped at t = {run.reached:.4g} s: {run.message}")
        found = plan.rows(observed)[0]
        if not np.isfinite(found).all():
            raise _Failed("not finite", f"{plan.names[int(np.argmin(np.isfinite(found)))]} is not a finite number")
        return found


class _Failed(Exception):
    """A run without outputs, with the word for why."""

    def __init__(self, status: str, message: str) -> None:
        super().__init__(message)
        self.status = status
