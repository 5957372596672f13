"""`flexarm report`: look at a run in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flexarm.cli import options as opt
from flexarm.cli.answers import FINE, show_json, show_remark
from flexarm.cli.pages import page_beside, refuse_page, size_of
from flexarm.errors import FlexarmError


def command(
    source: Annotated[str, typer.Argument(metavar="RUN", help="A run kept by simulate (.nc).", show_default=False)],
    out: Annotated[
        str | None,
        typer.Option("--out", metavar="FILE", help="Where the page goes. Default: RUN.html, beside the run."),
    ] = None,
    json: opt.Json = False,
) -> int:
    """Let me see it: one page with the moving arm, every figure and all numbers of a run.

    The page is a single file that opens in any browser, from disk and offline.
    """
    target = page_beside(Path(source)) if out is None else Path(out)
    if not target.parent.is_dir():
        raise FlexarmError(f"{target}: the folder {target.parent} does not exist, must be made first")
    refuse_page(target, "--out")
    from flexarm.report import report
    from flexarm.results import open_run

    report(open_run(source), target, source=source)
    if json:
        show_json({"run": source, "files": [str(target)]})
    else:
        show_remark(f"wrote {target} ({size_of(target)})")
    return FINE
