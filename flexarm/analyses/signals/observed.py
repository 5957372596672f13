"""Signals of runs by their names, such as "tip.across" or "forearm.torque"; SI units.

Everything is computed as `simulate` computes it, so that a sample run alone has the numbers of its row.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import NamedTuple, final

import numpy as np

from flexarm.analyses.equilibrium import State
from flexarm.analyses.points import Seen, see, undeformed
from flexarm.analyses.run.drive_forces import drive_forces
from flexarm.analyses.run.end_of_command import last_change
from flexarm.analyses.run.integrate import Run
from flexarm.analyses.run.one_run import seen_of
from flexarm.analyses.run.rigid_reference import rigid_motion
from flexarm.analyses.run.target import Target, find_target
from flexarm.analyses.sensors.measured import run_between, sensor_values
from flexarm.analyses.signals.along_links import AlongLinks
from flexarm.analyses.signals.link_axes import SeenFromLink
from flexarm.analyses.signals.names import (
    AXES,
    ENERGIES,
    LINK_AXES,
    OF_COORDINATES,
    OF_GAUGES,
    OF_POINTS,
    OF_SENSORS,
    PLACE,
    REACTIONS,
    TURNS,
    canonical,
    is_measured,
    rate_of,
)
from flexarm.analyses.signals.reactions import reactions
from flexarm.assembly import CompiledArm, without_servos
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError


def snapped(time: float, grid: Floats) -> float:
    """The time, or the sampling time of a plain run that differs from it by rounding alone."""
    near = float(grid[np.argmin(np.abs(grid - time))])
    return near if abs(near - time) <= 1e-9 * float(grid[-1]) else time


class Observed(ABC):
    """Runs of arms that differ in their numbers alone, at the same times; every observable is computed once.

    The runs are the last axis of every array.
    """

    def __init__(self, compiled: CompiledArm, times: Floats, count: int) -> None:
        self.compiled, self.times, self.count = compiled, times, count
        self._signals: dict[str, Floats] = {}

    @property
    def smooth(self) -> bool:
        """True if signals may be taken for smooth between the times."""
        return True

    def smooth_signal(self, word: str) -> bool:
        """True if a signal may be taken for smooth between the times."""
        return self.smooth and not is_measured(word)

    @abstractmethod
    def coordinates(self) -> Floats:
        """Coordinates (m, nq, runs)."""

    @abstractmethod
    def rates_of_coordinates(self) -> Floats:
        """Their rates (m, nq, runs)."""

    def accelerations_of_coordinates(self) -> Floats:
        """Their accelerations (m, nq, runs)."""
        raise AnalysisError("runs of this kind know no accelerations")

    def acceleration(self) -> Floats:
        """Accelerations of the points (m, points, 3, runs)."""
        raise AnalysisError("runs of this kind know no accelerations")

    @abstractmethod
    def position(self) -> Floats:
        """Positions of the points (m, points, 3, runs)."""

    @abstractmethod
    def velocity(self) -> Floats:
        """How fast the points move (m, points, 3, runs)."""

    @abstractmethod
    def orientation(self) -> Floats:
        """How the points stand, quaternions (m, points, 4, runs)."""

    @abstractmethod
    def deflection(self) -> Floats:
        """How far every point is from where the rigid arm has it (m, points, 3, runs)."""

    @abstractmethod
    def energy(self) -> Floats:
        """Kinetic, elastic and gravity energy (m, 3, runs)."""

    @abstractmethod
    def torque(self) -> Floats:
        """Forces of the drives (m, nq, runs)."""

    @abstractmethod
    def changed(self) -> Floats:
        """When the commands last switched or came to rest (s), (runs,); NaN if they never did."""

    def switches(self) -> Floats:
        """When the commands switch (k, runs), s."""
        times = self.compiled.commands.switches
        return np.repeat(times[:, None], self.count, axis=1)

    def target(self) -> Floats:
        """Target of every point: its rigid position at the end of the command (points, 3, runs); NaN without end."""
        raise AnalysisError("runs of this kind know no targets")

    def equilibrium(self) -> tuple[Floats, Floats]:
        """Equilibrium of every point after the command, and its sag there (points, 3, runs); NaN if there is none."""
        raise AnalysisError("runs of this kind know no equilibria")

    def command_end(self) -> Floats:
        """When the commands have become constant (s), (runs,); NaN if never."""
        raise AnalysisError("runs of this kind know no end of the command")

    def offsets(self, name: str, of: str = "point", about: str = "target") -> tuple[Floats, Floats | None]:
        """A point's way (m, 3, runs) from where it is to be, and its rates where they are known; see `settling`."""
        j = self.point(name)
        if of == "elastic":
            deflection = self.deflection()[:, j]
            return (deflection if about == "target" else deflection - self.equilibrium()[1][j]), None
        aim = self.target() if about == "target" else self.equilibrium()[0]
        return self.position()[:, j] - aim[j], self.velocity()[:, j]

    def point(self, name: str) -> int:
        """Which of the points it is."""
        return self.compiled.point_names.index(name)

    def signal(self, word: str) -> Floats:
        """The values (m, runs) of a signal at the times."""
        word = canonical(word)
        if word not in self._signals:
            self._signals[word] = self._signal(word)
        return self._signals[word]

    def _signal(self, word: str) -> Floats:
        owner, _, what = word.rpartition(".")
        if what in OF_POINTS:
            return self._of_point(owner, what)
        if what in OF_COORDINATES or what == "torque":
            columns = (self.coordinates, self.rates_of_coordinates, self.accelerations_of_coordinates)
            values = self.torque() if what == "torque" else columns[OF_COORDINATES.index(what)]()
            return values[:, self.compiled.coordinate_names.index(owner)]
        if what in ENERGIES:
            return self.energy()[:, ENERGIES.index(what)]
        return self.singly(owner, what)

    def singly(self, owner: str, what: str) -> Floats:
        """A signal that only a run by itself knows (m, runs)."""
        raise AnalysisError(f"runs of this kind do not know {owner}.{what}")

    def rates(self, word: str) -> Floats | None:
        """How fast a signal changes, where the runs know it."""
        rate = rate_of(word)
        return None if rate is None else self.signal(rate)

    def _of_point(self, owner: str, what: str) -> Floats:
        j = self.point(owner)
        word, _, order = what.partition("_")
        if word in AXES:
            values = {"": self.position, "rate": self.velocity, "acceleration": self.acceleration}[order]()
            return values[:, j, AXES.index(word)]
        if what == "speed":
            return sizes(self.velocity()[:, j])
        if what == "deflection":
            return sizes(self.deflection()[:, j])
        if what == "distance":
            return sizes(self.position()[:, j] - self.target()[j])
        if what[0] == "d" and what[1:] in AXES:
            return self.deflection()[:, j, AXES.index(what[1])]
        return self.singly(owner, what)


def sizes(vectors: Floats) -> Floats:
    """Lengths (m, runs) of vectors (m, 3, runs)."""
    # the sum in the order x, y, z, as results have it
    return np.asarray(np.sqrt(vectors[:, 0] ** 2 + vectors[:, 1] ** 2 + vectors[:, 2] ** 2))


def _angle(seen: SeenFromLink, order: int) -> Floats:
    """The angle of a section's rotation in space, rad, its rate, and how fast that changes: θ̂·ω and its rate."""
    turned, rate, swift = seen.turned
    angle = np.linalg.norm(turned, axis=1)
    if order == 0:
        return np.asarray(angle)
    axis = turned / np.where(angle > 0.0, angle, 1.0)[:, None]
    speed = np.sum(axis * rate, axis=1)
    if order == 1:
        return np.asarray(speed)
    # |θ|'' of small rotations: the part of the rate across the axis turns it
    aside = np.sum(rate * rate, axis=1) - speed**2
    return np.asarray(np.sum(axis * swift, axis=1) + aside / np.where(angle > 0.0, angle, np.inf))


class States(NamedTuple):
    """States (m, nq) that belong to no run."""

    times: Floats
    q: Floats
    v: Floats
    a: Floats


@final
class OneObserved(Observed):
    """A single run, of any analysis."""

    def __init__(
        self, compiled: CompiledArm, run: Run | States, analysis: str, commanded: CompiledArm | None = None
    ) -> None:
        super().__init__(compiled, run.times, 1)
        self.run, self.analysis = run, analysis
        # the arm that has the commands, where controllers give the torques
        self.commanded = commanded or compiled
        self._states = tuple(np.ascontiguousarray(x) for x in (run.q, run.v, run.a))

    @property
    def smooth(self) -> bool:
        """False where deflections follow the accelerations of the command, which jump."""
        return self.analysis != "quasi-static"

    @cached_property
    def _seen(self) -> Seen:
        return self._observe(self.compiled)

    @cached_property
    def _target(self) -> Target:
        return find_target(self.commanded, float(self.run.times[-1]), self.analysis)

    def _rigid(self, compiled: CompiledArm) -> Seen:
        """The rigid arm at the points of `compiled`: on its command; with servos, its joints are where they are."""
        times, (q, v, a) = self.run.times, self._states
        if len(compiled.commands.servo_coordinate) or isinstance(self.run, States):
            return see(compiled, times, *(undeformed(compiled, x) for x in (q, v, a)))
        command = rigid_motion(compiled, times, State(q, v, a, q), after=self.analysis == "quasi-static")
        return see(without_servos(compiled), times, command.q, command.v, command.a)

    @cached_property
    def _deflection(self) -> Floats:
        return self._seen.position - self._rigid(self.compiled).position

    def singly(self, owner: str, what: str) -> Floats:
        """A signal of frames, gauges, places of links or reactions (m, 1)."""
        if what in OF_POINTS:
            return self._from_link(owner, what)[:, None]
        if what in OF_GAUGES:
            return self._along.gauge(owner, what)[:, None]
        if what in REACTIONS:
            return self._reactions[owner][:, list(REACTIONS).index(what), None]
        if what in OF_SENSORS:
            return sensor_values(self, owner, what)[:, None]
        match = PLACE.fullmatch(what)
        assert match is not None
        return self._along.at(owner, match[1], 1e-3 * float(match[2]))[:, None]

    @property
    def dense(self) -> Run | States:
        """The run with all its samples: where it has sensors, more of them than are kept."""
        found = getattr(self.run, "dense", None)
        return self.run if found is None else found

    def between(self, times: Floats) -> OneObserved:
        """The run observed at other times (s)."""
        key = times.tobytes()
        if key not in self._elsewhere:
            there = run_between(self.dense, times)
            self._elsewhere[key] = self if there is self.run else OneObserved(self.compiled, there, self.analysis)
        return self._elsewhere[key]

    @cached_property
    def _elsewhere(self) -> dict[bytes, OneObserved]:
        return {}

    def watch(self, compiled: CompiledArm) -> Seen:
        """Other points of the same arm, in the states of the run."""
        return self._observe(compiled)

    @cached_property
    def _along(self) -> AlongLinks:
        return AlongLinks(self.compiled, self._states[0], self._states[1])

    @cached_property
    def _reactions(self) -> dict[str, Floats]:
        return reactions(self.compiled, self.run.times, *self._states)

    @cached_property
    def _watched(self) -> dict[str, SeenFromLink]:
        return {}

    def _from_link(self, point: str, what: str) -> Floats:
        def observe(compiled: CompiledArm, rigid: bool) -> Seen:
            return self._rigid(compiled) if rigid else self._observe(compiled)

        if point not in self._watched:
            self._watched[point] = SeenFromLink(self.compiled, point, observe)
        seen = self._watched[point]
        if what.startswith("deflection_"):
            word, order = what.removeprefix("deflection_"), 0
            moved, turned = seen.deflection(), seen.deflection_turn()
        else:
            word, order = what, 0
            for k, suffix in ((1, "_rate"), (2, "_acceleration")):
                if what.endswith(suffix):
                    word, order = what.removesuffix(suffix), k
            moved, turned = seen.moved[order], seen.turned[order]
        if word in LINK_AXES:
            return moved[:, LINK_AXES.index(word)]
        if word == "turn":
            if self.compiled.arm.planar:
                return turned[:, 2]
            return _angle(seen, order) if not what.startswith("deflection_") else np.linalg.norm(turned, axis=1)
        return turned[:, TURNS.index(word) - 1]

    def _observe(self, compiled: CompiledArm) -> Seen:
        if isinstance(self.run, States):
            return see(compiled, self.run.times, *self._states)
        return seen_of(compiled, self.run, self.analysis)

    def coordinates(self) -> Floats:
        """Coordinates (m, nq, 1)."""
        return self._states[0][..., None]

    def rates_of_coordinates(self) -> Floats:
        """Their rates (m, nq, 1)."""
        return self._states[1][..., None]

    def accelerations_of_coordinates(self) -> Floats:
        """Their accelerations (m, nq, 1)."""
        return self._states[2][..., None]

    def acceleration(self) -> Floats:
        """Accelerations of the points."""
        return self._seen.acceleration[..., None]

    def position(self) -> Floats:
        """Positions of the points."""
        return self._seen.position[..., None]

    def velocity(self) -> Floats:
        """How fast the points move."""
        return self._seen.velocity[..., None]

    def orientation(self) -> Floats:
        """How the points stand."""
        return self._seen.orientation[..., None]

    def deflection(self) -> Floats:
        """How far every point is from where the rigid arm has it."""
        return self._deflection[..., None]

    def energy(self) -> Floats:
        """Kinetic, elastic and gravity energy."""
        return self._seen.energy[..., None]

    def torque(self) -> Floats:
        """Forces of the drives."""
        q, v, a = self._states
        if isinstance(self.run, States):
            raise AnalysisError("states by themselves know no torques")
        return drive_forces(self.compiled, self.run, self._seen, State(q, v, a, q))[..., None]

    def changed(self) -> Floats:
        """When the command last switched or came to rest (s)."""
        compiled = self.compiled
        when = last_change(compiled.arm, compiled.commands.switches, float(self.run.times[-1]))
        return np.array([np.nan if when is None else when])

    def target(self) -> Floats:
        """Position of every point on the rigid arm at the end of its command."""
        return self._target.position[..., None]

    def equilibrium(self) -> tuple[Floats, Floats]:
        """Equilibrium of every point, and its sag there."""
        return self._target.equilibrium[..., None], self._target.sag[..., None]

    def command_end(self) -> Floats:
        """When the command has become constant (s)."""
        when = self._target.command_end
        return np.array([np.nan if when is None else when])
