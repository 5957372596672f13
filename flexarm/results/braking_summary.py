"""A braking study in plain text: what was run, extremes, the choice, the rule of whole periods, why they differ."""

import math
import textwrap

from flexarm.results.beam_models import beam_rows, beams_of
from flexarm.results.braking import BrakePoint, BrakeStudy, IndividualBraking, LinearBraking, RobustBraking, count_of
from flexarm.results.engineering import aligned, at_most, digits, format_pole_cells, percent, plural, quantity
from flexarm.results.posture import judged_with

_WIDTH = 100
_NONE = "–"
_MOST_ROWS = 24
_HOLDS = {
    "end": "the joints stop where they do, braking begins earlier or later",
    "begin": "braking begins when it does, the joints stop elsewhere",
    "path": "the whole motion is slower or faster",
}


def format_summary(study: BrakeStudy) -> str:
    """The whole summary, 100 columns wide."""
    head = f"{study.arm_name}: residual vibration after the stop versus the braking time"
    if not study.complete:
        head += f"\n  interrupted: {study.interrupted}"
    parts = [f"{head}\n{_asked(study)}", _extremes(study), _choice(study)]
    if study.linear is not None:
        parts.append(_linear(study, study.linear))
    if study.robust is not None:
        parts.append(_robust(study, study.robust))
    if study.individual is not None:
        parts.append(_individual(study, study.individual))
    parts += [_filled(f"beware: {note}") for note in study.notes]
    parts.append("\n".join(_filled(f"{word}: {text}") for word, text in beam_rows(beams_of(study.arm))))
    if study.paste:
        parts.append("In the model file:\n\n" + "\n".join(f"    {line}" for line in study.paste))
    return "\n\n".join(part for part in parts if part)


def _asked(study: BrakeStudy) -> str:
    """What was run, and how well it is known."""
    over = "as the state at the stop has it" if study.window is None else f"in the {_time(study.window)} after the stop"
    rows = [
        ["braked", ", ".join(study.joints)],
        *([["joints", judged_with(study.joint_states)]] if study.joint_states else []),
        ["times", count_of(study)],
        ["", _HOLDS[study.hold]],
        ["residual", f"{study.measure}, {over}"],
    ]
    rows += [["" if k else "bounds", f"{what} {value}"] for k, (what, value) in enumerate(study.bounds.items())]
    if math.isfinite(study.noise):
        errors = f"residuals ± {quantity(study.noise, study.unit, 2)}"
        errors += f", on the curve ± {quantity(study.curve_error, study.unit, 2)}"
        rows.append(["accuracy", f"times to {_time(study.resolution)}, {errors}"])
    rows.append(["cost", f"{plural(study.runs, 'run')}, {quantity(study.cpu_seconds, 's', 2)} of CPU time"])
    return aligned(rows)


def _extremes(study: BrakeStudy) -> str:
    """A table of all minima and maxima in the order of their times."""
    points = sorted((*study.minima, *study.maxima), key=lambda point: point.time)
    hidden = max(0, len(points) - _MOST_ROWS)
    rows = [["braking time", "residual", "stops at", "at rest", "", "by the rule", "off by"]]
    rows += [_row(study, point) for point in (*points[:_MOST_ROWS], study.given)]
    table = aligned(rows, right=(0, 1, 2, 3, 6), gap="  ")
    if study.settled:
        table += "\n" + _filled(f"at rest: when {describe_stop(study.within, study.about)}, from t = 0 on")
    if any(point.broken for point in (*points[:_MOST_ROWS], study.given)):
        table += "\n  × breaks a bound"
    return table + (f"\n  and {hidden} more; --json and to_dict() have them all" if hidden else "")


def _row(study: BrakeStudy, point: BrakePoint) -> list[str]:
    word = "the model" if point.kind == "model" else point.kind
    if point.broken:
        word += " ×"
    rule, off = "", ""
    if point.rule_time is not None:
        rule, off = point.rule or "", f"{1e3 * (point.time - point.rule_time):+.1f} ms"
    rest = _NONE if point.settled is None else f"{point.settled:.4f} s"
    left = quantity(point.residual, study.unit, 3)
    return [f"{point.time:.4f} s", left, f"{point.stop:.4f} s", rest, word, rule, off]


def describe_stop(within: float, about: str) -> str:
    """The definition of at rest."""
    place = "its target (rigid arm, end of the command)" if about == "target" else "where it comes to rest"
    return f"the point stays within {quantity(within, 'm', 2)} of {place}"


def _choice(study: BrakeStudy) -> str:
    """What is at rest first, the least residual, as little in shorter time, and the shortest stop under the limit."""
    lines = []
    best = study.best
    if study.soonest is not None and study.soonest.settled is not None:
        soonest = study.soonest
        lines.append(
            f"At rest first: brake in {soonest.time:.4f} s; the point is at rest from {soonest.settled:.4f} s on, and "
            f"the residual is {quantity(soonest.residual, study.unit, 3)}."
        )
    elif study.settled and study.complete:
        near = quantity(study.within, "m", 2)
        lines.append(f"With no braking time is the point at rest (within {near}) before {study.watched:.4g} s.")
    if best is not None:
        text = f"Best: brake in {best.time:.4f} s; the residual is least, {quantity(best.residual, study.unit, 3)}"
        if study.given.residual > best.residual > 0.0:
            times = digits(study.given.residual / best.residual, 2)
            text += f", {times} times less than with the model's {study.given.time:.4f} s"
        elif study.given.residual < best.residual:
            text += f"; with the model's {study.given.time:.4f} s it is less, but that time {_why_not(study)}"
        if best.kind == "bound":
            text += "; a bound stops it there"
        if best.torques:
            text += f"; drives: {', '.join(f'{name} {digits(value, 3)}' for name, value in best.torques.items())}"
        lines.append(text + ".")
        if study.brief is not None and study.brief.time < best.time - study.resolution:
            brief = study.brief
            rest = "" if brief.settled is None else f", at rest from {brief.settled:.4f} s on"
            lines.append(
                f"Nearly as good in a shorter time: {brief.time:.4f} s, residual "
                f"{quantity(brief.residual, study.unit, 3)} (within 3 % and the noise of the runs){rest}."
            )
    elif study.complete:
        lines.append("No best time was found.")
    if study.limit is not None and study.complete:
        limit = quantity(study.limit, study.unit, 3)
        if study.shortest is not None:
            lines.append(
                f"Shortest stop with a residual of {limit} or less: {study.shortest.time:.4f} s "
                f"({quantity(study.shortest.residual, study.unit, 3)})."
            )
        else:
            lines.append(f"No stop has a residual of {limit} or less.")
    return "\n".join(_filled(line, "") for line in lines)


def _why_not(study: BrakeStudy) -> str:
    given = study.given
    if given.broken:
        return f"breaks a bound ({', '.join(given.broken)})"
    if not study.times[0] <= given.time <= study.times[-1]:
        return "lies outside the range"
    if len(study.joints) == 1:
        return "lies in a dip that the times of the curve miss: try more of them"
    return "the joints then brake in different times"


def _no_periods(study: BrakeStudy, frequency: float) -> str:
    """Why no whole periods are listed."""
    if frequency == 0.0:
        return _NONE
    return "too many to name" if (study.times[-1] - study.times[0]) * frequency >= 1.0 else _NONE


def _linear(study: BrakeStudy, linear: LinearBraking) -> str:
    """Modes, and the way from the rule to the simulated minimum."""
    rows = [["mode where it stops", "frequency", "damping", "share", "whole periods in the range"]]
    for mode in linear.modes:
        periods = ", ".join(f"{time:.4f}" for time in mode.whole_periods[:4])
        more = " …" if len(mode.whole_periods) > 4 else ""
        rows.append(
            [
                mode.name,
                *format_pole_cells(mode.frequency_hz, mode.damping_ratio, mode.decay, 4, 2),
                percent(mode.share),
                f"{periods}{more} s" if periods else _no_periods(study, mode.frequency_hz),
            ]
        )
    parts = [aligned(rows, right=(1, 2, 3))]
    if linear.causes:
        steps = [["from the rule to the simulation, step by step", "minimum at", "shift", "residual"]]
        for cause in linear.causes:
            shift = f"{1e3 * cause.shift:+.2f} ms"
            steps.append([f"with {cause.what}", f"{cause.time:.4f} s", shift, quantity(cause.residual, study.unit, 3)])
        parts.append(aligned(steps, right=(1, 2, 3)))
    if linear.sentence:
        parts.append(_filled(linear.sentence[0].upper() + linear.sentence[1:] + "." + _while_braking(linear), ""))
    return "\n\n".join(parts)


def _while_braking(linear: LinearBraking) -> str:
    if linear.push_change is None or linear.push_turn is None or linear.frequency_change is None:
        return ""
    change = 100.0 * linear.frequency_change
    frequency = f"changes by {percent(0.01 * change, 2, sign=True)}" if abs(change) > 1e-3 else "stays"
    return (
        f" While braking, the push of the joints on this mode changes by {100.0 * linear.push_change:+.1f} % and turns "
        f"by {math.degrees(linear.push_turn):.1f}°, its frequency {frequency}."
    )


def _robust(study: BrakeStudy, robust: RobustBraking) -> str:
    """The choice for an uncertain arm."""
    ranges = ", ".join(f"{name} × {low:.4g} to {high:.4g}" for name, (low, high) in robust.ranges.items())
    word = "the worst of all arms" if robust.by == "worst" else "the mean of all arms"
    size = at_most if robust.by == "worst" else quantity
    head = f"For {ranges} ({plural(robust.runs, 'run')}): "
    if robust.best is None:
        return _filled(f"{head}no time keeps the bounds for all of them.", "")
    assert robust.nominal is not None
    text = (
        f"{head}brake in {robust.best.time:.4f} s; the residual of {word} is {'≤ ' * (robust.by == 'worst')}"
        f"{size(robust.best.residual, study.unit, 3)}, the arm as modelled {quantity(robust.nominal, study.unit, 3)}"
    )
    if robust.by == "worst" and robust.worst_arm:
        text += f"; it is the arm with {', '.join(f'{name} × {x:.4g}' for name, x in robust.worst_arm.items())}"
    if study.best is not None and robust.at_nominal_best is not None:
        text += (
            f". At {study.best.time:.4f} s the residual of {word} would be "
            f"{size(robust.at_nominal_best, study.unit, 3)}; being robust costs "
            f"{quantity(robust.nominal - study.best.residual, study.unit, 3)} if the model is right"
        )
    if not robust.certain:
        text += ". So many arms would be needed to bound the worst to three digits that it is bounded more roughly"
    return _filled(text + ".", "")


def _individual(study: BrakeStudy, alone: IndividualBraking) -> str:
    times = ", ".join(f"{joint} {time:.4f} s" for joint, time in alone.times.items())
    return _filled(
        f"A time for every joint: {times}, residual {quantity(alone.residual, study.unit, 3)}; the arm stops at "
        f"{alone.stop:.4f} s ({plural(alone.runs, 'run')}).",
        "",
    )


def _time(value: float) -> str:
    return quantity(value, "s", 3)


def _filled(text: str, indent: str = "  ") -> str:
    return textwrap.fill(text, _WIDTH, initial_indent=indent, subsequent_indent=indent, break_long_words=False)
