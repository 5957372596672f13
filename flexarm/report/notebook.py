"""Arms and results as a notebook shows them: a heading, key numbers, small pictures and the folded summary.

Whatever has a summary can be shown; `SHOWN` says what is drawn beside it. Nothing is computed by the engine here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

import numpy as np

from flexarm.report.figures.small_pictures import Curve, bars, plot, sketch
from flexarm.report.result_data import amount
from flexarm.results.engineering import is_number, plural, quantity
from flexarm.results.pole import pole_cells
from flexarm.verbs import kinds

# A moving arm larger than this would make notebooks heavy: frames are left out until it fits.
MOST_BYTES = 400_000
_MOST_ROWS = 12
_FRAMES = (1, 2, 4, 8)
# Rows nobody may overlook, by their first cell.
_LOUD = dict.fromkeys(("INCOMPLETE", "WARNING"), ' style="color:#b00020;font-weight:600"')
# Of the page only the arm and its clock: what it is stands above it already.
_BARE = "header.top,footer,section>h2{display:none}main{padding-top:0;margin-top:0}"


@dataclass(frozen=True)
class Shown:
    """The parts of a cell: a heading, rows of a table (the first its columns, if `headed`), and pictures as HTML."""

    head: str
    rows: Sequence[Sequence[str]] = ()
    pictures: Sequence[str] = ()
    headed: bool = False
    below: str = ""


def html_of(thing: Any) -> str:
    """HTML of an arm or a result, complete in itself."""
    shown = SHOWN.get(type(thing).__name__, _headed)(thing)
    pictures = "".join(f'<div style="margin:4px 12px 4px 0">{each}</div>' for each in shown.pictures if each)
    summary = ""
    if hasattr(thing, "summary"):
        text = escape(thing.summary())
        summary = f"<details><summary>summary</summary><pre style='white-space:pre'>{text}</pre></details>"
    return (
        f'<div class="flexarm"><div style="font-weight:600;margin:2px 0 6px">{escape(shown.head)}</div>'
        f'{_table(shown)}<div style="display:flex;flex-wrap:wrap">{pictures}</div>{shown.below}{summary}</div>'
    )


def _table(shown: Shown) -> str:
    if not shown.rows:
        return ""
    rows = list(shown.rows)
    head = ""
    if shown.headed:
        head = "<thead><tr>" + "".join(f"<th>{escape(cell)}</th>" for cell in rows.pop(0)) + "</tr></thead>"
    left_out = len(rows) - _MOST_ROWS
    body = [
        f"<tr{_LOUD.get(row[0], '')}>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>"
        for row in rows[:_MOST_ROWS]
    ]
    if left_out > 0:
        body.append(f"<tr><td>… and {left_out} more</td></tr>")
    return f"<table>{head}<tbody>{''.join(body)}</tbody></table>"


def _headed(thing: Any) -> Shown:
    """What has no cell of its own: the first line of its summary."""
    return Shown(thing.summary().partition("\n")[0])


def _arm(arm: Any) -> Shown:
    from flexarm.report.arm.posed import posed

    rows = [["link", "joint", "drive", "body", "length"]]
    for link in arm.links:
        drive = "" if link.joint.type == "fixed" else link.joint.motion or link.joint.torque or link.joint.drive
        body = "rigid" if link.beam is None else f"beam, {_meshed(link.formulation)}"
        rows.append([link.name, link.joint.type, drive, body, quantity(link.length, "m", 3)])
    kind = f"{'planar' if arm.planar else 'spatial'} arm, {plural(len(arm.links), 'link')}"
    end = arm.simulation.end
    head = f"{arm.name}: {kind}" + (f", simulated for {quantity(end, 's')}" if end is not None else "")
    return Shown(head, rows, [sketch(posed(arm), arm.planar)], headed=True)


def _meshed(model: Any) -> str:
    if model.traits.mesh == "modes":
        return f"{model.modes} assumed modes"
    return f"{model.elements} {model.formulation}" if model.traits.mesh else str(model.formulation)


def _run(run: Any) -> Shown:
    from flexarm.report.figures.over_time import tip_size
    from flexarm.results.run_summary import summary_rows

    facts = [[name, text] for name, text in summary_rows(run)]
    pictures = []
    size = tip_size(run, "point_deflection")
    if size is not None:
        pictures.append(
            plot("deflection of the tip", [Curve("tip", run.time, size)], ("time", "s"), ("deflection", "m"))
        )
    joints = run.labels("joint")
    if "joint_torque" in run.variables and joints:
        torque = run.values("joint_torque")
        curves = [Curve(name, run.time, torque[:, j]) for j, name in enumerate(joints)]
        pictures.append(plot("drives", curves, ("time", "s"), ("torque", "N m")))
    return Shown(f"{run.name}: a run", facts, pictures, below=_moving(run))


def _moving(run: Any) -> str:
    """The moving arm in a frame of its own, where it can be had within the size allowed."""
    from flexarm.report.arm.moving import moving_arm
    from flexarm.report.page import Page, Section
    from flexarm.report.rendering import page_text

    for arm in moving_arm(run):
        for every in _FRAMES:
            few = slice(None, None, every)
            fewer = replace(arm, times=arm.times[few], corners=arm.corners[few], deflections=arm.deflections[few])
            if arm.solid is not None:
                fewer = replace(fewer, solid=replace(arm.solid, turning=arm.solid.turning.every(every)))
            text = page_text(Page(title=run.name, kind="", sections=[Section("Motion", [fewer])]))
            text = text.replace("</head>", f"<style>{_BARE}</style></head>", 1)
            if len(text) <= MOST_BYTES:
                # Scripts run, but the frame reaches nothing of the notebook around it.
                return (
                    f'<iframe title="{escape(run.name, quote=True)} in motion" sandbox="allow-scripts allow-downloads" '
                    f'style="width:100%;max-width:900px;height:600px;border:0" '
                    f'srcdoc="{escape(text, quote=True)}"></iframe>'
                )
    return ""


def _modes(modes: Any) -> Shown:
    rows = [["mode", "frequency", "damping ratio", "name"]]
    for index, name in enumerate(modes.names):
        first, second, ratio = pole_cells(complex(modes.poles[index]), modes.kinds[index], 4)
        real = modes.kinds[index] in ("decay", "divergence")
        rows.append([str(index + 1), f"{first}, {second}" if real else first, ratio, name])
    bar = [
        (name, float(f), quantity(float(f), "Hz")) for name, f in zip(modes.names, modes.frequencies_hz, strict=True)
    ]
    return Shown(f"{modes.arm_name}: {plural(len(modes), 'mode')}", rows, [bars("frequencies", bar[:6])], headed=True)


def _campbell(diagram: Any) -> Shown:
    curves = [Curve(name, diagram.spins, diagram.frequencies_hz[:, k]) for k, name in enumerate(diagram.names)]
    highest = float(np.nanmax(diagram.frequencies_hz))
    for line in diagram.lines_hz().T:  # the multiples of the speed
        curves.append(Curve("", diagram.spins, np.where(line <= highest, line, np.nan), dashed=True))
    rows = [["critical speed", "order", "mode"]]
    rows += [[quantity(each.spin, "rad/s"), str(each.order), diagram.names[each.mode]] for each in diagram.crossings]
    picture = plot("frequencies versus speed", curves, ("speed", "rad/s"), ("frequency", "Hz"))
    return Shown(f"{diagram.arm_name}: Campbell diagram of {diagram.joint}", rows, [picture], headed=True)


def _overview(found: Any) -> Shown:
    return _arm(found.arm)


def _sweep(found: Any) -> Shown:
    rows = [["output", "least", "greatest"]]
    for name, values in found.outputs.items():
        if np.isfinite(values).any():
            rows.append([name, *(quantity(float(pick(values)), found.units[name]) for pick in (np.nanmin, np.nanmax))])
    key = found.keys[0]
    single = [name for name, values in found.outputs.items() if values.shape == found.shape]
    pictures = []
    if single and all(is_number(value) for value in key.values):
        values = found.outputs[single[0]].reshape(len(key.values), -1)
        curves = [Curve(single[0], np.array(key.values, dtype=float), values[:, 0])]
        pictures = [plot(single[0], curves, (key.name, key.unit), (single[0], found.units[single[0]]))]
    return Shown(
        f"{found.arm_name}: sweep over {' and '.join(k.name for k in found.keys)}", rows, pictures, headed=True
    )


def _gradient(found: Any) -> Shown:
    rows = [["output", "by", "derivative"]]
    for k, word in enumerate(found.of):
        rows += [[word, name, own[2]] for name, own in zip(found.by, found.rows(k), strict=True)]
    return Shown(f"{found.arm_name}: derivatives by {plural(len(found.by), 'number')}", rows, headed=True)


def _design(found: Any) -> Shown:
    rows = [["free number", "before", "after"]]
    for j, name in enumerate(found.where):
        rows.append([name, *(quantity(float(x[j]), found.units[j]) for x in (found.before, found.after))])
    return Shown(f"{found.arm_name}: design, {found.verdict}", rows, headed=True, below="; ".join(found.prices()))


def _workspace(found: Any) -> Shown:
    rows = [["", "least", "greatest"]]
    for title, (values, unit) in found.maps.items():
        if np.isfinite(values).any():
            rows.append([title, *(quantity(float(pick(values)), unit) for pick in (np.nanmin, np.nanmax))])
    unit, first = found.units[0], found.values[0]
    along = np.degrees(first) if unit == "rad" else first
    curves = [Curve("sag", along, found.sag_distance.reshape(len(first), -1).max(axis=1))]
    axes = (found.joints[0], "°" if unit == "rad" else unit), ("largest sag", "m")
    picture = plot("largest sag", curves, *axes)
    return Shown(f"{found.arm_name}: workspace over {' and '.join(found.joints)}", rows, [picture], headed=True)


def _equilibrium(found: Any) -> Shown:
    rows = [["point or joint", "x", "y", "z"]]
    rows += [[f"{name} moves by", *(quantity(float(u), "m") for u in sag)] for name, sag in found.tip_sag.items()]
    held = zip(found.joint_names, found.joint_torque, found.joint_torque_units, strict=True)
    rows += [[f"{name} holds", quantity(float(size), unit), "", ""] for name, size, unit in held]
    return Shown(f"{found.arm_name}: equilibrium", rows, headed=True)


def _linear(model: Any) -> Shown:
    poles = model.poles()
    sizes = [["states", str(len(model.state_names))], ["inputs", ", ".join(model.input_names)]]
    sizes.append(["outputs", ", ".join(model.output_names)])
    picture = plot(
        "poles", [Curve("pole", poles.real, poles.imag, dots=True)], ("real part", "1/s"), ("imaginary", "1/s")
    )
    return Shown(f"{model.arm_name}: linear model", sizes, [picture])


def _path(found: Any) -> Shown:
    worst = [quantity(float(np.max(values)), "m") for values in (found.before, found.after)]
    rows = [["", "greatest distance from the path"], ["as the rigid arm", worst[0]], ["compensated", worst[1]]]
    curves = [
        Curve("as the rigid arm", found.seen, found.before, dashed=True),
        Curve("compensated", found.seen, found.after),
    ]
    picture = plot("distance from the path", curves, ("time", "s"), ("distance", "m"))
    return Shown(f"{found.arm_name}: {found.motion}", rows, [picture], headed=True)


def _torques(found: Any) -> Shown:
    rows = [["drive", "peak, flexible", "peak, rigid"]]
    pictures = []
    for j, (name, unit) in enumerate(zip(found.joints, found.units, strict=True)):
        flexible, rigid = found.peaks()[j]
        rows.append([name, quantity(float(flexible), unit), quantity(float(rigid), unit)])
        curves = [
            Curve("flexible", found.time, found.flexible[:, j]),
            Curve("rigid", found.time, found.rigid[:, j], True),
        ]
        pictures.append(plot(name, curves, ("time", "s"), ("torque" if unit == "N m" else "force", unit)))
    return Shown(f"{found.arm_name}: drive torques", rows, pictures, headed=True)


def _comparison(found: Any) -> Shown:
    rows = [["model", "elements", "tip path", "CPU", "keeps it"]]
    for row in found.rows:
        error = "–" if row.tip_error is None else quantity(row.tip_error, "m", 3)
        cost = "–" if row.cpu_seconds is None else quantity(row.cpu_seconds, "s", 3)
        chosen = "recommended" if row is found.best else "yes" if row.keeps else "no"
        rows.append([row.model, str(row.elements or ""), error, cost, chosen if row.status == "ok" else row.status])
    # the recommended one first: of a long table only the beginning is shown
    rows[1:] = sorted(rows[1:], key=lambda row: row[-1] != "recommended")
    curves = [
        Curve(model, [cost or np.nan for cost in data["cpu"]], [error or np.nan for error in data["error"]])
        for model, data in found.plot_data().items()
    ]
    picture = plot("error versus cost", curves, ("CPU time", "s"), ("tip path", "m"), log=(True, True))
    return Shown(f"{found.arm_name}: {found.advice or 'models compared'}", rows, [picture], headed=True)


def _brake(study: Any) -> Shown:
    near = quantity(study.within, "m", 2)
    rows = [["", "braking time", f"residual vibration, {study.measure}", f"settled (within {near})"]]
    points = {"settles first": study.soonest, "best": study.best, "shortest": study.shortest}
    for name, point in {**points, "as in the model": study.given}.items():
        if point is not None:
            at_rest = _or_dash(point.settled, "s")
            rows.append([name, quantity(point.time, "s"), quantity(point.residual, study.unit), at_rest])
    curves = [Curve("simulated", study.times, study.residuals)]
    if study.linear is not None:
        curves.append(Curve("linear, posture frozen", study.times, study.linear.residuals, dashed=True))
    picture = plot(
        "residual over braking time", curves, ("braking time", "s"), ("residual", study.unit), log=(False, True)
    )
    return Shown(f"{study.arm_name}: braking times", rows, [picture], headed=True)


def _shape(study: Any) -> Shown:
    rows = [["command", "duration", "settled", "residual", ""]]
    for row in study.rows:
        remark = "recommended" if row is study.best else row.status if row.status != "ok" else ""
        settled = row.settled if study.choose is None else row.robust_settled
        rows.append(
            [row.name, _or_dash(row.duration, "s"), _or_dash(settled, "s"), _or_dash(row.residual, "m"), remark]
        )
    dots = [Curve(row.name, [row.duration], [row.residual], dots=True) for row in study.rows if row.residual]
    picture = plot("residual vibration versus duration", dots, ("duration", "s"), ("residual", "m"), log=(False, True))
    return Shown(f"{study.arm_name}: {study.advice}", rows, [picture], headed=True)


def _montecarlo(found: Any) -> Shown:
    rows = [["output", "nominal", "mean", "deviation"]]
    for each in found.figures.values():
        rows.append([each.name, *(quantity(value, each.unit) for value in (each.nominal, each.mean, each.deviation))])
    pictures = []
    for band in list(found.bands.values())[:2]:
        curves = [Curve("mean", band.times, band.mean)]
        levels = [level for level in band.quantiles if 0.0 < level < 1.0]
        for level in {min(levels), max(levels)} if levels else ():
            curves.append(Curve(f"{level:.0%}", band.times, band.quantiles[level], dashed=True))
        pictures.append(plot(band.name, curves, ("time", "s"), (band.name, band.unit)))
    head = f"{found.arm_name}: {plural(found.samples, 'sample')}, {found.failures} failed"
    return Shown(head, rows, pictures, headed=True)


def _reliability(found: Any) -> Shown:
    low, high = found.joint_interval
    rows = [["requirement", "met in", "95 % interval", "limit needed"]]
    for verdict, needed in zip(found.verdicts, found.needed, strict=True):
        limit = amount(needed.limit, verdict.requirement.unit)
        between = f"{verdict.low:.2%} … {verdict.high:.2%}"
        rows.append([verdict.requirement.name, f"{verdict.reliability:.2%}", between, limit])
    bar = [(each.requirement.name, each.reliability, f"{each.reliability:.2%}") for each in found.verdicts]
    head = f"{found.arm_name}: all met in {found.reliability:.2%} of {found.samples} samples ({low:.2%} … {high:.2%})"
    return Shown(head, rows, [bars("requirements met", bar)], headed=True)


def _rare(found: Any) -> Shown:
    rows = [["requirement", "missed with probability", "index", "nominal"]]
    for each in found.each:
        index = "–" if each.index is None else f"{each.index:.3f}"
        missed = "unknown" if each.probability is None else f"{each.probability:.3g}"
        rows.append([each.name, missed, index, amount(each.nominal, each.requirement.unit)])
    shares = [(name, share, f"{share:.1%}") for name, share in found.blame.items()]
    known = "unknown" if found.failure is None else f"{found.failure:.3g}"
    head = f"{found.arm_name}: a requirement is missed with probability {known} ({found.method}, "
    head += f"{plural(found.evaluations, 'evaluation')})"
    return Shown(head, rows, [bars("which tolerance is to blame", shares[:8])] if shares else [], headed=True)


def _study(model: Any) -> Shown:
    rows = [["random", "mean", "deviation", "law"]]
    for each in model.parameters:
        sizes = quantity(each.mean, each.unit, 6), quantity(each.deviation, each.unit, 3)
        rows.append([each.name, *sizes, each.words])
    head = f"{model.nominal.name}: {plural(len(model.parameters), 'random parameter')}"
    return Shown(head, rows, _arm(model.nominal).pictures, headed=True)


def _sensitivity(found: Any) -> Shown:
    rows = [["output", "parameter", "part of the variance", "per deviation"]]
    pictures = []
    for ranking in list(found.rankings.values())[:4]:
        shares = []
        for part in ranking.ranked[:5]:
            share = part.share if is_number(part.share) else part.linear_share
            rows.append([ranking.words, part.parameter, f"{share:.1%}", quantity(part.per_deviation, ranking.unit)])
            shares.append((part.parameter, share, f"{share:.1%}"))
        pictures.append(bars(ranking.words, shares))
    return Shown(f"{found.arm_name}: {found.advice}", rows, pictures, headed=True)


def _or_dash(value: float | None, unit: str) -> str:
    return "–" if value is None else quantity(value, unit, 3)


# Class of the result → what is drawn of it; beside results, what they are made from.
SHOWN: dict[str, Callable[[Any], Shown]] = {
    "Arm": _arm,
    "StudyModel": _study,
    **{kind.result: globals()[f"_{kind.cell}"] for kind in kinds() if kind.cell},
}
