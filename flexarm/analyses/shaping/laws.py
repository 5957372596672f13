"""Smooth laws whose durations suit the modes: what a law excites, and where that vanishes.

A box of width W has no part at a frequency 1/T if W is a multiple of T. A trapezoidal acceleration is two boxes through
one another (flank and half width), the rate of an s-curve three (jerk, acceleration and rate); a cycloid of duration D
has no part at 1/T if D is a multiple of T from the second on.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from flexarm.analyses.golden_section import golden_section
from flexarm.analyses.shaping.shapers import Mode, damped_period
from flexarm.model import Pieces
from flexarm.model.laws.motion import Cycloidal, SCurve, TrapezoidalAcceleration

_KINDS: dict[str, Any] = {
    "cycloidal": Cycloidal,
    "s-curve": SCurve,
    "trapezoidal-acceleration": TrapezoidalAcceleration,
}
LAWS = tuple(_KINDS)
# A law that is as long as the unshaped one but for this part is not shorter.
_NOT_SHORTER = 1e-9
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(12)


def excitation(law: Pieces, frequency: float, ratio: float = 0.0) -> float:
    """How far a mode (Hz, damping ratio) swings at the end of a law that begins and ends at rest, per unit of it.

    That is |∫ θ̈(t) e^{s (t − t_end)} dt| / ω with s = ω (ζ + i √(1 − ζ²)).
    """
    omega = 2.0 * math.pi * frequency
    s = complex(omega * ratio, 2.0 * math.pi / damped_period(frequency, ratio))
    ends = law.break_times
    total = 0.0 + 0.0j
    for begin, end in pairwise(ends):
        # parts short enough that twelve points are exact to rounding
        row = int(np.searchsorted(ends, begin, side="right"))
        parts = 1 + int((end - begin) * (omega + abs(law.harmonic[row, 1])))
        edges = np.linspace(begin, end, parts + 1)
        half = 0.5 * np.diff(edges)[:, None]
        times = (0.5 * (edges[:-1] + edges[1:])[:, None] + half * _NODES).ravel()
        weights = (half * _WEIGHTS).ravel()
        total += complex(np.sum(weights * law.evaluate(times)[2] * np.exp(s * (times - ends[-1]))))
    return abs(total) / omega


def tuned(word: str, duration: float, modes: Sequence[Mode]) -> dict[str, Any]:
    """Fields of the law, without travel and begin, that is not shorter than `duration` and excites the modes least.

    The first mode is the one that matters most.
    """
    periods = [damped_period(*mode) for mode in modes]
    first, other = periods[0], periods[1] if len(periods) > 1 else periods[0]
    # times that stretch with the law, and what stays
    stretched: dict[str, float]
    kept: dict[str, float] = {}
    if word == "cycloidal":
        stretched = {"duration": first * max(2, math.ceil(duration / first * (1 - _NOT_SHORTER)))}
    elif word == "trapezoidal-acceleration":
        flank = other
        wide = first * max(math.ceil(flank / first), math.ceil((duration / 2 - flank) / first * (1 - _NOT_SHORTER)), 1)
        whole = 2 * (wide + flank)
        stretched, kept = {"duration": whole}, {"ramp": min(flank / whole, 0.25)}
    else:
        jerk = other
        rise = first * max(math.ceil(jerk / first), round(duration / 4 / first), 1)
        shortest = max(duration - rise - jerk, rise + jerk)
        even = first * math.ceil(shortest / first * (1 - _NOT_SHORTER))
        stretched = {"duration": even + rise + jerk, "acceleration_time": rise + jerk, "jerk_time": jerk}

    def make(stretch: float) -> dict[str, Any]:
        return {name: time * stretch for name, time in stretched.items()} | kept

    if modes[0][1] == 0.0:
        return make(1.0)
    # with damping no duration leaves nothing: the least, near the one without
    return make(golden_section(lambda stretch: _excited(word, make(stretch), modes[0]), 0.97, 1.03, 1e-9))


def _excited(word: str, fields: dict[str, Any], mode: Mode) -> float:
    return excitation(_KINDS[word](travel=1.0, **fields).pieces(), *mode)
