"""Where must the joints go so that the bent arm has its point on a path?"""

from __future__ import annotations

import numpy as np

from flexarm.analyses.path.compensation import compensated
from flexarm.errors import AnalysisError
from flexarm.model import Arm
from flexarm.model.laws.path import COMPENSATIONS, PathMotion
from flexarm.model.laws.spline import cubic_spline
from flexarm.model.reading.given import quantity_of, takes_arm
from flexarm.model.reading.messages import either, meant, quoted, shown
from flexarm.results.tip_path import TipPath

_KINDS = COMPENSATIONS[1:]
# Rows of a table, at most.
_MOST = 1_000_000


@takes_arm
def path(
    arm: Arm, motion: str | None = None, *, compensate: str | None = None, interval: float | str | None = None
) -> TipPath:
    """The joints (rad, m) along a path of the model, as the rigid arm and as the bent one must move them.

    Joints are held where they are commanded; beams and gears give way, quasi-statically. Vibration is not compensated.

    Parameters
    ----------
    arm
        An arm with a motion of the kind "path", or the path of its model file.
    motion
        Its name, where there are several.
    compensate
        "sag" under weight and loads, or "deflection", which counts the forces of the motion too; default: as the
        model has it, and "deflection" where that compensates nothing.
    interval
        Between the rows of the table (s, or a text); default: the knots at which the path was solved.

    Returns
    -------
    TipPath
        The table, and how far the bent arm is from the path without compensation and with it (m).

    Examples
    --------
    >>> import flexarm as fa
    >>> found = fa.path("welder.toml")
    >>> found.joints
    ('upper arm', 'forearm')
    >>> f"{1e3 * found.before.max():.1f} mm, {1e3 * found.after.max():.1f} mm"
    '7.3 mm, 0.0 mm'
    """
    paths = {name: law for name, law in arm.motions.items() if isinstance(law, PathMotion) and law.plan is not None}
    if not paths:
        raise AnalysisError('no joint follows a motion with kind = "path", must be one at least')
    if motion is None and len(paths) > 1:
        raise AnalysisError(f"the arm has the paths {', '.join(map(quoted, paths))}: motion must name one of them")
    name = next(iter(paths)) if motion is None else motion
    if name not in paths:
        raise AnalysisError(f"motion is {quoted(str(name))}, must be {either(list(paths))}{meant(name, list(paths))}")
    law = paths[name]
    kind = compensate if compensate is not None else law.compensate
    kind = "deflection" if kind == "nothing" else kind
    if kind not in _KINDS:
        raise AnalysisError(f"compensate is {shown(compensate)}, must be {either(_KINDS)}{meant(kind, _KINDS)}")
    plan = law.plan
    assert plan is not None
    found = compensated(plan, kind)
    time, rigid, commanded = plan.time, plan.rigid, found.joints
    if interval is not None:
        step = quantity_of(interval, "s", "interval")
        if not step > 0.0 or plan.route.duration / step > _MOST:
            raise AnalysisError(f"interval is {step:.6g} s, must be > 0 s and give no more than {_MOST} rows")
        begin, end = plan.route.stops[[0, -1]]
        time = np.append(np.arange(begin, end - 1e-9 * step, step), end)
        rigid, commanded = (_sampled(plan.time, table, time) for table in (rigid, commanded))
    progress = plan.route.progress(time)
    worst = float(np.max(found.after))
    remarks = list(plan.remarks)
    if worst > max(law.tolerance, 0.02 * float(np.max(found.before))):
        remarks.append(
            "where the deflection jumps, joints cannot make up for it: it does where a load or the curvature of the "
            "path jumps, and at the ends of a profile with jerk; points instead of arcs, no blend and septic leave less"
        )
    return TipPath(
        motion=name,
        point=law.point,
        compensated=kind,
        joints=plan.joints,
        units=tuple(arm.link(joint).joint.unit for joint in plan.joints),
        time=time,
        along=plan.route.lengths(progress),
        target=plan.route.poses(progress)[0],
        rigid=rigid,
        commanded=commanded,
        seen=found.time,
        bent_rigid=found.bent_rigid,
        bent=found.bent,
        before=found.before,
        after=found.after,
        deviation=plan.deviation,
        held=law.held,
        knots=plan.time,
        at_knots=found.joints,
        arm_name=arm.name,
        remarks=tuple(remarks),
        arm=arm,
    )


def _sampled(x: np.ndarray, table: np.ndarray, at: np.ndarray) -> np.ndarray:
    """The splines through the columns of a table at other times."""
    j = np.clip(np.searchsorted(x, at, side="right") - 1, 0, len(x) - 2)
    t = at - x[j]
    columns = []
    for column in table.T:
        c = cubic_spline(x, column)[j]
        columns.append(c[:, 0] + t * (c[:, 1] + t * (c[:, 2] + t * c[:, 3])))
    return np.stack(columns, axis=-1)
