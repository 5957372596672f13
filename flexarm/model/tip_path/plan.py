"""How the joints of an arm follow a path: solved at the knots of a spline over time, as many as its tolerance needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.batched import Batch
from flexarm.errors import FlexarmError
from flexarm.model.laws.motion import MotionTable
from flexarm.model.laws.path import PathMotion
from flexarm.model.laws.spline import cubic_spline
from flexarm.model.link_frames import Floats
from flexarm.model.reading.messages import number, quoted
from flexarm.model.tip_path.chain import EXACT, Chain
from flexarm.model.tip_path.route import Route

if TYPE_CHECKING:
    from flexarm.model.arm import Arm, Point

# Intervals between two stops to begin with, and at most, over the whole path.
_FEWEST, _MOST_KNOTS = 32, 8192
# Places along a path at which its joints are first sought one after the other, and how far they may go between two.
_PLACES, _FARTHEST = 48, 0.6
# Places beyond the first that is out of reach at which it is asked how far.
_BEYOND = 10
# Of the duration: how far apart the points in time are from which rates and accelerations are found.
_APART = 5e-4
# A point is on its path within this part of the reach.
_ON = 1e3 * EXACT


@dataclass(eq=False)
class Plan:
    """The joints along a path: knots in time (s), where the point should be there, and the rigid arm's coordinates."""

    name: str
    law: PathMotion
    arm: Arm = field(repr=False)
    joints: tuple[str, ...]
    route: Route = field(repr=False)
    time: Floats = field(repr=False)
    rigid: Floats = field(repr=False)
    deviation: float
    remarks: tuple[str, ...]
    chain: Chain = field(repr=False)
    _others: _Others = field(repr=False)

    # A plan follows from the law and its arm: it does not tell two laws apart.
    def __eq__(self, other: object) -> bool:
        return other is None or isinstance(other, Plan)

    def __hash__(self) -> int:
        return 0

    @cached_property
    def targets(self) -> tuple[Floats, Floats]:
        """Where the point should be at the knots (n, 3), m, and its axes there (n, 3, 3)."""
        return self.route.poses(self.route.progress(self.time))

    def others(self, times: Floats) -> dict[str, Floats]:
        """The coordinates of the joints that carry the point and are not led by the path, at times (s)."""
        return self._others.at(times)

    def motion(self, which: np.ndarray) -> tuple[Floats, Floats]:
        """Rates and accelerations (m, joints) of the rigid arm at some knots, by five points in time about each."""
        h = _APART * self.route.duration
        times = (self.time[which][:, None] + h * np.arange(-2, 3)).ravel()
        position, axes = self.route.poses(self.route.progress(times))
        guess = np.repeat(self.rigid[which], 5, axis=0)
        q = self.chain.solve(guess, position, axes, self.others(times), near=True)[0].reshape(len(which), 5, -1)
        a, b, c, d, e = np.moveaxis(q, 1, 0)
        return (a - 8 * b + 8 * d - e) / (12 * h), (-a + 16 * b - 30 * c + 16 * d - e) / (12 * h * h)

    @cached_property
    def commanded(self) -> Floats:
        """The coordinates (n, joints) that the joints are led through: those of the rigid arm, or compensated."""
        if self.law.compensate == "nothing":
            return self.rigid
        # what bends is known to the analyses, which stand above this package and are imported by name
        module = import_module("flexarm.analyses.path.compensation")
        found: Floats = module.compensated(self, self.law.compensate).joints
        return found

    def table(self, joint: str, values: Floats | None = None) -> MotionTable:
        """The motion of a joint as a table, from where the joint starts; of other values at the knots if given."""
        k = self.joints.index(joint)
        start = self.arm.link(joint).joint
        column = (self.commanded if values is None else values)[:, k] - start.at
        return MotionTable(times=tuple(self.time.tolist()), values=tuple(column.tolist()), unit=start.unit)


def planned(arm: Arm, name: str) -> Plan:
    """The joints of an arm along the path of that name; FlexarmError says why they cannot follow it."""
    law: Any = arm.motions[name]
    joints = followers(arm, name)
    point = _point(arm, law)
    chain = Chain(arm, point, joints, held=law.held)
    others = _Others(arm, point, joints)
    at = np.array([arm.link(joint).joint.at for joint in joints])
    first = others.at(np.array([law.begin]))
    pose = chain.at(at[None], first)
    start = pose.position[0] if law.start is None else np.array(law.start)
    route = Route(law, start, pose.axes[0])
    q, miss = chain.searched(at, start, pose.axes[0], first)
    if miss > _ON * chain.reach:
        raise FlexarmError(
            f"{_where(route, 0.0)} is out of reach: the point misses it by {miss:.4g} m{_too_few(chain)}"
        )
    measures, coarse = _along(chain, route, others, q, law)
    time, values, deviation = _refined(chain, route, others, measures, coarse, law)
    remarks = _remarks(name, chain, values, others.at(time))
    return Plan(name, law, arm, tuple(joints), route, time, values, deviation, remarks, chain, others)


def followers(arm: Arm, name: str) -> list[str]:
    """The links whose joints follow the path of that name, directly or in a law made of others."""
    return [link.name for link in arm.links if link.joint.motion and name in paths_in(arm, link.joint.motion)]


def paths_in(arm: Arm, motion: str) -> list[str]:
    """The names of the paths that a motion of that name leads to."""
    law: Any = arm.motions[motion]
    if isinstance(law, PathMotion):
        return [motion]
    named = law.names() if hasattr(law, "names") else ()
    return [found for each in named for found in paths_in(arm, each)]


def _point(arm: Arm, law: PathMotion) -> Point:
    known = {point.name: point for point in arm.observed}
    if law.point not in known:
        listed = ", ".join(map(quoted, known))
        raise FlexarmError(f"point is {quoted(law.point)}, must be a point of the arm: {listed}")
    return known[law.point]


class _Others:
    """The joints that carry a point and are not led by its path, over time."""

    def __init__(self, arm: Arm, point: Point, joints: Sequence[str]) -> None:
        carrying, index = [], arm.index(point.link)
        while index >= 0:
            carrying.append(arm.links[index])
            index = arm.parents[index]
        for name in joints:
            joint = arm.link(name).joint
            if name not in [link.name for link in carrying]:
                raise FlexarmError(f"joint {quoted(name)} follows it but does not move its point {quoted(point.name)}")
            if joint.scale != 1.0 or joint.delay != 0.0 or joint.rate is not None:
                raise FlexarmError(
                    f"joint {quoted(name)} follows it with a scale, delay or rate of its own, must have none: the path "
                    "leads all of its joints together"
                )
            if any(isinstance(value, Batch) for value in (joint.at, *joint.offset, *joint.axis)):
                raise FlexarmError("a path is found arm by arm")
        for link in carrying:
            if link.name not in joints and link.joint.motion and paths_in(arm, link.joint.motion):
                raise FlexarmError(f"joint {quoted(link.name)} carries the same point and follows another path")
        self.laws = {
            link.name: law
            for link in carrying
            if link.name not in joints and link.joint.motion is not None and (law := arm.motion_of(link)) is not None
        }

    def at(self, times: Floats) -> dict[str, Floats]:
        """Their coordinates at the times (s)."""
        return {name: law.evaluate(times)[0] for name, law in self.laws.items()}


def _where(route: Route, measure: float) -> str:
    position = route.poses(np.array([measure]))[0][0]
    place = ", ".join(f"{part:.6g}" for part in position + 0.0)
    return f"the path at {float(route.lengths(np.array([measure]))[0]):.4g} m along it, [{place}] m,"


def _along(chain: Chain, route: Route, others: _Others, q: Floats, law: PathMotion) -> tuple[Floats, Floats]:
    """Coordinates at places along the path, one after the other from the start, near enough to be one motion."""
    total = float(route.ends[-1])
    edges = np.unique(np.concatenate([np.linspace(0.0, total, _PLACES + 1), route.ends]))
    # time of a place: the course between stops is the same everywhere
    ticks = np.linspace(route.stops[0], route.stops[-1], 40 * _PLACES + 1)
    course = route.progress(ticks)
    measures, found = [0.0], [q]
    for edge in edges[1:]:
        while measures[-1] < edge:
            to, tries = edge, 0
            while True:
                position, axes = route.poses(np.array([to]))
                when = others.at(np.interp([to], course, ticks))
                guess = found[-1]
                if len(found) > 1:
                    ahead = (to - measures[-1]) / (measures[-1] - measures[-2])
                    if ahead <= 2.0:
                        guess = found[-1] + ahead * (found[-1] - found[-2])
                there, miss = chain.solve(guess[None], position, axes, when, near=True)
                moved = float(np.max(np.abs(there[0] - found[-1]) / chain.scales))
                if moved <= _FARTHEST and miss[0] <= _ON * chain.reach:
                    break
                if tries == 6:
                    if miss[0] > _ON * chain.reach:
                        raise FlexarmError(_missed(chain, route, there[0], to, float(miss[0]), when))
                    raise FlexarmError(
                        f"{_where(route, to)} would take the joints {moved:.2g} rad at once: it passes a posture that "
                        "they cannot pass along it (another start of the joints, or a path that keeps away, may do)"
                    )
                to, tries = measures[-1] + 0.5 * (to - measures[-1]), tries + 1
            measures.append(to)
            found.append(there[0])
    return np.array(measures), np.array(found)


def _missed(chain: Chain, route: Route, q: Floats, at: float, miss: float, when: dict[str, Floats]) -> str:
    """Where a path leaves what the arm can reach, and where it is farthest beyond, as far as a few places show."""
    worst = (at, miss)
    # near to where it begins nearer to one another: it may be a short piece
    for place in at + (float(route.ends[-1]) - at) * (np.arange(1, _BEYOND + 1) / _BEYOND) ** 2:
        position, axes = route.poses(np.array([place]))
        q, off = chain.searched(q, position[0], axes[0], when, steps=30)
        worst = max(worst, (float(place), off), key=lambda each: each[1])
    again = ""
    if worst[0] > at:
        far = float(route.lengths(np.array([worst[0]]))[0])
        again = f", and farther on by {worst[1]:.4g} m, {far:.4g} m along it"
    return f"{_where(route, at)} is out of reach: the point misses it by {miss:.4g} m{again}{_too_few(chain)}"


def _too_few(chain: Chain) -> str:
    count = len(chain.joints)
    if count >= chain.conditions:
        return ""
    return (
        f"; {count} {'joint is' if count == 1 else 'joints are'} too few for a path with {chain.conditions} conditions"
    )


def _refined(
    chain: Chain, route: Route, others: _Others, measures: Floats, coarse: Floats, law: PathMotion
) -> tuple[Floats, Floats, float]:
    """Knots in time, so many that the spline through them leaves the path by no more than the tolerance."""
    count, cubics = _FEWEST, None
    time = before = np.zeros(0)
    while True:
        before = time
        time = np.concatenate(
            [np.linspace(a, b, count + 1)[:-1] for a, b in zip(route.stops, route.stops[1:], strict=False)]
        )
        time = np.append(time, route.stops[-1])
        progress = route.progress(time)
        if cubics is None:
            guess = np.stack([np.interp(progress, measures, column) for column in coarse.T], axis=-1)
        else:
            j = np.clip(np.searchsorted(before, time, side="right") - 1, 0, len(cubics) - 1)
            guess = _cubic(cubics[j], (time - before[j])[:, None])
        position, axes = route.poses(progress)
        values, miss = chain.solve(guess, position, axes, others.at(time), near=True)
        if np.max(miss) > _ON * chain.reach:
            raise FlexarmError(f"{_where(route, float(progress[np.argmax(miss)]))} is not reached near its neighbours")
        between = 0.5 * (time[:-1] + time[1:])
        cubics = np.stack([cubic_spline(time, column) for column in values.T], axis=-1)
        halfway = _cubic(cubics, 0.5 * np.diff(time)[:, None])
        measure = route.progress(between)
        pose = chain.at(halfway, others.at(between))
        off = chain.misses(chain.error(pose, *route.poses(measure)))
        worst = float(np.max(off))
        if worst <= law.tolerance:
            return time, values, worst
        count *= 2
        if count * (len(route.stops) - 1) > _MOST_KNOTS:
            raise FlexarmError(
                f"{_where(route, float(measure[np.argmax(off)]))} is left by {worst:.2g} m between "
                f"{len(time)} points, more than its tolerance of {number(law.tolerance)} m: it passes too near to a "
                "posture in which the joints cannot follow it"
            )


def _cubic(cubics: Floats, t: Floats) -> Floats:
    return np.asarray(cubics[:, 0] + t * (cubics[:, 1] + t * (cubics[:, 2] + t * cubics[:, 3])))


def _remarks(name: str, chain: Chain, values: Floats, others: dict[str, Floats]) -> tuple[str, ...]:
    """A sentence where the joints could follow the path in more than one way."""
    middle = len(values) // 2
    pose = chain.at(values[middle : middle + 1], {key: value[middle : middle + 1] for key, value in others.items()})
    rows = pose.jacobian[0][chain.rows] * chain.scales
    spare = len(chain.joints) - int(np.linalg.matrix_rank(rows, tol=1e-9 * chain.reach))
    if spare <= 0:
        return ()
    ways = "one way" if spare == 1 else f"{spare} ways"
    return (
        f"the path {quoted(name)} leaves its {len(chain.joints)} joints {ways} to move without moving "
        f"{quoted(chain.point.name)}: they move as little as they can from place to place",
    )
