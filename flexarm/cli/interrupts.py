"""Ctrl-C while a verb works: counted, ignored while files are written, or the end of a search that keeps its finds."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from flexarm.cli.options import concerning
from flexarm.cli.output import INTERRUPTED, Ended, say
from flexarm.cli.progress import CountBar, kernels_announced


class Presses:
    """How often Ctrl-C was pressed; `ignored` while a file is written."""

    def __init__(self) -> None:
        self.count = 0
        self.ignored = False

    def __call__(self, *_: Any) -> None:
        self.count += 1
        if not self.ignored:
            raise KeyboardInterrupt


@contextmanager
def interruptions() -> Iterator[Presses]:
    """Count Ctrl-C: the integrator then returns what it has, and only the count shows that it did."""
    pressed = Presses()
    before = signal.signal(signal.SIGINT, pressed)
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def searching(model: str, counted: str, *, nothing_before: str, phases: bool = False) -> Iterator[Callable[..., Any]]:
    """A function that calls a verb with a count on a terminal and ignores Ctrl-C once it has returned its result.

    A verb interrupted before it has anything to return ends the command; `nothing_before` names when that is.
    With `phases` every name the verb reports is work with a count of its own.
    """
    with concerning(model), interruptions() as pressed:

        def search(verb: Callable[..., Any], *operands: Any, **options: Any) -> Any:
            try:
                with kernels_announced(), CountBar(counted) as bar:
                    found = verb(*operands, **options, progress=bar.phase if phases else bar)
            except KeyboardInterrupt:
                say(f"interrupted before {nothing_before}")
                raise Ended(INTERRUPTED) from None
            pressed.ignored = True
            return found

        yield search
