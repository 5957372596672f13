"""What the papers read off a tip: its displacement across the undeformed link, and values at times."""

from __future__ import annotations

import numpy as np

from flexarm.results import Trajectory


def across(run: Trajectory, joint: str) -> np.ndarray:
    """The tip's displacement across the undeformed link on a joint about z, in the axes of its hub (m)."""
    angle = run.signal("joint_position", joint=joint)
    x, y = (run.signal("point_deflection", point="tip", axis=axis) for axis in ("x", "y"))
    return np.asarray(np.cos(angle) * y - np.sin(angle) * x)


def at(run: Trajectory, name: str, t: float, **labels: str) -> float:
    """A signal at the instant of the output nearest to t (s), in its SI unit."""
    return value_at(run, run.signal(name, **labels), t)


def value_at(run: Trajectory, values: np.ndarray, t: float) -> float:
    """Values over the times of a run at the instant nearest to t (s)."""
    return float(values[int(np.argmin(np.abs(run.time - t)))])


def peak(run: Trajectory, axis: str, name: str = "point_deflection") -> float:
    """The largest magnitude of the tip's error along an axis (m)."""
    return float(np.max(np.abs(run.signal(name, point="tip", axis=axis))))
