"""Random robots have the dynamics that Pinocchio finds; its wheels are not there for every system."""

from __future__ import annotations

import pytest

pytest.importorskip("pinocchio", reason="Pinocchio is missing: robots are not compared with it")

from benchmarks.random_robot import random_urdf
from benchmarks.robots import compare


@pytest.mark.parametrize("links", [6, 12, 24])
def test_random_robots_move_as_in_pinocchio(links, tmp_path):
    path = tmp_path / "robot.urdf"
    for seed in range(8):
        path.write_text(random_urdf(seed, links))
        # relative to the largest entry, of aba, rnea, crba, places and Jacobians: rounding alone
        assert compare(path, seed).worst < 1e-10, seed
