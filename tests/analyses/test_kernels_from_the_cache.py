"""Kernels loaded from the disk work as those just compiled: a second process runs what the first one did."""

from __future__ import annotations

import subprocess
import sys

import pytest

SCRIPT = """
import flexarm as fa
from flexarm.model import arm_from_dict
beam = {"section": {"shape": "circle", "diameter": "20 mm"}, "material": "steel"}
planar, options = PLANAR, OPTIONS
arm = arm_from_dict({
    "name": "arm", "planar": planar, "gravity": [0, "-9.81 m/s^2", 0],
    "link": [{"name": "beam", "joint": {"type": "revolute", "motion": "turn"}, "length": "1 m", "beam": beam,
              "model": {"formulation": "hermite", "elements": 2}}],
    "motion": {"turn": {"kind": "cycloidal", "travel": "0.01 rad", "duration": "10 ms"}},
    "simulation": {"end": "20 ms"}})
run = fa.simulate(arm, **options)
assert run.complete, run.failure
print(repr(float(run.values("point_position")[-1, 0, 0])))
"""


@pytest.mark.parametrize("planar", [True, False])
@pytest.mark.parametrize("options", [{}, {"stepper": "newmark", "step": 1e-3}, {"analysis": "linear"}], ids=str)
def test_a_second_process_gives_the_same_bits(planar: bool, options: dict[str, object]) -> None:
    script = SCRIPT.replace("PLANAR", repr(planar)).replace("OPTIONS", repr(options))
    said = []
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=900)
        assert done.returncode == 0, done.stderr or f"the process ended with {done.returncode}"
        said.append(done.stdout)
    assert said[0] == said[1]
