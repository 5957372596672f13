"""The route of a point: its legs joined, corners rounded, orientation turned along, and its course over time."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from flexarm.errors import FlexarmError
from flexarm.model.laws.path import PathLeg, PathMotion
from flexarm.model.parts.frames import rotation_from_angles
from flexarm.model.reading.messages import number
from flexarm.model.tip_path.curves import Arc, Curve, Floats, Line, Spline

# A turn of a radian on the spot counts as so long a way (m) where a path's duration is shared among its legs.
TURN_LENGTH = 0.1
# Directions that differ by less (rad) pass into one another without a stop.
_SMOOTH = 1e-6
# Of the greatest over the mean speed between two stops.
PEAKS = {"cycloidal": 2.0, "quintic": 1.875, "septic": 2.1875}


@dataclass(frozen=True)
class Leg:
    """A curve with the turn of the point's axes along it: from `axes` by the rotation vector `turn`, evenly."""

    curve: Curve
    axes: Floats
    turn: Floats

    @property
    def measure(self) -> float:
        """How long it counts (m)."""
        return max(self.curve.length, TURN_LENGTH * float(np.linalg.norm(self.turn)))


class Route:
    """The way of a point from its start through all legs, by time."""

    def __init__(self, law: PathMotion, start: Floats, axes: Floats) -> None:
        self.law = law
        self.legs = _rounded(_legs(law, start, axes), law.blend)
        self.ends = np.concatenate([[0.0], np.cumsum([leg.measure for leg in self.legs])])
        stops = [0, *(k + 1 for k, (a, b) in enumerate(pairwise(self.legs)) if not _smooth(a, b)), len(self.legs)]
        measures = np.array([self.ends[b] - self.ends[a] for a, b in pairwise(stops)])
        if law.speed is not None:
            spans = PEAKS[law.profile] * measures / law.speed
        else:
            spans = (law.duration or 0.0) * measures / np.sum(measures)
        self.stops: Floats = law.begin + np.concatenate([[0.0], np.cumsum(spans)])
        self.measures: Floats = self.ends[stops]

    @property
    def length(self) -> float:
        """The length of the way (m)."""
        return sum(leg.curve.length for leg in self.legs)

    @property
    def duration(self) -> float:
        """How long it takes (s)."""
        return float(self.stops[-1] - self.stops[0])

    def progress(self, times: Floats) -> Floats:
        """The measure (m) at the times (s): rest to rest between stops."""
        k = np.clip(np.searchsorted(self.stops, times, side="right") - 1, 0, len(self.stops) - 2)
        begin, end = self.stops[k], self.stops[k + 1]
        x = np.clip((times - begin) / (end - begin), 0.0, 1.0)
        if self.law.profile == "cycloidal":
            share = x - np.sin(math.tau * x) / math.tau
        elif self.law.profile == "septic":
            share = x**4 * (35.0 + x * (-84.0 + x * (70.0 - 20.0 * x)))
        else:
            share = x**3 * (10.0 - 15.0 * x + 6.0 * x**2)
        return np.asarray(self.measures[k] + share * (self.measures[k + 1] - self.measures[k]))

    def poses(self, measure: Floats) -> tuple[Floats, Floats]:
        """Positions (m, 3) and axes (m, 3, 3) of the point at measures (m,)."""
        position, axes = np.empty((len(measure), 3)), np.empty((len(measure), 3, 3))
        which = np.clip(np.searchsorted(self.ends, measure, side="right") - 1, 0, len(self.legs) - 1)
        for k, leg in enumerate(self.legs):
            here = which == k
            if here.any():
                share = np.clip((measure[here] - self.ends[k]) / leg.measure, 0.0, 1.0)
                position[here] = leg.curve.places(share * leg.curve.length)
                axes[here] = leg.axes @ exponential(share[:, None] * leg.turn)
        return position, axes

    def lengths(self, measure: Floats) -> Floats:
        """Lengths (m) along the way at measures (m,)."""
        lengths = np.concatenate([[0.0], np.cumsum([leg.curve.length for leg in self.legs])])
        return np.interp(measure, self.ends, lengths)


def exponential(turns: Floats) -> Floats:
    """Rotations (m, 3, 3) by rotation vectors (m, 3), after Rodrigues."""
    angle = np.linalg.norm(turns, axis=-1)[..., None, None]
    cross = np.zeros((*turns.shape[:-1], 3, 3))
    x, y, z = np.moveaxis(turns, -1, 0)
    cross[..., 0, 1], cross[..., 0, 2], cross[..., 1, 2] = -z, y, -x
    cross -= np.swapaxes(cross, -1, -2)
    return np.asarray(
        np.eye(3) + np.sinc(angle / np.pi) * cross + 0.5 * np.sinc(angle / math.tau) ** 2 * (cross @ cross)
    )


def logarithm(rotations: Floats) -> Floats:
    """Rotation vectors (m, 3) of rotations (m, 3, 3), of angles up to π."""
    R = rotations
    spun = 0.5 * np.stack(
        [R[..., 2, 1] - R[..., 1, 2], R[..., 0, 2] - R[..., 2, 0], R[..., 1, 0] - R[..., 0, 1]], axis=-1
    )
    sine = np.linalg.norm(spun, axis=-1)
    cosine = 0.5 * (np.trace(R, axis1=-2, axis2=-1) - 1.0)
    angle = np.arctan2(sine, cosine)
    found = spun * np.where(sine > 1e-12, angle / np.maximum(sine, 1e-300), 1.0)[..., None]
    for k in np.argwhere((sine <= 1e-6) & (cosine < 0.0)):  # half a turn: the axis is an eigenvector
        half = 0.5 * (R[tuple(k)] + np.eye(3))
        axis = half[:, int(np.argmax(np.diag(half)))]
        found[tuple(k)] = np.pi * axis / np.linalg.norm(axis)
    return np.asarray(found)


def _legs(law: PathMotion, start: Floats, axes: Floats) -> list[Leg]:
    found, here, turned = [], start, axes
    for i, given in enumerate(law.through):
        try:
            curve = _curve(given, here)
        except FlexarmError as error:
            raise FlexarmError(f"through[{i}]: {error}") from None
        turn = np.zeros(3)
        if given.rotation is not None:
            turn = logarithm((turned.T @ rotation_from_angles(given.rotation))[None])[0]
        leg = Leg(curve, turned, turn)
        if not leg.measure > 0.0:
            where = ", ".join(number(float(part)) for part in here)
            raise FlexarmError(f"through[{i}] ends where it begins, at [{where}] m, must lead on or turn the point")
        found.append(leg)
        here = curve.places(np.array([curve.length]))[0]
        turned = turned @ exponential(turn[None])[0]
    return found


def _curve(leg: PathLeg, here: Floats) -> Curve:
    if leg.line is not None:
        return Line(here, np.array(leg.line))
    if leg.arc is not None:
        return Arc(here, np.array(leg.via), np.array(leg.arc))
    return Spline([here, *(np.array(point) for point in leg.points or ())])


def _rounded(legs: list[Leg], blend: float) -> list[Leg]:
    """The legs with every corner between two lines replaced by an arc that leaves and meets them smoothly."""
    if blend == 0.0:
        return legs
    found: list[Leg] = []
    begun = 0.0  # how far into its line the present leg begins
    for k, leg in enumerate(legs):
        curve, after = leg.curve, legs[k + 1] if k + 1 < len(legs) else None
        corner = after is not None and _corner(leg, after)
        cut = blend if corner else 0.0
        if isinstance(curve, Line) and begun + cut > 0.0:
            if begun + cut > curve.length * (1 + 1e-9):
                raise FlexarmError(
                    f"blend is {number(blend)} m, must fit into the lines on both sides of a corner: through[{k}] is "
                    f"{number(curve.length)} m long"
                )
            left = curve.places(np.array([begun, max(curve.length - cut, begun)]))
            if curve.length - cut - begun > 1e-12 * curve.length or np.any(leg.turn):
                found.append(Leg(Line(left[0], left[1]), leg.axes, leg.turn))
        else:
            found.append(leg)
        begun = 0.0
        if corner and after is not None:
            found.append(_fillet(leg, after, blend))
            begun = blend
    return found


def _corner(leg: Leg, after: Leg) -> bool:
    lines = all(isinstance(each.curve, Line) and each.curve.length > 0.0 for each in (leg, after))
    return lines and _SMOOTH < _angle(leg, after) < math.pi - 1e-3


def _fillet(leg: Leg, after: Leg, blend: float) -> Leg:
    end = np.array([leg.curve.length])
    corner = leg.curve.places(end)[0]
    before, behind = leg.curve.directions(end)[0], after.curve.directions(np.zeros(1))[0]
    half = 0.5 * _angle(leg, after)
    # the circle touches both lines at the distance `blend` from the corner: R = b cot(θ/2)
    radius = blend / math.tan(half)
    middle = (behind - before) / np.linalg.norm(behind - before)
    via = corner + middle * radius * (1.0 / math.cos(half) - 1.0)
    return Leg(Arc(corner - blend * before, via, corner + blend * behind), after.axes, np.zeros(3))


def _angle(leg: Leg, after: Leg) -> float:
    before = leg.curve.directions(np.array([leg.curve.length]))[0]
    behind = after.curve.directions(np.zeros(1))[0]
    return math.atan2(float(np.linalg.norm(np.cross(before, behind))), float(before @ behind))


def _smooth(leg: Leg, after: Leg) -> bool:
    """True if the point passes from one leg to the next without a stop: neither direction nor turning jumps."""
    if leg.curve.length == 0.0 or after.curve.length == 0.0:
        return False
    turns = [each.axes @ each.turn / each.measure for each in (leg, after)]
    lengths = [each.curve.length / each.measure for each in (leg, after)]
    return bool(
        _angle(leg, after) < _SMOOTH
        and np.linalg.norm(turns[1] - turns[0]) < _SMOOTH
        and abs(lengths[1] - lengths[0]) < _SMOOTH
    )
