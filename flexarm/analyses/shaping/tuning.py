"""Smooth laws tuned to the modes at the stop, then to the whole arm, whose frequencies change on the way there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from flexarm.analyses.golden_section import golden_section
from flexarm.analyses.shaping.commands import Command, along_law
from flexarm.analyses.shaping.laws import tuned
from flexarm.analyses.shaping.move import Move
from flexarm.analyses.shaping.runs import Bench
from flexarm.analyses.shaping.shapers import Mode, damped_period

# So many periods of the mode that matters most, with so many durations, are looked through for the best valley, and so
# many steps of the golden section lead down into it.
_PERIODS, _TRIED, _RESOLUTION = 1.3, 16, 0.003


def longest(fields: Mapping[str, Any], move: Move, modes: Sequence[Mode]) -> float:
    """The longest duration (s) looked through for a law with these fields."""
    period = damped_period(*modes[0])
    return float(max(move.duration, fields["duration"] - 0.5 * period) + _PERIODS * period)


def tuned_by_runs(bench: Bench, word: str, modes: Sequence[Mode]) -> Command:
    """The move along a smooth law: its proportions from the modes, its duration the one that leaves least.

    Looked for from half a period before the duration that the modes ask for, not below that of the unshaped command.
    """
    move, period = bench.move, damped_period(*modes[0])
    fields = tuned(word, move.duration, modes)
    whole = fields["duration"]

    def command(duration: float) -> Command:
        stretched = {key: value if key == "ramp" else value * duration / whole for key, value in fields.items()}
        return along_law(bench.arm, move, word, word, stretched)

    def left(duration: float) -> float:
        return bench.energy(command(duration))

    command(whole)  # for what it refuses
    high = longest(fields, move, modes)
    durations: Any = np.linspace(high - _PERIODS * period, high, _TRIED)
    best = int(np.argmin([left(duration) for duration in durations]))
    low, high = durations[max(best - 1, 0)], durations[min(best + 1, _TRIED - 1)]
    near = golden_section(left, low, high, _RESOLUTION * (high - low))
    return command(min((durations[best], near), key=left))
