"""What every result offers: a summary, its data, its page and its notebook cell, without knowing who draws them."""

import os
from abc import ABC, abstractmethod
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flexarm.model import Arm


class Result(ABC):
    """A result of a verb."""

    @abstractmethod
    def summary(self) -> str:
        """A readable summary in plain text."""

    def report(self, path: str | os.PathLike[str]) -> Path:
        """The path of the HTML page now showing it: every figure and all numbers."""
        # Results lie below the package that draws them: it is imported by name, when a page is wanted.
        written: Path = import_module("flexarm.report").report(self, path)
        return written

    def _repr_html_(self) -> str:
        return displayed(self)


def displayed(result: Any) -> str:
    """HTML of the result, for notebooks."""
    shown: str = import_module("flexarm.report.notebook").html_of(result)
    return shown


def made_from(arm: "Arm | None") -> dict[str, Any]:
    """What a page reports on where a result comes from: the model file as `input`, and the `versions` that are running.

    Results are reported in the process that made them; data read from a file have the versions they bring along.
    """
    from flexarm.model import format_arm

    versions = import_module("flexarm.analyses.versions").versions()
    return {"input": None if arm is None else format_arm(arm), "versions": versions}


def drawn_by(package: str, work: str, result: Any) -> Any:
    """What a function of an analysis's package makes of a result for its page; done only when it is wanted."""
    return getattr(import_module(f"flexarm.analyses.{package}"), work)(result)
