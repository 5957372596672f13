"""The cheap analyses: linear along the rigid motion (NOTATION 41–43), and quasi-static (44).

Both give the departures from the rigid motion to first order, so observations of them are of first order too.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from flexarm.analyses.blocks import spring_blocks
from flexarm.analyses.contacts import refuse_meeting
from flexarm.analyses.drives import integrating, torques_of
from flexarm.analyses.equilibrium import Forces, State, commanded, within_sleeves
from flexarm.analyses.krylov import solved
from flexarm.analyses.modes.eigen import definite
from flexarm.analyses.points import Seen, see
from flexarm.analyses.run.integrate import Run
from flexarm.analyses.run.rigid_reference import rigid_motion
from flexarm.analyses.tangent import Tangent, stiff_part
from flexarm.assembly import CompiledArm, without_servos
from flexarm.core.sweeps.dynamics import spring_matrices
from flexarm.core.sweeps.linear import linearised
from flexarm.core.tree.elements import own_tree
from flexarm.core.tree.types import G_KI, S_GAIN, S_RATE_GAIN, S_REST, Floats, Ints, LinearTree
from flexarm.errors import AnalysisError

# Departures are scaled by this before they are differenced: their squares and cubes cancel or drown.
_SCALE = 1e-2
# Of more coordinates than this no tangent is formed.
_MANY = 40
# Residual of what a force deflects the arm by, as part of the force.
_EXACT = 1e-13


def departing(compiled: CompiledArm, analysis: str) -> Ints:
    """Coordinates that depart from the rigid motion; refuses joints without a commanded motion."""
    commands = compiled.commands
    departs = np.zeros(len(compiled.coordinate_names), bool)
    departs[compiled.elastic_coordinates] = True
    departs[commands.servo_coordinate] = True
    refuse_meeting(compiled.arm, f"for the {analysis} analysis", 'try "nonlinear"')
    for c in compiled.free:
        if not departs[c]:
            raise AnalysisError(
                f'analysis "{analysis}": the joint "{compiled.coordinate_names[c]}" is free or driven by a torque, must'
                ' follow a motion, have a servo or be locked: its rigid motion is not known beforehand; try "nonlinear"'
            )
    return np.flatnonzero(departs).astype(np.int64)


def linear_tree(compiled: CompiledArm) -> LinearTree:
    """The arm linear along its commanded motion, for the steppers."""
    free = departing(compiled, "linear")
    tree = own_tree(compiled.tree, compiled.loads)
    return linearised(tree, compiled.commands, compiled.coordinate_units, compiled.reach, free)


def linear_start(compiled: CompiledArm, start: str) -> State:
    """The state at t = 0: undeformed, or in equilibrium to first order, at rest ("static") or at rates ("steady")."""
    state = commanded(compiled)
    if start == "rest":
        return state
    commands = compiled.commands
    upright = commands.servo_coordinate[integrating(compiled)]
    free = np.setdiff1d(departing(compiled, "linear"), upright)
    v, a = state.v.copy(), np.zeros_like(state.a)
    if start == "static":
        v[:] = 0.0
    else:
        a[compiled.driven] = state.a[compiled.driven]
        v[compiled.elastic_coordinates] = 0.0
    forces = Forces(compiled)
    at = State(state.q, v, a, state.tau)
    q = state.q.copy()
    q[free] += deflection(compiled, at, free, (state.tau - forces.inverse(state.q, v, a))[free])
    moving = compiled.driven.copy()
    moving[commands.servo_coordinate] = start == "steady"
    integral = np.zeros(len(commands.servo_coordinate))
    if len(upright):
        # the torque on the rigid arm and what its deflections add to it, less what the loops give without integrators
        open_loop = without_servos(compiled)
        every = Tangent(open_loop, at, np.arange(len(q)))
        change = (q - state.q)[:, None]
        if open_loop.sleeves:
            change = Forces(open_loop).tangent(at, with_rates=False)[0] @ change
        else:
            change = every.stiffness(change)
        needed = Forces(open_loop).inverse(state.q, v, a) + change[:, 0]
        given = torques_of(compiled, np.zeros(1), q[None], v[None], None, limited=False)[0]
        ki = commands.servo_gain[:, G_KI]
        integral = np.where(ki > 0.0, (needed[commands.servo_coordinate] - given) / np.where(ki > 0.0, ki, 1.0), 0.0)
    return State(q, np.where(moving, state.v, 0.0), state.a, state.tau, integral)


def deflection(compiled: CompiledArm, state: State, free: Ints, force: Floats, t: float = 0.0) -> Floats:
    """K⁻¹ f of the free coordinates about a state, rates and accelerations as given; loads are those at time t (s)."""
    if len(free) > _MANY:
        tangent = Tangent(compiled, state, free, t)
        stiff = stiff_part(tangent)
        found = None if stiff is None else solved(tangent, stiff, force, _EXACT)
        if found is not None and found.found:
            return found.x
    stiffness = Forces(compiled, t).tangent(state, with_rates=False)[0][np.ix_(free, free)]
    return np.asarray(np.linalg.solve(stiffness, force))


def two_sided(compiled: CompiledArm, times: Floats) -> Floats:
    """The times, with every switch of the command twice: just before it and on it."""
    switches = compiled.commands.switches
    inside = switches[(switches > 0.0) & (switches < times[-1])]
    return np.unique(np.concatenate([times, inside, np.nextafter(inside, 0.0)]))


def rigid_course(compiled: CompiledArm, times: Floats) -> State:
    """The motion both analyses depart from (m, nq), just after switches; refused where it leaves a sleeve."""
    zero = np.zeros((len(times), len(compiled.coordinate_names)))
    motion = rigid_motion(compiled, times, State(zero + commanded(compiled).q, zero, zero, zero), after=True)
    within_sleeves(compiled, motion.q)
    return motion


def quasi_static(compiled: CompiledArm, times: Floats) -> Run:
    """The departures that the forces of the rigid motion hold at every instant: K x = τ − r (44).

    Rates and accelerations are those of the rigid motion.
    """
    behind = compiled.commands.servo_coordinate[compiled.commands.servo_more[:, 0] >= 0]
    if len(behind):
        raise AnalysisError(
            f'analysis "quasi-static": the servo of joint "{compiled.coordinate_names[behind[0]]}" has its encoder on '
            'the link, must have it on the motor; try "nonlinear" or "linear"'
        )
    # a joint with an integrator is where it is commanded
    upright = compiled.commands.servo_coordinate[integrating(compiled)]
    free = np.setdiff1d(departing(compiled, "quasi-static"), upright)
    nq = len(compiled.coordinate_names)
    zero = np.zeros((len(times), nq))
    motion = rigid_course(compiled, times)
    deflected = _deflections(compiled, motion.q, free)
    # one sample first: whatever has to be compiled is compiled outside the clock
    see(compiled, times[:1], motion.q[:1], motion.v[:1], motion.a[:1])
    before = time.process_time()
    # a hair later: laws of loads on a switch are wanted after it as well
    force = see(compiled, np.nextafter(times, np.inf), motion.q, motion.v, motion.a).force
    spring = compiled.tree.spring
    # what the servos give on the rigid motion, where they see no error: their springs and dampers, taken back
    held = spring[:, S_GAIN] * (motion.q - spring[:, S_REST]) + spring[:, S_RATE_GAIN] * motion.v
    servo = compiled.commands.servo_coordinate
    held[:, servo] += torques_of(compiled, np.nextafter(times, np.inf), motion.q, motion.v, None)
    q = motion.q.copy()
    q[:, free] += deflected((held - force)[:, free])
    seconds = time.process_time() - before
    counts, sums = (0, 0, 0, seconds), (0.0, 0.0)
    return Run(times, q, motion.v, motion.a, zero[:, :3] * np.nan, "ok", "", "", float(times[-1]), *counts, *sums)


def _deflections(compiled: CompiledArm, q: Floats, free: Ints) -> Callable[[Floats], Floats]:
    """What forces (m, n) on the free coordinates deflect them by against the springs, at states (m, nq)."""
    held = None
    if not compiled.sleeves:
        held = spring_blocks(compiled.tree, free)[0].inverse()
    else:
        # the stiffness of a beam in a sleeve changes with its length, others' is one for all times
        springs = np.array([spring_matrices(compiled.tree, each)[0][np.ix_(free, free)] for each in q])
        if definite(springs):
            return lambda forces: np.linalg.solve(springs, forces[..., None])[..., 0]
    if held is None:
        raise AnalysisError("quasi-static: a coordinate has no stiffness, must have some to be held")
    return lambda forces: held.times(forces.T).T


def see_first_order(compiled: CompiledArm, times: Floats, states: State, *, after: bool) -> Seen:
    """Observations of departures of first order: the rigid arm, and the derivative along them; energies as they are."""
    rigid = rigid_motion(compiled, times, states, after=after)
    base = see(compiled, times, rigid.q, rigid.v, rigid.a)

    def moved(factor: float) -> Seen:
        parts = [
            np.ascontiguousarray(r + factor * (s - r))
            for r, s in zip((rigid.q, rigid.v, rigid.a), (states.q, states.v, states.a), strict=True)
        ]
        return see(compiled, times, *parts)

    plus, minus, whole = moved(_SCALE), moved(-_SCALE), moved(1.0)

    def linear(name: str) -> Floats:
        slope: Floats = (getattr(plus, name) - getattr(minus, name)) / (2.0 * _SCALE)
        return slope + getattr(base, name)

    return Seen(
        linear("position"),
        linear("velocity"),
        linear("acceleration"),
        whole.orientation,
        linear("force"),
        whole.energy,
    )
