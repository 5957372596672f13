"""The page of a result, without knowing who draws it."""

import os
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flexarm.model import Arm


def reported(result: Any, path: str | os.PathLike[str]) -> Path:
    """The path of the HTML page now showing the result."""
    # Results stand below the room that draws them: it is asked for by name, when a page is wanted.
    written: Path = import_module("flexarm.report").report(result, path)
    return written


def made_from(arm: "Arm | None") -> dict[str, Any]:
    """What a page tells of where a result comes from: the model file as `input`, and the `versions` that are running.

    Results are told in the process that made them; data read from a file have no versions but those they bring along.
    """
    from flexarm.model import format_arm

    versions = import_module("flexarm.analyses.versions").versions()
    return {"input": None if arm is None else format_arm(arm), "versions": versions}


def drawn_by(room: str, work: str, result: Any) -> Any:
    """What a function of an analysis's room makes of a result for its page: costs time, so only when it is wanted."""
    return getattr(import_module(f"flexarm.analyses.{room}"), work)(result)
