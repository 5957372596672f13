"""The numbers of the panels, as small HTML tables."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from flexarm.results import ModeSet
from flexarm.results.engineering import column, digits, quantity
from flexarm.results.pole import pole_cells
from flexarm.viewer.playing import Played

if TYPE_CHECKING:
    from flexarm.viewer.posing import Posed

_STYLE = "width:100%;border-collapse:collapse;font-size:0.8em;font-variant-numeric:tabular-nums"
_MARGIN = "margin:0.4em 0.8em"
_CELL = "padding:0.15em 0.4em;border-bottom:1px solid rgba(128,128,128,0.25);text-align:"


def table(rows: Sequence[Sequence[str]], chosen: int | None = None, words: Sequence[int] = (0,)) -> str:
    """The rows as an HTML table, the first its head, the columns numbered in `words` no numbers; `chosen` (0: the first
    below the head) stands out.
    """
    lines = []
    for number, row in enumerate(rows):
        tag = "th" if number == 0 else "td"
        bold = ";font-weight:700" if number - 1 == chosen else ""
        cells = [
            f'<{tag} style="{_CELL}{"left" if j in words else "right"}{bold}">{escape(cell)}</{tag}>'
            for j, cell in enumerate(row)
        ]
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return f'<div style="{_MARGIN}"><table style="{_STYLE}">{"".join(lines)}</table></div>'


def note(sentence: str) -> str:
    """A sentence in small print, nothing if there is none."""
    return f'<p style="{_MARGIN};font-size:0.8em;opacity:0.8">{escape(sentence)}</p>' if sentence else ""


def shown_joint(value: float, unit: str) -> str:
    """A joint's coordinate in degrees or millimetres."""
    return f"{math.degrees(value):.1f}°" if unit == "rad" else f"{1e3 * value:.1f} mm"


def modes_table(modes: ModeSet | None, chosen: int | None) -> str:
    """Frequencies, damping ratios and names of the modes."""
    if modes is None or not len(modes):
        return ""
    rows = [["mode", "Hz", "damping", "name"]]
    for index, name in enumerate(modes.names):
        frequency = float(modes.frequencies_hz[index])
        ratio = pole_cells(complex(modes.poles[index]), modes.kinds[index])[2]
        rows.append([str(index + 1), digits(frequency, 4), ratio, name])
    return table(rows, chosen, words=(0, 3))


def statics_table(posed: Posed, units: Mapping[str, str]) -> str:
    """The tip's sag and what holds every joint."""
    sag = column([*posed.tip_sag.tolist(), float(np.linalg.norm(posed.tip_sag))], "m")
    text = table([["the tip sags", "by"], *zip(("along x", "along y", "along z", "in all"), sag, strict=True)])
    if posed.torques:
        held = [["joint", "at", "held by"]]
        for joint, torque in posed.torques.items():
            unit = units[joint]
            effort = quantity(torque, "N m" if unit == "rad" else "N", 4)
            held.append([joint, shown_joint(posed.joints[joint], unit), effort])
        text += table(held)
    return text


def run_table(played: Played, time: float) -> str:
    """Positions of the joints and the tip of a run at a time."""
    joints = played.joints(time)
    rows = [[f"t = {time:.4f} s", "at"]]
    rows += [[joint, shown_joint(value, played.joint_units[joint])] for joint, value in joints.items()]
    rows.append(["deflection of the tip", quantity(float(played.tip_deflection(time)), "m", 3)])
    return table(rows)


def run_summary_html(played: Played) -> str:
    """The kind of run, and how it ended."""
    run = played.run
    largest = quantity(float(np.max(played.tip_deflection_history()[1], initial=0.0)), "m", 3)
    parts = [f"{run.info.get('analysis') or 'nonlinear'} run of {digits(played.end)} s"]
    parts.append(f"largest deflection of the tip {largest}")
    return note("; ".join(parts) + ".") + (note(run.failure) if run.failure else "")
