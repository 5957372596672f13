"""A run in a handful of numbers, for programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.results.catalogue import AXES, effort_unit
from flexarm.results.engineering import is_number
from flexarm.results.extremes import find_extremes
from flexarm.results.run_settling import settling_summary
from flexarm.results.run_signals import signal_extremes
from flexarm.results.separation import separation_summary

if TYPE_CHECKING:
    from flexarm.results import Trajectory


def run_json(run: Trajectory, signals: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Status, times, tip, peaks, residual vibration, errors, and `signals` (name: unit), of a run, SI units; None
    for what is not known.
    """
    info = run.info
    return {
        "name": run.name,
        "status": info.get("status", "ok"),
        "message": info.get("message"),
        "advice": info.get("advice"),
        "time": {
            "begin_s": float(run.time[0]) if run.time.size else None,
            "end_s": info.get("end"),
            "reached_s": info.get("reached"),
            "samples": int(run.time.size),
        },
        "tip": _tip(run),
        "peak_deflection": _peak_deflection(run),
        "residual": _residual(run),
        "settling": settling_summary(run),
        "vibration": separation_summary(run),
        "drives": _drives(run),
        "signals": {word: {"unit": unit, **signal_extremes(run, word)} for word, unit in (signals or {}).items()},
        "errors": {
            "tip_m": info.get("tip_error"),
            "tip_remark": info.get("tip_error_remark"),
            "energy_balance_j": _largest(run, "energy_balance_error"),
            "energy_exchanged_j": info.get("energy_exchanged"),
            "check": info.get("check"),
            "beside": info.get("beside"),
        },
        "beams": info.get("beams") or [],
        "warnings": info.get("warnings") or [],
        "servo_gains": info.get("servo_gains") or {},
        "servos": info.get("servos") or {},
        "servo_tuning": info.get("servo_tuning"),
        "integrator": {
            key: info.get(key)
            for key in ("analysis", "stepper", "tolerance", "step", "steps", "rejected", "iterations", "cpu_seconds")
        },
    }


def _has_tip(run: Trajectory, name: str) -> bool:
    return bool(run.time.size) and "tip" in run.labels("point") and name in run.variables


def _tip(run: Trajectory) -> dict[str, float] | None:
    """Where the tip is at the end."""
    if not _has_tip(run, "point_position"):
        return None
    return {f"{axis}_m": float(run.signal("point_position", point="tip", axis=axis)[-1]) for axis in AXES}


def _peak_deflection(run: Trajectory) -> dict[str, float] | None:
    """The largest distance of the tip from where the rigid arm would have it."""
    if not _has_tip(run, "point_deflection"):
        return None
    size = np.linalg.norm([run.signal("point_deflection", point="tip", axis=axis) for axis in AXES], axis=0)
    if not np.isfinite(size).any():
        return None
    peak = find_extremes(run.time, size)
    return {"m": peak.greatest, "at_s": peak.greatest_time}


def _residual(run: Trajectory) -> dict[str, float] | None:
    """The ranges of the tip after the last switch of the command."""
    begin = run.info.get("last_switch")
    if not _has_tip(run, "point_position") or not is_number(begin) or not run.time[0] <= begin < run.time[-1]:
        return None
    return {"after_s": begin, **{f"{axis}_m": run.range("tip", axis, after=begin) for axis in AXES}}


def _drives(run: Trajectory) -> dict[str, dict[str, Any]]:
    """The largest torque or force of every drive, and that of the rigid arm."""
    units = run.labels("joint_unit") or ("rad",) * len(run.labels("joint"))
    return {
        joint: {
            "unit": effort_unit(unit),
            "peak": _largest(run, "joint_torque", index),
            "rigid_peak": _largest(run, "rigid_torque", index),
        }
        for index, (joint, unit) in enumerate(zip(run.labels("joint"), units, strict=True))
    }


def _largest(run: Trajectory, name: str, index: int | None = None) -> float | None:
    """The largest magnitude among the finite values."""
    if name not in run.variables:
        return None
    values = run.values(name) if index is None else run.values(name)[:, index]
    known = np.abs(values[np.isfinite(values)])
    return float(known.max()) if known.size else None
