"""The session of one browser: its own posture, clock, look and camera, shared with no other."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.model import Arm
from flexarm.viewer.look import Look
from flexarm.viewer.playback import Playback
from flexarm.viewer.playing import Played
from flexarm.viewer.run_view import RunView
from flexarm.viewer.stage import BEAM_COLOURS, Colour

if TYPE_CHECKING:
    from flexarm.viewer.arm_view import ArmView

FRAME = 1.0 / 30.0  # s between two pictures while something moves
_PATIENCE = 4.0  # s a browser is waited for
GAP = 1.25  # between arms side by side, in reaches


class Session:
    """The panels and the scene of one browser. Whatever its controls ask for is done by one thread, and what was asked
    several times meanwhile is done once.
    """

    def __init__(
        self, client: Any, shown: Sequence[tuple[str, Arm | Played]], *, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._client, self._now = client, now
        self._wake, self._ended = threading.Event(), threading.Event()
        self._thread: threading.Thread | None = None
        self._failure = ""
        self._answers = True
        gui = client.gui
        runs = [played for _, played in shown if isinstance(played, Played)]
        self.playback = Playback(gui, max(played.end for played in runs), now=now, changed=self.wake) if runs else None
        # the look stands above what it is fitted to: its place is taken first
        place = gui.add_folder(None)
        self.arms: list[ArmView] = []
        self.runs: list[RunView] = []
        self.views: list[ArmView | RunView] = []
        tabs = gui.add_tab_group() if len(shown) > 1 else None
        for number, (title, what) in enumerate(shown):
            with tabs.add_tab(title) if tabs is not None else gui.add_folder(None):
                # one alone needs no title on the scene
                self._add(f"{number}", what, BEAM_COLOURS[number % len(BEAM_COLOURS)], title if tabs else "")
        self._reach = max(view.drawing.reach for view in self.views)
        with place:
            self.look = Look(
                gui,
                largest=max(view.largest for view in self.views),
                reach=self._reach,
                runs=bool(runs),
                several=len(shown) > 1,
                changed=self.wake,
            )

    def _add(self, name: str, what: Arm | Played, colour: Colour, title: str) -> None:
        gui, scene = self._client.gui, self._client.scene
        if isinstance(what, Played):
            run = RunView(gui, scene, what, name=name, colour=colour, title=title)
            self.runs.append(run)
            self.views.append(run)
        else:
            from flexarm.viewer.arm_view import ArmView  # the engine, which runs do without

            arm = ArmView(gui, scene, what, name=name, colour=colour, changed=self.wake, title=title)
            self.arms.append(arm)
            self.views.append(arm)

    @property
    def time(self) -> float:
        """The time of the runs (s)."""
        return self.playback.clock.time(self._now()) if self.playback is not None else 0.0

    def wake(self) -> None:
        """Something was touched: draw soon."""
        self._wake.set()

    def step(self) -> float | None:
        """One picture; how long (s) until the next one is wanted, None if nothing moves."""
        now = self._now()
        time = self.playback.show(now) if self.playback is not None else 0.0
        playing = self.playback is not None and self.playback.clock.playing
        with self._client.atomic():
            for number, view in enumerate(self.views):
                view.move(np.array([GAP * self._reach * number if self.look.apart else 0.0, 0.0, 0.0]))
            for run in self.runs:
                run.update(self.look, time, now, playing=playing)
            for arm in self.arms:
                arm.update(self.look, now)
        if not playing and not any(arm.moving for arm in self.arms):
            return None
        return max(FRAME - (self._now() - now), 0.2 * FRAME)

    def begin(self) -> None:
        """Draw from now on, in a thread of its own."""
        self._wake.set()
        self._thread = threading.Thread(target=self._draw, name="flexarm view", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Draw no more; returns when the thread has ended."""
        self._ended.set()
        self._wake.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(timeout=5.0)

    def _draw(self) -> None:
        pause: float | None = None
        while True:
            self._wake.wait(pause)
            if self._ended.is_set():
                return
            self._wake.clear()
            try:
                pause = self.step()
                self._await_browser()
            except Exception as error:
                # a browser that leaves while it is drawn for is no fault; anything else must not go unseen
                if self._ended.is_set():
                    return
                self._report(error)
                pause = None

    def _await_browser(self) -> None:
        """Wait until the browser has taken what was sent: one that is slow, or hidden, gets fewer pictures, not a
        queue of old ones.
        """
        if not self._answers:
            return
        try:
            # any question will do, its answer comes after everything that was sent before
            self._client.local_storage.get_item("flexarm", timeout=_PATIENCE)
        except TimeoutError:
            pass
        except RuntimeError:
            # it has left, or keeps nothing; then it cannot be waited for
            self._answers = False

    def _report(self, error: Exception) -> None:
        sentence = f"{type(error).__name__}: {error}"
        if sentence != self._failure:
            self._failure = sentence
            self._client.add_notification("flexarm could not draw this", sentence, color="red")
