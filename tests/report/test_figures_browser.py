"""Figures in headless Chromium: their tables are right, what is saved is whole, and labels stand where they belong."""

import numpy as np
import pytest

from flexarm.report.page import Axis, Band, Bars, Figure, Line, Page, Points, Rule, Section
from flexarm.report.rendering import page_text
from tests.report.test_browser import opened, plot_named

# a browser on a busy machine answers late at times
pytestmark = pytest.mark.flaky(reruns=2, reruns_delay=1)

TIME = np.linspace(0.0, 2.0, 41)
LOW, HIGH = -1.5 + np.sin(3.0 * TIME), 1.0 + np.cos(2.0 * TIME) ** 2
DECADES = ((0.3, 0.45), (2.1, 4.9), (0.21, 0.22), (1.5, 30.0), (0.5, 3000.0), (1e-9, 1.0))
FIGURES = (
    Figure("band", Axis("time", "s"), Axis("y"), [Band("between", TIME, LOW, HIGH)]),
    Figure("line", Axis("time", "s"), Axis("y"), [Line("falls", TIME, -TIME), Rule(1.2, "last switch")]),
    Figure("names", Axis("mode"), Axis("y"), [Bars("of each", [3.0, 1.0, 7.0], labels=["a", "b", "c"])]),
    Figure(
        "histogram",
        Axis("x"),
        Axis("samples"),
        [
            Bars("samples", [9.0, 9.0, 9.0, 9.0], edges=[0.0, 0.5, 1.0, 1.5, 2.0]),
            Rule(1.2, "limit"),
            Rule(1.3, "needed for 99.7 %"),
            Rule(1.35, "mean"),
        ],
    ),
    Figure("labels", Axis("x"), Axis("y"), [Line("steep", [0.0, 1.6], [-100.0, 100.0])]),
    Figure("large", Axis("x"), Axis("y"), [Line("far", [0.0, 2e8], [-2e8, 2e8])]),
    *(
        Figure(
            f"from {low} to {high}",
            Axis("cost", "", "log"),
            Axis("y", "", "log"),
            [Line("a", [low, high], [low, high])],
        )
        for low, high in DECADES
    ),
    Figure(
        "cloud",
        Axis("x"),
        Axis("y"),
        [Points("many", np.repeat(np.linspace(0, 1, 25), 25), np.tile(np.arange(25), 25))],
    ),
)


@pytest.fixture(scope="module")
def drawn(browser, tmp_path_factory):
    """Figures made by hand, in the browser."""
    path = tmp_path_factory.mktemp("drawn") / "figures.html"
    path.write_text(page_text(Page("figures", "by hand", [Section("all", FIGURES)])), encoding="utf-8")

    def show(**window):
        browser.open(path, **window)
        assert browser.run("return F.ready") and browser.complaints() == []
        return browser

    return show


def table_of(browser, title):
    """The cells under "In numbers" of a figure, by the name of the row; the table is opened."""
    browser.settled(f"{plot_named(title)}.details.open = true; const result = 0")
    script = (
        f"return [...{plot_named(title)}.details.querySelectorAll('tbody tr')]"
        ".map((row) => [...row.cells].map((cell) => cell.textContent))"
    )
    return {row[0]: row[1:] for row in browser.run(script)}


def values_in(text):
    """The numbers a cell shows."""
    plain = str.maketrans("−⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "--0123456789")
    return [float(part.split()[0].translate(plain).replace("×10", "e")) for part in text.split("…")]


def test_a_band_is_least_on_its_lower_edge_and_greatest_on_its_upper_one(drawn):
    cells = table_of(drawn(), "band")["between"]
    found = [value for text in cells for value in values_in(text)]
    k, m = LOW.argmin(), HIGH.argmax()
    # four digits are shown
    assert found == pytest.approx([LOW[k], TIME[k], HIGH[m], TIME[m], LOW[-1], HIGH[-1]], rel=5e-4)


def test_bars_with_names_are_reported_by_their_names_and_others_from_edge_to_edge(drawn):
    page = drawn()
    assert table_of(page, "names")["of each"] == ["1.000", "b", "7.000", "c", "7.000"]
    where = f"const p = {plot_named('names')}; p.pointed = arguments[0]; p.read(); return p.where.textContent"
    assert [page.run(where, at) for at in (-0.5, 0.8, 2.5)] == ["mode a", "mode b", "mode c"]
    assert table_of(page, "histogram")["samples"][1] == "0 … 0.5000"


def test_the_table_of_a_moving_line_follows_the_clock_open_or_closed(browser, written, planar):
    opened(browser, written, planar, "planar")
    title = "Deflection along rod"
    line = f"const p = {plot_named(title)}, s = p.series.find((each) => each.kind === 'moving');"
    browser.run(f"{line} p.figure.scrollIntoView({{ block: 'center', behavior: 'instant' }})")
    name = browser.run(f"{line} return s.name")

    def shown():
        cells = table_of(browser, title)[name]
        now = browser.run(f"{line} return [...s.y].map((v) => v / p.spec.y.factor)")
        reported = [values_in(cells[k])[0] for k in (0, 2, 4)]
        assert reported == pytest.approx([min(now), max(now), now[-1]], rel=5e-4, abs=1e-12)
        return tuple(cells)

    seen = {shown()}
    for moment in (0.7, 1.2):
        browser.settled(f"F.clock.set({moment}); const result = 0")
        seen.add(shown())
    browser.settled(f"{line} p.details.open = false; F.clock.set(1.6); const result = 0")
    seen.add(shown())
    assert len(seen) == 4


# The part of a box (in pixels of the figure) of the saved drawing that is unlike its ground.
_INKED = """
const done = arguments[3];
const p = window.flexarm.plots.find((each) => each.title === arguments[0]);
const image = new Image();
image.onload = () => {
  const canvas = document.createElement("canvas"); [canvas.width, canvas.height] = [image.width, image.height];
  const pen = canvas.getContext("2d"); pen.drawImage(image, 0, 0);
  const ground = pen.getImageData(1, 1, 1, 1).data;
  const { x, y, width, height } = p.root.querySelectorAll(arguments[1])[arguments[2]].getBBox();
  const { data } = pen.getImageData(x, y + image.height - p.height, width, height);
  let unlike = 0;
  for (let k = 0; k < data.length; k += 4) if (Math.abs(data[k] - ground[k % 4]) > 60) unlike++;
  done(unlike / (data.length / 4));
};
image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(window.flexarm.svgText(p))}`;
"""


@pytest.mark.parametrize(("title", "what"), [("line", ".rule text"), ("cloud", "path.dots")])
def test_labels_of_rules_and_clouds_of_many_points_are_in_the_saved_drawing(drawn, title, what):
    page = drawn()
    for k in range(page.run(f"return {plot_named(title)}.root.querySelectorAll(arguments[0]).length", what)):
        # letters cover about a fifth of their box, 625 dots of 4 pixels more than that of theirs; at worst nothing
        assert page.driver.execute_async_script(_INKED, title, what, k) > 0.05


# Boxes of what a selector finds in a figure, in pixels of the figure: left, top, right, bottom.
_BOXES = """return [...PLOT.root.querySelectorAll(arguments[0])].map((each) => {
const b = each.getBBox(); return [b.x, b.y, b.x + b.width, b.y + b.height] })"""


def boxes(browser, title, what):
    """The boxes of some parts of a figure, one a row."""
    return np.array(browser.run(_BOXES.replace("PLOT", plot_named(title)), what)).reshape(-1, 4)


def overlap(a, b):
    """True where two boxes share more than a hair."""
    return min(a[2], b[2]) - max(a[0], b[0]) > 0.5 and min(a[3], b[3]) - max(a[1], b[1]) > 0.5


@pytest.mark.parametrize("width", [390, 1280])
def test_every_tick_has_its_label_under_it_and_no_label_is_cut_off(drawn, width):
    page = drawn(width=width)
    for title in [figure.title for figure in FIGURES]:
        ticks, base = boxes(page, title, ".axes .tick"), boxes(page, title, ".axes .base")[0]
        labels = boxes(page, title, ".axes text:not(.name)")
        size = page.run(f"return {plot_named(title)}.width")
        assert labels[:, 0].min() >= 0.0 and labels[:, 2].max() <= size, title
        under = labels[labels[:, 1] > base[1]]
        # half a pixel of rounding
        assert (under[:, 0] + under[:, 2]) / 2 == pytest.approx(ticks[:, 0], abs=0.6), title
        assert (np.diff(np.sort(under[:, 0])) > 0.0).all()
        assert (under[1:, 0] - under[:-1, 2] > 2.0).all(), title


@pytest.mark.parametrize("width", [390, 1280])
def test_logarithmic_axes_of_any_length_have_two_ticks_at_least(drawn, width):
    page = drawn(width=width)
    for low, high in DECADES:
        title = f"from {low} to {high}"
        count = len(boxes(page, title, ".axes .tick")), len(boxes(page, title, ".axes .grid"))
        assert min(count) >= 2, title


@pytest.mark.parametrize("width", [390, 1280])
def test_labels_of_rules_print_over_no_bar_no_rule_and_no_label(drawn, width):
    page = drawn(width=width)
    labels = boxes(page, "histogram", ".rule text")
    assert len(labels) == 3
    others = [*boxes(page, "histogram", ".bars rect"), *boxes(page, "histogram", ".axes text")]
    lines = boxes(page, "histogram", ".rule line") + np.array([-0.5, 0.0, 0.5, 0.0])
    for k, label in enumerate(labels):
        assert not any(overlap(label, other) for other in [*others, *lines, *labels[k + 1 :]]), k
