"""Arms and runs that are looked at: planar chains of rigid finite elements, whose kernels are the cheapest."""

from pathlib import Path

import pytest

import flexarm as fa

CHROMIUM, DRIVER = Path("/usr/bin/chromium"), Path("/usr/bin/chromedriver")
FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --enable-unsafe-swiftshader --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync --window-size=800,500"
)

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


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    """Headless Chromium that draws without a graphics card."""
    if not CHROMIUM.exists() or not DRIVER.exists():
        pytest.skip(
            "there is no /usr/bin/chromium with /usr/bin/chromedriver here: the page is not opened in a browser"
        )
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is missing: the page is not opened")
    options = webdriver.ChromeOptions()
    for flag in FLAGS.split():
        options.add_argument(flag)
    options.add_argument(f"--user-data-dir={tmp_path_factory.mktemp('chromium')}")
    options.binary_location = str(CHROMIUM)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(str(DRIVER)))
    yield driver
    driver.quit()
