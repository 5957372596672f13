"""The laws of a compiled arm with other braking times, by the thousand: only the numbers that change are written."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexarm.analyses.brake.laws import Stop
from flexarm.assembly import SAME_SWITCH, CompiledArm, with_motions
from flexarm.core.tree.types import Commands, Floats, Laws

_START, _AMPLITUDE, _SPEED, _FIRST = 0, 1, 2, 4  # columns of a piece in the engine's table


class Retiming:
    """A compiled arm with any braking times (s), one for every stop."""

    def __init__(self, compiled: CompiledArm, stops: Sequence[Stop], hold: str, origin: float) -> None:
        self._compiled, self._stops, self._hold, self._origin = compiled, tuple(stops), hold, origin
        # the laws cut where braking begins: every other time is a change of this table
        self._base = with_motions(compiled, {stop.joint: stop.law for stop in stops})
        first = self._base.laws.first
        rows: list[int] = []
        owner: list[int] = []
        self._rests: list[int] = []
        for j, stop in enumerate(stops):
            law = self._law_of(stop.joint)
            begin = int(first[law]) + stop.first
            braking = range(begin, int(first[law + 1]) - 1)
            rows += braking
            owner += [j] * len(braking)
            self._rests.append(int(first[law + 1]) - 1)
        self._rows, self._owner = np.array(rows, np.int64), np.array(owner, np.int64)
        table = self._base.laws.piece
        powers = np.arange(table.shape[1] - _FIRST)
        self._exponents = 1.0 - powers
        self._coefficients = table[self._rows, _FIRST:]
        self._sines = table[self._rows, _AMPLITUDE : _SPEED + 1]
        begins = np.array([stop.begin for stop in stops])
        self._since = table[self._rows, _START] - begins[self._owner]
        self._begins = begins
        self._durations = np.array([stop.duration for stop in stops])
        self._lags = np.array([stop.lag for stop in stops])
        self._places = np.array([stop.place for stop in stops])
        self._rates = np.array([stop.rate for stop in stops])
        self._travels = np.array([stop.travel for stop in stops])
        # the earliest begin that overtakes no other piece
        self._free = np.array([float(stop.law.start[stop.first - 1]) for stop in stops])
        braked = {self._law_of(stop.joint) for stop in stops}
        others = [law.switch_times for k, law in enumerate(self._base.pieces) if k not in braked]
        kept = [stop.law.start[: stop.first][stop.law.switch[: stop.first]] for stop in stops]
        self._still = np.concatenate([np.zeros(0), *others, *kept])
        flags = np.concatenate([stop.law.switch[stop.first : -1] for stop in stops]).astype(bool)
        self._switching = np.append(flags, [bool(stop.law.switch[-1]) for stop in stops])

    def _law_of(self, joint: str) -> int:
        """The index of the law a joint follows."""
        commands, c = self._compiled.commands, self._compiled.coordinate_names.index(joint)
        for coordinates, laws in (
            (commands.motion_coordinate, commands.motion_law),
            (commands.servo_coordinate, commands.servo_law),
        ):
            found = laws[coordinates == c]
            if len(found):
                return int(found[0])
        raise KeyError(joint)

    def __call__(self, times: Floats) -> tuple[Laws, Commands]:
        """The engine's commands for these braking times (stops,)."""
        return self.many(times[None, :])[0]

    def many(self, times: Floats) -> list[tuple[Laws, Commands]]:
        """The same for every row of braking times (runs, stops)."""
        s = times / self._durations
        begins = (
            self._begins + self._lags * (1.0 - s)
            if self._hold == "end"
            else np.repeat(self._begins[None, :], len(times), axis=0)
        )
        # laws of drives follow from the motions
        has_laws = bool(np.any(self._compiled.commands.servo_more[:, 1] >= 0))
        if self._hold == "path" or has_laws or np.any(begins < self._free):
            whole = [self.written_out(each) for each in times]
            return [(each.laws, each.commands) for each in whole]
        rows, owner, count = self._rows, self._owner, len(self._rows)
        base, each = self._base, s[:, owner]
        tables = np.repeat(base.laws.piece[None, :, :], len(times), axis=0)
        starts = np.concatenate([begins[:, owner] + self._since * each, begins + times], axis=1)
        moved = (1.0 - s) * self._places + self._rates * (begins - self._begins)
        coefficients = self._coefficients * each[:, :, None] ** self._exponents
        coefficients[:, :, 0] += moved[:, owner]
        tables[:, rows, _FIRST:] = coefficients
        tables[:, rows, _AMPLITUDE] = self._sines[:, 0] * each
        tables[:, rows, _SPEED] = self._sines[:, 1] / each
        if self._hold == "begin":
            tables[:, self._rests, _FIRST] += (s - 1.0) * self._travels
        still = np.repeat(self._still[None, :], len(times), axis=0)
        switches = np.sort(np.concatenate([still, starts[:, self._switching]], axis=1), axis=1)
        kept = np.ones(switches.shape, bool)
        if switches.shape[1]:
            # switches that differ by rounding are one, and what starts there starts on it
            kept[:, 1:] = np.diff(switches, axis=1) > SAME_SWITCH
            near = np.abs(starts[:, :, None] - switches[:, None, :]) <= SAME_SWITCH
            first = np.take_along_axis(switches, near.argmax(axis=2), axis=1)
            starts = np.where(near.any(axis=2), first, starts)
        tables[:, rows, _START], tables[:, self._rests, _START] = starts[:, :count], starts[:, count:]
        return [
            (base.laws._replace(piece=table), base.commands._replace(switches=row[mask]))
            for table, row, mask in zip(tables, switches, kept, strict=True)
        ]

    def written_out(self, times: Floats) -> CompiledArm:
        """The arm with these braking times, by whole laws."""
        pairs = zip(self._stops, times, strict=True)
        laws = {stop.joint: stop.braked(float(t), self._hold, self._origin) for stop, t in pairs}
        return with_motions(self._compiled, laws)
