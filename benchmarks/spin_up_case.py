"""A slender beam spun up to a constant rate: how far its tip lags behind.

The arm is in `arms/spin_up.toml`, and two rates are of interest. At 8 rad/s the tip lags by an eighth of the length,
and the hub ends three times as fast as the beam's first frequency at rest: deflections are large, and it is the
rotation that holds the beam. At 4 rad/s the lag is that of a twelfth.
"""

from dataclasses import dataclass
from math import cos, pi, sin

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from benchmarks.rod_chain import BeamArm

LENGTH = 8.0  # m
BENDING_STIFFNESS = 6.8952e10 * 8.2189e-9  # N m²
AXIAL_STIFFNESS = 6.8952e10 * 7.2968e-5  # N
MASS_PER_LENGTH = 2766.7 * 7.2968e-5  # kg/m
ROTARY_INERTIA = 2766.7 * 8.2189e-9  # kg m
TIP_MASS = 0.085  # kg
DURATION = 15.0  # s
SPRINGS = (16, 32)  # of the reference; 24 and 48 change the lag by 5e-6 of itself


@dataclass(frozen=True)
class SpinUp:
    """The rate reached (rad/s) and the end of the run (s)."""

    speed: float
    end_time: float

    @property
    def sample_times(self) -> NDArray[np.float64]:
        """Every ten milliseconds (s)."""
        return np.linspace(0.0, self.end_time, round(100 * self.end_time) + 1)

    @property
    def arm(self) -> BeamArm:
        """What the reference needs to know."""
        switches = (0.0, DURATION, self.end_time)
        return BeamArm(1, LENGTH, BENDING_STIFFNESS, MASS_PER_LENGTH, TIP_MASS, self.command, switches)

    def command(self, t: float) -> tuple[float, float, float]:
        """Angle (rad), rate and acceleration of the joint at time `t`."""
        if t >= DURATION:
            return self.speed * (t - DURATION / 2), self.speed, 0.0
        w, gain = 2 * pi / DURATION, self.speed / DURATION
        return gain * (t**2 / 2 + (cos(w * t) - 1.0) / w**2), gain * (t - sin(w * t) / w), gain * (1.0 - cos(w * t))

    def peak_lag(self, tip: NDArray[np.float64]) -> float:
        """Greatest transverse deflection (m) against the sense of rotation, in the frame that turns with the hub."""
        times = self.sample_times
        angles = np.array([self.command(t)[0] for t in times])
        lag = CubicSpline(times, tip[:, 0] * np.sin(angles) - tip[:, 1] * np.cos(angles))
        return float(lag(lag.derivative().roots(extrapolate=False)).max())


FAST = SpinUp(speed=8.0, end_time=16.0)
SLOW = SpinUp(speed=4.0, end_time=20.0)
