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

from flexarm.analyses.eigen import general_modes
from flexarm.analyses.integrate import Run
from flexarm.analyses.points import point_rates, positions, see, undeformed
from flexarm.analyses.posture import Forces, State, commanded
from flexarm.analyses.target import Target
from flexarm.compiled import CompiledArm
from flexarm.core.dynamics import spring_matrices
from flexarm.core.types import Floats
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
# Of |λ|: what turns less fast than this is a real pole.
_REAL = 1e-6


def quasi_static_positions(compiled: CompiledArm, run: Run) -> Floats | None:
    """Positions (m, points, 3) with the elastic coordinates in equilibrium at every instant, the joints moving as they
    do; None where that is not found: beams in sleeves, or bent too far.
    """
    elastic = compiled.elastic_coordinates
    if not len(elastic) or compiled.sleeves or not len(run.times):
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
    """How a point comes to rest after the end of the command, by the poles of the arm with its servos closed, and the
    vibration (m, points, 3) of all points, NaN before; None where small motions do not tell.

    `at` (s) is the moment the amplitudes are of; `modes`: frequency_hz (|λ|/2π), damping (of critical), amplitude_m of
    the point at that moment, largest first; `creep`: time_constant_s of the slowest real pole and amplitude_m of all
    real poles together, None if there are none.
    """
    rest, when, free = target.coordinates, target.command_end, compiled.free
    if rest is None or when is None or not 0 < len(free) <= _MOST_IN_MODES or not when < run.times[-1]:
        return None, None
    k = int(np.searchsorted(run.times, when))
    away = (run.q[k:] - rest)[:, free]
    rows = point_rates(compiled, rest)[:, :, free]
    there = positions(compiled, np.stack([run.q[k], rest]))[:, point]
    moved = rows[point] @ away[0]
    if np.linalg.norm(there[0] - there[1] - moved) > _LINEAR * np.linalg.norm(moved):
        return None, None
    zero = np.zeros_like(rest)
    state = State(rest, zero, zero, commanded(compiled, when).tau)
    forces = Forces(compiled, float(run.times[-1]))
    block = np.ix_(free, free)
    try:
        stiffness, damping = (each[block] for each in forces.tangent(state))
        poles, shapes = general_modes(stiffness, damping, forces.mass(rest)[block])
        states = np.concatenate([away, run.v[k:, free]], axis=1).T.astype(complex)
        parts = np.linalg.solve(np.concatenate([shapes, shapes * poles]), states)
    except (FlexarmError, np.linalg.LinAlgError):
        return None, None
    fast = (np.abs(poles.imag) > _REAL * np.abs(poles)) & (-poles.real < VIBRATES * np.abs(poles))
    vibration = np.full((len(run.times), len(compiled.point_names), 3), np.nan)
    vibration[k:] = np.moveaxis((rows @ shapes[:, fast] @ parts[fast]).real, -1, 0)
    return {"at": float(run.times[k]), **_told(poles, (rows[point] @ shapes) * parts[:, 0])}, vibration


def _told(poles: np.ndarray, moves: np.ndarray) -> dict[str, Any]:
    """Oscillating pairs with the amplitudes of their moves (3, poles), and the real poles together."""
    turning = poles.imag > _REAL * np.abs(poles)
    real = np.abs(poles.imag) <= _REAL * np.abs(poles)
    modes = []
    for pole, move in zip(poles[turning], moves[:, turning].T, strict=True):
        # a pair moves the point by 2 Re(u e^{λt}): an ellipse, whose longer half axis counts
        amplitude = 2.0 * float(np.linalg.svd(np.stack([move.real, move.imag]), compute_uv=False)[0])
        size = abs(pole)
        modes.append(
            {"frequency_hz": float(size / (2.0 * np.pi)), "damping": float(-pole.real / size), "amplitude_m": amplitude}
        )
    modes.sort(key=lambda mode: -mode["amplitude_m"])
    largest = modes[0]["amplitude_m"] if modes else 0.0
    creep = None
    if np.any(real):
        slowest = float(np.min(np.abs(poles[real])))
        amplitude = float(np.linalg.norm(np.sum(moves[:, real], axis=1)))
        largest = max(largest, amplitude)
        if amplitude > _SMALL * largest:
            creep = {"time_constant_s": 1.0 / slowest, "amplitude_m": amplitude}
    # the strongest that vibrates is listed however small it is: it is what a spectrum shows
    loudest = next((mode for mode in modes if mode["damping"] < VIBRATES), None)
    kept = [mode for mode in modes[:_LISTED] if mode["amplitude_m"] > _SMALL * largest or mode is loudest]
    return {"modes": kept, "creep": creep}
