"""Where the direct optimum starts, when it is good enough, and the message if nothing is found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from flexarm.analyses.run.command_runs import Track
from flexarm.analyses.run.integrate import RunFailed
from flexarm.analyses.shaping.bounds import broken
from flexarm.analyses.shaping.commands import Command, along_law, through_shaper
from flexarm.analyses.shaping.knots import Knots
from flexarm.analyses.shaping.move import move_of
from flexarm.analyses.shaping.optimum import CommandBounds, Family, Optimum
from flexarm.analyses.shaping.robust import Uncertain
from flexarm.analyses.shaping.runs import Bench, Measures
from flexarm.analyses.shaping.switches import Switches, switches_of
from flexarm.errors import AnalysisError, FlexarmError

NAME = "optimum"
FAMILIES = ("knots", "switches")
# Margins between a bound and what the search aims at, tried in turn: peaks lie between the samples.
_MARGINS = (0.01, 0.04)
# Part of the unshaped residual that no other family has to better.
_GOOD = 1e-3
# A staircase accelerates for so much of its duration, in turn: bang-bang, and with a constant rate between.
_ACCELERATING = (0.5, 1.0 / 3.0)
# A shaper may take so much of the time of a staircase.
_LONGEST_SHAPER = 0.7

Measured = tuple[Command, Measures]
Progress = Callable[[str], None]
Left = Callable[[Measured], float]  # what a command leaves (m)


@dataclass(frozen=True, eq=False)
class Found:
    """The command that was found, or the reason why there is none."""

    command: Command | None
    reason: str | None = None


def find_optimum(
    bench: Bench,
    known: Sequence[Measured],
    bounds: CommandBounds,
    period: float,
    progress: Progress,
    family: str | None = None,
    others: Uncertain | None = None,
) -> Found:
    """A command within the bounds that leaves less than every shaper that keeps them, or that shaper itself.

    `known` are the commands measured so far, the unshaped first; `period` (s) is that of the mode that matters most.
    Without a family's name both are searched, the second where the first leaves more than next to nothing. With arms
    that may be, `others`, less is what they leave, the worst of them or their mean.
    """

    @cache
    def of_all(command: Command) -> float:
        assert others is not None
        return others.summed(others.residuals(command))

    def left(each: Measured) -> float:
        return _residual(each) if others is None else of_all(each[0])

    unshaped = known[0][1]
    limit = bench.move.end + period if bounds.duration is None else bench.move.begin + bounds.duration
    best = min([each for each in known if _keeps(bench, bounds, each)], key=left, default=None)
    searches = [limit]
    if bounds.duration is None and best is not None and best[0].stop > limit:
        # a longer shaper may leave less than the search does in shorter time: then it has its time too
        searches.append(best[0].stop)
    nearest: tuple[str, ...] = ()
    for stop in searches:
        reached: list[Measured] = []
        begun = False
        for start in _families(bench, known, bounds, stop, period, family, left):
            begun = True
            found, broke = _searched(bench, start, unshaped, bounds, progress, others)
            nearest = nearest or broke
            if found is not None:
                reached.append(found)
                # many arms under switches that jump take their time: that is for who asks for it
                if others is not None or left(found) <= _GOOD * float(np.max(unshaped.ranges)):
                    break
        if not begun:
            return Found(None, _no_start(bench, limit, family))
        found = min(reached, key=left, default=None)
        if found is not None and (best is None or left(found) <= left(best)):
            return Found(found[0])
    if best is not None:
        return Found(replace(best[0], name=NAME, kind="optimum"), f'nothing better than "{best[0].name}" was found')
    what = f"no command was found that stops within {limit - bench.move.begin:.4g} s and keeps the bounds"
    near = f": the nearest {' and '.join(nearest)}" if nearest else ""
    return Found(None, f"{what}{near}; try a longer max_duration or larger bounds")


Start = tuple[Family, Measured]  # a family of commands and the one it begins with


def _families(
    bench: Bench,
    known: Sequence[Measured],
    bounds: CommandBounds,
    stop: float,
    period: float,
    family: str | None,
    left: Left,
) -> Iterator[Start]:
    """The families to be searched, in turn, each with the command it begins with."""
    if family in (None, "knots"):
        start = _start(bench, known, bounds, stop, left)
        if start is not None:
            knots: Family = Knots(bench, start[0], stop, period)
            yield knots, start
    if family in (None, "switches"):
        stairs = _staircase(bench, known, bounds, stop, period, left)
        if stairs is not None:
            yield stairs


def _searched(
    bench: Bench, start: Start, unshaped: Measures, bounds: CommandBounds, progress: Progress, others: Uncertain | None
) -> tuple[Measured | None, tuple[str, ...]]:
    """The command a search leads to, if it keeps the bounds, and the bounds it breaks."""
    nearest: tuple[str, ...] = ()
    family, (_, begun) = start
    arms = [(Track(bench.compiled, replace(bench.settings, end=family.stop)), bench.rest)]
    if others is not None:
        arms += others.tracks(family.stop)
    for margin in _MARGINS:
        wanted = bounds
        if not bounds.torque:
            # no bound given: no more torque than the unshaped command, or the one the search starts from, asks for
            own = {name: max(most, begun.torque[name]) for name, most in unshaped.torque.items()}
            wanted = replace(bounds, torque={name: most / (1.0 - margin) for name, most in own.items()})
        try:
            # the bounds of drives count for every arm: bounds that are given hold for all arms that may be
            search = Optimum(family, arms, unshaped.energy, wanted, margin, bound_all=bool(bounds.torque))
            worst = others is not None and others.by == "worst"
            command = family.command(search.search_worst(progress) if worst else search.search(progress), NAME)
            measures = bench.measure(command)
        except RunFailed:
            continue
        finally:
            bench.runs += sum(track.runs for track, _ in arms)
        nearest = broken(bench.arm, bounds, measures, command.stop - bench.move.begin)
        if not nearest:
            return (command, measures), ()
    return None, nearest


def _start(bench: Bench, known: Sequence[Measured], bounds: CommandBounds, stop: float, left: Left) -> Measured | None:
    """The command to start from: the one that leaves least of those that are over in time and keep the bounds.

    Where none keeps them, the slowest smooth law there is time for, or the one that breaks them least.
    """
    in_time = [each for each in known if each[0].stop <= stop * (1.0 + 1e-12)]
    keeping = min([each for each in in_time if _keeps(bench, bounds, each)], key=left, default=None)
    if keeping is not None:
        return keeping
    try:
        fields = {"duration": stop - bench.move.begin}
        slow = along_law(bench.arm, bench.move, NAME, "cycloidal", fields)
        return slow, bench.measure(slow)
    except (AnalysisError, FlexarmError):
        return min(in_time, key=lambda each: _excess(bounds, each[1]), default=None)


def _staircase(
    bench: Bench, known: Sequence[Measured], bounds: CommandBounds, stop: float, period: float, left: Left
) -> tuple[Switches, Measured] | None:
    """The staircase to start from: of those that keep the bounds the one that leaves least, or breaks them least.

    Commands of the study are among them where they are staircases; from rest, bang-bang laws through its shapers too.
    """
    tried: list[tuple[Switches, Measured]] = []
    for command, measures in [*known, *_shaped_bangs(bench, known, stop)]:
        made = switches_of(bench, command, period) if command.stop <= stop * (1.0 + 1e-12) else None
        if made is not None and made.unknowns:
            tried.append((made, (command, measures)))
    keeping = [each for each in tried if _keeps(bench, bounds, each[1])]
    if keeping:
        return min(keeping, key=lambda each: left(each[1]))
    return min(tried, key=lambda each: _excess(bounds, each[1][1]), default=None)


def _shaped_bangs(bench: Bench, known: Sequence[Measured], stop: float) -> Iterator[Measured]:
    """Laws of constant accelerations through the shapers of the study, as long as there is time."""
    if not bench.move.from_rest:
        return
    begin = bench.move.begin
    for shaper in [command.shaper for command, _ in known if command.shaper is not None]:
        length = float(shaper.times[-1] - shaper.times[0])
        duration = stop - begin - length
        if length > _LONGEST_SHAPER * (stop - begin):
            continue
        for part in _ACCELERATING:
            fields = {"acceleration_time": part * duration, "constant_time": (1.0 - 2.0 * part) * duration}
            try:
                plain = along_law(bench.arm, bench.move, NAME, "accelerate", fields)
                command = through_shaper(plain.arm, move_of(plain.arm), NAME, shaper)
                yield command, bench.measure(command)
            except (AnalysisError, FlexarmError):
                continue


def _keeps(bench: Bench, bounds: CommandBounds, each: Measured) -> bool:
    return not broken(bench.arm, bounds, each[1], each[0].stop - bench.move.begin)


def _residual(each: Measured) -> float:
    return float(np.max(each[1].ranges))


def _excess(bounds: CommandBounds, found: Measures) -> float:
    torques = [found.torque[name] / most for name, most in bounds.torque.items()]
    return max([*torques, *(found.rate[name] / most for name, most in bounds.rate.items())], default=0.0)


def _no_start(bench: Bench, limit: float, family: str | None) -> str:
    """Why there is nothing to search."""
    if family == "switches":
        return (
            "the move begins at a rate or returns to where it starts, and its accelerations are not constant between "
            "switches, must be so for the family switches"
        )
    return (
        f"max_duration is {limit - bench.move.begin:.4g} s and the move begins at a rate, must be at least as long as "
        f"the unshaped command, {bench.move.duration:.4g} s"
    )
