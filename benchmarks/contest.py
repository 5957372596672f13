"""The fastest way of each package to the same error at the tip.

Every package brings candidates: models, solvers and settings around the cheapest that meet the error. Each is run once
for its tip's error against a converged reference; all within the target are timed in the same rounds, and a package is
shown by its fastest.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.candidate import Candidate
from benchmarks.timing import least_seconds

Matrix = NDArray[np.float64]


def rms_distance(tip: Matrix, reference: Matrix) -> float:
    """Root mean square of the distance between two paths of the tip (m)."""
    return float(np.sqrt(np.mean(np.sum((tip - reference) ** 2, axis=1))))


def contest(
    candidates: Mapping[str, Sequence[Candidate]], reference: Matrix, error_target: float, *, rounds: int
) -> dict:
    """For each package what was tried, and settings, error (m) and CPU time (ms) of its fastest within the error."""
    contenders, errors = {}, {}
    for name, offered in candidates.items():
        for each in offered:
            key = name, each.settings
            errors[key] = rms_distance(each.tip(), reference)
            if errors[key] <= error_target:
                contenders[key] = each.seconds
    least = least_seconds(contenders, rounds=rounds)
    times = {key: 1e3 * seconds for key, seconds in least.items()}  # those beyond the error were not timed
    packages: dict[str, dict] = {}
    for name in candidates:
        tried = [key for key in errors if key[0] == name]
        entry: dict = {
            "tried": [{"settings": key[1], "error_m": errors[key], "cpu_ms": times.get(key)} for key in tried]
        }
        within = [key for key in tried if key in times]
        if within:
            best = min(within, key=times.__getitem__)
            entry |= {"settings": best[1], "error_m": errors[best], "cpu_ms": times[best]}
        else:
            entry["not_measured"] = f"no candidate within {error_target:g} m"
        packages[name] = entry
    return {"packages": packages}


def judged(row: dict, own: str, target_ratio: float) -> dict:
    """The row with the ratio of one package's time to that of the fastest other, and whether it meets the target."""
    times = {name: entry["cpu_ms"] for name, entry in row["packages"].items() if "cpu_ms" in entry}
    rivals = [time for name, time in times.items() if name != own]
    if own in times and rivals:
        ratio = times[own] / min(rivals)
        return {**row, "ratio": ratio, "met": ratio <= target_ratio}
    return row
