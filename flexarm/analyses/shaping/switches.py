"""Commands whose accelerations are constant between switches: the times of the switches are the unknowns.

Each joint has a staircase of accelerations: a bang-bang law through a shaper is one, and so is a brake. Every switch
may move within its neighbours, so their order stays, and the levels follow: they change least, each by a part of
itself, so that the joint comes to rest where it was to go. A level of zero stays zero.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from flexarm.analyses.shaping.commands import Command, replaced
from flexarm.analyses.shaping.runs import Bench
from flexarm.core.tree.types import Floats, Ints
from flexarm.model import Pieces
from flexarm.model.laws.law import ramps

# How far a switch may move towards the next, of any joint, as part of the time between them: two never meet.
_ROOM = 0.45
# Switches nearer to one another than this part of the move are one.
_SAME = 1e-9
# Times at which commands are held to their bounds, spread over the intervals between switches, and at least so many.
_SAMPLES, _FEWEST = 240, 3
# Of the largest acceleration: what is less is none.
_NONE = 1e-9


@dataclass(frozen=True, eq=False)
class Staircase:
    """A joint's accelerations between its switches (s), and the rate and the place it comes from and goes to."""

    times: Floats  # (k + 1,) the first where it begins, the last where it ends
    levels: Floats  # (k,)
    rate: float
    place: float
    end: float

    def led(self, times: Floats) -> Floats:
        """The levels that, with these switches, end at rest where the staircase ends: the least change of these."""
        gaps = np.diff(times)
        # what a unit of each level does to the rate and to the place at the end
        effect = np.stack([gaps, gaps * (times[-1] - times[:-1] - 0.5 * gaps)])
        wanted = np.array([-self.rate, self.end - self.place - self.rate * (times[-1] - times[0])])
        share = self.levels**2 * effect
        return np.asarray(self.levels + share.T @ np.linalg.solve(effect @ share.T, wanted - effect @ self.levels))


def staircase_of(law: Pieces) -> Staircase | None:
    """The law as a staircase; None if its acceleration is not constant between switches, or it has but one."""
    times = law.break_times
    if np.any(law.harmonic[:, 0]) or law.poly.shape[1] < 3 or len(times) < 3:
        return None
    gaps, levels = np.diff(times), 2.0 * law.poly[1:-1, 2]
    bent = np.abs(law.poly[1:-1, 3:]) * gaps[:, None] ** np.arange(1, law.poly.shape[1] - 2)
    if np.any(bent > _NONE * np.max(np.abs(levels))):
        return None
    jumps = np.abs(np.diff(levels)) > _NONE * np.max(np.abs(levels))
    long = gaps > _SAME * (times[-1] - times[0])
    inner = np.flatnonzero(jumps & long[1:]) + 1
    kept = np.concatenate([[0], inner, [len(times) - 1]])
    place, rate, _ = law.evaluate(times[0], side="left")
    end = float(law.evaluate(times[-1] + 1.0)[0])
    found = Staircase(times[kept], levels[kept[:-1]], float(rate), float(place), end)
    return found if np.count_nonzero(found.levels) > 1 else None


class Switches:
    """The commands that come of a staircase by moving its switches; unknowns are shifts as parts of a period."""

    name = "switches"

    def __init__(
        self, bench: Bench, base: Command, stairs: Mapping[str, Staircase], stop: float, period: float
    ) -> None:
        self.bench, self.base, self.stairs, self.stop, self.period = bench, base, stairs, stop, period
        inner = [stair.times[1:-1] for stair in self.stairs.values()]
        ends = np.array([[stair.times[0], stair.times[-1]] for stair in self.stairs.values()]).ravel()
        self.unknowns = sum(len(times) for times in inner)
        own = np.concatenate(inner)
        groups = _groups(np.concatenate([own, ends]), _SAME * (stop - bench.move.begin))
        firsts = np.array([np.min(np.concatenate([own, ends])[groups == g]) for g in range(groups.max() + 1)])
        place = groups[: len(own)]
        self.lower = -_ROOM * (firsts[place] - firsts[np.maximum(place - 1, 0)]) / period
        self.upper = _ROOM * (firsts[np.minimum(place + 1, len(firsts) - 1)] - firsts[place]) / period
        self.first: Ints | None = None  # every level may change: all unknowns act from the beginning
        self.weight = np.eye(self.unknowns)
        self._groups, self._edges = groups, firsts

    def _moved(self, p: Floats) -> dict[str, Floats]:
        """The switches of every joint (s)."""
        found, at = {}, 0
        for joint, stair in self.stairs.items():
            times = stair.times.copy()
            times[1:-1] += self.period * p[at : at + len(times) - 2]
            at += len(times) - 2
            found[joint] = times
        return found

    def marks(self) -> Floats:
        """When the staircases begin, and the stop (s)."""
        return np.array([self._edges[0], self.stop])

    def samples(self, p: Floats) -> Floats:
        """Times (s) at which the command is held to its bounds: they go with the switches, whose sides they keep."""
        moved = self._moved(p)
        times = np.concatenate([t[1:-1] for t in moved.values()] + [t[[0, -1]] for t in moved.values()])
        whole = self._edges[-1] - self._edges[0]
        found = [times, times + 1e-7 * self.stop]
        for g in range(len(self._edges) - 1):
            low, high = np.max(times[self._groups == g]), np.min(times[self._groups == g + 1])
            count = max(_FEWEST, round(_SAMPLES * (self._edges[g + 1] - self._edges[g]) / whole))
            found.append(low + (high - low) * (np.arange(count) + 0.5) / count)
        return np.minimum(np.concatenate(found), self.stop)

    def laws(self, p: Floats) -> dict[str, Pieces]:
        """The motions with the switches moved."""
        found = {}
        for joint, times in self._moved(p).items():
            stair = self.stairs[joint]
            levels = stair.led(times)
            segments = list(zip(np.diff(times), levels, levels, strict=True))
            rows = ramps(times[0], stair.place, segments, rate=stair.rate)
            begin = (times[0], (stair.place, stair.rate))
            found[joint] = Pieces.joined([begin, *rows, (times[-1], (stair.end,))])
        return found

    def command(self, p: Floats, name: str) -> Command:
        """The command as a model file has it."""
        stairs = {
            joint: {
                "times": times.tolist(),
                "values": self.stairs[joint].led(times).tolist(),
                "interpolation": "steps",
                "rate": self.stairs[joint].rate,
            }
            for joint, times in self._moved(p).items()
        }
        return replaced(self.bench.arm, self.bench.move, name, self.base, stairs)


def switches_of(bench: Bench, base: Command, period: float) -> Switches | None:
    """The family of a command; None if a joint's motion is no staircase that a law of accelerations can stand for."""
    stairs: dict[str, Staircase] = {}
    for name, law in base.laws.items():
        found, joint = staircase_of(law), bench.arm.link(name).joint
        if found is None:
            return None
        # such a law has its rate from its own zero of time on
        begun = joint.at + found.rate * (found.times[0] - joint.delay)
        if abs(found.place - begun) > 1e-12 * max(1.0, abs(begun)):
            return None
        stairs[name] = found
    return Switches(bench, base, stairs, base.stop, period)


def _groups(times: Floats, same: float) -> Ints:
    """A number for each time, rising with it; times that are the same have one."""
    order = np.argsort(times, kind="stable")
    numbers = np.concatenate([[0], np.cumsum(np.diff(times[order]) > same)])
    found = np.empty(len(times), np.int64)
    found[order] = numbers
    return found
