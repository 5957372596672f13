"""The page of the live view: a server on this machine, and a session for every browser that opens it."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import socket
import threading
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from flexarm.errors import AnalysisError
from flexarm.model import Arm
from flexarm.model.link_frames import link_frames
from flexarm.viewer.guard import EVERYWHERE, Guard
from flexarm.viewer.playing import Played
from flexarm.viewer.session import GAP, Session
from flexarm.viewer.surroundings import furnish

_ASIDE = np.concatenate([np.eye(3), -np.eye(3)])
LOOPBACK = "127.0.0.1"
MISSING = (
    "the live view needs the package viser, which is not installed: pip install 'flexarm[viewer]', or pip install viser"
)
UNGUARDED = (
    "the installed viser listens in a way that cannot be guarded against foreign pages: pip install 'viser>=1.1,<2'"
)


class Viewer:
    """A live view that is being served until it is closed."""

    def __init__(self, shown: Sequence[tuple[str, Arm | Played]], *, host: str = LOOPBACK, port: int = 0) -> None:
        if importlib.util.find_spec("viser") is None:
            raise AnalysisError(MISSING)
        _check_free(host, port)
        self._shown = tuple(shown)
        self._sessions: dict[int, Session] = {}
        self._lock = threading.Lock()
        self._closed = threading.Event()
        places = _places(self._shown)
        # a browser may leave while it is being drawn for
        warnings.filterwarnings("ignore", message="Queued a .* on a closed connection")
        self._guard = Guard(host)
        with _silent(), self._guard.installing():
            self._server = _server(host, port)
        self.host, self.port = host, int(self._server.get_port())
        self._guard.port = self.port
        if not self._guard.installed:
            self._server.stop()
            raise AnalysisError(UNGUARDED)
        server = self._server
        server.gui.configure_theme(show_logo=False, show_share_button=False, brand_color=(0, 114, 178))
        server.gui.set_panel_label(" · ".join(title for title, _ in self._shown))
        server.gui.main_panel.dock_right()
        furnish(server.scene, server.initial_camera, places.arms, places.reach, places.floor)
        server.on_client_connect(self._welcome)
        server.on_client_disconnect(self._farewell)

    @property
    def address(self) -> str:
        """The address of the page; its last part is the key without which no request is answered."""
        host = "localhost" if self.host in EVERYWHERE else self.host
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/{self._guard.token}"

    @property
    def sessions(self) -> tuple[Session, ...]:
        """The sessions of the browsers that look at the page now, oldest first."""
        with self._lock:
            return tuple(self._sessions.values())

    def __repr__(self) -> str:
        state = "closed" if self._closed.is_set() else f"at {self.address}"
        return f"<Viewer of {', '.join(title for title, _ in self._shown)} {state}>"

    def __enter__(self) -> Viewer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def wait(self) -> None:
        """Serve until the view is closed or Ctrl-C is pressed."""
        with contextlib.suppress(KeyboardInterrupt):
            # a wait without end would not hear Ctrl-C on every system
            while not self._closed.wait(0.5):
                pass
        # pressed once more it changes nothing: the threads are daemons and end with the program
        with contextlib.suppress(KeyboardInterrupt):
            self.close()

    def close(self) -> None:
        """End all sessions and free the port."""
        if self._closed.is_set():
            return
        self._closed.set()
        for session in self.sessions:
            session.close()
        with _silent():
            self._server.stop()

    def _welcome(self, client: Any) -> None:
        """A browser has opened the page."""
        session = Session(client, self._shown)
        with self._lock:
            if self._closed.is_set():
                return
            self._sessions[client.client_id] = session
        session.begin()

    def _farewell(self, client: Any) -> None:
        """A browser has left."""
        with self._lock:
            session = self._sessions.pop(client.client_id, None)
        if session is not None:
            session.close()


class _Places:
    """The extent of the arms, for ground and camera."""

    def __init__(self) -> None:
        self.arms: list[tuple[Arm, np.ndarray]] = []
        self.reach = 0.0
        self.floor = 0.0


def _places(shown: Sequence[tuple[str, Arm | Played]]) -> _Places:
    """Points each arm comes to, set aside as the sessions will do it at first; kernels are compiled on the way."""
    places = _Places()
    found = []
    for _, what in shown:
        if isinstance(what, Played):
            drawing = what.drawing
            joints = {name: what.run.signal("joint_position", joint=name) for name in what.joint_names}
            line = drawing.rigid_line(joints, link_frames(what.arm, joints)).reshape(-1, 3)
        else:
            from flexarm.viewer.posing import Poser  # the engine, which runs do without

            poser = Poser(what)
            posed = poser.posed(poser.start(), poser.masses())
            drawing = poser.drawing
            # it is going to be moved: leave some room about it
            line = np.concatenate([posed.rest, *(posed.rest + 0.15 * drawing.reach * e for e in _ASIDE)])
        places.reach = max(places.reach, drawing.reach)
        places.floor = max(places.floor, -drawing.foot)
        found.append((drawing.arm, np.concatenate([line, np.zeros((1, 3))])))
    for number, (arm, line) in enumerate(found):
        places.arms.append((arm, line + np.array([GAP * places.reach * number, 0.0, 0.0])))
    return places


def _server(host: str, port: int) -> Any:
    """viser's server without its tunnel to the outside."""
    import viser

    class Local(viser.ViserServer):
        """A server whose page nobody can ask to be tunnelled to a public address."""

        def request_share_url(self, verbose: bool = True) -> str | None:
            """None: the view stays where it was bound to."""
            return None

    return Local(host=host, port=port, verbose=False)


def _check_free(host: str, port: int) -> None:
    """Refuse an address that cannot be listened on; the server itself would go on to another port, or wait for ever."""
    if not 0 <= port <= 65535:
        raise AnalysisError(f"port is {port}, must be from 1 to 65535, or 0 for any that is free")
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(place)
    except OSError as error:
        reason = error.strerror or str(error)
        raise AnalysisError(f"nothing can listen at {host}, port {port} ({reason}), choose another") from None


@contextlib.contextmanager
def _silent() -> Iterator[None]:
    """Keep viser's own greetings off the terminal: stdout is for what the caller prints."""
    with contextlib.redirect_stdout(io.StringIO()):
        yield
