"""Input shapers: impulses that leave a vibration at rest, whatever command is sent through them.

A shaper is a row of impulses with times t_i and sizes A_i, ΣA_i = 1; a command θ becomes Σ A_i θ(t − t_i). Of a mode
with the natural frequency ω and the damping ratio ζ it leaves, per vibration of the unshaped command,

    V(ω, ζ) = e^{−ζω t_n} |Σ A_i e^{s t_i}|,   s = ω (ζ + i √(1 − ζ²)).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from flexarm.analyses.shaping.least_squares import positive_least_squares
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError

Mode = tuple[float, float]  # natural frequency (Hz) and damping ratio

# Impulses closer than this part of the shaper's duration are one.
_SAME = 1e-9
# Grid on which impulses for several modes at once are looked for, and what the equations may be off by there.
_GRID, _SOLVED = 240, 1e-11


@dataclass(frozen=True)
class Shaper:
    """Impulses in the order of their times (s); their sizes sum to one."""

    times: tuple[float, ...]
    sizes: tuple[float, ...]

    @property
    def duration(self) -> float:
        """From the first impulse to the last (s): so much longer does a command become."""
        return self.times[-1] - self.times[0]

    @property
    def delay(self) -> float:
        """The mean of the times, weighed by the sizes (s): so much later does a constant rate arrive."""
        return float(np.dot(self.times, self.sizes))

    def residual(self, frequency: float, ratio: float = 0.0) -> float:
        """Vibration left of a mode (Hz, damping ratio) per vibration of the unshaped command."""
        s = _pole(frequency, ratio)
        times = np.array(self.times) - self.times[-1]
        return float(abs(np.dot(self.sizes, np.exp(s * times))))

    def then(self, other: Shaper) -> Shaper:
        """Both in a row: every impulse of this one sends out all of the other's."""
        times = np.add.outer(self.times, other.times).ravel()
        sizes = np.multiply.outer(self.sizes, other.sizes).ravel()
        return _ordered(times, sizes)

    def advanced(self, by: float) -> Shaper:
        """The same, earlier (s)."""
        return Shaper(tuple(time - by for time in self.times), self.sizes)

    def impulses(self) -> list[tuple[float, float]]:
        """Pairs of time (s) and size, as a model file has them."""
        return list(zip(self.times, self.sizes, strict=True))


NONE = Shaper((0.0,), (1.0,))


def zv(frequency: float, ratio: float = 0.0) -> Shaper:
    """Zero vibration of one mode (Hz, damping ratio): two impulses, half a damped period long."""
    return _binomial(frequency, ratio, 1)


def zvd(frequency: float, ratio: float = 0.0) -> Shaper:
    """Zero vibration and zero slope of it over frequency: three impulses, one damped period long."""
    return _binomial(frequency, ratio, 2)


def zvdd(frequency: float, ratio: float = 0.0) -> Shaper:
    """Zero vibration, slope and curvature: four impulses, one and a half damped periods long."""
    return _binomial(frequency, ratio, 3)


def _binomial(frequency: float, ratio: float, order: int) -> Shaper:
    """Zero vibration applied `order` times: sizes are binomial coefficients times powers of K = e^{−ζπ/√(1−ζ²)}."""
    half = 0.5 * damped_period(frequency, ratio)
    k = math.exp(-ratio * math.pi / math.sqrt(1.0 - ratio * ratio))
    sizes = np.array([math.comb(order, i) * k**i for i in range(order + 1)])
    return Shaper(tuple(i * half for i in range(order + 1)), tuple((sizes / sizes.sum()).tolist()))


def ei(frequency: float, ratio: float = 0.0, vibration: float = 0.05) -> Shaper:
    """Extra insensitive: three impulses that leave `vibration` at the mode itself and nothing on either side of it.

    Without damping the sizes are (1 + V)/4, (1 − V)/2, (1 + V)/4, half a period apart. With damping the same
    conditions are solved by Newton: no vibration at two frequencies, V at the mode between them, level there.
    """
    if not 1e-3 <= vibration <= 0.5:
        raise AnalysisError(f"the vibration an ei shaper leaves is {vibration:.6g}, must be between 0.001 and 0.5")
    period = damped_period(frequency, ratio)
    outer = 0.25 * (1.0 + vibration)
    aside = math.acos((1.0 - vibration) / (1.0 + vibration)) / math.pi
    # in units of the natural angular frequency: sizes, times, and the two frequencies without vibration
    found = np.array([outer, 0.5 * (1.0 - vibration), math.pi, 2.0 * math.pi, 1.0 - aside, 1.0 + aside])
    for damping in np.linspace(0.0, ratio, 2 + int(ratio / 0.02))[1:] if ratio > 0.0 else ():
        found = _newton(partial(_extra_insensitive, zeta=float(damping), vibration=vibration), found)
    if ratio == 0.0:
        return Shaper((0.0, 0.5 * period, period), (outer, 1.0 - 2.0 * outer, outer))
    omega = 2.0 * math.pi * frequency
    first, second = float(found[0]), float(found[1])
    return Shaper((0.0, float(found[2]) / omega, float(found[3]) / omega), (first, second, 1.0 - first - second))


def _extra_insensitive(x: Floats, zeta: float, vibration: float) -> Floats:
    """What the conditions of a damped extra-insensitive shaper are off by, ω = 1."""
    sizes, times = np.array([x[0], x[1], 1.0 - x[0] - x[1]]), np.array([0.0, x[2], x[3]])
    c = complex(zeta, math.sqrt(1.0 - zeta * zeta))

    def sums(omega: float) -> tuple[complex, complex]:
        turned = sizes * np.exp(omega * c * (times - times[-1]))
        return complex(turned.sum()), complex((c * (times - times[-1]) * turned).sum())

    low, high, (here, slope) = sums(x[4])[0], sums(x[5])[0], sums(1.0)
    level = (here.conjugate() * slope).real
    return np.array([low.real, low.imag, high.real, high.imag, abs(here) - vibration, level])


def cascaded(shapers: Sequence[Shaper]) -> Shaper:
    """Shapers in a row, one for each mode; as long as all of them together."""
    whole = NONE
    for each in shapers:
        whole = whole.then(each)
    return whole


def simultaneous(modes: Sequence[Mode], *, robust: int = 0) -> Shaper:
    """Positive impulses, as few and as soon done as can be found, that leave no vibration of all modes at once.

    `robust`: how many slopes over frequency vanish too (1: as of zvd). Never longer than the modes' own shapers in a
    row. Sizes are linear once times are given: on a grid of times they are found by positive least squares, the
    shortest grid by bisection; impulses that are neighbours there become one by Newton.
    """
    if not modes:
        raise AnalysisError("there is no mode, must be at least one")
    row = cascaded([_binomial(frequency, ratio, robust + 1) for frequency, ratio in modes])
    if len(modes) == 1:
        return row
    poles = [_pole(frequency, ratio) for frequency, ratio in modes]
    low = max(0.5 * damped_period(*mode) for mode in modes)
    high, best = row.duration, None
    for _ in range(24):
        middle = 0.5 * (low + high)
        tried = _on_grid(middle, poles, robust)
        low, high, best = (low, middle, tried) if tried is not None else (middle, high, best)
    if best is None:
        return row
    polished = _polished(best, poles, robust)
    return polished if polished is not None and polished.duration <= row.duration else best


def _equations(times: Floats, poles: Sequence[complex], robust: int, end: float) -> Floats:
    """Rows of the zero-vibration conditions and of the sum of the sizes, a column for each time."""
    rows = [np.ones_like(times)]
    for s in poles:
        turned = np.exp(s * (times - end))
        for order in range(robust + 1):
            scaled = turned * (times / end) ** order
            rows += [scaled.real, scaled.imag]
    return np.array(rows)


def _on_grid(end: float, poles: Sequence[complex], robust: int) -> Shaper | None:
    times = np.linspace(0.0, end, _GRID)
    matrix = _equations(times, poles, robust, end)
    wanted = np.zeros(len(matrix))
    wanted[0] = 1.0
    sizes = positive_least_squares(matrix, wanted)
    if float(np.max(np.abs(matrix @ sizes - wanted))) > _SOLVED:
        return None
    kept = sizes > 0.0
    return _ordered(times[kept], sizes[kept])


def _polished(shaper: Shaper, poles: Sequence[complex], robust: int) -> Shaper | None:
    """Neighbours on the grid as one impulse each, all conditions met; None where that cannot be had."""
    times, sizes, spacing = np.array(shaper.times), np.array(shaper.sizes), shaper.duration / (_GRID - 1)
    groups = np.split(np.arange(len(times)), np.flatnonzero(np.diff(times) > 1.5 * spacing) + 1)
    sizes, times = (
        np.array([sizes[group].sum() for group in groups]),
        np.array([np.dot(times[group], sizes[group]) / sizes[group].sum() for group in groups]),
    )
    times -= times[0]
    n, scale = len(times), times[-1]

    def off(x: Floats) -> Floats:
        here = np.append(0.0, x[n:]) * scale
        found = _equations(here, poles, robust, max(float(here[-1]), 0.1 * scale)) @ x[:n]
        found[0] -= 1.0
        return found

    try:
        x = _newton(off, np.append(sizes, times[1:] / scale))
    except AnalysisError:
        return None
    times = np.append(0.0, x[n:]) * scale
    if np.any(x[:n] <= 0.0) or np.any(np.diff(times) <= 0.0) or float(np.max(np.abs(off(x)))) > 1e-13:
        return None
    return Shaper(tuple(times.tolist()), tuple((x[:n] / x[:n].sum()).tolist()))


def _newton(off: Callable[[Floats], Floats], start: Floats) -> Floats:
    """Where a small system of equations is met; steps of least length where it leaves freedom."""
    x = start.copy()
    for _ in range(60):
        here = off(x)
        if float(np.max(np.abs(here))) < 1e-15:
            break
        jacobian = np.empty((len(here), len(x)))
        for j in range(len(x)):
            aside = np.zeros(len(x))
            aside[j] = 1e-6
            jacobian[:, j] = (off(x + aside) - off(x - aside)) / 2e-6
        step = np.linalg.lstsq(jacobian, -here, rcond=1e-12)[0]
        x = x + step * min(1.0, 0.2 / max(float(np.max(np.abs(step))), 1e-300))
        if float(np.max(np.abs(step))) < 1e-15:
            break
    if not np.all(np.isfinite(x)) or float(np.max(np.abs(off(x)))) > 1e-12:
        raise AnalysisError("no shaper was found that meets all its conditions, must have modes farther apart")
    return x


def damped_period(frequency: float, ratio: float = 0.0) -> float:
    """The period (s) of a mode (natural frequency in Hz, damping ratio)."""
    if not (math.isfinite(frequency) and frequency > 0.0):
        raise AnalysisError(f"the frequency of a mode is {frequency:.6g} Hz, must be > 0")
    if not 0.0 <= ratio < 1.0:
        raise AnalysisError(f"the damping ratio of a mode is {ratio:.6g}, must be at least 0 and below 1: it must ring")
    return 1.0 / (frequency * math.sqrt(1.0 - ratio * ratio))


def _pole(frequency: float, ratio: float) -> complex:
    """ω (ζ + i √(1 − ζ²)), checked."""
    return complex(2.0 * math.pi * frequency * ratio, 2.0 * math.pi / damped_period(frequency, ratio))


def _ordered(times: Floats, sizes: Floats) -> Shaper:
    """Impulses in the order of time, those at the same time as one, their sizes summing to one."""
    order = np.argsort(times, kind="stable")
    reach = max(float(times.max() - times.min()), 1e-300)
    merged: list[list[float]] = []
    for time, size in zip(times[order].tolist(), sizes[order].tolist(), strict=True):
        if merged and time - merged[-1][0] <= _SAME * reach:
            merged[-1][1] += size
        else:
            merged.append([time, size])
    total = sum(size for _, size in merged)
    return Shaper(tuple(time for time, _ in merged), tuple(size / total for _, size in merged))
