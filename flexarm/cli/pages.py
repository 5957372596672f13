"""The page of a result: its path, and whether it may be written."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

from flexarm.cli.options import option
from flexarm.errors import FlexarmError

Report = Annotated[str | None, option("--report", "FILE", "Also write a page to look at, e.g. page.html.")]


def page_beside(target: Path) -> Path:
    """The path of the page of a file: next to it, with its name."""
    return target.parent / f"{target.stem or 'run'}.html"


def refuse_page(page: Path, option: str) -> None:
    """Refuse a page that cannot or should not be written before time is spent."""
    if page.is_dir():
        raise FlexarmError(f"{page}: is a folder, a page is kept in a file")
    if not page.exists():
        return
    from flexarm.report.rendering import is_page

    if page.stat().st_size and not is_page(page):
        raise FlexarmError(f"{page}: exists and is not a page of flexarm, choose another name by {option}")


def refuse_report(page: str | None, model: str | None = None) -> None:
    """Refuse the file of --report before time is spent; `model` is what it must not replace."""
    if page is None:
        return
    target = Path(page)
    if not target.parent.is_dir() or not os.access(target.parent, os.W_OK):
        raise FlexarmError(f"{page}: nothing can be written into {target.parent}, choose another place by --report")
    if model is not None and target.exists() and Path(model).exists() and target.samefile(model):
        raise FlexarmError(f"{page}: is the model file, choose another name by --report")
    refuse_page(target, "--report")


def write_report(result: Any, page: str | None, *, source: str | None = None) -> list[str]:
    """The page of a result written where --report wants it: its name, or nothing if none is wanted."""
    if page is None:
        return []
    from flexarm.report import report

    report(result, page, source=source)
    return [page]


def size_of(path: Path) -> str:
    """The size of a file for the reader."""
    count = path.stat().st_size
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{count / 1e3:.0f} kB"
