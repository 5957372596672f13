"""What is the linear state-space model of the arm? A, B, C, D with names."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

import numpy as np

from flexarm.analyses.contacts import left_out_remarks
from flexarm.analyses.equilibrium import Forces, State
from flexarm.analyses.linear_signals import Signal, acceptable, outputs_of
from flexarm.analyses.modes.drive_states import DriveStates, Loop, servo_loops
from flexarm.analyses.modes.joint_states import Joints, JointStates, compiled_with
from flexarm.analyses.modes.poles import poles_of
from flexarm.analyses.modes.small_motion import SmallMotion, motion_about_equilibrium, resting
from flexarm.analyses.signals.names import canonical
from flexarm.assembly import CompiledArm, compile_arm, without_servos
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.model import Arm
from flexarm.model.reading.given import Posture, takes_arm
from flexarm.model.reading.messages import quoted
from flexarm.results import LinearModel


@takes_arm
def linearise(
    arm: Arm,
    *,
    posture: Posture | None = None,
    joints: Literal["locked", "free", "servo", "driven"] | Collection[str] | None = None,
    modes: int | None = None,
) -> LinearModel:
    """The linear state-space model about equilibrium in a posture.

    States are all coordinates, their rates and the states of the drives, as departures from equilibrium; outputs are
    position, rate and acceleration of the points, in the base frame, and of the joints, torques of the drives, and
    curvatures and internal forces at the stations of the links.

    Parameters
    ----------
    arm
        An arm, or the path of its model file.
    posture
        Joint coordinates by name (rad, m, or texts with a unit); default: as commanded at t = 0.
    joints
        As for `modes`. A free joint has its torque or force as an input, added to what holds the arm; one under its
        servo the target, the target's rate and a torque added to the drive's; one that is locked or whose motion is
        prescribed its acceleration. "driven" is the model file with its servos off.
    modes
        Keep this number of the lowest modes and the static part of the others (`LinearModel.reduced`).

    Returns
    -------
    LinearModel
        Matrices A, B, C, D with names and units, poles, frequency responses.

    Examples
    --------
    >>> import flexarm as fa
    >>> model = fa.linearise("rod_handler.toml")
    >>> len(model.state_names), "tip_y" in model.output_names
    (26, True)
    """
    if modes is not None and modes < 1:
        raise AnalysisError(f"modes is {modes}, must be ≥ 1")
    compiled, states = _compiled(arm, joints)
    system = _system(compiled, states, resting(compiled, posture, states))
    b, inputs = system.inputs()
    a = system.matrix()
    signals = outputs_of(compiled, system.state.q)
    c, d = _seen(system, signals, a, b)
    names = [*compiled.coordinate_names, *(f"{name}.rate" for name in compiled.coordinate_names)]
    units = [*compiled.coordinate_units, *(f"{unit}/s" for unit in compiled.coordinate_units)]
    if system.drives is not None:
        names += system.drives.names
        units += ["" for _ in system.drives.names]
    found = LinearModel(
        A=a,
        B=b,
        C=c,
        D=d,
        state_names=acceptable(names),
        input_names=acceptable([one.name for one in inputs]),
        output_names=acceptable([one.name for one in signals]),
        state_units=tuple(units),
        input_units=tuple(one.unit for one in inputs),
        output_units=tuple(one.unit for one in signals),
        known_poles=system.poles(),
        coordinate_names=compiled.coordinate_names,
        mass=system.mass,
        damping=system.damping,
        stiffness=system.stiffness,
        signal_names=tuple(canonical(one.name) for one in signals),
        operating_point=dict(zip(compiled.coordinate_names, system.state.q.tolist(), strict=True)),
        operating_units=dict(zip(compiled.coordinate_names, compiled.coordinate_units, strict=True)),
        joints=states.word if joints != "driven" else "driven",
        joint_states=states.states,
        arm_name=arm.name,
        arm=arm,
        remarks=left_out_remarks(arm, states.moving),
    )
    return found if modes is None else found.reduced(modes)


def _compiled(arm: Arm, joints: str | Collection[str] | None) -> tuple[CompiledArm, JointStates]:
    if joints == "driven":
        compiled = without_servos(compile_arm(arm))
        prescribed = {link.name for link in arm.links if link.joint.prescribed}
        states = {name: "locked" if name in prescribed else "free" for name in compiled.joint_names}
        return compiled, JointStates(states, "driven")
    if isinstance(joints, str) and joints not in ("locked", "free", "servo"):
        raise AnalysisError(f'joints is "{joints}", must be "locked", "free", "servo" or "driven"')
    wanted: Joints = joints  # type: ignore[assignment]
    return compiled_with(arm, wanted)


@dataclass(frozen=True, eq=False)
class _System:
    """M a + D v + K q = τ + H z of all coordinates, those of prescribed joints among them."""

    compiled: CompiledArm
    states: JointStates
    state: State
    mass: Floats
    damping: Floats
    stiffness: Floats
    free: np.ndarray  # coordinates that are solved for
    inner: Floats  # inverse of their part of the mass matrix
    motion: SmallMotion | None  # of these alone, for the poles

    @property
    def drives(self) -> DriveStates | None:
        return None if self.motion is None else self.motion.drives

    def accelerations(self, forces: Floats) -> Floats:
        """M⁻¹ f of the coordinates that are solved for, refined once: an inverse alone loses the digits that outputs of
        stiff arms are small differences of.
        """
        found = self.inner @ forces
        rest = forces - self.mass[np.ix_(self.free, self.free)] @ found
        return np.asarray(found + self.inner @ rest)

    def matrix(self) -> Floats:
        """A."""
        nq, free = len(self.mass), self.free
        drives = self.drives
        a = np.zeros((2 * nq + (0 if drives is None else len(drives.names)),) * 2)
        a[:nq, nq : 2 * nq] = np.eye(nq)
        a[np.ix_(nq + free, np.arange(nq))] = -self.accelerations(self.stiffness[free])
        a[np.ix_(nq + free, nq + np.arange(nq))] = -self.accelerations(self.damping[free])
        if drives is not None:
            a[np.ix_(nq + free, np.arange(2 * nq, len(a)))] = self.accelerations(drives.force)
            a[2 * nq :, free], a[2 * nq :, nq + free] = drives.position, drives.rate
            a[2 * nq :, 2 * nq :] = drives.own
        return a

    def inputs(self) -> tuple[Floats, list[Signal]]:
        """B and the inputs it belongs to; `Signal.force` of an input is what it adds to the forces."""
        compiled, nq, free, drives = self.compiled, len(self.mass), self.free, self.drives
        size = 2 * nq + (0 if drives is None else len(drives.names))
        columns: list[Floats] = []
        signals: list[Signal] = []

        def pushed(name: str, unit: str, c: int, factor: float) -> None:
            column = np.zeros(size)
            column[nq + free] = self.accelerations(factor * (free == c))
            columns.append(column)
            signals.append(Signal(name, unit, coordinate=c, direct=factor))

        for c, name in zip(compiled.joint_coordinates, compiled.joint_names, strict=True):
            slides = compiled.coordinate_units[c] == "m"
            unit = compiled.coordinate_units[c]
            effort = ("force", "N") if slides else ("torque", "N m")
            state = self.states.states[name]
            if state == "locked":
                column = np.zeros(size)
                column[nq + c] = 1.0
                column[nq + free] = -self.accelerations(self.mass[free, c])
                columns.append(column)
                signals.append(Signal(f"{name}.acceleration", f"{unit}/s²", coordinate=int(c)))
                continue
            if state == "servo":
                j, loop = _loop(compiled, name)
                pushed(f"{name}.target", unit, int(c), loop.kp)
                pushed(f"{name}.target_rate", f"{unit}/s", int(c), loop.kv * loop.rate)
                if drives is not None:
                    columns[-2][2 * nq :] = drives.target[:, j]
                    columns[-1][2 * nq :] = drives.target_rate[:, j]
            pushed(f"{name}.{effort[0]}", effort[1], int(c), 1.0)
        return np.array(columns).reshape(len(columns), size).T, signals

    def poles(self) -> np.ndarray | None:
        """λ (1/s) of the arm, and two zeros for every joint whose acceleration is an input; None of arms so large that
        their fastest ones are not looked at.
        """
        held = np.zeros(2 * (len(self.mass) - len(self.free)))
        found = np.zeros(0) if self.motion is None else poles_of(self.motion, 0).every
        wanted = 2 * len(self.free) + (0 if self.drives is None else len(self.drives.names))
        return np.concatenate([held, found]).astype(complex) if len(found) == wanted else None


def _loop(compiled: CompiledArm, name: str) -> tuple[int, Loop]:
    return next((j, loop) for j, loop in enumerate(servo_loops(compiled)) if loop.name == name)


def _system(compiled: CompiledArm, states: JointStates, state: State) -> _System:
    forces = Forces(compiled)
    zero = np.zeros_like(state.q)
    stiffness, damping, mass = forces.tangents(State(state.q, zero, zero, state.tau))
    locked = [compiled.coordinate_names.index(name) for name, word in states.states.items() if word == "locked"]
    free = np.setdiff1d(np.arange(len(state.q)), locked)
    motion = motion_about_equilibrium(compiled, state, states) if len(free) else None
    if motion is not None:
        # what the poles are of: rounding taken off, encoders behind their gears added
        stiffness[np.ix_(free, free)] = motion.stiffness
    inner = _inverse(mass[np.ix_(free, free)], [compiled.coordinate_names[c] for c in free])
    return _System(compiled, states, state, mass, damping, stiffness, free, inner, motion)


def _inverse(mass: Floats, names: list[str]) -> Floats:
    """The inverse of the mass matrix of the coordinates with these names."""
    try:
        return np.asarray(np.linalg.inv(mass))
    except np.linalg.LinAlgError:
        motion = np.abs(np.linalg.eigh(mass)[1][:, 0])
        moved = names[int(np.argmax(motion > 0.5 * motion.max()))]
    raise AnalysisError(
        f"{quoted(moved)} can move without moving any mass, so its acceleration is undetermined; something must have "
        "inertia there, such as the motor before a gear, or the joint must be locked"
    )


def _seen(system: _System, signals: list[Signal], a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """C and D of the outputs."""
    nq, size = len(system.mass), len(a)
    _, inputs = system.inputs()
    c, d = np.zeros((len(signals), size)), np.zeros((len(signals), b.shape[1]))
    loops = {loop.name: loop for loop in servo_loops(system.compiled)}
    for k, one in enumerate(signals):
        c[k, :nq] += one.position
        c[k, nq : 2 * nq] += one.rate
        c[k] += one.acceleration @ a[nq : 2 * nq]
        d[k] += one.acceleration @ b[nq : 2 * nq]
        if one.coordinate < 0:
            continue
        row, name = one.coordinate, system.compiled.coordinate_names[one.coordinate]
        word = system.states.states[name]
        if word == "locked":
            # what it takes to move the joint as prescribed
            c[k, :nq] += system.stiffness[row]
            c[k, nq : 2 * nq] += system.damping[row]
            c[k] += system.mass[row] @ a[nq : 2 * nq]
            d[k] += system.mass[row] @ b[nq : 2 * nq]
            continue
        # the commanded effort of the drive, and what a servo's loops make of what they measure
        d[k] += [given.direct * (given.coordinate == row) for given in inputs]
        if word == "servo":
            loop = loops[name]
            c[k, row] -= loop.kp
            c[k, nq + row] -= loop.kv
            if loop.behind >= 0:
                c[k, loop.behind] -= loop.kp
            if system.drives is not None:
                c[k, 2 * nq :] += system.drives.force[int(np.flatnonzero(system.free == row)[0])]
    return c, d
