"""The poles of an arm in a posture: the one set of frequencies and damping ratios that every verb reports.

    found = closed_loop_poles(compiled, posture)            # joints as in the model file
    found = poles_of(motion_at_rest(compiled, state, joints, t))   # about a state that is known

`modes`, `linearise` and `campbell` take theirs from here, and so should whatever else reports a frequency.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexarm.analyses.blocks import spring_blocks
from flexarm.analyses.equilibrium import State
from flexarm.analyses.modes.drive_states import drive_states
from flexarm.analyses.modes.joint_states import Joints, JointStates, joint_states, moving_coordinates, treated
from flexarm.analyses.modes.lowest import lowest
from flexarm.analyses.modes.names import holders, numbered
from flexarm.analyses.modes.small_motion import SmallMotion, Vibration, motion_about_equilibrium, resting
from flexarm.analyses.modes.spectra import spectrum_of
from flexarm.assembly import CompiledArm
from flexarm.core.sweeps.dynamics import spring_matrices
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.model.reading.given import Posture
from flexarm.results.pole import Kind, pole_kind

# Poles nearer to one another than this part of them differ by rounding alone.
_EQUAL = 1e-9


@dataclass(frozen=True, eq=False)
class Poles:
    """Poles, lowest first: those that diverge, rigid-body motions, then by |λ|. Of a conjugate pair there is one, with
    Im λ > 0; a real pole is one of its own.
    """

    motion: Vibration
    values: np.ndarray  # λ (1/s), complex
    shapes: np.ndarray  # (moving coordinates, poles), xᴴ M x = 1; real where all parts move in step
    kinds: tuple[Kind, ...]
    names: tuple[str, ...]  # the links and directions that hold the energy, numbered; unstable ones with their fate
    # λ (1/s) of all poles there are, by |λ|: conjugates and double zeros included; of arms with many coordinates of
    # which a few modes were asked for, those of these modes
    every: np.ndarray

    def __len__(self) -> int:
        return len(self.values)

    @property
    def frequencies_hz(self) -> Floats:
        """Natural frequencies |λ|/2π of pole pairs; zero for real poles."""
        return np.where(self.values.imag > 0.0, np.abs(self.values), 0.0) / (2.0 * np.pi)

    @property
    def ratios(self) -> Floats:
        """Damping ratios −Re λ/|λ|: 1 for a real pole that decays, −1 for one that grows, 0 for λ = 0."""
        size = np.abs(self.values)
        return -self.values.real / np.where(size > 0.0, size, 1.0) + 0.0

    @property
    def growth_rates(self) -> Floats:
        """How fast unstable modes grow (1/s); zero where they do not."""
        grows = np.array([kind in ("flutter", "divergence") for kind in self.kinds], bool)
        return np.where(grows, self.values.real, 0.0)


def closed_loop_poles(
    compiled: CompiledArm,
    posture: Posture | None = None,
    joints: Joints = None,
    *,
    t: float = 0.0,
    count: int | None = None,
) -> Poles:
    """The poles of the arm at rest in a posture (rad or m by joint; default: as commanded at time t, s).

    joints: "locked", "free", "servo" (closed loop), names of the free ones, or None: as in the model file. Gains of a
    servo = "auto" must have been found (`servo.with_servo_gains`). Servo joints have their targets in the posture and
    give way to their loads; other joints are held exactly there. count: as for `poles_of`.
    """
    states = joint_states(compiled, joints)
    compiled = treated(compiled, states)
    return poles_about(compiled, resting(compiled, posture, states, t), states, count, t)


def poles_about(
    compiled: CompiledArm, state: State, joints: JointStates, count: int | None = None, t: float = 0.0
) -> Poles:
    """The poles of an arm about an equilibrium at rest, loads as they are at time t (s); count: as for `poles_of`.

    A few modes of many coordinates are found in O(n), without any matrix of the arm.
    """
    moving = moving_coordinates(compiled, joints)
    drives = drive_states(compiled, moving) if joints.servos else None
    vibration = Vibration(compiled, joints, state, moving, drives=drives)
    try:
        found = lowest(vibration, count, t)
    except (AnalysisError, np.linalg.LinAlgError):
        found = None  # the dense way finds a sentence for it, if there is a reason
    if found is None:
        return poles_of(motion_about_equilibrium(compiled, state, joints, t), count)
    values, shapes = found
    return _listed(vibration, values, shapes, np.concatenate([values, values[values.imag > 0.0].conj()]))


def poles_of(motion: SmallMotion, count: int | None = None) -> Poles:
    """The poles of a small motion, at rest or about rotation; refused in a sentence where none can be found.

    count: up to the so-manyth that is no stable real pole.
    """
    inner = motion.closed
    try:
        values, shapes = spectrum_of(inner, count)
    except np.linalg.LinAlgError:
        raise AnalysisError(
            "the frequencies of the arm cannot be found: inertia and stiffness of its parts in this posture are too "
            "many decades apart; try parts whose stiffnesses and masses are nearer to one another"
        ) from None
    if motion.basis is not None:
        shapes = motion.basis @ shapes
    return _listed(motion, values[: shapes.shape[1]], shapes, _every(inner, values))


def _listed(motion: Vibration, values: np.ndarray, shapes: np.ndarray, every: np.ndarray) -> Poles:
    kinds = tuple(pole_kind(complex(value)) for value in values)
    group = _equal_ones(values)
    shapes = _parted(motion, values, shapes, group)
    held = _held(motion, shapes, kinds)
    order = sorted(range(len(values)), key=lambda k: (group[k], held[k]))
    values, shapes, kinds = values[order], shapes[:, order], tuple(kinds[k] for k in order)
    return Poles(motion, values, shapes, kinds, _names([held[k] for k in order], kinds), every)


def _held(motion: Vibration, shapes: np.ndarray, kinds: tuple[Kind, ...]) -> list[str]:
    """What holds the energy of every shape."""
    forces = _spring_forces(motion, shapes)
    turning = None
    if motion.rotating and isinstance(motion, SmallMotion):
        turning = 0.5 * (motion.stiffness + motion.stiffness.T) @ shapes
    return [
        _holders(motion, shapes[:, k], forces[:, k], None if turning is None else turning[:, k], kind)
        for k, kind in enumerate(kinds)
    ]


def _equal_ones(values: np.ndarray) -> list[int]:
    """A number for every pole, the same for those that are equal; they then stand by their names, because left to
    itself, rounding would decide.
    """
    found: list[int] = []
    for k, value in enumerate(values):
        apart = k and abs(value - values[k - 1]) > _EQUAL * abs(value)
        found.append(found[-1] + bool(apart) if found else 0)
    return found


def _parted(motion: Vibration, values: np.ndarray, shapes: np.ndarray, group: list[int]) -> np.ndarray:
    """The shapes, those of equal poles mixed so that each is held by as few links and directions as possible: any
    mixture of them is a shape, and rounding would choose one.
    """
    members = {k: [j for j, other in enumerate(group) if other == k] for k in set(group)}
    mixed = [rows for rows in members.values() if len(rows) > 1 and values[rows[0]].imag > 0.0]
    if not mixed or (np.iscomplexobj(shapes) and np.any(shapes.imag)):
        return shapes
    shapes = shapes.copy()
    weight = 1.0 + motion.compiled.groups[1][motion.moving]
    for rows in mixed:
        own = shapes[:, rows].real
        energy = own.T @ (weight[:, None] * _spring_forces(motion, own))
        shapes[:, rows] = own @ np.linalg.eigh(0.5 * (energy + energy.T))[1]
    return shapes


def _names(held: list[str], kinds: tuple[Kind, ...]) -> tuple[str, ...]:
    names = held.copy()
    # real poles are counted by themselves, so that modes keep their numbers
    for real in (False, True):
        chosen = [k for k, kind in enumerate(kinds) if (kind == "decay") == real]
        for k, name in zip(chosen, numbered([held[k] for k in chosen]), strict=True):
            names[k] = f"{name}, {kinds[k]}" if kinds[k] in ("flutter", "divergence") else name
    return tuple(names)


def _spring_forces(motion: Vibration, shapes: np.ndarray) -> np.ndarray:
    """Forces (n, modes) of the springs in the shapes."""
    compiled, moving = motion.compiled, motion.moving
    if compiled.sleeves:
        return np.asarray(spring_matrices(compiled.tree, motion.state.q)[0][np.ix_(moving, moving)] @ shapes)
    return spring_blocks(compiled.tree, moving)[0].times(shapes)


def _holders(motion: Vibration, shape: np.ndarray, springs: np.ndarray, turning: np.ndarray | None, kind: Kind) -> str:
    """The links and directions that hold the energy of a shape: against forces of springs, or of all in rotation."""
    compiled, moving = motion.compiled, motion.moving
    if kind == "free":
        return "rigid-body motion"
    if turning is not None:
        # the rotation holds joints and beams too; where it throws them out the springs decide what moves
        held = holders(compiled, moving, shape, turning)
        return held or holders(compiled, moving, shape, springs) or "swing under rotation"
    held = holders(compiled, moving, shape, springs)
    if held or kind == "decay":
        return held or "slowing down"
    return "falls over" if kind == "divergence" else "swing under gravity"


def _every(motion: SmallMotion, values: np.ndarray) -> np.ndarray:
    """Every pole: pairs with their conjugates, multiple poles as often as they occur."""
    upper = values[values.imag > 0.0]
    found = np.concatenate([values, upper.conj()])
    if not np.any(motion.damping) and motion.drives is None:
        growing = values[(values.imag == 0.0) & (values.real > 0.0)]
        mirrored = [not np.any(np.abs(values + one) <= 1e-6 * abs(one)) for one in growing]
        found = np.concatenate([found, -growing[np.array(mirrored, bool)]])
    wanted = 2 * len(motion.mass) + (0 if motion.drives is None else len(motion.drives.own))
    zeros = min(int(np.count_nonzero(values == 0.0)), max(0, wanted - len(found)))
    found = np.concatenate([found, np.zeros(zeros)])
    return np.asarray(found[np.lexsort((found.imag, np.round(np.abs(found), 9)))])
