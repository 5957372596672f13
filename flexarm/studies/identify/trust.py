"""How far found numbers can be trusted: intervals under coloured residuals, and what a record cannot tell apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from flexarm.core.tree.types import Floats
from flexarm.model.reading.messages import quoted
from flexarm.results.engineering import digits
from flexarm.studies.identify.free import Free

_MOST_LAGS = 30
# Sine of the angle between what two numbers do to the outputs (or one and any mixture of others) below which the
# record cannot tell them apart.
_APART = 0.05
# Share of a direction from which on a number belongs to it.
_INVOLVED = 0.2
# Shorter than so much of the outputs' spread for a change of its whole scale, a number has no effect.
NO_EFFECT = 1e-6


class Whiteness(NamedTuple):
    """Of a residual: the part of its first twenty autocorrelations beyond the 95 % bounds of a white one, and the
    time (s) in which its autocorrelation falls below 0.2.
    """

    outside: float
    memory: float

    @property
    def white(self) -> bool:
        """True where no more lie beyond than chance puts there."""
        return self.outside <= 0.15


def meat(J: Floats, residual: Floats) -> Floats:
    """Jᵀ Γ J (p, p): Γ the covariance of the residual over time, from its spectrum as an autoregression (I4)."""
    count = len(residual)
    size = 2 * count
    spectrum = autoregression(residual, size)
    shapes = np.fft.fft(J, n=size, axis=0)
    found = (shapes.conj().T * spectrum) @ shapes / size
    return np.asarray(found.real)


def autoregression(residual: Floats, size: int) -> Floats:
    """The power spectrum (size,), in units of the residual squared, of the autoregression that describes it best."""
    e = residual - residual.mean()
    count = len(e)
    best: tuple[float, Floats, float] = (np.inf, np.zeros(0), 0.0)
    for order in range(0, max(1, min(_MOST_LAGS, count // 10)) + 1):
        rows = np.stack([e[order - 1 - k : count - 1 - k] for k in range(order)], axis=1) if order else None
        target = e[order:]
        if rows is None:
            a, left = np.zeros(0), target
        else:
            a = np.linalg.lstsq(rows, target, rcond=None)[0]
            left = target - rows @ a
        variance = float(np.mean(left**2)) + float(np.finfo(float).tiny)
        criterion = len(target) * np.log(variance) + np.log(count) * (order + 1)
        if criterion < best[0]:
            best = (criterion, a, variance)
    _, a, variance = best
    w = 2.0 * np.pi * np.fft.fftfreq(size)
    gain = 1.0 - sum((a[k] * np.exp(-1j * w * (k + 1)) for k in range(len(a))), np.zeros(size, complex))
    return np.asarray(variance / np.maximum(np.abs(gain) ** 2, 1e-12))


def whiteness(residual: Floats, interval: float) -> Whiteness:
    """How white a residual is."""
    e = residual - residual.mean()
    count = len(e)
    size = 1 << (2 * count - 1).bit_length()
    found = np.fft.irfft(np.abs(np.fft.rfft(e, size)) ** 2)[: count // 2]
    found = found / found[0] if found[0] > 0.0 else found
    outside = float(np.mean(np.abs(found[1:21]) > 1.96 / np.sqrt(count)))
    below = np.flatnonzero(found < 0.2)
    return Whiteness(outside, float(below[0] if len(below) else count // 2) * interval)


def confounded(free: Sequence[Free], values: Floats, J: Floats) -> list[str]:
    """What the records cannot tell apart, a sentence for each such direction (I6)."""
    lengths = np.linalg.norm(J, axis=0)
    if len(free) < 2 or not np.all(lengths > 0.0):
        return []
    _, singular, rows = np.linalg.svd(J / lengths, full_matrices=False)
    sentences = []
    for s, row in zip(singular[::-1], rows[::-1], strict=True):
        if s > _APART:
            break
        # the change of each number itself along the direction, in parts of its value where it has one
        change = row / lengths * [each.slope(value) for each, value in zip(free, values, strict=True)]
        share = np.array([c / v if v else c for c, v in zip(change, values, strict=True)])
        involved = [k for k in np.argsort(-np.abs(row)) if abs(row[k]) >= _INVOLVED]
        first = involved[0]
        parts = []
        for k in involved:
            moved = 0.01 * share[k] / share[first] if share[first] else 0.0
            amount = f"{digits(100.0 * abs(moved), 2)} %" if values[k] else digits(abs(moved * 1.0), 2)
            parts.append(f"{free[k].name} {'up' if moved > 0 else 'down'} by {amount}")
        names = " and ".join(quoted(free[k].name) for k in involved)
        only = "only a combination of them is known"
        if len(involved) == 2 and all(values[k] for k in involved):
            ratio = share[involved[1]] / share[first]
            if abs(abs(ratio) - 1.0) < 0.1:
                only = f"only their {'product' if ratio < 0 else 'quotient'} is known"
        sentences.append(
            f"{names} cannot be told apart by these records, {only}: {', '.join(parts)} changes what is measured "
            f"{digits(1.0 / max(float(s), 1e-9), 2)} times less than each of them alone"
        )
    return sentences
