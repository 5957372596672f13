"""Files that are there whole or not at all: written under another name, put on the disk, and renamed in one step."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from flexarm.errors import FlexarmError


def write_whole(
    path: Path,
    contents: str | Iterable[Any],
    *,
    error: type[FlexarmError] = FlexarmError,
    temporary: str = ".",
) -> None:
    """Put the text, or blocks of text or bytes one by one, into the file; `error` if that fails.

    The name of the unfinished file begins with `temporary`.
    """
    blocks = [contents] if isinstance(contents, str) else contents
    unfinished = path.with_name(f"{temporary}{path.name}.{secrets.token_hex(6)}.tmp")
    try:
        with unfinished.open("xb") as file:
            for block in blocks:
                file.write(block.encode() if isinstance(block, str) else block)
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, path)
        flush_folder(path.parent)
    except (OSError, ValueError) as failed:
        reason = getattr(failed, "strerror", None) or " ".join(str(failed).split())
        raise error(f"{printable(str(path))}: cannot be written: {reason.lower()}") from None
    finally:
        with suppress(OSError, ValueError):
            unfinished.unlink(missing_ok=True)


def flush_folder(folder: Path) -> None:
    """Put the names in the folder on the disk, where the system can: a rename is kept only when its folder is."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def printable(text: str) -> str:
    """The text with a question mark for whatever would disturb a terminal."""
    return "".join(mark if mark.isprintable() else "?" for mark in text)
