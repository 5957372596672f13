"""Observables of the runs of all lanes at once."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property, lru_cache
from typing import final

import numpy as np

from flexarm.analyses.points import Seen
from flexarm.analyses.run.end_of_command import last_changes, law_values, rest_times
from flexarm.analyses.run.lanes import EightRuns
from flexarm.analyses.run.target import followed, lost_points, path_ends
from flexarm.analyses.signals.observed import Observed
from flexarm.core.numbers.entry import command_lanes, drive_torque_lanes
from flexarm.core.numbers.lanes import LANES, lane_zeros
from flexarm.core.tree.types import Floats

# The arms of a study differ in their numbers alone: one nominal arm stands for all of them.
_lost_points = lru_cache(maxsize=8)(lost_points)


@final
class LanesObserved(Observed):
    """Eight runs of nonlinear analyses; see `OneObserved`, whose numbers these are to rounding."""

    def __init__(self, runs: EightRuns) -> None:
        super().__init__(runs.arms.arms.nominal, runs.times, LANES)
        self.runs = runs

    @cached_property
    def _seen(self) -> Seen:
        return self.runs.see(full=False)

    @cached_property
    def _full(self) -> Seen:
        """With forces."""
        return self.runs.see(full=True, place="full")

    @cached_property
    def _deflection(self) -> Floats:
        # driven joints are where their command has them, so that the arm unbent is the rigid arm on its command
        q = self.runs.q.copy()
        q[:, self.compiled.elastic_coordinates] = 0.0
        # rates do not matter for where points are
        rigid = self.runs.see((q, self.runs.v, self.runs.a), full=False, place="rigid")
        return self._seen.position - rigid.position

    @cached_property
    def _torque(self) -> Floats:
        runs, commands = self.runs, self.compiled.commands
        driven = self.compiled.driven
        force = np.where(driven[None, :, None], self._full.force, 0.0)
        pushed, servo = commands.torque_coordinate, commands.servo_coordinate
        if len(pushed):
            commanded = np.zeros_like(runs.q)
            q, v, a = (np.zeros(runs.q.shape[1:]) for _ in range(3))
            for k, time in enumerate(runs.times):
                # a sample on a switch belongs to the step that ends there, the first one to the step that begins
                command_lanes(runs.arms.laws, runs.arms.commands, float(time), bool(time > 0.0), q, v, a, commanded[k])
            force[:, pushed] = commanded[:, pushed]
        if len(servo):
            torque = lane_zeros((len(runs.times), len(servo), LANES))
            arms = runs.arms
            drive_torque_lanes(arms.laws, arms.commands, runs.times, runs.q, runs.v, runs.x, torque)
            force[:, servo] = torque
        return force

    @cached_property
    def _changed(self) -> Floats:
        laws, switches = self.runs.arms.laws, self.runs.arms.commands.switches
        return last_changes(laws.first, laws.piece, switches, float(self.times[-1]))

    @cached_property
    def _target(self) -> tuple[Floats, Floats]:
        """Rigid targets (points, 3, LANES) and ends of the commands (LANES,)."""
        runs, compiled = self.runs, self.compiled
        end, laws = float(self.times[-1]), runs.arms.laws
        motions = followed(compiled.commands)
        q = runs.arms.start.copy()
        q[compiled.elastic_coordinates] = 0.0
        for c, law in motions.items():
            q[c] = law_values(laws.first, laws.piece, law, end)
        still = np.zeros((1, *q.shape))
        last = replace(runs, times=self.times[-1:], q=q[None], v=still, a=still)
        found = last.see(full=False, place="target").position[0].copy()
        for point, place in path_ends(compiled).items():
            found[point] = place[:, None]
        resting = rest_times(laws.first, laws.piece, end)
        for j in range(LANES):
            goes_on = frozenset(c for c, law in motions.items() if not resting[law, j] < end)
            found[_lost_points(compiled, goes_on), :, j] = np.nan
        latest = np.max(resting, axis=0, initial=0.0)
        return found, np.where(latest < end, latest, np.nan)

    def coordinates(self) -> Floats:
        """Coordinates (m, nq, LANES)."""
        return self.runs.q

    def rates_of_coordinates(self) -> Floats:
        """Their rates (m, nq, LANES)."""
        return self.runs.v

    def accelerations_of_coordinates(self) -> Floats:
        """Their accelerations (m, nq, LANES)."""
        return self.runs.a

    def acceleration(self) -> Floats:
        """Accelerations of the points."""
        return self._full.acceleration

    def position(self) -> Floats:
        """Positions of the points."""
        return self._seen.position

    def velocity(self) -> Floats:
        """How fast the points move."""
        return self._seen.velocity

    def orientation(self) -> Floats:
        """How the points stand."""
        return self._seen.orientation

    def deflection(self) -> Floats:
        """How far every point is from where the rigid arm has it."""
        return self._deflection

    def energy(self) -> Floats:
        """Kinetic, elastic and gravity energy."""
        return self.runs.see(full=False, energy=True, place="energy").energy

    def torque(self) -> Floats:
        """Forces of the drives."""
        return self._torque

    def changed(self) -> Floats:
        """When the commands last switched or came to rest (s)."""
        return self._changed

    def switches(self) -> Floats:
        """When the commands switch (k, LANES), s."""
        return self.runs.arms.commands.switches

    def target(self) -> Floats:
        """Position of every point on the rigid arms at the end of their commands."""
        return self._target[0]

    def equilibrium(self) -> tuple[Floats, Floats]:
        """Not known: equilibria are found one by one."""
        unknown = np.full((len(self.compiled.point_names), 3, LANES), np.nan)
        return unknown, unknown

    def command_end(self) -> Floats:
        """When the commands have become constant (s)."""
        return self._target[1]
