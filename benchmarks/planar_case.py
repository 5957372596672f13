"""The planar handling case: two rigid arms brake a steel rod cut into rigid finite elements, started from zero.

The three joints follow a brake command exactly, so the first half element, rigid with the third joint, moves as told.
Left to integrate is the chain of elements behind the first spring, driven by the known motion of the point where that
spring sits and by the known angle of the piece before it. The masses of the arms drop out: they matter to drive torques
alone.
"""

from dataclasses import dataclass, field
from math import cos, pi, sin
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

ELEMENT_COUNTS = (10, 50, 200)

ARM_LENGTHS = (0.2, 0.3)  # m
ROD_LENGTH = 1.0  # m
BENDING_STIFFNESS = 1586.5  # N m²
MASS_PER_LENGTH = 3.15  # kg/m
RETARDATION = 1.0 / 1.5865e4  # s: 1 N m s/rad on every spring of ten elements

START_ANGLES = (pi / 2, 0.0, -pi / 2)  # rad
START_RATES = (pi / 4, pi / 4, pi / 2)  # rad/s
TRAVEL_TIME = 1.25  # s
BRAKING_TIME = 0.509  # s
BRAKE_BEGIN = TRAVEL_TIME - BRAKING_TIME / 2  # 0.9955 s
BRAKE_END = TRAVEL_TIME + BRAKING_TIME / 2  # 1.5045 s
END_TIME = 2.0  # s

ERROR_TARGET = 1e-5  # m
SAMPLE_TIMES = np.linspace(1.5, END_TIME, 501)  # s: the last half second, every millisecond


def progress(t: float) -> tuple[float, float, float]:
    """Travel (s), its rate (1) and acceleration (1/s) at time `t`; a joint moves by its start rate times these."""
    if t < BRAKE_BEGIN:
        return t, 1.0, 0.0
    if t < BRAKE_END:
        braked = t - BRAKE_BEGIN
        return t - braked**2 / (2 * BRAKING_TIME), 1.0 - braked / BRAKING_TIME, -1.0 / BRAKING_TIME
    return TRAVEL_TIME, 0.0, 0.0


class BaseMotion(NamedTuple):
    """Motion of the first spring in the plane (m, m/s²) and of the piece before it (rad, rad/s, rad/s²)."""

    x: float
    y: float
    x_acceleration: float
    y_acceleration: float
    angle: float
    rate: float
    gain: float


@dataclass(frozen=True)
class PlanarCase:
    """The rod behind its first spring: lengths (m), masses (kg), inertias (kg m²) and one spring and damper value."""

    elements: int
    lengths: Vector = field(init=False)
    masses: Vector = field(init=False)
    inertias: Vector = field(init=False)

    def __post_init__(self) -> None:
        lengths = np.full(self.elements, self.pitch)
        lengths[-1] /= 2
        masses = MASS_PER_LENGTH * lengths
        object.__setattr__(self, "lengths", lengths)
        object.__setattr__(self, "masses", masses)
        object.__setattr__(self, "inertias", masses * lengths**2 / 12)

    @property
    def pitch(self) -> float:
        """Distance between neighbouring springs (m)."""
        return ROD_LENGTH / self.elements

    @property
    def stiffness(self) -> float:
        """Bending stiffness of one spring (N m/rad)."""
        return BENDING_STIFFNESS / self.pitch

    @property
    def damping(self) -> float:
        """Damping of one spring (N m s/rad)."""
        return RETARDATION * self.stiffness

    def base(self, t: float) -> BaseMotion:
        """Commanded motion of the first spring and of the piece before it at time `t`."""
        # scalar arithmetic: a rival written in Python calls this at every stage and must not pay for array overhead
        travel, speed, change = progress(t)
        x = y = x_acceleration = y_acceleration = angle = rate = gain = 0.0
        for length, start, start_rate in zip((*ARM_LENGTHS, self.pitch / 2), START_ANGLES, START_RATES, strict=True):
            angle += start + start_rate * travel
            rate += start_rate * speed
            gain += start_rate * change
            along, up = length * cos(angle), length * sin(angle)
            x += along
            y += up
            x_acceleration -= gain * up + rate * rate * along
            y_acceleration += gain * along - rate * rate * up
        return BaseMotion(x, y, x_acceleration, y_acceleration, angle, rate, gain)

    def tip(self, times: Vector, angles: NDArray[np.float64]) -> NDArray[np.float64]:
        """Tip positions (m), one row per time, of absolute element angles given one column per time."""
        start = np.array([(base.x, base.y) for base in map(self.base, times)])
        return start + np.column_stack((self.lengths @ np.cos(angles), self.lengths @ np.sin(angles)))
