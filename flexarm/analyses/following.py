"""Joints that follow what was measured: records as laws of motion, torque or force, smoothed with a bandwidth."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.model import Arm
from flexarm.model.laws.motion import MotionTable
from flexarm.model.laws.torque import TorqueTable
from flexarm.model.parts.joint import Joint
from flexarm.model.reading.messages import either, meant, quoted
from flexarm.results.measured import Measured

_DEGREE = 5
# What a joint keeps when something else drives it.
_OF_DRIVES = ("motion", "servo", "torque", "locked", "free", "rate", "scale", "delay", "start_rate")
# Knots of a record that is sampled more slowly than the bandwidth asks for stand no nearer than its samples.
_SPARSE = 1.0


def smoothed(record: Measured, column: str, bandwidth: float) -> tuple[Floats, Floats]:
    """Knots (s) and values there of the spline nearest to a column: fifth degree, a knot every 1/(2 bandwidth) (I1)."""
    from scipy.interpolate import make_lsq_spline

    values = record[column]
    known = np.isfinite(values)
    times = record.time[known]
    gap = 1.0 / bandwidth
    if known.sum() < 2 * _DEGREE:
        raise AnalysisError(f"{record.name}: {column} holds {known.sum()} samples, must hold {2 * _DEGREE} at least")
    widest = float(np.diff(times).max(initial=0.0))
    if widest > gap and widest > 2.0 * record.interval:
        where = times[int(np.argmax(np.diff(times)))]
        raise AnalysisError(
            f"{record.name}: {column} misses {widest:.4g} s of samples after {where:.6g} s, must miss less than "
            f"{gap:.4g} s for a bandwidth of {bandwidth:.4g} Hz"
        )
    begin, end = float(times[0]), float(times[-1])
    spacing = max(0.5 / bandwidth, _SPARSE * record.interval)
    count = max(2, round((end - begin) / spacing))
    knots = np.linspace(begin, end, count + 1)
    if count < _DEGREE or len(times) < count + _DEGREE + 1:
        return times, values[known]
    padded = np.concatenate([np.repeat(begin, _DEGREE), knots, np.repeat(end, _DEGREE)])
    spline = make_lsq_spline(times, values[known], padded, _DEGREE)
    return knots, np.asarray(spline(knots))


def following(arm: Arm, record: Measured, joints: Mapping[str, str], bandwidth: float) -> Arm:
    """The arm with joints that follow columns of a record: link → column, angles (rad) or lengths (m) from t = 0 on.

    The laws are cubic splines through the knots of `smoothed`.
    """
    laws, links = dict(arm.motions), []
    for link in arm.links:
        if link.name in joints:
            knots, values = smoothed(record, joints[link.name], bandwidth)
            name = unused(laws, f"{link.name} measured")
            laws[name] = MotionTable(unit=link.joint.unit, times=knots.tolist(), values=values.tolist(), ends="natural")
            # the law is the coordinate itself: where the joint starts is its first value
            link = link.changed(joint=driven(link.joint, motion=name, at=0.0))
        links.append(link)
    return arm.changed(links=tuple(links), motions=laws)


def torque_law(record: Measured, column: str, bandwidth: float, factor: float, unit: str) -> TorqueTable:
    """The torque law that is a factor times a column."""
    knots, values = smoothed(record, column, bandwidth)
    return TorqueTable(unit=unit, times=knots.tolist(), values=(factor * values).tolist(), interpolation="spline")


def driven(joint: Joint, **drive: Any) -> Joint:
    """The joint driven otherwise."""
    kept = {
        (field.alias or name): getattr(joint, name)
        for name, field in type(joint).model_fields.items()
        if name in joint.model_fields_set and name not in _OF_DRIVES and name not in drive
    }
    return Joint(**kept, **drive)


def unused(table: Mapping[str, Any], wanted: str) -> str:
    """A name that the table does not have yet."""
    name, k = wanted, 2
    while name in table:
        name, k = f"{wanted} {k}", k + 1
    return name


def followed_arm(arm: Arm, record: Measured | str | os.PathLike[str], bandwidth: float) -> tuple[Arm, float]:
    """The arm whose joints follow the columns called after them, "hub" or "hub.position"; the record's length (s)."""
    from flexarm.model.reading.units import read_unit
    from flexarm.results.record_files import read_record

    found = record if isinstance(record, Measured) else read_record(record)
    links = {link.name: link for link in arm.links if link.joint.unit}
    joints = {}
    for column in found.columns:
        name = column.removesuffix(".position")
        if name in links:
            unit, wanted = found.units[column], links[name].joint.unit
            if unit and not read_unit(unit).dimension == read_unit(wanted).dimension:
                raise AnalysisError(f"{found.name}: {column} is in {unit}, must be in {wanted}")
            joints[name] = column
    if not joints:
        wanted_names = [f"{name}.position" for name in links]
        first = next(iter(found.columns), "")
        raise AnalysisError(
            f"{found.name}: no column is called after a joint, must be {either(wanted_names)}; `renamed` gives columns "
            f"other names{meant(first, wanted_names)}"
        )
    whole = found.cut()
    if arm.simulation.end is not None and arm.simulation.end > whole.time[-1] * (1.0 + 1e-9):
        raise AnalysisError(
            f"{found.name}: ends at {whole.time[-1]:.6g} s, must reach the end of the run of {quoted(arm.name)}, "
            f"{arm.simulation.end:.6g} s"
        )
    return following(arm, whole, joints, bandwidth), float(whole.time[-1])
