"""How an arm is to be simulated: the end time, the start, and the way time is stepped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from flexarm.model.messages import Mistake, either, number, refusal, shown
from flexarm.model.part import Catalogue, Part
from flexarm.model.quantity import Quantity, Reader
from flexarm.model.words import Count, Word

PositiveTime = Annotated[float | None, Quantity("s", above=0, optional=True)]


STARTS = ("rest", "static", "steady")
ANALYSES = ("nonlinear", "linear", "quasi-static")


class StartReader(Reader):
    """A word for the start, or a table: names of coordinates to values, names with ".rate" behind to rates."""

    _word = Word(*STARTS)
    _value = Quantity({"angle": "rad", "length": "m"}, by="")
    _rate = Quantity({"angle": "rad/s", "length": "m/s"}, by="")

    def read(self, value: Any, siblings: Mapping[str, Any]) -> Any:
        """The word, or the table in SI units."""
        if not isinstance(value, Mapping):
            if not isinstance(value, str):
                raise refusal(f"is {shown(value)}, must be {either(STARTS)} or a table of coordinates")
            return self._word.read(value, siblings)
        table = {}
        for name, entry in value.items():
            if not isinstance(name, str) or not name:
                raise refusal(f"has the key {shown(name)}, must have names of coordinates")
            reader = self._rate if name.endswith(".rate") else self._value
            table[name] = reader.read_one(entry, None, f'["{name}"]')
        return Catalogue(table)

    def write(self, value: Any, owner: Any) -> Any:
        """The word, or plain numbers in SI units."""
        return dict(value) if isinstance(value, Mapping) else value

    def schema(self) -> dict[str, Any]:
        """A word or a table of numbers and texts."""
        entry = {"anyOf": [{"type": "number"}, {"type": "string"}]}
        return {"anyOf": [{"enum": list(STARTS)}, {"type": "object", "additionalProperties": entry}]}


class Simulation(Part):
    """The settings of a simulation; SI units."""

    end: PositiveTime = Field(None, description="end time; needed to simulate")
    start: Annotated[str | Catalogue[float], StartReader()] = Field(
        "rest",
        description="rest: undeformed; static: in equilibrium at rest; steady: in equilibrium at the commanded rates; "
        "or a table of free coordinates and their rates, the others zero",
    )
    analysis: Annotated[Literal["nonlinear", "linear", "quasi-static"], Word(*ANALYSES)] = Field(
        "nonlinear",
        description="nonlinear: large motion and deformation; linear: vibration about the rigid arm's motion; "
        "quasi-static: the equilibrium of every instant",
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
    settling_tolerance: Annotated[float | None, Quantity("m", above=0, optional=True)] = Field(
        None, description="distance from its target to which the tip's settling time is reported, beside 1 and 0.1 mm"
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
