"""The centre line of an arm, bent and unbent: what is drawn of it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from flexarm.analyses.points import Seen
from flexarm.assembly import CompiledArm, ObservedPoint, compile_with_points
from flexarm.core.tree.types import Floats
from flexarm.model import Arm, Link

# A run keeps so many frames of its centre line, and so many points in all of them: 600 kB.
MOST_FRAMES = 1000
MOST_POINTS = 50_000
# Sections that turn by less (rad) are not seen to: rounding, and arms that cannot twist.
LEAST_TWIST = 1e-7
# Pieces of the line per beam: enough for a smooth curve, no more than the elements resolve.
_LEAST_PIECES, _MOST_PIECES, _ALL_PIECES = 8, 24, 160


@dataclass(frozen=True)
class _Spot:
    """A point of the line: on the arm (`point`), fixed in the base frame (`fixed`), or inside a sleeved beam."""

    link: str
    distance: float  # along the link from where it begins (m), beyond it outside its ends
    corner: bool  # false: between two corners, where the unbent line is straight
    point: ObservedPoint | None = None
    fixed: tuple[float, float, float] = (0.0, 0.0, 0.0)
    part: float = 0.0  # of the way from the mouth of the sleeve to the end of the beam


@dataclass(frozen=True, eq=False)
class CentreLine:
    """Points along every link, base to tip, and the compiled arm that observes them (`arm`: its own points)."""

    arm: CompiledArm
    compiled: CompiledArm
    spots: tuple[_Spot, ...]

    @property
    def labels(self) -> dict[str, Any]:
        """Link, distance along it (m) and whether it is a corner (1 or 0), for every point of the line."""
        return {
            "line_link": [spot.link for spot in self.spots],
            "line_distance": [spot.distance for spot in self.spots],
            "line_corner": [int(spot.corner) for spot in self.spots],
        }

    @property
    def corners(self) -> np.ndarray:
        """Indices of the corners among the points."""
        return np.flatnonzero([spot.corner for spot in self.spots])

    def positions(self, seen: Seen) -> Floats:
        """The points (m, points, 3) of the line in the base frame, m."""
        names = {name: j for j, name in enumerate(self.compiled.point_names)}
        line = np.zeros((len(seen.position), len(self.spots), 3))
        for j, spot in enumerate(self.spots):
            line[:, j] = seen.position[:, names[spot.point.name]] if spot.point is not None else spot.fixed
        for j, spot in enumerate(self.spots):
            if spot.part > 0.0:
                self._fill_sleeved(line, seen, j, names)
        return line

    def twists(self, seen: Seen, rigid: Seen) -> Floats:
        """How far (m, points) the sections are turned about the line, rad: what remains of their rotation from the
        rigid arm's once the shortest turn has taken the unbent axis onto the bent one.
        """
        names = {name: j for j, name in enumerate(self.compiled.point_names)}
        found = np.zeros((len(seen.orientation), len(self.spots)))
        for j, spot in enumerate(self.spots):
            if spot.point is None or spot.point.link != spot.link:
                continue
            k, link = names[spot.point.name], self.compiled.arm.link(spot.link)
            # Δ = q q̄_rigid = swing · twist(φ, â):  tan φ/2 = Δ_v · â / Δ_w
            real, vector = _difference(seen.orientation[:, k], rigid.orientation[:, k])
            along = np.sum(vector * _turned(rigid.orientation[:, k], link.axis), axis=1)
            found[:, j] = 2.0 * np.arctan(along / np.where(real == 0.0, np.finfo(float).tiny, real))
        for j, spot in enumerate(self.spots):
            if spot.part > 0.0:
                # what is inside a sleeve does not turn in it
                end = next(
                    k
                    for k, mate in enumerate(self.spots)
                    if mate.link == spot.link and mate.distance > 0.0 and mate.point is not None
                )
                found[:, j] = spot.part * found[:, end]
        return found

    def unbent(self, corners: Floats) -> Floats:
        """The points (m, points, 3) of the line through the corners (m, corners, 3) of the rigid arm."""
        distances = np.array([spot.distance for spot in self.spots])
        line = np.zeros((len(corners), len(self.spots), 3))
        where = self.corners
        line[:, where] = corners
        for k, (begin, end) in enumerate(pairwise(where)):
            for j in range(begin + 1, end):
                part = (distances[j] - distances[begin]) / (distances[end] - distances[begin])
                line[:, j] = (1.0 - part) * corners[:, k] + part * corners[:, k + 1]
        return line

    def _fill_sleeved(self, line: Floats, seen: Seen, j: int, names: dict[str, int]) -> None:
        """A point of a beam in a sleeve: on the cubic that leaves the mouth along the sleeve and ends like the tip."""
        spot, arm = self.spots[j], self.compiled.arm
        link = arm.link(spot.link)
        mates = [k for k, other in enumerate(self.spots) if other.link == spot.link]
        mouth = next(k for k in mates if self.spots[k].distance == 0.0)
        end = next(k for k in mates if self.spots[k].distance == link.length)
        carrier, last = self.spots[mouth].point, self.spots[end].point
        assert last is not None
        axis = link.joint.rotation_matrix @ link.axis
        leaves = np.broadcast_to(axis, (len(line), 3))
        if carrier is not None:
            leaves = _turned(seen.orientation[:, names[carrier.name]], axis)
        arrives = _turned(seen.orientation[:, names[last.name]], link.axis)
        begin, finish, u = line[:, mouth], line[:, end], spot.part
        chord = np.linalg.norm(finish - begin, axis=1, keepdims=True)
        line[:, j] = (
            (2 * u**3 - 3 * u**2 + 1) * begin
            + (u**3 - 2 * u**2 + u) * chord * leaves
            + (3 * u**2 - 2 * u**3) * finish
            + (u**3 - u**2) * chord * arrives
        )


def centre_line(arm: Arm) -> CentreLine:
    """The line through all links of the arm."""
    beams = sum(link.beam is not None for link in arm.links)
    most = max(4, min(_MOST_PIECES, _ALL_PIECES // max(beams, 1)))
    spots: list[_Spot] = []
    for index in arm.base_to_tip:
        spots += _spots(arm, index, most)
    points = {spot.point.name: spot.point for spot in spots if spot.point is not None}
    return CentreLine(*compile_with_points(arm, list(points.values())), tuple(spots))


def _spots(arm: Arm, index: int, most: int) -> list[_Spot]:
    """The points of one link: where it is attached to its parent, its joint, its beginning, its end and its tip."""
    link, parent = arm.links[index], arm.parents[index]
    joint, name = link.joint, link.name
    called = (f"line {index} {count}" for count in range(1000))
    offset = np.array(joint.offset)
    shift = float(np.linalg.norm(offset))
    slides = joint.type == "prismatic" and not joint.sleeve

    def on_parent(place: tuple[float, float, float]) -> dict[str, Any]:
        if parent < 0:
            return {"fixed": place}
        carrier = arm.links[parent]
        return {"point": ObservedPoint(next(called), carrier.name, link.parent_at, place)}

    def on_link(distance: float | None, along: float = 0.0) -> ObservedPoint:
        return ObservedPoint(next(called), name, distance, _triple(along * link.axis))

    spots = []
    if shift > 0.0 or slides:
        spots.append(_Spot(name, -link.radius - shift, True, **on_parent((0.0, 0.0, 0.0))))
    if joint.sleeve:
        spots.append(_Spot(name, 0.0, True, **on_parent(_triple(offset))))
    else:
        if link.radius > 0.0:
            spots.append(_Spot(name, -link.radius, True, on_link(0.0, -link.radius)))
        spots.append(_Spot(name, 0.0, True, on_link(0.0)))
    for part in _inner_parts(link, most):
        if joint.sleeve:
            spots.append(_Spot(name, part * link.length, False, part=part))
        else:
            spots.append(_Spot(name, part * link.length, False, on_link(part * link.length)))
    if link.length > 0.0:
        spots.append(_Spot(name, link.length, True, on_link(link.length)))
    beyond = float(np.linalg.norm(link.tip_offset))
    if beyond > 0.0:
        spots.append(_Spot(name, link.length + beyond, True, on_link(None)))
    return spots


def _inner_parts(link: Link, most: int) -> list[float]:
    """The parts of a beam's length at which its line is drawn, both ends left out."""
    if link.beam is None:
        return []
    model = link.formulation
    traits = model.traits
    resolvable = most if traits.mesh == "modes" else (2 if traits.lumped else 4) * model.elements
    pieces = min(max(resolvable, _LEAST_PIECES), most)
    return [k / pieces for k in range(1, pieces)]


def frame_indices(samples: int, points: int) -> np.ndarray:
    """Which of so many samples are kept as frames of a line of so many points, the first and the last among them."""
    frames = max(2, min(MOST_FRAMES, MOST_POINTS // max(points, 1)))
    if samples <= frames + 1:
        return np.arange(samples)
    return np.unique(np.round(np.linspace(0, samples - 1, frames)).astype(int))


def _difference(one: Floats, other: Floats) -> tuple[Floats, Floats]:
    """Real part (m) and vector (m, 3) of the quaternions that turn `other` into `one`, both (m, 4)."""
    a, u = one[:, :1], one[:, 1:]
    b, v = other[:, :1], -other[:, 1:]
    return (a * b - np.sum(u * v, axis=1, keepdims=True))[:, 0], a * v + b * u + np.cross(u, v)


def _turned(quaternions: Floats, vector: Floats) -> Floats:
    """The vector turned by each of the unit quaternions (m, 4)."""
    w, u = quaternions[:, :1], quaternions[:, 1:]
    return np.asarray(vector + 2.0 * (w * np.cross(u, vector) + np.cross(u, np.cross(u, vector))))


def _triple(vector: Floats) -> tuple[float, float, float]:
    return float(vector[0]), float(vector[1]), float(vector[2])
