"""The page of a result, without knowing who draws it."""

import os
from importlib import import_module
from pathlib import Path
from typing import Any


def reported(result: Any, path: str | os.PathLike[str]) -> Path:
    """The path of the HTML page now showing the result."""
    # Results stand below the room that draws them: it is asked for by name, when a page is wanted.
    written: Path = import_module("flexarm.report").report(result, path)
    return written


def drawn_by(room: str, work: str, result: Any) -> Any:
    """What a function of an analysis's room makes of a result for its page: costs time, so only when it is wanted."""
    return getattr(import_module(f"flexarm.analyses.{room}"), work)(result)
