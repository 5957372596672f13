"""The fastest way of each package to the same error at the tip.

Every package brings candidates: models, solvers and settings around the cheapest that meet the error. Each is run once
for its tip's error against a converged reference, and once for each of its finer companions if it has any; all that are
within the target with all their companions are timed in the same rounds, and a package is shown by its fastest.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from benchmarks.candidate import Candidate
from benchmarks.timing import least_seconds

Matrix = NDArray[np.float64]
Error = Callable[[Matrix], float]


def rms_distance_from(reference: Matrix) -> Error:
    """The root mean square of a path's distance from the reference (m), as a function of the path."""
    return partial(_rms_distance, reference)


def _rms_distance(reference: Matrix, tip: Matrix) -> float:
    return float(np.sqrt(np.mean(np.sum((tip - reference) ** 2, axis=1))))


def contest(
    candidates: Mapping[str, Sequence[Candidate]], error_of: Error, error_target: float, *, rounds: int
) -> dict:
    """For each package what was tried, and settings, error and CPU time (ms) of its fastest within the error."""
    contenders, errors, finer_errors = {}, {}, {}
    for name, offered in candidates.items():
        for each in offered:
            key = name, each.settings
            errors[key] = error_of(each.tip())
            finer_errors[key] = [error_of(tip()) for tip in each.finer]
            if max((errors[key], *finer_errors[key])) <= error_target:
                contenders[key] = each.seconds
    least = least_seconds(contenders, rounds=rounds)
    times = {key: 1e3 * seconds for key, seconds in least.items()}  # those beyond the error were not timed
    packages: dict[str, dict] = {}
    for name in candidates:
        tried = [key for key in errors if key[0] == name]
        figures = {key: {"settings": key[1], "error": errors[key], "finer_errors": finer_errors[key]} for key in tried}
        entry: dict = {"tried": [{**figures[key], "cpu_ms": times.get(key)} for key in tried]}
        within = [key for key in tried if key in times]
        if within:
            best = min(within, key=times.__getitem__)
            entry |= {**figures[best], "cpu_ms": times[best]}
        else:
            entry["not_measured"] = f"no candidate within {error_target:g}"
        packages[name] = entry
    return {"packages": packages}


def judged(row: dict, own: str, target_ratio: float) -> dict:
    """The row with the ratio of one package's time to that of the fastest other, and whether it meets the target; names
    that begin with the package's are other uses of it.
    """
    times = {name: entry["cpu_ms"] for name, entry in row["packages"].items() if "cpu_ms" in entry}
    rivals = [time for name, time in times.items() if not name.startswith(own)]
    if own in times and rivals:
        ratio = times[own] / min(rivals)
        return {**row, "ratio": ratio, "met": ratio <= target_ratio}
    return row
