"""What the sensors of an arm measure in a run: computed afterwards, from its samples."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from flexarm.analyses.sensors.chain import Chain
from flexarm.analyses.sensors.true_signal import true_values
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.model import Arm
from flexarm.model.parts.sensor import Sensor, source_of
from flexarm.model.reading.messages import quoted

if TYPE_CHECKING:
    from flexarm.analyses.run.integrate import Run
    from flexarm.analyses.signals.observed import OneObserved, States
    from flexarm.assembly import CompiledArm

_SLACK = 1e-9


def refined(arm: Arm, times: Floats) -> tuple[Floats, int]:
    """Times (s) among which every so many are the given ones, so near to one another that sensors miss nothing."""
    rates = [sensor.rate for sensor in arm.sensors if sensor.rate is not None]
    if not rates or len(times) < 2:
        return times, 1
    every = max(1, math.ceil(float(np.diff(times).max()) * max(rates) - 1e-6))
    parts = times[:-1, None] + np.diff(times)[:, None] * (np.arange(every) / every)
    return np.append(parts.ravel(), times[-1]), every


def check_sensors(compiled: CompiledArm) -> None:
    """Refuse a sensor of a signal that the arm does not have."""
    from flexarm.analyses.signals.names import signal_unit

    for sensor in compiled.arm.sensors:
        try:
            signal_unit(compiled, source_of(sensor) or f"{sensor.point or 'tip'}.x")
        except AnalysisError as error:
            raise AnalysisError(f"sensor {quoted(sensor.name)}: {error}") from None


def sensor_values(observed: OneObserved, name: str, what: str) -> Floats:
    """The true or the measured signal (m,) of a sensor at the times of the run."""
    arm = observed.compiled.arm
    sensor = next(each for each in arm.sensors if each.name == name)
    if what == "true":
        return true_values(observed, sensor)
    chain, run = Chain(arm, sensor), observed.dense
    if len(run.times) == 1:
        return chain.converted(chain.gain * true_values(observed, sensor) + sensor.bias)
    nodes, instants = _nodes(chain, sensor, observed.times, run.times)
    return chain.along(nodes, true_values(observed.between(nodes), sensor), instants, observed.times)


def _nodes(chain: Chain, sensor: Sensor, times: Floats, samples: Floats) -> tuple[Floats, Floats]:
    """Where the true signal is needed (s), and where the filtered one is: instants of samples among them."""
    begin, end = float(samples[0]), float(samples[-1])
    if chain.period is None:
        instants = np.maximum(times - sensor.delay, begin)
        # held back by a delay, what is wanted at first is the signal at rest, once
        return np.unique(instants), instants
    count = math.floor((end - begin) / chain.period + 1e-6)
    parts = 1
    if chain.filter is not None:
        widest = float(np.diff(samples).max())
        parts = max(1, math.ceil(chain.period / widest - 1e-6))
    nodes = np.minimum(begin + np.arange(count * parts + 1) * (chain.period / parts), end)
    return nodes, nodes[::parts]


def states_between(run: Run | States, wanted: Floats) -> tuple[Floats, Floats, Floats]:
    """Coordinates, rates and accelerations (k, nq) at any times (s): the quintic through those at the samples (22)."""
    t = run.times
    j = np.clip(np.searchsorted(t, wanted, side="right") - 1, 0, len(t) - 2)
    h = (t[j + 1] - t[j])[:, None]
    s = np.where(h > 0.0, (wanted - t[j])[:, None] / np.where(h > 0.0, h, 1.0), 0.0)
    q0, v0, a0 = run.q[j], h * run.v[j], h * h * run.a[j]
    q1, v1, a1 = run.q[j + 1], h * run.v[j + 1], h * h * run.a[j + 1]
    d0, d1, d2 = q1 - q0 - v0 - 0.5 * a0, v1 - v0 - a0, a1 - a0
    c3, c4, c5 = 10.0 * d0 - 4.0 * d1 + 0.5 * d2, -15.0 * d0 + 7.0 * d1 - d2, 6.0 * d0 - 3.0 * d1 + 0.5 * d2
    q = q0 + s * (v0 + s * (0.5 * a0 + s * (c3 + s * (c4 + s * c5))))
    v = v0 + s * (a0 + s * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5)))
    a = a0 + s * (6.0 * c3 + s * (12.0 * c4 + s * 20.0 * c5))
    h = np.where(h > 0.0, h, 1.0)
    return q, v / h, a / (h * h)


def run_between(run: Run | States, wanted: Floats) -> Run | States:
    """The run at other times (s) within it."""
    if len(wanted) == len(run.times) and np.all(np.abs(wanted - run.times) <= _SLACK * max(1.0, run.times[-1])):
        return run
    q, v, a = states_between(run, wanted)
    x = getattr(run, "x", None)
    if x is None:
        return (
            run._replace(times=wanted, q=q, v=v, a=a)
            if hasattr(run, "_replace")
            else replace(  # type: ignore[union-attr, type-var]
                run, times=wanted, q=q, v=v, a=a
            )
        )
    integrals = (
        np.stack([np.interp(wanted, run.times, x[:, k]) for k in range(x.shape[1])], axis=1)
        if x.size
        else (np.zeros((len(wanted), x.shape[1])))
    )
    return replace(run, times=wanted, q=q, v=v, a=a, x=integrals)  # type: ignore[type-var]
