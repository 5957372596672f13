"""How an arm is to be simulated: the end time, the start, and the way time is stepped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from inspect import Parameter, signature
from typing import Annotated, Any, Literal, TypedDict, TypeVar

from pydantic import Field

from flexarm.errors import AnalysisError
from flexarm.model.parts.part import Catalogue, Part
from flexarm.model.reading.messages import Mistake, either, meant, number, refusal, shown
from flexarm.model.reading.quantity import Quantity, Reader
from flexarm.model.reading.readers import Count, OneOf

Verb = TypeVar("Verb", bound=Callable[..., Any])
PositiveTime = Annotated[float | None, Quantity("s", above=0, optional=True)]


STARTS = ("rest", "static", "steady")
ANALYSES = ("nonlinear", "linear", "quasi-static")


class StartReader(Reader):
    """A word for the start, or a table: names of coordinates to values, names with ".rate" behind to rates."""

    _word = OneOf(*STARTS)
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
    analysis: Annotated[Literal["nonlinear", "linear", "quasi-static"], OneOf(*ANALYSES)] = Field(
        "nonlinear",
        description="nonlinear: large motion and deformation; linear: vibration about the rigid arm's motion; "
        "quasi-static: the equilibrium of every instant",
    )
    output: PositiveTime = Field(None, description="sampling interval of the results; default: end/1000")
    stepper: Annotated[Literal["esdirk4", "newmark", "alpha"], OneOf("esdirk4", "newmark", "alpha")] = Field(
        "esdirk4", description="time integration method"
    )
    tolerance: Annotated[float, Quantity("m", above=0)] = Field(1e-6, description="error allowed at the tip")
    step: PositiveTime = Field(None, description="fixed time step; default: chosen from the tolerance")
    spectral_radius: Annotated[float, Quantity("", least=0, most=1)] = Field(
        0.8, description="of the alpha method at high frequency"
    )
    settling_tolerance: Annotated[float | None, Quantity("m", above=0, optional=True)] = Field(
        None, description="distance from its target to which the tip's settling time is reported, besides 1 and 0.1 mm"
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


class SimulationSettings(TypedDict, total=False):
    """Settings given to a verb in place of the model file's: SI or texts with a unit; None changes nothing."""

    end: float | str | None
    start: str | Mapping[str, float | str] | None
    analysis: str | None
    output: float | str | None
    stepper: str | None
    tolerance: float | str | None
    step: float | str | None
    spectral_radius: float | None
    settling_tolerance: float | str | None
    max_steps: int | None


def given_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that change something; a name that is none of them is refused."""
    names = tuple(Simulation.model_fields)
    for name in settings:
        if name not in names:
            raise AnalysisError(f"{name} is no setting of a simulation, must be {either(names)}{meant(name, names)}")
    return {name: value for name, value in settings.items() if value is not None}


def takes_settings(verb: Verb, options: Any = SimulationSettings) -> Verb:
    """The verb with the names of the settings or options it takes in its signature, for those who look there."""
    own = signature(verb)
    parameters = [each for each in own.parameters.values() if each.kind is not Parameter.VAR_KEYWORD]
    for name, kind in options.__annotations__.items():
        parameters.append(
            Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=getattr(kind, "__forward_arg__", kind))
        )
    verb.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
    return verb
