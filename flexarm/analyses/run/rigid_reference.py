"""The rigid arm on its command: what an arm without flexibility or servo errors would do."""

from __future__ import annotations

import numpy as np

from flexarm.analyses.equilibrium import State
from flexarm.assembly import CompiledArm
from flexarm.core.tree.types import Floats


def rigid_motion(compiled: CompiledArm, times: Floats, states: State, *, after: bool = False) -> State:
    """Coordinates, rates and accelerations (m, nq) of the rigid arm: joints with a commanded motion follow it, others
    move as in the given states, and nothing bends.

    A sample on a switch of the command belongs to the step that ends there, the first one to the step that begins;
    `after`: to what comes after it.
    """
    motion = State(states.q.copy(), states.v.copy(), states.a.copy(), states.tau)
    for part in (motion.q, motion.v, motion.a):
        part[..., compiled.elastic_coordinates] = 0.0
    commands = compiled.commands
    # what the engine follows, which need not be what the file has
    followed = dict(zip(commands.motion_coordinate.tolist(), commands.motion_law.tolist(), strict=True))
    followed |= dict(zip(commands.servo_coordinate.tolist(), commands.servo_law.tolist(), strict=True))
    for link in compiled.arm.links:
        law = compiled.arm.motion_of(link)
        if law is not None and link.joint.type != "fixed":
            c = compiled.coordinate_names.index(link.name)
            law = compiled.pieces[followed[c]] if c in followed else law
            sides = law.evaluate(times, side="left"), law.evaluate(times)
            for k, part in enumerate((motion.q, motion.v, motion.a)):
                part[:, c] = np.where((times > 0.0) & (not after), sides[0][k], sides[1][k])
    return motion
