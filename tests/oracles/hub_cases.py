"""Beams on hubs and what turns them: the data of Šalinić et al. (spin-up, torque) and of He and Wang.

Lengths in m, EI in N m², ρA in kg/m, masses in kg, inertias in kg m². The beams are Euler-Bernoulli's and do not
stretch. Everything is in one plane; the hub turns by θ, its radius points along the straight beam, and "lateral" is a
right angle ahead of that: while the hub gathers speed with θ̈ > 0 the tip stays behind and its deflection is negative.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .integration import extremes


@dataclass(frozen=True)
class HubBeam:
    """A uniform beam that leaves its hub at the distance `radius` from the axis and carries a point mass."""

    L: float
    EI: float
    rhoA: float
    radius: float = 0.0
    hub_inertia: float = 0.0
    tip_mass: float = 0.0

    @property
    def rigid_inertia(self) -> float:
        """Moment of inertia about the hub's axis of the beam held straight, hub and point mass included (kg m²)."""
        a, b = self.radius, self.radius + self.L
        return self.hub_inertia + self.rhoA * (b**3 - a**3) / 3 + self.tip_mass * b**2


SPUN = HubBeam(L=8.0, EI=6.8952e10 * 8.2189e-9, rhoA=2766.7 * 7.2968e-5, tip_mass=0.085)
SPIN_TIME = 15.0  # s
SPIN_END = 30.0  # s

TORQUED = HubBeam(L=1.8, EI=6.9e10 * 1.3021e-10, rhoA=2766.0 * 2.5e-4, radius=0.05, hub_inertia=0.3, tip_mass=0.085)
PULSE_TIME = 2.0  # s
PULSE = 1.0  # N m

MEAN_ARM = HubBeam(L=0.53, EI=2.22e11 * 0.032 * 8.5e-4**3 / 12, rhoA=7800 * 0.032 * 8.5e-4, hub_inertia=1.46e-2)


def spin_up(t: float, rate: float, duration: float = SPIN_TIME) -> tuple[float, float, float]:
    """Angle, rate and acceleration of a hub brought smoothly from rest to `rate` (rad/s) within `duration` (s)."""
    if t >= duration:
        return rate * (t - duration / 2), rate, 0.0
    nu = 2 * np.pi / duration
    angle = rate / duration * (t**2 / 2 + (np.cos(nu * t) - 1) / nu**2)
    return angle, rate / duration * (t - np.sin(nu * t) / nu), rate / duration * (1 - np.cos(nu * t))


def pulse(t: float, phase: int) -> float:
    """One period of a sine torque (phase 0), then none (phase 1): N m."""
    return PULSE * float(np.sin(2 * np.pi * t / PULSE_TIME)) if phase == 0 else 0.0


def falling(t: float, phase: int) -> float:
    """The torque 1 − t (N m) of He and Wang."""
    return 1.0 - t


def spin_figures(tip: Callable[[np.ndarray], np.ndarray]) -> tuple[float, float]:
    """Largest magnitude of a tip deflection over the whole spin-up and after, and half its range after (both m)."""
    least, largest = extremes(tip, 0.0, SPIN_END, interval=1e-3)
    after = extremes(tip, SPIN_TIME, SPIN_END, interval=1e-3)
    return max(-least, largest), (after[1] - after[0]) / 2
