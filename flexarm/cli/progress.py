"""Progress on the terminal: that kernels are compiled, and how far a run is. All of it on stderr."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, final

from flexarm.cli.output import QUIET, say

if TYPE_CHECKING:
    from rich.progress import Progress

# A bar that is gone before it is read only flickers.
PATIENCE = 1.0
_LOOK_EVERY = 0.3


def watched() -> bool:
    """True if stderr is a terminal and --quiet is not given."""
    return sys.stderr.isatty() and not QUIET.get()


def kernel_files(cache: Path | None) -> int:
    """How many compiled kernels are kept."""
    return sum(1 for _ in cache.rglob("*.nbc")) if cache is not None else 0


@contextmanager
def kernels_announced() -> Iterator[None]:
    """Report it if kernels have to be compiled meanwhile."""
    if not watched():
        yield
        return
    from flexarm.core._jit import CACHE, SHIPPED

    before = kernel_files(CACHE)
    done = threading.Event()
    if CACHE is None:
        say("no folder for compiled kernels can be written, so they are compiled in every run; set FLEXARM_CACHE_DIR …")
    elif before == 0 and SHIPPED is None:
        say("compiling the kernels, once per machine; this takes 15 to 30 s …")
    else:
        # Another kind of arm or stepper may need kernels of its own; the first that appears is reported.
        threading.Thread(target=_announce_new, args=(CACHE, before, done), daemon=True).start()
    try:
        yield
    finally:
        done.set()


def _announce_new(cache: Path, before: int, done: threading.Event) -> None:
    while not done.wait(_LOOK_EVERY):
        if kernel_files(cache) > before:
            say("compiling kernels for this kind of arm, once per machine …")
            return


class _Bar:
    """A bar on stderr, gone when it is done; nothing where stderr is no terminal."""

    def __init__(self) -> None:
        self._wanted = watched()
        self._begun = time.monotonic()
        self._bar: Progress | None = None
        self._task: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def _show(self, rate: Callable[[float], str], what: str, total: float | None, done: int = 0) -> None:
        """Show the bar."""
        self._bar = _columns(rate)
        self._task = self._bar.add_task(what, total=total, completed=done, where="")
        self._bar.start()


@final
class RunBar(_Bar):
    """A bar with rate and time left for a run, from the second callback on that shows it takes its time."""

    def __init__(self, *, afterwards: str = "estimating the error") -> None:
        super().__init__()
        self._afterwards = afterwards
        self._called = False

    def __call__(self, reached: float, end: float) -> None:
        """The run has come to `reached` of `end` (s)."""
        if not self._wanted:
            return
        now = time.monotonic()
        if not self._called:
            self._called, self._begun = True, now
        if self._bar is None and reached < end and now - self._begun >= PATIENCE:
            self._show(_beside_real_time, "simulating", end)
        if self._bar is not None:
            word = self._afterwards if reached >= end else "simulating"
            self._bar.update(self._task, description=word, completed=reached, where=f"{reached:.4g} of {end:.4g} s")


@final
class CountBar(_Bar):
    """A bar with the count and the rate of what is finished, and the time left where one knows how much is to come."""

    def __init__(self, what: str) -> None:
        super().__init__()
        self._what = what
        self._phase = ""
        self._count = 0

    def __enter__(self) -> Self:
        if self._wanted:
            self._show(_per_second, self._what, None)
        return self

    def __call__(self, name: str, done: int | None = None, wanted: int | None = None, *, phase: str = "") -> None:
        """One more, called `name`, is finished; or `done` of `wanted` are, in all or in this phase of the work."""
        self._count = self._count + 1 if done is None else done
        if self._bar is None:
            return
        if phase != self._phase:
            # Another kind of work has a rate of its own.
            self._phase = phase
            self._bar.reset(self._task, total=wanted)
        where = f"{self._count} done" if wanted is None else f"{self._count} of {wanted}"
        text = f"{self._what}: {name}"
        self._bar.update(self._task, description=text, total=wanted, completed=self._count, where=where)

    def phase(self, name: str, done: int, wanted: int) -> None:
        """`done` of `wanted` are finished in the phase of this name."""
        self(name, done, wanted, phase=name)


@final
class StudyBar(_Bar):
    """A bar with samples done, rate and time left, and the last numbers for whoever interrupts it."""

    def __init__(self, what: str = "samples") -> None:
        super().__init__()
        self._what = what
        self.done = self.wanted = self.failed = 0
        self._called = False

    def __call__(self, done: int, wanted: int, failed: int) -> None:
        """`done` of `wanted` samples are done, and `failed` of them failed."""
        self.done, self.wanted, self.failed = done, wanted, failed
        if not self._wanted:
            return
        now = time.monotonic()
        if not self._called:
            self._called, self._begun = True, now
        if self._bar is None and now - self._begun >= PATIENCE:
            self._show(_per_second, self._what, wanted, done)
        if self._bar is not None:
            where = f"{done} of {wanted}" + (f", {failed} failed" if failed else "")
            self._bar.update(self._task, completed=done, total=wanted, where=where)


def _beside_real_time(speed: float) -> str:
    from flexarm.results.engineering import digits

    return f"{digits(speed, 2)} × real time"


def _per_second(speed: float) -> str:
    """The rate per second; for slow work the seconds each takes."""
    return f"{speed:.3g} per s" if speed >= 0.1 else f"{1.0 / speed:.3g} s each"


def _columns(rate: Callable[[float], str]) -> Progress:
    """A bar with this format of its rate."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn
    from rich.text import Text

    class Rate(ProgressColumn):
        """How fast it goes."""

        def render(self, task: Any) -> Text:
            return Text(rate(task.speed) if task.speed else "")

    class Left(ProgressColumn):
        """The time remaining; the time elapsed where that is not known."""

        def render(self, task: Any) -> Text:
            if task.total is None or task.time_remaining is None:
                return Text(f"{_clock(task.elapsed or 0.0)} gone")
            return Text(f"{_clock(task.time_remaining)} left")

    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=None),
        TextColumn("{task.fields[where]}"),
        Rate(),
        Left(),
        console=Console(stderr=True, force_terminal=True),
        transient=True,
        expand=False,
        # Chunks and models end seldom: the rate is that of the last minutes.
        speed_estimate_period=300.0,
    )


def _clock(seconds: float) -> str:
    """Minutes and seconds, with hours where there are any."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
