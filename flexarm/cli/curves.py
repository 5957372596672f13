"""The curves of a result for the terminal, each with a name, abscissae, values and a unit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.results.catalogue import AXES, effort_unit
from flexarm.results.engineering import column

if TYPE_CHECKING:
    from flexarm.results import BrakeStudy, Campbell, Trajectory
    from flexarm.results.braking import BrakePoint
    from flexarm.results.montecarlo import MonteCarlo
    from flexarm.results.sensitivity import Sensitivity

_JOINTS_SHOWN = 4
_CURVES_SHOWN = 12
_NUMBER, _MOST = 4, 7  # digits of the least and the greatest, more where they are needed to distinguish them


@dataclass(frozen=True, eq=False)
class Curve:
    """A curve over a common axis; `mark` is a place on it to point at, and `said` its label."""

    name: str
    values: np.ndarray
    unit: str
    mark: float | None = None
    said: str = ""

    @property
    def ends(self) -> tuple[str, str]:
        """The least and the greatest value with their unit."""
        known = self.values[np.isfinite(self.values)]
        if not known.size:
            return "unknown", "unknown"
        low, high = float(known.min()), float(known.max())
        if self.unit == "°":
            return f"{low:.{_NUMBER}g}°", f"{high:.{_NUMBER}g}°"
        for digits in range(_NUMBER, _MOST + 1):
            least, greatest = column([low, high], self.unit, digits)
            if least != greatest:
                break
        return least, greatest


@dataclass(frozen=True, eq=False)
class Histories:
    """Curves over one axis: its name, its abscissae, and its two ends as text."""

    over: str
    places: np.ndarray
    span: str
    curves: tuple[Curve, ...]
    more: str = ""  # what was left out


def of_run(run: Trajectory) -> Histories | None:
    """Deflection of the tip, motion and drives of the joints, and the error in the energy balance, over time."""
    if run.time.size < 2:
        return None
    curves = []
    if "point_deflection" in run.variables and "tip" in run.labels("point"):
        size = np.linalg.norm([run.signal("point_deflection", point="tip", axis=axis) for axis in AXES], axis=0)
        curves.append(Curve("tip deflection", size, "m"))
    joints = run.labels("joint")
    units = run.labels("joint_unit") or ("rad",) * len(joints)
    for name, word in (("joint_position", "position"), ("joint_torque", "drive")):
        if name in run.variables:
            values = run.values(name)
            for index, (joint, unit) in enumerate(list(zip(joints, units, strict=True))[:_JOINTS_SHOWN]):
                curves.append(_joint_curve(f"{joint} {word}", values[:, index], unit, word))
    if "energy_balance_error" in run.variables:
        curves.append(Curve("energy error", run.values("energy_balance_error"), "J"))
    left = len(joints) - _JOINTS_SHOWN
    more = f"{left} more joint{'' if left == 1 else 's'} in the page and the file" if left > 0 else ""
    return _over("versus time", run.time, "s", curves, more)


def of_brake(study: BrakeStudy) -> Histories | None:
    """Residual vibration versus the braking time, with the best time marked."""
    if len(study.times) < 2:
        return None
    # The extremes are refined apart from the curve, and a minimum between two of its points would be missed.
    inside = [
        point
        for point in (*study.minima, *study.maxima, *([] if study.best is None else [study.best]))
        if study.times[0] <= point.time <= study.times[-1]
    ]
    known = dict(zip(study.times.tolist(), study.residuals.tolist(), strict=True))
    known |= {point.time: point.residual for point in inside}
    times = np.array(sorted(known))
    curves = [Curve("residual", np.array([known[time] for time in times.tolist()]), study.unit, **_best(study.best))]
    if study.robust is not None:
        robust = study.robust
        over_arms = np.interp(times, study.times, robust.worst if robust.by == "worst" else robust.mean)
        curves.append(Curve(f"{robust.by} of the arms", over_arms, study.unit, **_best(robust.best)))
    return _over("versus braking time", times, "s", curves)


def _best(point: BrakePoint | None) -> dict[str, Any]:
    """What points at the best time."""
    return {} if point is None else {"mark": point.time, "said": f"best {point.time:.4f} s"}


def of_samples(study: MonteCarlo) -> Histories | None:
    """The mean of every signal, and how wide its band is."""
    curves: list[Curve] = []
    times = np.zeros(0)
    for band in study.bands.values():
        times = band.times
        curves.append(Curve(f"{band.name} mean", band.mean, band.unit))
        # the least and the greatest sample are kept as the levels 0 and 1, but are no band
        levels = sorted(level for level in band.quantiles if 0.0 < level < 1.0)
        if len(levels) > 1:
            width = band.quantiles[levels[-1]] - band.quantiles[levels[0]]
            curves.append(Curve(f"{band.name} {100 * levels[0]:g} to {100 * levels[-1]:g} %", width, band.unit))
    return _over("versus time", times, "s", curves)


def of_shares(study: Sensitivity) -> Histories | None:
    """The part of the variance each parameter makes, for every signal over time."""
    curves: list[Curve] = []
    times = np.zeros(0)
    for signal in study.over_time.values():
        times = signal.times
        for index, parameter in enumerate(study.parameters):
            curves.append(Curve(f"{signal.signal}: {parameter[0]}", 100.0 * signal.share[:, index], "%"))
    return _over("part of the variance", times, "s", curves)


def of_speeds(diagram: Campbell) -> Histories | None:
    """The frequency of every mode over the speed."""
    curves = [Curve(f"mode {index + 1}", diagram.frequencies_hz[:, index], "Hz") for index in range(len(diagram.names))]
    return _over("versus speed", diagram.spins, "rad/s", curves)


def _joint_curve(name: str, values: np.ndarray, unit: str, word: str) -> Curve:
    """A coordinate in degrees or metres, or the effort of a drive."""
    if word != "position":
        return Curve(name, values, effort_unit(unit))
    return Curve(name, np.degrees(values), "°") if unit == "rad" else Curve(name, values, unit)


def _over(over: str, places: Any, unit: str, curves: Iterable[Curve], more: str = "") -> Histories | None:
    """The curves over their axis, as many as a terminal bears; None if there is nothing to draw."""
    # A drive that a model leaves out is all NaN, of which there is nothing to see.
    known = tuple(curve for curve in curves if np.isfinite(curve.values).any())
    if len(places) < 2 or not known:
        return None
    left = len(known) - _CURVES_SHOWN
    if left > 0 and not more:
        known, more = known[:_CURVES_SHOWN], f"{left} more in --json"
    span = f"{places[0]:.4g} {unit} to {places[-1]:.4g} {unit}"
    return Histories(over, np.asarray(places, dtype=float), span, known, more)
