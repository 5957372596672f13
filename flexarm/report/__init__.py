"""Results as pages: one HTML file that opens from disk, without a server and without the network.

    import flexarm as fa
    fa.report(run, "run.html")

A page is a `Page` of `Section`s, whose parts are figures, tables, words, listings and moving arms: flexarm.report.page.
A result gets a page by a module of this room with a function `page_of(result, source) -> Page`, and a row in `PAGES`.
How to make one: docs/report.md.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from flexarm.errors import FlexarmError

# Class of the result → the module that makes its page. By name: results of studies live in a room beside this one.
PAGES = {
    "Trajectory": "flexarm.report.run",
    "ModeSet": "flexarm.report.modes",
    "Campbell": "flexarm.report.campbell",
    "Comparison": "flexarm.report.compare",
    "BrakeStudy": "flexarm.report.brake",
    "ShapeStudy": "flexarm.report.shape",
    "MonteCarlo": "flexarm.report.montecarlo",
    "Reliability": "flexarm.report.reliability",
    "RareReliability": "flexarm.report.rare",
    "Sensitivity": "flexarm.report.sensitivity",
    "Equilibrium": "flexarm.report.statics",
    "DriveTorques": "flexarm.report.torques",
    "LinearModel": "flexarm.report.linearise",
    "Workspace": "flexarm.report.workspace",
}


def report(result: Any, path: str | os.PathLike[str], *, source: str | os.PathLike[str] | None = None) -> Path:
    """The path of the HTML page now showing the result; `source` is the file its full data are kept in.

    A result is what an analysis or a study returned, or its plain data: what it tells by `to_dict()`.
    """
    from flexarm.report.rendering import write_page

    return write_page(page_of(result, source=source), path)


def page_of(result: Any, *, source: str | os.PathLike[str] | None = None) -> Any:
    """The `Page` of a result, or of its plain data."""
    if isinstance(result, Mapping):
        from flexarm.report.told import page_module

        module = page_module(result)
    else:
        word = type(result).__name__
        if word not in PAGES:
            raise FlexarmError(f"report: there is no page for a {word}, only for {', '.join(sorted(PAGES))}")
        module = PAGES[word]
    return import_module(module).page_of(result, "" if source is None else Path(source).name)


class _Verb(ModuleType):
    """This room, callable: `flexarm.report` is the verb and its room, whichever of the two was asked for first."""

    def __call__(self, *words: Any, **options: Any) -> Path:
        return report(*words, **options)


sys.modules[__name__].__class__ = _Verb
