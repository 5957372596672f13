"""Two seconds of the planar handling case to the same error at the tip, beside Exudyn and Pinocchio with SciPy.

Of flexarm the loop alone, as of its rivals, and the whole call a user makes, against the rivals' loops: with the arm
compiled anew, and prepared.
"""

from collections.abc import Callable

from benchmarks import ours, rival_exudyn, rival_pinocchio
from benchmarks.candidate import Candidate
from benchmarks.contest import contest, judged, rms_distance_from
from benchmarks.planar_case import ELEMENT_COUNTS, ERROR_TARGET, PlanarCase
from benchmarks.reference import reference_tip

TITLE = "Planar rod handler, 2 s, tip within 1e-5 m (RMS over the last 0.5 s)"
TARGET_RATIO = 0.02  # of the fastest rival's time
TARGET_CALL = 25  # times faster than the fastest rival's loop
ROUNDS = 5

PACKAGES: dict[str, Callable[[PlanarCase], list[Candidate]]] = {
    ours.NAME: ours.planar_candidates,
    ours.CALL: ours.planar_calls,
    ours.PREPARED: ours.planar_prepared,
    rival_exudyn.NAME: rival_exudyn.planar_candidates,
    rival_pinocchio.NAME: rival_pinocchio.planar_candidates,
}


def measure() -> dict:
    """Milliseconds of CPU time of the solver loop for each number of elements, with error and settings."""
    rows = [_row(PlanarCase(n)) for n in ELEMENT_COUNTS]
    return {"title": TITLE, "unit": "ms", "error_target_m": ERROR_TARGET, "target_ratio": TARGET_RATIO, "rows": rows}


def _row(case: PlanarCase) -> dict:
    candidates = {name: offered(case) for name, offered in PACKAGES.items()}
    row = contest(candidates, rms_distance_from(reference_tip(case)), ERROR_TARGET, rounds=ROUNDS)
    return {"elements": case.elements, **judged(row, ours.NAME, TARGET_RATIO)}


def table(result: dict) -> list[list[str]]:
    """Rows of the readable table, heading first."""
    heading = ["elements", "package", "CPU", "CPU per element", "tip error", "settings", "ratio to fastest rival"]
    rows = [[*heading, f"target ≤ {TARGET_RATIO:g}"]]
    for row in result["rows"]:
        for name, entry in row["packages"].items():
            verdict = ["", ""]
            if name == ours.NAME and "ratio" in row:
                verdict = [f"{row['ratio']:.3f}", "met" if row["met"] else "missed"]
            elif name.startswith(ours.NAME) and "cpu_ms" in entry:
                times = 1.0 / (row["ratio"] * entry["cpu_ms"] / row["packages"][ours.NAME]["cpu_ms"])
                met = "met" if times >= TARGET_CALL else "missed"
                verdict = [f"{1.0 / times:.3f}, {times:.0f} times faster", f"≥ {TARGET_CALL} times, {met}"]
            if "cpu_ms" not in entry:
                cells = ["–", "–", "–", entry["not_measured"]]
            else:
                each = f"{1e3 * entry['cpu_ms'] / row['elements']:.0f} µs"
                cells = [f"{entry['cpu_ms']:.2f} ms", each, f"{entry['error']:.1e} m", entry["settings"]]
            rows.append([str(row["elements"]), name, *cells, *verdict])
    return rows
