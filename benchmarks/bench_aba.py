"""Forward dynamics of serial chains: one evaluation in a compiled loop, beside Pinocchio."""

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from benchmarks import ours, rival_pinocchio
from benchmarks.chains import BODY_COUNTS, random_chain
from benchmarks.timing import cpu_seconds, least_seconds

TITLE = "Forward dynamics (`aba`) of a serial chain, one evaluation"
TARGET_RATIO = 0.25  # of Pinocchio's time
BODIES_PER_ROUND = 200_000  # so that a round takes some tens of milliseconds, far above the clock's grain
FROM_PYTHON = "Pinocchio, from Python"

Run = Callable[[int], NDArray[np.float64]]


def measure() -> dict:
    """Microseconds of CPU time per evaluation for each number of bodies, with how far the two answers differ."""
    return {"title": TITLE, "unit": "us", "target_ratio": TARGET_RATIO, "rows": [_row(n) for n in BODY_COUNTS]}


def _row(bodies: int) -> dict:
    chain = random_chain(bodies)
    contenders: dict[str, Run] = {
        rival_pinocchio.NAME: rival_pinocchio.prepare_aba(chain),
        FROM_PYTHON: rival_pinocchio.prepare_python_aba(chain),
    }
    row: dict = {"bodies": bodies}
    try:
        contenders = {ours.NAME: ours.prepare_aba(chain), **contenders}
    except NotImplementedError as reason:
        row["not_measured"] = str(reason)
    answers = {name: run(1) for name, run in contenders.items()}  # also the first, cold call of each
    expected = answers[rival_pinocchio.NAME]
    calls = max(BODIES_PER_ROUND // bodies, 1)
    least = least_seconds({name: partial(cpu_seconds, partial(run, calls)) for name, run in contenders.items()})
    row["cpu_us"] = {name: seconds / calls * 1e6 for name, seconds in least.items()}
    if ours.NAME in least:
        row["relative_difference"] = float(abs(answers[ours.NAME] - expected).max() / abs(expected).max())
        row["ratio"] = least[ours.NAME] / least[rival_pinocchio.NAME]
        row["met"] = row["ratio"] <= TARGET_RATIO
    return row


def table(result: dict) -> list[list[str]]:
    """Rows of the readable table, heading first."""
    rows = [["bodies", "flexarm", "Pinocchio", "Pinocchio from Python", "ratio", f"target ≤ {TARGET_RATIO:g}"]]
    for row in result["rows"]:
        times = row["cpu_us"]
        columns = (ours.NAME, rival_pinocchio.NAME, FROM_PYTHON)
        cells = [f"{times[name]:.2f} µs" if name in times else "–" for name in columns]
        verdict = ["–", "not measured"]
        if "ratio" in row:
            verdict = [f"{row['ratio']:.2f}", "met" if row["met"] else "missed"]
        rows.append([str(row["bodies"]), *cells, *verdict])
    return rows
