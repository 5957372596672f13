"""`flexarm schema`: the keys of a model file, for editors that complete and check as one types."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

from flexarm.cli.files import report_written, write_text
from flexarm.cli.options import option
from flexarm.cli.output import show_json
from flexarm.errors import FlexarmError


def command(
    out: Annotated[str | None, option("--out", "FILE", "Write it to a file. Default: print it.")] = None,
) -> None:
    """Print the JSON Schema of a model file, for editors.

    With an editor that knows TOML schemas, put "#:schema flexarm.schema.json" into the first line of a model.
    """
    from flexarm.model import arm_schema

    schema = arm_schema()
    if out is None:
        show_json(schema)
        return
    if Path(out).is_dir():
        raise FlexarmError(f"{out}: is a folder, the schema is kept in a file")
    write_text(out, json.dumps(schema, indent=2, ensure_ascii=False) + "\n")
    report_written([out])
