"""Spin-up of a slender beam: error of the greatest lag of its tip and CPU time, by element and number of elements.

Every element has its own frame. The converged value is that of the continuous beam by other equations.
"""

from benchmarks import ours
from benchmarks.rod_chain import converged_tip
from benchmarks.spin_up_case import FAST as CASE
from benchmarks.spin_up_case import SPRINGS
from benchmarks.timing import least_seconds

TITLE = "Spin-up to 8 rad/s in 15 s, greatest lag of the tip"
FORMULATIONS = ("hermite", "isoparametric", "timoshenko", "rigid-fe")
COUNTS = (1, 2, 4, 8)
TARGET = {"formulation": "hermite", "elements": 4, "error": 1e-3}
ROUNDS = 3


def measure() -> dict:
    """Relative error of the lag and milliseconds of CPU time of the solver loop, with the error's order."""
    exact = CASE.peak_lag(converged_tip(CASE.arm, CASE.sample_times, springs=SPRINGS))
    candidates = {(form, n): ours.spin_up_candidate(CASE, form, n) for form in FORMULATIONS for n in COUNTS}
    lags = {key: CASE.peak_lag(each.tip()) for key, each in candidates.items()}
    least = least_seconds({key: each.seconds for key, each in candidates.items()}, rounds=ROUNDS)
    rows = []
    for (form, n), seconds in least.items():
        error = abs(lags[form, n] / exact - 1.0)
        row = {"formulation": form, "elements": n, "lag_m": lags[form, n], "error": error, "cpu_ms": 1e3 * seconds}
        if (form, n) == (TARGET["formulation"], TARGET["elements"]):
            row["met"] = error <= TARGET["error"]
        rows.append(row)
    return {"title": TITLE, "unit": "ms", "exact_m": exact, "target": TARGET, "rows": rows}


def table(result: dict) -> list[list[str]]:
    """Rows of the readable table, heading first."""
    rows = [["formulation", "elements", "greatest lag", "error", "CPU", "target error"]]
    rows.append(["continuous beam", "", f"{result['exact_m']:.5f} m", "", "", ""])
    for row in result["rows"]:
        verdict = f"≤ {TARGET['error']:g}, {'met' if row['met'] else 'missed'}" if "met" in row else ""
        figures = [f"{row['lag_m']:.5f} m", f"{row['error']:.1e}", f"{row['cpu_ms']:.2f} ms"]
        rows.append([row["formulation"], str(row["elements"]), *figures, verdict])
    return rows
