"""An arm to be posed by hand in one browser: sliders, its sag, its modes, and a table of the numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from flexarm.model import Arm, Link
from flexarm.viewer.look import Look
from flexarm.viewer.posing import Posed, Poser
from flexarm.viewer.stage import Colour, Stage
from flexarm.viewer.tables import modes_table, note, statics_table

_NONE = "none"
# A mode swings to this part of the reach, once in so many seconds: what is shown is its shape, not its speed.
_SWING = 0.06
_SWING_SECONDS = 1.6
_DEGREES, _MILLIMETRES = 180.0 / math.pi, 1e3


class ArmView:
    """One arm on one browser's scene, with its panel."""

    moving = False  # true while a mode is swung

    def __init__(
        self,
        gui: Any,
        scene: Any,
        arm: Arm,
        *,
        name: str,
        colour: Colour,
        changed: Callable[[], None],
        title: str = "",
    ) -> None:
        self._poser = Poser(arm)
        self.drawing = self._poser.drawing
        self._stage = Stage(scene, name, self.drawing, colour, title)
        self._changed = changed
        self._stale = True
        self._sliders: list[tuple[Any, float]] = []
        self._joints, self._masses = self._poser.start(), self._poser.masses()
        self.units = {link.name: link.joint.unit for link in arm.links}
        self.posed = self._poser.posed(self._joints, self._masses)
        if self._joints:
            with gui.add_folder("Joints"):
                for joint, at in self._joints.items():
                    self._add_joint(gui, self._poser.arm.link(joint), at)
                gui.add_button("back to the start", icon="home").on_click(lambda _: self._go_home())
        with gui.add_folder("Payload"):
            for (link, number), mass in self._masses.items():
                self._add_mass(gui, link, number, mass)
        with gui.add_folder("Modes"):
            self._mode = gui.add_dropdown("swing", self._mode_words(), initial_value=_NONE)
            self._amplitude = gui.add_slider("how far", 0.2, 3.0, 0.1, 1.0, hint="of the swing that is shown")
            self._free = gui.add_checkbox("joints free", False, hint="free to move on their springs, else held")
            self._modes = gui.add_html("")
        with gui.add_folder("Statics"):
            self._statics = gui.add_html("")
        for control in (self._mode, self._free):
            control.on_update(lambda _: self._touch())
        self._amplitude.on_update(lambda _: changed())

    @property
    def largest(self) -> float:
        """The largest sag of any drawn point (m)."""
        return float(np.max(np.linalg.norm(self.posed.sag, axis=-1), initial=0.0))

    @property
    def line(self) -> np.ndarray:
        """The line that is drawn unless a mode swings (points, 3), not enlarged (m)."""
        return self.posed.rest + self.posed.sag

    def update(self, look: Look, now: float) -> None:
        """Find the arm anew if it was touched, and draw it."""
        if self._stale:
            self._stale = False
            self.posed = self._poser.posed(dict(self._joints), dict(self._masses), free=bool(self._free.value))
            self._show_numbers()
        line = self.posed.rest + look.scale * self.posed.sag
        twist = look.scale * self.posed.twist
        chosen = self._chosen()
        self.moving = chosen is not None
        if chosen is not None:
            phase = math.sin(2.0 * math.pi * now / _SWING_SECONDS)
            swing = _SWING * self.drawing.reach * float(self._amplitude.value) * phase
            line = line + swing * self.posed.shapes[chosen]
            twist = twist + swing * self.posed.twist_shapes[chosen]
        self._stage.show(line, self.posed.frames, twist, self._masses)
        self._stage.show_ghost(self.posed.rest, self.posed.frames, look.ghost)

    def move(self, offset: np.ndarray) -> None:
        """Set the arm aside by so much (m)."""
        self._stage.move(offset)

    def _touch(self) -> None:
        self._stale = True
        self._changed()

    def _add_joint(self, gui: Any, link: Link, at: float) -> None:
        """A slider in degrees or millimetres."""
        low, high = joint_range(link, at, self.drawing.reach)
        factor, unit = (_DEGREES, "°") if link.joint.type == "revolute" else (_MILLIMETRES, "mm")
        step = 0.1 if link.joint.type == "revolute" else round_step(factor * (high - low))
        start = min(max(factor * at, factor * low), factor * high)
        slider = gui.add_slider(f"{link.name} [{unit}]", factor * low, factor * high, step, start)

        def moved(_: Any) -> None:
            self._joints[link.name] = min(max(float(slider.value) / factor, low), high)
            self._touch()

        slider.on_update(moved)
        self._sliders.append((slider, start))

    def _add_mass(self, gui: Any, link: str, number: int, mass: float) -> None:
        most = payload_range(self._poser.arm.link(link), mass)
        only = len(self._poser.arm.link(link).payloads) == 1
        word = f"{link} [kg]" if only else f"{link}, {number + 1} [kg]"
        hint = "mass of the payload; its inertia stays"
        slider = gui.add_slider(word, 0.0, most, round_step(most), min(mass, most), hint=hint)

        def moved(_: Any) -> None:
            self._masses[link, number] = float(slider.value)
            self._touch()

        slider.on_update(moved)

    def _go_home(self) -> None:
        for slider, start in self._sliders:
            slider.value = start  # which notifies the joint

    def _chosen(self) -> int | None:
        """The mode that swings, None if none does."""
        if self._mode.value == _NONE:
            return None
        index = int(str(self._mode.value).rpartition(" ")[2]) - 1
        return index if index < len(self.posed.shapes) else None

    def _mode_words(self) -> tuple[str, ...]:
        return (_NONE, *(f"mode {k + 1}" for k in range(len(self.posed.shapes))))

    def _show_numbers(self) -> None:
        posed: Posed = self.posed
        if self._mode_words() != tuple(self._mode.options):
            self._mode.options = self._mode_words()
        self._modes.content = modes_table(posed.modes, self._chosen()) + note(posed.remark)
        self._statics.content = statics_table(posed, self.units)


def joint_range(link: Link, at: float, reach: float) -> tuple[float, float]:
    """The least and greatest coordinate (rad or m) a joint is moved to by hand, its start within them."""
    if link.joint.type == "revolute":
        turns = 2.0 * math.pi * round(at / (2.0 * math.pi))
        return turns - math.pi, turns + math.pi
    if link.joint.sleeve:
        return 0.0, link.length
    return at - 0.5 * reach, at + 0.5 * reach


def payload_range(link: Link, mass: float) -> float:
    """The greatest mass (kg) of a payload to be tried: five times the given one, or twice what its link weighs."""
    most = 5.0 * mass
    if most == 0.0:
        if link.beam is not None:
            most = 2.0 * link.length * link.beam.properties(0.5).mass_per_length
        elif link.rigid is not None:
            most = 2.0 * link.rigid.mass
    power = 10.0 ** math.floor(math.log10(most)) if most > 0.0 else 1.0
    return math.ceil(most / power) * power if most > 0.0 else 1.0


def round_step(span: float) -> float:
    """A step of one in a thousand or so of a range, a power of ten."""
    return 10.0 ** math.floor(math.log10(span / 500.0)) if span > 0.0 else 1.0
