"""What a user waits for at the prompt: help, a first simulation with nothing compiled, and the next one."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks import ours

TITLE = "Command line, whole process"
TARGET_SECONDS = {"help": 0.4, "cold simulate": 20.0, "warm simulate": 2.0}  # CPU
ROUNDS = 5

# The peak memory of a process includes that of its parent at the fork. This small interpreter stands between, so that
# the benchmark's own hundreds of megabytes are not taken for the command's.
LAUNCHER = """
import json, os, sys, time
begin = time.perf_counter()
child = os.fork()
if child == 0:
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    try:
        os.execvp(sys.argv[1], sys.argv[1:])
    except OSError as error:
        print(f"{sys.argv[1]}: {error.strerror}", file=sys.stderr)
        sys.stderr.flush()
        os._exit(127)
_, status, used = os.wait4(child, 0)
print(json.dumps({"exit_code": os.waitstatus_to_exitcode(status), "cpu_s": used.ru_utime + used.ru_stime,
                  "wall_s": time.perf_counter() - begin, "peak_mb": used.ru_maxrss / 1024}))
"""


def measure() -> dict:
    """CPU seconds, wall seconds and peak memory (MB) of each use, every one in processes of its own."""
    result: dict = {"title": TITLE, "unit": "s", "target_s": TARGET_SECONDS, "rows": []}
    with tempfile.TemporaryDirectory(prefix="flexarm-bench-") as folder:
        place = Path(folder)
        rigid, flexible = (
            [*ours.command(), "simulate", shutil.copy(path, place)] for path in (ours.example(), ours.two_link_file())
        )
        uses = (
            ("help", [*ours.command(), "--help"], "rigid", ROUNDS),
            ("cold simulate", rigid, "rigid", 1),  # once: the second one is warm
            ("warm simulate", rigid, "rigid", ROUNDS),
            ("cold simulate, flexible links", flexible, "flexible", 1),
            ("warm simulate, flexible links", flexible, "flexible", ROUNDS),
        )
        for name, words, kernels, rounds in uses:
            runs = [_run(words, place, kernels) for _ in range(rounds)]
            best = min(runs, key=lambda run: run["cpu_s"])
            row = {"use": name, **best, "exit_code": max(run["exit_code"] for run in runs)}
            if row["exit_code"] != 0:
                row["not_measured"] = f"exit code {row['exit_code']}"
            elif name in TARGET_SECONDS:
                row["met"] = row["cpu_s"] <= TARGET_SECONDS[name]
            result["rows"].append(row)
    return result


def _run(words: list[str], place: Path, kernels: str) -> dict:
    """One process, its compiled kernels kept in a folder of that name."""
    environment = {**os.environ, "FLEXARM_CACHE_DIR": str(place / kernels)}
    launched = subprocess.run(
        [sys.executable, "-I", "-S", "-c", LAUNCHER, *words],
        cwd=place,
        env=environment,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return json.loads(launched.stdout)


def table(result: dict) -> list[list[str]]:
    """Rows of the readable table, heading first."""
    rows = [["use", "CPU", "wall", "peak memory", "target CPU", ""]]
    for row in result["rows"]:
        target = f"≤ {TARGET_SECONDS[row['use']]:g} s" if row["use"] in TARGET_SECONDS else ""
        if "not_measured" in row:
            rows.append([row["use"], "–", "–", "–", target, row["not_measured"]])
            continue
        measured = [f"{row['cpu_s']:.2f} s", f"{row['wall_s']:.2f} s", f"{row['peak_mb']:.0f} MB"]
        verdict = ("met" if row["met"] else "missed") if "met" in row else ""
        rows.append([row["use"], *measured, target, verdict])
    return rows
