"""Two seconds of the planar handling case to the same error at the tip, beside Exudyn and Pinocchio with SciPy.

Every package brings candidates: solvers and settings around the cheapest that meet the error. Each is run once for its
tip's error against a converged reference; all within the target are timed in the same rounds, and a package is shown by
its fastest.
"""

from collections.abc import Callable

from benchmarks import ours, rival_exudyn, rival_pinocchio
from benchmarks.candidate import Candidate
from benchmarks.planar_case import ELEMENT_COUNTS, ERROR_TARGET, PlanarCase, rms_distance
from benchmarks.reference import reference_tip
from benchmarks.timing import least_seconds

TITLE = "Planar rod handler, 2 s, tip within 1e-5 m (RMS over the last 0.5 s)"
TARGET_RATIO = 0.02  # of the fastest rival's time
ROUNDS = 5

PACKAGES: dict[str, Callable[[PlanarCase], list[Candidate]]] = {
    ours.NAME: ours.planar_candidates,
    rival_exudyn.NAME: rival_exudyn.planar_candidates,
    rival_pinocchio.NAME: rival_pinocchio.planar_candidates,
}


def measure() -> dict:
    """Milliseconds of CPU time of the solver loop for each number of elements, with error and settings."""
    rows = [_row(PlanarCase(n)) for n in ELEMENT_COUNTS]
    return {"title": TITLE, "unit": "ms", "error_target_m": ERROR_TARGET, "target_ratio": TARGET_RATIO, "rows": rows}


def _row(case: PlanarCase) -> dict:
    reference = reference_tip(case)
    row: dict = {"elements": case.elements, "packages": {name: {} for name in PACKAGES}}
    contenders, errors = {}, {}
    for name, candidates in PACKAGES.items():
        for each in candidates(case):
            key = name, each.settings
            errors[key] = rms_distance(each.tip(), reference)
            if errors[key] <= ERROR_TARGET:
                contenders[key] = each.seconds
    least = least_seconds(contenders, rounds=ROUNDS)
    times = {key: 1e3 * seconds for key, seconds in least.items()}  # those beyond the error were not timed
    for name, entry in row["packages"].items():
        tried = [key for key in errors if key[0] == name]
        entry["tried"] = [{"settings": key[1], "error_m": errors[key], "cpu_ms": times.get(key)} for key in tried]
        within = [key for key in tried if key in times]
        if within:
            best = min(within, key=times.__getitem__)
            entry |= {"settings": best[1], "error_m": errors[best], "cpu_ms": times[best]}
        elif tried:
            entry["not_measured"] = f"no candidate within {ERROR_TARGET:g} m"
    own = row["packages"][ours.NAME].get("cpu_ms")
    rivals = [entry["cpu_ms"] for name, entry in row["packages"].items() if name != ours.NAME and "cpu_ms" in entry]
    if own and rivals:
        row["ratio"] = own / min(rivals)
        row["met"] = row["ratio"] <= TARGET_RATIO
    return row


def table(result: dict) -> list[list[str]]:
    """Rows of the readable table, heading first."""
    heading = ["elements", "package", "CPU", "CPU per element", "tip error", "settings", "ratio to fastest rival"]
    rows = [[*heading, f"target ≤ {TARGET_RATIO:g}"]]
    for row in result["rows"]:
        for name, entry in row["packages"].items():
            verdict = ["", ""]
            if name == ours.NAME and "ratio" in row:
                verdict = [f"{row['ratio']:.3f}", "met" if row["met"] else "missed"]
            if "cpu_ms" not in entry:
                cells = ["–", "–", "–", entry["not_measured"]]
            else:
                each = f"{1e3 * entry['cpu_ms'] / row['elements']:.0f} µs"
                cells = [f"{entry['cpu_ms']:.2f} ms", each, f"{entry['error_m']:.1e} m", entry["settings"]]
            rows.append([str(row["elements"]), name, *cells, *verdict])
    return rows
