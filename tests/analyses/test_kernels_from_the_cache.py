"""Kernels loaded from the disk work as those just compiled: a second process runs what the first one did."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import flexarm as fa
from flexarm.model import arm_from_dict
beam = {"section": {"shape": "circle", "diameter": "20 mm"}, "material": "steel"}
runs = [(planar, options) for planar in (True, False)
        for options in ({}, {"stepper": "newmark", "step": 1e-3}, {"analysis": "linear"})]
said = {}
for planar, options in ORDER(runs):
    arm = arm_from_dict({
        "name": "arm", "planar": planar, "gravity": [0, "-9.81 m/s^2", 0],
        "link": [{"name": "beam", "joint": {"type": "revolute", "motion": "turn"}, "length": "1 m", "beam": beam,
                  "model": {"formulation": "hermite", "elements": 2}}],
        "motion": {"turn": {"kind": "cycloidal", "travel": "0.01 rad", "duration": "10 ms"}},
        "simulation": {"end": "20 ms"}})
    run = fa.simulate(arm, **options)
    assert run.complete, run.failure
    said[f"planar {planar} {options}"] = float(run.values("point_position")[-1, 0, 0])
for name in sorted(said):
    print(name, repr(said[name]))
"""


def test_a_second_process_that_runs_all_in_another_order_gives_the_same_bits() -> None:
    said = []
    for order in ("list", "reversed"):
        script = SCRIPT.replace("ORDER", order)
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=900)
        assert done.returncode == 0, done.stderr or f"the process ended with {done.returncode}"
        said.append(done.stdout)
    assert said[0].count("\n") == 6
    assert said[0] == said[1]
