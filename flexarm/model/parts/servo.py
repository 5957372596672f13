"""Servos: the loops of a drive that draw its joint towards the commanded motion."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field

from flexarm.model.parts.part import Part
from flexarm.model.reading.messages import Mistake
from flexarm.model.reading.quantity import Quantity
from flexarm.model.reading.readers import OneOf

STIFFNESS = {"revolute": "N m/rad", "prismatic": "N/m"}
DAMPING = {"revolute": "N m s/rad", "prismatic": "N s/m"}
INERTIA = {"revolute": "kg m²", "prismatic": "kg"}
FORCE = {"revolute": "N m", "prismatic": "N"}

# The word that leaves the gains of a servo to the arm's own inertia and frequencies.
AUTO = "auto"

# Keys that describe the loops, each group a way of its own.
_WAYS = (("kp", "kv"), ("position_gain", "velocity_gain"), ("frequency", "inertia"), ("tuning",))
_WANTED = 'must have kp and kv, position_gain and velocity_gain, frequency and inertia, or tuning = "auto"'

Feedforward = Literal["none", "velocity", "gravity", "rigid"]
Encoder = Literal["motor", "link"]


class Loops(NamedTuple):
    """The gains of a servo: τ = kp e + kv (rate θ̇_d − θ̇) + ki x,  ẋ = rate θ̇_d − θ̇ + loop e (NOTATION 40)."""

    kp: float  # N m/rad, N/m
    kv: float  # N m s/rad, N s/m
    ki: float  # N m/rad, N/m
    loop: float  # 1/s
    rate: float  # share of the commanded rate that is fed forward


class Servo(Part):
    """A servo: by the gains of its loops, or by what they are designed for."""

    kp: Annotated[float | None, Quantity(STIFFNESS, by="type", above=0, optional=True)] = Field(
        None, description="torque or force per deviation"
    )
    kv: Annotated[float | None, Quantity(DAMPING, by="type", least=0, optional=True)] = Field(
        None, description="torque or force per deviation of the rate"
    )
    position_gain: Annotated[float | None, Quantity("1/s", above=0, optional=True)] = Field(
        None, description="rate the position loop asks for, per deviation; the outer of two cascaded loops"
    )
    velocity_gain: Annotated[float | None, Quantity(DAMPING, by="type", above=0, optional=True)] = Field(
        None, description="torque or force the velocity loop gives, per deviation from that rate"
    )
    integral_time: Annotated[float | None, Quantity("s", above=0, optional=True)] = Field(
        None, description="reset time of the velocity loop's integrator; none if left out"
    )
    frequency: Annotated[float | None, Quantity("Hz", above=0, optional=True)] = Field(
        None, description="lowest of the structure with its joints locked; the servo gets half of it"
    )
    inertia: Annotated[float | None, Quantity(INERTIA, by="type", above=0, optional=True)] = Field(
        None, description="that the joint has to move"
    )
    tuning: Annotated[Literal["auto"] | None, OneOf(AUTO, optional=True)] = Field(
        None, description='"auto": loops tuned for the arm'
    )
    feedforward: Annotated[Feedforward | None, OneOf("none", "velocity", "gravity", "rigid", optional=True)] = Field(
        None,
        description="what is fed forward to the loops: the commanded rate, the torque that holds the rigid arm "
        "against gravity, the torque that moves it; rigid with tuning, else velocity",
    )
    torque_limit: Annotated[float | None, Quantity(FORCE, by="type", above=0, optional=True)] = Field(
        None, description="greatest torque or force of the drive, at the joint"
    )
    encoder: Annotated[Encoder, OneOf("motor", "link")] = Field(
        "motor", description="what the position loop sees: the motor, or the link behind the gear"
    )

    @classmethod
    def mistakes_in(cls, raw: Mapping[str, Any]) -> Iterable[Mistake]:
        """Two ways to describe a servo, none, or half of one."""
        ways = [[key for key in way if raw.get(key) is not None] for way in _WAYS]
        given = [(way, keys) for way, keys in zip(_WAYS, ways, strict=True) if keys]
        if not given:
            yield (), f"has no values, {_WANTED}"
        elif len(given) > 1:
            yield (), f"has {' together with '.join(' and '.join(keys) for _, keys in given)}, {_WANTED}"
        else:
            way, keys = given[0]
            for key in way:
                if key not in keys:
                    yield (), f"{key} is missing, must be given with {keys[0]}"
            if raw.get("integral_time") is not None and "velocity_gain" not in keys:
                yield (), "integral_time is given, must be given with position_gain and velocity_gain"

    @property
    def automatic(self) -> bool:
        """True if the loops are left to the arm's own inertia and frequencies."""
        return self.tuning == AUTO

    @property
    def fed_forward(self) -> Feedforward:
        """What is fed forward to the loops."""
        if self.feedforward is not None:
            return self.feedforward
        return "rigid" if self.automatic else "velocity"

    def loops(self) -> Loops:
        """The gains of the loops; not for a servo whose tuning is automatic.

        From the lowest frequency f0 of the structure and the inertia J: kp = π² f0² J, which keeps the servo at half of
        that frequency, and kv = 2 √(J kp), which damps it critically.
        """
        rate = 0.0 if self.fed_forward == "none" else 1.0
        if self.kp is not None and self.kv is not None:
            return Loops(self.kp, self.kv, 0.0, 0.0, rate)
        if self.position_gain is not None and self.velocity_gain is not None:
            kv, loop = self.velocity_gain, self.position_gain
            ki = 0.0 if self.integral_time is None else kv / self.integral_time
            return Loops(kv * loop, kv, ki, loop, rate)
        assert self.frequency is not None and self.inertia is not None
        half = math.pi * self.frequency
        return Loops(half * half * self.inertia, 2.0 * half * self.inertia, 0.0, 0.0, rate)

    def gains(self) -> tuple[float, float]:
        """The gains kp (N m/rad, N/m) and kv (N m s/rad, N s/m)."""
        loops = self.loops()
        return loops.kp, loops.kv
