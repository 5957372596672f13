"""One step of the generalised-α family (NOTATION 20), Newmark's average acceleration (21) among it: second order."""

from __future__ import annotations

from .._jit import inner
from ..numbers.lanes import select
from ..numbers.views import LANES, by_lanes, in_lane, joined, put
from ..tree.types import (
    NOT_CONVERGED,
    NOT_FINITE,
    OK,
    RUNNING,
    S_D,
    S_DRIVEN,
    S_K,
    S_LEVER,
    Commands,
    Floats,
    Laws,
    Loads,
)
from .commands import forces, motions, targets
from .contacts import enter_contacts, join_contacts, watch_contacts
from .drives import enter_drives, leave_drives
from .energy_book import book_powers, book_stage
from .esdirk import ALTERNATING
from .mechanism import Mechanism, elastic_form, energies, solve
from .memory import Alpha, Memory, buffer_of, clock_of, count_of, stages_of, state_of


@inner
def unbalanced_work(tree: Mechanism, q: Floats, change: Floats, gh: float, bh2: float, work: Floats) -> float:
    """Work of the unbalanced force on the displacement it causes: β h² δxᵀ (M + γhD + βh²K) δx.

    r = Ĵ δx by the definition of the iterate (17), and δxᵀ M δx is twice the kinetic energy of the rates δx: one
    cheap sweep.
    """
    kinetic = energies(tree, q, change, work)[0]
    total = 2.0 * kinetic + elastic_form(tree, q, change, gh, bh2)
    for c in range(tree.spring.shape[0]):
        total += (gh * tree.spring[c, S_D] + bh2 * tree.spring[c, S_K]) * change[c] * change[c]
    return bh2 * total


@inner
def _iterates_on(
    control: Alpha, memory: Memory, status: int, moved: float, done: float, iteration: int, nq: int
) -> bool:
    """True if a lane has to iterate on; the others stand still, converged or with the reason why they were refused."""
    clock, count = clock_of(memory.clock), count_of(memory.counter)
    more = False
    for j in range(LANES):
        if clock.live[j] == 0.0:
            continue
        count.sweeps[j] += 1
        clock.live[j] = 0.0
        nothing = 1e-15 * clock.reach[j] * (1.0 + 0.05 * nq)  # what rounding alone can move
        if iteration == 0:
            clock.change_before[j] = in_lane(done, j)
        if status != OK:
            count.attempt[j] = status
        elif not (in_lane(moved, j) < 1e300):
            count.attempt[j] = NOT_FINITE
        elif in_lane(moved, j) < nothing or (
            iteration > 0 and in_lane(done, j) <= control.iteration_tolerance * clock.change_before[j]
        ):
            continue
        elif iteration == control.most_iterations - 1:
            count.attempt[j] = NOT_CONVERGED
        else:
            clock.live[j] = 1.0
            more = True
    return more


@inner
def alpha_step(control: Alpha, tree: Mechanism, loads: Loads, laws: Laws, commands: Commands, memory: Memory) -> float:
    """Displacement error of the step (m); the new state is left in the buffer, and why a lane was refused in its count.
    See `esdirk_step`.
    """
    state, buffer = state_of(by_lanes(memory.state)), buffer_of(by_lanes(memory.buffer))
    stages, clock, count = stages_of(by_lanes(memory.stages)), clock_of(memory.clock), count_of(memory.counter)
    work = by_lanes(memory.work)
    spring = tree.spring
    nq = spring.shape[0]
    q, v, a, tau, a_solved = buffer.q, buffer.v, buffer.a, buffer.tau, buffer.a_solved
    q_start, v_start, s_new, change = buffer.q_start, buffer.v_start, buffer.s_new, buffer.scratch
    q_command, v_command, a_command = buffer.q_command, buffer.v_command, buffer.a_command
    driven, servo = commands.motion_coordinate, commands.servo_coordinate
    am, af, beta, gamma = control.alpha_m, control.alpha_f, control.beta, control.gamma
    for j in range(LANES):
        clock.live[j] = 1.0 if count.status[j] == RUNNING else 0.0
        clock.stage_time[j] = clock.time[j] + clock.h[j]
    t, h = joined(clock.stage_time), joined(clock.h)
    # s' = (1 − α_f)/(1 − α_m) x' + known part: q', v' become predictor + β'h² x', γ'h x'
    ratio = (1.0 - af) / (1.0 - am)
    gh = gamma * ratio * h
    bh2 = beta * ratio * h * h
    for c in range(nq):
        known = (af * state.a[c] - am * state.s[c]) / (1.0 - am)
        v_start[c] = state.v[c] + h * ((1.0 - gamma) * state.s[c] + gamma * known)
        q_start[c] = state.q[c] + h * state.v[c] + h * h * ((0.5 - beta) * state.s[c] + beta * known)
        a[c] = state.a[c]
    # integrators by the trapezoidal rule
    share = 0.5 * h
    for i in range(servo.shape[0]):
        c = servo[i]
        buffer.x_start[c] = state.x[c] + share * state.x_rate[c]
    left = control.t_end > 0.0  # true, but not a constant: see esdirk_step
    motions(laws, commands, t, left, q_command, v_command, a_command)
    targets(laws, commands, t, left, q_command, v_command, a_command)
    forces(laws, commands, t, left, tau)
    for iteration in range(control.most_iterations):
        live = joined(clock.live) > 0.5
        for c in range(nq):
            q[c] = q_start[c] + bh2 * a[c]
            v[c] = v_start[c] + gh * a[c]
            a_solved[c] = a[c]
        for i in range(driven.shape[0]):
            c = driven[i]
            q[c], v[c], a_solved[c] = q_command[c], v_command[c], a_command[c]
        enter_drives(
            commands,
            q_command,
            v_command,
            a_command,
            share,
            buffer.x_start,
            state.mode,
            buffer.stiffness,
            buffer.damping,
            spring,
            q,
            tau,
        )
        if commands.contact_place.shape[0] > 0:
            enter_contacts(tree, laws, commands, memory, t, left, q, v, tau)
        status = solve(tree, loads, laws, t, left, q, v, a_solved, tau, q_start, v_start, gh, bh2, buffer.drive, work)
        moved = 0.0 * h
        for c in range(nq):
            change[c] = select(spring[c, S_DRIVEN] > 0.5, 0.0, a_solved[c] - a[c])
            moved += spring[c, S_LEVER] * abs(change[c])
            a[c] = select(live, a_solved[c], a[c])
        done = unbalanced_work(tree, q, change, gh, bh2, work)
        if not _iterates_on(control, memory, status, bh2 * moved, done, iteration, nq):
            break
    for c in range(nq):
        q[c] = q_start[c] + bh2 * a[c]
        v[c] = v_start[c] + gh * a[c]
    # driven coordinates keep what was commanded
    for i in range(driven.shape[0]):
        c = driven[i]
        q[c], v[c] = q_command[c], v_command[c]
    bound = 0.0 * h
    signed = bound
    for c in range(nq):
        moves = spring[c, S_DRIVEN] > 0.5
        s_new[c] = select(moves, a[c], ratio * a[c] + (af * state.a[c] - am * state.s[c]) / (1.0 - am))
        # local error of the family: (β − 1/6) h² times the change of the acceleration
        e = select(moves, 0.0, spring[c, S_LEVER] * (s_new[c] - state.s[c]))
        bound += abs(e)
        signed += e
    rate = stages.x_rate[5]
    excess = leave_drives(
        commands, q_command, v_command, a_command, share, buffer.x_start, state.mode, q, v, buffer.x, rate
    )
    put(clock.excess_new, excess)
    put(clock.excess_within, excess)
    if commands.contact_place.shape[0] > 0:
        watch_contacts(commands, memory, q, v, a, 1)
    if commands.contact_place.shape[0] > 0:
        join_contacts(commands, memory)
    book_powers(tree, loads, laws, commands, memory, t, left, q, v, buffer.x)
    book_stage(memory, 0.5, 0.5)
    # signs count as in `esdirk_step`; a first-order filter leaves at least a twelfth: the constant of the average
    # acceleration
    bound = ALTERNATING * bound
    signed = abs(signed)
    return select(bound > signed, bound, signed) * max(abs(beta - 1.0 / 6.0), 1.0 / 12.0) * h * h
