"""The joints of a path made up for what bends: q ← q + J⁺ (p* − p(q)), p of the bent arm (NOTATION W3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexarm.analyses.path.bent import Bent
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.model.laws.spline import cubic_spline
from flexarm.model.tip_path.plan import Plan

# Knots at which the bent arm is sought to begin with, and at most.
_FEWEST, _MOST_KNOTS = 65, 1000
_ROUNDS = 40
# The joints are right where the bent arm has its point within this part of the reach; damping of a correction.
_ON, _DAMPING = 1e-9, 1e-10


@dataclass(frozen=True, eq=False)
class Compensated:
    """The joints (n, joints) at the knots of a plan, and what was found on the way at some of them and between.

    `time` (m,) are times at which the bent arm was computed; `before` (m,) its distance (m) from the path with the
    joints of the rigid arm, and `after` with those compensated. Between the knots too: `after` is what remains.
    """

    joints: Floats
    time: Floats
    bent_rigid: Floats
    bent: Floats
    before: Floats
    after: Floats


def compensated(plan: Plan, kind: str) -> Compensated:
    """The joints of a plan, compensated for sag or for the quasi-static deflection in motion."""
    bent = Bent(plan)
    count, last = _FEWEST, np.inf
    while True:
        which = np.unique(np.linspace(0, len(plan.time) - 1, min(count, len(plan.time))).round().astype(int))
        stops = np.searchsorted(plan.time, plan.route.stops - 1e-9 * plan.route.duration)
        which = np.unique(np.concatenate([which, np.minimum(stops, len(plan.time) - 1)]))
        corrected = _corrected(plan, kind, bent, which)
        change = np.stack(
            [_spline(plan.time[which], column, plan.time) for column in (corrected - plan.rigid[which]).T], axis=-1
        )
        joints = plan.rigid + change
        # halfway between, where nothing was solved
        between = (which[:-1] + which[1:]) // 2
        looked = np.unique(np.concatenate([which, between]))
        found = _seen(plan, kind, bent, looked, joints)
        worst = float(np.max(found.after))
        # where the deflection itself jumps more knots are of no use
        if worst <= plan.law.tolerance or count >= min(_MOST_KNOTS, len(plan.time)) or worst > 0.7 * last:
            return found
        last = worst
        count *= 2


def _motion(plan: Plan, kind: str, which: np.ndarray) -> tuple[Floats, Floats]:
    """Rates and accelerations (m, joints) of the rigid motion that the bent arm feels."""
    if kind == "sag":
        return (np.zeros((len(which), len(plan.joints))),) * 2
    return plan.motion(which)


def _corrected(plan: Plan, kind: str, bent: Bent, which: np.ndarray) -> Floats:
    """Joints (m, joints) that have the bent arm's point on its path at some knots."""
    chain, time = plan.chain, plan.time[which]
    v, a = _motion(plan, kind, which)
    position, axes = (each[which] for each in plan.targets)
    q, last, best = plan.rigid[which].copy(), None, np.inf
    damping = np.full(len(q), _DAMPING)
    for _ in range(_ROUNDS):
        there, turned, last = bent.at(time, q, v, a, last)
        pose = chain.at(q, plan.others(time))
        error = chain.error(pose._replace(position=there, axes=turned), position, axes)
        size = np.linalg.norm(chain.weighted(error), axis=1)
        worst = float(np.max(size))
        if worst <= _ON * chain.reach or (worst < 0.1 * plan.law.tolerance and worst > 0.5 * best):
            return q
        if worst > 10.0 * best:
            break
        best = min(best, worst)
        q = q + chain.corrections(pose.jacobian, chain.weighted(error), damping)
    k = int(np.argmax(size))
    where = ", ".join(f"{part:.6g}" for part in position[k] + 0.0)
    raise AnalysisError(
        f'the path "{plan.name}": no joints have the bent arm at [{where}] m, t = {time[k]:.4g} s, the nearest found '
        f"misses it by {size[k]:.3g} m; the posture may be near to the edge of what the arm can reach"
    )


def _seen(plan: Plan, kind: str, bent: Bent, which: np.ndarray, joints: Floats) -> Compensated:
    chain, time = plan.chain, plan.time[which]
    v, a = _motion(plan, kind, which)
    position, axes = (each[which] for each in plan.targets)
    placed, missed = [], []
    for q in (plan.rigid[which], joints[which]):
        there, turned, _ = bent.at(time, q, v, a)
        pose = chain.at(q, plan.others(time))._replace(position=there, axes=turned)
        placed.append(there)
        missed.append(np.linalg.norm(chain.weighted(chain.error(pose, position, axes)), axis=1))
    return Compensated(joints, time, *placed, *missed)


def _spline(x: Floats, y: Floats, at: Floats) -> Floats:
    """Values of the cubic spline through points, at rest at both ends."""
    cubics = cubic_spline(x, y)
    j = np.clip(np.searchsorted(x, at, side="right") - 1, 0, len(cubics) - 1)
    t, c = at - x[j], cubics[j]
    return np.asarray(c[:, 0] + t * (c[:, 1] + t * (c[:, 2] + t * c[:, 3])))
