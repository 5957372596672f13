"""Motion laws: how a joint's coordinate moves away from where it starts, with its rate and acceleration."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cached_property
from itertools import pairwise
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from flexarm.batched import array, real
from flexarm.errors import FlexarmError
from flexarm.model.laws.law import TOO_FAR_APART, Law, Row, Tabulated, computed, falling, ramps
from flexarm.model.laws.pieces import Pieces
from flexarm.model.laws.spline import cubic_spline
from flexarm.model.reading.messages import Mistake, number
from flexarm.model.reading.quantity import Quantity, Series
from flexarm.model.reading.readers import OneOf, Switch

_COORDINATE = {"rad": "rad", "m": "m"}
_RATE = {"rad": "rad/s", "m": "m/s"}
_ACCELERATION = {"rad": "rad/s²", "m": "m/s²"}

Travel = Annotated[float, Quantity(_COORDINATE, by="unit")]
Rate = Annotated[float | None, Quantity(_RATE, by="unit", optional=True)]
Time = Annotated[float, Quantity("s")]
Duration = Annotated[float, Quantity("s", above=0)]
Pause = Annotated[float, Quantity("s", least=0)]


class MotionLaw(Law):
    """A motion whose rate and acceleration may jump, not its position; MotionLaw(kind="brake", ...) gives a Brake."""

    family = "kind"
    takes_rate: ClassVar[bool] = False

    unit: Annotated[Literal["rad", "m"] | None, OneOf("rad", "m", optional=True)] = Field(
        None, description="unit of the coordinate; found from the unit strings"
    )

    def mistakes(self) -> Iterable[Mistake]:
        """Values that do not fit together, or a motion that jumps."""
        clashes = list(self.clashes())
        if not clashes:
            needs_rate = self.takes_rate and getattr(self, "rate", None) is None
            pieces = computed(lambda: self.pieces(1.0 if needs_rate else None))
            if pieces is None:
                clashes = [TOO_FAR_APART]
            elif pieces.jumps(0).any():
                when = pieces.start[pieces.jumps(0)][0]
                clashes = [f"position jumps at {number(real(when))} s, must be continuous"]
        for sentence in clashes:
            yield (), sentence

    def _rate(self, rate: float | None) -> float:
        own: float | None = getattr(self, "rate", None)
        chosen = own if rate is None else rate
        if chosen is None:
            raise FlexarmError(f"the {getattr(self, 'kind', '')} law needs a rate, from the joint or of its own")
        return chosen


class Brake(MotionLaw):
    """Constant rate, then constant deceleration to rest; the whole travel is rate × travel_time."""

    takes_rate = True

    kind: Literal["brake"] = "brake"
    rate: Rate = Field(None, description="default: the joint's rate")
    travel_time: Duration = Field(description="rate × travel_time is the whole travel, whatever braking_time is")
    braking_time: Duration

    def clashes(self) -> Iterable[str]:
        """Braking that would begin before the start."""
        if self.braking_time > 2 * self.travel_time:
            yield (
                f"braking_time is {number(self.braking_time)} s, must be ≤ twice travel_time, "
                f"{number(2 * self.travel_time)} s"
            )

    def pieces(self, rate: float | None = None) -> Pieces:
        """Deceleration from travel_time - braking_time/2 to travel_time + braking_time/2."""
        v = self._rate(rate)
        begin, end = self.travel_time - self.braking_time / 2, self.travel_time + self.braking_time / 2
        slowing = (begin, (v * begin, v, -v / (2 * self.braking_time)))
        return Pieces.joined([(0.0, (0.0, v)), slowing, (end, (v * self.travel_time,))])


class ConstantRate(MotionLaw):
    """The same rate at all times."""

    takes_rate = True

    kind: Literal["constant-rate"] = "constant-rate"
    rate: Rate = Field(None, description="default: the joint's rate")

    def pieces(self, rate: float | None = None) -> Pieces:
        """One straight line."""
        return Pieces.joined([(0.0, (0.0, self._rate(rate)))])


class Cycloidal(MotionLaw):
    """From rest to rest, travel × (τ - sin(2πτ)/2π) with τ = (t - begin)/duration."""

    kind: Literal["cycloidal"] = "cycloidal"
    travel: Travel
    duration: Duration
    begin: Time = 0.0

    def pieces(self, rate: float | None = None) -> Pieces:
        """Rest, a line plus a sine, rest."""
        _no_rate(self, rate)
        w = math.tau / self.duration
        moving = (self.begin, (0.0, self.travel / self.duration), (-self.travel / math.tau, w, 0.0))
        return Pieces.joined([(self.begin, (0.0,)), moving, (self.begin + self.duration, (self.travel,))])


class Accelerate(MotionLaw):
    """Constant acceleration, constant rate, constant deceleration, dwell, and back if asked."""

    kind: Literal["accelerate"] = "accelerate"
    travel: Travel
    acceleration_time: Duration
    constant_time: Pause = 0.0
    deceleration_time: Annotated[float | None, Quantity("s", above=0, optional=True)] = Field(
        None, description="default: acceleration_time"
    )
    dwell: Pause = Field(0.0, description="rest after the travel")
    back: Annotated[bool, Switch()] = Field(False, description="after the dwell, the same way back")
    begin: Time = 0.0

    def pieces(self, rate: float | None = None) -> Pieces:
        """Parabola, line, parabola, rest."""
        _no_rate(self, rate)
        up, steady = self.acceleration_time, self.constant_time
        down = up if self.deceleration_time is None else self.deceleration_time
        peak = self.travel / (up / 2 + steady + down / 2)
        there = [(up, peak / up, peak / up), (steady, 0.0, 0.0), (down, -peak / down, -peak / down)]
        rows: list[Row] = [(self.begin, (0.0,)), *ramps(self.begin, 0.0, there)]
        end = self.begin + up + steady + down
        if not self.back:
            return Pieces.joined([*rows, (end, (self.travel,))])
        if self.dwell > 0:
            rows.append((end, (self.travel,)))
        again = end + self.dwell
        home = [(duration, -first, -last) for duration, first, last in there]
        return Pieces.joined([*rows, *ramps(again, self.travel, home), (again + up + steady + down, (0.0,))])


class TrapezoidalAcceleration(MotionLaw):
    """From rest to rest with an acceleration of trapezoids: no jump in it, only in its slope."""

    kind: Literal["trapezoidal-acceleration"] = "trapezoidal-acceleration"
    travel: Travel
    duration: Duration
    ramp: Annotated[float, Quantity("", above=0, most=0.25)] = Field(
        0.125, description="fraction of the duration that each flank of a trapezoid takes"
    )
    begin: Time = 0.0

    def pieces(self, rate: float | None = None) -> Pieces:
        """Five cubics between rest and rest."""
        _no_rate(self, rate)
        T, r = self.duration, self.ramp
        # The rate reaches A (T/2 - rT) at half time, and its mean is half of that.
        A = 2 * self.travel / (T * T * (0.5 - r))
        flat = (0.5 - 2 * r) * T
        segments = [(r * T, 0.0, A), (flat, A, A), (2 * r * T, A, -A), (flat, -A, -A), (r * T, -A, 0.0)]
        moving = ramps(self.begin, 0.0, segments)
        return Pieces.joined([(self.begin, (0.0,)), *moving, (self.begin + T, (self.travel,))])


class BangBangMotion(MotionLaw):
    """Full acceleration for the first half, full deceleration for the second, then rest."""

    kind: Literal["bang-bang"] = "bang-bang"
    acceleration: Annotated[float, Quantity(_ACCELERATION, by="unit")]
    duration: Duration
    begin: Time = 0.0

    def pieces(self, rate: float | None = None) -> Pieces:
        """Two parabolas between rest and rest."""
        _no_rate(self, rate)
        half, a = self.duration / 2, self.acceleration
        moving = ramps(self.begin, 0.0, [(half, a, a), (half, -a, -a)])
        return Pieces.joined([(self.begin, (0.0,)), *moving, (self.begin + self.duration, (a * half * half,))])


class SpinUp(MotionLaw):
    """From rest to a constant rate with a smooth acceleration: (ω/T)[t²/2 + (T/2π)²(cos(2πt/T) - 1)]."""

    takes_rate = True

    kind: Literal["spin-up"] = "spin-up"
    rate: Rate = Field(None, description="reached at the end; default: the joint's rate")
    duration: Duration
    begin: Time = 0.0

    def pieces(self, rate: float | None = None) -> Pieces:
        """Rest, a parabola plus a cosine, a line."""
        v, T = self._rate(rate), self.duration
        swing = v / T * ((T / math.tau) * (T / math.tau))
        spinning = (self.begin, (-swing, 0.0, v / (2 * T)), (swing, math.tau / T, math.pi / 2))
        return Pieces.joined([(self.begin, (0.0,)), spinning, (self.begin + T, (v * T / 2, v))])


class PolynomialMotion(MotionLaw):
    """A polynomial in t - begin, with a sine on top if asked; before begin and after end the rate stays constant."""

    kind: Literal["polynomial"] = "polynomial"
    coefficients: Annotated[tuple[float, ...], Series(_COORDINATE, by="unit", powers=True)] = Field(
        description="of 1, t, t², ..."
    )
    amplitude: Travel = Field(0.0, description="of a sine on top: amplitude × sin(2π frequency (t - begin) + phase)")
    frequency: Annotated[float | None, Quantity("Hz", above=0, optional=True)] = None
    phase: Annotated[float, Quantity("rad")] = 0.0
    begin: Time = 0.0
    end: Annotated[float | None, Quantity("s", optional=True)] = None

    def clashes(self) -> Iterable[str]:
        """An end before the beginning, half a sine."""
        if self.end is not None and self.end <= self.begin:
            yield f"end is {number(self.end)} s, must be > begin, {number(self.begin)} s"
        if self.amplitude != 0 and self.frequency is None:
            yield "frequency is missing, must be given with amplitude"

    def pieces(self, rate: float | None = None) -> Pieces:
        """The polynomial between two straight lines."""
        _no_rate(self, rate)
        sine = (self.amplitude, math.tau * (self.frequency or 0.0), self.phase)
        middle = (self.begin, self.coefficients, sine)
        alone = Pieces.joined([middle])
        sizes = Pieces.joined([(self.begin, [abs(each) for each in self.coefficients], (abs(sine[0]), sine[1], 0.0))])
        rows: list[Row] = [(self.begin, _line(alone, sizes, self.begin)), middle]
        if self.end is not None:
            rows.append((self.end, _line(alone, sizes, self.end)))
        return Pieces.joined(rows)


def _line(law: Pieces, sizes: Pieces, t: float) -> tuple[float, float]:
    value, rate, _ = law.evaluate(t)
    _, size, _ = sizes.evaluate(t)
    # A rate that is zero but for rounding is zero: the joint rests.
    return real(value), 0.0 if abs(rate) <= 1e-13 * size else real(rate)


class MotionTable(MotionLaw, Tabulated):
    """A smooth curve (cubic spline) through points, or straight lines between them, whose rate jumps at each."""

    _si_units = ("rad", "m")

    kind: Literal["table"] = "table"
    times: Annotated[tuple[float, ...] | None, Series("s", fewest=2)] = None
    values: Annotated[tuple[float, ...] | None, Series(_COORDINATE, by="unit", fewest=2)] = None
    ends: Annotated[Literal["clamped", "natural"], OneOf("clamped", "natural")] = Field(
        "clamped", description="clamped: at rest before and after; natural: at constant rate before and after"
    )
    interpolation: Annotated[Literal["cubic", "linear"], OneOf("cubic", "linear")] = Field(
        "cubic", description="linear: constant rates, which jump at the points; each jump is a blow of the drive"
    )

    def pieces(self, rate: float | None = None) -> Pieces:
        """The spline's cubics, or straight lines, between rests or lines of constant rate; made once."""
        _no_rate(self, rate)
        return self._pieces

    @cached_property
    def _pieces(self) -> Pieces:
        times, values = (array(column) for column in self.points())
        natural = self.ends == "natural"
        if self.interpolation == "linear":
            slopes = (values[1:] - values[:-1]) / (times[1:] - times[:-1])
            lines: list[Row] = [
                (real(t), (value, slope)) for t, value, slope in zip(times[:-1], values[:-1], slopes, strict=True)
            ]
            outside = (slopes[0], slopes[-1]) if natural else (0.0, 0.0)
            ends = (times[0], (values[0], outside[0])), (times[-1], (values[-1], outside[1]))
            return Pieces.joined([ends[0], *lines, ends[1]])
        cubics = cubic_spline(times, values, natural=natural)
        rows: list[Row] = [(real(t), tuple(c)) for t, c in zip(times[:-1], cubics, strict=True)]
        last = Pieces.joined(rows[-1:]).evaluate(times[-1])
        first_rate, last_rate = (cubics[0, 1], real(last[1])) if natural else (0.0, 0.0)
        before, after = (times[0], (values[0], first_rate)), (times[-1], (values[-1], last_rate))
        return Pieces.joined([before, *rows, after])


class SCurve(MotionLaw):
    """From rest to rest with a limited jerk: flanks of the acceleration, of the rate, and a constant rate between."""

    kind: Literal["s-curve"] = "s-curve"
    travel: Travel
    duration: Duration
    acceleration_time: Duration = Field(description="from rest to the constant rate, and from it to rest again")
    jerk_time: Duration = Field(description="of each flank of the acceleration")
    begin: Time = 0.0

    def clashes(self) -> Iterable[str]:
        """Flanks that do not fit into the acceleration, or that into the duration."""
        beyond = 1 + 1e-12  # halves of rounded times
        if self.jerk_time > self.acceleration_time / 2 * beyond:
            half = number(self.acceleration_time / 2)
            yield f"jerk_time is {number(self.jerk_time)} s, must be ≤ half of acceleration_time, {half} s"
        if self.acceleration_time > self.duration / 2 * beyond:
            half = number(self.duration / 2)
            yield f"acceleration_time is {number(self.acceleration_time)} s, must be ≤ half of duration, {half} s"

    def pieces(self, rate: float | None = None) -> Pieces:
        """Seven cubics between rest and rest."""
        _no_rate(self, rate)
        flank, steady = self.jerk_time, self.duration - 2 * self.acceleration_time
        flat = self.acceleration_time - 2 * flank
        a = self.travel / ((self.duration - self.acceleration_time) * (self.acceleration_time - flank))
        up = [(flank, 0.0, a), (flat, a, a), (flank, a, 0.0)]
        down = [(duration, -first, -last) for duration, first, last in up]
        moving = ramps(self.begin, 0.0, [*up, (steady, 0.0, 0.0), *down])
        return Pieces.joined([(self.begin, (0.0,)), *moving, (self.begin + self.duration, (self.travel,))])


class AccelerationKnots(MotionLaw):
    """An acceleration through points; before the first the rate is `rate`, after the last it stays as it is."""

    kind: Literal["acceleration"] = "acceleration"
    times: Annotated[tuple[float, ...], Series("s", fewest=2)]
    values: Annotated[tuple[float, ...], Series(_ACCELERATION, by="unit")] = Field(description="accelerations")
    interpolation: Annotated[Literal["linear", "steps"], OneOf("linear", "steps")] = Field(
        "linear", description="steps: each value holds from its time to the next, one value fewer than times"
    )
    rate: Annotated[float, Quantity(_RATE, by="unit")] = Field(0.0, description="before the first time")

    def clashes(self) -> Iterable[str]:
        """Columns of unequal length, times that do not rise."""
        wanted = len(self.times) - (self.interpolation == "steps")
        if len(self.values) != wanted:
            what = "one fewer than times" if self.interpolation == "steps" else "as many as times"
            yield f"values has {len(self.values)} entries, must have {what}, {wanted}"
        yield from falling(self.times)

    def pieces(self, rate: float | None = None) -> Pieces:
        """Cubics, or parabolas, between straight lines."""
        _no_rate(self, rate)
        steps = self.interpolation == "steps"
        ends = zip(self.values, self.values if steps else self.values[1:], strict=steps)
        spans = [after - before for before, after in pairwise(self.times)]
        segments = [(span, first, last) for span, (first, last) in zip(spans, ends, strict=True)]
        begin = self.rate * self.times[0]
        moving = ramps(self.times[0], begin, segments, rate=self.rate)
        # the last piece, led to its end
        time, value, speed = moving[-1][0], moving[-1][1], 0.0
        h = self.times[-1] - time
        end = value[0] + h * (value[1] + h * (value[2] + h * value[3]))
        speed = value[1] + h * (2 * value[2] + h * 3 * value[3])
        size = abs(self.rate) + sum(abs(first + last) / 2 * span for span, first, last in segments)
        # A rate that is zero but for rounding is zero: the joint rests.
        speed = 0.0 if abs(speed) <= 1e-12 * size else speed
        return Pieces.joined([(self.times[0], (begin, self.rate)), *moving, (self.times[-1], (end, speed))])


class Hold(MotionLaw):
    """No motion at all."""

    kind: Literal["hold"] = "hold"

    def pieces(self, rate: float | None = None) -> Pieces:
        """Zero."""
        _no_rate(self, rate)
        return Pieces.constant(0.0)


def _no_rate(law: MotionLaw, rate: float | None) -> None:
    if rate is not None:
        raise FlexarmError(f"the {getattr(law, 'kind', '')} law takes no rate")
