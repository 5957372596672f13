"""The state of an arm: coordinates, rates, accelerations, and what its drives give."""

from __future__ import annotations

from dataclasses import dataclass

from flexarm.core.tree.types import Floats


@dataclass(frozen=True, eq=False)
class State:
    """Coordinates, rates and accelerations of an arm, and the forces its drives give by command."""

    q: Floats
    v: Floats
    a: Floats
    tau: Floats
    integral: Floats | None = None  # (servos,) what the integrators of the drives hold; None: nothing

    def copy(self) -> State:
        """An independent copy."""
        return State(self.q.copy(), self.v.copy(), self.a.copy(), self.tau.copy(), self.integral)
