"""The bent arm with its joints held along a path: where its point is under weight, loads and the forces of motion."""

from __future__ import annotations

import numpy as np

from flexarm.analyses.blocks import spring_blocks
from flexarm.analyses.equilibrium import State, commanded, equilibrium
from flexarm.analyses.points import see
from flexarm.assembly import compile_arm, without_servos
from flexarm.core.tree.types import S_LEVER, Floats
from flexarm.errors import AnalysisError
from flexarm.model import Arm, Link
from flexarm.model.reading.messages import quoted
from flexarm.model.tip_path.plan import Plan

# Steps with the springs' stiffness before Newton's are taken instead, and what counts as still, of the reach.
_ROUNDS, _STILL = 60, 1e-13


class Bent:
    """The arm of a plan with every drive where it is commanded; beams and gears give way."""

    def __init__(self, plan: Plan) -> None:
        arm = plan.arm
        self.compiled = without_servos(compile_arm(arm.changed(links=[_held(link, plan, arm) for link in arm.links])))
        self.joints = [self.compiled.coordinate_names.index(name) for name in plan.joints]
        self._inverse = None
        if not self.compiled.sleeves and len(self.compiled.elastic_coordinates):
            blocks = spring_blocks(self.compiled.tree, self.compiled.elastic_coordinates)[0]
            self._inverse = blocks.inverse()
        self.point = self.compiled.point_names.index(plan.law.point)

    def at(self, time: Floats, q: Floats, v: Floats, a: Floats, last: Floats | None = None) -> tuple[Floats, ...]:
        """Positions (m, 3) and axes (m, 3, 3) of the point, and all coordinates (m, nq), at joints (m, joints) with
        their rates and accelerations; elastic rates are zero. `last`: coordinates from which bending is sought.
        """
        compiled = self.compiled
        states = self._states(time, q, v, a, last)
        bent = self._quickly(time, states)
        if bent is None:
            bent = np.array([self._carefully(float(t), states, k) for k, t in enumerate(time)])
        zero = np.zeros_like(bent)
        seen = see(compiled, time, bent, zero, zero, full=False)
        return seen.position[:, self.point], _axes(seen.orientation[:, self.point]), bent

    def _states(self, time: Floats, q: Floats, v: Floats, a: Floats, last: Floats | None) -> State:
        """The states (m, nq) from which bending is sought: joints where they are commanded."""
        rows = [commanded(self.compiled, float(t)) for t in time]
        found = State(*(np.array(each) for each in zip(*((r.q, r.v, r.a, r.tau) for r in rows), strict=True)))
        if not np.any(v) and not np.any(a):
            found.v[:], found.a[:] = 0.0, 0.0
        if last is not None:
            found.q[:, self.compiled.elastic_coordinates] = last[:, self.compiled.elastic_coordinates]
        found.q[:, self.joints], found.v[:, self.joints], found.a[:, self.joints] = q, v, a
        return found

    def _quickly(self, time: Floats, states: State) -> Floats | None:
        """All coordinates (m, nq) by steps with the stiffness of the springs alone, at all times at once; None where
        they do not settle: weights and loads soften the arm too much, or a sleeve changes its stiffness.
        """
        compiled, free = self.compiled, self.compiled.elastic_coordinates
        if self._inverse is None:
            return None
        q = states.q.copy()
        least = np.inf
        for _ in range(_ROUNDS):
            force = see(compiled, time, q, states.v, states.a).force
            step = self._inverse.times((states.tau - force)[:, free].T).T
            moved = float(np.max(np.abs(step) * compiled.tree.spring[free, S_LEVER], initial=0.0))
            if not np.isfinite(moved) or moved > 10.0 * least:
                return None
            q[:, free] += step
            if moved <= _STILL * compiled.reach:
                return q
            least = min(least, moved)
        return None

    def _carefully(self, t: float, states: State, k: int) -> Floats:
        """All coordinates (nq,) at one time by Newton's equilibrium."""
        state = State(states.q[k], states.v[k], states.a[k], states.tau[k])
        found: Floats = equilibrium(self.compiled, state, t)[0].q
        return found


def _held(link: Link, plan: Plan, arm: Arm) -> Link:
    joint = link.joint
    if joint.drive in ("free", "torque"):
        how = "free" if joint.drive == "free" else "driven by a torque"
        raise AnalysisError(
            f"the joint {quoted(link.name)} is {how}, must be locked or led where what bends is to be compensated"
        )
    if link.name in plan.joints:
        return link.changed(joint=joint.changed(motion=None, servo=None))
    return link.changed(joint=joint.changed(servo=None)) if joint.servo is not None else link


def _axes(quaternions: Floats) -> Floats:
    w, x, y, z = np.moveaxis(quaternions, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), -1, 0)
