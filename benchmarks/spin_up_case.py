"""A slender beam spun up to 8 rad/s: how far its tip lags behind.

The arm is in `arms/spin_up.toml`. The tip lags by an eighth of the length, and the hub ends three times as fast as the
beam's first frequency at rest: deflections are large, and it is the rotation that holds the beam.
"""

from math import cos, pi, sin

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from benchmarks.rod_chain import BeamArm

SPEED = 8.0  # rad/s
DURATION = 15.0  # s
END_TIME = 16.0  # s
SAMPLE_TIMES = np.linspace(0.0, END_TIME, 1601)  # s


def command(t: float) -> tuple[float, float, float]:
    """Angle (rad), rate and acceleration of the joint at time `t`."""
    if t >= DURATION:
        return SPEED * (t - DURATION / 2), SPEED, 0.0
    w, gain = 2 * pi / DURATION, SPEED / DURATION
    return gain * (t**2 / 2 + (cos(w * t) - 1.0) / w**2), gain * (t - sin(w * t) / w), gain * (1.0 - cos(w * t))


ARM = BeamArm(1, 8.0, 6.8952e10 * 8.2189e-9, 2766.7 * 7.2968e-5, 0.085, command, (0.0, DURATION, END_TIME))


def peak_lag(tip: NDArray[np.float64]) -> float:
    """Greatest transverse deflection (m) against the sense of rotation, in the frame that turns with the hub."""
    angles = np.array([command(t)[0] for t in SAMPLE_TIMES])
    lag = CubicSpline(SAMPLE_TIMES, tip[:, 0] * np.sin(angles) - tip[:, 1] * np.cos(angles))
    return float(lag(lag.derivative().roots(extrapolate=False)).max())
