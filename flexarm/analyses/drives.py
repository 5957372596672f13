"""Drives in equilibrium and along a run: what their integrators hold, and the torques they give."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from flexarm.analyses.closures import Closing, carried_at
from flexarm.analyses.equilibrium import Forces, State, equilibrium
from flexarm.assembly import CompiledArm, with_motions, without_servos
from flexarm.core.time.commands import command
from flexarm.core.time.drives import drive_torques
from flexarm.core.tree.types import G_KI, G_LIMIT, G_LOOP, G_RATE, Floats, Ints
from flexarm.errors import AnalysisError
from flexarm.model import Pieces

MOST_ROUNDS = 50


def integrating(compiled: CompiledArm) -> Ints:
    """The servos (their numbers) with an integrator."""
    return np.flatnonzero(compiled.commands.servo_gain[:, G_KI] != 0.0)


def balanced(compiled: CompiledArm, state: State, t: float = 0.0, *, hold: np.ndarray | None = None) -> State:
    """The state with the free coordinates and the integrators of the drives in equilibrium, rates and accelerations as
    given.

    A drive with an integrator holds what its encoder sees where the command has it; one without gives way by what its
    gains leave. `hold`: coordinates kept where they are (default: the prescribed ones). Refused where a drive would
    have to give more than its limit.
    """
    return balanced_to(compiled, state, t, hold=hold)[0]


def balanced_to(
    compiled: CompiledArm,
    state: State,
    t: float = 0.0,
    *,
    hold: np.ndarray | None = None,
    extra: Floats | None = None,
) -> tuple[State, float, int]:
    """The same, the residual left, and iterations; `extra` forces (nq,) act beside those of drives and laws."""
    commands = compiled.commands
    held = (compiled.driven if hold is None else hold).copy()
    with_integrator = [j for j in integrating(compiled) if not held[commands.servo_coordinate[j]]]
    behind = commands.servo_more[:, 0] >= 0
    held[commands.servo_coordinate[with_integrator]] = True
    now, residual, iterations = state.copy(), 0.0, 0
    for _ in range(MOST_ROUNDS):
        before = now.q.copy()
        tau = now.tau.copy()
        command(compiled.laws, commands, t, False, now.q.copy(), now.v.copy(), now.a.copy(), tau)
        if extra is not None:
            tau = tau + extra
        q = now.q.copy()
        for j in with_integrator:
            c = commands.servo_coordinate[j]
            place, rate, _ = compiled.pieces[commands.servo_law[j]].evaluate(t)
            gain = commands.servo_gain[j]
            # where the integrator settles: rate θ̇_d − θ̇ + loop e = 0
            q[c] = place - (now.v[c] - gain[G_RATE] * float(rate)) / gain[G_LOOP]
            if behind[j]:
                q[c] -= now.q[commands.servo_more[j, 0]]
        now, residual, more = equilibrium(compiled, State(q, now.v, now.a, tau), t, hold=held)
        iterations += more
        if not np.any(behind) or np.max(np.abs(now.q - before)) < 1e-13 * max(compiled.reach, 1.0):
            break
    found = _loaded(compiled, now, t, {int(commands.servo_coordinate[j]) for j in with_integrator})
    return found, residual, iterations


def standing_at(compiled: CompiledArm, q: Floats) -> CompiledArm:
    """The same arm, commanded to stand where its joints have the coordinates q (nq,)."""
    commands = compiled.commands
    moved = np.concatenate([commands.motion_coordinate, commands.servo_coordinate])
    return with_motions(compiled, {compiled.coordinate_names[c]: Pieces.constant(float(q[c])) for c in moved})


def _loaded(compiled: CompiledArm, state: State, t: float, integrators: set[int]) -> State:
    """The state with integrators that give what the joints on them need; refused beyond a limit."""
    commands = compiled.commands
    count = len(commands.servo_coordinate)
    integral = np.zeros(count)
    if count == 0:
        return state
    needed = Forces(without_servos(compiled), t).inverse(state.q, state.v, state.a)
    if compiled.closures is not None:
        servo = set(commands.servo_coordinate.tolist())
        free = np.array([c for c in compiled.free if int(c) not in servo], np.int64)
        carried = carried_at(without_servos(compiled), state, t, free)
        needed = needed - Closing(compiled).at(state.q).jacobian.T @ carried
    given = torques_of(compiled, np.array([t]), state.q[None], state.v[None], None, limited=False)[0]
    for j, c in enumerate(commands.servo_coordinate):
        gain = commands.servo_gain[j]
        torque = given[j]
        if int(c) in integrators:
            integral[j] = (needed[c] - given[j]) / gain[G_KI]
            torque = needed[c]
        if abs(torque) > gain[G_LIMIT] * (1.0 + 1e-9):
            unit = "N" if compiled.coordinate_units[c] == "m" else "N m"
            raise AnalysisError(
                f'link "{compiled.coordinate_names[c]}": joint.servo.torque_limit is {gain[G_LIMIT]:.4g} {unit}, must '
                f"be ≥ {abs(torque):.4g} {unit}, which the joint needs to stand there"
            )
    return State(state.q, state.v, state.a, state.tau, integral)


def loaded_at(compiled: CompiledArm, state: State, t: float) -> State:
    """The state with integrators that give what their joints need there."""
    servo = compiled.commands.servo_coordinate
    return _loaded(compiled, state, t, {int(servo[j]) for j in integrating(compiled)})


def torques_of(
    compiled: CompiledArm, times: Floats, q: Floats, v: Floats, x: Floats | None, *, limited: bool = True
) -> Floats:
    """Torques (N m) or forces (N) of all servos (m, servos) at states (m, nq); x: their integrators, None for empty
    ones.
    """
    commands = compiled.commands
    count = len(commands.servo_coordinate)
    if not limited:
        gain = commands.servo_gain.copy()
        gain[:, G_LIMIT] = np.inf
        commands = commands._replace(servo_gain=gain)
    full = np.zeros((len(times), count)) if x is None or x.shape[1] != count else np.ascontiguousarray(x)
    torque = np.zeros((len(times), count))
    drive_torques(compiled.laws, commands, times, np.ascontiguousarray(q), np.ascontiguousarray(v), full, torque)
    return torque


def saturated_share(compiled: CompiledArm, times: Floats, torque: Floats) -> Mapping[str, float]:
    """For every joint whose drive has a limit, the part of the time its torque (m, servos) is on it."""
    found = {}
    for j, c in enumerate(compiled.commands.servo_coordinate):
        limit = compiled.commands.servo_gain[j, G_LIMIT]
        if np.isfinite(limit) and len(times) > 1:
            on = np.abs(torque[:, j]) >= limit * (1.0 - 1e-6)
            found[compiled.coordinate_names[c]] = float(np.mean(on))
    return found
