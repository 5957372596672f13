"""Figures of He and Wang's paper: where random strips end, and their statistics over time."""

from __future__ import annotations

from typing import Any

import numpy as np

from docs.making.drawing import COLOURS, drawing
from docs.making.keeping import kept

# What is observed, as the rows call it: words, unit and the numbers of the figures of its mean and variance.
_OBSERVED = {
    "theta": ("angle of the hub", "rad", (5, 6)),
    "thetadot": ("rate of the hub", "rad/s", (7, 8)),
    "tip_u": ("deformation of the end", "m", (9, 10)),
    "tip_udot": ("its rate", "m/s", (11, 12)),
}
_SAMPLES = 20_000


def tips() -> str:
    """Where the tips of eight hundred random strips end, and the circle the paper has them in."""
    points = np.array(kept("gallery hewang", _tips))
    centre, radius = (-0.025, 0.526), 0.015
    inside = np.hypot(points[:, 0] - centre[0], points[:, 1] - centre[1]) <= radius
    with drawing("hewang", height=2.7) as made:
        angle = np.linspace(0.0, 2.0 * np.pi, 181)
        made.axes.plot(*points[~inside].T, ".", ms=2.5, color=COLOURS[0], label=f"outside, {np.mean(~inside):.0%}")
        made.axes.plot(
            *points[inside].T, ".", ms=2.5, color=COLOURS[1], label=f"inside, {np.mean(inside):.0%}; paper 99.7 %"
        )
        made.axes.plot(centre[0] + radius * np.cos(angle), centre[1] + radius * np.sin(angle), color=COLOURS[6])
        made.axes.set(xlabel="x, m", ylabel="y, m", aspect="equal", xlim=(-0.32, 0.32), ylim=(0.36, 0.58))
        made.axes.legend(loc="lower center", markerscale=4)
    return made.svg


def _tips() -> list[list[float]]:
    from flexarm.papers.files import paper_text
    from flexarm.studies.execution.hub_beams import HubBeams
    from flexarm.studies.parameters.study_model import parse_study

    study = parse_study(paper_text("hewang_random.toml"), "hewang_random.toml")
    lanes = HubBeams(study.nominal)
    times = np.array([2.0])
    lanes.settled(times)
    values = study.draw(2026, 0, 800)
    found = lanes.run(dict(zip(study.names, values.T, strict=True)), times)
    return [[float(x), float(y)] for x, y in found.tip[:, -1]]


def statistics(word: str) -> str:
    """Figs. 5 to 12: mean and variance of a quantity over time."""
    data = kept("gallery hewang statistics", _statistics)
    name, unit, numbers = _OBSERVED[word]
    square = "²/s²" if unit.endswith("/s") else "²"
    with drawing(f"hewang {word}", columns=2, height=2.5, sharex=True) as made:
        for place, what, number, of in zip(
            made.axes, ("mean", "variance"), numbers, (unit, unit.removesuffix("/s") + square), strict=True
        ):
            place.plot(data["time"], data[word][what], lw=1.3, color=COLOURS[0])
            place.set(xlabel="time, s", ylabel=f"{what}, {of}", title=f"{number}: {what} of {name}")
    return made.svg


def _statistics() -> dict[str, Any]:
    from flexarm.papers.files import paper_text
    from flexarm.papers.hewang_random import OBSERVED, observed
    from flexarm.studies.execution.hub_beams import HubBeams
    from flexarm.studies.parameters.study_model import parse_study

    study = parse_study(paper_text("hewang_random.toml"), "hewang_random.toml")
    lanes = HubBeams(study.nominal)
    times = np.linspace(0.02, 2.0, 100)
    lanes.settled(times)
    values = study.draw(2026, 0, _SAMPLES)
    found = observed(lanes.run(dict(zip(study.names, values.T, strict=True)), times))
    moments = {
        word: {"mean": each.mean(axis=0).tolist(), "variance": each.var(axis=0, ddof=1).tolist()}
        for word, each in zip(OBSERVED, found, strict=True)
    }
    return {"time": times.tolist(), **moments}
