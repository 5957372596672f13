"""Pages in headless Chromium: they load, play, scrub, zoom, turn and save what they say."""

import csv
import io
import time

import numpy as np
import pytest

from tests.report.conftest import rod, spun

# a browser on a busy machine answers late at times
pytestmark = pytest.mark.flaky(reruns=2, reruns_delay=1)


def opened(browser, written, run, name, **window):
    """The page of the run, open and without complaint."""
    browser.open(written(run, name), **window)
    assert browser.run("return F.ready")
    assert browser.complaints() == []


@pytest.fixture
def page(browser, written, planar):
    """The planar page, freshly open."""
    opened(browser, written, planar, "planar")
    return browser


def picture(browser):
    """Everything on the canvas, to see whether it changes."""
    return browser.run("return F.arms[0].canvas.toDataURL()")


def plot_named(title):
    """A script's name for the figure of that title."""
    return f"F.plots.find((p) => p.title === {title!r})"


def test_nothing_is_fetched(page):
    assert page.run("return performance.getEntriesByType('resource').length") == 0


def test_every_figure_is_drawn_and_reported_in_words(page):
    reported = page.run(
        "return F.plots.map((p) => [p.body.getAttribute('aria-label'), p.root.querySelectorAll('path').length])"
    )
    assert len(reported) >= 12
    assert all(count >= 1 and " from " in text for text, count in reported)


def test_playing_moves_the_clock_and_pausing_holds_it(page):
    page.run("F.transport.play.click()")
    time.sleep(0.4)
    moved = page.run("F.transport.play.click(); return F.clock.time")
    assert moved > 0.0
    time.sleep(0.15)
    assert page.run("return [F.clock.playing, F.clock.time]") == [False, moved]
    assert page.run("return F.transport.play.getAttribute('aria-label')") == "Play"


def test_the_slider_scrubs_the_speed_is_taken_and_single_frames_step(page, planar):
    page.settled(
        "F.transport.slider.value = 5000; F.transport.slider.dispatchEvent(new Event('input')); const result = 0"
    )
    middle = planar.time[-1] / 2
    assert page.run("return F.clock.time") == pytest.approx(middle)
    assert page.run("return F.transport.text.textContent") == "1.000 s"
    # 1001 samples are 1001 frames: one step is one sample
    page.run("F.transport.on.click()")
    assert page.run("return F.clock.time") == pytest.approx(middle + 0.002)
    page.run("F.transport.back.click(); F.transport.back.click()")
    assert page.run("return F.clock.time") == pytest.approx(middle - 0.002)
    page.run("F.transport.speed.value = '0.1'; F.transport.speed.dispatchEvent(new Event('change'))")
    assert page.run("return F.clock.speed") == 0.1


def test_keys_on_the_slider_move_frame_by_frame_or_by_a_tenth_and_space_plays(page):
    from selenium.webdriver.common.keys import Keys

    slider = page.all("#transport input")[0]
    for keys, at in (
        ([Keys.ARROW_RIGHT] * 3, 0.006),
        ([Keys.ARROW_LEFT, Keys.ARROW_UP, Keys.ARROW_DOWN], 0.004),
        ([Keys.PAGE_UP] * 2, 0.404),
        ([Keys.PAGE_DOWN], 0.204),
        ([Keys.END], 2.0),
        ([Keys.HOME], 0.0),
    ):
        slider.send_keys(*keys)
        # 1001 frames of 2 ms, in single precision
        assert page.settled("const result = F.clock.time") == pytest.approx(at, abs=1e-6)
    slider.send_keys(" ")
    assert page.run("return F.clock.playing") is True
    slider.send_keys(" ")
    assert page.run("return F.clock.playing") is False


@pytest.mark.parametrize("kind", ["planar", "spatial"])
def test_the_tip_is_drawn_where_the_data_say(browser, written, request, kind):
    run = request.getfixturevalue(kind)
    opened(browser, written, run, kind)
    for sample in (0, 333, 1000):
        got = browser.run(
            f"F.arms[0].setScale(1); F.clock.time = {float(run.time[sample])!r};"
            "const a = F.arms[0], m = a.motion, p = 3 * m.spec.traced; a.draw();"
            "const [x, y] = a.picture.pixels.slice(p, p + 2); const ratio = a.canvas.width / a.canvas.clientWidth;"
            "const ink = a.picture.pen.getImageData(Math.round(x * ratio), Math.round(y * ratio), 1, 1).data;"
            "return [[...m.bent.slice(p, p + 3)], [...m.rigid.slice(p, p + 3)], [...ink], a.picture.inks.accent]"
        )
        tip = run.values("point_position")[sample, 0]
        rigid = tip - run.values("point_deflection")[sample, 0]
        assert np.abs(np.array(got[0]) - tip).max() < 1e-6  # single precision
        assert np.abs(np.array(got[1]) - rigid).max() < 1e-6
        assert "#" + "".join(f"{value:02x}" for value in got[2][:3]) == got[3]


def test_deflections_are_drawn_as_much_larger_as_the_slider_says(page):
    page.run("F.clock.time = 1.2; F.arms[0].setScale(1)")
    script = (
        "const a = F.arms[0], p = 3 * a.motion.spec.traced; a.slider.value = arguments[0];"
        "a.slider.dispatchEvent(new Event('input')); const m = a.motion;"
        "return [0, 1, 2].map((r) => m.bent[p + r] - m.rigid[p + r])"
    )
    once, fifty = np.array(page.run(script, 0)), np.array(page.run(script, 5))
    assert fifty == pytest.approx(50.0 * once)
    assert "50 times" in page.run("return F.arms[0].badge.textContent")


@pytest.mark.parametrize("box", ["ghostBox", "traceBox"])
def test_ghost_and_trace_can_be_hidden(page, box):
    page.run("F.clock.time = 1.2; F.arms[0].draw()")
    before = picture(page)
    page.run(f"F.arms[0].{box}.click()")
    without = picture(page)
    page.run(f"F.arms[0].{box}.click()")
    assert without != before == picture(page)


def test_mouse_and_keys_turn_zoom_and_reset_the_view(browser, written, spatial):
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    opened(browser, written, spatial, "spatial")
    canvas = browser.all(".stage canvas")[0]
    camera = "const c = F.arms[0].picture.camera; return [c.azimuth, c.elevation, c.zoom, c.shift[0], c.shift[1]]"
    home = browser.run(camera)
    ActionChains(browser.driver, duration=50).click_and_hold(canvas).move_by_offset(60, 20).release().perform()
    azimuth, elevation, *rest = browser.run(camera)
    assert azimuth < home[0] and elevation > home[1] and rest == home[2:]
    ActionChains(browser.driver, duration=20).send_keys_to_element(canvas, "0").perform()
    assert browser.run(camera) == home
    ActionChains(browser.driver, duration=20).send_keys_to_element(canvas, "+", Keys.ARROW_LEFT).perform()
    azimuth, _, zoom, *_ = browser.run(camera)
    assert azimuth != home[0] and zoom == pytest.approx(1.2)
    ActionChains(browser.driver, duration=20).send_keys_to_element(canvas, " ").perform()
    assert browser.run("return F.clock.playing")
    ActionChains(browser.driver, duration=20).send_keys_to_element(canvas, " ").perform()
    for button in browser.all(".views button"):
        browser.driver.execute_script("arguments[0].click()", button)
        assert browser.run("return F.arms[0].picture.camera.view") == button.text.lower()


def test_two_fingers_zoom_the_view(page):
    script = (
        "const c = F.arms[0].canvas; const fire = (kind, id, x) => c.dispatchEvent(new PointerEvent(kind,"
        "{ pointerId: id, clientX: x, clientY: 100, pointerType: 'touch', bubbles: true }));"
        "c.setPointerCapture = () => {}; fire('pointerdown', 1, 100); fire('pointerdown', 2, 200);"
        "fire('pointermove', 2, 300); fire('pointerup', 1, 100); fire('pointerup', 2, 300);"
        "return F.arms[0].picture.camera.zoom"
    )
    assert page.run(script) == pytest.approx(2.0)


def test_a_click_in_a_figure_moves_the_clock_and_a_drag_zooms_all_figures_over_time(page):
    from selenium.webdriver.common.action_chains import ActionChains

    body = page.all("figure.plot .canvas")[0]
    page.driver.execute_script("arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })", body)
    plot = "const p = F.plots[0];"
    wanted = page.run(f"{plot} return p.xScale.value((p.area.left + p.area.right) / 2 + 40)")
    offset = page.run(f"{plot} return (p.area.left + p.area.right) / 2 + 40 - p.body.clientWidth / 2")
    ActionChains(page.driver, duration=20).move_to_element_with_offset(body, round(offset), 0).click().perform()
    assert page.run("return F.clock.time") == pytest.approx(wanted, abs=0.01)
    ActionChains(page.driver, duration=50).click_and_hold(body).move_by_offset(100, 2).release().perform()
    low, high = page.run(f"{plot} return [p.xScale.low, p.xScale.high]")
    assert 0.9 < low < high < 1.6
    shared = page.run("return F.plots.filter((p) => p.spec.clock).map((p) => [p.xScale.low, p.xScale.high])")
    assert all(each == [low, high] for each in shared)
    ActionChains(page.driver, duration=5).double_click(body).perform()
    assert page.run(f"{plot} return [p.xScale.low, p.xScale.high]") == [0.0, 2.0]


def test_keys_read_zoom_and_move_the_clock_in_a_figure(page, planar):
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    body = page.all("figure.plot .canvas")[0]
    keys = ActionChains(page.driver, duration=20)
    keys.send_keys_to_element(body, Keys.HOME, *[Keys.ARROW_RIGHT] * 10, Keys.ENTER, "+").perform()
    at = page.run("return F.plots[0].pointed")
    assert page.settled("const result = F.clock.time") == pytest.approx(at)
    assert page.run("return F.plots[0].view.x !== null")
    joint = planar.labels("joint")[0]
    shown = page.run("return F.plots[0].values[0].textContent")
    assert float(shown.rstrip("°")) == pytest.approx(
        np.degrees(np.interp(at, planar.time, planar.values("joint_position")[:, 0])), rel=1e-3
    )
    assert joint in page.run("return F.plots[0].live.textContent")
    ActionChains(page.driver, duration=20).send_keys_to_element(body, "0").perform()
    assert page.run("return F.plots[0].view.x === null")


def test_a_line_can_be_hidden_and_shown(page):
    count = "return F.plots[0].marks.childElementCount"
    before = page.run(count)
    page.run("F.plots[0].legend.querySelector('button').click()")
    assert page.run(count) == before - 1
    assert page.run("return F.plots[0].legend.querySelector('button').getAttribute('aria-pressed')") == "false"


def test_moving_lines_follow_the_clock(page, planar):
    line = f"const s = {plot_named('Deflection along rod')}.series.find((s) => s.kind === 'moving');"
    got = page.settled(f"F.clock.set(1.2); {line} const result = 0") or page.run(f"{line} return [...s.y]")
    sample = int(np.argmin(np.abs(planar.time - 1.2)))
    # sideways of a planar link is the whole deflection; 400 frames stand for 1001 samples
    assert abs(got[-1]) == pytest.approx(np.linalg.norm(planar.values("point_deflection")[sample, 0]), rel=0.03)


def test_saved_numbers_are_the_run_to_the_last_bit(page, planar, tmp_path):
    page.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    title = "Deflection of the tip"
    page.run(
        f"const p = {plot_named(title)}; for (const b of p.tools.querySelectorAll('button')) if (!b.hidden) b.click()"
    )
    names = {f"planar-arm-stopping-a-steel-rod-deflection-of-the-tip.{kind}" for kind in ("csv", "svg", "png")}
    deadline = time.monotonic() + 10
    while {path.name for path in tmp_path.iterdir()} != names and time.monotonic() < deadline:
        time.sleep(0.05)
    assert {path.name for path in tmp_path.iterdir()} == names
    stem = tmp_path / next(iter(names)).rpartition(".")[0]
    rows = list(csv.reader(io.StringIO(stem.with_suffix(".csv").read_text("utf-8"))))
    assert rows[0] == ["time [s]", "x [m]", "y [m]", "distance [m]"]
    numbers = np.array(rows[1:], dtype=float)
    assert np.array_equal(numbers[:, 0], planar.time)
    assert np.array_equal(numbers[:, 1:3], planar.values("point_deflection")[:, 0, :2])
    assert stem.with_suffix(".png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in stem.with_suffix(".svg").read_text("utf-8")


def test_the_model_can_be_saved_from_the_page(page, planar):
    saved = page.run("document.querySelector('.listing .tools button').click(); return F.saved.at(-1)")
    assert saved["content"] == planar.arm_text


def test_light_and_dark_follow_the_system_and_the_switch(page):
    ground = "return getComputedStyle(document.body).backgroundColor"

    def seen_in(scheme: str) -> str:
        feature = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", feature)
        return page.run(ground)

    # the machine's own scheme, and that of a browser used before, are not known
    light, dark = seen_in("light"), seen_in("dark")
    assert light != dark
    before = picture(page)
    page.run("document.querySelector('button.theme').click()")
    assert page.run(ground) == light
    assert picture(page) != before
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


@pytest.mark.parametrize("width", [320, 400, 768, 1280])
def test_nothing_sticks_out_on_a_screen_of_any_width(browser, written, spatial, width):
    opened(browser, written, spatial, "spatial", width=width, height=800, phone=width < 500)
    assert browser.run("return document.documentElement.scrollWidth") <= width
    browser.keep(f"spatial-{width}")


@pytest.mark.parametrize("elements", [1, 200])
def test_pages_of_one_and_of_two_hundred_elements_load(browser, written, elements):
    opened(browser, written, rod(elements), f"elements-{elements}")
    assert browser.run("return F.arms[0].picture.drawnIn") > 0.0


def test_a_hundred_thousand_samples_load_with_their_extremes(browser, written):
    run = spun(50, 100_000)
    opened(browser, written, run, "long")
    low, high = browser.run(f"return {plot_named('hub')}.reach('y', {plot_named('hub')}.series)")
    torque = run.values("joint_torque")
    assert (low, high) == (torque.min(), torque.max())
    assert "long.nc" in browser.run("return document.querySelector('.thinned').textContent")


def test_fifty_points_and_a_thousand_frames_are_drawn_in_less_than_a_25th_of_a_second(browser, written):
    opened(browser, written, spun(50, 100_000), "long")
    script = (
        "const cost = []; for (let i = 0; i < 60; i++) { F.clock.time = i / 6; F.arms[0].draw();"
        "cost.push(F.arms[0].picture.drawnIn); } return cost.sort((a, b) => a - b)[30]"
    )
    assert browser.run(script) < 40.0
    browser.run("F.clock.play()")
    begun, first = time.monotonic(), browser.run("return F.clock.drawn")
    time.sleep(1.0)
    drawn = browser.run("F.clock.pause(); return F.clock.drawn") - first
    print(f"{drawn / (time.monotonic() - begun):.0f} pictures per second")


def test_pictures_are_kept_for_a_look(browser, written, planar, spatial):
    for run, name in ((planar, "planar"), (spatial, "spatial")):
        opened(browser, written, run, name)
        browser.settled(f"F.clock.set({0.6 * run.time[-1]}); const result = 0")
        assert browser.keep(name).stat().st_size > 10_000
        browser.settled("F.setTheme('dark'); const result = 0")
        browser.keep(f"{name}-dark")
