"""Samples of a beam on a hub by their own engine, where a study asks for nothing but what that knows.

`hub_beams` is some fifty times faster than the lanes of any arm. It errs by no more than the tolerance of the study,
like a run of its own, but takes other steps: a row equals that run within the tolerance, not to rounding.
"""

from __future__ import annotations

from functools import cached_property
from typing import final

import numpy as np

from flexarm.analyses.run.end_of_command import last_change
from flexarm.analyses.signals.observed import Observed
from flexarm.assembly import CompiledArm
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError, FlexarmError
from flexarm.studies.execution.hub_beams import HubBeamRuns, HubBeams, why_not
from flexarm.studies.outputs.columns import Plan
from flexarm.studies.parameters.study_model import StudyModel

_WORDS = ("x", "y", "z", "vx", "vy", "vz", "speed", "dx", "dy", "dz", "deflection", "position", "rate")
_MEASURES = ("max", "min", "peak", "residual")
# Numbers of states that are held at once where whole runs are looked at (64 MB).
_MOST_NUMBERS = 8_000_000
_KINDS = ("circle", "sphere", "box", "ellipse", "deflection")


def hub_engine(study: StudyModel, plan: Plan) -> HubBeams | None:
    """The engine, if the study's arm, its random numbers and all it keeps of a sample are within what that knows."""
    arm = study.nominal
    if (
        arm.controllers
        or why_not(arm) is not None
        or arm.simulation.start != "rest"
        or arm.simulation.analysis != "nonlinear"
    ):
        return None
    link = arm.links[0]
    points = {point.name for point in arm.observed if point.at is None and not any(point.offset)}
    for column in plan.columns:
        owner, _, what = column.signal.rpartition(".")
        known = owner == link.name if what in ("position", "rate") else owner in points
        measured = column.over in _MEASURES and column.aim is None
        if not (column.time is not None or measured) or what not in _WORDS or not known:
            return None
    for check in plan.checks:
        wanted = check.requirement
        if check.over_interval or wanted.kind not in _KINDS or wanted.point not in points:
            return None
    try:
        engine = HubBeams(arm, arm.simulation.tolerance)
        engine.numbers({parameter.name: np.full(1, parameter.mean) for parameter in study.parameters})
        engine.settled(plan.sampled)
    except FlexarmError:
        return None
    return engine


def evaluate_hub(engine: HubBeams, study: StudyModel, plan: Plan, values: Floats, outputs: Floats) -> np.ndarray:
    """Samples (n,) whose outputs are filled; the others are left to be run one by one."""
    # every number that may vary must be positive: other samples are reported elsewhere
    valid = np.asarray(np.isfinite(values).all(axis=1) & (values > 0.0).all(axis=1))
    together = max(8, _MOST_NUMBERS // (len(plan.sampled) * (4 * engine.modes + 16)))
    every = np.flatnonzero(valid)
    for begin in range(0, len(every), together):
        chosen = every[begin : begin + together]
        changes = dict(zip(study.names, values[chosen].T, strict=True))
        rows = plan.rows(_HubObserved(engine.compiled, engine.run(changes, plan.sampled), engine.numbers(changes)))
        well = np.isfinite(rows).all(axis=1)
        outputs[chosen[well]] = rows[well]
        valid[chosen[~well]] = False
    return valid


@final
class _HubObserved(Observed):
    """What the engine knows of its samples."""

    def __init__(self, compiled: CompiledArm, runs: HubBeamRuns, numbers: dict[str, Floats]) -> None:
        super().__init__(compiled, runs.times, len(runs.angle))
        self.runs = runs
        self._straight = np.broadcast_to(numbers["radius"] + numbers["L"], (self.count,))

    def _of_joint(self, values: Floats) -> Floats:
        """(m, nq, n) with the joint's coordinate filled."""
        found = np.full((len(self.times), len(self.compiled.coordinate_names), self.count), np.nan)
        found[:, int(self.compiled.joint_coordinates[0])] = values.T
        return found

    def _of_points(self, x: Floats, y: Floats) -> Floats:
        """(m, points, 3, n), the same for every point: all are at the tip."""
        one = np.stack([x.T, y.T, np.zeros_like(x.T)], axis=1)
        return np.repeat(one[:, None], len(self.compiled.point_names), axis=1)

    @cached_property
    def _position(self) -> Floats:
        return self._of_points(self.runs.tip[..., 0], self.runs.tip[..., 1])

    @cached_property
    def _deflection(self) -> Floats:
        away = self._straight[:, None]
        x, y = away * np.cos(self.runs.angle), away * np.sin(self.runs.angle)
        return self._position - self._of_points(x, y)

    def coordinates(self) -> Floats:
        """The joint's angle, the others not known."""
        return self._of_joint(self.runs.angle)

    def rates_of_coordinates(self) -> Floats:
        """The joint's rate, the others not known."""
        return self._of_joint(self.runs.rate)

    def position(self) -> Floats:
        """Where the tip is."""
        return self._position

    def deflection(self) -> Floats:
        """How far the tip is from where the rigid beam has it."""
        return self._deflection

    @cached_property
    def _velocity(self) -> Floats:
        return self._of_points(self.runs.velocity[..., 0], self.runs.velocity[..., 1])

    def velocity(self) -> Floats:
        """How fast the tip moves."""
        return self._velocity

    def orientation(self) -> Floats:
        """Not known."""
        raise AnalysisError("the hub engine knows no orientations")

    def energy(self) -> Floats:
        """Not known."""
        raise AnalysisError("the hub engine knows no energies")

    def torque(self) -> Floats:
        """Not known."""
        raise AnalysisError("the hub engine knows no torques")

    def changed(self) -> Floats:
        """When the command, the same for all samples, last switched or came to rest (s)."""
        compiled = self.compiled
        when = last_change(compiled.arm, compiled.commands.switches, float(self.times[-1]))
        return np.full(self.count, np.nan if when is None else when)
