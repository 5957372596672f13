"""The controls of the clock by which one browser plays its runs."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from flexarm.viewer.clock import Clock

_SPEEDS = {"1/100": 0.01, "1/20": 0.05, "1/10": 0.1, "1/4": 0.25, "1/2": 0.5, "1": 1.0, "2": 2.0, "4": 4.0, "10": 10.0}
# A run should take this long to be played (s), if a slower speed can make it so.
_LONG_ENOUGH = 3.0
# The time shown follows the clock this often (1/s); more would only load the page.
_SHOWN_PER_SECOND = 12.0


def fitting_speed(end: float) -> str:
    """The word for the fastest speed, real time at most, at which a run of `end` seconds can be followed."""
    slow = [word for word, speed in _SPEEDS.items() if speed <= 1.0 and end / speed >= _LONG_ENOUGH]
    return slow[-1] if slow else next(iter(_SPEEDS))


class Playback:
    """Play, pause, scrub and speed, for this browser alone."""

    def __init__(self, gui: Any, end: float, *, now: Callable[[], float], changed: Callable[[], None]) -> None:
        self.clock = Clock(end)
        self._now, self._changed = now, changed
        self._shown_at = -math.inf
        step = 10.0 ** math.floor(math.log10(max(end, 1e-9) / 1000.0))
        word = fitting_speed(end)
        self.clock.speed = _SPEEDS[word]
        with gui.add_folder("Time"):
            self._button = gui.add_button("play", icon="player-play")
            self._time = gui.add_slider("t [s]", 0.0, max(end, step), step, 0.0)
            self._speed = gui.add_dropdown("speed ×", tuple(_SPEEDS), initial_value=word)
            self._repeat = gui.add_checkbox("repeat", True)
        self._button.on_click(lambda _: self.toggle())
        self._time.on_update(self._scrubbed)
        self._speed.on_update(lambda _: self._hurried())
        self._repeat.on_update(lambda _: self._repeated())

    def toggle(self) -> None:
        """Play if it stands, pause if it plays."""
        now = self._now()
        if self.clock.playing:
            self.clock.pause(now)
        else:
            self.clock.play(now)
        self._changed()

    def show(self, now: float) -> float:
        """The time of the run (s), shown on the slider now and then."""
        time = self.clock.time(now)
        word = "pause" if self.clock.playing else "play"
        if self._button.label != word:
            self._button.label, self._button.icon = word, f"player-{word}"
        if not self.clock.playing or now - self._shown_at >= 1.0 / _SHOWN_PER_SECOND:
            self._time.value = time
            self._shown_at = now
        return time

    def _scrubbed(self, event: Any) -> None:
        # changes of the slider made by the clock itself have no client
        if event.client is None:
            return
        now = self._now()
        self.clock.pause(now)
        self.clock.seek(float(self._time.value), now)
        self._changed()

    def _hurried(self) -> None:
        self.clock.hurry(_SPEEDS[self._speed.value], self._now())
        self._changed()

    def _repeated(self) -> None:
        self.clock.repeats = bool(self._repeat.value)
        self._changed()
