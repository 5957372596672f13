"""How an arm is to be simulated: the end time, the start, and the way time is stepped."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import Field

from flexarm.model.messages import Mistake, number
from flexarm.model.part import Part
from flexarm.model.quantity import Quantity
from flexarm.model.words import Count, Word

PositiveTime = Annotated[float | None, Quantity("s", above=0, optional=True)]


class Simulation(Part):
    """The settings of a simulation; SI units."""

    end: PositiveTime = Field(None, description="end time; needed to simulate")
    start: Annotated[Literal["rest", "static", "steady"], Word("rest", "static", "steady")] = Field(
        "rest",
        description="rest: undeformed; static: in equilibrium at rest; steady: in equilibrium at the commanded rates",
    )
    output: PositiveTime = Field(None, description="sampling interval of the results; default: end/1000")
    stepper: Annotated[Literal["esdirk4", "newmark", "alpha"], Word("esdirk4", "newmark", "alpha")] = Field(
        "esdirk4", description="time integration method"
    )
    tolerance: Annotated[float, Quantity("m", above=0)] = Field(1e-6, description="error allowed at the tip")
    step: PositiveTime = Field(None, description="fixed time step; default: chosen from the tolerance")
    spectral_radius: Annotated[float, Quantity("", least=0, most=1)] = Field(
        0.8, description="of the alpha method at high frequency"
    )
    max_steps: Annotated[int, Count(1, 10**9)] = Field(1_000_000, description="give up after this many steps")

    def mistakes(self) -> Iterable[Mistake]:
        """Intervals longer than the whole."""
        for key in ("output", "step"):
            value = getattr(self, key)
            if value is not None and self.end is not None and value > self.end:
                yield (), f"{key} is {number(value)} s, must be ≤ end, {number(self.end)} s"

    @property
    def output_interval(self) -> float | None:
        """Sampling interval (s) of the results; None while there is no end."""
        if self.output is not None or self.end is None:
            return self.output
        return self.end / 1000
