"""Joint reactions over time: the force and the moment a link takes at its joint (NOTATION 8, O9)."""

from __future__ import annotations

import numpy as np

from flexarm.assembly import CompiledArm, refuse_closures
from flexarm.core.sweeps.dynamics import new_work, rnea, wrench_columns
from flexarm.core.tree.types import Floats


def reactions(compiled: CompiledArm, times: Floats, q: Floats, v: Floats, a: Floats) -> dict[str, Floats]:
    """By link: force (N) and moment (N m) on it at its joint, (m, 6) in base axes."""
    refuse_closures(compiled.arm, "a signal of joint reactions over time")
    tree, loads = compiled.spatial, compiled.spatial_loads
    work, force = new_work(tree), np.zeros(q.shape[1])
    moment, push = wrench_columns()
    found = {link: np.zeros((len(times), 6)) for link in compiled.joint_bodies}
    for k, time in enumerate(times):
        rnea(tree, loads, compiled.laws, float(time), q[k], v[k], a[k], force, work)
        for link, row in compiled.joint_bodies.items():
            found[link][k, :3] = work[row, push : push + 3]
            found[link][k, 3:] = work[row, moment : moment + 3]
    return found
