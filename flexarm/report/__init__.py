"""Results as pages: one HTML file that opens from disk, without a server and without the network.

    import flexarm as fa
    fa.report(run, "run.html")

A page is a `Page` of `Section`s, whose parts are figures, tables, words, listings and moving arms: flexarm.report.page.
A result gets a page by a module of `flexarm.report.pages` with a function `page_of(result, source) -> Page`, named in
the line of its verb in `flexarm.verbs`.
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
from flexarm.verbs import kinds

# Class of the result → the module that makes its page.
PAGES = {kind.result: f"flexarm.report.pages.{kind.page}" for kind in kinds() if kind.result and kind.page}


def report(result: Any, path: str | os.PathLike[str], *, source: str | os.PathLike[str] | None = None) -> Path:
    """The path of the HTML page that now shows a result.

    Parameters
    ----------
    result
        What an analysis or a study returned, or its JSON data (`to_dict()`); or a list of runs, and of records read by
        `flexarm.results.measured.read_measured`, to be drawn over one another.
    path
        The page to write.
    source
        The file its full data are kept in, for the page to name.

    Returns
    -------
    pathlib.Path
        The page: one file that needs no network.

    Examples
    --------
    >>> import tempfile, flexarm as fa
    >>> folder = tempfile.mkdtemp()
    >>> fa.report(fa.modes("rod_handler.toml", count=2), f"{folder}/modes.html").name
    'modes.html'
    """
    from flexarm.report.rendering import write_page

    return write_page(page_of(result, source=source), path)


def page_of(result: Any, *, source: str | os.PathLike[str] | None = None) -> Any:
    """The `Page` of a result, of its JSON data, or of several runs and measured records."""
    if isinstance(result, list | tuple):
        from flexarm.report.pages.runs import page_of as page_of_runs

        return page_of_runs(result, "" if source is None else Path(source).name)
    if isinstance(result, Mapping):
        from flexarm.report.result_data import page_module

        module = page_module(result)
    else:
        word = type(result).__name__
        if word not in PAGES:
            raise FlexarmError(f"report: there is no page for a {word}, only for {', '.join(sorted(PAGES))}")
        module = PAGES[word]
    return import_module(module).page_of(result, "" if source is None else Path(source).name)


class _Verb(ModuleType):
    """This package, callable: `flexarm.report` is the verb and its package, whichever is asked for first."""

    def __call__(self, *words: Any, **options: Any) -> Path:
        return report(*words, **options)


sys.modules[__name__].__class__ = _Verb
