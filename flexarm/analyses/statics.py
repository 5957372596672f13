"""How far does the arm sag at rest, and what holds it?"""

from __future__ import annotations

import numpy as np

from flexarm.analyses.closures import carried_at, closure_wrenches, ends_loaded, indeterminate
from flexarm.analyses.contacts import refuse_any_meeting
from flexarm.analyses.drives import standing_at
from flexarm.analyses.equilibrium import State, commanded
from flexarm.analyses.modes.joint_states import refuse_controllers
from flexarm.analyses.points import positions, undeformed
from flexarm.analyses.run.trust import bent_too_far
from flexarm.analyses.servo import with_servo_gains
from flexarm.analyses.sticking import Rest, at_rest
from flexarm.assembly import CompiledArm, compile_arm, without_servos
from flexarm.core.sweeps.dynamics import new_work, rnea, wrench_columns
from flexarm.errors import AnalysisError
from flexarm.model import Arm
from flexarm.model.extent import tip_remarks
from flexarm.model.reading.given import Posture, takes_arm
from flexarm.model.reading.messages import quoted
from flexarm.results import Equilibrium


@takes_arm
def statics(arm: Arm, *, posture: Posture | None = None, joints: str | None = None) -> Equilibrium:
    """The static equilibrium under gravity and the loads at t = 0: sag (m), holding torques and joint reactions.

    Driven, locked and torque-driven joints are held, and the torque that holds them is a result; free joints find their
    own equilibrium.

    Parameters
    ----------
    arm
        An arm, or the path of its model file.
    posture
        Joint coordinates by name (rad, m, or texts with a unit); default: as commanded at t = 0.
    joints
        A joint under a servo is commanded to stand in the posture: an integrator holds it there, a servo without one
        gives way by what its gains and its feed-forward leave. "locked" holds those joints too.

    Returns
    -------
    Equilibrium
        Coordinates, sag of the points, holding torques (N m, N) and reactions.

    Examples
    --------
    >>> import flexarm as fa
    >>> arm = fa.read_arm("rod_handler.toml").changed(gravity=(0.0, -9.81, 0.0))
    >>> sag = fa.statics(arm, posture={"upper arm": "0 deg", "forearm": "0 deg", "rod": "0 deg"}).tip_sag["tip"]
    >>> f"{1e3 * sag[1]:.2f} mm"  # w L⁴ / 8 EI is 2.43 mm
    '-2.42 mm'
    """
    if joints not in (None, "locked", "servo"):
        raise AnalysisError(f'joints is "{joints}", must be "locked" or "servo"')
    locked = joints == "locked"
    if not locked:
        refuse_controllers(arm, 'joints must be "locked", where they are commanded')
    closed = compile_arm(arm if locked else with_servo_gains(arm), closed=True)
    if closed.closures is not None:
        refuse_any_meeting(arm, "with supports, loops or springs between points", "they take smooth joints alone")
    state = commanded(closed, 0.0, posture)
    zero = np.zeros_like(state.q)
    hold = closed.driven.copy()
    for link in arm.links:
        if link.joint.drive == "torque" or (locked and link.joint.drive == "servo"):
            hold[closed.coordinate_names.index(link.name)] = True
    compiled = without_servos(closed)
    if locked or not len(closed.commands.servo_coordinate):
        found = at_rest(compiled, State(state.q, zero, zero, zero), hold=hold)
    else:
        closed = standing_at(closed, state.q)
        found = at_rest(closed, State(state.q, zero, zero, zero), hold=hold)
        hold[closed.commands.servo_coordinate] = True  # their torque is a result
    balanced = found.state
    work = new_work(compiled.spatial)
    force = np.zeros_like(zero)
    tree, loads = compiled.spatial, compiled.spatial_loads
    closure_forces, remarks = {}, []
    if compiled.closures is not None:
        free = np.flatnonzero(~hold)
        still = State(balanced.q, zero, zero, balanced.tau)
        carried = carried_at(compiled, still, 0.0, free)
        loads = ends_loaded(compiled, carried)
        closure_forces = closure_wrenches(compiled, carried)
        remarks = indeterminate(compiled, balanced.q, free)
    rnea(tree, loads, compiled.laws, 0.0, balanced.q, zero, zero, force, work)
    moment, push = wrench_columns()
    wanted = undeformed(compiled, balanced.q)
    wanted[hold] = state.q[hold]
    places = positions(compiled, np.array([balanced.q, wanted]))
    jointed = compiled.joint_coordinates
    units = [compiled.coordinate_units[c] for c in jointed]
    elastic = compiled.elastic_coordinates
    return Equilibrium(
        coordinates=tuple(compiled.coordinate_names[c] for c in elastic),
        values=balanced.q[elastic],
        joint_names=compiled.joint_names,
        joint_torque=np.where(hold[jointed], force[jointed], 0.0),
        joint_torque_units=tuple("N" if unit == "m" else "N m" for unit in units),
        reactions={
            link: (work[row, push : push + 3].copy(), work[row, moment : moment + 3].copy())
            for link, row in compiled.joint_bodies.items()
        },
        tip_sag={name: places[0, j] - places[1, j] for j, name in enumerate(compiled.point_names)},
        residual=found.residual,
        iterations=found.iterations,
        posture={joint: float(balanced.q[c]) for joint, c in zip(compiled.joint_names, jointed, strict=True)},
        posture_units=dict(zip(compiled.joint_names, units, strict=True)),
        arm_name=arm.name,
        joint_sag={
            compiled.coordinate_names[c]: float(balanced.q[c] - state.q[c]) for c in closed.commands.servo_coordinate
        },
        closure_forces=closure_forces,
        remarks=(*remarks, *tip_remarks(arm), *bent_too_far(compiled, balanced.q[None, :]), *_slid(compiled, found)),
        joint_friction={compiled.coordinate_names[c]: value for c, value in found.friction.items()},
        stop_force={compiled.coordinate_names[c]: value for c, value in found.stops.items()},
        arm=arm,
        at=dict(zip(compiled.coordinate_names, balanced.q.tolist(), strict=True)),
    )


def _slid(compiled: CompiledArm, found: Rest) -> list[str]:
    """A sentence for every joint that friction does not hold where it starts."""
    names = [compiled.coordinate_names[c] for c in found.slid]
    return [
        f"friction does not hold the joint {quoted(name)} where it starts: it rests where friction just holds it "
        "if it comes there slowly"
        for name in names
    ]
