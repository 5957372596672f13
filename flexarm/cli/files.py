"""Files a verb writes: refused before time is spent, and written in one step."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from flexarm.cli.output import remark
from flexarm.errors import FlexarmError
from flexarm.files import write_whole


def refuse_early(target: str, model: str, option: str) -> None:
    """Refuse a file that cannot or should not be written before time is spent."""
    path = Path(target)
    if path.is_dir():
        raise FlexarmError(f"{target}: is a folder, must be a file")
    if not path.parent.is_dir() or not os.access(path.parent, os.W_OK):
        raise FlexarmError(f"{target}: nothing can be written into {path.parent}, choose another place by {option}")
    if path.exists() and path.samefile(model):
        raise FlexarmError(f"{target}: is the model file, choose another name by {option}")


def write_text(target: str, text: str | Iterable[str]) -> None:
    """Put the text, or its blocks one by one, into a file."""
    write_whole(Path(target), text)


def report_written(files: Sequence[str]) -> None:
    """Report on stderr which files were written; stdout holds the result alone, so that it can be piped."""
    if files:
        named = f"{', '.join(files[:-1])} and {files[-1]}" if len(files) > 1 else files[0]
        # A terminal shows both streams, and a line apart from the result is read more easily.
        remark(f"{chr(10) if sys.stdout.isatty() else ''}wrote {named}")
