"""Pages of statics, torques, linearise, check and reproduce in headless Chromium: they load and draw all there is."""

import pytest

from tests.report.verb_results import VERBS, verb_result

# a browser on a busy machine answers late at times
pytestmark = pytest.mark.flaky(reruns=2, reruns_delay=1)


@pytest.mark.parametrize("name", VERBS)
def test_every_page_opens_without_complaint_draws_all_and_fits_a_phone(browser, written, name):
    browser.open(written(verb_result(name), f"verb-{name}"), width=390, height=844, phone=True)
    assert browser.run("return F.ready")
    assert browser.run("return document.documentElement.scrollWidth") <= 390
    wide = browser.run(
        "return [...document.querySelectorAll('.card')].filter((c) => c.scrollWidth > c.clientWidth + 1).length"
    )
    assert wide == 0
    drawn = browser.run(
        "return F.plots.map((p) => p.root.querySelectorAll('path, circle, rect').length).filter((n) => n < 2).length"
    )
    assert drawn == 0
    assert browser.run("return F.arms.length") == (1 if name in ("statics", "check") else 0)
    # a still arm has no clock; torques run over time
    assert browser.run("return F.clock.running") == (name == "torques")
    assert browser.complaints() == []


def test_gain_and_phase_are_of_the_input_and_output_that_are_chosen(browser, written):
    browser.open(written(verb_result("linearise"), "verb-linearise-choice"))
    seen = "return F.plots.filter((p) => p.spec.choose).map((p) => p.shownSeries().map((s) => s.name))"
    assert browser.run(seen) == [["tip_x by rod_torque, m per N m"]] * 2
    browser.run(
        "const plot = F.plots.find((p) => p.spec.choose); const output = plot.selects[1];"
        "output.value = String(plot.spec.choose[1].indexOf('rod_position')); output.onchange();"
    )
    # both figures follow the lists of either
    assert browser.run(seen) == [["rod_position by rod_torque, rad per N m"]] * 2
    assert browser.complaints() == []
