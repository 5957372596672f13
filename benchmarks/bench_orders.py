"""Every analysis of one arm against the number of its elements: CPU time of the whole call, and the fitted exponent."""

from collections.abc import Callable
from functools import partial

import numpy as np

import flexarm as fa
from benchmarks.timing import cpu_seconds, least_seconds
from flexarm.analyses.equilibrium import Forces, State
from flexarm.assembly import compile_arm

TITLE = "Analyses of a rod under gravity on two driven joints, whole call"
ELEMENTS = (10, 30, 100, 300, 1000)
FORMULATIONS = ("rigid-fe", "hermite")
ROUNDS = 2
FITTED = 3  # the largest numbers of elements that the exponent is fitted to
TANGENTS = 50  # calls in a round
TANGENT_ELEMENTS = (10, 100)

RUNS = ("nonlinear", "linear", "quasi-static")


def rod(elements: int, formulation: str, analysis: str = "nonlinear") -> fa.Arm:
    """A steel rod of 1 m on a rigid hub in the plane; both joints stop from constant rates."""
    joint = {"type": "revolute", "axis": "z", "motion": "stop"}
    links = [
        {
            "name": "hub",
            "joint": {**joint, "rate": "45 deg/s"},
            "length": 0.2,
            "rigid": {"mass": 0.63, "inertia": 6.1e-4},
        },
        {
            "name": "rod",
            "joint": {**joint, "at": "-30 deg", "rate": "90 deg/s"},
            "length": 1.0,
            "beam": {"section": {"shape": "circle", "diameter": 0.02}, "material": "steel"},
            "model": {"formulation": formulation, "elements": elements},
            "damping": {"retardation": 63e-6},
        },
    ]
    stop = {"kind": "brake", "travel_time": 1.25, "braking_time": 0.509}
    return fa.Arm.model_validate(
        {
            "name": "rod",
            "planar": True,
            "gravity": [0.0, -9.81, 0.0],
            "link": links,
            "motion": {"stop": stop},
            "simulation": {"end": 2.0, "start": "steady", "analysis": analysis},
        }
    )


def _calls(elements: int, formulation: str) -> dict[str, Callable[[], object]]:
    arm = rod(elements, formulation)
    calls: dict[str, Callable[[], object]] = {"modes": partial(fa.modes, arm), "statics": partial(fa.statics, arm)}
    return calls | {name: partial(fa.simulate, rod(elements, formulation, name)) for name in RUNS}


def _tangent(elements: int, formulation: str) -> Callable[[], object]:
    """M, C and K of a moving arm."""
    compiled = compile_arm(rod(elements, formulation))
    forces, rng = Forces(compiled), np.random.default_rng(0)
    q, v, a = (rng.standard_normal(forces.nq) / forces.nq for _ in range(3))
    state = State(q, v, a, np.zeros(forces.nq))

    def call() -> None:
        for _ in range(TANGENTS):
            forces.tangents(state)

    return call


def measure() -> dict:
    """Seconds of CPU time by analysis, formulation and number of elements, the arm compiled before."""
    seconds: dict[tuple[str, str], dict[int, float]] = {}
    for formulation in FORMULATIONS:
        for elements in ELEMENTS:
            calls = _calls(elements, formulation)
            for call in calls.values():
                call()
            contenders = {name: partial(cpu_seconds, call) for name, call in calls.items()}
            for name, least in least_seconds(contenders, rounds=ROUNDS).items():
                seconds.setdefault((name, formulation), {})[elements] = least
        for elements in TANGENT_ELEMENTS:
            call = _tangent(elements, formulation)
            call()
            least = least_seconds({"": partial(cpu_seconds, call)}, rounds=ROUNDS)[""] / TANGENTS
            seconds.setdefault(("matrices of linearise", formulation), {})[elements] = least
    rows = [
        {"analysis": name, "formulation": formulation, "seconds": times, "exponent": _exponent(times)}
        for (name, formulation), times in sorted(seconds.items())
    ]
    return {"title": TITLE, "unit": "s", "rows": rows}


def _exponent(times: dict[int, float]) -> float | None:
    if len(times) < FITTED:
        return None
    few = sorted(times)[-FITTED:]
    return float(np.polyfit(np.log(few), np.log([times[n] for n in few]), 1)[0])


def table(result: dict) -> list[list[str]]:
    """Rows of the readable table, heading first."""
    rows = [["analysis", "formulation", *(f"{n} elements" for n in ELEMENTS), "exponent"]]
    for row in result["rows"]:
        times = [row["seconds"].get(n) for n in ELEMENTS]
        shown = ["–" if each is None else (f"{1e3 * each:.3g} ms" if each < 1.0 else f"{each:.3g} s") for each in times]
        exponent = "–" if row["exponent"] is None else f"{row['exponent']:.2f}"
        rows.append([row["analysis"], row["formulation"], *shown, exponent])
    return rows
