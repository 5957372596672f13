"""Arms and runs live in a browser."""

from __future__ import annotations

import os
from pathlib import Path

from flexarm.errors import AnalysisError
from flexarm.model import Arm, HasDistributions, read_arm
from flexarm.results import Trajectory, open_run
from flexarm.viewer.playing import Played
from flexarm.viewer.server import LOOPBACK, Viewer

_HDF5 = b"\x89HDF\r\n\x1a\n"
_MOST = 4

Shown = Arm | Trajectory | str | os.PathLike[str]


def view(*shown: Shown, host: str = LOOPBACK, port: int | None = None) -> Viewer:
    """A live view of arms and runs, served to this machine's browsers at `.address`.

    Parameters
    ----------
    *shown
        Arms and runs, or their files.
    host
        Another address to listen at, such as "0.0.0.0" for all of this machine's.
    port
        Default: any that is free.

    Returns
    -------
    Viewer
        It goes on until `.close()` or the end of the program; `.wait()` serves until Ctrl-C.
    """
    if not 1 <= len(shown) <= _MOST:
        raise AnalysisError(f"view: {len(shown)} arms and runs are given, must be 1 to {_MOST}")
    return Viewer(_titled([_entry(each) for each in shown]), host=host, port=port or 0)


def _entry(shown: Shown) -> tuple[str, Arm | Played]:
    """What is shown, with its title."""
    if isinstance(shown, Arm):
        return shown.name, shown
    if isinstance(shown, Trajectory):
        return shown.name, played(shown, "the run")
    path = Path(shown)
    if is_run(path):
        return path.name, played(open_run(path), str(path))
    return path.name, arm_of(path)


def arm_of(path: Path) -> Arm:
    """The arm in a model file; where numbers are random, the nominal one."""
    try:
        return read_arm(path)
    except HasDistributions:
        from flexarm.studies.parameters.study_model import read_study

        return read_study(path).nominal


def played(run: Trajectory, name: str) -> Played:
    """The run, ready to be played; one that never began is refused."""
    if run.time.size < 2:
        raise AnalysisError(f"{name}: the run holds {run.time.size} samples, must hold at least 2 to be played")
    return Played(run)


def is_run(path: Path) -> bool:
    """True for a file that holds a run and not a model: HDF5 begins with eight bytes of its own."""
    try:
        with path.open("rb") as file:
            return file.read(len(_HDF5)) == _HDF5
    except OSError:
        return path.suffix == ".nc"  # whoever opens it will say what is wrong with it


def _titled(entries: list[tuple[str, Arm | Played]]) -> list[tuple[str, Arm | Played]]:
    """The entries with titles that differ."""
    titles = [title for title, _ in entries]
    return [
        (title if titles.count(title) == 1 else f"{title} ({number + 1})", what)
        for number, (title, what) in enumerate(entries)
    ]
