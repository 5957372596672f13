"""The page beside what a verb keeps: where it stands, and whether it may be written."""

from __future__ import annotations

from pathlib import Path

from flexarm.errors import FlexarmError


def page_beside(target: Path) -> Path:
    """Where the page of a file stands: beside it, with its name."""
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


def size_of(path: Path) -> str:
    """The size of a file for the reader."""
    count = path.stat().st_size
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{count / 1e3:.0f} kB"
