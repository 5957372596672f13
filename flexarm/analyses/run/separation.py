"""The parts of a run: what the joints do, what their motion holds bent, what vibrates, and in which modes.

A point is away from the rigid arm on its command by the *drive error* (the rigid arm with its joints where they are,
less where they are commanded), the *quasi-static* part (the deflection the arm would have if its elastic coordinates
were at every instant in equilibrium with gravity, loads and the inertia of the joints' actual motion) and a *dynamic*
part, which is the rest. Where no servo closes a loop the dynamic part is the vibration. Where one does, the arm moves
in the poles of the closed loop once the command has ended: its *vibration* then is its part in poles that are damped
by less than half of critical; in the others, and in real poles, the drives creep in.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flexarm.analyses.drives import integrating
from flexarm.analyses.modes.drive_states import DriveStates
from flexarm.analyses.modes.joint_states import joint_states
from flexarm.analyses.modes.poles import Poles, poles_of
from flexarm.analyses.modes.small_motion import motion_about_equilibrium
from flexarm.analyses.points import point_rates, positions, see, undeformed
from flexarm.analyses.run.integrate import Run
from flexarm.analyses.run.target import Target
from flexarm.assembly import CompiledArm
from flexarm.core.sweeps.dynamics import spring_matrices
from flexarm.core.tree.types import Floats
from flexarm.errors import FlexarmError
from flexarm.results.separation import VIBRATES

# The equilibrium of every instant is iterated until it moves by no more than this part of itself, so often at most.
_FINE, _MOST = 1e-4, 15
# Beyond so many coordinates the eigenvalues take longer than the run.
_MOST_IN_MODES = 120
# Part of the way to rest that small motions about it may err by at the end of the command, before modes mean nothing.
_LINEAR = 0.2
# Modes of less than this part of the largest are left out, and more than so many.
_SMALL, _LISTED = 1e-3, 8


def quasi_static_positions(compiled: CompiledArm, run: Run) -> Floats | None:
    """Positions (m, points, 3) with the elastic coordinates in equilibrium at every instant, the joints moving as they
    do; None where that is not found: beams in sleeves, closures, or bent too far.
    """
    elastic = compiled.elastic_coordinates
    if not len(elastic) or compiled.sleeves or compiled.closures is not None or not len(run.times):
        return None
    q, v, a = (np.ascontiguousarray(undeformed(compiled, x)) for x in (run.q, run.v, run.a))
    stiffness = spring_matrices(compiled.tree, q[0])[0][np.ix_(elastic, elastic)]
    try:
        flexibility = np.linalg.inv(stiffness)
    except np.linalg.LinAlgError:
        return None
    for _ in range(_MOST):
        # r = 0 by Newton's steps with the stiffness of the springs alone: each takes in more of the geometric one
        step = see(compiled, run.times, q, v, a).force[:, elastic] @ flexibility.T
        q[:, elastic] -= step
        size, moved = float(np.max(np.abs(q[:, elastic]))), float(np.max(np.abs(step)))
        if not np.isfinite(size):
            return None
        if moved <= _FINE * size:
            return see(compiled, run.times, q, v, a).position
    return None


def ringing(compiled: CompiledArm, run: Run, target: Target, point: int) -> tuple[dict[str, Any] | None, Floats | None]:
    """How a point settles after the end of the command, by the poles of the arm with its servos closed, and the
    vibration (m, points, 3) of all points, NaN before; None where small motions do not apply.

    `at` (s) is the moment the amplitudes are of; `modes`: name, frequency_hz (|λ|/2π), damping (of critical) and
    amplitude_m of the point at that moment, largest first; `creep`: time_constant_s of the slowest real pole and
    amplitude_m of all real poles together, None if there are none.
    """
    found, when, free = target.rest, target.command_end, compiled.free
    if found is None or when is None or not 0 < len(free) <= _MOST_IN_MODES or not when < run.times[-1]:
        return None, None
    rest, k = found.q, int(np.searchsorted(run.times, when))
    away = (run.q[k:] - rest)[:, free]
    rows = point_rates(compiled, rest)[:, :, free]
    there = positions(compiled, np.stack([run.q[k], rest]))[:, point]
    moved = rows[point] @ away[0]
    if np.linalg.norm(there[0] - there[1] - moved) > _LINEAR * np.linalg.norm(moved):
        return None, None
    try:
        poles = poles_of(motion_about_equilibrium(compiled, found, joint_states(compiled), float(run.times[-1])))
    except FlexarmError:
        return None, None
    if not np.array_equal(poles.motion.moving, free):
        return None, None
    pairs = poles.values.imag > 0.0
    values = np.concatenate([poles.values, poles.values[pairs].conj()])
    shapes = np.concatenate([poles.shapes, poles.shapes[:, pairs].conj()], axis=1)
    rows_of_state, states = [shapes, shapes * values], [away, run.v[k:, free]]
    if poles.motion.drives is not None:
        responses = _integrator_responses(poles.motion.drives, values, shapes)
        if responses is None or run.x is None or found.integral is None:
            return None, None
        rows_of_state.append(responses)
        states.append((run.x[k:] - found.integral)[:, integrating(compiled)])
    parts = _shares(np.concatenate(rows_of_state), np.concatenate(states, axis=1).T)
    if parts is None:
        return None, None
    fast = (values.imag != 0.0) & (-values.real < VIBRATES * np.abs(values))
    vibration = np.full((len(run.times), len(compiled.point_names), 3), np.nan)
    vibration[k:] = np.moveaxis((rows @ shapes[:, fast] @ parts[fast]).real, -1, 0)
    moves = (rows[point] @ shapes) * parts[:, 0]
    return {"at": float(run.times[k]), **_amplitudes(poles, moves[:, : len(poles)])}, vibration


def _shares(vectors: np.ndarray, states: Floats) -> np.ndarray | None:
    """How much of each pole's vector (in columns) is in the states (in columns); None where poles do not hold all."""
    if vectors.shape[0] != vectors.shape[1]:
        return None  # rigid-body motions, whose double zeros are one pole
    try:
        return np.asarray(np.linalg.solve(vectors, states.astype(complex)))
    except np.linalg.LinAlgError:
        return None


def _integrator_responses(drives: DriveStates, values: np.ndarray, shapes: np.ndarray) -> np.ndarray | None:
    """What the integrators of the drives do (nz, poles) while the arm moves in each pole: (λ − F)⁻¹ (P + λ R) φ; None
    where a pole is one of theirs alone.
    """
    still = np.eye(len(drives.own))
    try:
        return np.stack(
            [
                np.linalg.solve(value * still - drives.own, (drives.position + value * drives.rate) @ shape)
                for value, shape in zip(values, shapes.T, strict=True)
            ],
            axis=1,
        )
    except np.linalg.LinAlgError:
        return None


def _amplitudes(found: Poles, moves: np.ndarray) -> dict[str, Any]:
    """Oscillating pairs with the amplitudes of their moves (3, poles), and the real poles together."""
    turning = found.values.imag > 0.0
    modes: list[dict[str, Any]] = []
    for k in np.flatnonzero(turning).tolist():
        # a pair moves the point by 2 Re(u e^{λt}): an ellipse, whose longer half axis counts
        move = np.stack([moves[:, k].real, moves[:, k].imag])
        amplitude = 2.0 * float(np.linalg.svd(move, compute_uv=False)[0])
        frequency, damping = float(found.frequencies_hz[k]), float(found.ratios[k])
        modes.append({"name": found.names[k], "frequency_hz": frequency, "damping": damping, "amplitude_m": amplitude})
    modes.sort(key=lambda mode: -mode["amplitude_m"])
    largest = modes[0]["amplitude_m"] if modes else 0.0
    creep, decaying = None, ~turning & (found.values.real < 0.0)
    if np.any(decaying):
        slowest = float(np.min(np.abs(found.values[decaying])))
        amplitude = float(np.linalg.norm(np.sum(moves[:, decaying], axis=1)))
        largest = max(largest, amplitude)
        if amplitude > _SMALL * largest:
            creep = {"time_constant_s": 1.0 / slowest, "amplitude_m": amplitude}
    # the strongest that vibrates is listed however small it is: it is what a spectrum shows
    loudest = next((mode for mode in modes if mode["damping"] < VIBRATES), None)
    kept = [mode for mode in modes[:_LISTED] if mode["amplitude_m"] > _SMALL * largest or mode is loudest]
    return {"modes": kept, "creep": creep}
