"""The last stop of a motion law, and the same law with another braking time.

A stop begins where the rate begins to fall and ends where the joint rests. With s = new braking time / old one the
stop keeps its shape, and with that the rate at its begin: q(t) = q_b + s [q_old(t_b + (t - t_b')/s) - q_b].
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import comb

import numpy as np

from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.model import Arm, Pieces

HOLDS = ("end", "begin", "path")
# Rates below this part of the greatest are rest; decelerations below this part of the greatest are none.
_NONE = 1e-12
_LOOKS = 257  # into every piece, for where its rate begins to fall
# Stops of several joints closer than this (s) are one.
TOGETHER = 1e-9


@dataclass(frozen=True, eq=False)
class Stop:
    """How a joint stops: from `begin` to `end` (s) by `travel` (rad, m), at first with `rate`."""

    joint: str
    unit: str
    law: Pieces  # with a break at `begin`; its last piece is the rest
    begin: float
    end: float
    place: float  # where it is at `begin` (rad, m)
    rate: float
    travel: float
    cruise: float  # since when (s) the rate has been constant; `begin` if it was not
    moves: float  # when (s) the joint first moves
    hardest: float  # greatest deceleration (rad/s², m/s²)
    even: bool  # the deceleration is constant

    @property
    def duration(self) -> float:
        """The braking time (s) the model has."""
        return self.end - self.begin

    @property
    def lag(self) -> float:
        """Travel while braking over the rate before it (s): half the braking time if the deceleration is constant."""
        return self.travel / self.rate

    def begin_of(self, time: float, hold: str, origin: float = 0.0) -> float:
        """When braking begins (s) if it lasts `time`."""
        if hold == "path":
            return origin + (self.begin - origin) * time / self.duration
        return self.begin + self.lag * (1.0 - time / self.duration) if hold == "end" else self.begin

    def end_of(self, time: float, hold: str, origin: float = 0.0) -> float:
        """When the joint has stopped (s) if braking lasts `time`."""
        return self.begin_of(time, hold, origin) + time

    def deceleration(self, time: float, hold: str) -> float:
        """The greatest deceleration (rad/s², m/s²) if braking lasts `time`."""
        part = self.duration / time
        return self.hardest * (part * part if hold == "path" else part)

    def longest(self, hold: str) -> float:
        """The longest braking time (s) the motion allows."""
        if hold != "end":
            return np.inf
        return self.duration * (1.0 + (self.begin - max(self.cruise, 0.0)) / self.lag)

    def braked(self, time: float, hold: str, origin: float = 0.0) -> Pieces:
        """The law with another braking time: the end stays ("end", it begins elsewhere on the way at constant rate),
        the begin stays ("begin", it ends elsewhere), or everything since `origin` is slower or faster ("path").
        """
        law, s = self.law, time / self.duration
        powers = np.arange(law.poly.shape[1])
        if hold == "path":
            harmonic = law.harmonic * np.array([1.0, 1.0 / s, 1.0])
            return Pieces(origin + (law.start - origin) * s, law.poly / s**powers, harmonic, law.switch)
        begin, first = self.begin_of(time, hold), self.first
        start, poly, harmonic = law.start.copy(), law.poly.copy(), law.harmonic.copy()
        start[first:-1] = begin + (start[first:-1] - self.begin) * s
        start[-1] = begin + time
        poly[first:-1] *= s ** (1.0 - powers)
        poly[first:-1, 0] += (1.0 - s) * self.place + self.rate * (begin - self.begin)
        harmonic[first:-1] *= np.array([s, 1.0 / s, 1.0])
        if hold == "begin":
            poly[-1, 0] += (s - 1.0) * self.travel
        # pieces at constant rate that braking has overtaken
        keep = np.ones(len(start), bool)
        keep[1:first] = start[1:first] < begin
        early = start[keep][1] - start[0]
        if early < 0.0:
            # the first piece, a straight line then, is written about an earlier time
            start[0] += early
            poly[0, 0] += early * poly[0, 1]
        if keep.all():
            return Pieces(start, poly, harmonic, law.switch)
        return Pieces(start[keep], poly[keep], harmonic[keep], law.switch[keep])

    @cached_property
    def first(self) -> int:
        """The piece of the law that begins with braking."""
        return int(np.searchsorted(self.law.break_times, self.begin)) + 1


def stop_of(joint: str, unit: str, law: Pieces) -> Stop | None:
    """The last stop of a law, None if the joint never moves; refused if it never rests."""
    scale = np.max(np.abs(law.evaluate(_looks(law))[1]))
    final = law.evaluate(law.start[-1] + 1.0)
    if abs(final[1]) > _NONE * scale or abs(law.harmonic[-1, 0]) > 0.0 or np.any(law.poly[-1, 1:]):
        raise AnalysisError(
            f'joint "{joint}" never comes to rest, must follow a motion that does, such as kind = "brake", or be left '
            "out by naming the joints to be braked"
        )
    last = len(law.start) - 1
    while last > 0 and not (np.any(law.poly[last - 1, 1:]) or law.harmonic[last - 1, 0]):
        last -= 1
    if last == 0:
        return None
    if law.start[last] <= 0.0:
        return None
    kept = slice(0, last + 1)
    cut, begin = _begin(Pieces(law.start[kept], law.poly[kept], law.harmonic[kept], law.switch[kept]))
    end = float(cut.start[-1])
    cruise = begin
    for j in range(int(np.searchsorted(cut.start[1:], begin)), -1, -1):
        if np.any(cut.poly[j, 2:]) or cut.harmonic[j, 0] or cut.poly[j, 1] == 0.0:
            break
        cruise = float(cut.start[j]) if j > 0 else -np.inf
    place, rate = (float(value) for value in cut.evaluate(begin)[:2])
    if abs(rate) < np.finfo(float).tiny:
        return None  # a travel that is no number to divide by
    inside = begin + (end - begin) * (np.arange(_LOOKS) + 0.5) / _LOOKS
    slowing = np.abs(np.concatenate([cut.evaluate(inside)[2], _sides(cut, begin, end)]))
    moving = [j for j in range(len(cut.start)) if np.any(cut.poly[j, 1:]) or cut.harmonic[j, 0]]
    moves = float(cut.start[moving[0]]) if moving[0] > 0 else 0.0
    return Stop(
        joint=joint,
        unit=unit,
        law=cut,
        begin=begin,
        end=end,
        place=place,
        rate=rate,
        travel=float(cut.evaluate(end)[0]) - place,
        cruise=cruise,
        moves=max(moves, 0.0),
        hardest=float(np.max(slowing)),
        even=float(np.ptp(cut.evaluate(inside)[2])) <= 1e-9 * float(np.max(slowing)),
    )


def stops_of(arm: Arm, joints: tuple[str, ...] | None) -> tuple[Stop, ...]:
    """The stops of the joints that are named, or of all that stop last; refused if there are none."""
    found: list[Stop] = []
    for link in arm.links:
        if link.joint.drive not in ("motion", "servo") or (joints is not None and link.name not in joints):
            continue
        law = arm.motion_of(link)
        assert law is not None
        stop = stop_of(link.name, link.joint.unit, law)
        if stop is not None:
            found.append(stop)
    for name in joints or ():
        if name not in [stop.joint for stop in found]:
            arm.index(name)
            raise AnalysisError(f'joints: "{name}" follows no motion that moves and stops it, must be one that does')
    if not found:
        raise AnalysisError('nothing is braked: no joint follows a motion that moves and stops it, e.g. kind = "brake"')
    latest = max(stop.end for stop in found)
    return tuple(found) if joints else tuple(stop for stop in found if stop.end >= latest - TOGETHER)


def others_rest(arm: Arm, stops: Sequence[Stop]) -> float:
    """When the last joint that is moved but not braked has stopped (s)."""
    braked = {stop.joint for stop in stops}
    latest = 0.0
    for link in arm.links:
        if link.joint.drive in ("motion", "servo") and link.name not in braked:
            law = arm.motion_of(link)
            stop = None if law is None else stop_of(link.name, link.joint.unit, law)
            latest = max(latest, 0.0 if stop is None else stop.end)
    return latest


def chosen_hold(stops: tuple[Stop, ...], hold: str | None) -> str:
    """What stays as it is: as asked for, else the end if every joint brakes from a constant rate, else the path."""
    without = [stop.joint for stop in stops if not stop.cruise < stop.begin]
    if hold is None:
        return "path" if without else "end"
    if hold not in HOLDS:
        raise AnalysisError(f'hold is "{hold}", must be "end", "begin" or "path"')
    if hold == "end" and without:
        raise AnalysisError(
            f'hold is "end", but joint "{without[0]}" does not move at a constant rate before it brakes, must be '
            '"path" or "begin"'
        )
    return hold


# --- Looking for the stop ------------------------------------------------------------------------------------------


def _looks(law: Pieces) -> Floats:
    """Times (s) all over a law."""
    breaks = np.concatenate([[min(0.0, law.start[0])], law.start, [law.start[-1] + 1.0]])
    return np.concatenate([a + (b - a) * (np.arange(_LOOKS) + 0.5) / _LOOKS for a, b in pairwise(breaks)])


def _sides(law: Pieces, begin: float, end: float) -> Floats:
    """Accelerations just after the begin, just before the end, and on both sides of breaks between."""
    between = law.break_times[(law.break_times > begin) & (law.break_times < end)]
    right = law.evaluate(np.append(begin, between))[2]
    return np.concatenate([right, law.evaluate(np.append(between, end), side="left")[2]])


def _begin(law: Pieces) -> tuple[Pieces, float]:
    """The law with a break where its rate begins to fall for the last time, but not before t = 0, and that time (s)."""
    right = float(law.start[-1])
    for j in range(len(law.start) - 2, -1, -1):
        left = max(float(law.start[j]), 0.0) if j > 0 else 0.0
        if left >= right:
            break
        piece = Pieces(law.start[j : j + 1], law.poly[j : j + 1], law.harmonic[j : j + 1], np.zeros(1, bool))
        times = left + (right - left) * (np.arange(_LOOKS) + 0.5) / _LOOKS
        falls = _falls(piece, times)
        if not falls.all():
            k = int(np.flatnonzero(~falls)[-1])
            if k < _LOOKS - 1:
                lo, hi = float(times[k]), float(times[k + 1])
                for _ in range(60):
                    middle = 0.5 * (lo + hi)
                    lo, hi = (lo, middle) if _falls(piece, middle) else (middle, hi)
                return _cut(law, j, hi), hi
            break
        right = left
    if right in law.break_times:
        return law, right
    return _cut(law, int(np.searchsorted(law.break_times, right)), right), right


def _falls(piece: Pieces, t: Floats | float) -> np.ndarray:
    """True where the rate falls."""
    _, rate, change = piece.evaluate(t)
    return np.asarray(rate * change < 0.0)


def _cut(law: Pieces, j: int, t: float) -> Pieces:
    """The same law with a break at t within piece j."""
    shift = t - float(law.start[j])
    degree = law.poly.shape[1]
    poly = [sum(comb(i, k) * law.poly[j, i] * shift ** (i - k) for i in range(k, degree)) for k in range(degree)]
    harmonic = law.harmonic[j] + np.array([0.0, 0.0, law.harmonic[j, 1] * shift])
    return Pieces(
        np.insert(law.start, j + 1, t),
        np.insert(law.poly, j + 1, poly, axis=0),
        np.insert(law.harmonic, j + 1, harmonic, axis=0),
        np.insert(law.switch, j + 1, False),
    )
