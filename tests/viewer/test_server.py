"""The page is served to this machine alone, ends when it should, and works in a real browser."""

import contextlib
import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

import flexarm as fa

viser = pytest.importorskip("viser", reason="viser is missing: the live view is not served")

CHROMIUM, DRIVER = Path("/usr/bin/chromium"), Path("/usr/bin/chromedriver")
FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --enable-unsafe-swiftshader --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync --window-size=1000,700"
)


@pytest.fixture(scope="module")
def viewer(run_file, arm):
    """A view of a run and its arm."""
    with fa.view(run_file, arm) as served:
        yield served


def answers(host, port):
    """True if something listens there."""
    with contextlib.closing(socket.socket()) as tried:
        tried.settimeout(2.0)
        return tried.connect_ex((host, port)) == 0


def patiently(true, seconds=30.0):
    """What `true` returns once it is something, at last after some seconds."""
    begun = time.monotonic()
    while not (found := true()) and time.monotonic() < begun + seconds:
        time.sleep(0.05)
    return found


def test_the_page_is_served_on_loopback(viewer):
    with urllib.request.urlopen(viewer.address, timeout=10.0) as page:
        assert page.status == 200 and b"<html" in page.read()
    assert viewer.address == f"http://127.0.0.1:{viewer.port}"
    assert repr(viewer) == f"<Viewer of swing.nc, two links under gravity at {viewer.address}>"


def test_it_is_not_reached_at_any_other_address(viewer):
    assert answers("127.0.0.1", viewer.port)
    others = {"127.0.0.2"}  # this machine too, but not where it listens
    with contextlib.suppress(OSError):
        others |= {place[4][0] for place in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    assert not any(answers(other, viewer.port) for other in others - {"127.0.0.1"})


def test_nobody_can_ask_for_a_tunnel_to_the_outside(viewer):
    assert viewer._server.request_share_url() is None
    assert viewer._server._share_tunnel is None


def test_a_taken_port_and_a_foreign_address_are_refused(viewer, arm):
    with pytest.raises(fa.FlexarmError, match=f"nothing can listen at 127.0.0.1, port {viewer.port} .*, choose"):
        fa.view(arm, port=viewer.port)
    with pytest.raises(fa.FlexarmError, match=r"nothing can listen at 192\.0\.2\.1, port 0"):
        fa.view(arm, host="192.0.2.1")
    with pytest.raises(fa.FlexarmError, match="port is 70000, must be from 1 to 65535"):
        fa.view(arm, port=70000)


def test_a_closed_view_has_left_its_port(run_file):
    viewer = fa.view(run_file)
    assert answers("127.0.0.1", viewer.port)
    viewer.close()
    viewer.close()
    assert not answers("127.0.0.1", viewer.port)
    assert repr(viewer) == "<Viewer of swing.nc closed>"


def test_without_viser_one_sentence_says_what_to_install(monkeypatch, arm):
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *more: None if name == "viser" else found(name))
    with pytest.raises(fa.FlexarmError, match=r"needs the package viser.*pip install 'flexarm\[viewer\]'"):
        fa.view(arm)


def test_nothing_and_too_much_are_refused(arm, tmp_path):
    for shown in ((), (arm,) * 5):
        with pytest.raises(fa.FlexarmError, match="must be 1 to 4"):
            fa.view(*shown)
    with pytest.raises(fa.FlexarmError, match=r"nowhere\.nc"):
        fa.view(tmp_path / "nowhere.nc")


def test_the_command_prints_the_address_and_ends_cleanly_on_ctrl_c(run_file):
    command = [sys.executable, "-m", "flexarm", "view", str(run_file), str(run_file), "--json"]
    served = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )
    try:
        assert served.stderr.readline() == "Ctrl-C ends it\n"
        served.send_signal(signal.SIGINT)
        out, err = served.communicate(timeout=30.0)
    finally:
        served.kill()
    assert (served.returncode, err) == (0, "")
    facts = json.loads(out)
    assert facts["address"].startswith("http://127.0.0.1:") and facts["files"] == [str(run_file)] * 2


def test_a_run_is_viewed_without_the_engine(run_file):
    code = f"import sys, flexarm; v = flexarm.view({str(run_file)!r}); print('numba' in sys.modules); v.close()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


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


def test_two_browsers_see_the_page_and_each_has_its_own_time(viewer, browser):
    def button(word):
        return next((each for each in browser.find_elements("css selector", "button") if each.text == word), None)

    browser.get(viewer.address)
    assert patiently(lambda: len(viewer.sessions) == 1)
    assert patiently(lambda: button("play"))
    browser.switch_to.new_window("window")
    browser.get(viewer.address)
    assert patiently(lambda: len(viewer.sessions) == 2)
    assert patiently(lambda: button("play"))
    first, second = viewer.sessions
    browser.execute_script("arguments[0].click()", button("play"))
    assert patiently(lambda: second.time > 0.0)
    assert patiently(lambda: button("pause"))
    assert first.time == 0.0
    text = browser.execute_script("return document.body.innerText")
    assert "swing.nc" in text and "deflection of the tip" in text
    complaints = [entry["message"] for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]
    # browsers ask for an icon that nobody has promised
    assert [each for each in complaints if "favicon" not in each] == []
    # the picture is drawn: its middle is not all of one colour
    canvas = "return document.querySelector('canvas').getContext('webgl2') !== null"
    assert browser.execute_script(canvas)
    browser.close()
    assert patiently(lambda: len(viewer.sessions) == 1)
    browser.switch_to.window(browser.window_handles[0])
    assert viewer.sessions == (first,) and first.time == 0.0
