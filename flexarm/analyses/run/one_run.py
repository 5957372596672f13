"""One run of a compiled arm by the analysis that is wanted, and what is seen of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from flexarm.analyses.closures import spring_energy
from flexarm.analyses.equilibrium import State
from flexarm.analyses.points import Seen, see
from flexarm.analyses.run.first_order import linear_start, linear_tree, quasi_static, rigid_course, see_first_order
from flexarm.analyses.run.initial_state import initial_state
from flexarm.analyses.run.integrate import Progress, Run, Settings, integrate
from flexarm.assembly import CompiledArm
from flexarm.core.tree.types import Floats, LinearTree, Tree
from flexarm.errors import AnalysisError


def begin(compiled: CompiledArm, times: Floats, analysis: str) -> tuple[State, Tree | LinearTree | None]:
    """The start the model file wants and the tree that is stepped from there (None: the arm's own)."""
    start = compiled.arm.simulation.start
    if analysis != "linear":
        return initial_state(compiled, start), None
    refuse_jumps(compiled)
    rigid_course(compiled, times)  # for what it refuses
    state = initial_state(compiled, start) if isinstance(start, Mapping) else linear_start(compiled, start)
    return state, linear_tree(compiled)


def refuse_jumps(compiled: CompiledArm) -> None:
    """Refuse a motion whose rate jumps where the analysis knows no blow."""
    for link in compiled.arm.links:
        law = None if link.joint.servo else compiled.arm.motion_of(link)
        if law is not None and law.jumps(1).any():
            when = float(law.start[law.jumps(1)][0])
            raise AnalysisError(
                f'link "{link.name}": the rate of its motion jumps at {when:.6g} s, must be continuous for the linear '
                "analysis; the nonlinear one takes the jump as a blow"
            )


def follow(
    compiled: CompiledArm, settings: Settings, times: Floats, analysis: str, progress: Progress | None = None
) -> Run:
    """The arm's motion from the start its model file wants, sampled at the given times."""
    if analysis == "quasi-static":
        return quasi_static(compiled, times)
    start, tree = begin(compiled, times, analysis)
    return integrate(compiled, start, settings, times, progress, tree=tree)


def seen_of(compiled: CompiledArm, run: Run, analysis: str) -> Seen:
    """Points, forces and energies of a run, of first order where the analysis is."""
    q, v, a = (np.ascontiguousarray(x) for x in (run.q, run.v, run.a))
    if analysis == "nonlinear":
        seen = see(compiled, run.times, q, v, a)
        if compiled.closures is not None:
            seen.energy[:, 1] += spring_energy(compiled, q)
        return seen
    return see_first_order(compiled, run.times, State(q, v, a, q), after=analysis == "quasi-static")


def thinned(run: Run, every: int) -> Run:
    """Every so many samples of a run, which keeps the others for its sensors."""
    if every == 1:
        return run
    x = None if run.x is None else run.x[::every]
    return replace(
        run,
        times=run.times[::every],
        q=run.q[::every],
        v=run.v[::every],
        a=run.a[::every],
        work=run.work[::every],
        x=x,
        dense=run,
    )
