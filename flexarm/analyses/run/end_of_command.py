"""When do all commands of an arm end?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from flexarm.model import Arm, Pieces

# Of the largest rate of a command: what is slower has stopped.
_AT_REST = 1e-9


def command_end_time(arm: Arm, end: float) -> float | None:
    """The end of the last command (s): no joint is moved any more, no torque or load changes.

    None if that is not before the end.
    """
    latest = 0.0
    for link in arm.links:
        motion, torque = arm.motion_of(link), arm.torque_of(link)
        latest = max(latest, rests(motion, end), rests(torque, end))
    for load in arm.loads:
        latest = max(latest, rests(arm.factor_of(load), end))
    return latest if latest < end else None


def last_change_of(first: np.ndarray, piece: np.ndarray, switches: np.ndarray, end: float) -> float | None:
    """The same of laws in the engine's form (`core.types.Laws`)."""
    return _last_change(
        tuple(first.tolist()), np.ascontiguousarray(piece).tobytes(), piece.shape, tuple(switches.tolist()), end
    )


@lru_cache(maxsize=256)  # of many samples most have the same commands
def _last_change(
    first: tuple[int, ...], rows: bytes, shape: tuple[int, ...], switches: tuple[float, ...], end: float
) -> float | None:
    piece = np.frombuffer(rows).reshape(shape)
    latest = 0.0
    for law in range(len(first) - 1):
        latest = max(latest, rests(lane_law(first, piece, law), end))
    ends = [t for t in switches if 0.0 < t < end][-1:] + ([latest] if 0.0 < latest < end else [])
    return max(ends, default=None)


def lane_law(first: Sequence[int] | np.ndarray, piece: np.ndarray, law: int) -> Pieces:
    """A law of the engine's form (`core.types.Laws`)."""
    own = piece[first[law] : first[law + 1]]
    return Pieces(own[:, 0], own[:, 4:], own[:, 1:4], np.zeros(len(own), bool))


def last_change(arm: Arm, switches: np.ndarray, end: float) -> float | None:
    """When the command last switched or came to rest (s), within the run; None if it never did."""
    inside = switches[(switches > 0.0) & (switches < end)]
    # a smooth law ends without a switch
    ends = [float(t) for t in inside[-1:]] + [t for t in (command_end_time(arm, end),) if t]
    return max(ends, default=None)


def rests(law: Pieces | None, end: float) -> float:
    """When a law has become constant (s), infinity if never."""
    if law is None:
        return 0.0
    breaks = law.break_times[law.break_times < end]
    begin = float(breaks[-1]) if len(breaks) else 0.0
    whole = np.linspace(0.0, end, 101)
    largest = max(float(np.max(np.abs(law.evaluate(whole)[1]))), 1e-300)
    after = np.linspace(begin, end, 11)[:-1]
    still = bool(np.all(np.abs(law.evaluate(after)[1]) <= _AT_REST * largest))
    return max(begin, 0.0) if still else np.inf
