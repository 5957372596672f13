"""Observables of one run, by names such as "tip.x" or "forearm.torque"; SI units.

Everything is computed as `simulate` computes it, so that a sample run alone has the numbers of its row.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import final

import numpy as np

from flexarm.analyses.equilibrium import State
from flexarm.analyses.points import Seen, see, undeformed
from flexarm.analyses.run.drive_forces import drive_forces
from flexarm.analyses.run.end_of_command import last_change
from flexarm.analyses.run.integrate import Run
from flexarm.analyses.run.one_run import seen_of
from flexarm.analyses.run.rigid_reference import rigid_motion
from flexarm.analyses.run.target import Target, find_target
from flexarm.assembly import CompiledArm, without_servos
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.model.reading.messages import either, meant, quoted

AXES = ("x", "y", "z")
_OF_POINTS = {
    **dict.fromkeys(AXES, "m"),
    **{f"v{axis}": "m/s" for axis in AXES},
    **{f"d{axis}": "m" for axis in AXES},
    "speed": "m/s",
    "deflection": "m",
    "distance": "m",
}
_ENERGIES = ("kinetic", "elastic", "gravity")
_OF_COORDINATES = ("position", "rate", "torque")


def signal_unit(compiled: CompiledArm, word: str) -> str:
    """The SI unit of a signal; a word that names none is refused with what is allowed."""
    owner, _, what = word.rpartition(".")
    if what in _OF_POINTS:
        _known(word, owner, compiled.point_names, "point")
        return _OF_POINTS[what]
    if what in _OF_COORDINATES:
        names = compiled.joint_names if what == "torque" else compiled.coordinate_names
        _known(word, owner, names, "joint" if what == "torque" else "coordinate")
        unit = compiled.coordinate_units[compiled.coordinate_names.index(owner)]
        if what == "torque":
            return "N m" if unit == "rad" else "N"
        return unit if what == "position" else f"{unit}/s"
    if owner == "energy" and what in _ENERGIES:
        return "J"
    known = (*_OF_POINTS, *_OF_COORDINATES)
    raise AnalysisError(
        f"the output {quoted(word)} is not known, must be POINT.{{{', '.join(_OF_POINTS)}}}, "
        f"JOINT.{{{', '.join(_OF_COORDINATES)}}} or energy.{{{', '.join(_ENERGIES)}}}{meant(what, known)}"
    )


def _known(word: str, owner: str, names: tuple[str, ...], kind: str) -> None:
    if owner not in names:
        shown = names if len(names) <= 12 else names[:12]
        raise AnalysisError(
            f"the output {quoted(word)} names no {kind}, must be of {either(shown)}{meant(owner, names)}"
        )


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

    @abstractmethod
    def coordinates(self) -> Floats:
        """Coordinates (m, nq, runs)."""

    @abstractmethod
    def rates_of_coordinates(self) -> Floats:
        """Their rates (m, nq, runs)."""

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
        if word not in self._signals:
            self._signals[word] = self._signal(word)
        return self._signals[word]

    def _signal(self, word: str) -> Floats:
        owner, _, what = word.rpartition(".")
        if what in _OF_POINTS:
            return self._of_point(self.point(owner), what)
        if what in _OF_COORDINATES:
            columns = {"position": self.coordinates, "rate": self.rates_of_coordinates, "torque": self.torque}
            return columns[what]()[:, self.compiled.coordinate_names.index(owner)]
        return self.energy()[:, _ENERGIES.index(what)]

    def rates(self, word: str) -> Floats | None:
        """How fast a signal changes, where the runs know it."""
        owner, _, what = word.rpartition(".")
        if what in AXES:
            return self.signal(f"{owner}.v{what}")
        return self.signal(f"{owner}.rate") if what == "position" else None

    def _of_point(self, j: int, what: str) -> Floats:
        if what in AXES:
            return self.position()[:, j, AXES.index(what)]
        if what == "speed":
            return sizes(self.velocity()[:, j])
        if what == "deflection":
            return sizes(self.deflection()[:, j])
        if what == "distance":
            return sizes(self.position()[:, j] - self.target()[j])
        vectors = self.velocity() if what[0] == "v" else self.deflection()
        return vectors[:, j, AXES.index(what[1])]


def sizes(vectors: Floats) -> Floats:
    """Lengths (m, runs) of vectors (m, 3, runs)."""
    # the sum in the order x, y, z, as results have it
    return np.asarray(np.sqrt(vectors[:, 0] ** 2 + vectors[:, 1] ** 2 + vectors[:, 2] ** 2))


@final
class OneObserved(Observed):
    """A single run, of any analysis."""

    def __init__(self, compiled: CompiledArm, run: Run, analysis: str) -> None:
        super().__init__(compiled, run.times, 1)
        self.run, self.analysis = run, analysis
        self._states = tuple(np.ascontiguousarray(x) for x in (run.q, run.v, run.a))

    @property
    def smooth(self) -> bool:
        """False where deflections follow the accelerations of the command, which jump."""
        return self.analysis != "quasi-static"

    @cached_property
    def _seen(self) -> Seen:
        return seen_of(self.compiled, self.run, self.analysis)

    @cached_property
    def _target(self) -> Target:
        return find_target(self.compiled, float(self.run.times[-1]), self.analysis)

    @cached_property
    def _deflection(self) -> Floats:
        compiled, run = self.compiled, self.run
        q, v, a = self._states
        if len(compiled.commands.servo_coordinate):
            rigid = see(compiled, run.times, undeformed(compiled, q), undeformed(compiled, v), undeformed(compiled, a))
        else:
            command = rigid_motion(compiled, run.times, State(q, v, a, q), after=self.analysis == "quasi-static")
            rigid = see(without_servos(compiled), run.times, command.q, command.v, command.a)
        return self._seen.position - rigid.position

    def coordinates(self) -> Floats:
        """Coordinates (m, nq, 1)."""
        return self._states[0][..., None]

    def rates_of_coordinates(self) -> Floats:
        """Their rates (m, nq, 1)."""
        return self._states[1][..., None]

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
