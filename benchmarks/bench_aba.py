"""Forward dynamics of serial chains: one evaluation in a compiled loop, beside Pinocchio."""

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from benchmarks import ours, rival_pinocchio
from benchmarks.chains import BODY_COUNTS, flat_chain, random_chain
from benchmarks.timing import cpu_seconds, least_seconds

TITLE = "Forward dynamics (`aba`) of a serial chain, one evaluation"
TARGET_RATIO = {"space": 0.35, "plane": 0.15}  # of Pinocchio's time
BODIES_PER_ROUND = 200_000  # so that a round takes some tens of milliseconds, far above the clock's grain
FROM_PYTHON = "Pinocchio, from Python"

Run = Callable[[int], NDArray[np.float64]]


def measure() -> dict:
    """Microseconds of CPU time per evaluation for each number of bodies, with how far the two answers differ."""
    return {
        "title": TITLE,
        "unit": "us",
        "target_ratio": TARGET_RATIO,
        "rows": [_row(n, kind) for kind in TARGET_RATIO for n in BODY_COUNTS],
    }


def _row(bodies: int, kind: str) -> dict:
    """One chain; in the plane flexarm takes its planar kernel, Pinocchio knows spatial bodies only."""
    planar = kind == "plane"
    chain = flat_chain(bodies) if planar else random_chain(bodies)
    contenders: dict[str, Run] = {
        ours.NAME: ours.prepare_aba(chain, planar=planar),
        rival_pinocchio.NAME: rival_pinocchio.prepare_aba(chain),
        FROM_PYTHON: rival_pinocchio.prepare_python_aba(chain),
    }
    row: dict = {"bodies": bodies, "kind": kind}
    answers = {name: run(1) for name, run in contenders.items()}  # also the first, cold call of each
    expected = answers[rival_pinocchio.NAME]
    calls = max(BODIES_PER_ROUND // bodies, 1)
    least = least_seconds({name: partial(cpu_seconds, partial(run, calls)) for name, run in contenders.items()})
    row["cpu_us"] = {name: seconds / calls * 1e6 for name, seconds in least.items()}
    row["relative_difference"] = float(abs(answers[ours.NAME] - expected).max() / abs(expected).max())
    row["ratio"] = least[ours.NAME] / least[rival_pinocchio.NAME]
    row["target"] = TARGET_RATIO[kind]
    row["met"] = row["ratio"] <= row["target"]
    return row


def table(result: dict) -> list[list[str]]:
    """Rows of the readable table, heading first."""
    rows = [["chain", "bodies", "flexarm", "Pinocchio", "Pinocchio from Python", "ratio", "target"]]
    for row in result["rows"]:
        times = [f"{row['cpu_us'][name]:.2f} µs" for name in (ours.NAME, rival_pinocchio.NAME, FROM_PYTHON)]
        verdict = f"≤ {row['target']:g}, {'met' if row['met'] else 'missed'}"
        rows.append([row["kind"], str(row["bodies"]), *times, f"{row['ratio']:.3f}", verdict])
    return rows
