"""The linear system an arm is in small motion about equilibrium: M ẍ + (G + D) ẋ + K x = H z, ż = F z + P x + R ẋ.

The one place that makes these matrices for poles; `steady` gives the same record about steady rotation.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from flexarm.analyses.closures import closed_stiffness, constrained_basis
from flexarm.analyses.drives import balanced, standing_at
from flexarm.analyses.equilibrium import Forces, State, commanded, equilibrium, with_joints
from flexarm.analyses.modes.drive_states import DriveStates, drive_states, encoder_stiffness
from flexarm.analyses.modes.joint_states import JointStates, moving_coordinates
from flexarm.assembly import CompiledArm
from flexarm.core.sweeps.dynamics import spring_matrices
from flexarm.core.time.commands import command
from flexarm.core.tree.types import G_KI, Floats, Ints
from flexarm.errors import AnalysisError
from flexarm.model.reading.given import Posture

# Part of what loads, weight and rotation add to the stiffness: less than this on one side of the diagonal only is
# rounding of the differences.
_SYMMETRIC = 1e-8


@dataclass(frozen=True, eq=False)
class Vibration:
    """Departures x of the moving coordinates from an equilibrium, at rest or in steady rotation."""

    compiled: CompiledArm
    joints: JointStates
    state: State
    moving: Ints  # coordinates of the arm that x holds
    drives: DriveStates | None = field(default=None, kw_only=True)

    @property
    def rotating(self) -> bool:
        """True about steady rotation."""
        return bool(np.any(self.state.v != 0.0))


@dataclass(frozen=True, eq=False)
class SmallMotion(Vibration):
    """The same with its matrices."""

    mass: Floats
    gyro: Floats  # skew; zero at rest
    damping: Floats
    stiffness: Floats  # symmetric, unless loads follow the arm
    cyclic: Ints  # entries of x that are spinning joints: nothing depends on where they are
    conservative: bool  # but for dampers and drives
    basis: Floats | None = None  # motions (n, k) that closures leave; None: all

    @property
    def closed(self) -> SmallMotion:
        """The same in the motions that closures leave."""
        if self.basis is None:
            return self
        z = self.basis
        drives = self.drives
        if drives is not None:
            drives = replace(drives, force=z.T @ drives.force, position=drives.position @ z, rate=drives.rate @ z)
        return replace(
            self,
            mass=z.T @ self.mass @ z,
            gyro=z.T @ self.gyro @ z,
            damping=z.T @ self.damping @ z,
            stiffness=z.T @ self.stiffness @ z,
            drives=drives,
            basis=None,
        )


def motion_about_equilibrium(compiled: CompiledArm, state: State, joints: JointStates, t: float = 0.0) -> SmallMotion:
    """The matrices of small motion about an equilibrium at rest, loads as they are at time t (s).

    `compiled` is used as it stands: servos that take no part must have been taken out (`joint_states.treated`).
    """
    moving = moving_coordinates(compiled, joints)
    forces = Forces(compiled, t)
    zero = np.zeros_like(state.q)
    stiffness, damping, mass = forces.tangents(State(state.q, zero, zero, state.tau))
    block = np.ix_(moving, moving)
    stiffness, conservative = evened(compiled, state.q, moving, stiffness[block])
    damping, basis = damping[block], None
    if compiled.closures is not None:
        more, loss = closed_stiffness(compiled, state, t, moving)
        stiffness, damping = stiffness + more, damping + loss
        basis = constrained_basis(compiled, state.q, moving)
        if not basis.shape[1]:
            raise AnalysisError("supports and loops leave nothing that can move: there are no modes")
    return checked(
        SmallMotion(
            compiled=compiled,
            joints=joints,
            state=state,
            moving=moving,
            mass=mass[block],
            gyro=np.zeros_like(stiffness),
            damping=damping,
            stiffness=stiffness,
            cyclic=np.zeros(0, np.int64),
            conservative=conservative,
            basis=basis,
        )
    )


def evened(compiled: CompiledArm, q: Floats, moving: Ints, stiffness: Floats) -> tuple[Floats, bool]:
    """The stiffness (n, n), made symmetric if it is so but for rounding, and whether it is: forces then have a
    potential.
    """
    odd = 0.5 * (stiffness - stiffness.T)
    springs = spring_matrices(compiled.tree, q)[0][np.ix_(moving, moving)]
    lever = np.array([1.0 if compiled.coordinate_units[c] == "rad" else compiled.reach for c in moving])
    size = np.outer(lever, lever)
    added = float(np.max(np.abs(stiffness - springs) * size, initial=0.0))
    even = float(np.max(np.abs(odd) * size, initial=0.0)) <= _SYMMETRIC * added
    return (stiffness - odd if even else stiffness), even


def checked(motion: SmallMotion) -> SmallMotion:
    """The same motion with what drives add to it; refused in a sentence where its matrices are no numbers."""
    if motion.joints.servos:
        seen = encoder_stiffness(motion.compiled, motion.moving)
        motion = replace(
            motion,
            stiffness=motion.stiffness + seen,
            conservative=motion.conservative and not np.any(seen),
            drives=drive_states(motion.compiled, motion.moving),
        )
    if not all(np.all(np.isfinite(matrix)) for matrix in (motion.mass, motion.damping, motion.gyro, motion.stiffness)):
        raise AnalysisError(
            "the arm has no frequencies that numbers can hold: its inertia, damping or stiffness in this posture is "
            "not finite; try sizes, stiffnesses and masses within 1e-9 … 1e15 SI units"
        )
    return motion


def resting(
    compiled: CompiledArm, posture: Posture | None = None, joints: JointStates | None = None, t: float = 0.0
) -> State:
    """The arm at rest in a posture (rad or m by joint; default: as commanded at time t), elastic coordinates in
    equilibrium.

    Every joint is held there by whatever torque it takes; one under its servo has its target there and gives way to its
    load as far as the servo lets it.
    """
    state, hold = targeted(compiled, posture, joints, t)
    if joints is not None and joints.servos:
        hold[compiled.commands.servo_coordinate] = False
        found = balanced(standing_at(compiled, state.q), state, t, hold=hold)
        return State(found.q, found.v, found.a, state.tau)
    return equilibrium(compiled, state, t, hold=hold)[0]


def targeted(
    compiled: CompiledArm, posture: Posture | None, joints: JointStates | None, t: float = 0.0
) -> tuple[State, np.ndarray]:
    """The undeformed arm at rest in a posture with the forces of its drives there, and which coordinates are held: all
    joints but those under servos without an integrator.
    """
    state = commanded(compiled, t, posture)
    q, tau, zero = state.q, state.tau, np.zeros_like(state.q)
    hold = np.ones(len(q), bool)
    hold[compiled.elastic_coordinates] = False
    commands = compiled.commands
    for c, law in zip(commands.servo_coordinate, commands.servo_law, strict=True):
        name = compiled.coordinate_names[int(c)]
        if not posture or name not in posture:
            q = with_joints(compiled, q, {name: float(compiled.pieces[int(law)].evaluate(t)[0])})
    if joints is not None and joints.servos:
        # what the drives give there besides their gains, which are springs and dampers on the joints (NOTATION 40)
        standing = standing_at(compiled, q)
        command(standing.laws, standing.commands, t, False, q.copy(), zero.copy(), zero.copy(), tau)
        hold[commands.servo_coordinate[commands.servo_gain[:, G_KI] == 0.0]] = False
    return State(q, zero, zero, tau), hold
