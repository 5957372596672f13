"""Where the direct optimum starts, when it is good enough, and what is said if nothing is found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from flexarm.analyses.compare_measures import StoppedEarly
from flexarm.analyses.shape_bounds import broken
from flexarm.analyses.shape_commands import Command, along_law, corrected
from flexarm.analyses.shape_optimum import Bounds, Optimum
from flexarm.analyses.shape_runs import Bench, Measures
from flexarm.errors import AnalysisError, FlexarmError

NAME = "optimum"
# Room between a bound and what the search aims at, tried in turn: peaks lie between the samples.
_MARGINS = (0.01, 0.04)

Measured = tuple[Command, Measures]


@dataclass(frozen=True, eq=False)
class Found:
    """The command that was found, or the reason why there is none."""

    command: Command | None
    reason: str | None = None


def find_optimum(
    bench: Bench, known: Sequence[Measured], bounds: Bounds, period: float, told: Callable[[str], None]
) -> Found:
    """A command within the bounds that leaves less than every shaper that keeps them, or that shaper itself.

    `known` are the commands measured so far, the unshaped first; `period` (s) is that of the mode that matters most.
    """
    unshaped = known[0][1]
    limit = bench.move.end + period if bounds.duration is None else bench.move.begin + bounds.duration
    best = _best([each for each in known if _keeps(bench, bounds, each)])
    searches = [limit]
    if bounds.duration is None and best is not None and best[0].stop > limit:
        # a longer shaper may leave less than the search does in shorter time: then it has its time too
        searches.append(best[0].stop)
    nearest: tuple[str, ...] = ()
    for stop in searches:
        start = _start(bench, known, bounds, stop)
        if start is None:
            return Found(None, _too_short(bench, limit))
        found, nearest = _searched(bench, start, stop, unshaped, bounds, period, told)
        if found is not None and (best is None or _residual(found) <= _residual(best)):
            return Found(found[0])
    if best is not None:
        return Found(replace(best[0], name=NAME, kind="optimum"), f'nothing better than "{best[0].name}" was found')
    what = f"no command was found that stops within {limit - bench.move.begin:.4g} s and keeps the bounds"
    near = f": the nearest {' and '.join(nearest)}" if nearest else ""
    return Found(None, f"{what}{near}; try a longer max_duration or larger bounds")


def _searched(
    bench: Bench,
    start: Measured,
    stop: float,
    unshaped: Measures,
    bounds: Bounds,
    period: float,
    told: Callable[[str], None],
) -> tuple[Measured | None, tuple[str, ...]]:
    """The command a search leads to, if it keeps the bounds, and the bounds it breaks."""
    nearest: tuple[str, ...] = ()
    for margin in _MARGINS:
        wanted = bounds
        if not bounds.torque:
            # no bound given: no more torque than the unshaped command, or the one the search starts from, asks for
            own = {name: max(most, start[1].torque[name]) for name, most in unshaped.torque.items()}
            wanted = replace(bounds, torque={name: most / (1.0 - margin) for name, most in own.items()})
        search = Optimum(bench, start[0], stop, unshaped.energy, wanted, period)
        search.margin = margin
        try:
            values = search.values(search.search(told))
            times = search.knots.tolist()
            knots = {name: {"times": times, "values": column.tolist()} for name, column in values.items()}
            command = corrected(bench.arm, bench.move, NAME, start[0], knots)
            measures = bench.measure(command)
        except StoppedEarly:
            continue
        nearest = broken(bench.arm, bounds, measures, command.stop - bench.move.begin)
        if not nearest:
            return (command, measures), ()
    return None, nearest


def _start(bench: Bench, known: Sequence[Measured], bounds: Bounds, stop: float) -> Measured | None:
    """The command to start from: the one that leaves least of those that are over in time and keep the bounds.

    Where none keeps them, the slowest smooth law there is time for, or the one that breaks them least.
    """
    in_time = [each for each in known if each[0].stop <= stop * (1.0 + 1e-12)]
    keeping = _best([each for each in in_time if _keeps(bench, bounds, each)])
    if keeping is not None:
        return keeping
    try:
        fields = {"duration": stop - bench.move.begin}
        slow = along_law(bench.arm, bench.move, NAME, "cycloidal", fields)
        return slow, bench.measure(slow)
    except (AnalysisError, FlexarmError):
        return min(in_time, key=lambda each: _excess(bounds, each[1]), default=None)


def _keeps(bench: Bench, bounds: Bounds, each: Measured) -> bool:
    return not broken(bench.arm, bounds, each[1], each[0].stop - bench.move.begin)


def _best(known: Sequence[Measured]) -> Measured | None:
    return min(known, key=_residual, default=None)


def _residual(each: Measured) -> float:
    return float(np.max(each[1].ranges))


def _excess(bounds: Bounds, found: Measures) -> float:
    torques = [found.torque[name] / most for name, most in bounds.torque.items()]
    return max([*torques, *(found.rate[name] / most for name, most in bounds.rate.items())], default=0.0)


def _too_short(bench: Bench, limit: float) -> str:
    return (
        f"max_duration is {limit - bench.move.begin:.4g} s and the move begins at a rate, must be at least as long as "
        f"the unshaped command, {bench.move.duration:.4g} s"
    )
