"""`python -m benchmarks.hunt`: hunt, keep what is found, count."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from contextlib import chdir
from pathlib import Path

import benchmarks.hunt
from benchmarks.hunt.commands import options
from benchmarks.hunt.workers import Hunt, Worker, kept, run_case, written

EVERY = 60.0  # s between lines that tell how far it is


def main() -> int:
    """The exit code: 0 if there was no fault."""
    words = argparse.ArgumentParser(
        prog="python -m benchmarks.hunt", description=(benchmarks.hunt.__doc__ or "").split("\n")[0]
    )
    words.add_argument("--files", type=int, default=1000, help="how many files (default: %(default)s)")
    words.add_argument("--first", type=int, default=0, help="number of the first case")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--share", type=float, default=0.15, help="of the sound files that run (default: %(default)s)")
    words.add_argument("--seconds", type=float, default=60, help="CPU time allowed for a case (default: %(default)s)")
    words.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    words.add_argument("--out", type=Path, default=Path("hunt"), help="where faults are kept (default: %(default)s)")
    words.add_argument("--only", type=int, help="run one case and print it")
    chosen = words.parse_args()
    # matrices here are small; it must be set before NumPy is loaded
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if chosen.only is not None:
        return _only(chosen.only, Hunt(chosen.seed, 1e9, chosen.seconds))
    hunt = Hunt(chosen.seed, chosen.share, chosen.seconds)
    each = -(-chosen.files // chosen.workers)
    last = chosen.first + chosen.files
    workers = [Worker(range(k, min(k + each, last)), hunt) for k in range(chosen.first, last, each)]
    out = chosen.out.resolve()
    counts: Counter[str] = Counter()
    told = time.monotonic()
    while workers:
        for worker in list(workers):
            # asked first: what it found is then complete
            done, died = worker.process.is_alive() is False and worker.process.exitcode == 0, None
            for case, counted in worker.results():
                counts.update(counted)
                _tell(out, case, counts)
            if not done:
                done, died = worker.ended()
                _tell(out, died, counts)
                done = done and died is not None
            if done:
                workers.remove(worker)
        time.sleep(0.2)
        if time.monotonic() - told > EVERY:
            told = time.monotonic()
            print(_counted(counts), flush=True)
    print(_counted(counts) + (f", kept in {out}" if counts["faults"] else ""))
    return 1 if counts["faults"] else 0


def _only(number: int, hunt: Hunt) -> int:
    made = written(number, hunt.seed)
    print(made[1] if made else "no file")
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        case = run_case(number, hunt)
        print(f"{case.words}\n{case.reason}" if case else "no fault")
    return 1 if case else 0


def _tell(out: Path, case: object, counts: Counter[str]) -> None:
    if case is not None:
        counts["faults"] += 1
        print(kept(out, case), flush=True)  # type: ignore[arg-type]


def _counted(counts: Counter[str]) -> str:
    """Files, runs by verb with their CPU time, and faults in a line."""
    verbs = [verb for verb in sorted(options()) if counts[verb]]
    return (
        f"{counts['read']} files, {counts['sound']} sound, {counts['run']} runs ("
        + ", ".join(f"{counts[verb]} {verb} {counts[f'{verb} seconds']:.0f} s" for verb in verbs)
        + f"), {counts['faults']} faults"
    )


if __name__ == "__main__":
    sys.exit(main())
