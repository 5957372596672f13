"""What can be seen of one run, by words such as "tip.x" or "forearm.torque"; SI units.

Everything is computed as `simulate` computes it, so that a sample run alone has the numbers of its row.
"""

from __future__ import annotations

from functools import cached_property
from typing import final

import numpy as np

from flexarm.analyses.course import seen_of
from flexarm.analyses.integrate import Run
from flexarm.analyses.points import Seen, see, undeformed
from flexarm.analyses.posture import State
from flexarm.analyses.recorded import drive_forces
from flexarm.analyses.reference import rigid_motion
from flexarm.analyses.rest import last_change
from flexarm.compiled import CompiledArm, without_servos
from flexarm.core.types import Floats
from flexarm.errors import AnalysisError
from flexarm.model.messages import either, meant, quoted

AXES = ("x", "y", "z")
_OF_POINTS = {
    **dict.fromkeys(AXES, "m"),
    **{f"v{axis}": "m/s" for axis in AXES},
    **{f"d{axis}": "m" for axis in AXES},
    "speed": "m/s",
    "deflection": "m",
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


@final
class Observed:
    """One run of one arm; whatever is asked of it is computed once."""

    def __init__(self, compiled: CompiledArm, run: Run, analysis: str) -> None:
        self.compiled, self.run, self.analysis = compiled, run, analysis
        self._states = tuple(np.ascontiguousarray(x) for x in (run.q, run.v, run.a))
        self._signals: dict[str, Floats] = {}

    @cached_property
    def seen(self) -> Seen:
        """Points, forces and energies."""
        return seen_of(self.compiled, self.run, self.analysis)

    @cached_property
    def deflection(self) -> Floats:
        """How far every point is from where the rigid arm has it (m, points, 3)."""
        compiled, run = self.compiled, self.run
        q, v, a = self._states
        if len(compiled.commands.servo_coordinate):
            rigid = see(compiled, run.times, undeformed(compiled, q), undeformed(compiled, v), undeformed(compiled, a))
        else:
            command = rigid_motion(compiled, run.times, State(q, v, a, q), after=self.analysis == "quasi-static")
            rigid = see(without_servos(compiled), run.times, command.q, command.v, command.a)
        return self.seen.position - rigid.position

    @cached_property
    def torque(self) -> Floats:
        """Forces of the drives (m, coordinates)."""
        q, v, a = self._states
        return drive_forces(self.compiled, self.run, self.seen, State(q, v, a, q))

    @cached_property
    def changed(self) -> float | None:
        """When the command last switched or came to rest (s); None if it never did."""
        compiled = self.compiled
        return last_change(compiled.arm, compiled.commands.switches, float(self.run.times[-1]))

    def point(self, name: str) -> int:
        """Which of the points it is."""
        return self.compiled.point_names.index(name)

    def signal(self, word: str) -> Floats:
        """The values (m,) of a signal at the times of the run."""
        if word not in self._signals:
            self._signals[word] = self._signal(word)
        return self._signals[word]

    def _signal(self, word: str) -> Floats:
        owner, _, what = word.rpartition(".")
        if what in _OF_POINTS:
            return self._of_point(self.point(owner), what)
        if what in _OF_COORDINATES:
            c = self.compiled.coordinate_names.index(owner)
            columns = {"position": lambda: self.run.q, "rate": lambda: self.run.v, "torque": lambda: self.torque}
            return columns[what]()[:, c]
        return self.seen.energy[:, _ENERGIES.index(what)]

    def rates(self, word: str) -> Floats | None:
        """How fast a signal changes, where the run knows it."""
        owner, _, what = word.rpartition(".")
        if what in AXES:
            return self.signal(f"{owner}.v{what}")
        return self.signal(f"{owner}.rate") if what == "position" else None

    def _of_point(self, j: int, what: str) -> Floats:
        if what in AXES:
            return self.seen.position[:, j, AXES.index(what)]
        if what == "speed":
            return _size(self.seen.velocity[:, j])
        if what == "deflection":
            return _size(self.deflection[:, j])
        vectors = self.seen.velocity if what[0] == "v" else self.deflection
        return vectors[:, j, AXES.index(what[1])]


def _size(vectors: Floats) -> Floats:
    # the sum in the order x, y, z, as results have it
    return np.asarray(np.sqrt(sum(column**2 for column in vectors.T)))
