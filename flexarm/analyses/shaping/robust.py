"""The arms that may be, where the arm of a move is not known exactly: what a command leaves of them all."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from flexarm.analyses.brake.robust import QUANTITIES, read_ranges, variants
from flexarm.analyses.run.command_runs import Track
from flexarm.analyses.shaping.commands import Command
from flexarm.analyses.shaping.move import EndOfMove
from flexarm.analyses.shaping.runs import Bench
from flexarm.assembly import compile_arm
from flexarm.errors import AnalysisError

BY = ("worst", "mean")
# How a frequency follows a quantity: as this power of it, at the most.
_POWERS = {"frequency": 1.0, "stiffness": 0.5, "payload": 0.5, "length": 2.0}
# What a command of duration T leaves changes with the frequency within 1/T: so many levels to that, at least and at
# most so many for one quantity, and at most so many arms in all.
_PER_WIDTH, _FEWEST, _MOST, _ARMS = 2.0, 3, 13, 27


class Uncertain:
    """The arms within ranges of some quantities, judged by the worst of them or by their mean.

    Searches see every other level of each quantity only: a command that is at rest at these alone is found out.
    """

    def __init__(
        self, bench: Bench, ranges: Mapping[str, tuple[float, float]], by: str, frequency: float, duration: float
    ) -> None:
        self.bench, self.ranges, self.by = bench, ranges, by
        wide = max(abs(high ** _POWERS[name] - low ** _POWERS[name]) for name, (low, high) in ranges.items())
        levels = int(np.clip(1 + math.ceil(_PER_WIDTH * wide * frequency * duration), _FEWEST, _MOST))
        while levels > 2 and levels ** len(ranges) > _ARMS:
            levels -= 1
        seen = 2 * levels - 1
        found = list(variants(bench.arm, ranges, seen))
        self.words = tuple(word for word, _ in found)
        self.compiled = [compile_arm(arm) for _, arm in found]
        places = np.array(np.unravel_index(np.arange(len(found)), (seen,) * len(ranges)))
        self.searched = np.flatnonzero(np.all(places % 2 == 0, axis=0))

    def tracks(self, stop: float) -> list[tuple[Track, EndOfMove]]:
        """The arms a search sees, ready for lanes until the stop (s), each with its rest."""
        settings = replace(self.bench.settings, end=stop)
        arms = [self.compiled[i] for i in self.searched]
        return [(Track(arm, settings), EndOfMove(arm, self.bench.move)) for arm in arms]

    def judged(self, command: Command) -> tuple[tuple[float, ...], float | None]:
        """What the command leaves of every arm (m), and when the last of them has settled (s; None: not in time)."""
        found = [self.bench.residual_of(arm, command) for arm in self.compiled]
        settled = [time for _, time in found]
        last = None if None in settled else max(time for time in settled if time is not None)
        return tuple(left for left, _ in found), last

    def residuals(self, command: Command) -> tuple[float, ...]:
        """What the command leaves of every arm (m)."""
        return self.judged(command)[0]

    def summed(self, residuals: tuple[float, ...]) -> float:
        """The worst of the arms' residuals, or their mean."""
        return float(np.max(residuals) if self.by == "worst" else np.mean(residuals))


def read_uncertain(uncertain: Mapping[str, Any] | None, by: str) -> dict[str, tuple[float, float]] | None:
    """Factors between which each quantity may lie, all frequencies of the arm among them; refused in a sentence."""
    if by not in BY:
        raise AnalysisError(f'choose is "{by}", must be "worst" or "mean"')
    return None if uncertain is None else read_ranges(uncertain, (*QUANTITIES, "frequency"))
