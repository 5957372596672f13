"""Supports, loops and springs between points as the engine has them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flexarm.assembly.bodies import AttachedFrame
from flexarm.core.sweeps.dynamics import kernel_of, new_work
from flexarm.core.tree.types import (
    DRAWN,
    HELD,
    Q_COUNT,
    Q_GAP,
    R_DIRECTION,
    R_REST,
    SPRUNG,
    Closures,
    Floats,
    Ints,
    PlanarFlexTree,
    PlanarTree,
    Tree,
)
from flexarm.errors import AnalysisError
from flexarm.model import Arm, Loop, Spring, Support
from flexarm.model.parts.closure import CLAMP, DIRECTIONS, PIN, WELD, Closure, closure_words

# Points nearer than this part of the arm's size have no line between them.
_TOGETHER = 1e-9


@dataclass(frozen=True, eq=False)
class ClosureRow:
    """A row of closures: the closure's name and what is held there."""

    name: str
    what: str  # "x", "y", "z", "turn_x", …, or "length"
    rigid: bool


@dataclass(frozen=True, eq=False)
class ArmClosures:
    """The closures of an arm for its tree, and where their ends are on the same bodies in space."""

    closures: Closures
    rows: tuple[ClosureRow, ...]
    ends: tuple[tuple[AttachedFrame, AttachedFrame], ...]
    offsets: tuple[tuple[Floats, Floats], ...]
    turned: tuple[
        tuple[Floats, Floats], ...
    ]  # rotation from the axes of each body on the drawing to the spatial tree's
    frames: tuple[tuple[int, int], ...]  # where the frame of each end begins in the spatial tree

    def named(self, row: int) -> str:
        """A closure in a sentence."""
        return f'"{self.rows[row].name}"'


GROUND = AttachedFrame(-1, np.zeros(3), np.eye(3))


def assembled(
    parts: Sequence[tuple[str, Closure]],
    ends: Sequence[tuple[AttachedFrame, AttachedFrame]],
    begins: tuple[Ints, Ints],
    turns: Floats,
    tree: Tree,
    start: Floats,
    reach: float,
) -> ArmClosures:
    """The closures of an arm; they are closed as the unbent arm stands at its start.

    begins: where the frames of all ends begin in the spatial tree and in the tree at hand, one end after the other.
    turns: rotation from the axes of each body on the drawing to those of its tree.
    """
    planar = isinstance(tree, PlanarTree | PlanarFlexTree)
    motion = 3 if planar else 6
    pair = np.zeros((len(parts), 6), np.int64)
    place = np.zeros((len(parts), 2, 12))
    rows: list[Floats] = []
    names: list[ClosureRow] = []
    offsets: list[tuple[Floats, Floats]] = []
    for j, ((name, part), both) in enumerate(zip(parts, ends, strict=True)):
        first = len(rows)
        own = [
            stands.offset + stands.rotation @ np.array(offset)
            for stands, offset in zip(both, _offsets(part), strict=True)
        ]
        offsets.append((own[0], own[1]))
        for side, stands in enumerate(both):
            turn = np.eye(3) if planar or stands.body < 0 else turns[stands.body]
            # the second end is the one that moves against the first
            place[j, side, :3] = turn @ own[side]
            pair[j, 2 + 2 * side : 4 + 2 * side] = stands.body + 1, begins[1][2 * j + side]
        if planar:
            place[j, :, 2] = 0.0
        for what, direction in _directions(part, planar):
            row = np.zeros(R_DIRECTION + motion)
            kind = DRAWN if isinstance(part, Spring) else HELD if _rigid(part) else SPRUNG
            row[:R_DIRECTION] = kind, _stiffness(part), _damping(part), 0.0
            row[R_DIRECTION:] = direction
            rows.append(row)
            names.append(ClosureRow(name, what, kind == HELD))
        pair[j, :2] = first, len(rows) - first
        if not planar:
            place[j, 0, 3:] = np.eye(3).ravel()
    closures = Closures(pair, place, np.array(rows).reshape(len(rows), R_DIRECTION + motion))
    _closed_at(closures, parts, tree, start, reach, planar)
    frames = [(int(begins[0][2 * j]), int(begins[0][2 * j + 1])) for j in range(len(parts))]
    eye = np.eye(3)
    turned = [(eye if a.body < 0 else turns[a.body], eye if b.body < 0 else turns[b.body]) for a, b in ends]
    return ArmClosures(closures, tuple(names), tuple(ends), tuple(offsets), tuple(turned), tuple(frames))


def _rigid(part: Closure) -> bool:
    return isinstance(part, Loop) or (isinstance(part, Support) and part.rigid)


def _stiffness(part: Closure) -> float:
    return 0.0 if isinstance(part, Loop) else part.stiffness or 0.0


def _damping(part: Closure) -> float:
    return 0.0 if isinstance(part, Loop) else part.damping or 0.0


def _offsets(part: Closure) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    """Offsets of the first end (the ground of a support, the other link) and of the second (the link)."""
    if isinstance(part, Support):
        return part.place or (0.0, 0.0, 0.0), part.offset
    return part.to_offset, part.offset


def _directions(part: Closure, planar: bool) -> list[tuple[str, Floats]]:
    """What a closure holds, each with its direction as a motion."""
    if isinstance(part, Spring):
        return [("length", np.zeros(3 if planar else 6))]
    axes = "xy" if planar else "xyz"
    whole = part.holds in (PIN, CLAMP, WELD)
    moves = [axis for axis in axes if whole or axis in part.holds]
    turns = [axis for axis in ("z" if planar else "xyz") if part.holds in (CLAMP, WELD)]
    found = []
    for axis in moves:
        k = DIRECTIONS.index(axis)
        found.append((axis, np.eye(3)[1 + k] if planar else np.eye(6)[3 + k]))
    for axis in turns:
        found.append((f"turn_{axis}", np.eye(3)[0] if planar else np.eye(6)[DIRECTIONS.index(axis)]))
    return found


def _closed_at(
    closures: Closures, parts: Sequence[tuple[str, Closure]], tree: Tree, q: Floats, reach: float, planar: bool
) -> None:
    """Fill what closures are closed at: places of supports, rotations of welds, lengths of springs."""
    where, gap = _gaps(closures, tree, q)
    for j, (name, part) in enumerate(parts):
        first = closures.pair[j, 0]
        if isinstance(part, Spring):
            distance = gap[first]
            if not distance > _TOGETHER * reach:
                raise AnalysisError(
                    f'spring "{name}": its points are together at the start, must be apart: the line between them is '
                    "the direction of its force; a [[support]] with stiffness holds a point in fixed directions"
                )
            closures.row[first, R_REST] = distance if part.rest_length is None else part.rest_length
        if isinstance(part, Support) and part.place is None:
            size = 2 if planar else 3
            closures.place[j, 0, :size] = where[j, 1, :size]
        if not isinstance(part, Spring):
            if planar:
                closures.place[j, 0, 2] = where[j, 1, 2] - where[j, 0, 2]
            else:
                P, Q = where[j, :, 3:].reshape(2, 3, 3)
                closures.place[j, 0, 3:] = (P.T @ Q).ravel()


def _gaps(closures: Closures, tree: Tree, q: Floats) -> tuple[Floats, Floats]:
    """Place of both ends (pairs, 2, 12): position, rotation (in the plane: x, y, angle); gaps of the rows."""
    nq, rows = len(q), len(closures.row)
    seen, jacobian, zero = np.zeros((Q_COUNT, rows)), np.zeros((rows, nq)), np.zeros(nq)
    where = np.zeros_like(closures.place)
    work = new_work(tree)
    with np.errstate(all="ignore"):
        kernel_of("close", type(tree))(tree, closures, q, zero, zero, jacobian, seen, work)
    kernel_of("ends", type(tree))(tree, closures, q, zero, zero, where, work)
    return where, seen[Q_GAP]


def forces_on_ends(found: ArmClosures, forces: Floats) -> Floats:
    """Force and moment (pairs, 6) in base axes on the second end of every closure; on its first end the opposite."""
    wrench = np.zeros((len(found.closures.pair), 6))
    motion = found.closures.row.shape[1] - R_DIRECTION
    for j, (first, count) in enumerate(found.closures.pair[:, :2]):
        for r in range(first, first + count):
            direction = found.closures.row[r, R_DIRECTION:] * forces[r]
            if motion == 3:
                wrench[j, [5, 0, 1]] += direction
            else:
                wrench[j, :3] += direction[3:]
                wrench[j, 3:] += direction[:3]
    return wrench


def refuse_closures(arm: Arm, what: str = "what was asked for") -> None:
    """Refuse an arm with supports, loops or springs between points."""
    words = closure_words(arm)
    if words:
        raise AnalysisError(
            f"the arm has {words}, which {what} does not take: simulate (nonlinear), statics and modes do"
        )
