"""How far can a run be trusted? A refined twin, comparison with the other analyses, and the range of its model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from flexarm.analyses.equilibrium import Forces
from flexarm.analyses.points import see, undeformed
from flexarm.analyses.run.integrate import Run, Settings
from flexarm.analyses.run.link_frames import lost
from flexarm.analyses.run.one_run import follow, seen_of
from flexarm.assembly import CompiledArm, compile_arm, refined
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.model import Arm

# Up to this part of the peak deflection the cheaper analysis is called good enough.
GOOD = 0.02
# Deflection of a floating-frame body over its length beyond which its second-order model errs by more than a per cent.
WIDE = 0.1
# By the frame its coordinates count from: what a link's deflection is measured by, and what helps.
_REMEDY = {
    "element": ("an element's length", "more elements"),
    "link": ("its length", 'finite elements with frames = "element"'),
    "printed": ("its length", 'kinematics = "finite"'),
    "sleeve": ("its length outside", "a stiffer beam"),
}


def tip_path(compiled: CompiledArm, run: Run, analysis: str) -> Floats:
    """Positions (m, 3) of the tip."""
    return seen_of(compiled, run, analysis).position[:, _tip_index(compiled)]


def _tip_index(compiled: CompiledArm) -> int:
    """Which of the observed points is the tip: the one of that name, else the first."""
    return compiled.point_names.index("tip") if "tip" in compiled.point_names else 0


def _away(compiled: CompiledArm, run: Run, tip: Floats) -> float:
    """The tip's largest distance (m) from where the rigid arm would have it."""
    rigid = undeformed(compiled, np.ascontiguousarray(run.q))
    zero = np.zeros_like(rigid)
    unbent = see(compiled, run.times, rigid, zero, zero).position[:, _tip_index(compiled)]
    return float(np.max(np.linalg.norm(tip - unbent, axis=1)))


def twin_differences(arm: Arm, settings: Settings, compiled: CompiledArm, run: Run, analysis: str) -> dict[str, Any]:
    """Differences (m) to a twin with twice the elements, half the step, and every freedom whose stiffness is known.

    Of the tip's path, its peak deflection and its residual range.
    """
    start = arm.simulation.start
    elastic = {compiled.coordinate_names[c] for c in compiled.elastic_coordinates}
    if isinstance(start, Mapping) and any(name.removesuffix(".rate") in elastic for name in start):
        raise AnalysisError("check: a start given by elastic coordinates has no twin with other elements")
    twin_arm = compile_arm(refined(arm, 2, complete=True), closed=True)
    twin = follow(twin_arm, settings.tightened(), run.times, analysis)
    if not twin.ok:
        return {"failure": f"the twin failed: {twin.message}"}
    rough, fine = tip_path(compiled, run, analysis), tip_path(twin_arm, twin, analysis)
    found = {"tip": float(np.max(np.linalg.norm(fine - rough, axis=1)))}
    found["peak"] = abs(_away(twin_arm, twin, fine) - _away(compiled, run, rough))
    switches = compiled.commands.switches
    after = run.times >= (switches[-1] if len(switches) else 0.0)
    if len(switches) and np.count_nonzero(after) > 2:
        spans = [np.ptp(tip[after], axis=0) for tip in (rough, fine)]
        found["residual"] = float(np.max(np.abs(spans[1] - spans[0])))
    return found


def other_analyses(arm: Arm, settings: Settings, compiled: CompiledArm, run: Run, analysis: str) -> dict[str, Any]:
    """How far the tip's path of the other analyses is from this one (m), and as part of the peak deflection.

    A nonlinear run is compared with the cheaper ones, a cheaper one with the nonlinear.
    """
    if not len(compiled.elastic_coordinates) or compiled.closures is not None:
        return {}
    tip = tip_path(compiled, run, analysis)
    found: dict[str, Any] = {}
    for other in ("linear", "quasi-static") if analysis == "nonlinear" else ("nonlinear",):
        try:
            beside = follow(compiled, settings, run.times, other)
        except AnalysisError:
            continue  # no rigid motion to be linear about
        if not beside.ok:
            found[other] = {"failure": beside.message}
            continue
        path = tip_path(compiled, beside, other)
        peak = _away(compiled, run, tip) if analysis == "nonlinear" else _away(compiled, beside, path)
        apart = float(np.max(np.linalg.norm(path - tip, axis=1)))
        share = apart / peak if peak > 0.0 else 0.0
        found[other] = {"tip": apart, "of_peak": share, "good_enough": share <= GOOD}
    return found


def out_of_range(compiled: CompiledArm, run: Run) -> list[str]:
    """One sentence for every link that bent beyond what its model is made for, and one for what else does not hold."""
    if not len(run.q):
        return []
    remarks = bent_too_far(compiled, run.q)
    worst = _most_bent(compiled, run)
    if any(span.frames != "element" for span in compiled.spans) and not _definite(compiled, worst):
        cause, advice = lost(compiled, worst) or ("the inertia is no longer positive definite", "a stiffer beam")
        remarks.append(f"at its greatest deflection {cause}: the run is not to be trusted there; try {advice}")
    return remarks + [
        f'the energy of link "{link.name}" is not kept: order = "printed" leaves inertia of second order out of the '
        'equation of its joint; try order = "second"'
        for link in compiled.arm.links
        if link.beam is not None and link.formulation.order == "printed"
    ]


def bent_too_far(compiled: CompiledArm, q: Floats) -> list[str]:
    """One sentence for every link that bends, at coordinates (m, nq), beyond what its model is made for."""
    remarks: list[str] = []
    worst: dict[str, tuple[float, str]] = {}
    for span in compiled.spans:
        share = span.bend(q)
        if share > worst.get(span.link, (0.0, ""))[0]:
            worst[span.link] = (share, span.frames)
    for link, (share, frames) in worst.items():
        if share > WIDE:
            what, remedy = _REMEDY[frames]
            good = "its small motions are" if frames == "printed" else "its second-order model is"
            remarks.append(
                f'link "{link}" bends by {share:.2g} of {what}, beyond the {WIDE} up to which {good} good to about a '
                f"per cent; try {remedy}"
            )
    return remarks


def _most_bent(compiled: CompiledArm, run: Run) -> Floats:
    """Coordinates (nq,) where the links bend most."""
    bent = sum(
        np.linalg.norm(run.q[:, span.first : span.first + span.phi.shape[1]] @ span.phi.T, axis=1) / span.length
        for span in compiled.spans
    )
    return np.ascontiguousarray(run.q[int(np.argmax(bent))])


def _definite(compiled: CompiledArm, q: Floats) -> bool:
    """True if the mass matrix is positive at coordinates q (nq,)."""
    mass = Forces(compiled).mass(q)
    free = compiled.free
    try:
        np.linalg.cholesky(mass[np.ix_(free, free)])
    except np.linalg.LinAlgError:
        return False
    return True
