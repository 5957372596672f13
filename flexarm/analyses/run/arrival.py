"""When a point arrives: the time from t = 0 until it stays within a distance of where it is to be.

What `brake` and `shape` rank by. The place is the point's rigid target (`flexarm.results.settling`); where the arm
comes to rest farther from that than the distance, because it sags or its servos err, no command can bring the point
there, and the time counts from the equilibrium.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexarm.analyses.run.target import find_target
from flexarm.assembly import CompiledArm
from flexarm.core.tree.types import Floats
from flexarm.results.settling import settling_time


@dataclass(frozen=True, eq=False)
class Destination:
    """Where a point is to be (3,), m, base frame; "target", or "equilibrium" where the arm rests elsewhere."""

    place: Floats
    about: str
    off: float  # m, between the two; NaN if one is not known

    def arrival(self, times: Floats, positions: Floats, rates: Floats, within: float, period: float) -> float | None:
        """When the point (m, 3) comes within the distance (m) for good, s; None if it is not within it for a whole
        period (s) of the slowest vibration at the end: it may only be passing.
        """
        found = settling_time(times, positions - self.place, rates, within)
        return None if found is None or found > float(times[-1]) - period else found


def destination_of(compiled: CompiledArm, end: float, point: int, within: float) -> Destination:
    """Where a point of an arm is to be whose commands are over at a time (s)."""
    target = find_target(compiled, end)
    place, rest = target.position[point], target.equilibrium[point]
    off = float(np.linalg.norm(rest - place))
    if np.isfinite(rest).all() and not off <= within:
        return Destination(rest, "equilibrium", off)
    return Destination(place, "target", off)
