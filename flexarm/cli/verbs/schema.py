"""`flexarm schema`: the keys of a model file, for editors that complete and check as one types."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from flexarm.cli.files import tell_written
from flexarm.cli.output import show_json
from flexarm.errors import FlexarmError


def command(
    out: Annotated[
        str | None, typer.Option("--out", metavar="FILE", help="Write it to a file. Default: print it.")
    ] = None,
) -> None:
    """Print the JSON Schema of a model file, for editors.

    With an editor that knows TOML schemas, put "#:schema flexarm.schema.json" into the first line of a model.
    """
    from flexarm.model import arm_schema

    schema = arm_schema()
    if out is None:
        show_json(schema)
        return
    target = Path(out)
    if target.is_dir():
        raise FlexarmError(f"{out}: is a folder, the schema is kept in a file")
    temporary = target.parent / f".{target.name}.{os.getpid()}.tmp"
    try:
        temporary.write_text(json.dumps(schema, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        os.replace(temporary, target)
    except (OSError, ValueError) as error:
        with suppress(OSError, ValueError):
            temporary.unlink(missing_ok=True)
        reason = getattr(error, "strerror", None) or str(error)
        raise FlexarmError(f"{out}: cannot be written: {reason.lower()}") from None
    tell_written([out])
