"""The move that is to be shaped, and the arm at rest where it stops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flexarm.analyses.end_state import end_state
from flexarm.analyses.modes.eigen import symmetric_modes
from flexarm.analyses.modes.poles import closed_loop_poles
from flexarm.analyses.points import point_rates, see, undeformed
from flexarm.assembly import CompiledArm
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.model import Arm, Link, Pieces

# Of the largest rate of a law: what is slower is at rest.
_AT_REST = 1e-9
# Modes that are looked at, lowest first: what is above rings at frequencies no command is shaped for.
_MOST_MODES = 40


@dataclass(frozen=True, eq=False)
class Move:
    """The motions (rad or m) of all commanded joints by the names of their links, and when they begin and end (s)."""

    laws: dict[str, Pieces]
    begin: float
    end: float
    from_rest: bool  # no joint moves at the beginning

    @property
    def duration(self) -> float:
        """From the beginning to the stop (s)."""
        return self.end - self.begin


def move_of(arm: Arm) -> Move:
    """The arm's move; refused in a sentence if there is none, or none that ends at rest."""
    laws: dict[str, Pieces] = {}
    begins, ends, resting = [], [], []
    for link in arm.links:
        if link.joint.drive == "torque":
            raise AnalysisError(f'joint "{link.name}" is driven by a torque, must follow a motion to be shaped')
        law = arm.motion_of(link) if link.joint.motion is not None else None
        if law is None or _still(law, slice(None)):
            continue
        if not _still(law, slice(-1, None)):
            raise AnalysisError(f'the motion of joint "{link.name}" never comes to rest, must end at rest to be shaped')
        laws[link.name] = law
        ends.append(float(law.break_times[-1]))
        resting.append(_still(law, slice(0, 1)))
        begins.append(float(law.break_times[0]))
    if not laws:
        raise AnalysisError("no joint of the arm moves by a motion, must have a command to be shaped")
    if max(ends) <= 0.0:
        raise AnalysisError("every motion of the arm is over before t = 0, must have a command to be shaped")
    from_rest = all(resting)
    return Move(laws, max(min(begins), 0.0) if from_rest else 0.0, max(ends), from_rest)


def end_of(laws: Sequence[Pieces]) -> float:
    """When the last of the laws has come to rest (s)."""
    return max(float(law.break_times[-1]) for law in laws)


def _still(law: Pieces, rows: slice) -> bool:
    """True if these pieces of a law are at rest."""
    rate = np.zeros(len(law.start[rows])) if law.poly.shape[1] < 2 else np.max(np.abs(law.poly[rows, 1:]), axis=1)
    swing = np.abs(law.harmonic[rows, 0] * law.harmonic[rows, 1])
    if len(law.start) == 1:
        return not np.any(rate) and not np.any(swing)
    reach = np.linspace(law.start[0], float(law.break_times[-1]), 201)
    largest = max(float(np.max(np.abs(law.evaluate(reach)[1]))), 1e-300)
    return bool(np.all(np.maximum(rate, swing) <= _AT_REST * largest))


def moved_links(arm: Arm, move: Move) -> list[Link]:
    """The links whose joints take part in the move."""
    return [link for link in arm.links if link.name in move.laws]


class EndOfMove:
    """The arm at rest where its move stops: its poles, and how much of each is in a state.

    Poles are those of the closed loop, dampers and servos included. Coordinates that are not prescribed, those of
    joints under a servo too, are measured by x = (ω a, ȧ) with the modal displacements a of the arm without dampers:
    half the sum of the squares is the energy of the vibration.
    """

    def __init__(self, compiled: CompiledArm, move: Move) -> None:
        if len(compiled.elastic_coordinates) == 0:
            raise AnalysisError("the arm has no flexible link, nothing of it rings after the stop")
        moment = move.end + 1.0
        end = end_state(compiled, moment)
        self.state, self.free, self.mass = end.state, end.free, end.mass
        squares, shapes, scale = symmetric_modes(0.5 * (end.stiffness + end.stiffness.T), self.mass)
        if squares[0] <= 1e-9 * scale:
            raise AnalysisError(
                "the arm does not come to rest where its move stops: a joint there is free to move away, must be held "
                "by a motion, a servo or a spring"
            )
        self.omega, self.shapes = np.sqrt(squares), shapes
        self.poles = closed_loop_poles(compiled, t=moment, count=_MOST_MODES)
        tip = compiled.point_names.index("tip")
        self.tip_rates = point_rates(compiled, self.state.q)[tip][:, self.free]
        unbent = undeformed(compiled, self.state.q)[None, :]
        seen = see(compiled, np.array([moment]), unbent, np.zeros_like(unbent), np.zeros_like(unbent))
        self.axes = _rotation(seen.orientation[0, tip])
        self.tip = see(
            compiled, np.array([moment]), self.state.q[None, :], np.zeros_like(unbent), np.zeros_like(unbent)
        ).position[0, tip]

    @property
    def rings(self) -> np.ndarray:
        """True for poles that are pairs: the others are real and creep."""
        return np.asarray(self.poles.values.imag > 0.0)

    @property
    def slowest(self) -> float:
        """The frequency (Hz) of the slowest pole that rings, or of the slowest of all if none does."""
        sizes = np.abs(self.poles.values) / (2.0 * np.pi)
        return float(np.min(sizes[self.rings])) if self.rings.any() else float(np.min(sizes[sizes > 0.0]))

    def vibration(self, q: Floats, v: Floats) -> Floats:
        """The state x (2n,) of all modes: (ω a, ȧ), √J."""
        return np.asarray(self._measured((q - self.state.q)[self.free], v[self.free]))

    def _measured(self, x: np.ndarray, rate: np.ndarray) -> np.ndarray:
        """(ω a, ȧ) of departures and rates (free, …)."""
        a, speed = (self.shapes.T @ (self.mass @ part) for part in (x, rate))
        return np.concatenate([(self.omega * a.T).T, speed])

    def swings(self, q: Floats, v: Floats) -> Floats:
        """How far the tip swings, or creeps, by each of the lowest poles from a state (nq,) on (m).

        x = Re Σ c φ e^{λt}: the c that come nearest to the state, by the energy of what they miss.
        """
        poles, moving = self.poles, self.poles.motion.moving
        place = {int(c): k for k, c in enumerate(self.free)}
        rows = [place[int(c)] for c in moving]
        shapes = np.zeros((len(self.free), len(poles)), complex)
        shapes[rows] = poles.shapes
        columns = self._measured(shapes, shapes * poles.values)
        real = np.hstack([columns.real, -columns.imag[:, self.rings]])
        parts = np.linalg.lstsq(real, self.vibration(q, v), rcond=None)[0]
        sizes = parts[: len(poles)].astype(complex)
        sizes[self.rings] += 1j * parts[len(poles) :]
        return np.asarray(np.abs(sizes) * np.linalg.norm(self.tip_rates @ shapes, axis=0))

    def along(self, positions: Floats) -> Floats:
        """Positions (m, 3) of the tip from where it comes to rest, in the axes it has there undeformed."""
        return (positions - self.tip) @ self.axes


def _rotation(quaternion: Floats) -> Floats:
    """The matrix whose columns are the axes of a frame."""
    w, x, y, z = quaternion
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
