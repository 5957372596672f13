"""A study of commands in plain text: the modes, one line per command, and what to take."""

import textwrap

from flexarm.results.engineering import aligned, digits, format_pole_cells, is_number, percent, plural, quantity
from flexarm.results.posture import judged_with
from flexarm.results.shape_study import CommandRow, ShapeStudy, torque_unit

_WIDTH = 100
_NONE = "–"


def format_summary(found: ShapeStudy) -> str:
    """The whole summary."""
    commands = len([row for row in found.rows if row.kind != "unshaped"])
    head = f"{found.arm_name}: one move under {plural(commands, 'other command')}"
    if not found.complete:
        head += f", interrupted after {len(found.rows)} of {found.wanted} commands"
    parts = [head, _modes(found), _table(found), *([_sensitivity(found)] if found.shifts else [])]
    reasons = [f"{row.name}: {row.reason or '; '.join(row.beyond)}" for row in found.rows if row.reason or row.beyond]
    parts += ["\n".join(_hanging("  ", reason) for reason in reasons)] if reasons else []
    parts += [_filled(note) for note in found.notes]
    parts.append(_filled(found.advice))
    return "\n\n".join(parts)


def _modes(found: ShapeStudy) -> str:
    """The poles where the move stops; a star for those that are shaped for."""
    rows = [["pole", "frequency", "damping ratio", "swing of the tip", "name"]]
    for mode in found.modes:
        rows.append(
            [
                f"{mode.number}{'*' if mode.shaped else ' '}",
                *format_pole_cells(mode.frequency_hz, mode.damping_ratio, mode.decay),
                quantity(mode.swing, "m", 3),
                mode.name,
            ]
        )
    joints = f", joints {judged_with(found.joint_states)}" if found.joint_states else ""
    legend = f"  at the stop{joints}, after the unshaped command; * shaped for"
    return f"{aligned(rows, right=(0, 1, 2, 3))}\n{legend}"


def _table(found: ShapeStudy) -> str:
    """One line per command."""
    judged = [] if found.choose is None else [found.choose]
    rows = [["command", "duration", "settled", "residual", "ratio", *judged, "peak defl.", "peak torque", ""]]
    for index, row in enumerate(found.rows):
        rows.append([row.name, *_figures(found, row), _verdict(row, index == found.chosen)])
    legend = [
        f"settled: when the tip stays {describe_settling(found.within, found.about)}, from t = 0 on"
        + ("" if found.choose is None else "; of the last arm that may be"),
        f"residual: range of the tip along its worst axis within {quantity(found.window, 's', 3)} from "
        f"{quantity(found.counted_from, 's')} on, the end of the longest command; ratio: to the unshaped one's",
        f"peak torque: of {' / '.join(found.joints)}",
    ]
    if found.choose is not None:
        ranges = ", ".join(f"{name} × {low:.4g} to {high:.4g}" for name, (low, high) in found.uncertain.items())
        legend.insert(
            2, f"{found.choose}: residual of {plural(len(found.arms_that_may_be), 'arm')} that may be, {ranges}"
        )
    right = range(1, len(rows[0]) - 1)
    return "\n".join([aligned(rows, right=right, gap="  "), *(_hanging("  ", line) for line in legend)])


def describe_settling(within: float, about: str) -> str:
    """To what distance of what the tip settles."""
    place = "its target (rigid arm, end of the command)" if about == "target" else "where it comes to rest"
    return f"within {quantity(within, 'm', 2)} of {place}"


def _sensitivity(found: ShapeStudy) -> str:
    """One line per command, one column for each shift of the frequencies."""
    unshaped = found.rows[0].residual or 0.0
    rows = [["command", *(f"{shift:+.0%}".replace("%", " %") for shift in found.shifts)]]
    for row in found.rows:
        if row.sensitivity:
            rows.append([row.name, *(_part(None if v is None else v / unshaped) for v in row.sensitivity)])
    legend = "  residual if all frequencies of the arm are off by so much, of the unshaped one if they are not"
    return f"{aligned(rows, right=range(1, 1 + len(found.shifts)))}\n{legend}"


def _figures(found: ShapeStudy, row: CommandRow) -> list[str]:
    if row.residual is None or row.duration is None or row.peak_deflection is None:
        return [_NONE] * (6 if found.choose is None else 7)
    settled = row.settled if found.choose is None else row.robust_settled
    return [
        quantity(row.duration, "s"),
        _NONE if settled is None else quantity(settled, "s"),
        quantity(row.residual, "m", 3),
        _part(row.ratio),
        *([] if row.robust is None else [quantity(row.robust, "m", 3)]),
        quantity(row.peak_deflection, "m", 3),
        _torques(found, row),
    ]


def _torques(found: ShapeStudy, row: CommandRow) -> str:
    units = {torque_unit(unit) for unit in found.joints.values()}
    if len(units) == 1:
        return " / ".join(digits(row.peak_torque[joint], 3) for joint in found.joints) + f" {units.pop()}"
    return " / ".join(quantity(row.peak_torque[joint], torque_unit(unit), 3) for joint, unit in found.joints.items())


def _verdict(row: CommandRow, best: bool) -> str:
    if row.status != "ok":
        return row.status
    if row.beyond:
        return "beyond bounds"
    return "take" if best else ""


def _part(value: float | None) -> str:
    if not is_number(value):
        return _NONE
    return percent(value, 2 if value < 1.0 else 3)


def _hanging(label: str, text: str) -> str:
    return textwrap.fill(text, _WIDTH, initial_indent=label, subsequent_indent="  " + " " * len(label))


def _filled(text: str) -> str:
    return textwrap.fill(text, _WIDTH)
