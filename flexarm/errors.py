"""The exceptions flexarm raises on purpose: every one of them reads as plain sentences, one per line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

__all__ = ["AnalysisError", "FlexarmError", "ModelError", "Problem", "StoppedEarly"]

# A file full of rubbish should not scroll the first mistake off the terminal.
LINES_SHOWN = 40


class FlexarmError(Exception):
    """Anything flexarm refuses or fails to do, in a sentence the user can act on."""

    exit_code = 2


class AnalysisError(FlexarmError):
    """A sound model, but the question asked of it has no answer (no end time, no such point, no equilibrium...)."""


class StoppedEarly(UserWarning):
    """A run ended before its end time; what it reached is handed back, the text says when, why and what to try.

    `warnings.simplefilter("error", flexarm.StoppedEarly)` makes it an exception.
    """


@dataclass(frozen=True)
class Problem:
    """One mistake in a model: where it stands (empty: in the part itself) and what is found there and allowed."""

    place: str
    message: str

    def sentence(self, source: str = "") -> str:
        """One line: source, place and message."""
        return ": ".join(text for text in (source, self.place, self.message) if text)

    def __str__(self) -> str:
        return self.sentence()


class ModelError(FlexarmError):
    """One or more mistakes in a model file or in a part built in Python, all of them at once."""

    def __init__(self, problems: Iterable[Problem], *, source: str = "") -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        self.source = source
        super().__init__(self.problems, source)

    def __str__(self) -> str:
        lines = [problem.sentence(self.source) for problem in self.problems[:LINES_SHOWN]]
        hidden = len(self.problems) - len(lines)
        if hidden:
            lines.append(f"{self.source or 'model'}: top level: {hidden} more problems are not shown")
        return "\n".join(lines)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.problems, self.source)


def _rebuild(kind: type[ModelError], problems: tuple[Problem, ...], source: str) -> ModelError:
    # Exceptions travel between worker processes; the default way back would lose the keyword.
    return kind(problems, source=source)
