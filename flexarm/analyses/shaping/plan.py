"""The commands of a study before any is run: the shaped ones, and when the longest of all will be over."""

from __future__ import annotations

import math
from collections.abc import Sequence

from flexarm.analyses.shaping.commands import Command, design, through_shaper
from flexarm.analyses.shaping.laws import tuned
from flexarm.analyses.shaping.move import Move
from flexarm.analyses.shaping.shapers import Mode, damped_period
from flexarm.analyses.shaping.tuning import longest
from flexarm.errors import FlexarmError
from flexarm.model import Arm


class Planned:
    """Commands designed for some modes."""

    def __init__(self, arm: Arm, move: Move, modes: Sequence[Mode], vibration: float) -> None:
        self.arm, self.move, self.modes, self.vibration = arm, move, modes, vibration

    def shaped(self, word: str) -> Command:
        """The move through a shaper."""
        return through_shaper(self.arm, self.move, word, design(word, self.modes, self.vibration))

    def latest(self, shapers: Sequence[str], laws: Sequence[str], duration: float | None, optimum: bool) -> float:
        """When the longest command is over (s); an optimum may last `duration` (s), or one period longer than the move.

        What all commands leave counts from here: a command is not credited with the time it lets pass.
        """
        move = self.move
        ends = [move.end]
        for word in shapers:
            try:
                ends.append(self.shaped(word).stop)
            except FlexarmError:
                continue  # its row will give the reason
        if move.from_rest:
            ends += [move.begin + longest(tuned(word, move.duration, self.modes), move, self.modes) for word in laws]
        if optimum:
            ends.append(move.begin + duration if duration else move.end + damped_period(*self.modes[0]))
        return max(ends)


def one_digit(value: float) -> float:
    """The number rounded down to one digit: 0.2 mm rather than 0.2371 mm."""
    if not value > 0.0:
        return value
    power = math.floor(math.log10(value) + 1e-12)
    return math.floor(value / 10.0**power + 1e-9) * 10.0**power
