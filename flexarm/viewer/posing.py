"""An arm held in a posture: how it sags, what holds it, and its modes, at every point that is drawn."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from flexarm.analyses.centreline import CentreLine, centre_line
from flexarm.analyses.equilibrium import Forces, commanded
from flexarm.analyses.modes.modes import modes_about
from flexarm.analyses.modes.small_motion import resting
from flexarm.analyses.points import see, undeformed
from flexarm.assembly import CompiledArm, without_servos
from flexarm.errors import FlexarmError
from flexarm.model import Arm, Link, Payload
from flexarm.model.link_frames import Floats, Frame
from flexarm.report.arm.solid import Solid
from flexarm.results import ModeSet

MODES = 6
# Shapes are differences of two bent lines, this much of the reach to either side: small enough to be straight, large
# enough for ten digits.
_STEP = 1e-4

Masses = Mapping[tuple[str, int], float]  # kg, by link and number among its payloads


@dataclass(frozen=True, eq=False)
class Posed:
    """The arm in a posture, joints held, at rest under gravity and its loads (at t = 0)."""

    joints: dict[str, float]  # rad or m
    rest: Floats  # (points, 3) the line of the rigid arm, m
    frames: dict[str, Frame]
    sag: Floats  # (points, 3) from there, m
    twist: Floats  # (points) of the sections about the line, rad
    tip_sag: Floats  # (3,) of the arm's tip, m
    torques: dict[str, float]  # that hold the joints, N m or N
    modes: ModeSet | None
    shapes: Floats  # (modes, points, 3), 1 for the point that moves most
    twist_shapes: Floats  # (modes, points) rad/m, in step with the shapes
    remark: str  # why there is no equilibrium or no mode
    seconds: float  # that finding all this took


def with_tip_payload(arm: Arm) -> Arm:
    """The arm, with a payload of no mass at its tip if it carries none at all."""
    if any(link.payloads for link in arm.links):
        return arm
    bearer = arm.observed[0].link if arm.observed[0].name == "tip" else arm.links[-1].name
    return _with_payloads(arm, bearer, (Payload(mass=0.0),))


def _with_payloads(arm: Arm, name: str, payloads: tuple[Payload, ...]) -> Arm:
    links = [link.changed(payload=payloads) if link.name == name else link for link in arm.links]
    return arm.changed(link=tuple(links))


class Poser:
    """Answers for one arm, whatever its posture and the masses of its payloads."""

    def __init__(self, arm: Arm) -> None:
        self.arm = with_tip_payload(arm)
        line = centre_line(arm)
        self.drawing = Solid(self.arm, line.labels["line_link"], line.labels["line_distance"])
        self._compiled_for: dict[tuple[str, int], float] | None = None
        self._line = line

    def start(self) -> dict[str, float]:
        """The joints' coordinates (rad or m) at t = 0."""
        compiled = self._line.compiled
        q = commanded(compiled).q
        return {name: float(q[c]) for name, c in zip(compiled.joint_names, compiled.joint_coordinates, strict=True)}

    def masses(self) -> dict[tuple[str, int], float]:
        """The masses (kg) of the payloads as the model file has them."""
        return {
            (link.name, number): payload.mass for link in self.arm.links for number, payload in enumerate(link.payloads)
        }

    def posed(self, joints: Mapping[str, float], masses: Masses, *, free: bool = False) -> Posed:
        """The arm with its joints there (rad or m) and its payloads of these masses (kg); free: its modes with the
        joints moving on their springs. `remark` explains what has no solution.
        """
        begun = time.perf_counter()
        rest, frames = self.drawing.unbent(joints)
        sag, shapes = np.zeros_like(rest), np.zeros((0, *rest.shape))
        twist, twists = np.zeros(len(rest)), np.zeros((0, len(rest)))
        tip_sag, torques = np.zeros(3), dict.fromkeys(joints, 0.0)
        found, remark = None, ""
        try:
            line = self._line_for(masses)
            compiled = without_servos(line.compiled)
            state = resting(compiled, joints)
            drawn = _drawn(line, compiled, state.q[None])
            rigid = _drawn(line, compiled, undeformed(compiled, state.q[None]))
            sag, twist = (drawn - rigid)[0, :, :3], drawn[0, :, 3]
            tip_sag = sag[self.drawing.tip]
            still = np.zeros_like(state.q)
            forces = Forces(compiled).inverse(state.q, still, still)
            torques = {
                name: float(forces[c]) for name, c in zip(compiled.joint_names, compiled.joint_coordinates, strict=True)
            }
            found = modes_about(compiled, state, "free" if free else "locked", MODES)
            moved = self._shapes(line, state.q, found)
            shapes, twists = moved[..., :3], moved[..., 3]
        except FlexarmError as error:
            remark = str(error)
        seconds = time.perf_counter() - begun
        return Posed(dict(joints), rest, frames, sag, twist, tip_sag, torques, found, shapes, twists, remark, seconds)

    def _shapes(self, line: CentreLine, q: Floats, found: ModeSet) -> Floats:
        """How every point of the line moves in every mode and its section twists (modes, points, 4), m and rad."""
        compiled = line.compiled
        where = [compiled.coordinate_names.index(name) for name in found.coordinates]
        step = _STEP * self.drawing.reach
        there = np.repeat(q[None], 2 * len(found), axis=0)
        there[: len(found), where] += step * found.shapes.real
        there[len(found) :, where] -= step * found.shapes.real
        bent = _drawn(line, compiled, there)
        return (bent[: len(found)] - bent[len(found) :]) / (2.0 * step)

    def _line_for(self, masses: Masses) -> CentreLine:
        """The arm with these payloads, compiled once for as long as they stay."""
        wanted = dict(masses)
        if wanted != self._compiled_for:
            links = tuple(_laden(link, wanted) for link in self.arm.links)
            self._line = centre_line(self.arm.changed(link=links))
            self._compiled_for = wanted
        return self._line


def _drawn(line: CentreLine, compiled: CompiledArm, q: Floats) -> Floats:
    """Places (m) and twist (rad) of the points of the line (states, points, 4)."""
    still = np.zeros_like(q)
    seen, rigid = (see(compiled, np.zeros(len(q)), each, still, still) for each in (q, undeformed(compiled, q)))
    return np.concatenate([line.positions(seen), line.twists(seen, rigid)[..., None]], axis=-1)


def _laden(link: Link, masses: Masses) -> Link:
    """The link with its payloads' masses; one without mass and inertia is left away."""
    payloads = []
    for number, payload in enumerate(link.payloads):
        mass = masses.get((link.name, number), payload.mass)
        if mass > 0.0 or payload.inertia != 0.0:
            payloads.append(payload.changed(mass=mass))
    return link.changed(payload=tuple(payloads)) if link.payloads else link
