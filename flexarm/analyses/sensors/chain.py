"""What lies between a true signal and what is read: gain, filter, samples, noise, limits, rounding, delay.

`Chain` is the one place that knows it: `along` for a signal that is known over time, `begin` and `update` for whoever
has one sample after the other, such as a controller in the loop.
"""

from __future__ import annotations

import math
from typing import NamedTuple, final
from zlib import crc32

import numpy as np

from flexarm.analyses.sensors.filters import LowPass
from flexarm.core.tree.types import Floats
from flexarm.model import Arm
from flexarm.model.parts.sensor import BRIDGES, Sensor

# Part of a sample that rounding may move an instant by.
_SLACK = 1e-6


class ChainState(NamedTuple):
    """What a chain keeps from sample to sample: the filter's states, its last input, and what is on its way."""

    filter: Floats
    last: float
    pending: tuple[float, ...]
    noise: np.random.Generator


@final
class Chain:
    """The way from a true signal to what is read of it.

    `gain` and `quantum` are those of the whole sensor: bridge, gauge factor, lines of an encoder.
    """

    def __init__(self, arm: Arm, sensor: Sensor) -> None:
        self.sensor = sensor
        self.gain = sensor.gain
        if sensor.kind == "strain":
            self.gain *= sensor.gauge_factor * BRIDGES[sensor.bridge]
        self.period = None if sensor.rate is None else 1.0 / sensor.rate
        self.filter = None if sensor.filter is None else LowPass(sensor.filter)
        self.quantum = 0.0
        self.codes = math.inf
        if sensor.lines is not None and sensor.joint is not None:
            turn = math.tau if arm.link(sensor.joint).joint.unit == "rad" or sensor.before_gear else 1.0
            self.quantum = abs(sensor.gain) * turn / (4.0 * sensor.lines)
        elif sensor.bits is not None and sensor.range is not None:
            self.quantum = 2.0 * sensor.range / 2.0**sensor.bits
            self.codes = 2.0 ** (sensor.bits - 1)

    def noise(self) -> np.random.Generator:
        """The generator of the noise, before the first sample: a function of seed and name alone."""
        return np.random.Generator(np.random.Philox(key=[self.sensor.seed, crc32(self.sensor.name.encode())]))

    def converted(self, values: Floats) -> Floats:
        """What a converter or a counter makes of values: limited and rounded (P4)."""
        found = values
        if self.sensor.range is not None:
            found = np.clip(found, -self.sensor.range, self.sensor.range)
        if self.quantum > 0.0:
            level = self.sensor.bias if self.sensor.lines is not None else 0.0
            codes = np.clip(np.round((found - level) / self.quantum), -self.codes, self.codes - 1.0)
            found = codes * self.quantum + level
        return found

    def along(self, nodes: Floats, true: Floats, instants: Floats, wanted: Floats) -> Floats:
        """What is read at the times wanted (s), from the true signal at nodes among which the instants of samples are
        (continuous sensors: the times wanted less the delay).
        """
        values = self.gain * true + self.sensor.bias
        if self.filter is not None:
            values = self.filter.along(nodes, values)
        values = values[np.searchsorted(nodes, instants, side="right") - 1]
        if self.period is None:
            return self.converted(values)
        if self.sensor.noise > 0.0:
            values = values + self.sensor.noise * self.noise().standard_normal(len(values))
        values = self.converted(values)
        latest = np.floor((wanted - self.sensor.delay) / self.period + _SLACK).astype(np.int64)
        return np.asarray(values[np.clip(latest, 0, len(values) - 1)])

    def begin(self, true: float) -> ChainState:
        """The state before the first sample of an arm whose signal has been `true` for long."""
        u = self.gain * true + self.sensor.bias
        x = np.zeros(0) if self.filter is None else self.filter.at_rest(u)
        return ChainState(x, u, (), self.noise())

    def update(self, true: float, state: ChainState) -> tuple[float, ChainState]:
        """What is read at a sampling instant, given the true signal there, and the state to go on with.

        The filter's input is taken for a straight line between two samples. A sensor without a rate is sampled by its
        caller, whose period must then be `period`.
        """
        if self.period is None:
            raise ValueError("period must be set for a sensor without a rate")
        u, x = self.gain * true + self.sensor.bias, state.filter
        value = u
        if self.filter is not None:
            Phi, Gamma = self.filter.step(self.period)
            x = Phi @ x + Gamma[:, 0] * state.last + Gamma[:, 1] * (u - state.last)
            value = float(x[-1])
        if self.sensor.noise > 0.0:
            value += self.sensor.noise * float(state.noise.standard_normal())
        value = float(self.converted(np.array(value)))
        late = math.ceil(self.sensor.delay / self.period - _SLACK)
        pending = (*state.pending, value)[-(late + 1) :]
        return pending[0], ChainState(x, u, pending, state.noise)
