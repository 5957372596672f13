"""Servos in words: the loops of a drive, what is fed forward to it, and why it was tuned so."""

from collections.abc import Mapping
from typing import Any

from flexarm.results.engineering import digits, quantity


def servo_line(facts: Mapping[str, Any]) -> str:
    """One servo in a line, from its data (SI; `unit` of the coordinate)."""
    slides = facts["unit"] == "m"
    damping, force = ("N s/m", "N") if slides else ("N m s/rad", "N m")
    if facts.get("position_gain") is not None:
        parts = [
            f"position loop {digits(facts['position_gain'], 4)} 1/s",
            f"velocity loop {digits(facts['velocity_gain'], 4)} {damping}",
        ]
        time = facts.get("integral_time")
        parts.append("no integrator" if time is None else f"integral time {quantity(time, 's', 3)}")
    else:
        stiffness = "N/m" if slides else "N m/rad"
        parts = [f"kp {digits(facts['kp'], 4)} {stiffness}", f"kv {digits(facts['kv'], 4)} {damping}"]
    parts.append(f"feed-forward {facts['feedforward']}")
    if facts.get("torque_limit") is not None:
        share = facts.get("on_limit")
        met = f" (on it {digits(100.0 * share, 2)} % of the time)" if share else ""
        parts.append(f"limit {digits(facts['torque_limit'], 4)} {force}{met}")
    if facts["encoder"] == "link":
        parts.append("encoder on the link")
    return ", ".join(parts)


def tuning_line(facts: Mapping[str, Any]) -> str | None:
    """What a servo was tuned for, in a line; None if it was given."""
    tuned = facts.get("tuned")
    if not tuned:
        return None
    inertia = "kg" if facts["unit"] == "m" else "kg m²"
    return (
        f"moves {digits(tuned['inertia'], 4)} {inertia}, first frequency with the joint held "
        f"{digits(tuned['frequency'], 4)} Hz, velocity loop at {digits(tuned['bandwidth'], 4)} Hz"
    )


def servo_rows(servos: Mapping[str, Mapping[str, Any]], reason: str | None) -> list[tuple[str, str]]:
    """Rows of a summary: every servo, what it was tuned for, and why so."""
    rows = []
    for name, facts in servos.items():
        rows.append((f"servo {name}", servo_line(facts)))
        tuned = tuning_line(facts)
        if tuned:
            rows.append(("", f"tuned: {tuned}"))
    return [*rows, ("tuning", reason)] if reason else rows
