"""Runs of random arms per second and core: eight at a time in compiled lanes beside one after another.

The chain is the rod handler of 13 bodies, 2 s at 1e-6 m; "motion alone" is what the time loops take, "door" all that
becomes of a sample of a study: drawn, read, compiled, run, observed.
"""

import re
from pathlib import Path

import numpy as np

from benchmarks.timing import cpu_seconds

TITLE = "Random arms in compiled lanes"
ROOT = Path(__file__).parents[1]
SAMPLES, SINGLE, ROUNDS = 256, 8, 15
TARGET = 2500  # motions of the 13-body chain per second and core
TWO_LINKS = (ROOT / "examples" / "two_link.toml").read_text()


def _studies() -> dict[str, str]:
    """Model texts with a random length, by name."""
    rod = (ROOT / "examples" / "tolerances.toml").read_text()
    length = re.search(r'^length *= *"([^"]+)"', TWO_LINKS, re.M)
    assert length is not None
    two = TWO_LINKS.replace(length[0], f'length = {{ normal = ["{length[1]}", "1 mm"] }}', 1)
    hermite = 'formulation = "hermite", elements = 4'
    return {
        "rod handler, rigid-fe, 13 bodies": rod,
        "two links, rigid-fe": two.replace(hermite, 'formulation = "rigid-fe", elements = 4'),
        "two links, hermite elements": two,
        "two links, reduced elements": two.replace(
            hermite, 'formulation = "hermite", elements = 8, frames = "link", reduction = "clamped", modes = 3'
        ),
        "two links, modes": two.replace(hermite, 'formulation = "modes", modes = 3'),
    }


def measure() -> dict:
    """Runs per second of CPU time on one core, each way."""
    return {"title": TITLE, "unit": "runs/s", "target": TARGET, "rows": [_row(*each) for each in _studies().items()]}


def _row(name: str, text: str) -> dict:
    import flexarm as fa
    from flexarm.analyses.run.integrate import settings_of
    from flexarm.analyses.run.lanes import Desk, by_eights, run_eight
    from flexarm.analyses.run.one_run import follow
    from flexarm.assembly import compile_arm
    from flexarm.studies.execution.evaluate import Evaluator, Task, evaluate_sample
    from flexarm.studies.execution.stacked import compile_batch

    study = fa.parse_study(text, name=name)
    simulation = study.nominal.simulation
    settings = settings_of(simulation)
    values = study.draw(1, 0, SAMPLES)
    times = np.linspace(0.0, settings.end, 41)
    eights = list(by_eights(compile_batch(study, values), np.arange(SAMPLES)))
    desk, single = Desk(), compile_arm(study.arm(values[0]))
    evaluator = Evaluator(Task(study.text, ("tip.x", "tip.y"), 41), study)
    ways = {
        "lanes": (
            SAMPLES,
            lambda: [run_eight(eight, settings, simulation.start, times, desk=desk) for eight in eights],
        ),
        "single": (1, lambda: follow(single, settings, times, "nonlinear")),
        "door": (SAMPLES, lambda: evaluator(values)),
        "single_door": (SINGLE, lambda: [evaluate_sample(study, evaluator.plan, row) for row in values[:SINGLE]]),
    }
    for _, call in ways.values():
        call()  # compiles
    found = {way: np.inf for way in ways}
    for _ in range(ROUNDS):
        for way, (count, call) in ways.items():
            found[way] = min(found[way], cpu_seconds(call) / count)
    return {"arm": name, **{way: 1.0 / seconds for way, seconds in found.items()}}


def table(result: dict) -> list[list[str]]:
    """Rows of the readable table, heading first."""
    rows = [["arm", "motion alone, lanes", "one by one", "ratio", "door, lanes", "one by one", "ratio"]]
    for row in result["rows"]:
        numbers = [row["lanes"], row["single"], row["door"], row["single_door"]]
        told = [f"{number:.0f}" for number in numbers]
        motion, ratio = row["lanes"] / row["single"], row["door"] / row["single_door"]
        rows.append([row["arm"], told[0], told[1], f"{motion:.1f}", told[2], told[3], f"{ratio:.1f}"])
    return rows
