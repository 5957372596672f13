"""The number of a requirement in a run: how far, how turned, how fast, compared with nothing yet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from flexarm.analyses.signals.names import signal_unit
from flexarm.analyses.signals.observed import Observed, sizes, snapped
from flexarm.assembly import CompiledArm
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.model.extent import check_can_move
from flexarm.model.reading.messages import quoted
from flexarm.results.extremes import extremes_of_batch
from flexarm.studies.outputs.settling import Aim, check_aim, settling_values
from flexarm.studies.reliability.requirements import NOMINAL, PLANES, Requirement

_POSITIONED = ("circle", "sphere", "box", "ellipse")


@final
@dataclass(frozen=True, eq=False)
class Check:
    """A requirement prepared for the runs of a study: its times (s) and its target at each of them."""

    requirement: Requirement
    times: Floats
    over_interval: bool
    aim: Floats | None  # (times, 2 or 3) centre, or (times, 4) orientation

    @property
    def settling(self) -> Aim | None:
        """The settling target, if the requirement concerns settling."""
        wanted = self.requirement
        return Aim(wanted.point, wanted.within, wanted.of, wanted.about) if wanted.settles else None

    def numbers(self, observed: Observed) -> Floats:
        """The numbers (runs,) that must not exceed the requirement's limit."""
        where = np.searchsorted(observed.times, self.times)
        if self.settling is not None:
            begin = np.full(observed.count, self.times[0])
            return settling_values(self.settling, observed, where, begin)
        if self.requirement.kind == "signal":
            return self._band_number(observed, where)
        signals = self._signals(observed, where)
        if not self.over_interval:
            return np.asarray(np.max([np.max(np.abs(signal), axis=0) for signal in signals], axis=0))
        found = [extremes_of_batch(self.times, signal, between=observed.smooth) for signal in signals]
        return np.asarray(np.max([np.maximum(np.abs(least), np.abs(greatest)) for least, greatest in found], axis=0))

    def _band_number(self, observed: Observed, where: np.ndarray) -> Floats:
        """How far a signal is from the middle of its band, or towards its only bound."""
        wanted = self.requirement
        low, high = wanted.band
        values = observed.signal(wanted.signal)[where]
        rates = observed.rates(wanted.signal)
        if self.over_interval:
            rates = None if rates is None else rates[where]
            least, greatest = extremes_of_batch(
                self.times, values, rates, between=observed.smooth_signal(wanted.signal)
            )
        else:
            least, greatest = values.min(axis=0), values.max(axis=0)
        if np.isfinite(low) and np.isfinite(high):
            middle = 0.5 * (low + high)
            return np.maximum(greatest - middle, middle - least)
        # one bound b: the number is |b| where the signal is at b, less on its better side
        if np.isfinite(high):
            return np.asarray(greatest - high + abs(high))
        return np.asarray(low - least + abs(low))

    def _signals(self, observed: Observed, where: np.ndarray) -> list[Floats]:
        """One or more signals (times, runs); the number is the greatest absolute value of any."""
        wanted, j = self.requirement, observed.point(self.requirement.point)
        if wanted.kind == "speed":
            return [sizes(observed.velocity()[where, j])]
        if wanted.kind == "deflection":
            return [sizes(observed.deflection()[where, j])]
        assert self.aim is not None
        if wanted.kind == "orientation":
            return [_turned(observed.orientation()[where, j], self.aim[..., None])]
        return region_signals(wanted, observed.position()[where, j], self.aim[..., None])


def region_signals(wanted: Requirement, places: Floats, centres: Floats) -> list[Floats]:
    """How far places (m, 3, runs) are from the centres (m, 2 or 3, 1): distances, or in units of the region's size."""
    if wanted.kind == "sphere":
        return [sizes(places - centres)]
    if wanted.kind == "box":
        return [(places[:, k] - centres[:, k]) / (size / 2.0) for k, size in enumerate(wanted.size)]
    first, second = PLANES[wanted.plane]
    x, y = places[:, first] - centres[:, 0], places[:, second] - centres[:, 1]
    if wanted.kind == "circle":
        return [np.sqrt(x**2 + y**2)]
    c, s = np.cos(wanted.angle), np.sin(wanted.angle)
    along, across = (c * x + s * y) / wanted.size[0], (c * y - s * x) / wanted.size[1]
    return [np.sqrt(along**2 + across**2)]


def check_times(wanted: Requirement, grid: Floats, end: float) -> Floats:
    """The times (s) at which the requirement looks at a run sampled on a grid."""
    slack = end * (1.0 + 1e-9)
    if wanted.kind == "settling_time":
        if not wanted.limit < end:
            raise AnalysisError(
                f"requirement {quoted(wanted.name)}: settling_time.below is {wanted.limit:.6g} s, must be before the "
                f"end of the run, {end:.6g} s"
            )
        return grid
    if wanted.during is None and wanted.kind != "settled":
        chosen = wanted.at or (end,)
        if late := [time for time in chosen if not 0.0 <= time <= slack]:
            raise AnalysisError(
                f"requirement {quoted(wanted.name)} is at {late[0]:.6g} s, must be within 0 and the end, {end:.6g} s"
            )
        return np.unique([snapped(time, grid) for time in chosen])
    begin, last = wanted.during or (wanted.at[0], end)
    last = min(last, end) if np.isinf(last) else last
    if not begin < last <= slack:
        raise AnalysisError(
            f"requirement {quoted(wanted.name)} is from {begin:.6g} s to {last:.6g} s, must be within 0 and the end, "
            f"{end:.6g} s"
        )
    first, last = snapped(begin, grid), snapped(last, grid)
    return np.concatenate([[first], grid[(grid > first) & (grid < last)], [last]])


def check_fits(wanted: Requirement, compiled: CompiledArm) -> None:
    """Refuse a requirement of a point the arm does not have, or at times its run does not reach."""
    if wanted.kind == "signal":
        signal_unit(compiled, wanted.signal)
        return
    if wanted.point not in compiled.point_names:
        signal_unit(compiled, f"{wanted.point}.x")
    check_can_move(compiled.arm, wanted.point)
    end = compiled.arm.simulation.end
    if end is not None:
        check_times(wanted, np.array([0.0, end]), end)
        if wanted.settles:
            aim = Aim(wanted.point, wanted.within or 1.0, wanted.of, wanted.about)
            check_aim(f"requirement {quoted(wanted.name)}", compiled, aim, end)


def make_check(wanted: Requirement, times: Floats, nominal: Observed | None) -> Check:
    """The requirement ready for runs known at its times; `nominal` is needed where it aims at the nominal arm."""
    over = wanted.during is not None or wanted.settles
    given = wanted.centre if wanted.kind in _POSITIONED else wanted.target
    if wanted.kind not in (*_POSITIONED, "orientation"):
        return Check(wanted, times, over, None)
    if given != NOMINAL:
        aim = np.array(given, dtype=float)
        if wanted.kind == "orientation":
            aim = aim / np.linalg.norm(aim)
        return Check(wanted, times, over, np.repeat(aim[None], len(times), axis=0))
    assert nominal is not None
    where, j = np.searchsorted(nominal.times, times), nominal.point(wanted.point)
    if wanted.kind == "orientation":
        return Check(wanted, times, over, nominal.orientation()[where, j, :, 0])
    places = nominal.position()[where, j, :, 0]
    return Check(
        wanted, times, over, places[:, PLANES[wanted.plane]] if wanted.kind in ("circle", "ellipse") else places
    )


def needs_nominal(wanted: Requirement) -> bool:
    """True if it aims at where the nominal arm is."""
    return (wanted.kind in _POSITIONED and wanted.centre == NOMINAL) or (
        wanted.kind == "orientation" and wanted.target == NOMINAL
    )


def _turned(orientations: Floats, aims: Floats) -> Floats:
    """The angles (m, runs), rad, of the rotations from each aim (m, 4, 1) to each orientation (m, 4, runs)."""
    w = np.abs(np.sum(orientations * aims, axis=1))
    # |vector part| of conj(aim) · orientation: exact for small angles, where arccos of the scalar part is not
    a, b = aims, orientations
    x = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0] - a[:, 2] * b[:, 3] + a[:, 3] * b[:, 2]
    y = a[:, 0] * b[:, 2] - a[:, 2] * b[:, 0] - a[:, 3] * b[:, 1] + a[:, 1] * b[:, 3]
    z = a[:, 0] * b[:, 3] - a[:, 3] * b[:, 0] - a[:, 1] * b[:, 2] + a[:, 2] * b[:, 1]
    return np.asarray(2.0 * np.arctan2(np.sqrt(x**2 + y**2 + z**2), w))
