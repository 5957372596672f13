"""The evaluator of samples: rows of parameters in, rows of outputs out.

Every evaluator must give each row the same bits, whatever the other rows of the chunk are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Event
from typing import TYPE_CHECKING, Protocol, final

import numpy as np

from flexarm.analyses.run.integrate import settings_of
from flexarm.analyses.run.one_run import follow
from flexarm.analyses.servo import with_servo_gains
from flexarm.analyses.signals.observed import OneObserved
from flexarm.assembly import compile_arm
from flexarm.core.tree.types import Floats
from flexarm.errors import FlexarmError
from flexarm.model import Arm
from flexarm.studies.execution.known_arm import compile_sample
from flexarm.studies.outputs.columns import Plan, plan_outputs
from flexarm.studies.parameters.study_model import ImpossibleSample, StudyModel, parse_study
from flexarm.studies.reliability.requirements import Requirement
from flexarm.studies.store.rows import OK

if TYPE_CHECKING:
    from flexarm.studies.execution.hub_beams import HubBeams

# Samples of a beam on a hub that are run together: their states take memory.
_HUB_CHUNK = 4096


@final
@dataclass(frozen=True)
class Task:
    """All a worker needs to know, in plain types: the input's text, the outputs, times and requirements."""

    text: str
    outputs: tuple[str, ...] | None
    times: tuple[float, ...] | int | None
    requirements: tuple[Requirement, ...] = ()


@final
@dataclass(frozen=True, eq=False)
class Evaluated:
    """Outcome of some samples: outputs (samples, columns), SI, NaN where a sample failed; status and reason."""

    outputs: Floats
    status: list[str]
    reason: list[str]

    @staticmethod
    def joined(parts: Sequence[Evaluated]) -> Evaluated:
        """Samples that follow one another, as one."""
        return Evaluated(
            np.concatenate([part.outputs for part in parts]),
            [word for part in parts for word in part.status],
            [text for part in parts for text in part.reason],
        )


class Evaluate(Protocol):
    """Anything that evaluates samples."""

    def __call__(self, values: Floats) -> Evaluated:
        """The outcome of the samples with these parameters (samples, parameters), SI."""

    def close(self) -> None:
        """Give up: a call under way ends soon, with `Stopped`."""


class Stopped(Exception):
    """The chunk was given up because the study is being stopped."""


@final
class Evaluator:
    """Evaluates samples in this process: eight at a time in compiled lanes where possible, otherwise one by one.

    `laned` is True if lanes are possible; `reason` says why not.
    """

    def __init__(self, task: Task, study: StudyModel | None = None, plan: Plan | None = None) -> None:
        self.study = parse_study(task.text, name="the study") if study is None else study
        self.plan = plan_of(self.study.nominal, task) if plan is None else plan
        self._stop = Event()

    @cached_property
    def reason(self) -> str | None:
        """Why the samples of the study are run one by one, in a few words; None if they are not."""
        from flexarm.analyses.run.lanes import why_not_laned
        from flexarm.studies.execution.stacked import NotStacked, compile_batch

        paths = (path for parameter in self.study.parameters for path in parameter.paths)
        if any(path[0] == "simulation" and path[1] != "start" for path in paths):
            return "settings in [simulation] are random"
        if self.study.nominal.controllers:
            return "controllers are run one by one"
        if self.plan.run_by_run:
            return "signals of frames, gauges, sensors and reactions are read run by run"
        if self.plan.in_equilibrium:
            return "equilibria are found one by one"
        means = np.array([parameter.mean for parameter in self.study.parameters])
        arms = compile_batch(self.study, means[None])
        if isinstance(arms, NotStacked):
            return arms.reason
        return why_not_laned(arms.nominal, arms.plain_tree, self.study.nominal.simulation)

    @cached_property
    def _hub(self) -> HubBeams | None:
        from flexarm.studies.execution.hub_chunks import hub_engine

        return hub_engine(self.study, self.plan)

    @property
    def laned(self) -> bool:
        """True if samples run in compiled lanes, which release the GIL."""
        return self._hub is not None or self.reason is None

    def __call__(self, values: Floats) -> Evaluated:
        """The outcome of the samples."""
        outputs = np.full((len(values), len(self.plan.names)), np.nan)
        status, reason = [OK] * len(values), [""] * len(values)
        done = np.zeros(len(values), bool)
        if self._hub is not None:
            from flexarm.studies.execution.hub_chunks import evaluate_hub

            for begin in range(0, len(values), _HUB_CHUNK):
                self._check()
                part = slice(begin, begin + _HUB_CHUNK)
                done[part] = evaluate_hub(self._hub, self.study, self.plan, values[part], outputs[part])
        elif self.reason is None:
            from flexarm.studies.execution.lane_chunks import evaluate_lanes

            evaluate_lanes(self.study, self.plan, values, outputs, done, self._check)
        for k in np.flatnonzero(~done):
            self._check()
            found, status[k], reason[k] = evaluate_sample(self.study, self.plan, values[k])
            if found is not None:
                outputs[k] = found
        return Evaluated(outputs, status, reason)

    def _check(self) -> None:
        if self._stop.is_set():
            raise Stopped

    def close(self) -> None:
        """End soon."""
        self._stop.set()


def plan_of(nominal: Arm, task: Task) -> Plan:
    """The task's outputs and requirements resolved against the nominal arm."""
    nominal = with_servo_gains(nominal)
    return plan_outputs(nominal, compile_arm(nominal), task.outputs, task.times, task.requirements)


def evaluate_sample(study: StudyModel, plan: Plan, values: Floats) -> tuple[list[float] | None, str, str]:
    """Outputs, status and reason of one sample, run exactly as `simulate` would run its arm.

    No failure of a sample is fatal: the error becomes its reason.
    """
    try:
        arm = study.arm(values)
        simulation = arm.simulation
        if arm.controllers:
            from flexarm.analyses.plant.controlled import sample_controlled

            controlled = sample_controlled(arm, np.array(plan.sampled), study.nominal)
            run, observed = controlled.run, controlled.observed
        else:
            compiled = compile_sample(study, arm)
            run = follow(compiled, settings_of(simulation), plan.sampled, simulation.analysis)
            observed = OneObserved(compiled, run, simulation.analysis)
        if run.status == "interrupted":
            raise KeyboardInterrupt
        if not run.ok:
            return None, run.status, f"stopped at t = {run.reached:.4g} s: {run.message}"
        found = plan.rows(observed)[0].tolist()
    except ImpossibleSample as error:
        return None, "impossible", _one_line(error)
    except FlexarmError as error:
        return None, "refused", _one_line(error)
    except Exception as error:
        return None, "error", f"{type(error).__name__}: {_one_line(error)}"
    if not all(np.isfinite(value) for value in found):
        lost = next(name for name, value in zip(plan.names, found, strict=True) if not np.isfinite(value))
        return None, "not finite", f"{lost} is not a finite number"
    return found, OK, ""


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:300]
