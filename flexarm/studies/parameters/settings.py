"""Settings of the samples' runs given with the model file, as `simulate` takes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flexarm.errors import AnalysisError, ModelError
from flexarm.model import Simulation
from flexarm.model.parts.simulation import given_settings
from flexarm.studies.parameters.reading import find
from flexarm.studies.parameters.study_model import StudyModel, plain_data

TABLE = "simulation"
NAMES = tuple(Simulation.model_fields)


def with_settings(model: StudyModel, settings: Mapping[str, Any]) -> StudyModel:
    """The study whose samples are run with these settings in place of those of its file."""
    given = {name: plain_data(value) for name, value in given_settings(settings).items()}
    for name, value in given.items():
        try:
            Simulation(**{name: value})
        except ModelError as error:
            raise AnalysisError(error.problems[0].message) from None
    if not given:
        return model
    data = {**model.data, TABLE: {**model.data.get(TABLE, {}), **given}}
    return StudyModel(find(data, model.name), model.name)


def settings_json(model: StudyModel) -> dict[str, Any]:
    """The settings all samples are run with, in JSON's types, each under a name of its own."""
    simulation = model.nominal.simulation
    found = {name: getattr(simulation, name) for name in NAMES}
    return {f"{TABLE}.{name}": dict(value) if isinstance(value, Mapping) else value for name, value in found.items()}


def without_settings(model: StudyModel) -> dict[str, Any]:
    """The model's raw table without its settings, but with those that are random."""
    random = {path[1] for parameter in model.parameters for path in parameter.paths if path[0] == TABLE}
    kept = {key: value for key, value in model.data.get(TABLE, {}).items() if key in random}
    return {**{key: value for key, value in model.data.items() if key != TABLE}, **({TABLE: kept} if kept else {})}
