"""When do all commands of an arm end?"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

import numpy as np

from flexarm.core.tree.types import Floats, Ints
from flexarm.model import Arm, Pieces

# Of the largest rate of a command: what is slower has stopped.
_AT_REST = 1e-9
# Column of a piece in the engine's form that is a constant; polynomials begin there.
_CONSTANT = 4


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


def rest_times(first: Ints, piece: Floats, end: float) -> Floats:
    """When each law (laws, n) of n samples, pieces (pieces, width, n) in the engine's form (`core.tree.types.Laws`),
    has become constant (s), infinity if never: `rests` for all of them.
    """
    moving = piece.copy()
    moving[:, _CONSTANT] = 0.0
    if np.array_equal(moving, np.broadcast_to(moving[..., :1], moving.shape)):
        # of many samples most have the same commands, but for where they begin
        found = _same_rest_times(tuple(first.tolist()), moving[..., 0].tobytes(), moving.shape[1], end)
        return np.repeat(np.array(found)[:, None], piece.shape[-1], axis=1)
    return np.array([_rests(moving[i:j], end) for i, j in pairwise(first.tolist())]).reshape(-1, piece.shape[-1])


@lru_cache(maxsize=64)
def _same_rest_times(first: tuple[int, ...], rows: bytes, width: int, end: float) -> tuple[float, ...]:
    piece = np.frombuffer(rows).reshape(-1, width, 1)
    return tuple(float(_rests(piece[i:j], end)[0]) for i, j in pairwise(first))


def _rests(rows: Floats, end: float) -> Floats:
    """When a law (pieces, width, n) has become constant (n,), s."""
    breaks = rows[1:, 0]
    begin = np.max(np.where(breaks < end, breaks, 0.0), axis=0, initial=0.0)
    largest = np.maximum(np.max(np.abs(_evaluated(rows, np.linspace(0.0, end, 101))[1]), axis=0), 1e-300)
    after = np.linspace(begin, np.full_like(begin, end), 11)[:-1]
    still = np.all(np.abs(_evaluated(rows, after)[1]) <= _AT_REST * largest, axis=0)
    return np.where(still, begin, np.inf)


def law_values(first: Ints, piece: Floats, law: int, t: float) -> Floats:
    """The value (n,) of a law of n samples, in the engine's form, at a time (s)."""
    return _evaluated(piece[first[law] : first[law + 1]], np.array([t]))[0][0]


def _evaluated(rows: Floats, times: Floats) -> tuple[Floats, Floats]:
    """Value and rate (m, n) of a law (pieces, width, n) at times (m,) or (m, n)."""
    t = times[:, None] if times.ndim == 1 else times
    which = np.count_nonzero(rows[1:, None, 0] <= t, axis=0)
    own = np.take_along_axis(rows[:, :, :], which[:, None, :], axis=0)  # (m, width, n)
    tau = t - own[:, 0]
    value, rate = np.zeros_like(tau), np.zeros_like(tau)
    for k in range(rows.shape[1] - 1, _CONSTANT - 1, -1):
        rate = rate * tau + value
        value = value * tau + own[:, k]
    amplitude, w, phase = own[:, 1], own[:, 2], own[:, 3]
    return value + amplitude * np.sin(w * tau + phase), rate + amplitude * w * np.cos(w * tau + phase)


def last_changes(first: Ints, piece: Floats, switches: Floats, end: float) -> Floats:
    """When the commands of n samples, in the engine's form, last switched or came to rest (n,), s; NaN if never."""
    latest = np.max(rest_times(first, piece, end), axis=0, initial=0.0)
    inside = np.where((switches > 0.0) & (switches < end), switches, -np.inf)
    found = np.maximum(
        np.max(inside, axis=0, initial=-np.inf), np.where((latest > 0.0) & (latest < end), latest, -np.inf)
    )
    return np.where(np.isfinite(found), found, np.nan)


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
