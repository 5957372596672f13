"""`flexarm torques`: the torques the drives need, flexible compared with rigid."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flexarm.cli import options as opt
from flexarm.cli.ending import finish, write_files
from flexarm.cli.interrupts import interruptions
from flexarm.cli.pages import Report, refuse_report
from flexarm.cli.verbs.simulate import report_outcome, simulated
from flexarm.errors import FlexarmError


def command(
    source: Annotated[
        str, typer.Argument(metavar="MODEL", help="The model file (TOML), or a run kept by simulate (.nc).")
    ],
    settings: opt.TorqueSettings = opt.UNCHANGED,
    report: Report = None,
    json: opt.Json = False,
) -> int:
    """What torques do the drives need, flexible compared with rigid?

    Simulates the arm, or opens a run that simulate has kept. --json prints the torques over time.
    """
    refuse_report(report, source)
    with opt.concerning(source), interruptions() as pressed:
        if Path(source).suffix == ".nc":
            from flexarm.results import open_run

            given = [f"--{key.replace('_', '-')}" for key, word in settings.items() if word is not None]
            if given:
                raise FlexarmError(f"{', '.join(given)} given with a finished run, must be given with a model file")
            run = open_run(source)
        else:
            run = simulated(opt.with_settings(opt.arm_in(source), source, settings))
        from flexarm.analyses.torques import torques

        found = torques(run)
        pressed.ignored = True
        written = write_files(found, report)
    finish(found, source, written, json=json, more={"status": run.info.get("status", "ok")})
    return report_outcome(run, pressed.count)
