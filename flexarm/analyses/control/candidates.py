"""The controllers that are set side by side, designed for an arm where its command ends (NOTATION 17)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from flexarm.analyses.control.loop_margins import Loop
from flexarm.analyses.dynamics import Dynamics
from flexarm.analyses.linearise import linearise
from flexarm.analyses.modes.modes import modes
from flexarm.analyses.plant.controlled import on_command
from flexarm.analyses.plant.forward import forward_torques
from flexarm.analyses.plant.torque_driven import driven_by_torque
from flexarm.analyses.shaping.commands import through_shaper
from flexarm.analyses.shaping.move import move_of
from flexarm.analyses.shaping.shapers import zv
from flexarm.errors import AnalysisError
from flexarm.model import Arm
from flexarm.model.parts.controller import ControllerPart

# Parts of the moment at a root that are tried as feedback, of either sign.
_PARTS = np.geomspace(0.03, 10.0, 16)
# Deviations of the tip (parts of the distance it has to come within) that are as dear as the greatest torque.
_DEAR = (1.0, 3.0, 10.0, 30.0, 100.0)
# Noise of the moments at the roots (parts of the greatest torque): the more, the less the observer trusts its model's
# fast modes.
_NOISE = (1e-3, 1e-2, 1e-1)
_LEAST_GAIN_MARGIN = 2.0
_LEAST_DELAY_MARGIN = 2.0


@dataclass(frozen=True)
class Candidate:
    """A controller by its name: the arm with its command, and the parts; none of them follow the command exactly."""

    name: str
    arm: Arm
    parts: tuple[ControllerPart, ...]
    words: str


class Designer:
    """What candidates are designed from: the arm where its command ends, its first mode, inertia and rigid torques."""

    def __init__(
        self,
        arm: Arm,
        sample: float,
        delay: str | float,
        within: float,
        limit: float | None,
        others: Sequence[Arm] = (),
    ) -> None:
        self.given, self.others = arm, [other.changed(controllers=()) for other in others]
        self.sample, self.delay, self.within, self.limit = sample, delay, within, limit
        self.move = move_of(arm)
        self.links = [link.name for link in arm.links if link.name in self.move.laws]
        self.end = {name: float(law.evaluate(self.move.end + 1.0)[0]) for name, law in self.move.laws.items()}
        self.plain = on_command(arm, self.links)
        self.arm = arm.changed(controllers=())
        found = modes(self.plain, posture=self.end, joints="locked", count=1)
        if not len(found.frequencies_hz):
            raise AnalysisError("nothing of the arm bends, must have a beam for control to damp")
        self.frequency = float(found.frequencies_hz[0])
        self.ratio = float(found.damping_ratios[0])
        rigid = Dynamics(self.plain)
        rows = [self._coordinate(rigid, name) for name in self.links]
        self.mass = rigid.mass_matrix(rigid.coordinates(self.end))[np.ix_(rows, rows)]
        times = np.linspace(0.0, self.move.end, 400)
        laws = [law for law in forward_torques(self.arm, self.links, "rigid") if law is not None]
        self.torque = max((float(np.abs(law.evaluate(times)[0]).max()) for law in laws), default=0.0) or 1.0

    def _coordinate(self, rigid: Dynamics, name: str) -> int:
        joint = self.given.link(name).joint
        return rigid.names.index(joint.name if joint.name in rigid.names else name)

    def part(self, name: str, kind: str, **keys: object) -> ControllerPart:
        """A controller with what all of them share."""
        common = {"name": name, "kind": kind, "sample": self.sample, "delay": self.delay, "feedforward": "rigid"}
        if self.limit is not None:
            common["limit"] = self.limit
        return ControllerPart(**(common | keys))

    def none(self) -> Candidate:
        """Every joint exactly on its command."""
        return Candidate("none", self.plain, (), "joints exactly on their command, whatever torque that takes")

    def pd(self) -> Candidate:
        """PD of the joints through the rigid arm's mass matrix, with the torques of the rigid arm fed forward."""
        words = f"π² f² M and 2π f M, M the rigid arm's mass matrix, f = {self.frequency:.4g} Hz with the joints locked"
        return Candidate("PD", self.arm, self._pd(), words)

    def _pd(self, part: float = 0.0) -> tuple[ControllerPart, ...]:
        # half of the first frequency, critically damped (NOTATION 40)
        half = math.pi * self.frequency
        inputs = [f"{link}.{what}" for what in ("position", "rate") for link in self.links]
        gains = np.hstack([half * half * self.mass, 2.0 * half * self.mass])
        if part and self.roots:
            moments = list(dict.fromkeys(self.roots.values()))
            inputs += moments
            fed = np.zeros((len(self.links), len(moments)))
            for row, link in enumerate(self.links):
                if link in self.roots:
                    fed[row, moments.index(self.roots[link])] = part
            gains = np.hstack([gains, fed])
        outputs = [f"{link}.torque" for link in self.links]
        return (self.part("PD", "feedback", inputs=inputs, gains=gains.tolist(), outputs=outputs),)

    def shaped(self) -> Candidate | None:
        """The same, its command through two impulses that leave the first mode at rest; None where that cannot be."""
        shaper = zv(self.frequency, min(self.ratio, 0.9))
        try:
            arm = through_shaper(self.arm, self.move, "zv", shaper).arm
        except AnalysisError:
            return None
        words = f"two impulses {1e3 * (shaper.times[1] - shaper.times[0]):.4g} ms apart (ZV)"
        return Candidate("PD, shaped", arm, self._pd(), words)

    @cached_property
    def roots(self) -> dict[str, str]:
        """The moment at the root of the first beam behind each joint, about the axis the joint moves most."""
        model = linearise(driven_by_torque(self.plain, self.links), joints="driven", posture=self.end)
        response = np.abs(model.response([0.5 * self.frequency]))[0]
        found = {}
        for link in self.links:
            beam = next((each for each in self._behind(link) if self.given.link(each).beam is not None), None)
            if beam is None:
                continue
            column = next(k for k, name in enumerate(model.input_names) if name.startswith(_plain(link)))
            words = [_nearest(model.signal_names, f"{beam}.moment_{axis}_at_") for axis in "zy"]
            if any(words):
                found[link] = max(filter(None, words), key=lambda word: response[model.output(word), column])
        return found

    def _behind(self, link: str) -> list[str]:
        arm = self.given
        index = arm.index(link)
        return [each.name for k, each in enumerate(arm.links) if k == index or _carries(arm, index, k)]

    def strain(self) -> Candidate | None:
        """PD with the moments at the roots of the beams fed back; None where none damps better than PD alone."""
        if not self.roots:
            return None
        loop = Loop(self.arm, self.end)
        best, chosen = loop.radius(self._pd()), 0.0
        for part in (*_PARTS, *-_PARTS):
            radius = loop.radius(self._pd(float(part)))
            if radius < best - 1e-9:
                best, chosen = radius, float(part)
        if chosen == 0.0:
            return None
        words = f"{chosen:.3g} of the moment at the root of the beam ({', '.join(self.roots.values())}) fed back"
        return Candidate("strain feedback", self.arm, self._pd(chosen), words)

    def lqg(self) -> list[Candidate]:
        """An observer on encoders and root moments, with the dearest deviations that leave margins and are stable on
        the arms that are off; also with the shaped command.
        """
        loop = Loop(self.arm, self.end)
        off = [Loop(other, self.end) for other in self.others]
        for dear, noise in product(_DEAR, _NOISE):
            parts = (self._lqg(dear, noise),)
            try:
                sound = loop.radius(parts) < 1.0 and loop.gain_margin(parts) >= _LEAST_GAIN_MARGIN
                sound = sound and loop.delay_margin(parts) >= _LEAST_DELAY_MARGIN
                sound = sound and all(each.radius_of(loop.bound(parts)) < 1.0 for each in off)
            except AnalysisError:
                continue
            if sound:
                words = f"deviations of {dear * self.within:.3g} m at the tip as dear as {self.torque:.3g} N m"
                found = [Candidate("LQG", self.arm, parts, words)]
                shaped = self.shaped()
                return found if shaped is None else [*found, Candidate("LQG, shaped", shaped.arm, parts, shaped.words)]
        return []

    def _lqg(self, dear: float, noise_of_moments: float) -> ControllerPart:
        axes = ("x", "y") if self.given.planar else ("x", "y", "z")
        weights = {f"tip.{axis}": (dear * self.within) ** -2.0 for axis in axes}
        reach = self.given.reach
        for link in self.links:
            arc = dear * self.within * (1.0 if self.given.link(link).joint.unit == "m" else 1.0 / reach)
            weights[f"{link}.position"] = 0.1 * arc**-2.0
            weights[f"{link}.rate"] = 0.1 * (arc * 2.0 * math.pi * self.frequency) ** -2.0
        positions = [f"{link}.position" for link in self.links]
        moments = list(dict.fromkeys(self.roots.values()))
        noise = dict.fromkeys(positions, 1e-3 * self.within) | dict.fromkeys(moments, noise_of_moments * self.torque)
        return self.part(
            "LQG",
            "lqg",
            inputs=[*positions, *moments],
            outputs=[f"{link}.torque" for link in self.links],
            weights=weights,
            effort=self.torque**-2.0,
            noise=noise,
            disturbance=self.torque,
            posture=self.end,
        )

    def own(self) -> Candidate | None:
        """The controllers of the model file, if it has any."""
        if not self.given.controllers:
            return None
        return Candidate(
            "model file", self.arm, self.given.controllers, ", ".join(x.name for x in self.given.controllers)
        )

    def candidates(self) -> list[Candidate]:
        """All that there are for this arm."""
        found = [self.none(), self.own(), self.pd(), self.shaped(), self.strain(), *self.lqg()]
        return [each for each in found if each is not None]


def with_payload(arm: Arm, factor: float) -> Arm:
    """The arm with its payloads times a factor, mass and inertia."""
    links = []
    for link in arm.links:
        if link.payloads:
            loads = [
                part.changed(mass=part.mass * factor, inertia=_times(part.inertia, factor)) for part in link.payloads
            ]
            link = link.changed(payload=loads)
        links.append(link)
    return arm.changed(links=tuple(links))


def _times(inertia: object, factor: float) -> object:
    if isinstance(inertia, tuple | list):
        return tuple(_times(each, factor) for each in inertia)
    return float(inertia) * factor  # type: ignore[arg-type]


def _nearest(names: Sequence[str], begin: str) -> str:
    """The signal of that kind at the place nearest to the root; empty if there is none."""
    there = [name for name in names if name.startswith(begin)]
    return min(there, key=lambda name: float(name.removeprefix(begin).removesuffix("_mm"))) if there else ""


def _carries(arm: Arm, below: int, k: int) -> bool:
    while k >= 0:
        if k == below:
            return True
        k = arm.parents[k]
    return False


def _plain(link: str) -> str:
    from flexarm.analyses.linear_signals import acceptable

    return acceptable([f"{link}.torque"])[0].removesuffix("torque")
