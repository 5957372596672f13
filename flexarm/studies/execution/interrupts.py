"""Ctrl-C at a place of one's choosing: between the chunks of a study, never in the middle of a library's work."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


def take_back_interrupts() -> None:
    """Ctrl-C is Python's again: call it after OpenTURNS, and at the beginning of what OpenTURNS calls.

    OpenTURNS puts a handler of its own in its place with every call, and before 1.27 leaves it there; it throws into
    whatever runs then, which ends the process unless that is OpenTURNS (its issue 3135).
    """
    if threading.current_thread() is threading.main_thread():
        handler = signal.getsignal(signal.SIGINT)
        if handler is not None:
            signal.signal(signal.SIGINT, handler)


@contextmanager
def interrupt_where_checked() -> Iterator[Callable[[], None]]:
    """A check that raises KeyboardInterrupt if Ctrl-C was pressed meanwhile; pressed a second time it acts at once.

    Libraries that are interrupted in their compiled parts may turn the interrupt into an error of their own. Other
    threads, and programs with a handler of their own, are left alone.
    """
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield lambda: None
        return
    pressed = threading.Event()

    def note(_number: int, _frame: Any) -> None:
        pressed.set()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    def check() -> None:
        take_back_interrupts()
        if pressed.is_set():
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, note)
    try:
        yield check
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
