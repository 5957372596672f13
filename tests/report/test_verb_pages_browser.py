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
