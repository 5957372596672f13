"""Pages of every verb in headless Chromium: they load, their controls work, and what is drawn is what was found."""

import numpy as np
import pytest

from tests.report.results import NAMES, result_of
from tests.report.test_browser import picture, plot_named

# a browser on a busy machine answers late at times
pytestmark = pytest.mark.flaky(reruns=2, reruns_delay=1)


def opened(browser, written, name, **window):
    """The page of a verb, open and without complaint."""
    browser.open(written(result_of(name), name), **window)
    assert browser.run("return F.ready")
    assert browser.complaints() == []


@pytest.mark.parametrize("name", NAMES)
def test_every_page_opens_draws_all_and_fits_a_phone(browser, written, name):
    opened(browser, written, name, width=390, height=844, phone=True)
    assert browser.run("return document.documentElement.scrollWidth") <= 390
    wide = browser.run(
        "return [...document.querySelectorAll('.card')].filter((c) => c.scrollWidth > c.clientWidth + 1).length"
    )
    assert wide == 0
    drawn = browser.run(
        "return F.plots.map((p) => p.root.querySelectorAll('path, circle, rect').length).filter((n) => n < 2).length"
    )
    assert drawn == 0
    assert browser.complaints() == []


def test_a_mode_is_chosen_swings_and_is_drawn_as_large_as_asked(browser, written):
    opened(browser, written, "modes")
    found = result_of("modes")
    line = found.drawn()["line"]
    reach = np.ptp(np.vstack([line["position"], np.zeros(3)]), axis=0).max()
    shown = browser.run("return [...F.arms[0].choice.options].map((o) => o.textContent)")
    assert len(shown) == 4 and shown[1].endswith(found.names[1])
    pictures = set()
    for k in range(4):
        browser.run("F.arms[0].choice.value = arguments[0]; F.arms[0].choice.onchange(); F.arms[0].setScale(20)", k)
        size = np.linalg.norm(line["shape"][k], axis=1).max()
        for phase in (0.0, 0.25, 0.5):
            moved = browser.run(
                "const a = F.arms[0], m = a.motion; F.clock.time = arguments[0]; a.draw();"
                "return [...m.bent].map((v, i) => v - m.rigid[i])",
                phase,
            )
            wanted = 0.2 * reach / size * np.cos(2.0 * np.pi * phase) * line["shape"][k]
            # single precision of shapes a hundredth of the reach, drawn twenty times
            assert np.abs(np.reshape(moved, (-1, 3)) - wanted).max() < 1e-6 * reach
        browser.run("F.clock.time = 0; F.arms[0].draw()")
        pictures.add(picture(browser))
    assert len(pictures) == 4
    assert "20 %" in browser.run("return F.arms[0].badge.textContent")


def test_a_mode_plays_round_and_round(browser, written):
    opened(browser, written, "modes")
    assert browser.run("return [F.clock.begin, F.clock.end, F.clock.loop, F.clock.speed]") == [0, 1, True, 0.5]
    browser.run("F.clock.time = 0.9; F.transport.play.click()")
    browser.settled("const result = 0")
    assert browser.run("F.transport.play.click(); return F.clock.playing") is False
    assert browser.run("return F.transport.text.textContent").endswith("% of a period")


def test_runs_before_and_after_can_be_chosen(browser, written):
    opened(browser, written, "brake")
    runs = result_of("brake").drawn()["motions"]
    names = browser.run("return [...F.arms[0].choice.options].map((o) => o.textContent)")
    assert set(names) == set(runs) and names[0].startswith("best")
    for k, name in enumerate(names):
        run = runs[name]
        sample = len(run.time) // 2
        tip = browser.run(
            "const a = F.arms[0]; a.choice.value = arguments[0]; a.choice.onchange(); a.setScale(1);"
            "F.clock.time = arguments[1]; a.draw(); const p = 3 * a.motion.spec.traced;"
            "return [...a.motion.bent.slice(p, p + 3)]",
            k,
            float(run.time[sample]),
        )
        # frames are kept between which the picture is straight: a tenth of a millimetre on a path of a metre
        assert np.abs(np.array(tip) - run.values("point_position")[sample, 0]).max() < 1e-4


def test_the_curve_of_a_stop_is_drawn_where_the_data_say(browser, written):
    opened(browser, written, "brake")
    best = result_of("brake").best
    spot = browser.run(
        f"const p = {plot_named('Residual vibration')}; const c = p.series.find((s) => s.name === 'best')"
        ".node.querySelector('circle'); return [p.xScale.value(Number(c.getAttribute('cx'))),"
        "p.yScale.value(Number(c.getAttribute('cy'))), p.xScale.high - p.xScale.low, p.yScale.high - p.yScale.low]"
    )
    # a tenth of a pixel of a thousand and of two hundred
    assert abs(spot[0] - best.time) < 2e-4 * spot[2]
    assert abs(spot[1] - best.residual) < 1e-3 * spot[3]


def test_a_circle_is_round_and_the_cloud_counts_who_misses(browser, written):
    opened(browser, written, "reliability")
    found = result_of("reliability")
    for verdict in found.verdicts[:3]:
        name = verdict.requirement.name
        plot = f"""F.plots.find((p) => p.title === '"{name}"' && p.spec.equal)"""
        box = browser.run(
            f"const p = {plot}; const s = p.series.find((each) => each.name.startsWith('allowed'));"
            "const b = s.node.getBBox(); return [b.width, b.height, p.series.map((each) => each.name)]"
        )
        if verdict.requirement.kind == "circle":
            assert box[0] == pytest.approx(box[1], abs=0.5)
        if verdict.requirement.kind == "box":
            assert box[1] / box[0] == pytest.approx(1.5, rel=0.01)
        counts = browser.run(f"return {plot}.series.filter((s) => s.kind === 'points').map((s) => s.x.length)")
        assert counts[:2] == [verdict.met, found.samples - verdict.met]
        assert f"{verdict.met} meet it" in box[2]


def test_bands_and_bars_are_drawn_where_the_data_say(browser, written):
    opened(browser, written, "montecarlo")
    found = result_of("montecarlo")
    band = found.bands["tip.deflection"]
    reach = browser.run(
        f"const p = {plot_named('tip.deflection')}; const s = p.series.find((each) => each.name === '5 % to 95 %');"
        "const b = s.node.getBBox(); return [p.yScale.value(b.y), p.yScale.value(b.y + b.height), p.yScale.high]"
    )
    assert reach[0] == pytest.approx(band.quantiles[0.95].max(), abs=2e-3 * reach[2])
    assert reach[1] == pytest.approx(band.quantiles[0.05].min(), abs=2e-3 * reach[2])
    counts = browser.run(
        f"const p = {plot_named('max(tip.deflection)')}; return [...p.series[0].node.querySelectorAll('rect')]"
        ".reduce((sum, r) => sum + p.yScale.value(p.yScale.at(0) - Number(r.getAttribute('height'))), 0)"
    )
    assert counts == pytest.approx(found.samples, rel=0.05)
    opened(browser, written, "sensitivity")
    drawn = browser.run(
        "return [...document.querySelectorAll('.bar-card')[0].querySelectorAll('.bar-track div')].map((d) =>"
        "d.querySelector('.bar-light').getBoundingClientRect().width / d.getBoundingClientRect().width)"
    )
    ranking = next(iter(result_of("sensitivity").rankings.values()))
    assert drawn == pytest.approx([min(max(part.total, 0.0), 1.0) for part in ranking.ranked], abs=0.01)


def test_errors_are_drawn_over_cost_on_logarithmic_axes(browser, written):
    opened(browser, written, "compare")
    rows = result_of("compare").of("rigid-fe")
    spots = browser.run(
        f"const p = {plot_named('Error versus cost')}; return [...p.series.find((s) => s.name === 'rigid-fe')"
        ".node.querySelectorAll('circle')].map((c) => [p.xScale.value(Number(c.getAttribute('cx'))),"
        "p.yScale.value(Number(c.getAttribute('cy')))])"
    )
    wanted = [[row.cpu_seconds, row.tip_error] for row in rows]
    assert np.log(spots) == pytest.approx(np.log(wanted), abs=0.02)


@pytest.mark.parametrize("name", ["modes", "reliability"])
def test_dark_pages_keep_their_marks_readable(browser, written, name):
    opened(browser, written, name)
    browser.run("F.setTheme('dark')")
    inks = browser.run(
        "return [...document.querySelectorAll('.plot path, .bar-full')].slice(0, 20).map((e) => {"
        "const s = getComputedStyle(e); return [s.stroke, s.fill, s.backgroundColor] })"
    )
    card = browser.run("return getComputedStyle(document.querySelector('.card')).backgroundColor")
    assert inks and all(any(ink not in (card, "none", "rgba(0, 0, 0, 0)") for ink in each) for each in inks)
