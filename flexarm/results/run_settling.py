"""When and how closely a point of a run settles at its target; `settling` defines the words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.errors import AnalysisError
from flexarm.results.engineering import digits, is_number, quantity
from flexarm.results.settling import ABOUT, OF, TOLERANCES, distances, greatest_distance, settling_time

if TYPE_CHECKING:
    from flexarm.results.trajectory import Trajectory


def offsets_of(run: Trajectory, point: str, of: str, about: str) -> tuple[np.ndarray, np.ndarray | None]:
    """Offsets (m, 3) of a point from where it is to be, m, and their rates, m/s, where the run knows them.

    Refused where the run has no such target.
    """
    for name, value, allowed in (("of", of, OF), ("about", about, ABOUT)):
        if value not in allowed:
            raise AnalysisError(f'{name} is "{value}", must be {" or ".join(allowed)}')
    values, aim = _row(run, "point_position", point), _row(run, f"point_{about}", point)
    rates = _row(run, "point_velocity", point) if "point_velocity" in run.variables else None
    if of == "elastic":
        values, rates = _row(run, "point_deflection", point), None
        aim = np.zeros(3) if about == "target" else _row(run, "point_sag", point)
    if not np.isfinite(aim).all():
        raise AnalysisError(f'the point "{point}" has no {about}: {why_unknown(run, point, about)}')
    return values - aim, rates


def why_unknown(run: Trajectory, point: str, about: str) -> str:
    """Why the run has no target for a point."""
    reasons = run.info.get("no_target") or {}
    if point in reasons:
        return str(reasons[point])
    if run.info.get("command_end") is None:
        return "no end of the command within the run"
    return f"no {about} was found"


def settled_at(run: Trajectory, point: str, within: Any, of: str, about: str) -> float | None:
    """When the point comes within the distance (m, or text with a unit) for good, s from t = 0; None if it does not."""
    distance = metres(within)
    offsets, rates = offsets_of(run, point, of, about)
    if not run.complete:
        raise AnalysisError(f"the run stopped early, so it is not known whether it settles: {run.failure}")
    return settling_time(run.time, offsets, rates, distance, between=_smooth(run))


def residual_distance(run: Trajectory, point: str, of: str, about: str, window: float | None) -> float:
    """The greatest distance (m) after the command's end, to the end of the run or for `window` seconds."""
    offsets, rates = offsets_of(run, point, of, about)
    begin = run.info.get("command_end")
    if not is_number(begin):
        raise AnalysisError("the residual is what follows the end of the command, which does not end within the run")
    kept = slice(None) if window is None else run.time <= begin + window
    rates = rates if rates is None else rates[kept]
    found = greatest_distance(run.time[kept], offsets[kept], rates, after=begin, between=_smooth(run))
    if np.isnan(found):
        raise AnalysisError(f"the run holds no samples after the end of the command at {begin:.6g} s")
    return found


def metres(value: Any) -> float:
    """A distance in m: a number > 0, or text with a unit."""
    from pydantic_core import PydanticCustomError

    from flexarm.model.reading.quantity import Quantity

    try:
        return Quantity("m", above=0.0).read_one(value, "m")
    except PydanticCustomError as error:
        raise AnalysisError(f"within {(error.context or {}).get('reason', error)}") from None


def settling_summary(run: Trajectory, point: str = "tip") -> dict[str, Any] | None:
    """All a run reports about a point's settling, SI, in JSON's types; None where it has no such point.

    point, target (x, y, z), command_end_s, residual_m (greatest distance after the command's end), distance_at_end_m,
    equilibrium_m (distance of the equilibrium from the target) with sag_m and drive_error_m, its parts; within: a row
    for every tolerance, within_m, settling_time_s and equilibrium_settling_time_s from t = 0, and after_command_s;
    reason: why something is not known.
    """
    if point not in run.labels("point") or "point_target" not in run.variables or not run.time.size:
        return None
    target, rest = _row(run, "point_target", point), _row(run, "point_equilibrium", point)
    sag = _row(run, "point_sag", point)
    end = run.info.get("command_end")
    facts: dict[str, Any] = {
        "point": point,
        "target": target.tolist() if np.isfinite(target).all() else None,
        "command_end_s": end,
        "residual_m": None,
        "distance_at_end_m": None,
        "equilibrium_m": _length(rest - target),
        "sag_m": _length(sag),
        "drive_error_m": _length(rest - sag - target),
        "within": [],
        "reason": None,
    }
    if facts["target"] is None:
        facts["reason"] = why_unknown(run, point, "target")
    elif not run.complete:
        facts["reason"] = "the run stopped early"
    else:
        facts["distance_at_end_m"] = float(distances(offsets_of(run, point, "point", "target")[0])[-1])
        if is_number(end) and end < run.time[-1]:
            facts["residual_m"] = residual_distance(run, point, "point", "target", None)
    if run.complete:
        facts["within"] = [_within(run, point, each, facts) for each in tolerances_of(run)]
    return facts


def tolerances_of(run: Trajectory) -> list[float]:
    """The distances (m) to which settling times are reported, greatest first."""
    own = run.info.get("settling_tolerance")
    return sorted({*TOLERANCES, *([float(own)] if is_number(own) else [])}, reverse=True)


def settling_lines(run: Trajectory) -> list[tuple[str, str]]:
    """The lines of a summary about where the tip ends and when it is there."""
    facts = settling_summary(run)
    if facts is None or not facts["within"]:
        return []
    lines = []
    if facts["target"] is None:
        lines.append(("settles", f"no target: {facts['reason']}"))
    else:
        end = facts["command_end_s"]
        since = f"; the command ends at {end:.6g} s" if is_number(end) else ""
        lines.append(("settles", f"{_times(facts, 'settling_time_s')} (distance from the target, from t = 0{since})"))
        if is_number(facts["residual_m"]):
            text = f"{quantity(facts['residual_m'], 'm')} from the target after the command's end, "
            lines.append(("residual", text + f"{quantity(facts['distance_at_end_m'], 'm', 3)} at the end of the run"))
    finest = facts["within"][-1]["within_m"]
    if is_number(facts["equilibrium_m"]) and facts["equilibrium_m"] > finest:
        lines.append(("comes to rest", equilibrium_sentence(facts)))
    elif facts["target"] is None and any(row["equilibrium_settling_time_s"] is not None for row in facts["within"]):
        lines.append(("", f"about its equilibrium: {_times(facts, 'equilibrium_settling_time_s')}"))
    return lines


def equilibrium_sentence(facts: dict[str, Any]) -> str:
    """How far its equilibrium is from a point's target, why, and when it is settled there."""
    parts = [
        f"{word} {quantity(facts[key], 'm', 3)}"
        for word, key in (("sag", "sag_m"), ("drive error", "drive_error_m"))
        if is_number(facts[key]) and facts[key] > 1e-3 * facts["equilibrium_m"]
    ]
    distance = f"{quantity(facts['equilibrium_m'], 'm', 3)} from its target ({', '.join(parts)})"
    return f"{distance}; settled there {_times(facts, 'equilibrium_settling_time_s')}"


def _times(facts: dict[str, Any], key: str) -> str:
    """The settling times as text: to 1 mm at 1.188 s, to 0.1 mm not in this run."""
    found = []
    for row in facts["within"]:
        when = "not in this run" if row[key] is None else f"at {digits(row[key], 4)} s"
        found.append(f"to {distance_text(row['within_m'])} {when}")
    return ", ".join(found)


def distance_text(metre: float) -> str:
    """A distance as people write it: 1 mm, 0.1 mm, 50 µm."""
    return f"{1e3 * metre:.4g} mm" if metre > 0.9e-4 else f"{1e6 * metre:.4g} µm"


def _within(run: Trajectory, point: str, within: float, facts: dict[str, Any]) -> dict[str, float | None]:
    def time(about: str) -> float | None:
        try:
            return settled_at(run, point, within, "point", about)
        except AnalysisError:
            return None

    settled, end = time("target"), facts["command_end_s"]
    after = None if settled is None or not is_number(end) else settled - end
    return {
        "within_m": within,
        "settling_time_s": settled,
        "after_command_s": after,
        "equilibrium_settling_time_s": time("equilibrium"),
    }


def _row(run: Trajectory, name: str, point: str) -> np.ndarray:
    """The values of a variable at one point."""
    array = run.variable(name)
    return np.asarray(array.values.take(run.index("point", point), array.dims.index("point")))


def _smooth(run: Trajectory) -> bool:
    """False where deflections follow the accelerations of the command, which jump."""
    return run.info.get("analysis") != "quasi-static"


def _length(vector: np.ndarray) -> float | None:
    return float(np.linalg.norm(vector)) if np.isfinite(vector).all() else None
