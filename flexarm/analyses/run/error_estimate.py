"""How far is a run from the motion it integrates? The same run with finer steps, until these can be believed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from flexarm.analyses.equilibrium import State
from flexarm.analyses.run.integrate import Run, Settings, integrate
from flexarm.analyses.run.trust import tip_path
from flexarm.assembly import CompiledArm
from flexarm.core.tree.types import Floats

# A finer run is believed when its own errors, step by step, add up to no more than so many times the distance found.
# Most of them cancel or die out: of servo arms a tenth and less is left at the tip.
BELIEVED = 4.0
# Below so much of the reach rounding counts, and the sum of step errors means nothing.
ROUNDING = 1e-11
# Steps a finer run may take: so many times those of the run, or so many in all where the run had few.
MOST_TIMES, MOST_STEPS = 10, 4000

# A run of more steps than this is compared with one of half as many: it is fine enough, and twice as many take long.
MANY_STEPS = 10_000

TOO_COARSE = "not known: the step is too coarse"


@dataclass(frozen=True)
class Estimate:
    """The error of a run at the tip (m), or why it is not known."""

    error: float | None
    remark: str | None = None


def tip_error(compiled: CompiledArm, settings: Settings, run: Run, start: State, analysis: str, tree: Any) -> Estimate:
    """The integrator's error at the tip over the whole path, from runs with half, a quarter, … of the steps.

    The first such run whose own error is well below the distance decides. Its own error is judged by the sum of its
    steps' errors: where a stepper damps out a vibration it does not resolve, coarse and less coarse runs agree.
    """
    own = tip_path(compiled, run, analysis)
    factor = 2.0**settings.order
    if run.steps > MANY_STEPS:
        coarser = integrate(compiled, start, settings.coarsened(), run.times, tree=tree)
        if coarser.ok:
            error = _distance(tip_path(compiled, coarser, analysis), own) / (factor - 1.0)
            if run.error_sum <= factor * BELIEVED * error + ROUNDING * compiled.reach:
                return Estimate(error)
    finer, ratio, steps = settings, 1.0, run.steps
    while True:
        finer, ratio, steps = finer.tightened(), factor * ratio, 2 * steps
        if steps > max(MOST_TIMES * run.steps, MOST_STEPS):
            return Estimate(None, TOO_COARSE)
        finer = replace(finer, max_steps=max(settings.max_steps, 4 * steps))
        companion = integrate(compiled, start, finer, run.times, tree=tree)
        if companion.status == "interrupted":
            return Estimate(None, "not known: interrupted")
        if not companion.ok:
            continue
        apart = _distance(tip_path(compiled, companion, analysis), own)
        if companion.error_sum <= BELIEVED * apart + ROUNDING * compiled.reach:
            return Estimate(apart * ratio / (ratio - 1.0))


def _distance(one: Floats, two: Floats) -> float:
    """The greatest distance (m) between two paths."""
    return float(np.max(np.linalg.norm(one - two, axis=-1)))
