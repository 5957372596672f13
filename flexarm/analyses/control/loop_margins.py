"""How far a sampled loop is from being unstable, by its gain and by its delay, and how fast its slowest part decays."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from flexarm.analyses.plant.composed import scaled
from flexarm.analyses.plant.controller import Bound, bound_to
from flexarm.analyses.plant.from_model import ModelController
from flexarm.analyses.plant.linear_law import LinearLaw, ScheduledLaw
from flexarm.analyses.plant.sampled_poles import loop_model, poles_of
from flexarm.model import Arm
from flexarm.model.parts.controller import ControllerPart
from flexarm.results import LinearModel

# Margins are looked for up to these, and to this part of them.
_MOST_GAIN = 100.0
_MOST_DELAY = 50.0
_NEAR = 1e-3


class Loop:
    """An arm linearised at a posture, in the loops of controllers that are designed for it."""

    def __init__(self, arm: Arm, posture: Mapping[str, float]) -> None:
        self.arm, self.posture = arm, dict(posture)
        self._models: dict[tuple[str, ...], LinearModel] = {}
        self._bound: dict[tuple[ControllerPart, ...], list[Bound]] = {}

    def bound(self, parts: Sequence[ControllerPart]) -> list[Bound]:
        """The controllers on the arm, each designed once."""
        key = tuple(parts)
        if key not in self._bound:
            self._bound[key] = bound_to(self.arm, [ModelController(part) for part in parts])
        return self._bound[key]

    def radius(self, parts: Sequence[ControllerPart]) -> float:
        """The size of the largest pole of the loop: below 1 it is stable."""
        return self.radius_of(self.bound(parts))

    def radius_of(self, bound: Sequence[Bound]) -> float:
        """The same of controllers that were designed, for this arm or for another."""
        links = tuple(link for each in bound for link in each.links)
        if links not in self._models:
            self._models[links] = loop_model(self.arm, links, self.posture)
        return float(abs(poles_of(self.arm, bound, self.posture, self._models[links])[0]))

    def gain_margin(self, parts: Sequence[ControllerPart]) -> float:
        """The factor on all torques at which the loop becomes unstable; infinite beyond 100, 0 if it is."""
        bound = self.bound(parts)

        def unstable(factor: float) -> bool:
            return self.radius_of([replace(each, law=_times(each.law, factor)) for each in bound]) >= 1.0

        return _first(unstable, 1.0, _MOST_GAIN)

    def delay_margin(self, parts: Sequence[ControllerPart]) -> float:
        """The further delay (samples) at which the loop becomes unstable; infinite beyond 50, 0 if it is."""
        bound = self.bound(parts)

        def unstable(more: float) -> bool:
            return self.radius_of([replace(each, delay=each.delay + more) for each in bound]) >= 1.0

        return _first(unstable, 0.0, _MOST_DELAY)


def decay_rate(radius: float, sample: float) -> float:
    """How fast (1/s) the slowest part of a loop dies away."""
    return -math.log(radius) / sample if radius > 0.0 else math.inf


def _times(law: object, factor: float) -> LinearLaw | ScheduledLaw:
    if isinstance(law, ScheduledLaw):
        return replace(law, laws=tuple(scaled(each, factor) for each in law.laws))
    assert isinstance(law, LinearLaw)
    return scaled(law, factor)


def _first(unstable: Callable[[float], bool], start: float, most: float) -> float:
    """Where something becomes true, from `start` on, where it should not be; doubled and halved."""
    if unstable(start):
        return 0.0
    low, step = start, 0.25
    while not unstable(low + step):
        low += step
        step *= 1.5
        if low > most:
            return math.inf
    high = low + step
    while high - low > _NEAR * max(high, 1.0):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if unstable(middle) else (middle, high)
    return low
