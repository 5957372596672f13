"""Studies that are killed again and again: a program to be killed, and the killing."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAM = """
import sys
import flexarm as fa
model = fa.read_study(sys.argv[1])
options = dict(samples=int(sys.argv[3]), chunk=int(sys.argv[4]), workers=int(sys.argv[5]), times=3)
fa.montecarlo(model, folder=sys.argv[2], resume=True, **options)
"""


def start(model: Path, folder: Path, samples: int, chunk: int, workers: int) -> subprocess.Popen[bytes]:
    """A process that goes on with the study."""
    words = [str(model), str(folder), str(samples), str(chunk), str(workers)]
    return subprocess.Popen([sys.executable, "-c", PROGRAM, *words], cwd=ROOT)


def kill_often(
    begin: Callable[[int], subprocess.Popen[bytes]], folder: Path, kills: int, *, seed: int = 1, longest: float = 0.1
) -> int:
    """How many processes were killed while they worked: each a random while after it has written something."""
    chance = random.Random(seed)
    done = 0
    for k in range(kills):
        before = _parts(folder)
        process = begin(k)
        while process.poll() is None and _parts(folder) == before:
            time.sleep(0.002)
        time.sleep(chance.uniform(0.0, longest))
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            done += 1
        process.wait()
    return done


def _parts(folder: Path) -> int:
    return sum(1 for _ in folder.glob("part-*.parquet"))
