"""Text a verb writes beside its answer: refused early where it cannot be kept, written in one step."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from flexarm.errors import FlexarmError


def refuse_early(target: str, model: str, what: str) -> None:
    """Refuse a file that cannot or should not be written before time is spent; `what` is kept in it."""
    path = Path(target)
    if path.is_dir():
        raise FlexarmError(f"{target}: is a folder, {what} kept in a file")
    if not path.parent.is_dir() or not os.access(path.parent, os.W_OK):
        raise FlexarmError(f"{target}: nothing can be written into {path.parent}, choose another place by --csv")
    if path.exists() and path.samefile(model):
        raise FlexarmError(f"{target}: is the model file, choose another name by --csv")


def write_text(target: str, text: str) -> None:
    """Put the text into a file, in one step."""
    path = Path(target)
    temporary = path.parent / f".{path.name}.{os.getpid()}.tmp"
    try:
        temporary.write_text(text, encoding="utf-8")
        os.replace(temporary, path)
    except (OSError, ValueError) as error:
        with suppress(OSError, ValueError):
            temporary.unlink(missing_ok=True)
        reason = getattr(error, "strerror", None) or str(error)
        raise FlexarmError(f"{target}: cannot be written: {reason.lower()}") from None
