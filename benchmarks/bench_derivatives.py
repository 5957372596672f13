"""The cost of seven derivatives of a run, in plain runs, and how exact they are, for every kind of link."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from benchmarks.timing import cpu_seconds, least_seconds

TITLE = "Seven derivatives of a run of 2 s of a braked flexible rod (in plain runs, CPU time)"
ROD = """
name = "rod"
planar = PLANAR
gravity = [0, 0, 0]
[[link]]
name = "arm"
joint = { type = "revolute", at = "90 deg", motion = "stop", rate = "45 deg/s" }
length = "0.5 m"
rigid = { mass = "0.63 kg", inertia = [6.1e-4, 6.1e-4, 6.1e-4] }
[[link]]
name = "rod"
joint = { type = "revolute", at = "-90 deg", motion = "stop", rate = "90 deg/s" }
length = "1 m"
beam = { bending_stiffness = "1586.5 N m^2", mass_per_length = "3.15 kg/m"TORSION }
model = { formulation = "FORMULATION", COUNT }
damping = { retardation = "63 us" }
[motion.stop]
kind = "brake"
travel_time = "1.25 s"
braking_time = "0.509 s"
[simulation]
end = "2 s"
start = "steady"
"""
BY = ["link[1].beam.bending_stiffness", "link[1].length", "link[0].length", "link[1].beam.mass_per_length"]
BY += ["link[0].joint.rate", "link[1].damping.retardation", "motion.stop.braking_time"]
KINDS = {
    "rigid-fe, 10 in the plane": ("rigid-fe", "elements = 10", True),
    "hermite, 4 in the plane": ("hermite", "elements = 4", True),
    "modes, 3 in the plane": ("modes", "modes = 3", True),
    "rigid-fe, 10 in space": ("rigid-fe", "elements = 10", False),
    "hermite, 4 in space": ("hermite", "elements = 4", False),
}
FIXED, PART = 2e-3, 2e-4


def measure() -> dict:
    """By kind of link: runs that seven derivatives cost, seconds of the plain run, and the largest relative difference
    from differences of sixth order of runs with the same fixed steps.
    """
    rows = [{"name": name, **_measured(*kind)} for name, kind in KINDS.items()]
    return {"title": TITLE, "unit": "plain runs", "rows": rows}


def _measured(formulation: str, count: str, planar: bool) -> dict:
    import flexarm as fa
    from flexarm.analyses.run.initial_state import initial_state
    from flexarm.analyses.run.integrate import integrate, settings_of
    from flexarm.assembly import compile_arm
    from flexarm.studies.derivatives.directions import directions_of
    from flexarm.studies.derivatives.runs import derived_run
    from flexarm.studies.derivatives.variants import variants_of

    text = ROD.replace("PLANAR", str(planar).lower()).replace("FORMULATION", formulation).replace("COUNT", count)
    arm = fa.parse_arm(text.replace("TORSION", "" if planar else ', torsional_stiffness = "1 kN m^2"'))
    settings, times = settings_of(arm.simulation), np.array([0.0, 2.0])
    directions = directions_of(arm, BY)
    variants = variants_of(directions)
    start = initial_state(variants.nominal, "steady")

    def plain() -> float:
        return cpu_seconds(lambda: integrate(variants.nominal, start, settings, times))

    def derived() -> float:
        return cpu_seconds(lambda: derived_run(variants, settings, times))

    plain(), derived()
    run, seven = least_seconds({"plain": plain, "derived": derived}, rounds=12).values()
    fixed = replace(settings, step=FIXED)
    found = derived_run(variants, fixed, times).dq[-1]
    worst = 0.0
    # a switch that moves is no part of a run with frozen steps
    for j in range(len(BY) - 1):
        step, ends = PART * directions.scale[j], []
        for k in (-3, -2, -1, 1, 2, 3):
            row = directions.values.copy()
            row[j] += k * step
            moved = compile_arm(directions.study.arm(directions.ordered(row)))
            ends.append(integrate(moved, initial_state(moved, "steady"), fixed, times).q[-1])
        weights = np.array([-1.0, 9.0, -45.0, 45.0, -9.0, 1.0]) / (60.0 * step)
        exact = np.tensordot(weights, np.array(ends), axes=1)
        worst = max(worst, float(np.max(np.abs(found[:, j] - exact)) / np.max(np.abs(exact))))
    return {"runs": seven / run, "plain_s": run, "difference": worst}


def table(result: dict) -> list[list[str]]:
    """Rows of the readable table, heading first."""
    rows = [["links", "plain run", "seven derivatives", "from differences on the same steps"]]
    for each in result["rows"]:
        cost = f"{each['runs']:.2f} runs"
        rows.append([each["name"], f"{1e3 * each['plain_s']:.1f} ms", cost, f"{each['difference']:.0e}"])
    return rows


if __name__ == "__main__":
    for row in table(measure()):
        print("  ".join(f"{cell:26s}" for cell in row))
