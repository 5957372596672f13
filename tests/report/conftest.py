"""Runs, their pages, and one browser to open them in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import flexarm as fa

EXAMPLES = Path(__file__).parents[2] / "examples"
PICTURES = Path(__file__).parent / "pictures"
CHROMIUM, DRIVER = Path("/usr/bin/chromium"), Path("/usr/bin/chromedriver")
_FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --enable-unsafe-swiftshader --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync --hide-scrollbars --window-size=1280,900"
)


def rod(elements: int = 10, **options: Any) -> fa.Trajectory:
    """The run of the planar example with so many elements."""
    arm = fa.read_arm(EXAMPLES / "rod_handler.toml")
    link = arm.links[-1]
    model = link.formulation.changed(elements=elements)
    return fa.simulate(arm.changed(links=(*arm.links[:-1], link.changed(model=model))), **options)


@pytest.fixture(scope="session")
def planar() -> fa.Trajectory:
    """A run of a planar arm."""
    return rod()


@pytest.fixture(scope="session")
def spatial() -> fa.Trajectory:
    """A run of an arm in space."""
    return fa.simulate(fa.read_arm(EXAMPLES / "spatial_rod.toml"))


def spun(points: int, samples: int) -> fa.Trajectory:
    """A run nobody integrated: a beam of so many points that turns and waves, with 1000 frames."""
    time = np.linspace(0.0, 10.0, samples)
    frames = np.linspace(0.0, 10.0, 1000)
    distance = np.linspace(0.0, 1.0, points)
    turn = np.stack([np.cos(frames), np.sin(frames), 0.2 * np.sin(3 * frames)], axis=1)
    wave = 0.05 * np.sin(20.0 * frames)[:, None, None] * (distance**2)[None, :, None] * np.array([0.0, 0.0, 1.0])
    spike = np.zeros(samples)
    spike[samples // 3], spike[samples // 2] = 0.7, -0.4
    return fa.Trajectory.from_arrays(
        {
            "joint_position": np.sin(time)[:, None],
            "joint_velocity": np.cos(time)[:, None],
            "joint_torque": spike[:, None],
            "point_position": np.stack([np.cos(time), np.sin(time), 0.0 * time], axis=1)[:, None],
            "point_deflection": np.stack([0.01 * np.sin(40 * time), spike, 0.0 * time], axis=1)[:, None],
            "line_corner_position": np.stack([0.0 * turn, turn], axis=1),
            "line_deflection": wave,
        },
        {
            "time": time,
            "joint": ["hub"],
            "joint_unit": ["rad"],
            "point": ["tip"],
            "frame_time": frames,
            "line_link": ["beam"] * points,
            "line_distance": distance,
            "line_corner": [1, *[0] * (points - 2), 1],
        },
        arm_text="",
        info={"name": "a wave", "last_switch": 5.0},
    )


class Browser:
    """Headless Chromium with a page in it."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def open(self, path: Path, *, width: int = 1280, height: int = 900, phone: bool = False) -> None:
        """Open a page from disk in a window of that size; the log begins anew."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        self.complaints()
        self.driver.get(path.resolve().as_uri())

    def run(self, script: str, *words: Any) -> Any:
        """What a script in the page returns; `F` is the page's own door."""
        return self.driver.execute_script(f"const F = window.flexarm; {script}", *words)

    def settled(self, script: str, *words: Any) -> Any:
        """The same two pictures later."""
        wait = "requestAnimationFrame(() => requestAnimationFrame(() => done(result)));"
        code = f"const F = window.flexarm; const done = arguments[arguments.length - 1]; {script}; {wait}"
        return self.driver.execute_async_script(code, *words)

    def complaints(self) -> list[str]:
        """What the page complained about since the last time."""
        # that pixels are read back takes time, of which a driver without a graphics card warns
        said = [entry["message"] for entry in self.driver.get_log("browser")]
        return [text for text in said if "GL Driver Message" not in text]

    def all(self, selector: str) -> list[Any]:
        """The elements a selector finds."""
        return list(self.driver.find_elements("css selector", selector))

    def keep(self, name: str) -> Path:
        """A picture of the window, kept for a look."""
        PICTURES.mkdir(exist_ok=True)
        self.driver.save_screenshot(str(PICTURES / f"{name}.png"))
        return PICTURES / f"{name}.png"


def chromium(folder: Path, *more: str) -> Any:
    """Headless Chromium with its profile in a folder, driven by selenium; further flags as given."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is missing: pages are not opened")
    options = webdriver.ChromeOptions()
    for flag in (*_FLAGS.split(), *more):
        options.add_argument(flag)
    options.add_argument(f"--user-data-dir={folder}")
    options.binary_location = str(CHROMIUM)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(str(DRIVER)))
    driver.set_script_timeout(20)
    return driver


@pytest.fixture(scope="session")
def browser(tmp_path_factory) -> Iterator[Browser]:
    """One browser for all tests of pages."""
    if not CHROMIUM.exists() or not DRIVER.exists():
        pytest.skip("there is no /usr/bin/chromium with /usr/bin/chromedriver here: pages are not opened in a browser")
    driver = chromium(tmp_path_factory.mktemp("chromium"))
    yield Browser(driver)
    driver.quit()


@pytest.fixture(scope="session")
def written(tmp_path_factory) -> Callable[..., Path]:
    """A function that writes the page of a run once."""
    folder = tmp_path_factory.mktemp("pages")
    known: dict[str, Path] = {}

    def write(run: fa.Trajectory, name: str) -> Path:
        if name not in known:
            known[name] = fa.report(run, folder / f"{name}.html", source=f"{name}.nc")
        return known[name]

    return write
