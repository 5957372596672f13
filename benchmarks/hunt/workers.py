"""Cases run by long-lived processes: kernels are loaded once, and a process that dies is replaced.

A case that takes longer than allowed is ended by a signal of its own; where compiled code does not hear it, the system
ends the process soon after, which counts as a fault as any other death does.
"""

from __future__ import annotations

import contextlib
import multiprocessing as mp
import os
import random
import resource
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.hunt.commands import MODEL, command
from benchmarks.hunt.faults import fault, reading_fault
from benchmarks.hunt.mutants import mutant

GRACE = 20  # s of CPU time until the system ends a process that does not hear its signal
SILENT = 50  # times the CPU time allowed: a case that waits that long by the clock waits for nothing
MEMORY = 8 << 30  # bytes a process may ask for


@dataclass(frozen=True)
class Hunt:
    """What is hunted: the seed, the share of sound files that are run, and the CPU time allowed for a case (s)."""

    seed: int = 1
    share: float = 1.0
    seconds: float = 60.0


class Case(NamedTuple):
    """A fault: the number of its case, the command (empty: the file was read only), the file and the reason."""

    number: int
    words: list[str]
    text: str
    reason: str


def written(number: int, seed: int) -> tuple[dict[str, Any], str] | None:
    """The table of a mutated file and its text; None where it cannot be written as TOML."""
    from flexarm.model.reading.text import toml_text

    model = mutant(number, seed)
    try:
        return model, toml_text(model)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError):
        return None


def run_case(number: int, hunt: Hunt, counts: Any = None) -> Case | None:
    """The fault of a case in this folder, None if there is none; counts files, sound files and runs."""
    counts = Counter() if counts is None else counts
    made = written(number, hunt.seed)
    if made is None:
        return None
    model, text = made
    counts["read"] += 1
    sound, reason = reading_fault(text, MODEL)
    if reason is not None:
        return Case(number, [], text, reason)
    counts["sound"] += sound
    # a refused file is run now and then, too: the command line must refuse it as well
    if random.Random(f"{hunt.seed}:{number}:share").random() >= hunt.share * (1.0 if sound else 0.02):
        return None
    words = command(model, number, hunt.seed)
    counts["run"] += 1
    counts[words[0]] += 1
    began = time.process_time()
    reason = fault(words, text, hunt.seconds)
    counts[f"{words[0]} seconds"] += time.process_time() - began
    return None if reason is None else Case(number, words, text, reason)


def _work(numbers: range, hunt: Hunt, answers: Any, at: Any) -> None:
    """Run the cases of a worker; faults and counts go into the queue, the number under way into shared memory."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for number in numbers:
        at.value = number
        used = time.process_time()
        limit = int(used + hunt.seconds + GRACE)
        resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))
        counts: Counter[str] = Counter()
        with _folder():
            found = run_case(number, hunt, counts)
        answers.put((found, dict(counts)))
    at.value = numbers.stop


@contextlib.contextmanager
def _folder() -> Iterator[None]:
    """A folder for what a case writes."""
    folder = tempfile.mkdtemp(prefix="hunt-")
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
        shutil.rmtree(folder, ignore_errors=True)


class Worker:
    """A process with its cases; another takes over behind the case that ended it."""

    def __init__(self, numbers: range, hunt: Hunt) -> None:
        self.numbers, self.hunt = numbers, hunt
        self.at = mp.Value("q", numbers.start)
        self._start(numbers)

    def _start(self, numbers: range) -> None:
        # a queue of its own: a process that dies while it writes leaves a broken one behind
        self.answers: Any = mp.SimpleQueue()
        self.process = mp.Process(target=_work, args=(numbers, self.hunt, self.answers, self.at))
        self.process.start()
        self._seen, self._since = numbers.start, time.monotonic()

    def results(self) -> Iterator[tuple[Case | None, dict[str, float]]]:
        """What is found since the last call."""
        while not self.answers.empty():
            yield self.answers.get()

    def ended(self) -> tuple[bool, Case | None]:
        """Whether there are no more cases, and the case that took the process with it, if one did."""
        number = self.at.value
        if number != self._seen:
            self._seen, self._since = number, time.monotonic()
        waited = time.monotonic() - self._since
        if self.process.is_alive():
            if waited < SILENT * self.hunt.seconds:
                return False, None
            self.process.kill()
            self.process.join()
        if self.process.exitcode == 0:
            return True, None
        why = f"the process died with {self.process.exitcode} after {waited:.0f} s"
        made = written(number, self.hunt.seed)
        model, text = made or ({}, "")
        rest = range(number + 1, self.numbers.stop)
        if len(rest):
            self._start(rest)
        return not len(rest), Case(number, command(model, number, self.hunt.seed), text, why)


def kept(out: Path, case: Case) -> str:
    """Keep a fault as a folder; the line that tells of it."""
    folder = out / f"case-{case.number}"
    folder.mkdir(parents=True, exist_ok=True)
    words = " ".join(f'"{word}"' if " " in word or not word else word for word in case.words)
    (folder / MODEL).write_text(case.text, encoding="utf-8")
    (folder / "command.txt").write_text(f"flexarm {words}\n" if words else "(read only)\n", encoding="utf-8")
    (folder / "reason.txt").write_text(case.reason + "\n", encoding="utf-8")
    return f"case {case.number}: {words or 'reading'}: {case.reason.strip().splitlines()[-1][:200]}"
