"""`flexarm identify`: numbers of the model from measured records."""

from __future__ import annotations

from typing import Annotated

import typer

from flexarm.cli import options as opt
from flexarm.cli.ending import finish, refuse_files, write_files
from flexarm.cli.files import write_text
from flexarm.cli.options import option
from flexarm.cli.pages import Report
from flexarm.cli.progress import kernels_announced


def command(
    model: opt.ModelFile,
    records: Annotated[
        list[str],
        typer.Argument(
            metavar="RECORD…", help="Measured records: CSV, NetCDF (.nc) or MATLAB (.mat).", show_default=False
        ),
    ],
    vary: Annotated[
        str | None,
        option(
            "--vary",
            "LIST",
            'What is to be found, e.g. "link[0].payload.inertia,sensor[gauge].gain". Default: what the experiments in '
            "the file name.",
        ),
    ] = None,
    hold_out: Annotated[
        list[str] | None, option("--hold-out", "RECORD", "A record that is predicted and not fitted; may be repeated.")
    ] = None,
    loss: Annotated[
        str, option("--loss", "WORD", "linear, or soft_l1, huber, cauchy, which count outliers less.")
    ] = "linear",
    out: Annotated[str | None, option("--out", "FILE", "Write the model file with what was found (TOML).")] = None,
    posterior: Annotated[
        str | None,
        option("--posterior", "FILE", "Write a study file in which what was found is random (TOML)."),
    ] = None,
    report: Report = None,
    json: opt.Json = False,
) -> None:
    """Which numbers of the model do measured records ask for?

    The arm is driven as it was when each record was taken, and what its sensors would have read is fitted to what was
    measured. The [[experiment]] tables of the model file name the columns.
    """
    refuse_files(model, report, out=out, posterior=posterior)
    with opt.concerning(model), kernels_announced():
        from flexarm.studies.identify.identify import identify

        found = identify(model, records, vary=vary, hold_out=hold_out or (), loss=loss)
        written = write_files(found, report)
    for target, text in ((out, found.fitted), (posterior, found.posterior)):
        if target is not None:
            write_text(target, text)
            written = [target, *written]
    finish(found, model, written, json=json)
