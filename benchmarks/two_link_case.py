"""The arm of two flexible links: a metre of aluminium each, both joints turned by 60° in 2.5 s, then held for 0.5 s.

The arm is in `arms/two_links.toml`; what reference and rivals need of it stands here. The motion is from rest to rest
by a cycloid, without gravity or damping, so that the arm swings on at 3.8 Hz: what a package gets wrong in mesh, beam
theory or time shows as a phase that drifts.
"""

from math import cos, pi, sin

import numpy as np

from benchmarks.rod_chain import BeamArm

LENGTH = 1.0  # m, each link
BENDING_STIFFNESS = 700.0  # N m²: 70 GPa × 10 000 mm⁴
AXIAL_STIFFNESS = 24.5e6  # N: 70 GPa × 350 mm²
SHEAR_STIFFNESS = 0.8864 * 70e9 / (2 * 1.33) * 350e-6  # N
MASS_PER_LENGTH = 0.945  # kg/m: 2700 kg/m³ × 350 mm²
ROTARY_INERTIA = 2.7e-5  # kg m: 2700 kg/m³ × 10 000 mm⁴

TRAVEL = pi / 3  # rad, each joint relative to what carries it
DURATION = 2.5  # s
END_TIME = 3.0  # s

ERROR_TARGET = 1e-5  # m
SAMPLE_TIMES = np.linspace(0.0, END_TIME, 601)  # s: the whole run, every five milliseconds


def command(t: float) -> tuple[float, float, float]:
    """Angle (rad), rate and acceleration of either joint at time `t`."""
    if t >= DURATION:
        return TRAVEL, 0.0, 0.0
    w = 2 * pi / DURATION
    rate = TRAVEL / DURATION
    return rate * (t - sin(w * t) / w), rate * (1.0 - cos(w * t)), rate * w * sin(w * t)


ARM = BeamArm(2, LENGTH, BENDING_STIFFNESS, MASS_PER_LENGTH, 0.0, command, (0.0, DURATION, END_TIME))
