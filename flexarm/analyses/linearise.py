"""What is the arm to a control engineer? A, B, C, D with names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np

from flexarm.analyses.modes import resting
from flexarm.analyses.points import point_rates
from flexarm.analyses.posture import Forces
from flexarm.compiled import compile_arm, without_servos
from flexarm.errors import AnalysisError
from flexarm.model import Arm
from flexarm.model.given import takes_arm
from flexarm.results import LinearModel


@takes_arm
def linearise(
    arm: Arm, *, posture: Mapping[str, float] | None = None, joints: Literal["free", "driven"] = "free"
) -> LinearModel:
    """The linear model about rest in a posture (rad or m by joint; default: at t = 0).

    joints = "free": inputs are the torques or forces of all joints, beside what holds the arm; servos are off.
    joints = "driven": joints whose motion is prescribed take their acceleration for input, the others their torque.
    States are all coordinates and their rates (departures from rest), outputs the displacements of the points, in the
    base frame, and the joint coordinates.
    """
    if joints not in ("free", "driven"):
        raise AnalysisError(f'joints is "{joints}", must be "free" or "driven"')
    compiled = without_servos(compile_arm(arm))
    state = resting(compiled, posture)
    forces = Forces(compiled)
    stiffness, damping = forces.tangent(state)
    mass = forces.mass(state.q)
    nq = len(state.q)
    prescribed = compiled.driven if joints == "driven" else np.zeros(nq, bool)
    free = np.flatnonzero(~prescribed)
    inner = np.linalg.inv(mass[np.ix_(free, free)]) if len(free) else np.zeros((0, 0))
    a = np.zeros((2 * nq, 2 * nq))
    a[:nq, nq:] = np.eye(nq)
    a[np.ix_(nq + free, np.arange(nq))] = -inner @ stiffness[free]
    a[np.ix_(nq + free, nq + np.arange(nq))] = -inner @ damping[free]
    inputs = []
    b = np.zeros((2 * nq, len(compiled.joint_coordinates)))
    for j, (c, name) in enumerate(zip(compiled.joint_coordinates, compiled.joint_names, strict=True)):
        slides = compiled.coordinate_units[c] == "m"
        if prescribed[c]:
            inputs.append(f"{name}.acceleration")
            b[nq + c, j] = 1.0
            b[nq + free, j] = -inner @ mass[free, c]
        else:
            inputs.append(f"{name}.{'force' if slides else 'torque'}")
            unit = (free == c).astype(float)
            b[nq + free, j] = inner @ unit
    rates = point_rates(compiled, state.q)
    axes = "xy" if arm.planar else "xyz"
    rows = [rates[p, k] for p in range(len(compiled.point_names)) for k in range(len(axes))]
    names = [f"{point}.{axis}" for point in compiled.point_names for axis in axes]
    rows += [np.eye(nq)[c] for c in compiled.joint_coordinates]
    names += [f"{joint}.position" for joint in compiled.joint_names]
    out = np.zeros((len(rows), 2 * nq))
    out[:, :nq] = np.array(rows).reshape(len(rows), nq)
    return LinearModel(
        A=a,
        B=b,
        C=out,
        D=np.zeros((len(rows), b.shape[1])),
        state_names=(*compiled.coordinate_names, *(f"{name}.rate" for name in compiled.coordinate_names)),
        input_names=tuple(inputs),
        output_names=tuple(names),
        operating_point=dict(zip(compiled.coordinate_names, state.q.tolist(), strict=True)),
        operating_units=dict(zip(compiled.coordinate_names, compiled.coordinate_units, strict=True)),
        arm_name=arm.name,
        arm=arm,
    )
