"""Arms that may be, braked alike: eight at a time through the lanes, or one by one where lanes cannot be had."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from flexarm.analyses.brake.residual import Measure, ranges_of
from flexarm.analyses.brake.robust import varied
from flexarm.analyses.brake.runs import BrakeRuns
from flexarm.analyses.brake.search import LATE, Looker
from flexarm.analyses.brake.stop import StopMotion, motion_at_stop
from flexarm.analyses.brake.worst_case import Place, Sample
from flexarm.analyses.run.integrate import RunFailed
from flexarm.analyses.run.lanes import Desk, Eight, by_eights, run_eight, why_not_laned
from flexarm.assembly import CompiledArm, compile_arm
from flexarm.assembly.stacked import StackedArms
from flexarm.core.numbers.lanes import LANES, lane_zeros
from flexarm.core.tree.elements import stepping_tree
from flexarm.core.tree.types import Floats
from flexarm.model import Arm

# Runs from which on lanes are taken: they are compiled once per machine and kind of arm, for all later studies too.
_LANES_PAY = 400


@dataclass(frozen=True, eq=False)
class Member:
    """One of the arms that may be: where it lies in the ranges, and what is measured of it."""

    place: Place
    arm: Arm
    compiled: CompiledArm
    measure: Measure
    rest: StopMotion


class Family:
    """All arms within ranges of some quantities, of which any can be braked within any time."""

    def __init__(self, arm: Arm, ranges: Mapping[str, tuple[float, float]], looker: Looker) -> None:
        self.arm, self.ranges = arm, dict(ranges)
        self._looker = looker
        self._members: dict[Place, Member] = {}
        self._groups: dict[tuple[Place, ...], list[Eight] | None] = {}
        self._alike: dict[Place, BrakeRuns] = {}
        self._desk = Desk()
        runs = looker.runs
        reason = why_not_laned(runs.compiled, runs.compiled.tree, arm.simulation)
        self._able = reason is None and not looker.bounds.torques
        self.laned = False
        self.runs = 0

    def expect(self, runs: int) -> None:
        """Take lanes if so many runs are worth it."""
        self.laned = self._able and runs >= _LANES_PAY

    def factors(self, place: Place) -> dict[str, float]:
        """The factors of every quantity of the arm at a place."""
        return {name: low + x * (high - low) for (name, (low, high)), x in zip(self.ranges.items(), place, strict=True)}

    def words(self, place: Place) -> str:
        """The arm at a place."""
        return ", ".join(f"{name} × {factor:.4g}" for name, factor in self.factors(place).items())

    def with_looker(self, looker: Looker) -> Family:
        """The same arms run more finely or more loosely; nothing is built anew."""
        other = Family(self.arm, self.ranges, looker)
        other._members, other._groups, other.laned = self._members, self._groups, self.laned
        return other

    def member(self, place: Place) -> Member:
        """The arm at a place."""
        if place not in self._members:
            arm = self.arm
            for name, factor in self.factors(place).items():
                arm = varied(arm, name, factor)
            compiled = compile_arm(arm)
            measure, rest = self._looker.measure.of_arm(arm, compiled), self._looker.rest
            if measure.at_once:
                runs = self._looker.runs
                middle = np.full(len(runs.stops), 0.5 * sum(runs.between))
                braked = _commanded_as(compiled, runs.commanded(middle))
                rest = motion_at_stop(braked, runs.stops, runs.last_stop(middle) + LATE)
            self._members[place] = Member(place, arm, compiled, measure, rest)
        return self._members[place]

    def at(self, time: float, keep: bool = True) -> Callable[[Sequence[Place]], list[Sample]]:
        """What is left of arms at places after braking in this time (s); `keep` their lanes for other times."""

        def evaluate(places: Sequence[Place]) -> list[Sample]:
            self.runs += len(places)
            groups = self._grouped(tuple(places), keep) if self.laned else None
            if groups is None:
                return [self._alone(self.member(place), time) for place in places]
            found: list[Sample] = []
            for first, eight in zip(range(0, len(places), LANES), groups, strict=True):
                found += self._eight([self.member(place) for place in places[first : first + LANES]], eight, time)
            return found

        return evaluate

    # --- One by one --------------------------------------------------------------------------------------------------

    def _alone(self, member: Member, time: float) -> Sample:
        looker = self._looker
        if member.place not in self._alike:
            self._alike[member.place] = looker.runs.twin(member.arm)
        runs = self._alike[member.place]
        times = np.full(len(runs.stops), time)
        try:
            run = runs.run(times, torques=bool(looker.bounds.torques))
        except RunFailed as failed:
            return Sample(np.nan, np.zeros((1, 1)), f"run failed: {failed}")
        sample = member.measure.sample(run, self._rest(member, run.compiled, run.stop))
        broken = looker.bounds.broken(runs, times, run.stop, run.torques)
        return replace(sample, reason=", ".join(broken))

    def _rest(self, member: Member, braked: CompiledArm, stop: float) -> StopMotion:
        """Where the arm comes to: that of the middle of the times, unless where it stops changes with them."""
        if self._looker.runs.hold == "begin" and member.measure.at_once:
            return motion_at_stop(braked, self._looker.runs.stops, stop + LATE)
        return member.rest

    # --- Eight at a time ---------------------------------------------------------------------------------------------

    def _grouped(self, places: tuple[Place, ...], keep: bool) -> list[Eight] | None:
        """The arms in lanes; None if their numbers do not lie alike."""
        if places in self._groups:
            return self._groups[places]
        arms = [self.member(place).compiled for place in places]
        try:
            stacked = _stacked(arms)
        except ValueError:
            found = None
        else:
            found = list(by_eights(stacked, np.arange(len(arms))))
        if keep:
            self._groups[places] = found
        return found

    def _eight(self, members: Sequence[Member], arms: Eight, time: float) -> list[Sample]:
        looker, runs = self._looker, self._looker.runs
        times = np.full(len(runs.stops), time)
        braked, stop = runs.commanded(times), runs.last_stop(times)
        window = window_of(runs, stop)
        settings = replace(runs.settings, end=float(window[-1]))
        states = run_eight(_under(arms, braked), settings, self.arm.simulation.start, window, desk=self._desk)
        measure, k = looker.measure, looker.measure.index
        seen = states.see(full=False) if measure.of_a_point else None
        broken = ", ".join(looker.bounds.broken(runs, times, stop, None))
        found: dict[int, Sample] = {}
        signals: dict[int, tuple[Floats, Floats]] = {}
        for j, member in enumerate(members):
            q, v = states.q[..., j], states.v[..., j]
            own = _commanded_as(member.compiled, braked)
            if not states.valid[j]:
                found[j] = self._alone(member, time)  # which has the reason
            elif measure.at_once:
                found[j] = member.measure.at_the_stop(own, self._rest(member, own, stop), q[0], v[0])
            else:
                points = None if seen is None else (seen.position[:, k, :, j], seen.velocity[:, k, :, j])
                signals[j] = member.measure.signals(own, q, v, points)
        if signals:
            found |= zip(signals, ranges_of(window, list(signals.values())), strict=True)
        return [replace(found[j], reason=found[j].reason or broken) for j in range(len(members))]


def window_of(runs: BrakeRuns, stop: float) -> Floats:
    """The times (s) at which a run is sampled after its stop."""
    return stop + np.linspace(0.0, runs.span, runs.samples + 1) if runs.samples else np.array([stop])


def _stacked(arms: Sequence[CompiledArm]) -> StackedArms:
    """The arms one behind the other; a ValueError if they are not alike but for their numbers."""
    first = arms[0]
    plain = _behind([arm.tree for arm in arms])
    stepped = [stepping_tree(arm.tree, arm.loads) for arm in arms]
    start = first.arm.simulation.start
    given = {} if isinstance(start, str) else {name: np.full(len(arms), float(x)) for name, x in start.items()}
    return StackedArms(
        nominal=first,
        valid=np.ones(len(arms), bool),
        tree=plain if stepped[0] is first.tree else _behind(stepped),
        plain_tree=plain,
        loads=_behind([arm.loads for arm in arms]),
        laws=_behind([arm.laws for arm in arms]),
        commands=_behind([arm.commands for arm in arms]),
        start=np.array([arm.start for arm in arms]),
        start_rate=np.array([arm.start_rate for arm in arms]),
        point_place=np.array([arm.point_place for arm in arms]),
        point_in_plane=np.array([arm.point_in_plane for arm in arms]),
        reach=np.array([arm.reach for arm in arms]),
        given_start=given,
    )


def _behind(parts: Sequence[Any]) -> Any:
    """A named tuple of arrays, those of floats stacked along a first axis; whole numbers must be the same in all."""
    first = parts[0]
    arrays = []
    for k, array in enumerate(first):
        each = [part[k] for part in parts]
        if array.dtype.kind == "f":
            arrays.append(np.ascontiguousarray(np.stack(each)))
        elif all(np.array_equal(array, other) for other in each):
            arrays.append(array)
        else:
            raise ValueError("the arms are not alike")
    return type(first)(*arrays)


def _commanded_as(compiled: CompiledArm, braked: CompiledArm) -> CompiledArm:
    """An arm under the commands of another one."""
    return replace(
        compiled,
        laws=braked.laws,
        pieces=braked.pieces,
        commands=braked.commands,
        start=braked.start,
        start_rate=braked.start_rate,
    )


def _under(arms: Eight, braked: CompiledArm) -> Eight:
    """The eight arms under the commands of another one."""

    def alike(array: Any) -> Any:
        if array.dtype.kind != "f":
            return array
        found = lane_zeros((*array.shape, LANES))
        found[:] = array[..., None]
        return found

    return replace(
        arms,
        laws=type(braked.laws)(*map(alike, braked.laws)),
        commands=type(braked.commands)(*map(alike, braked.commands)),
        start=alike(braked.start),
        start_rate=alike(braked.start_rate),
    )
