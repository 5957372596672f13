"""The true signal of a sensor: what it would read if it were perfect, from the motion of the arm."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexarm.analyses.signals.link_axes import angular_velocity, frames, watching
from flexarm.core.tree.types import Floats
from flexarm.model.parts.sensor import Sensor, source_of
from flexarm.results.catalogue import AXES

if TYPE_CHECKING:
    from flexarm.analyses.signals.observed import OneObserved


def true_values(observed: OneObserved, sensor: Sensor) -> Floats:
    """The true signal (m,) of a sensor (P1)."""
    compiled = observed.compiled
    word = source_of(sensor)
    if word is None:
        point = sensor.point or "tip"
        j = observed.point(point)
        if sensor.kind == "accelerometer":
            felt = observed.acceleration()[:, j, :, 0] - np.array(compiled.arm.gravity)
        else:
            felt = angular_velocity(frames(observed.watch(watching(compiled, point)))[0])
        axis = _axis(observed.orientation()[:, j, :, 0], AXES.index(sensor.axis or "x"))
        return np.asarray(np.sum(axis * felt, axis=1))
    values = observed.signal(word)[:, 0]
    if sensor.joint is None:
        return values
    motor = compiled.arm.link(sensor.joint).joint.motor
    ratio = 1.0 if motor is None else motor.gear_ratio
    gear = f"{sensor.joint}.gear"
    if sensor.kind == "encoder":
        if sensor.before_gear:
            return values * ratio
        return values + observed.signal(f"{gear}.position")[:, 0] if gear in compiled.coordinate_names else values
    if sensor.kind == "current":
        assert sensor.torque_constant is not None
        return values / (sensor.torque_constant * ratio)
    return values


def _axis(orientation: Floats, k: int) -> Floats:
    """The axis k (m, 3) of the frames with these orientations (m, 4), quaternions w, x, y, z, in base axes."""
    w, vector = orientation[:, :1], orientation[:, 1:]
    unit = np.zeros(3)
    unit[k] = 1.0
    across = np.cross(vector, unit)
    return np.asarray(unit + 2.0 * (w * across + np.cross(vector, across)))
