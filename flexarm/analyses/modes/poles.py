"""The poles of an arm in a posture: the one set of frequencies and damping ratios that every verb reports.

    found = closed_loop_poles(compiled, posture)            # joints as in the model file
    found = poles_of(motion_at_rest(compiled, state, joints, t))   # about a state that is known

`modes`, `linearise` and `campbell` take theirs from here, and so should whatever else reports a frequency.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexarm.analyses.modes.joint_states import Joints, joint_states, treated
from flexarm.analyses.modes.names import holders, numbered
from flexarm.analyses.modes.small_motion import SmallMotion, motion_about_equilibrium, resting
from flexarm.analyses.modes.spectra import spectrum_of
from flexarm.assembly import CompiledArm
from flexarm.core.dynamics import spring_matrices
from flexarm.core.types import Floats
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

    motion: SmallMotion
    values: np.ndarray  # λ (1/s), complex
    shapes: np.ndarray  # (moving coordinates, poles), xᴴ M x = 1; real where all parts move in step
    kinds: tuple[Kind, ...]
    names: tuple[str, ...]  # the links and directions that hold the energy, numbered; unstable ones with their fate
    every: np.ndarray  # λ (1/s) of all poles there are, by |λ|: conjugates and double zeros included

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
    return poles_of(motion_about_equilibrium(compiled, resting(compiled, posture, states, t), states, t), count)


def poles_of(motion: SmallMotion, count: int | None = None) -> Poles:
    """The poles of a small motion, at rest or about rotation; refused in a sentence where none can be found.

    count: up to the so-manyth that is no stable real pole.
    """
    try:
        values, shapes = spectrum_of(motion, count)
    except np.linalg.LinAlgError:
        raise AnalysisError(
            "the frequencies of the arm cannot be found: inertia and stiffness of its parts in this posture are too "
            "many decades apart; try parts whose stiffnesses and masses are nearer to one another"
        ) from None
    every = _every(motion, values)
    values = values[: shapes.shape[1]]
    kinds = tuple(pole_kind(complex(value)) for value in values)
    springs = spring_matrices(motion.compiled.tree, motion.state.q)[0][np.ix_(motion.moving, motion.moving)]
    held = [_holders(motion, springs, shape, kind) for shape, kind in zip(shapes.T, kinds, strict=True)]
    order = _equal_ones_by_name(values, held)
    values, shapes, kinds = values[order], shapes[:, order], tuple(kinds[k] for k in order)
    return Poles(motion, values, shapes, kinds, _names([held[k] for k in order], kinds), every)


def _equal_ones_by_name(values: np.ndarray, held: list[str]) -> list[int]:
    """The order of the poles in which equal ones stand by their names: left to itself, rounding would decide."""
    group, groups = 0, []
    for k, value in enumerate(values):
        if k and abs(value - values[k - 1]) > _EQUAL * abs(value):
            group += 1
        groups.append(group)
    return sorted(range(len(values)), key=lambda k: (groups[k], held[k]))


def _names(held: list[str], kinds: tuple[Kind, ...]) -> tuple[str, ...]:
    names = held.copy()
    # real poles are counted by themselves, so that modes keep their numbers
    for real in (False, True):
        chosen = [k for k, kind in enumerate(kinds) if (kind == "decay") == real]
        for k, name in zip(chosen, numbered([held[k] for k in chosen]), strict=True):
            names[k] = f"{name}, {kinds[k]}" if kinds[k] in ("flutter", "divergence") else name
    return tuple(names)


def _holders(motion: SmallMotion, springs: Floats, shape: np.ndarray, kind: Kind) -> str:
    """The links and directions that hold the energy of a shape."""
    compiled, moving = motion.compiled, motion.moving
    if kind == "free":
        return "rigid-body motion"
    if motion.rotating:
        # the rotation holds joints and beams too; where it throws them out the springs decide what moves
        held = holders(compiled, moving, shape, 0.5 * (motion.stiffness + motion.stiffness.T))
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
