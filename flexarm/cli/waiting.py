"""What a terminal shows while one waits: that kernels are compiled, and how far a run is. All of it on stderr."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flexarm.cli.answers import say

if TYPE_CHECKING:
    from rich.progress import Progress

# A bar that is gone before it is read only flickers.
PATIENCE = 1.0
_LOOK_EVERY = 0.3


def watched() -> bool:
    """True if somebody sits before stderr."""
    return sys.stderr.isatty()


def kernel_files(cache: Path | None) -> int:
    """How many compiled kernels are kept."""
    return sum(1 for _ in cache.rglob("*.nbc")) if cache is not None else 0


@contextmanager
def kernels_announced(*, quiet: bool = False) -> Iterator[None]:
    """Say so if kernels have to be compiled meanwhile."""
    if quiet or not watched():
        yield
        return
    from flexarm.core._jit import CACHE

    before = kernel_files(CACHE)
    done = threading.Event()
    if CACHE is None:
        say("no folder for compiled kernels can be written, so they are compiled in every run; set FLEXARM_CACHE_DIR …")
    elif before == 0:
        say("compiling the kernels, once per machine; this takes 15 to 30 s …")
    else:
        # Another kind of arm or stepper may need kernels of its own; the first that appears tells.
        threading.Thread(target=_tell_of_new, args=(CACHE, before, done), daemon=True).start()
    try:
        yield
    finally:
        done.set()


def _tell_of_new(cache: Path, before: int, done: threading.Event) -> None:
    while not done.wait(_LOOK_EVERY):
        if kernel_files(cache) > before:
            say("compiling kernels for this kind of arm, once per machine …")
            return


class RunBar:
    """A bar with rate and time left for a run, from the second callback on that shows it takes its time."""

    def __init__(self, *, quiet: bool = False, afterwards: str = "estimating the error") -> None:
        self._wanted = watched() and not quiet
        self._afterwards = afterwards
        self._begun: float | None = None
        self._bar: Progress | None = None
        self._task: Any = None

    def __enter__(self) -> RunBar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, reached: float, end: float) -> None:
        """The run has come to `reached` of `end` (s)."""
        if not self._wanted:
            return
        now = time.monotonic()
        self._begun = now if self._begun is None else self._begun
        if self._bar is None and reached < end and now - self._begun >= PATIENCE:
            self._bar = _run_columns()
            self._task = self._bar.add_task("simulating", total=end, where="")
            self._bar.start()
        if self._bar is not None:
            word = self._afterwards if reached >= end else "simulating"
            self._bar.update(self._task, description=word, completed=reached, where=f"{reached:.4g} of {end:.4g} s")


class CountBar:
    """A spinner with the count and the rate of finished rows, where nobody knows how many are to come."""

    def __init__(self, what: str, *, quiet: bool = False) -> None:
        self._wanted = watched() and not quiet
        self._what = what
        self._begun = time.monotonic()
        self._count = 0
        self._bar: Progress | None = None
        self._task: Any = None

    def __enter__(self) -> CountBar:
        if self._wanted:
            from rich.console import Console
            from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

            self._bar = Progress(
                SpinnerColumn(),
                TextColumn("{task.description}", markup=False),
                TimeElapsedColumn(),
                console=Console(stderr=True, force_terminal=True),
                transient=True,
            )
            self._task = self._bar.add_task(self._what, total=None)
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, name: str) -> None:
        """One more row, called `name`, is finished."""
        self._count += 1
        if self._bar is not None:
            rate = self._count / max(time.monotonic() - self._begun, 1e-9)
            self._bar.update(self._task, description=f"{self._what}: {self._count} done, {rate:.1f} per s, last {name}")


def _run_columns() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn
    from rich.text import Text

    from flexarm.results.engineering import digits

    class Rate(ProgressColumn):
        """Simulated seconds per second."""

        def render(self, task: Any) -> Text:
            return Text(f"{digits(task.speed, 2)} × real time" if task.speed else "")

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[where]}"),
        Rate(),
        TimeRemainingColumn(),
        TextColumn("left"),
        console=Console(stderr=True, force_terminal=True),
        transient=True,
    )
