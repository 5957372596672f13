"""What follows from the motion of a run: points, forces, energies, targets and stations, each when first asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from flexarm.analyses.contacts import stored_in_stops
from flexarm.analyses.equilibrium import State
from flexarm.analyses.points import Seen, see, undeformed
from flexarm.analyses.run.drive_forces import drive_forces, loose_joints, rigid_forces
from flexarm.analyses.run.energy_balance import Judgement, energies, judged
from flexarm.analyses.run.integrate import Run, Settings
from flexarm.analyses.run.one_run import seen_of
from flexarm.analyses.run.rigid_reference import rigid_motion
from flexarm.analyses.run.separation import quasi_static_positions, ringing
from flexarm.analyses.run.target import Target, find_target
from flexarm.assembly import CompiledArm, without_servos
from flexarm.core.tree.types import Floats


@dataclass(frozen=True, eq=False)
class Observations:
    """Observations of a run of a compiled arm that was to end at a time (s)."""

    compiled: CompiledArm
    run: Run
    settings: Settings
    analysis: str
    end: float
    commanded: CompiledArm | None = None  # the arm that has the commands, where controllers give torques

    @cached_property
    def states(self) -> State:
        """Coordinates, rates and accelerations (m, nq)."""
        q, v, a = (np.ascontiguousarray(x) for x in (self.run.q, self.run.v, self.run.a))
        return State(q, v, a, q)

    @cached_property
    def seen(self) -> Seen:
        """The arm's points, forces and energies."""
        return seen_of(self.compiled, self.run, self.analysis)

    @property
    def moving(self) -> Seen:
        """Positions, velocities and orientations alone, unless all is known: for half the time."""
        return self.seen if "seen" in vars(self) or self.analysis != "nonlinear" else self._moving

    @cached_property
    def _moving(self) -> Seen:
        q, v, a = self.states.q, self.states.v, self.states.a
        return see(self.compiled, self.run.times, q, v, a, full=False)

    @property
    def _after(self) -> bool:
        """True where a sample on a switch of the command belongs to what comes after it."""
        return self.analysis == "quasi-static"

    @cached_property
    def command(self) -> State:
        """The motion of the rigid arm on its command (m, nq)."""
        return rigid_motion(self.compiled, self.run.times, self.states, after=self._after)

    @cached_property
    def on_command(self) -> Seen:
        """The rigid arm on its command; a servo's gains are springs to the engine, and the rigid arm meets none."""
        arm = without_servos(self.compiled)
        return see(arm, self.run.times, self.command.q, self.command.v, self.command.a)

    @cached_property
    def unbent(self) -> Floats:
        """Positions (m, points, 3) of the rigid arm with its joints where they are."""
        if not len(self.compiled.commands.servo_coordinate):
            return self.on_command.position
        q, v, a = (undeformed(self.compiled, x) for x in (self.states.q, self.states.v, self.states.a))
        return see(self.compiled, self.run.times, q, v, a, full=False).position

    @cached_property
    def energies(self) -> dict[str, Floats]:
        """Energies and works (m,) in J by name."""
        found = energies(self.run, self.seen, self.analysis)
        if not len(self.compiled.commands.contact_place) or self.analysis != "nonlinear":
            return found
        stored = stored_in_stops(self.compiled, self.states.q, self.states.v)
        found["energy_elastic"] = found["energy_elastic"] + stored
        found["energy_balance_error"] = found["energy_balance_error"] + stored - stored[:1]
        return found

    @cached_property
    def judgement(self) -> Judgement:
        """Whether the energy balance closes."""
        return judged(self.run, self.energies, self.settings, self.compiled.reach)

    @cached_property
    def target(self) -> Target:
        """Where the points are to be in the end, and where they settle."""
        found = find_target(self.commanded or self.compiled, self.end, self.analysis)
        # the arm of the run does not rest there by itself: its poles say nothing about how it settles
        return found if self.commanded is None else replace(found, rest=None)

    @cached_property
    def separated(self) -> tuple[dict[str, Floats], dict[str, Any] | None]:
        """The quasi-static part of the deflection and the vibration, and the poles in which the tip settles."""
        compiled, run = self.compiled, self.run
        found: dict[str, Floats] = {}
        # a loose joint reacts to the vibration: what its motion holds bent vibrates, too
        held = None if len(loose_joints(compiled)) else quasi_static_positions(compiled, run)
        poles = vibration = None
        if run.ok and "tip" in compiled.point_names:
            poles, vibration = ringing(compiled, run, self.target, compiled.point_names.index("tip"))
        if held is not None:
            found["point_quasi_static"] = held - self.unbent
            if not len(compiled.commands.servo_coordinate):
                vibration = self.moving.position - held
        return found | ({} if vibration is None else {"point_vibration": vibration}), poles

    def signals(self, names: Sequence[str]) -> Floats:
        """Signals of the list (m, names)."""
        from flexarm.analyses.signals.observed import OneObserved

        found = OneObserved(self.compiled, self.run, self.analysis)
        return np.column_stack([found.signal(name)[:, 0] for name in names])

    @cached_property
    def drive_forces(self) -> Floats:
        """Forces of the drives (m, nq)."""
        return drive_forces(self.compiled, self.run, self.seen, self.states)

    @cached_property
    def rigid_forces(self) -> Floats:
        """Forces (m, nq) the drives of the rigid arm would give on the same command."""
        return rigid_forces(self.compiled, self.run, self.command, self.on_command)
