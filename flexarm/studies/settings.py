"""Settings of the samples' runs given beside the model file, as `simulate` takes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

from flexarm.errors import AnalysisError, ModelError
from flexarm.model import Simulation
from flexarm.model.messages import either, meant
from flexarm.studies.parameters import StudyModel, plain_data
from flexarm.studies.reading import find

TABLE = "simulation"
NAMES = tuple(Simulation.model_fields)


class Settings(TypedDict, total=False):
    """What may stand in place of the [simulation] table: numbers, SI, or text with a unit; None changes nothing."""

    end: float | str | None
    start: str | Mapping[str, Any] | None
    analysis: str | None
    stepper: str | None
    tolerance: float | str | None
    step: float | str | None
    spectral_radius: float | None
    output: float | str | None
    max_steps: int | None


def with_settings(model: StudyModel, settings: Mapping[str, Any]) -> StudyModel:
    """The study whose samples are run with these settings in place of those of its file."""
    given = {name: plain_data(value) for name, value in settings.items() if value is not None}
    for name, value in given.items():
        if name not in NAMES:
            raise AnalysisError(f"{name} is no setting of a study, must be {either(NAMES)}{meant(name, NAMES)}")
        try:
            Simulation(**{name: value})
        except ModelError as error:
            raise AnalysisError(error.problems[0].message) from None
    if not given:
        return model
    data = {**model.data, TABLE: {**model.data.get(TABLE, {}), **given}}
    return StudyModel(find(data, model.name), model.name)


def settings_facts(model: StudyModel) -> dict[str, Any]:
    """The settings all samples are run with, in JSON's types, each under a name of its own."""
    simulation = model.nominal.simulation
    found = {name: getattr(simulation, name) for name in NAMES}
    return {f"{TABLE}.{name}": dict(value) if isinstance(value, Mapping) else value for name, value in found.items()}


def without_settings(model: StudyModel) -> dict[str, Any]:
    """The model's raw table without its settings, but with those that are random."""
    random = {path[1] for parameter in model.parameters for path in parameter.paths if path[0] == TABLE}
    kept = {key: value for key, value in model.data.get(TABLE, {}).items() if key in random}
    return {**{key: value for key, value in model.data.items() if key != TABLE}, **({TABLE: kept} if kept else {})}
