"""A sensitivity study in plain text: bars, tables, and one sentence on what to tighten first."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from flexarm.results.engineering import aligned, plural, quantity, share

if TYPE_CHECKING:
    from flexarm.results.sensitivity import OverTime, Part, Ranking, Sensitivity

_BAR = 20
_PAIRS_SHOWN = 5


def advice(ranking: Ranking) -> str:
    """Which tolerance to tighten first for an output, in one sentence, with the number."""
    if not ranking.varies:
        return f"{ranking.words} does not vary with any of the parameters"
    if not ranking.known:
        lost = [part.parameter for part in ranking.parts if not isfinite(part.per_deviation)]
        return (
            f"what to tighten for {ranking.words} is unknown, for its derivatives by {_listed(lost)} at the nominal "
            "arm are: take samples"
        )
    best = ranking.tighten_first
    if not ranking.sampled:
        return _by_derivatives(ranking, best)
    makes = f"makes {share(min(max(best.share, 0.0), 1.0))} of the variance of {ranking.words}"
    if best.interacts:
        makes = (
            f"makes {share(best.first)} of the variance of {ranking.words} (first-order index) "
            f"and {share(best.total)} with its interactions (total index)"
        )
    parts = f"tighten {best.parameter} first: it {makes}; {_halved(best)}"
    rivals = [part.parameter for part in ranking.rivals()] if best is ranking.ranked[0] else []
    if rivals:
        more = f" and {len(rivals) - 2} more" if len(rivals) > 2 else ""
        parts += f" (these samples cannot decide whether {' or '.join(rivals[:2])}{more} matters more)"
    return parts


def _by_derivatives(ranking: Ranking, best: Part) -> str:
    if not isfinite(best.linear_share):
        per = quantity(best.per_deviation, ranking.unit, 3)
        return f"one deviation of {best.parameter} changes {ranking.words} most, by {per}"
    return (
        f"tighten {best.parameter} first: by the derivatives at the nominal arm it makes "
        f"{share(best.linear_share)} of the variance of {ranking.words}; {_halved(best)}"
    )


def _listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1])] * (len(names) > 1) + names[-1:])


def _halved(part: Part) -> str:
    if part.halving < 0.0:
        return f"but halving its deviation alone would raise the standard deviation by {share(-part.halving)}"
    return f"halving its deviation would cut the standard deviation by {share(part.halving)}"


def format_summary(found: Sensitivity) -> str:
    """Everything in a few tables."""
    head = f"{found.arm_name}: {plural(found.samples, 'sample')}"
    if found.rows:
        head += (
            f", {plural(found.rows, 'row')} of {found.row_width} ({found.method}, seed {found.seed}, {found.estimator})"
        )
    parts = [head, *_failed(found), "", _parameters(found)]
    for ranking in found.rankings.values():
        parts += ["", *_ranking(ranking)]
    if found.over_time:
        times = next(iter(found.over_time.values())).times
        parts += ["", f"  over {plural(len(times), 'time')} from {times[0]:.4g} s to {times[-1]:.4g} s"]
        parts += [f"    {_led(series, found)}" for series in found.over_time.values()]
    return "\n".join([*parts, *(f"  beware: {remark}" for remark in found.remarks)])


def _failed(found: Sensitivity) -> list[str]:
    if not found.failures:
        return []
    lost = found.rows - found.kept_rows
    parts = [
        f"  {plural(found.failures, 'sample')} failed; {plural(lost, 'row')} with such a sample left out as a whole"
    ]
    return parts + [f"    {count} {word}: {found.reasons.get(word, '')}" for word, count in found.failed.items()]


def _parameters(found: Sensitivity) -> str:
    rows = [["random", "mean", "deviation", "law"]]
    for name, unit, mean, deviation, words in found.parameters:
        rows.append([name, quantity(mean, unit, 6), quantity(deviation, unit, 3), words])
    return aligned(rows)


def _ranking(ranking: Ranking) -> list[str]:
    """The table of one output, led by its deviation and followed by the sentence."""
    if not ranking.varies:
        return [f"{ranking.words}: {quantity(ranking.nominal, ranking.unit, 5)}, does not vary"]
    unit = ranking.unit
    head = f"{ranking.words}: nominal {quantity(ranking.nominal, unit, 5)}"
    if ranking.sampled:
        head += f", mean {quantity(ranking.mean, unit, 5)}, deviation {quantity(ranking.deviation, unit, 3)}"
    head += f", by derivatives {quantity(ranking.linear_deviation, unit, 3)}"
    head += "" if ranking.near_linear or not ranking.sampled else ": not linear"
    averaged = any(isfinite(part.mean_square) for part in ranking.parts)
    heads = ["", "", "per deviation", "linear"]
    if ranking.sampled:
        heads = ["", "first-order", "95 %", "total", "95 %", "", *heads[2:]]
    rows = [[*heads, "mean square"] if averaged else heads]
    for part in ranking.ranked:
        cells = [part.parameter]
        if ranking.sampled:
            cells += [share(part.first), _range(part.first_interval)]
            cells += [share(part.total), _range(part.total_interval), _bar(part.first, part.total)]
        else:
            cells.append(_bar(part.linear_share, part.linear_share))
        cells += [quantity(part.per_deviation, unit, 3), share(part.linear_share)]
        rows.append([*cells, share(part.mean_square)] if averaged else cells)
    right = (1, 2, 3, 4, 6, 7, 8) if ranking.sampled else (2, 3, 4)
    lines = [head, aligned(rows, right=right)]
    if ranking.pairs:
        strongest = sorted(ranking.pairs, key=lambda pair: -pair.index)[:_PAIRS_SHOWN]
        parts = [
            f"{' with '.join(pair.parameters)} {share(pair.index)} ({_range(pair.interval)})" for pair in strongest
        ]
        lines.append(f"  second order: {', '.join(parts)}")
    return [*lines, f"  {advice(ranking)}"]


def _led(series: OverTime, found: Sensitivity) -> str:
    """Who leads how often."""
    leaders = series.leaders
    known, counts = np.unique(leaders[leaders >= 0], return_counts=True)
    order = np.argsort(-counts, kind="stable")
    still = int((leaders < 0).sum())
    if len(known) == 1 and not still:
        return f"{series.signal}: {found.parameters[known[0]][0]} leads at all times"
    parts = [f"{found.parameters[known[k]][0]} leads at {counts[k]}" for k in order]
    lost = int(((leaders < 0) & np.isnan(series.per_deviation).any(axis=1)).sum())
    parts += [f"unknown at {lost}"] if lost else []
    parts += [f"nothing varies at {still - lost}"] if still > lost else []
    return f"{series.signal}: {', '.join(parts)}"


def _bar(first: float, total: float) -> str:
    """Full blocks for the first-order index, light ones for the interactions up to the total index."""
    if not isfinite(total):
        return ""
    whole = round(_BAR * min(max(total, 0.0), 1.0))
    alone = min(round(_BAR * min(max(first, 0.0), 1.0)), whole)
    return ("█" * alone + "░" * (whole - alone)).ljust(_BAR)


def _range(interval: tuple[float, float]) -> str:
    if not isfinite(interval[0]):
        return "unknown"
    # no index lies beyond 0 and 1, whatever a normal limit gives
    low, high = (round(100.0 * min(max(end, 0.0), 1.0)) for end in interval)
    return f"{low} … {high} %"
