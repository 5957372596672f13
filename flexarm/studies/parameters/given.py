"""The first argument of the study functions in Python: a study, or the path of its model file."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

from flexarm.errors import AnalysisError
from flexarm.model import Arm
from flexarm.model.reading.given import reading_first
from flexarm.model.reading.messages import quoted, shown
from flexarm.studies.parameters.study_model import StudyModel, read_study

P = ParamSpec("P")
R = TypeVar("R")

# A study, or the path of its model file.
StudyLike = StudyModel | str | os.PathLike[str]


def study_model_of(model: StudyLike) -> StudyModel:
    """The study, read from its model file if its path is given; an arm is refused, as nothing of it is random."""
    if isinstance(model, StudyModel):
        return model
    if isinstance(model, str | os.PathLike):
        return read_study(model)
    if isinstance(model, Arm):
        raise AnalysisError(
            f"arm {quoted(model.name)} has no random numbers, must be a study: put distributions into its model file "
            'and take fa.read_study(...), or fa.study_of(arm, {"link[0].length": {"normal": ["0.53 m", "1 mm"]}})'
        )
    raise AnalysisError(f"the model is {shown(model)}, must be a study or the path of its model file")


def takes_study(verb: Callable[Concatenate[StudyModel, P], R]) -> Callable[Concatenate[StudyLike, P], R]:
    """The verb, which also takes the path of a model file in the place of the study."""
    return reading_first(study_model_of, verb)
