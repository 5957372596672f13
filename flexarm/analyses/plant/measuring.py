"""What sensors in a loop read, one sample after the other: gain, filter, noise, limits, rounding, delay."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple
from zlib import crc32

import numpy as np

from flexarm.analyses.sensors.chain import Chain, ChainState
from flexarm.analyses.signals.names import canonical
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.model import Arm
from flexarm.model.parts.sensor import Sensor, source_of
from flexarm.model.reading.messages import quoted


class Source(NamedTuple):
    """The signal that a sensor measures, with a factor in front of its own gain."""

    word: str
    factor: float


def sensor_named(arm: Arm, word: str) -> Sensor | None:
    """The sensor whose measured signal the word is; None if it is none."""
    owner, _, what = canonical(word).rpartition(".")
    return next((each for each in arm.sensors if each.name == owner), None) if what == "measured" else None


def source(arm: Arm, sensor: Sensor) -> Source:
    """The signal that a sensor measures: one of the arm where there is such a signal, else its own true one."""
    word = source_of(sensor)
    own = Source(f"{sensor.name}.true", 1.0)
    if word is None:
        return own
    if sensor.joint is None:
        return Source(word, 1.0)
    motor = arm.link(sensor.joint).joint.motor
    if sensor.kind == "encoder":
        if motor is None:
            return Source(word, 1.0)
        return Source(word, motor.gear_ratio) if sensor.before_gear else own
    return own if motor is not None or sensor.kind == "current" else Source(word, 1.0)


def gain_of(arm: Arm, sensor: Sensor) -> tuple[str, float]:
    """The signal that a sensor measures, and what is measured for a unit of it."""
    found = source(arm, sensor)
    return found.word, found.factor * Chain(arm, sensor).gain


class Measuring:
    """The sensors among some signals; `words` are the signals to be observed in their places."""

    def __init__(self, arm: Arm, names: Sequence[str], periods: Sequence[float], whose: str = "its controller") -> None:
        self.words: list[str] = []
        self.chains: dict[int, tuple[Chain, float]] = {}
        self.states: dict[int, ChainState] = {}
        self.seed: int | None = None
        for k, (name, period) in enumerate(zip(names, periods, strict=True)):
            sensor = sensor_named(arm, name)
            if sensor is None:
                self.words.append(name)
                continue
            chain, found = Chain(arm, sensor), source(arm, sensor)
            if chain.period is not None and abs(chain.period - period) > 1e-9 * period:
                raise AnalysisError(
                    f"sensor {quoted(sensor.name)} has a rate of {1.0 / chain.period:g} Hz, must have none, or "
                    f"{1.0 / period:g} Hz as {whose}"
                )
            chain.period = period
            self.words.append(found.word)
            self.chains[k] = (chain, found.factor)

    def begin(self, seed: int | None = None) -> None:
        """Forget all that was measured; a seed is that of the noise, in place of those of the sensors."""
        self.states, self.seed = {}, seed

    def read(self, y: Floats, places: Iterable[int]) -> None:
        """Put what sensors read in the place of their true signals."""
        for k in places:
            if k not in self.chains:
                continue
            chain, factor = self.chains[k]
            true = factor * float(y[k])
            if k not in self.states:
                begun = chain.begin(true)
                if self.seed is not None:
                    key = [self.seed, crc32(chain.sensor.name.encode())]
                    begun = begun._replace(noise=np.random.Generator(np.random.Philox(key=key)))
                self.states[k] = begun
            y[k], self.states[k] = chain.update(true, self.states[k])
