"""Compiling random samples: one arm after another, and a whole chunk at once."""

import time
from collections.abc import Callable

TITLE = "Compiling the samples of a random arm (CPU time per sample)"
CHUNKS = (256, 1024, 4096)
ALONE, ROUNDS = 10, 5
ENOUGH = 2.0  # s of CPU time after which no further round begins
ARM = """
planar = {planar}
gravity = [0, -9.81, 0]
[[link]]
name = "upper arm"
joint = {{ type = "revolute", axis = "z", at = {{ normal = ["90 deg", "1 deg"] }}, motion = "stop", rate = "45 deg/s" }}
length = "200 mm"
rigid = {{ mass = {{ normal = ["0.63 kg", "10 g"] }}, inertia = {inertia} }}
[[link]]
name = "rod"
joint = {{ type = "revolute", axis = "{axis}", at = "-90 deg", motion = "stop", rate = "90 deg/s" }}
length = {{ normal = ["1 m", "5 mm"] }}
beam.section = {{ shape = "rectangle", width = {{ normal = ["20 mm", "0.1 mm"] }}, height = "12 mm" }}
beam.material = "own"
model = {{ {model} }}
damping = {{ retardation = {{ uniform = ["50 us", "70 us"] }} }}
payload = {{ mass = {{ normal = ["0.3 kg", "10 g"] }}, inertia = {inertia} }}
[motion.stop]
kind = "brake"
travel_time = "1.25 s"
braking_time = {{ normal = ["0.509 s", "5 ms"] }}
[material.own]
youngs_modulus = {{ normal = ["210 GPa", "5 GPa"] }}
density = "7850 kg/m^3"
poisson = 0.3
[simulation]
end = "2 s"
"""
MODELS = {
    "rigid-fe, 11 elements": 'formulation = "rigid-fe", elements = 11',
    "hencky, 5": 'formulation = "hencky", elements = 5',
    "timoshenko, 10": 'formulation = "timoshenko", elements = 10',
    "hermite, 5": 'formulation = "hermite", elements = 5',
    "isoparametric, 5": 'formulation = "isoparametric", elements = 5',
    "hermite, 5, one frame, 6 modes": 'formulation = "hermite", elements = 5, frames = "link", modes = 6',
    "modes, 3": 'formulation = "modes", modes = 3',
}


def measure() -> dict:
    """Milliseconds of CPU time per sample for every formulation, in the plane and in space."""
    rows = [_row(name, model, planar) for planar in (True, False) for name, model in MODELS.items()]
    return {"title": TITLE, "unit": "ms of CPU time per sample", "rows": rows}


def table(result: dict) -> list[list[str]]:
    """The rows to be read."""
    head = ["link", "arm", "one by one (ms)", *(f"{chunk} at once (ms)" for chunk in CHUNKS)]
    return [head] + [
        [row["model"], row["arm"], f"{row['one']:.2f}", *(f"{row[str(chunk)]:.3f}" for chunk in CHUNKS)]
        for row in result["rows"]
    ]


def _row(name: str, model: str, planar: bool) -> dict:
    """One formulation."""
    from flexarm.assembly import compile_arm
    from flexarm.studies.execution.stacked import compile_batch
    from flexarm.studies.parameters.study_model import parse_study

    fields = {"planar": str(planar).lower(), "axis": "z" if planar else "y"}
    study = parse_study(ARM.format(model=model, inertia="6e-4" if planar else "[6e-4, 6e-4, 5e-4]", **fields))
    values = study.draw(1, 0, max(CHUNKS))
    compile_batch(study, values[:2])
    row = {"model": name, "arm": "planar" if planar else "spatial"}
    row["one"] = _least(lambda: [compile_arm(study.arm(one)) for one in values[:ALONE]], ALONE)
    return row | {str(chunk): _least(lambda n=chunk: compile_batch(study, values[:n]), chunk) for chunk in CHUNKS}


def _least(run: Callable[[], object], samples: int) -> float:
    """The least CPU time per sample (ms) of some rounds."""
    times = []
    while len(times) < ROUNDS and sum(times) < ENOUGH:
        begin = time.process_time()
        run()
        times.append(time.process_time() - begin)
    return 1e3 * min(times) / samples
