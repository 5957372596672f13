"""States that drives have of their own: what a controller remembers, such as the sum of an integrator."""

from __future__ import annotations

from dataclasses import dataclass

from flexarm.compiled import CompiledArm
from flexarm.core.types import Floats, Ints


@dataclass(frozen=True, eq=False)
class DriveStates:
    """ż = F z + P x + R ẋ, and the generalised forces H z that z adds to those on the moving coordinates x.

    Of departures from equilibrium, targets standing still. What a drive answers at once is no part of this: gains on
    position and rate are springs and dampers of the joint (`core.types.S_GAIN`, `S_RATE_GAIN`).
    """

    names: tuple[str, ...]
    own: Floats  # F (nz, nz), 1/s
    position: Floats  # P (nz, n)
    rate: Floats  # R (nz, n)
    force: Floats  # H (n, nz)


def drive_states(compiled: CompiledArm, moving: Ints) -> DriveStates | None:
    """The states of the drives of an arm beside the coordinates that move; None where they have none.

    A servo of position and rate has none.
    """
    return None
