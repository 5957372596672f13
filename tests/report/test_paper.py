"""Pages printed by headless Chromium: bars are there, tables fit the sheet, and paper is never dark."""

import base64
import re
import zlib
from importlib.resources import files

import numpy as np
import pytest

from flexarm.report.page import Axis, Figure, Line, Page, Section
from flexarm.report.rendering import page_text
from tests.report.results import result_of
from tests.report.test_browser import picture

# a browser on a busy machine answers late at times
pytestmark = pytest.mark.flaky(reruns=2, reruns_delay=1)

A4 = {"paperWidth": 8.27, "paperHeight": 11.69, "printBackground": False}
A4_PIXELS = 717  # between margins of 0.4 inch, 96 to the inch
VALUE_OF = "return getComputedStyle(document.documentElement).getPropertyValue(arguments[0]).trim()"
STYLES = (files("flexarm.report") / "assets" / "page.css").read_text("utf-8")
VARIABLES = sorted(set(re.findall(r"^ +--([\w-]+):", STYLES, re.M)))


def printed_inks(browser):
    """The colours (0 to 255) of everything filled or stroked on paper, without the printer's backgrounds."""
    sheet = base64.b64decode(browser.driver.execute_cdp_cmd("Page.printToPDF", A4)["data"])
    inks = set()
    for found in re.finditer(rb"stream\r?\n(.*?)\r?\nendstream", sheet, re.S):
        try:
            text = zlib.decompress(found[1])
        except zlib.error:
            continue
        for colour in re.findall(rb"([\d.]+) ([\d.]+) ([\d.]+) (?:rg|RG)\b", text):
            inks.add(tuple(round(255.0 * float(part)) for part in colour))
    return inks


def ink(text):
    """The colour #rrggbb as three numbers."""
    return tuple(int(text[k : k + 2], 16) for k in (1, 3, 5))


@pytest.fixture
def emulated(browser):
    """A function that lays the page out as paper of A4 would have it; undone at the end."""

    def lay():
        size = {"width": A4_PIXELS, "height": 1000, "deviceScaleFactor": 1, "mobile": False}
        browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})

    yield lay
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_bars_their_shades_and_their_swatches_are_printed_without_backgrounds(browser, written):
    browser.open(written(result_of("reliability"), "reliability"))
    shades = browser.run(
        "return ['.bar-full', '.bar-light', '.bar-key i'].map((s) => {"
        "const c = document.createElement('canvas').getContext('2d');"
        "c.fillStyle = getComputedStyle(document.querySelector(s)).backgroundColor; c.fillRect(0, 0, 1, 1);"
        "return [...c.getImageData(0, 0, 1, 1).data].slice(0, 3) })"
    )
    inks = np.array(sorted(printed_inks(browser)))
    for shade in shades:
        # mixed colours are rounded in more than one way
        assert np.abs(inks - np.array(shade)).max(axis=1).min() <= 1


def test_after_the_dark_switch_paper_is_as_light_as_ever(browser, written, emulated):
    browser.open(written(result_of("rare"), "rare"))
    light = {name: browser.run(VALUE_OF, f"--{name}") for name in VARIABLES}
    wanted = printed_inks(browser)
    browser.run("document.querySelector('button.theme').click()")
    dark = {name: browser.run(VALUE_OF, f"--{name}") for name in VARIABLES}
    assert all(light[name] != dark[name] for name in VARIABLES)
    inks = printed_inks(browser)
    assert inks == wanted and ink(light["c1"]) in inks
    assert browser.run("return [F.isDark(), F.plots[0].onPaper]") == [True, False]
    emulated()
    on_paper = {name: browser.run(VALUE_OF, f"--{name}") for name in VARIABLES}
    assert on_paper == light | {"ground": "#fff", "card": "#fff", "ink": "#000", "muted": "#444"}


def test_the_drawn_arm_is_light_on_paper_and_dark_again_afterwards(browser, written, planar):
    browser.open(written(planar, "planar"))
    light = picture(browser)
    browser.run("F.setTheme('dark')")
    dark = picture(browser)
    browser.run("window.dispatchEvent(new Event('beforeprint'))")
    assert picture(browser) == light != dark
    browser.run("window.dispatchEvent(new Event('afterprint'))")
    assert picture(browser) == dark


@pytest.mark.parametrize("name", ["reliability", "montecarlo", "sensitivity", "rare", "compare"])
def test_tables_fit_the_sheet(browser, written, emulated, name):
    browser.open(written(result_of(name), name))
    browser.run("window.dispatchEvent(new Event('beforeprint'))")
    emulated()
    cut = browser.run(
        "return [...document.querySelectorAll('.scroll')].filter((s) => getComputedStyle(s).overflowX !== 'visible'"
        "|| s.querySelector('table').getBoundingClientRect().right > s.getBoundingClientRect().right + 1).length"
    )
    assert cut == 0
    assert browser.run("return document.documentElement.scrollWidth") <= A4_PIXELS


def test_figures_are_drawn_for_the_width_of_the_sheet(browser, tmp_path, emulated):
    line, axes = [Line("a", [0, 1], [0, 1])], (Axis("x"), Axis("y"))
    parts = [*(Figure(name, *axes, line) for name in "ab"), Figure("c", *axes, line, wide=True, equal=True)]
    path = tmp_path / "paper.html"
    path.write_text(page_text(Page("paper", "by hand", [Section("all", parts)])), "utf-8")
    browser.open(path, width=1600)
    browser.run("window.dispatchEvent(new Event('beforeprint'))")
    drawn = browser.run("return F.plots.map((p) => Number(p.root.getAttribute('width')))")
    emulated()
    boxes = browser.run("return F.plots.map((p) => [p.body.clientWidth, p.body.clientHeight])")
    shown = browser.run("return F.plots.map((p) => p.root.getBoundingClientRect().height)")
    # letters of 12 pixels stay letters of 11 to 13
    assert np.array(boxes)[:, 0] / drawn == pytest.approx(np.ones(3), abs=0.09)
    # no empty room under a figure
    assert np.array(boxes)[:, 1] == pytest.approx(np.array(shown), abs=1.0)
