"""The one numeric form of every command law: pieces of polynomial plus one sine, each about its own start time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from flexarm.batched import Batch, array, each, filled, real, smaller, zeros
from flexarm.errors import FlexarmError

Array = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

# Two break times closer than this, relative to their size, are one: sums of shifted laws meet in rounding.
SAME_TIME = 8 * float(np.finfo(float).eps)
# Jumps smaller than this, relative to the largest value of that derivative, are rounding.
ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class Pieces:
    """A function of time; piece j holds for start[j] <= t < start[j+1], the first also before its start.

    value(t) = sum_i poly[j, i] (t - start[j])^i + harmonic[j, 0] sin(harmonic[j, 1] (t - start[j]) + harmonic[j, 2]).
    switch[j] is True where an integrator has to stop at start[j]: the second derivative of a motion or the value of a
    torque jumps there. start[0] is only the reference time of the first piece and may equal start[1].
    """

    start: Array
    poly: Array
    harmonic: Array
    switch: Flags

    def __post_init__(self) -> None:
        shapes = {"start": np.float64, "poly": np.float64, "harmonic": np.float64, "switch": np.bool_}
        for name, kind in shapes.items():
            given = getattr(self, name)
            if isinstance(given, Batch):
                continue
            own: npt.NDArray[Any] = np.array(given, dtype=kind, order="C")
            own.setflags(write=False)
            object.__setattr__(self, name, own)
        count = len(self.start)
        sound = (
            count >= 1
            and self.poly.ndim == 2
            and self.poly.shape[0] == count
            and self.poly.shape[1] >= 1
            and self.harmonic.shape == (count, 3)
            and self.switch.shape == (count,)
            and bool(np.all(np.diff(self.start[1:]) > 0))
            and (count == 1 or self.start[0] <= self.start[1])
        )
        if not sound:
            raise FlexarmError("pieces need start (k,) in rising order, poly (k, d+1), harmonic (k, 3) and switch (k,)")

    @classmethod
    def constant(cls, value: float) -> Pieces:
        """The same value at all times."""
        return cls.joined([(0.0, (value,))])

    @classmethod
    def joined(cls, rows: Sequence[tuple[Any, ...]], *, order: int = 2) -> Pieces:
        """Pieces from rows (start, coefficients) or (start, coefficients, (A, w, phase)), their switches found.

        A start is a switch if any derivative up to `order` jumps there: 2 for a motion, 0 for a torque.
        """
        width = max(len(row[1]) for row in rows)
        poly = filled((len(rows), width), [((j, slice(len(row[1]))), row[1]) for j, row in enumerate(rows)])
        harmonic = filled((len(rows), 3), [(j, row[2]) for j, row in enumerate(rows) if len(row) > 2])
        start = array([row[0] for row in rows])
        plain = cls(start, poly, harmonic, np.zeros(len(rows), dtype=bool))
        return cls(start, poly, harmonic, plain.jumps(order))

    def jumps(self, order: int) -> Flags:
        """Flags (k,): True where a derivative up to `order` jumps by more than rounding at start[j]."""
        flags = np.zeros(len(self.start), dtype=bool)
        if len(self.start) == 1:
            return flags
        left = self.evaluate(self.break_times, side="left")
        right = self.evaluate(self.break_times, side="right")
        # What the two sides are sums of: their rounding is a fraction of these sizes, not of the sums.
        sizes = Pieces(self.start, np.abs(self.poly), np.zeros_like(self.harmonic), self.switch)
        size_left, size_right = sizes.evaluate(self.break_times, "left"), sizes.evaluate(self.break_times, "right")
        amplitude, w = np.abs(self.harmonic[:, 0]), np.abs(self.harmonic[:, 1])
        sines = [amplitude * w**k for k in range(3)]
        scales = [size_left[k] + size_right[k] + sines[k][:-1] + sines[k][1:] for k in range(3)]
        # A time late in the day is itself rounded, and each derivative moves by the next one times that.
        late = 4 * np.finfo(float).eps * np.abs(self.break_times)
        for k in range(order + 1):
            allowed = ROUNDING * scales[k] + (late * scales[k + 1] if k < 2 else 0.0)
            flags[1:] |= np.abs(right[k] - left[k]) > allowed
        return flags

    @property
    def switch_times(self) -> Array:
        """Times (s) at which an integrator has to stop and restart."""
        return self.start[self.switch]

    @property
    def break_times(self) -> Array:
        """Times (s) at which one piece follows another, switches among them."""
        return self.start[1:]

    def evaluate(self, t: npt.ArrayLike, side: str = "right") -> tuple[Array, Array, Array]:
        """Value, first and second derivative at the times t (s); at a break, of the piece on the given side."""
        if side not in ("left", "right"):
            raise FlexarmError(f'side is "{side}", must be "left" or "right"')
        times = t if isinstance(t, Batch) else np.asarray(t, dtype=float)
        j = np.searchsorted(self.start[1:], times, side="left" if side == "left" else "right")
        tau = times - self.start[j]
        value, first, second = (np.zeros_like(tau) for _ in range(3))
        for i in range(self.poly.shape[1] - 1, -1, -1):
            second = second * tau + 2.0 * first
            first = first * tau + value
            value = value * tau + self.poly[j, i]
        amplitude, w, phase = self.harmonic[j, 0], self.harmonic[j, 1], self.harmonic[j, 2]
        sine, cosine = np.sin(w * tau + phase), np.cos(w * tau + phase)
        return value + amplitude * sine, first + amplitude * w * cosine, second - amplitude * w * w * sine

    def scaled(self, factor: float) -> Pieces:
        """This law times a factor."""
        harmonic = self.harmonic * array([factor, 1.0, 1.0])
        return Pieces(self.start, self.poly * factor, harmonic, self.switch)

    def raised(self, by: float) -> Pieces:
        """This law plus a constant."""
        poly = zeros(self.poly.shape, self.poly, by)
        poly[:] = self.poly
        poly[:, 0] = poly[:, 0] + by
        return Pieces(self.start, poly, self.harmonic, self.switch)

    def shifted(self, dt: float) -> Pieces:
        """This law later by dt (s)."""
        return Pieces(self.start + dt, self.poly, self.harmonic, self.switch)

    def plus(self, other: Pieces) -> Pieces:
        """The sum of two laws; refused where sines of two frequencies would meet in one piece."""
        breaks = _merged(self.break_times, other.break_times)
        first = smaller(self.start[0], other.start[0])
        start = array([smaller(first, breaks[0]) if len(breaks) else first, *breaks])
        a, b = self._about(start), other._about(start)
        width = max(a[0].shape[1], b[0].shape[1])
        poly = sum(filled((len(start), width), [(np.s_[:, : own.shape[1]], own)]) for own in (a[0], b[0]))
        harmonic = array([_merged_sine(one, two) for one, two in zip(a[1], b[1], strict=True)])
        flags = np.concatenate([[False], _near(breaks, self.switch_times) | _near(breaks, other.switch_times)])
        return Pieces(start, poly, harmonic, flags)

    def _about(self, start: Array) -> tuple[Array, Array]:
        # Rows of this law on a finer set of starts: each polynomial is expanded about its new start.
        inner = np.append(0.5 * (start[1:-1] + start[2:]), start[-1] + 1.0) if len(start) > 1 else start
        j = np.searchsorted(self.break_times, inner, side="right")
        if len(start) > 1:
            j = np.concatenate([[0], j])
        shift = start - self.start[j]
        poly = _expanded(self.poly[j], shift)
        harmonic = zeros((len(start), 3), self.harmonic, shift)
        harmonic[:] = self.harmonic[j]
        harmonic[:, 2] = harmonic[:, 2] + harmonic[:, 1] * shift
        return poly, harmonic


def _expanded(poly: Array, shift: Array) -> Array:
    # Repeated synthetic division: the Taylor coefficients about the shifted origin.
    result = zeros(poly.shape, poly, shift)
    result[:] = poly
    top = result.shape[1] - 1
    for low in range(top):
        for i in range(top - 1, low - 1, -1):
            result[:, i] = result[:, i] + shift * result[:, i + 1]
    return result


def _merged(first: Array, second: Array) -> Array:
    merged: list[float] = []
    for time in np.sort(np.concatenate([first, second])):
        if not merged or time - merged[-1] > SAME_TIME * np.maximum(1.0, abs(time)):
            merged.append(real(time))
    return array(merged)


def _near(times: Array, marks: Array) -> Flags:
    tolerance = SAME_TIME * np.maximum(1.0, np.abs(times))
    return np.array([bool(np.any(np.abs(marks - t) <= e)) for t, e in zip(times, tolerance, strict=True)], dtype=bool)


def _merged_sine(first: Array, second: Array) -> tuple[float, float, float]:
    if second[0] == 0:
        return (real(first[0]), real(first[1]), real(first[2]))
    if first[0] == 0:
        return (real(second[0]), real(second[1]), real(second[2]))
    if not each(partial(math.isclose, rel_tol=1e-14), first[1], second[1]):
        raise FlexarmError(
            f"sines of {first[1]:.6g} and {second[1]:.6g} rad/s cannot be added, their frequencies must be equal"
        )
    along = first[0] * each(math.cos, first[2]) + second[0] * each(math.cos, second[2])
    across = first[0] * each(math.sin, first[2]) + second[0] * each(math.sin, second[2])
    return (each(math.hypot, along, across), real(first[1]), each(math.atan2, across, along))
