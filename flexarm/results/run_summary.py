"""A run summarised in a few lines of plain text."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.results.beam_models import beam_rows
from flexarm.results.catalogue import AXES, effort_unit
from flexarm.results.engineering import aligned, column, digits, is_number, percent, plural, quantity
from flexarm.results.extremes import find_extremes
from flexarm.results.run_settling import settling_lines
from flexarm.results.separation import vibration_lines
from flexarm.results.servo_summary import servo_rows

if TYPE_CHECKING:
    from flexarm.results.trajectory import Trajectory


def format_summary(run: "Trajectory") -> str:
    """What ran, what it cost, where the tip went, how much it bent and shook, what the drives did, what to trust."""
    facts = summary_rows(run)
    parts = [run.name]
    if facts:
        parts.append(aligned(facts))
    drives = drive_rows(run)
    if drives:
        parts += ["", aligned(drives, right=(1, 2, 3, 4))]
    return "\n".join(parts)


def summary_rows(run: "Trajectory") -> list[tuple[str, str]]:
    """The summary line by line: a label, and its text."""
    return [
        *_failure(run),
        *_span(run),
        *_integration(run.info),
        *_cost(run),
        *_tip(run),
        *_deflection(run),
        *_servos(run),
        *_tracking(run),
        *settling_lines(run),
        *_residual(run),
        *vibration_lines(run),
        *_energy(run),
        *_trust(run.info),
        *_beside(run.info),
        *beam_rows(run.info.get("beams") or []),
        *_warnings(run.info),
    ]


def _failure(run: "Trajectory") -> list[tuple[str, str]]:
    return [] if run.failure is None else [("INCOMPLETE", run.failure)]


def _span(run: "Trajectory") -> list[tuple[str, str]]:
    if not run.time.size:
        return [("simulated", "nothing")]
    sizes = [plural(len(run.labels("joint")), "joint"), plural(len(run.labels("coordinate")), "elastic coordinate")]
    asked = run.info.get("end")
    stopped = f" of {asked:.6g} s" if not run.complete and is_number(asked) else ""
    begin, end = run.time[[0, -1]].tolist()
    return [
        ("simulated", f"{begin:.6g} s to {end:.6g} s{stopped}, {plural(run.time.size, 'sample')}"),
        ("model", ", ".join(sizes)),
    ]


def _integration(info: Mapping[str, Any]) -> list[tuple[str, str]]:
    counts = [plural(info["steps"], "step")] if is_number(info.get("steps")) else []
    counts += [f"{info['rejected']} rejected"] if is_number(info.get("rejected")) else []
    counts += [plural(info["iterations"], "iteration")] if is_number(info.get("iterations")) else []
    analysis = info.get("analysis")
    how = [f"{analysis} analysis"] if analysis and analysis != "nonlinear" else []
    how += [str(info["stepper"])] if info.get("stepper") else []
    if is_number(info.get("step")):
        how.append(f"fixed step {quantity(info['step'], 's')}")
    elif is_number(info.get("tolerance")):
        how.append(f"tolerance {quantity(info['tolerance'], 'm', 2)} at the tip")
    text = "; ".join(", ".join(words) for words in (how, counts) if words)
    return [("integrator", text)] if text else []


def _cost(run: "Trajectory") -> list[tuple[str, str]]:
    seconds = run.info.get("cpu_seconds")
    if not is_number(seconds):
        return []
    factor = run.info.get("real_time_factor")
    if not is_number(factor):
        factor = float(np.ptp(run.time)) / seconds if seconds > 0.0 and run.time.size else None
    text = f"{quantity(seconds, 's', 3)} CPU time"
    if is_number(factor) and factor > 0.0:
        faster = f"{digits(factor, 3)} times faster" if factor >= 1.0 else f"{digits(1.0 / factor, 3)} times slower"
        text += f", {faster} than real time"
    return [("cost", text)]


def _tip(run: "Trajectory") -> list[tuple[str, str]]:
    if "tip" not in run.labels("point") or "point_position" not in run.variables:
        return []
    place = [float(run.signal("point_position", point="tip", axis=axis)[-1]) for axis in AXES]
    shown = ", ".join(f"{axis} {value + 0.0:.6f} m" for axis, value in zip(AXES, place, strict=True))
    return [("tip at the end", shown)]


def _deflection(run: "Trajectory") -> list[tuple[str, str]]:
    """The largest distance of the tip from where the rigid arm would have it."""
    if "tip" not in run.labels("point") or "point_deflection" not in run.variables:
        return []
    parts = [run.signal("point_deflection", point="tip", axis=axis) for axis in AXES]
    size = np.sqrt(sum(part**2 for part in parts))
    if not np.isfinite(size).any():
        return []
    peak = find_extremes(run.time, size)
    if peak.greatest <= 0.0:
        return [("peak deflection", "none")]
    return [("peak deflection", f"{quantity(peak.greatest, 'm')} at t = {digits(peak.greatest_time, 5)} s")]


def _servos(run: "Trajectory") -> list[tuple[str, str]]:
    """The loops of the servos, given or found."""
    return servo_rows(run.info.get("servos") or {}, run.info.get("servo_tuning"))


def _tracking(run: "Trajectory") -> list[tuple[str, str]]:
    """The largest distance of the tip from where the command would have the rigid arm, if servos follow it."""
    if "tip" not in run.labels("point") or "point_error" not in run.variables:
        return []
    size = np.sqrt(sum(run.signal("point_error", point="tip", axis=axis) ** 2 for axis in AXES))
    if not np.isfinite(size).any():
        return []
    when = int(np.nanargmax(size))
    return [("peak tip error", f"{quantity(float(size[when]), 'm')} from the command, at t = {run.time[when]:.5g} s")]


def _residual(run: "Trajectory") -> list[tuple[str, str]]:
    begin = run.info.get("last_switch")
    if not is_number(begin) or not run.time.size or not run.time[0] <= begin < run.time[-1]:
        return []
    if "tip" not in run.labels("point") or "point_position" not in run.variables:
        return []
    ranges = [run.range("tip", axis, after=begin) for axis in AXES]
    shown = ", ".join(f"{axis} {text}" for axis, text in zip(AXES, column(ranges, "m"), strict=True))
    return [("residual range", f"{shown} (tip, after the last switch of the command at t = {begin:.6g} s)")]


def _energy(run: "Trajectory") -> list[tuple[str, str]]:
    if "energy_balance_error" not in run.variables:
        return []
    error = _largest(run.values("energy_balance_error"))
    exchanged = [
        float(np.ptp(run.values(name)[np.isfinite(run.values(name))], axis=0))
        for name in run.variables
        if name.startswith(("energy_", "work_")) and name != "energy_balance_error"
        if np.isfinite(run.values(name)).any()
    ]
    # what passed between two samples is known to the run alone
    known = run.info.get("energy_exchanged")
    scale = max([*exchanged, known if is_number(known) else 0.0])
    relative = f", {digits(error / scale, 2)} of the largest energy exchanged" if scale > 0.0 else ""
    warned = any(str(text).startswith("the energy balance does not close") for text in run.info.get("warnings") or ())
    verdict = "is open by" if warned else "closes to"
    return [("energy balance", f"{verdict} {quantity(error, 'J', 2)}{relative}")]


def _trust(info: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The errors known at the tip: the integrator's own estimate and the differences to the refined twin of the run."""
    lines = []
    if is_number(info.get("tip_error")):
        lines.append(("error at the tip", f"{quantity(info['tip_error'], 'm', 2)} by the integrator's own estimate"))
    elif info.get("tip_error_remark"):
        lines.append(("error at the tip", f"{info['tip_error_remark']}; try a smaller step or tolerance"))
    check = info.get("check")
    if isinstance(check, dict):
        names = {"tip": "of the path", "peak": "of the peak deflection", "residual": "of the residual range"}
        found = [f"{quantity(check[key], 'm', 2)} {text}" for key, text in names.items() if is_number(check.get(key))]
        outcome = ", ".join(found) or str(check.get("failure") or "no result")
        lines.append(("error of the model", f"{outcome} (twin with twice the elements, half the step, all freedoms)"))
    return lines


def _beside(info: Mapping[str, Any]) -> list[tuple[str, str]]:
    """How far the other analyses are, and whether the cheaper one would do."""
    lines = []
    own = str(info.get("analysis") or "nonlinear")
    found = info.get("beside")
    for other, beside in (found if isinstance(found, dict) else {}).items():
        if not is_number(beside.get("tip")):
            lines.append((f"{other} analysis", f"failed: {beside.get('failure')}"))
            continue
        cheap = own if other == "nonlinear" else other
        verdict = "good enough" if beside.get("good_enough") else "not good enough"
        text = f"differs by at most {quantity(beside['tip'], 'm', 2)} at the tip, {percent(beside['of_peak'], 2)} of"
        lines.append((f"{other} analysis", f"{text} the peak deflection: {cheap} is {verdict}"))
    return lines


def _warnings(info: Mapping[str, Any]) -> list[tuple[str, str]]:
    found = info.get("warnings")
    return [("WARNING", str(text)) for text in found] if isinstance(found, list) else []


def drive_rows(run: "Trajectory") -> list[list[str]]:
    """The largest torque or force of every drive, with that of the rigid arm where it is known, under headings; no
    rows where there are no drives.
    """
    joints = run.labels("joint")
    if not joints or "joint_torque" not in run.variables:
        return []
    units = run.labels("joint_unit") or ("rad",) * len(joints)
    beside = "rigid_torque" in run.variables
    errors = run.values("joint_error") if "joint_error" in run.variables else None
    rows = [["joint", "peak drive torque or force", "at t"] + (["rigid arm's peak"] if beside else [])]
    rows[0] += ["peak joint error"] if errors is not None else []
    for index, (joint, unit) in enumerate(zip(joints, units, strict=True)):
        torque = np.abs(run.values("joint_torque")[:, index])
        if not np.isfinite(torque).any():
            continue
        when = int(np.nanargmax(torque))
        row = [joint, quantity(float(torque[when]), effort_unit(unit)), f"{digits(float(run.time[when]), 5)} s"]
        if beside:
            row.append(quantity(_largest(run.values("rigid_torque")[:, index]), effort_unit(unit)))
        if errors is not None:
            row.append(quantity(_largest(errors[:, index]), unit))
        rows.append(row)
    return rows if len(rows) > 1 else []


def _largest(values: np.ndarray) -> float:
    """The largest magnitude among the finite values, NaN where there are none."""
    known = np.abs(values[np.isfinite(values)])
    return float(known.max()) if known.size else float("nan")
