"""Arms for the tests of `brake`: a mass on a spring carried by a slide, whose answer is known, and small beams."""

from __future__ import annotations

from typing import Any

import numpy as np

import flexarm as fa
from tests.oracles.oscillator import Oscillator

MASS, PAYLOAD, OMEGA, RATE, TRAVEL = 2.0, 1.0, 25.0, 0.4, 1.5  # kg, kg, rad/s, m/s, s
PERIOD = 2.0 * np.pi / OMEGA


def slider(*, damping: float = 0.0, **fields: Any) -> fa.Arm:
    """A slide brakes along x; a mass follows it on a spring along the same line: one mode, exactly linear."""
    whole = MASS + PAYLOAD
    links = [
        {
            "name": "slide",
            "joint": {"type": "prismatic", "axis": "x", "motion": "stop", "rate": RATE},
            "length": 0.1,
            "rigid": {"mass": 1.0, "inertia": 0.01},
        },
        {
            "name": "mass",
            "joint": {
                "type": "prismatic",
                "axis": "x",
                "free": True,
                "stiffness": whole * OMEGA**2,
                "damping": damping,
            },
            "length": 0.1,
            "rigid": {"mass": MASS, "inertia": 0.01},
            "payload": {"mass": PAYLOAD},
        },
    ]
    stop = {"kind": "brake", "travel_time": TRAVEL, "braking_time": 0.35, "unit": "m"}
    given = {"planar": True, "gravity": (0.0, 0.0, 0.0), "motions": {"stop": stop}, **fields}
    return fa.Arm(name="mass on a slide", links=links, **given)


def left(times: Any, factor: float = 1.0) -> np.ndarray:
    """Range (m) of the mass after the slide has braked in the times (s); `factor` on its payload."""
    omega = OMEGA * np.sqrt((MASS + PAYLOAD) / (MASS + factor * PAYLOAD))
    swing = Oscillator(omega)
    return np.array([2.0 * swing.pulse_residual(RATE / float(t), float(t)) for t in np.atleast_1d(times)])
