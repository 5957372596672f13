"""Foreign pages and malformed messages do not reach the live view."""

import http.server
import threading
import time
import urllib.error
import urllib.request

import pytest

import flexarm as fa
from flexarm.viewer.guard import Guard

viser = pytest.importorskip("viser", reason="viser is missing: the live view is not served")
pytestmark = pytest.mark.flaky(reruns=2, reruns_delay=1)


@pytest.fixture(scope="module")
def viewer(arm):
    with fa.view(arm) as served:
        yield served


def connected(viewer, address=None, **options):
    from websockets.sync.client import connect

    address = address or viewer.address.replace("http:", "ws:")
    return connect(address, subprotocols=[f"viser-v{viser.__version__}"], max_size=None, **options)


def test_without_the_key_nothing_is_answered(viewer):
    from websockets.exceptions import InvalidStatus

    for path in ("", "index.html", "wrong/index.html"):
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(f"http://127.0.0.1:{viewer.port}/{path}", timeout=10.0)
    with pytest.raises(InvalidStatus, match="403"):
        connected(viewer, f"ws://127.0.0.1:{viewer.port}/")


def test_a_foreign_origin_and_a_foreign_name_are_refused(viewer):
    from websockets.exceptions import InvalidStatus

    with pytest.raises(InvalidStatus, match="403"):
        connected(viewer, origin="http://evil.example")
    with pytest.raises(InvalidStatus, match="403"):
        connected(viewer, origin=f"http://localhost:{viewer.port}")  # this machine, but another site
    # a name that was made to point to this machine
    request = urllib.request.Request(viewer.address, headers={"Host": f"evil.example:{viewer.port}"})
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(request, timeout=10.0)
    with connected(viewer, origin=f"http://127.0.0.1:{viewer.port}"):
        pass


def test_a_server_for_all_addresses_still_asks_for_key_and_origin():
    guard = Guard("0.0.0.0")
    guard.port = 8080
    named = {"Host": "lab-pc:8080"}
    assert guard.refusal(f"/{guard.token}", {**named, "Origin": "http://lab-pc:8080"}) is None
    assert guard.refusal(f"/{guard.token}", {**named, "Origin": "http://evil.example"}) is not None
    assert guard.refusal("/", named) is not None


@pytest.mark.filterwarnings("ignore:Queued a .* on a closed connection")
def test_malformed_messages_end_the_connection_without_a_traceback(viewer, capfd, caplog):
    import msgspec.msgpack
    from websockets.exceptions import ConnectionClosed

    pack = msgspec.msgpack.encode
    rubbish = [
        "text",
        b"",
        b"\xff\x00",
        pack([1, 2]),
        pack({"type": "NoSuchMessage"}),
        pack({"type": "ViewerCameraMessage"}),
        pack({"type": "GuiUpdateMessage", "uuid": "nobody", "updates": {"value": 3}}),
        pack({"type": "GuiUpdateMessage", "uuid": 7, "updates": "rubbish"}),
    ]
    for message in rubbish:
        try:
            with connected(viewer) as line:
                line.send(message)
                time.sleep(0.1)
        except ConnectionClosed:
            pass
    time.sleep(0.3)
    said = "".join(capfd.readouterr()) + caplog.text
    assert "Traceback" not in said, said
    with urllib.request.urlopen(viewer.address, timeout=10.0) as page:
        assert page.status == 200


def test_a_page_of_another_site_cannot_drive_the_view(viewer, browser):
    """A page served elsewhere on this machine tries every address it can guess, and the key if it knew it."""
    tried = [f"ws://127.0.0.1:{viewer.port}/", viewer.address.replace("http:", "ws:")]
    script = f"""<script>
      window.outcomes = [];
      for (const place of {tried!r}) {{
        const line = new WebSocket(place, "viser-v{viser.__version__}");
        line.onopen = () => outcomes.push("open");
        line.onerror = () => outcomes.push("refused");
      }}
    </script>"""

    class Foreign(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(script.encode())

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Foreign)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        browser.get(f"http://localhost:{server.server_port}/")
        until = time.monotonic() + 30.0
        while len(found := browser.execute_script("return window.outcomes")) < len(tried) and time.monotonic() < until:
            time.sleep(0.05)
    finally:
        server.shutdown()
    assert found == ["refused", "refused"]
    assert viewer.sessions == ()
