"""Forces of the drives along a run, and those the drives of the rigid arm would give."""

from __future__ import annotations

import numpy as np

from flexarm.analyses.contacts import with_dry_friction
from flexarm.analyses.drives import integrating, torques_of
from flexarm.analyses.equilibrium import Forces, State
from flexarm.analyses.points import Seen
from flexarm.analyses.run.closure_forces import carried_along, rigid_closed
from flexarm.analyses.run.integrate import Run
from flexarm.assembly import CompiledArm, without_servos
from flexarm.core.tree.types import S_GAIN, S_RATE_GAIN, S_REST, Floats, Ints


def _torques(compiled: CompiledArm, times: Floats) -> dict[int, Floats]:
    """Commanded torques by coordinate; a sample on a switch belongs to the step that ends there, the first one to the
    step that begins.
    """
    found = {}
    for link in compiled.arm.links:
        law = compiled.arm.torque_of(link)
        if law is not None:
            before, after = law.evaluate(times, side="left")[0], law.evaluate(times)[0]
            found[compiled.coordinate_names.index(link.name)] = np.where(times > 0.0, before, after)
    return found


def loose_joints(compiled: CompiledArm) -> Ints:
    """The coordinates of joints that neither follow a motion nor are led by a servo."""
    held = {*np.flatnonzero(compiled.driven).tolist(), *compiled.commands.servo_coordinate.tolist()}
    return np.array([c for c in compiled.joint_coordinates if int(c) not in held], np.int64)


def rigid_forces(compiled: CompiledArm, run: Run, command: State, seen: Seen) -> Floats:
    """Forces (m, nq) the drives of the rigid arm would give on the same command.

    Loose joints of the rigid arm do not move as those of the flexible one do, whose vibration they react to: from the
    same places and rates they go where the rigid arm lets them,  M_ll δ = τ_l − r_l,  r_d + M_dl δ.
    """
    given, loose = _torques(compiled, run.times), loose_joints(compiled)
    wanted = seen.force
    if compiled.closures is not None:
        wanted = rigid_closed(compiled, run.times, command, loose, given)
    elif len(loose) and len(loose) < len(compiled.joint_coordinates):
        wanted = wanted.copy()
        forces = Forces(without_servos(compiled))
        pushed = np.stack([given.get(int(c), np.zeros(len(run.times))) for c in loose], axis=1)
        for k, q in enumerate(command.q):
            columns = forces.mass(q)[:, loose]
            try:
                wanted[k] += columns @ np.linalg.solve(columns[loose], pushed[k] - wanted[k, loose])
            except np.linalg.LinAlgError:
                wanted[k] = np.nan  # how joints without inertia would move is undetermined
    force = with_dry_friction(compiled, np.where(compiled.driven, wanted, 0.0), command.v)
    for c, values in given.items():
        force[:, c] = values
    servo = compiled.commands.servo_coordinate
    force[:, servo] = wanted[:, servo]
    return force


def drive_forces(compiled: CompiledArm, run: Run, seen: Seen, states: State) -> Floats:
    """Forces of the drives (m, nq): by inverse dynamics where the motion is prescribed, as commanded or by the servo's
    law elsewhere.
    """
    given = seen.force
    if compiled.closures is not None:
        given = given - carried_along(compiled, run.times, states, given, _torques(compiled, run.times))[1]
    force = with_dry_friction(compiled, np.where(compiled.driven, given, 0.0), states.v)
    for c, values in _torques(compiled, run.times).items():
        force[:, c] = values
    servo = compiled.commands.servo_coordinate
    if len(servo):
        force[:, servo] = torques_of(compiled, run.times, states.q, states.v, run.x)
        if run.x is None:
            # nothing was integrated: integrators give what their joints need, besides the gains that are springs here
            spring = compiled.tree.spring
            held = spring[:, S_GAIN] * (states.q - spring[:, S_REST]) + spring[:, S_RATE_GAIN] * states.v
            for j in integrating(compiled):
                force[:, servo[j]] = (seen.force - held)[:, servo[j]]
    return force
