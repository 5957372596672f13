"""The parts of how far a point of a run is from the rigid arm on its command, and what of it is vibration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.results.engineering import digits, is_number, quantity
from flexarm.results.extremes import find_extremes

if TYPE_CHECKING:
    from flexarm.results.trajectory import Trajectory

# Of the greatest deflection: vibration that is less is rounding.
_NOTHING = 1e-7
# Part of critical damping up to which a pole vibrates: one that has more overshoots by less than a sixth.
VIBRATES = 0.5


def parts_of(run: Trajectory, point: str = "tip") -> dict[str, np.ndarray]:
    """Drive error, quasi-static and dynamic part of a point's way (m, 3) from the rigid arm on its command, m, base
    frame, and its vibration; those the run knows.

    The drive error is the rigid arm with its joints where they are, less where they are commanded; the quasi-static
    part what gravity, loads and the motion of the joints hold bent; the dynamic part is the rest. Without servos that
    is the vibration. With servos the vibration, known after the command's end, is the motion in poles of the closed
    loop damped by less than half of critical.
    """
    found: dict[str, np.ndarray] = {}
    if point not in run.labels("point") or "point_deflection" not in run.variables:
        return found
    deflection = _row(run, "point_deflection", point)
    if "point_error" in run.variables:
        found["drive error"] = _row(run, "point_error", point) - deflection
    if "point_quasi_static" in run.variables:
        held = _row(run, "point_quasi_static", point)
        found |= {"quasi-static": held, "dynamic": deflection - held}
    if "point_vibration" in run.variables:
        found["vibration"] = _row(run, "point_vibration", point)
    return found


def vibration_after(run: Trajectory, point: str = "tip") -> float | None:
    """The greatest vibration (m) after the command's end; None if it is not known."""
    parts, begin = parts_of(run, point), run.info.get("command_end")
    if "vibration" not in parts or not is_number(begin) or not begin < run.time[-1]:
        return None
    # samples after the end alone: on a switch the quasi-static part may jump, and with it the rest
    after = run.time >= begin
    greatest = find_extremes(run.time[after], np.linalg.norm(parts["vibration"][after], axis=1)).greatest
    scale = float(np.nanmax(np.abs(_row(run, "point_deflection", point))))
    return greatest if greatest > _NOTHING * scale else 0.0


def ringing_rows(run: Trajectory) -> list[list[str]]:
    """How the tip comes to rest, pole by pole: mode, kind, frequency, damping, amplitude; none if unknown."""
    found = run.info.get("ringing")
    if not isinstance(found, dict):
        return []
    rows = [
        [
            str(mode["name"]),
            "vibrates" if mode["damping"] < VIBRATES else "well damped",
            quantity(mode["frequency_hz"], "Hz", 3),
            f"{digits(100.0 * mode['damping'], 3)} %" if mode["damping"] > 1e-9 else "none",
            quantity(mode["amplitude_m"], "m", 3),
        ]
        for mode in found["modes"]
    ]
    if found["creep"] is not None:
        creep = found["creep"]
        constant = f"time constant {quantity(creep['time_constant_s'], 's', 3)}"
        rows.append(["drives", "creeps", constant, "real poles", quantity(creep["amplitude_m"], "m", 3)])
    return rows


def vibration_lines(run: Trajectory) -> list[tuple[str, str]]:
    """The lines of a summary about the vibration of the tip."""
    greatest = vibration_after(run)
    if greatest is None:
        return []
    amplitude = "none" if greatest == 0.0 else f"at most {quantity(greatest, 'm', 3)}"
    lines = [("vibration", f"{amplitude} after the command's end")]
    parts = [
        f"creeps, {where}: {size}" if kind == "creeps" else f"{where} damped {how}: {size}"
        for _, kind, where, how, size in ringing_rows(run)[:3]
    ]
    if parts:
        lines.append(("poles of the arm", f"{'; '.join(parts)} at the tip when the command ends"))
    return lines


def separation_summary(run: Trajectory) -> dict[str, Any] | None:
    """Vibration of the tip after the command's end (m) and the poles in which it comes to rest, in JSON's types."""
    greatest = vibration_after(run)
    if greatest is None:
        return None
    return {"after_command_m": greatest, "ringing": run.info.get("ringing")}


def _row(run: Trajectory, name: str, point: str) -> np.ndarray:
    return np.asarray(run.variable(name).values[:, run.index("point", point)])
