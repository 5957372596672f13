"""One run of a compiled arm by the analysis that is wanted, and what is seen of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from flexarm.analyses.first_order import linear_start, linear_tree, quasi_static, rigid_course, see_first_order
from flexarm.analyses.integrate import Progress, Run, Settings, integrate
from flexarm.analyses.points import Seen, see
from flexarm.analyses.posture import State
from flexarm.analyses.start import initial_state
from flexarm.compiled import CompiledArm
from flexarm.core.types import Floats


def follow(
    compiled: CompiledArm, settings: Settings, times: Floats, analysis: str, progress: Progress | None = None
) -> Run:
    """The arm's motion from the start its model file wants, sampled at the given times."""
    start = compiled.arm.simulation.start
    if analysis == "quasi-static":
        return quasi_static(compiled, times)
    if analysis == "linear":
        rigid_course(compiled, times)  # for what it refuses
        begin = initial_state(compiled, start) if isinstance(start, Mapping) else linear_start(compiled, start)
        return integrate(compiled, begin, settings, times, progress, tree=linear_tree(compiled))
    return integrate(compiled, initial_state(compiled, start), settings, times, progress)


def seen_of(compiled: CompiledArm, run: Run, analysis: str) -> Seen:
    """Points, forces and energies of a run, of first order where the analysis is."""
    q, v, a = (np.ascontiguousarray(x) for x in (run.q, run.v, run.a))
    if analysis == "nonlinear":
        return see(compiled, run.times, q, v, a)
    return see_first_order(compiled, run.times, State(q, v, a, q), after=analysis == "quasi-static")


def thinned(run: Run, every: int) -> Run:
    """Every so many samples of a run."""
    x = None if run.x is None else run.x[::every]
    return replace(run, times=run.times[::every], q=run.q[::every], v=run.v[::every], a=run.a[::every], x=x)
