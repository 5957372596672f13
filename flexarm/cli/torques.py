"""`flexarm torques`: what the drives have to give, flexible beside rigid."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flexarm.cli import options as opt
from flexarm.cli.answers import show_json
from flexarm.cli.files import tell_written
from flexarm.cli.pages import Report, refuse_report, write_report
from flexarm.cli.screen import show_answer
from flexarm.cli.simulate import interruptions, simulated, told_outcome
from flexarm.errors import FlexarmError


def command(
    source: Annotated[
        str, typer.Argument(metavar="MODEL", help="The model file (TOML), or a run kept by simulate (.nc).")
    ],
    end: opt.End = None,
    start: opt.Start = None,
    stepper: opt.Stepper = None,
    tolerance: opt.Tolerance = None,
    step: opt.Step = None,
    spectral_radius: opt.SpectralRadius = None,
    output: opt.Output = None,
    max_steps: opt.MaxSteps = None,
    report: Report = None,
    json: opt.Json = False,
) -> int:
    """What do the drives have to give, flexible beside rigid?

    Simulates the arm, or opens a run that simulate has kept. --json prints the torques over time.
    """
    settings = {
        "end": end,
        "start": start,
        "stepper": stepper,
        "tolerance": tolerance,
        "step": step,
        "spectral_radius": spectral_radius,
        "output": output,
        "max_steps": max_steps,
    }
    refuse_report(report, source)
    with opt.concerning(source), interruptions() as pressed:
        if Path(source).suffix == ".nc":
            from flexarm.results import open_run

            given = [f"--{key.replace('_', '-')}" for key, word in settings.items() if word is not None]
            if given:
                raise FlexarmError(f"{', '.join(given)} given beside a finished run, must stand beside a model file")
            run = open_run(source)
        else:
            run = simulated(opt.with_settings(opt.arm_in(source), source, settings))
        from flexarm.analyses.torques import torques

        found = torques(run)
        pressed.ignored = True
        written = write_report(found, report)
    if json:
        show_json({"model": source, "status": run.info.get("status", "ok"), **found.to_dict()})
    else:
        show_answer(found.summary())
    tell_written(written)
    return told_outcome(run, pressed.count)
