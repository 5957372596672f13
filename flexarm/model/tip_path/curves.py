"""Curves in space by the length along them: lines, arcs, and splines through points."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
import numpy.typing as npt

from flexarm.errors import FlexarmError
from flexarm.model.laws.spline import cubic_spline
from flexarm.model.reading.messages import number

Floats = npt.NDArray[np.float64]

# Points of a circle nearer to a straight line than this part of their distance have no circle.
_STRAIGHT = 1e-9
# A spline is measured by so many pieces between two of its points.
_PIECES = 64


class Curve(Protocol):
    """A curve with its length (m)."""

    length: float

    def places(self, along: Floats) -> Floats:
        """Points (m, 3) at distances (m,) along it."""

    def directions(self, along: Floats) -> Floats:
        """Unit tangents (m, 3) there."""


@dataclass
class Line:
    """A straight line; of no length where the point only turns."""

    start: Floats
    end: Floats

    def __post_init__(self) -> None:
        self.length = float(np.linalg.norm(self.end - self.start))

    def places(self, along: Floats) -> Floats:
        """Points at distances along it."""
        return self.start + along[:, None] * self._direction

    def directions(self, along: Floats) -> Floats:
        """Its direction; zero where it has no length."""
        return np.repeat(self._direction[None], len(along), axis=0)

    @property
    def _direction(self) -> Floats:
        return np.asarray((self.end - self.start) / self.length if self.length > 0.0 else np.zeros(3))


class Arc:
    """An arc of a circle from a point over a second to a third."""

    def __init__(self, start: Floats, via: Floats, end: Floats) -> None:
        a, b = via - start, end - start
        normal = np.cross(a, b)
        size = float(np.linalg.norm(normal))
        if not size > _STRAIGHT * max(float(a @ a), float(b @ b)):
            raise FlexarmError("its start, via and end lie on a line, must lie on a circle")
        # centre of the circle through three points, seen from the first
        self.centre = (
            start + np.cross(normal, a) * (b @ b) / (2 * size**2) + np.cross(b, normal) * (a @ a) / (2 * size**2)
        )
        self.first = start - self.centre
        self.radius = float(np.linalg.norm(self.first))
        self.across = np.cross(normal / size, self.first)
        # the normal is that of the turn from the start over via to the end, so that this angle counts all of it
        beyond = end - self.centre
        angle = math.atan2(float(self.across @ beyond), float(self.first @ beyond)) % math.tau
        self.length = self.radius * angle

    def places(self, along: Floats) -> Floats:
        """Points at distances along it."""
        angle = (along / self.radius)[:, None]
        return np.asarray(self.centre + np.cos(angle) * self.first + np.sin(angle) * self.across)

    def directions(self, along: Floats) -> Floats:
        """Unit tangents."""
        angle = (along / self.radius)[:, None]
        return np.asarray((np.cos(angle) * self.across - np.sin(angle) * self.first) / self.radius)


class Spline:
    """A twice differentiable cubic through points, by the chords between them; its ends have the direction of the
    polynomial through the last four.
    """

    def __init__(self, points: Sequence[Floats]) -> None:
        given = np.array(points)
        chords = np.linalg.norm(np.diff(given, axis=0), axis=1)
        if not np.all(chords > 0.0):
            i = int(np.argmin(chords))
            where = ", ".join(number(float(part)) for part in given[i])
            raise FlexarmError(f"points has the point [{where}] twice in a row, must have each once")
        self.knots = np.concatenate([[0.0], np.cumsum(chords)])
        self.cubics = np.stack([_through(self.knots, given[:, k]) for k in range(3)], axis=-1)
        # lengths of small pieces by Gauss's five points
        fine = np.concatenate([np.linspace(a, b, _PIECES, endpoint=False) for a, b in pairwise(self.knots)])
        self.fine = np.append(fine, self.knots[-1])
        nodes, weights = np.polynomial.legendre.leggauss(5)
        half = 0.5 * np.diff(self.fine)
        u = (self.fine[:-1] + half)[:, None] + half[:, None] * nodes
        speeds = np.linalg.norm(self._slopes(u.ravel()), axis=1).reshape(u.shape)
        self.lengths = np.concatenate([[0.0], np.cumsum(half * (speeds @ weights))])
        self.length = float(self.lengths[-1])

    def places(self, along: Floats) -> Floats:
        """Points at distances along it."""
        j, u = self._local(self._parameter(along))
        c = self.cubics[j]
        return np.asarray(c[:, 0] + u * (c[:, 1] + u * (c[:, 2] + u * c[:, 3])))

    def directions(self, along: Floats) -> Floats:
        """Unit tangents."""
        slopes = self._slopes(self._parameter(along))
        return np.asarray(slopes / np.linalg.norm(slopes, axis=1, keepdims=True))

    def _parameter(self, along: Floats) -> Floats:
        """The spline's own parameter at lengths: a cubic between the measured ones, by the slopes there."""
        inverse = 1.0 / np.linalg.norm(self._slopes(self.fine), axis=1)
        j = np.clip(np.searchsorted(self.lengths, along, side="right") - 1, 0, len(self.lengths) - 2)
        h = self.lengths[j + 1] - self.lengths[j]
        x = (along - self.lengths[j]) / h
        rise = self.fine[j + 1] - self.fine[j]
        a, b = inverse[j] * h, inverse[j + 1] * h
        return np.asarray(self.fine[j] + x * (a + x * (3 * rise - 2 * a - b + x * (a + b - 2 * rise))))

    def _local(self, parameter: Floats) -> tuple[npt.NDArray[np.int64], Floats]:
        j = np.clip(np.searchsorted(self.knots, parameter, side="right") - 1, 0, len(self.cubics) - 1)
        return j, (parameter - self.knots[j])[:, None]

    def _slopes(self, parameter: Floats) -> Floats:
        j, u = self._local(parameter)
        c = self.cubics[j]
        return np.asarray(c[:, 1] + u * (2 * c[:, 2] + u * 3 * c[:, 3]))


def _through(x: Floats, y: Floats) -> Floats:
    """The cubics (n − 1, 4) through points whose end slopes are those of polynomials through four points at most.

    A parabola with these slopes is taken out, so that the rest is at rest at both ends.
    """
    few = min(len(x), 4)
    first, last = (
        np.polynomial.Polynomial.fit(x[part], y[part], few - 1).deriv() for part in (slice(few), slice(-few, None))
    )
    slope, bend = float(first(x[0])), (float(last(x[-1])) - float(first(x[0]))) / (2.0 * (x[-1] - x[0]))
    u = x - x[0]
    parabola = np.stack([slope * u + bend * u * u, slope + 2.0 * bend * u, np.full(len(u), bend), 0.0 * u], axis=-1)
    return np.asarray(cubic_spline(x, y - parabola[:, 0]) + parabola[:-1])
