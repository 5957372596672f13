"""`flexarm simulate`: run the arm, summarise the run, keep everything in a file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flexarm.cli import options as opt
from flexarm.cli.files import refuse_early, report_written, write_text
from flexarm.cli.interrupts import interruptions
from flexarm.cli.options import option
from flexarm.cli.output import DONE, INTERRUPTED, QUIET, STOPPED_EARLY, say, show_json
from flexarm.cli.pages import page_beside, refuse_page, size_of
from flexarm.cli.progress import RunBar, kernels_announced
from flexarm.cli.terminal import show_result
from flexarm.errors import FlexarmError

if TYPE_CHECKING:
    from flexarm.model import Arm
    from flexarm.results import Trajectory

_TOLD = ("least", "greatest", "end")
_HDF5 = b"\x89HDF\r\n\x1a\n"


def command(
    model: opt.ModelFile,
    settings: opt.RunSettings = opt.UNCHANGED,
    check: Annotated[
        bool,
        typer.Option(
            "--check",
            help="Also run a finer twin (twice the elements, half the step, all freedoms) and report the differences.",
        ),
    ] = False,
    out: Annotated[
        str | None, option("--out", "FILE", "Where the run is kept (NetCDF). Default: MODEL.nc, in this folder.")
    ] = None,
    report: Annotated[
        bool, typer.Option("--report/--no-report", help="Also write a page to look at, next to the run (.html).")
    ] = True,
    signals: Annotated[
        str | None,
        option("--signals", "LIST", 'Also report these at the end and their extremes, e.g. "tip.across,root.strain".'),
    ] = None,
    follow: Annotated[
        str | None,
        option("--follow", "RECORD", "A measured record: joints follow the columns called after them, 'hub [rad]'."),
    ] = None,
    bandwidth: Annotated[str, option("--bandwidth", "FREQUENCY", "To which the record is smoothed.")] = "20 Hz",
    json: opt.Json = False,
    csv: Annotated[
        str | None, option("--csv", "FILE", "Also write every sample of every signal to a CSV file.")
    ] = None,
) -> int:
    """How does the arm move and bend under its command?

    Prints a summary, keeps the whole run in a NetCDF file and writes a page to look at next to it. Options
    override the [simulation] table of the model file; quantities take a unit ("2 s", "0.5 ms") or are
    plain numbers in SI units.

    Ctrl-C ends the run and keeps what was reached. With --quiet only the files are written.
    """
    target = Path(out if out is not None else f"{Path(model).stem or 'run'}.nc")
    arm = opt.with_settings(opt.arm_in(model), model, settings)
    page = page_beside(target) if report else None
    _refuse_early(target, page, model)
    if csv is not None:
        refuse_early(csv, model, "--csv")
        if Path(csv).resolve() in [file.resolve() for file in (target, page) if file is not None]:
            raise FlexarmError(f"{csv}: is the name of another file of this run, choose another name by --csv")
    if follow is not None:
        arm = _following(arm, model, follow, bandwidth)
    with opt.concerning(model), interruptions() as pressed:
        units = _units(arm, signals)
        try:
            run = simulated(arm, check=check)
        except KeyboardInterrupt:
            say("interrupted before there was anything to keep")
            return INTERRUPTED
        pressed.ignored = True
        run.save(target)
        if page is not None:
            from flexarm.report import report as write_report

            write_report(run, page, source=target)
        if csv is not None:
            write_text(csv, run.csv_blocks())
    files = [file for file in (target, page, None if csv is None else Path(csv)) if file is not None]
    if json:
        from flexarm.cli.run_json import run_json

        show_json({"model": model, **run_json(run, units), "files": [str(file) for file in files]})
    elif not QUIET.get():
        from flexarm.cli.curves import of_run

        show_result("\n".join([run.summary(), *_told(run, units)]), lambda: of_run(run))
        report_written([f"{file} ({size_of(file)})" for file in files])
    return report_outcome(run, pressed.count, kept=str(target))


def _following(arm: Arm, model: str, record: str, bandwidth: str) -> Arm:
    """The arm whose joints follow a record, to its end unless the file has another."""
    from flexarm.analyses.following import followed_arm
    from flexarm.model.reading.given import quantity_of

    with opt.concerning(model):
        found, length = followed_arm(arm, record, quantity_of(bandwidth, "Hz", "bandwidth", above=0))
        if found.simulation.end is None:
            found = found.changed(simulation=found.simulation.changed(end=length))
    return found


def _units(arm: Arm, signals: str | None) -> dict[str, str]:
    """The units of the signals asked for by name; one that the arm does not have is refused before the run."""
    words = [word.strip() for word in (signals or "").split(",") if word.strip()]
    if not words:
        return {}
    from flexarm.analyses.servo import with_servo_gains
    from flexarm.analyses.signals.names import signal_unit
    from flexarm.assembly import compile_arm

    compiled = compile_arm(with_servo_gains(arm), closed=True)
    return {word: signal_unit(compiled, word) for word in words}


def _told(run: Trajectory, units: dict[str, str]) -> list[str]:
    """A line for every signal asked for."""
    from flexarm.results.engineering import quantity
    from flexarm.results.run_signals import signal_extremes

    lines = []
    for word, unit in units.items():
        found = signal_extremes(run, word)
        least, greatest, end = (quantity(float("nan") if (x := found[key]) is None else x, unit) for key in _TOLD)
        lines.append(f"  {word}   from {least} to {greatest}, at the end {end}")
    return ["", "Signals", *lines] if lines else []


def simulated(arm: Arm, *, check: bool = False) -> Trajectory:
    """The run of the arm, with a bar on a terminal."""
    from flexarm.analyses.run.simulate import simulate

    afterwards = "running the finer twin" if check else "estimating the error"
    with kernels_announced(), RunBar(afterwards=afterwards) as bar:
        return simulate(arm, check=check, progress=bar)


def report_outcome(run: Trajectory, presses: int, *, kept: str = "") -> int:
    """The exit code of a run; what cut it short is reported on stderr."""
    where = f"; what was reached is kept in {kept}" if kept else ""
    if run.info.get("status") == "interrupted":
        say(f"interrupted at t = {run.info['reached']:.6g} s of {run.info['end']:.6g} s{where}")
        return INTERRUPTED
    if run.failure is not None:
        say(f"{run.failure}{where}")
        return STOPPED_EARLY
    if presses:
        done = f"; the run itself is complete and kept in {kept}" if kept else "; the run itself is complete"
        say(f"interrupted while the error was estimated{done}")
        return INTERRUPTED
    return DONE


def _refuse_early(target: Path, page: Path | None, model: str) -> None:
    """Refuse files that cannot or should not be written before time is spent on the run."""
    folder = target.parent
    if not folder.is_dir():
        raise FlexarmError(f"{target}: the folder {folder} does not exist, must be made first")
    if target.is_dir():
        raise FlexarmError(f"{target}: is a folder, a run is kept in a file")
    if not os.access(folder, os.W_OK):
        raise FlexarmError(f"{target}: nothing can be written into {folder.resolve()}, choose another place by --out")
    if target.exists():
        if target.samefile(model):
            raise FlexarmError(f"{target}: is the model file, choose another name by --out")
        with target.open("rb") as file:
            head = file.read(len(_HDF5))
        if head and head != _HDF5:
            raise FlexarmError(f"{target}: exists and is not a run, choose another name by --out")
    if page == target:
        raise FlexarmError(f"{target}: is the name of the page of the run, choose another name by --out")
    if page is not None:
        refuse_page(page, "--out, or leave the page by --no-report")
