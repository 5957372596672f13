"""The page of a run: motion, deflection, drive torques, residual vibration, and estimates of the error."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexarm.report.arm.moving import moving_arm
from flexarm.report.figures import beams
from flexarm.report.figures import over_time as figures
from flexarm.report.figures.settling import settling_numbers, settling_parts
from flexarm.report.page import Listing, Number, Page, Section, Table, largest, shown_number
from flexarm.report.result_data import beam_table, setting
from flexarm.report.result_page import sections_with_parts
from flexarm.report.specification import slug
from flexarm.results import Trajectory, find_extremes
from flexarm.results.catalogue import effort_unit
from flexarm.results.engineering import digits, is_number, plural, quantity
from flexarm.results.run_summary import drive_rows, summary_rows
from flexarm.results.servo_summary import servo_rows


def page_of(run: Trajectory, source: str = "") -> Page:
    """The page of the run; `source` is the name of the file that holds it."""
    facts = summary_rows(run)
    shown_above = ("WARNING", "INCOMPLETE")
    sections = [
        Section("Motion", [*moving_arm(run), *figures.joint_motion(run), *figures.tip_motion(run)]),
        Section(
            "Deflection",
            [*figures.tip_deflection(run), *beams.deflection_along(run)],
            "Distance between the flexible arm and the same arm with rigid links.",
        ),
        Section("Strains and moments", beams.stations(run), "Inside the beams, at the stations along them."),
        Section(
            "Drives",
            [*_drive_table(run), *figures.torques(run)],
            "Drive torques and forces, compared with those of a rigid arm.",
        ),
        Section(
            "In the axes of the links",
            figures.link_signals(run),
            "Points seen from the beginning of their links, which moves with the joint; strains and forces of gauges.",
            minor=True,
        ),
        Section("Settling", settling_parts(run), "Settling of the tip at its target, and the parts of its error."),
        Section(
            "Energy",
            figures.energy(run),
            "Work of the drives, stored and dissipated energy, and the error of the energy balance.",
        ),
        Section("Summary", [Table(("", ""), [pair for pair in facts if pair[0] not in shown_above])]),
        Section("Input and settings", _input(run)),
    ]
    return Page(
        title=run.name,
        kind="flexarm · run",
        sections=sections_with_parts(sections),
        lead=_lead(run),
        numbers=_numbers(run),
        warnings=[text for name, text in facts if name == "WARNING"],
        failure=run.failure or "",
        source=source,
        foot=_foot(run, source),
        file=slug(run.name),
    )


def _lead(run: Trajectory) -> str:
    """What ran, in a sentence or two."""
    if not run.time.size:
        return "The run holds no samples."
    joints, coordinates = len(run.labels("joint")), len(run.labels("coordinate"))
    begin, end = float(run.time[0]), float(run.time[-1])
    sentences = [
        f"{plural(joints, 'joint')} and {plural(coordinates, 'elastic coordinate')}, from {begin:.6g} s to {end:.6g} s."
    ]
    last = run.info.get("command_end")
    if is_number(last) and begin < last < end:
        sentences.append(f"The command ends at {last:.6g} s.")
    return " ".join(sentences)


def _numbers(run: Trajectory) -> list[Number]:
    """The key numbers of the run."""
    found = []
    size = figures.tip_size(run, "point_deflection")
    if size is not None and largest(size) > 0.0:
        peak = find_extremes(run.time, size)
        found.append(
            Number("Peak deflection of the tip", shown_number(peak.greatest, "m"), f"at {peak.greatest_time:.4g} s")
        )
    error = figures.tip_size(run, "point_error")
    if error is not None and largest(error) > 0.0:
        when = int(np.nanargmax(error))
        found.append(
            Number("Peak error of the tip", shown_number(float(error[when]), "m"), f"at {run.time[when]:.4g} s")
        )
    found += settling_numbers(run)
    found += _largest_drive(run)
    if is_number(run.info.get("tip_error")):
        found.append(
            Number("Error of integration", shown_number(run.info["tip_error"], "m", 2), "estimated at the tip")
        )
    elif run.info.get("tip_error_remark"):
        state, _, reason = str(run.info["tip_error_remark"]).partition(": ")
        found.append(Number("Error of integration", state, reason))
    if is_number(run.info.get("cpu_seconds")):
        factor = run.info.get("real_time_factor")
        remark = (
            f"{digits(factor, 3)} times faster than real time" if is_number(factor) and factor >= 1.0 else "CPU time"
        )
        found.append(Number("Time to compute", shown_number(run.info["cpu_seconds"], "s", 3), remark))
    return found


def _largest_drive(run: Trajectory) -> list[Number]:
    if "joint_torque" not in run.variables:
        return []
    peaks = [largest(run.values("joint_torque")[:, k]) for k in range(len(run.labels("joint")))]
    k = int(np.argmax(peaks))
    if not peaks[k] > 0.0:
        return []
    unit = effort_unit((run.labels("joint_unit") or ("rad",) * len(peaks))[k])
    name = "Largest drive torque" if unit == "N m" else "Largest drive force"
    remark = run.labels("joint")[k]
    if "rigid_torque" in run.variables:
        remark += f"; rigid arm {quantity(largest(run.values('rigid_torque')[:, k]), unit, 3)}"
    return [Number(name, shown_number(peaks[k], unit), remark)]


def _drive_table(run: Trajectory) -> list[Any]:
    rows = drive_rows(run)
    servos = servo_rows(run.info.get("servos") or {}, run.info.get("servo_tuning"))
    servo_table = [Table(("servo", "its loops"), servos)] if servos else []
    return [*([Table(rows[0], rows[1:])] if rows else []), *servo_table]


def _input(run: Trajectory) -> list[Any]:
    """The model, the settings and the versions."""
    info = run.info
    settings = [(key.replace("_", " "), setting(value)) for key, value in (info.get("options") or {}).items()]
    versions = [(name, str(word)) for name, word in (info.get("versions") or {}).items()]
    parts: list[Any] = []
    if run.arm_text:
        parts.append(Listing("Model file", run.arm_text, f"{slug(run.name)}.toml"))
    parts += beam_table(info.get("beams") or ())
    rows = [*settings, *versions]
    if rows:
        parts.append(Table(("", ""), rows, "Settings and versions"))
    return parts


def _foot(run: Trajectory, source: str) -> str:
    version = (run.info.get("versions") or {}).get("flexarm")
    made = f"Made by flexarm {version}." if version else "Made by flexarm."
    return f"{made} The whole run, every array with its unit, is in {source}." if source else made
