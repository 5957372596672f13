"""The stopping command in closed form: constant rate, constant deceleration, rest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Brake:
    """Joint angles that run at `rates` from `start` and stop after rates · travel_time, whatever braking_time."""

    start: tuple[float, ...]  # rad
    rates: tuple[float, ...]  # rad/s
    travel_time: float  # s
    braking_time: float  # s

    @property
    def begin(self) -> float:
        """Time at which the deceleration begins (s)."""
        return self.travel_time - 0.5 * self.braking_time

    @property
    def stop(self) -> float:
        """Time from which the joints are at rest (s)."""
        return self.travel_time + 0.5 * self.braking_time

    def switches(self, end: float) -> tuple[float, ...]:
        """Interval bounds from 0 to end, cut where the deceleration jumps (s)."""
        return (0.0, *(t for t in (self.begin, self.stop) if t < end), end)

    def phase(self, t: float) -> int:
        """0 at constant rate, 1 while braking, 2 at rest; a switch belongs to the later phase."""
        return int(t >= self.begin) + int(t >= self.stop)

    def motion(self, t: float, phase: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Angles (rad), rates (rad/s) and accelerations (rad/s²); `phase` picks the side at a switch."""
        start, rates = np.array(self.start), np.array(self.rates)
        if phase == 0:
            return start + rates * t, rates, np.zeros_like(rates)
        if phase == 2:
            return start + rates * self.travel_time, np.zeros_like(rates), np.zeros_like(rates)
        since, slowing = t - self.begin, rates / self.braking_time
        return start + rates * t - 0.5 * slowing * since**2, rates - slowing * since, -slowing
