"""A run to be played: its joints, its bent line and its tip at any time."""

from __future__ import annotations

import numpy as np

from flexarm.model.link_frames import Floats, link_frames
from flexarm.report.arm.solid import Solid
from flexarm.report.figures.over_time import tip_size
from flexarm.results import Trajectory


class Played:
    """A run on the drawing of its arm. Between samples joints and deflections are taken to go straight."""

    def __init__(self, run: Trajectory) -> None:
        self.run = run
        self.arm = run.arm
        self.times, self.deflection, self.twist, links, distances = _line(run)
        self.joint_names = run.labels("joint")
        self.joint_units = dict(zip(self.joint_names, run.labels("joint_unit"), strict=True))
        self._joints = run.values("joint_position") if self.joint_names else np.zeros((len(run.time), 0))
        self.end = float(run.time[-1])
        ranges = {
            name: (float(column.min()), float(column.max()))
            for name, column in zip(self.joint_names, self._joints.T, strict=True)
        }
        self.drawing = Solid(self.arm, links, distances, ranges=ranges)
        joints = {name: self._at(run.time, self._joints[:, j], self.times) for j, name in enumerate(self.joint_names)}
        frames = link_frames(self.arm, joints)
        rigid = self.drawing.rigid_line(joints, frames)
        # a run without joints stands still
        self._rigid_tip = np.broadcast_to(rigid, self.deflection.shape)[:, self.drawing.tip]

    @property
    def largest(self) -> float:
        """The largest deflection of any drawn point at any time (m)."""
        return float(np.sqrt(np.max(np.sum(np.asarray(self.deflection, float) ** 2, axis=-1), initial=0.0)))

    def joints(self, time: float) -> dict[str, float]:
        """The joints' coordinates (rad or m)."""
        return {
            name: float(np.interp(time, self.run.time, self._joints[:, j])) for j, name in enumerate(self.joint_names)
        }

    def bent(self, time: float) -> Floats:
        """The deflection (points, 3) of the drawn line from the rigid arm (m)."""
        return self._between(self.deflection, time)

    def twisted(self, time: float) -> Floats:
        """How far (points) the sections are turned about the line (rad)."""
        return self._between(self.twist, time)

    def _between(self, values: Floats, time: float) -> Floats:
        later = int(np.clip(np.searchsorted(self.times, time), 1, max(len(self.times) - 1, 1)))
        if later >= len(self.times):
            return np.asarray(values[0], float)
        begin, end = self.times[later - 1], self.times[later]
        part = min(max((time - begin) / (end - begin), 0.0), 1.0)
        return np.asarray((1.0 - part) * values[later - 1] + part * values[later], float)

    def path(self, scale: float) -> Floats:
        """The way of the tip (frames, 3), its deflection enlarged (m)."""
        return np.asarray(self._rigid_tip + scale * self.deflection[:, self.drawing.tip], float)

    def tip_deflection(self, time: float | None = None) -> Floats:
        """How far the tip is from the rigid arm's (m): at a time, or at the times of all frames."""
        if time is None:
            return np.linalg.norm(np.asarray(self.deflection[:, self.drawing.tip], float), axis=-1)
        return np.asarray(np.linalg.norm(self.bent(time)[self.drawing.tip]))

    def tip_deflection_history(self) -> tuple[Floats, Floats]:
        """Times (s), and how far the tip is from the rigid arm's (m): of every sample of the run where known, which
        has more of them than there are frames.
        """
        known = tip_size(self.run, "point_deflection")
        return (self.times, self.tip_deflection()) if known is None else (self.run.time, known)

    @staticmethod
    def _at(known: Floats, values: Floats, wanted: Floats) -> Floats:
        return np.interp(wanted, known, values)


def _line(run: Trajectory) -> tuple[Floats, Floats, Floats, tuple[str, ...], Floats]:
    """Times of the frames, deflections (frames, points, 3), twist (frames, points), and of every point link and
    distance along it.
    """
    if "line_deflection" in run.variables:
        deflection = run.values("line_deflection")
        return (
            run.values("frame_time"),
            deflection,
            run.values("line_twist") if "line_twist" in run.variables else np.zeros(deflection.shape[:2]),
            tuple(str(name) for name in run.values("line_link")),
            run.values("line_distance"),
        )
    return _line_from_coordinates(run)


def _line_from_coordinates(run: Trajectory) -> tuple[Floats, Floats, Floats, tuple[str, ...], Floats]:
    """The same for a run that was saved without its line: found anew, which takes the engine."""
    from flexarm.analyses.centreline import centre_line
    from flexarm.analyses.equilibrium import State
    from flexarm.analyses.points import see, undeformed
    from flexarm.analyses.run.first_order import see_first_order

    line = centre_line(run.arm)
    compiled = line.compiled
    states = []
    for what in ("position", "velocity", "acceleration"):
        whole = np.zeros((len(run.time), len(compiled.coordinate_names)))
        for kind, where in (("joint", compiled.joint_coordinates), ("elastic", compiled.elastic_coordinates)):
            if len(where):
                whole[:, where] = run.values(f"{kind}_{what}")
        states.append(whole)
    q, v, a = states
    analysis = run.info.get("analysis") or "nonlinear"
    if analysis == "nonlinear":
        seen = see(compiled, run.time, q, v, a)
    else:
        seen = see_first_order(compiled, run.time, State(q, v, a, q), after=analysis == "quasi-static")
    rigid = undeformed(compiled, q)
    still = np.zeros_like(rigid)
    unbent = see(compiled, run.time, rigid, still, still)
    labels = line.labels
    deflection, twist = line.positions(seen) - line.positions(unbent), line.twists(seen, unbent)
    return run.time, deflection, twist, tuple(labels["line_link"]), np.array(labels["line_distance"])
