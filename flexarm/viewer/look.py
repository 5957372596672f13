"""How everything is drawn for one browser: how much enlarged, with or without ghost and trace, side by side or not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flexarm.report.arm.moving import drawn_scale

SIDE_BY_SIDE, OVERLAID = "side by side", "one over the other"


class Look:
    """The controls of one browser for what all arms on its scene have in common."""

    def __init__(
        self, gui: Any, *, largest: float, reach: float, runs: bool, several: bool, changed: Callable[[], None]
    ) -> None:
        fitted = float(drawn_scale(largest, reach))
        self._fitted = f"{_factor(fitted)} (fitted)"
        self._factors = {self._fitted: fitted}
        self._factors |= {_factor(step): step for step in _steps(max(fitted, 100.0))}
        with gui.add_folder("View"):
            self._scale = gui.add_dropdown(
                "bending", tuple(self._factors), initial_value=self._fitted, hint="deflections are enlarged by this"
            )
            self._ghost = gui.add_checkbox("rigid arm", True, hint="where the arm would be if nothing bent")
            self._trace = gui.add_checkbox("trace of the tip", True, visible=runs)
            self._layout = gui.add_dropdown(
                "arms", (SIDE_BY_SIDE, OVERLAID), initial_value=SIDE_BY_SIDE, visible=several
            )
        for control in (self._scale, self._ghost, self._trace, self._layout):
            control.on_update(lambda _: changed())

    @property
    def scale(self) -> float:
        """The factor on deflections."""
        return self._factors[self._scale.value]

    @property
    def ghost(self) -> bool:
        """Whether the rigid arm is shown."""
        return bool(self._ghost.value)

    @property
    def trace(self) -> bool:
        """Whether the path of the tip is shown."""
        return bool(self._trace.value)

    @property
    def apart(self) -> bool:
        """Whether arms stand side by side."""
        return bool(self._layout.value == SIDE_BY_SIDE)


def _steps(largest: float) -> list[float]:
    steps, power = [0.0], 1.0
    while power <= largest * 10.0:
        steps += [power, 2.0 * power, 5.0 * power]
        power *= 10.0
    return steps


def _factor(value: float) -> str:
    return f"× {value:g}"
