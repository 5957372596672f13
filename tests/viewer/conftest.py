"""Arms and runs that are looked at: planar chains of rigid finite elements, whose kernels are the cheapest."""

import pytest

import flexarm as fa

ARM = """
name = "two links under gravity"
gravity = [0, -9.81, 0]
planar = true

[[link]]
name = "upper"
joint = { type = "revolute", at = "30 deg", motion = "move", offset = ["0.05 m", "0.1 m", 0] }
length = "0.4 m"
rigid = { mass = "2 kg", inertia = "0.03 kg m^2" }
tip_offset = ["0.02 m", "0.03 m", 0]
tip_rotation = [0, 0, "20 deg"]

[[link]]
name = "rod"
joint = { type = "revolute", at = "-40 deg", zero = "10 deg" }
hub = { radius = "0.03 m", mass = "0.1 kg", inertia = "1e-4 kg m^2" }
length = "1 m"
beam = { section = { shape = "tube", diameter = "20 mm", thickness = "2 mm" }, material = "aluminium" }
model = { formulation = "rigid-fe", elements = 6 }
damping = { ratio = 0.02 }
payload = { mass = "0.2 kg" }

[motion.move]
kind = "cycloidal"
travel = "40 deg"
duration = "0.3 s"

[simulation]
end = "0.4 s"
output = "4 ms"
"""


@pytest.fixture(scope="session")
def arm() -> fa.Arm:
    """A rigid link and a flexible one, with every offset a planar arm can have."""
    return fa.parse_arm(ARM)


@pytest.fixture(scope="session")
def run(arm) -> fa.Trajectory:
    """A short run of it."""
    return fa.simulate(arm)


@pytest.fixture(scope="session")
def run_file(run, tmp_path_factory):
    """The same in a file."""
    return run.save(tmp_path_factory.mktemp("runs") / "swing.nc")
