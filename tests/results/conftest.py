"""A run made by hand, with closed forms for everything that is measured on it."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from flexarm.results import Trajectory

ARM_TEXT = """\
name = "rod handler"
gravity = [0, 0, 0]
planar = true

[[link]]
name = "upper arm"
joint = { type = "revolute", axis = "z", free = true }
length = "200 mm"
rigid = { mass = "0.63 kg", inertia = "6.1e-4 kg m^2" }

[[link]]
name = "slide"
joint = { type = "prismatic", axis = "x", free = true }
length = "1 m"
rigid = { mass = "3.15 kg", inertia = "0.2625 kg m^2" }
"""

AMPLITUDE, RATE = 0.003, 80.0  # m, rad/s: the tip swings about y = 0.5 m


@pytest.fixture
def make_run() -> Callable[..., Trajectory]:
    """A function that builds a run of so many samples; `info` changes facts, `drop` leaves variables out."""

    def build(samples: int = 201, *, end: float = 2.0, drop: tuple[str, ...] = (), **info: Any) -> Trajectory:
        rng = np.random.default_rng(1)
        time = np.linspace(0.0, end, samples)
        position = np.zeros((samples, 2, 3))
        velocity = np.zeros((samples, 2, 3))
        position[:, 1, 0] = 1.2
        position[:, 1, 1] = 0.5 + AMPLITUDE * np.sin(RATE * time)
        velocity[:, 1, 1] = AMPLITUDE * RATE * np.cos(RATE * time)
        deflection = position - np.array([[0.0, 0.0, 0.0], [1.2, 0.5, 0.0]])
        torque = rng.normal(size=(samples, 2))
        torque[samples // 2] = (-21.5, 7.25)
        arrays = {
            "joint_position": rng.normal(size=(samples, 2)),
            "joint_velocity": rng.normal(size=(samples, 2)),
            "joint_acceleration": rng.normal(size=(samples, 2)),
            "joint_torque": torque,
            "rigid_torque": 0.5 * torque,
            "elastic_position": np.outer(np.sin(RATE * time), [1.0, 2.0, 3.0]),
            "elastic_velocity": RATE * np.outer(np.cos(RATE * time), [1.0, 2.0, 3.0]),
            "point_position": position,
            "point_velocity": velocity,
            "point_deflection": deflection,
            "point_orientation": np.tile([1.0, 0.0, 0.0, 0.0], (samples, 2, 1)),
            "moment_z": rng.normal(size=(samples, 4)),
            "energy_kinetic": 2.0 + np.sin(time),
            "energy_elastic": np.sin(time) ** 2,
            "work_drives": np.zeros(samples),
            "energy_balance_error": np.full(samples, 3e-9),
        }
        labels = {
            "time": time,
            "joint": ["upper arm", "slide"],
            "joint_unit": ["rad", "m"],
            "coordinate": ["slide 1 z", "slide 2 z", "slide 3 z"],
            "coordinate_unit": ["rad"] * 3,
            "point": ["elbow", "tip"],
            "station": ["slide 1", "slide 2", "slide 3", "slide 4"],
            "station_link": ["slide"] * 4,
            "station_position": [0.1, 0.4, 0.6, 0.9],
        }
        facts = {
            "name": "rod handler",
            "status": "ok",
            "stepper": "esdirk4",
            "tolerance": 1e-6,
            "steps": 412,
            "rejected": 3,
            "iterations": 1650,
            "cpu_seconds": 0.004,
            "end": 2.0,
            "last_switch": 1.5045,
            "tip_error": 3.2e-7,
        }
        kept = {name: array for name, array in arrays.items() if name not in drop}
        return Trajectory.from_arrays(kept, labels, arm_text=ARM_TEXT, info=facts | info)

    return build
