"""Settling times and residual distances of the samples of a study; `flexarm.results.settling` has what they mean."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import final

import numpy as np

from flexarm.analyses.run.target import command_end, why_no_target
from flexarm.analyses.signals.observed import Observed
from flexarm.assembly import CompiledArm
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError, FlexarmError
from flexarm.model.reading.messages import quoted
from flexarm.results.settling import ABOUT, OF, greatest_distances, settling_times
from flexarm.studies.parameters.quantities import read_quantity

_WORDS = re.compile(rf"\s+(of|about)\s+({'|'.join((*OF, *ABOUT))})\s*$")


@final
@dataclass(frozen=True)
class Aim:
    """A point and where it is to be; with a distance (m) its settling time is wanted, else its residual."""

    point: str
    within: float | None = None
    of: str = "point"
    about: str = "target"


def read_aim(word: str, measure: str, text: str) -> Aim | None:
    """The aim in the brackets of "residual(tip)" or "settling_time(tip@1 mm about equilibrium)"; None if there stands
    a signal.
    """
    if measure not in ("residual", "settling_time"):
        return None
    words: dict[str, str] = {}
    while match := _WORDS.search(text):
        key, value = match[1], match[2]
        if value not in (OF if key == "of" else ABOUT):
            raise AnalysisError(f"the output {quoted(word)} has {key} {value}, must be of elastic or about equilibrium")
        words[key], text = value, text[: match.start()]
    point, at, distance = (part.strip() for part in text.partition("@"))
    if measure == "residual":
        return None if "." in point or at else Aim(point, None, **words)
    if not at:
        raise AnalysisError(f"the output {quoted(word)} has no distance, must be such as settling_time({point}@1 mm)")
    try:
        return Aim(point, read_quantity(distance, "m", above=0.0), **words)
    except FlexarmError as error:
        raise AnalysisError(f"the output {quoted(word)}: the distance {error}") from None


def check_aim(who: str, compiled: CompiledArm, aim: Aim, end: float) -> None:
    """Refuse the settling of a point that has nowhere to settle."""
    if aim.of == "point" and aim.about == "target" and (why := why_no_target(compiled, end, aim.point)):
        raise AnalysisError(f"{who}: {quoted(aim.point)} has no target: {why}; must be about equilibrium or of elastic")
    if (aim.about == "equilibrium" or aim.within is None) and command_end(compiled, end) is None:
        raise AnalysisError(f"{who} needs commands that end before the end of the run, {end:.6g} s")


def settles(compiled: CompiledArm, point: str, end: float) -> bool:
    """True if a point has a target and its command ends before the end of the run (s)."""
    return why_no_target(compiled, end, point) is None and command_end(compiled, end) is not None


def settling_values(aim: Aim, observed: Observed, chosen: np.ndarray, after: Floats | None = None) -> Floats:
    """Settling times (runs,), s, or greatest distances, m, at the chosen times, from `after` or the command's end on.

    A run that does not settle has the end of the run as its settling time: it is no less.
    """
    offsets, rates = observed.offsets(aim.point, aim.of, aim.about)
    times, offsets = observed.times[chosen], offsets[chosen]
    rates = None if rates is None else rates[chosen]
    if aim.within is None:
        begin = observed.command_end() if after is None else after
        return greatest_distances(times, offsets, rates, after=begin, between=observed.smooth)
    found = settling_times(times, offsets, rates, aim.within, between=observed.smooth)
    known = np.isfinite(offsets).all(axis=(0, 1))
    return np.where(known & np.isnan(found), times[-1], found)
