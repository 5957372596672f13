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

import pytest

import flexarm as fa

# a browser on a busy machine answers late at times
pytestmark = pytest.mark.flaky(reruns=2, reruns_delay=1)

viser = pytest.importorskip("viser", reason="viser is missing: the live view is not served")


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


def patiently(true, seconds=90.0):
    """What `true` returns once it is something, at last after some seconds: shaders take a busy machine their time."""
    begun = time.monotonic()
    while not (found := true()) and time.monotonic() < begun + seconds:
        time.sleep(0.05)
    return found


def test_the_page_is_served_on_loopback(viewer):
    with urllib.request.urlopen(viewer.address, timeout=10.0) as page:
        assert page.status == 200 and b"<html" in page.read()
    assert viewer.address.startswith(f"http://127.0.0.1:{viewer.port}/")
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


@contextlib.contextmanager
def visitor(viewer):
    """A second client of the page without a window: it says where its camera is, as a browser does first of all."""
    import msgspec.msgpack
    from websockets.sync.client import connect

    place = {"wxyz": (1.0, 0.0, 0.0, 0.0), "position": (0.0, 0.0, 3.0), "look_at": (0.0, 0.0, 0.0)}
    lens = {"up_direction": (0.0, 1.0, 0.0), "fov": 0.7, "near": 0.1, "far": 10.0}
    camera = {"type": "ViewerCameraMessage", **place, **lens, "image_height": 100, "image_width": 100}
    spoken = [f"viser-v{viser.__version__}"]
    with connect(viewer.address.replace("http:", "ws:"), subprotocols=spoken, max_size=None) as line:
        line.send(msgspec.msgpack.encode(camera))
        yield


@pytest.mark.filterwarnings("ignore:Queued a .* on a closed connection")
def test_the_page_plays_in_a_browser_and_a_second_one_keeps_its_own_time(viewer, browser):
    def button(word, then=""):
        found = "const b = [...document.querySelectorAll('button')].find(b => b.innerText.trim() === arguments[0]);"
        return browser.execute_script(f"{found} {then} return b !== undefined", word)

    browser.get(viewer.address)
    assert patiently(lambda: len(viewer.sessions) == 1)
    with visitor(viewer):
        assert patiently(lambda: len(viewer.sessions) == 2)
        first, second = viewer.sessions
        assert patiently(lambda: button("play"))
        button("play", "b.click();")
        assert patiently(lambda: first.time > 0.0) and second.time == 0.0
        first.playback.toggle()
        stopped = first.time
        second.playback.toggle()
        assert patiently(lambda: second.time > 0.0) and first.time == stopped
        # and so the page is notified
        assert patiently(lambda: f"t = {stopped:.4f} s" in browser.execute_script("return document.body.innerText"))
    assert patiently(lambda: viewer.sessions == (first,))
    text = browser.execute_script("return document.body.innerText")
    assert "swing.nc" in text and "deflection of the tip" in text
    complaints = [entry["message"] for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]
    # browsers ask for an icon that nobody has promised
    assert [each for each in complaints if "favicon" not in each] == []
