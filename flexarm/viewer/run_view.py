"""A run to be played in one browser: the arm, its trace, and the numbers of the moment."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexarm.report.arrays import extremes_kept
from flexarm.viewer.look import Look
from flexarm.viewer.playing import Played
from flexarm.viewer.stage import Colour, Stage
from flexarm.viewer.tables import run_summary_html, run_table

# Numbers change so often (1/s) while the run is played; nobody reads faster.
_UPDATES_PER_SECOND = 5.0
_PLOTTED = 500


class RunView:
    """One run on one browser's scene, with its panel."""

    def __init__(self, gui: Any, scene: Any, played: Played, *, name: str, colour: Colour, title: str = "") -> None:
        self.played = played
        self.drawing = played.drawing
        self._stage = Stage(scene, name, played.drawing, colour, title)
        self._path_for, self._path = 1.0, played.path(1.0)
        self._updated_at, self._updated_time = -np.inf, -1.0
        gui.add_html(run_summary_html(played))
        self._numbers = gui.add_html(run_table(played, 0.0))
        times, deflection = played.tip_deflection_history()
        self._times, deflection = _thinned(times, 1e3 * deflection)
        self._plotted = deflection
        self._plot = None
        if len(self._times) > 1:
            self._plot = gui.add_uplot(
                (self._times, deflection, self._marked(0.0)),
                (
                    {"label": "t [s]"},
                    {"label": "tip [mm]", "stroke": _css(colour), "width": 1.5},
                    {"label": "now", "stroke": "#000", "points": {"show": True, "size": 9, "fill": _css(colour)}},
                ),
                title="deflection of the tip [mm] over time [s]",
                # of a series with gaps it would not find the range by itself
                scales={"x": {"time": False}, "y": {"auto": False, "min": 0.0, "max": 1.05 * _top(deflection)}},
                legend={"show": False},
                aspect=1.9,
            )

    @property
    def largest(self) -> float:
        """The largest deflection of any drawn point at any time (m)."""
        return self.played.largest

    def update(self, look: Look, time: float, now: float, *, playing: bool) -> None:
        """Draw the run at a time (s)."""
        played = self.played
        time = min(time, played.end)
        joints = played.joints(time)
        rest, frames = self.drawing.unbent(joints)
        self._stage.show(rest + look.scale * played.bent(time), frames)
        self._stage.show_ghost(rest, frames, look.ghost)
        if look.scale != self._path_for:
            self._path_for, self._path = look.scale, played.path(look.scale)
        self._stage.show_trace(self._path, int(np.searchsorted(played.times, time, side="right")) - 1, look.trace)
        if time != self._updated_time and (not playing or now - self._updated_at >= 1.0 / _UPDATES_PER_SECOND):
            self._updated_at, self._updated_time = now, time
            self._numbers.content = run_table(played, time)
            if self._plot is not None:
                self._plot.data = (self._times, self._plotted, self._marked(time))

    def move(self, offset: np.ndarray) -> None:
        """Set the arm aside by so much (m)."""
        self._stage.move(offset)

    def _marked(self, time: float) -> np.ndarray:
        """A series that has a value at the moment alone."""
        series = np.full(len(self._times), np.nan)
        where = int(np.argmin(np.abs(self._times - time)))
        series[where] = self._plotted[where]
        return series


def _thinned(times: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The samples thinned to what can be displayed; the least and greatest of every stretch are kept."""
    times, values = np.asarray(times, float), np.asarray(values, float)
    kept = extremes_kept([values], _PLOTTED)
    return times[kept], values[kept]


def _top(values: np.ndarray) -> float:
    return float(values.max()) or 1.0


def _css(colour: Colour) -> str:
    return "#" + "".join(f"{part:02x}" for part in colour)
