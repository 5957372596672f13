"""The braking curve of the planar handling case, beside as many single runs of Exudyn to the same error.

Exudyn's sweep is not run to its end: one run of its fastest candidate within the error is timed and multiplied. It runs
from the start of the motion every time, as a sweep by single runs does.
"""

from time import process_time

import numpy as np

from benchmarks import ours, rival_exudyn
from benchmarks.contest import contest, rms_distance_from
from benchmarks.planar_case import ERROR_TARGET, PlanarCase
from benchmarks.reference import reference_tip
from benchmarks.timing import least_seconds

TITLE = "Braking curve of the planar rod handler: 200 braking times from 0.40 to 0.60 s, tip within 1e-5 m"
BETWEEN, POINTS, WINDOW = (0.4, 0.6), 200, 0.5  # s, –, s
TARGET_SECONDS, TARGET_RATIO = 0.5, 100.0
ELEMENTS = 10
CHECKED = 9  # points of the curve beside converged runs
ROUNDS = 5


def measure() -> dict:
    """Seconds of CPU time of the curve and of the whole study, the curve's error, and the ratio to Exudyn's sweep."""
    study = ours.braking_curve(BETWEEN, POINTS, WINDOW)  # compiles what has to be compiled
    places = np.linspace(0, POINTS - 1, CHECKED).astype(int)
    exact = np.array([ours.braking_residual(float(study.times[k]), WINDOW) for k in places])
    error = float(np.max(np.abs(study.residuals[places] - exact)))
    case = PlanarCase(ELEMENTS)
    offered = rival_exudyn.planar_candidates(case)
    rival = contest({rival_exudyn.NAME: offered}, rms_distance_from(reference_tip(case)), ERROR_TARGET, rounds=3)[
        "packages"
    ][rival_exudyn.NAME]
    contenders = {"curve": _curve, "study": _study}
    fastest = [each for each in offered if each.settings == rival.get("settings")]
    if fastest:
        contenders["rival"] = fastest[0].seconds
    seconds = least_seconds(contenders, rounds=ROUNDS)
    result = {
        "title": TITLE,
        "unit": "s",
        "points": POINTS,
        "curve_s": seconds["curve"],
        "study_s": seconds["study"],
        "error_m": error,
        "best_s": study.best.time,
        "runs": study.runs,
        "met": seconds["curve"] <= TARGET_SECONDS,
        "rival": rival,
    }
    if "rival" in seconds:
        rival["cpu_ms"] = 1e3 * seconds["rival"]
        sweep = seconds["rival"] * POINTS
        result |= {"rival_sweep_s": sweep, "ratio": sweep / seconds["curve"]}
        result["ratio_met"] = result["ratio"] >= TARGET_RATIO
    return result


def _curve() -> float:
    return ours.braking_curve(BETWEEN, POINTS, WINDOW).curve_seconds


def _study() -> float:
    begin = process_time()
    ours.braking_curve(BETWEEN, POINTS, WINDOW)
    return process_time() - begin


def table(result: dict) -> list[list[str]]:
    """Rows of the readable table, heading first."""
    rival = result["rival"]
    rows = [["package", "what", "CPU", "error", "target"]]
    met = "met" if result["met"] else "missed"
    rows.append(
        [
            ours.NAME,
            f"{POINTS} points",
            f"{result['curve_s']:.3f} s",
            f"{result['error_m']:.1e} m",
            f"≤ {TARGET_SECONDS:g} s, {met}",
        ]
    )
    whole = f"the same, extremes refined to 0.1 ms ({result['runs']} runs)"
    rows.append([ours.NAME, whole, f"{result['study_s']:.3f} s", "", ""])
    if "ratio" in result:
        words = f"{POINTS} × one run of {rival['cpu_ms']:.1f} ms: {rival['settings']}"
        verdict = f"{result['ratio']:.0f} × slower than the curve, target ≥ {TARGET_RATIO:g}, "
        verdict += "met" if result["ratio_met"] else "missed"
        rows.append([rival_exudyn.NAME, words, f"{result['rival_sweep_s']:.1f} s", f"{rival['error']:.1e} m", verdict])
    else:
        rows.append([rival_exudyn.NAME, rival["not_measured"], "–", "–", ""])
    return rows
