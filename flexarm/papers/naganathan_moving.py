"""Naganathan: figures 13, 29 and 41 to 43, arms in motion on the thesis's own elements."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from flexarm.analyses.run.simulate import simulate
from flexarm.papers.files import with_model
from flexarm.papers.naganathan_cases import case, case_run, spun_link
from flexarm.papers.row import Row, judged
from flexarm.papers.tip import across, at, peak
from flexarm.results import Trajectory

_TUBE = (
    "Fig. 29, which the copy at hand does not have; K q = F at each instant, with the weight and the inertia of the "
    "rigid arm in F"
)
_THREE = (
    "Figs. 41 and 42, which the copy at hand does not have, nor Fig. 40 with the motions: 60° each by the tubes' law; "
    "linear Timoshenko elements with reduced integration, 5 % damping, gravity, static start"
)
_SLIDE = (
    "Fig. 43, which the copy at hand does not have; elements of variable length. The motions are not printed: the "
    "column turns by 60° and the link slides from 0.6 to 1 m, both along a cycloid of 2.5 s, without gravity"
)
ELEMENTS = 8
# Off the instants at which the acceleration is switched and the quasi-static error jumps.
_TIMES = ("0.25", "0.75", "1.75", "2.25")
_MODES = (("nonlinear", "nonlinear"), ("quasi-static", "quasistatic"))


def moving_rows() -> Iterator[Row]:
    """All rows of the arms in motion that are beyond the planar ones."""
    yield from _vibrating_link()
    for axis in ("x", "y"):
        yield from _errors("tube", "quasi-static", "quasistatic", axis, _TIMES, _TUBE)
    for analysis, word in _MODES:
        for axis in ("x", "z"):
            yield from _errors("3r", analysis, word, axis, _TIMES, _THREE)
    for analysis, word in _MODES:
        yield from _errors("rp", analysis, word, "x", ("0.5", "1.0", "1.5", "2.0"), _SLIDE)
    yield judged("naganathan.rp.nonlinear.peak_x_mm", 1e3 * peak(case_run("rp", "nonlinear"), "x"), "mm", note=_SLIDE)


def _errors(name: str, analysis: str, word: str, axis: str, times: tuple[str, ...], note: str) -> Iterator[Row]:
    """Errors of the tip along an axis at times (s)."""
    run = case_run(name, analysis)
    for t in times:
        value = 1e3 * at(run, "point_deflection", float(t), point="tip", axis=axis)
        yield judged(f"naganathan.{name}.{word}.{axis}_mm.t{t}", value, "mm", note=note)


@cache
def turned_link() -> tuple[Trajectory, Trajectory]:
    """A link set turning with 1 rad/s² from rest, vibrating and quasi-static (Fig. 13)."""
    arm = with_model(spun_link(), formulation="timoshenko", elements=ELEMENTS)
    still = simulate(arm, analysis="quasi-static", end=0.5, output=1e-3)
    return simulate(arm, end=0.5, output=1e-3, step=2.5e-4), still


def _vibrating_link() -> Iterator[Row]:
    run, _ = turned_link()
    tip = across(run, case("2r").links[0].name)
    note = (
        f"Fig. 13, which the copy at hand does not have: {ELEMENTS} linear elements, 1 rad/s² from rest at once, so "
        "that the link swings about its quasi-static deflection, up to twice that"
    )
    yield judged("naganathan.rotating_link.vibrating_mean_m", float(np.mean(np.abs(tip))), "m", note=note)
    yield judged("naganathan.rotating_link.vibrating_peak_m", float(np.max(np.abs(tip))), "m", note=note)
