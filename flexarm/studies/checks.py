"""The number of a requirement in one run: how far, how turned, how fast, compared with nothing yet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from flexarm.core.types import Floats
from flexarm.errors import AnalysisError
from flexarm.model.messages import quoted
from flexarm.results.extremes import find_extremes
from flexarm.studies.observed import Observed, snapped
from flexarm.studies.requirements import NOMINAL, PLANES, Requirement

_POSITIONED = ("circle", "sphere", "box", "ellipse")


@final
@dataclass(frozen=True, eq=False)
class Check:
    """A requirement made ready for the runs of a study: its times (s) and what it aims at at each of them."""

    requirement: Requirement
    times: Floats
    over_interval: bool
    aim: Floats | None  # (times, 2 or 3) centre, or (times, 4) orientation

    def number(self, observed: Observed) -> float:
        """The number that must not exceed the requirement's limit."""
        where = np.searchsorted(observed.run.times, self.times)
        signals = self._signals(observed, where)
        if self.requirement.kind == "settled":
            return max(find_extremes(self.times, signal).span for signal in signals) / 2.0
        if not self.over_interval:
            return float(np.max(np.abs(signals)))
        found = [find_extremes(self.times, signal) for signal in signals]
        return max(max(abs(each.least), abs(each.greatest)) for each in found)

    def _signals(self, observed: Observed, where: np.ndarray) -> Floats:
        """One or more signals over the times; the number is the greatest absolute value of any."""
        wanted, j = self.requirement, observed.point(self.requirement.point)
        if wanted.kind == "speed":
            return _sizes(observed.seen.velocity[where, j])[None]
        if wanted.kind == "deflection":
            return _sizes(observed.deflection[where, j])[None]
        if wanted.kind == "settled":
            return observed.deflection[where, j].T
        assert self.aim is not None
        if wanted.kind == "orientation":
            return _turned(observed.seen.orientation[where, j], self.aim)[None]
        return region_signals(wanted, observed.seen.position[where, j], self.aim)


def region_signals(wanted: Requirement, places: Floats, centres: Floats) -> Floats:
    """How far places (m, 3) are from the centres (m, 2 or 3): a distance, or in units of the region's own size."""
    if wanted.kind == "sphere":
        return _sizes(places - centres)[None]
    if wanted.kind == "box":
        return ((places[:, : len(wanted.size)] - centres[:, : len(wanted.size)]) / (np.array(wanted.size) / 2.0)).T
    away = (places[:, PLANES[wanted.plane]] - centres).T
    if wanted.kind == "circle":
        return np.sqrt(away[0] ** 2 + away[1] ** 2)[None]
    c, s = np.cos(wanted.angle), np.sin(wanted.angle)
    along, across = (c * away[0] + s * away[1]) / wanted.size[0], (c * away[1] - s * away[0]) / wanted.size[1]
    return np.sqrt(along**2 + across**2)[None]


def check_times(wanted: Requirement, grid: Floats, end: float) -> Floats:
    """The times (s) at which the requirement looks at a run sampled on a grid."""
    slack = end * (1.0 + 1e-9)
    if wanted.during is None and wanted.kind != "settled":
        chosen = wanted.at or (end,)
        if late := [time for time in chosen if not 0.0 <= time <= slack]:
            raise AnalysisError(
                f"requirement {quoted(wanted.name)} is at {late[0]:.6g} s, must be within 0 and the end, {end:.6g} s"
            )
        return np.unique([snapped(time, grid) for time in chosen])
    begin, last = wanted.during or (wanted.at[0], end)
    if not begin < last <= slack:
        raise AnalysisError(
            f"requirement {quoted(wanted.name)} is from {begin:.6g} s to {last:.6g} s, must be within 0 and the end, "
            f"{end:.6g} s"
        )
    first, last = snapped(begin, grid), snapped(last, grid)
    return np.concatenate([[first], grid[(grid > first) & (grid < last)], [last]])


def make_check(wanted: Requirement, times: Floats, nominal: Observed | None) -> Check:
    """The requirement ready for runs known at its times; `nominal` is needed where it aims at the nominal arm."""
    over = wanted.during is not None or wanted.kind == "settled"
    given = wanted.centre if wanted.kind in _POSITIONED else wanted.target
    if wanted.kind not in (*_POSITIONED, "orientation"):
        return Check(wanted, times, over, None)
    if given != NOMINAL:
        aim = np.array(given, dtype=float)
        if wanted.kind == "orientation":
            aim = aim / np.linalg.norm(aim)
        return Check(wanted, times, over, np.repeat(aim[None], len(times), axis=0))
    assert nominal is not None
    where, j = np.searchsorted(nominal.run.times, times), nominal.point(wanted.point)
    if wanted.kind == "orientation":
        return Check(wanted, times, over, nominal.seen.orientation[where, j])
    places = nominal.seen.position[where, j]
    return Check(
        wanted, times, over, places[:, PLANES[wanted.plane]] if wanted.kind in ("circle", "ellipse") else places
    )


def needs_nominal(wanted: Requirement) -> bool:
    """True if it aims at where the nominal arm is."""
    return (wanted.kind in _POSITIONED and wanted.centre == NOMINAL) or (
        wanted.kind == "orientation" and wanted.target == NOMINAL
    )


def _sizes(vectors: Floats) -> Floats:
    return np.asarray(np.sqrt(sum(column**2 for column in vectors.T)))


def _turned(orientations: Floats, aims: Floats) -> Floats:
    """The angle (rad) of the rotation from each aim to each orientation, both quaternions (w, x, y, z)."""
    w = np.abs(np.sum(orientations * aims, axis=1))
    # |vector part| of conj(aim) · orientation: exact for small angles, where arccos of the scalar part is not
    a, b = aims, orientations
    x = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0] - a[:, 2] * b[:, 3] + a[:, 3] * b[:, 2]
    y = a[:, 0] * b[:, 2] - a[:, 2] * b[:, 0] - a[:, 3] * b[:, 1] + a[:, 1] * b[:, 3]
    z = a[:, 0] * b[:, 3] - a[:, 3] * b[:, 0] - a[:, 1] * b[:, 2] + a[:, 2] * b[:, 1]
    return np.asarray(2.0 * np.arctan2(np.sqrt(x**2 + y**2 + z**2), w))
