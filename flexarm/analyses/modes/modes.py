"""Which frequencies does the arm have in a posture, at rest or in steady rotation?"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from flexarm.analyses.contacts import left_out_remarks
from flexarm.analyses.equilibrium import State
from flexarm.analyses.modes.joint_states import Joints, compiled_with, joint_states, moving_coordinates
from flexarm.analyses.modes.poles import Poles, poles_about, poles_of
from flexarm.analyses.modes.small_motion import Vibration, resting, targeted
from flexarm.analyses.points import see
from flexarm.analyses.run.trust import bent_too_far
from flexarm.assembly import CompiledArm
from flexarm.assembly.loaded_shapes import shape_remarks
from flexarm.errors import AnalysisError
from flexarm.model import Arm
from flexarm.model.reading.given import Posture, takes_arm
from flexarm.results import ModeSet
from flexarm.results.engineering import digits, quantity

Rate = float | str
# A servo that gives way by more (rad, or part of the reach) is reported.
_GIVES_WAY = 0.01


@takes_arm
def modes(
    arm: Arm,
    *,
    spin: Rate | Mapping[str, Rate] | None = None,
    posture: Posture | None = None,
    joints: Joints = None,
    count: int = 10,
) -> ModeSet:
    """The lowest modes: poles (1/s), frequencies (Hz), damping ratios and shapes, about equilibrium or steady rotation.

    Parameters
    ----------
    arm
        An arm, or the path of its model file.
    spin
        Rate of the first revolute joint (rad/s, or text such as "75 rpm"), or rates by joint. Free joints then find the
        place where the rotation leaves them; a spinning joint that is not free keeps its rate.
    posture
        Joint coordinates by name (rad, m, or texts with a unit); default: as commanded at t = 0.
    joints
        "locked" holds every joint; "free" lets all of them move against no more than their own springs; "servo" closes
        the loops of the servos; names let these joints alone move. Default: as in the model file.
    count
        Number of modes.

    Returns
    -------
    ModeSet
        Modes, lowest first; flutter and divergence are named.

    Examples
    --------
    >>> import flexarm as fa
    >>> found = fa.modes("rod_handler.toml", count=2)
    >>> [f"{frequency:.2f} Hz" for frequency in found.frequencies_hz]
    ['12.59 Hz', '79.33 Hz']
    """
    if count < 1:
        raise AnalysisError(f"count is {count}, must be ≥ 1")
    rates = {}
    if spin is not None:
        from flexarm.analyses.modes.steady_rotation import read_spin

        rates = read_spin(arm, spin)
    compiled, states = compiled_with(arm, joints, closed=not rates)
    moving_coordinates(compiled, states)  # for what it refuses, before the equilibrium is looked for
    if rates:
        from flexarm.analyses.modes.steady_rotation import motion_about_rotation

        found = poles_of(motion_about_rotation(compiled, rates, posture, states), count)
    else:
        found = poles_about(compiled, resting(compiled, posture, states), states, count)
    return mode_set(found, rates, posture)


def mode_set(found: Poles, rates: Mapping[str, float] | None = None, posture: Posture | None = None) -> ModeSet:
    """The poles as a result, with what it takes to draw them; rates (rad/s) of the joints that spin."""
    motion, rates = found.motion, rates or {}
    decays = np.array([kind == "decay" for kind in found.kinds], bool)
    swings = np.flatnonzero(~decays)
    compiled, q = motion.compiled, motion.state.q
    units = dict(zip(compiled.coordinate_names, compiled.coordinate_units, strict=True))
    standing = [joint for joint in compiled.joint_names if joint not in rates]
    shapes = found.shapes[:, swings]
    return ModeSet(
        frequencies_hz=found.frequencies_hz[swings],
        damping_ratios=found.ratios[swings],
        names=tuple(found.names[k] for k in swings),
        coordinates=tuple(compiled.coordinate_names[c] for c in motion.moving),
        shapes=shapes.T,
        point_names=compiled.point_names,
        point_shapes=_point_shapes(motion, shapes),
        # what an equilibrium leaves by rounding is no angle
        posture={joint: round(float(q[compiled.coordinate_names.index(joint)]), 12) + 0.0 for joint in standing},
        posture_units={joint: units[joint] for joint in standing},
        joints=motion.joints.word,
        joint_states=motion.joints.states,
        poles=found.values[swings],
        kinds=tuple(found.kinds[k] for k in swings),
        real_poles=found.values[decays].real,
        real_pole_names=tuple(name for name, real in zip(found.names, decays, strict=True) if real),
        arm_name=compiled.arm.name,
        spin=rates,
        growth_rates=found.growth_rates[swings],
        remarks=(
            *_sagging(motion, posture),
            *(bent_too_far(compiled, q[None, :]) if rates else ()),
            *shape_remarks(compiled.arm),
            *left_out_remarks(compiled.arm, motion.joints.moving),
        ),
        arm=compiled.arm,
        at=dict(zip(compiled.coordinate_names, q.tolist(), strict=True)),
    )


def _point_shapes(motion: Vibration, shapes: np.ndarray) -> np.ndarray:
    """How the points move in every mode (modes, points, 3)."""
    if np.iscomplexobj(shapes):
        return _point_shapes(motion, shapes.real) + 1j * _point_shapes(motion, shapes.imag)
    count = shapes.shape[1]
    still = np.zeros((count, len(motion.state.q)))
    rates = still.copy()
    rates[:, motion.moving] = shapes.T
    places = np.repeat(motion.state.q[None], count, axis=0)
    return see(motion.compiled, np.zeros(count), places, rates, still).velocity


def modes_about(compiled: CompiledArm, state: State, joints: Joints, count: int) -> ModeSet:
    """The lowest modes about a state of equilibrium at rest; servos are as they are in `compiled`."""
    return mode_set(poles_about(compiled, state, joint_states(compiled, joints), count))


def _sagging(motion: Vibration, posture: Posture | None) -> list[str]:
    """A sentence for every servo that gives way to its load so far that it matters."""
    compiled, remarks = motion.compiled, []
    for name in motion.joints.servos:
        c = compiled.coordinate_names.index(name)
        wanted = targeted(compiled, posture, motion.joints)[0].q[c]
        way = abs(float(motion.state.q[c] - wanted))
        slides = compiled.coordinate_units[c] == "m"
        if way > _GIVES_WAY * (compiled.reach if slides else 1.0):
            shown = quantity(way, "m", 3) if slides else f"{digits(float(np.degrees(way)), 3)}°"
            remarks.append(
                f'the servo of joint "{name}" gives way to its load by {shown}: poles are those of that place'
            )
    return remarks
