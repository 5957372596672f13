"""One step of the generalised-α family (NOTATION 20), Newmark's average acceleration (21) among it: second order."""

from __future__ import annotations

from .control import (
    AI,
    DAMPER,
    DRIVE,
    ERROR_ORDER,
    EXCESS_NEW,
    EXCESS_WITHIN,
    LOSS,
    MODE,
    NEW_POWER_DRIVE,
    NEW_POWER_LOAD,
    NEW_POWER_LOSS,
    PASSES,
    POWER_DRIVE,
    POWER_LOAD,
    POWER_LOSS,
    QI,
    QP,
    S_NEW,
    SPRING,
    TAU,
    VI,
    VP,
    X0,
    X_RATE,
    X_RATE0,
    XI,
    XP,
    A,
    Alpha,
    Memory,
    Q,
    S,
    V,
    X,
)
from .drive import enter_drives, leave_drives
from .dynamics import elastic_form, energies, load_power, solve
from .esdirk import ALTERNATING
from .laws import command
from .power import drive_power
from .types import NOT_CONVERGED, NOT_FINITE, OK, S_D, S_DRIVEN, S_K, S_LEVER, Commands, Floats, Laws, Loads, Tree


def unbalanced_work(tree: Tree, q: Floats, change: Floats, gh: float, bh2: float, work: Floats) -> float:
    """Work of the unbalanced force on the displacement it causes: β h² δxᵀ (M + γhD + βh²K) δx.

    r = Ĵ δx by the definition of the iterate (17), and δxᵀ M δx is twice the kinetic energy of the rates δx: one
    cheap sweep.
    """
    kinetic = energies(tree, q, change, work)[0]
    total = 2.0 * kinetic + elastic_form(tree, q, change, gh, bh2)
    for c in range(tree.spring.shape[0]):
        total += (gh * tree.spring[c, S_D] + bh2 * tree.spring[c, S_K]) * change[c] * change[c]
    return bh2 * total


def alpha_step(
    control: Alpha, tree: Tree, loads: Loads, laws: Laws, commands: Commands, memory: Memory, t: float, h: float
) -> tuple[int, float, float, float, float]:
    """Status, displacement error of the step (m) and work of drives, of loads and lost in the step; the new state is
    left in the buffer.
    """
    state, buffer, count, number = memory.state, memory.buffer, memory.counter, memory.number
    spring = tree.spring
    nq = spring.shape[0]
    qi, vi, qp, vp, ai = buffer[QI], buffer[VI], buffer[QP], buffer[VP], buffer[AI]
    tau, drive, change_row, s_new = buffer[TAU], buffer[DRIVE], buffer[X0], buffer[S_NEW]
    am, af, beta, gamma = control.alpha_m, control.alpha_f, control.beta, control.gamma
    # s' = (1 − α_f)/(1 − α_m) x' + rest: q', v' become predictor + β'h² x', γ'h x'
    ratio = (1.0 - af) / (1.0 - am)
    gh = gamma * ratio * h
    bh2 = beta * ratio * h * h
    for c in range(nq):
        rest = (af * state[A, c] - am * state[S, c]) / (1.0 - am)
        vp[c] = state[V, c] + h * ((1.0 - gamma) * state[S, c] + gamma * rest)
        qp[c] = state[Q, c] + h * state[V, c] + h * h * ((0.5 - beta) * state[S, c] + beta * rest)
        ai[c] = state[A, c]
    # integrators by the trapezoidal rule
    xp, xi, mode, servo = buffer[XP], buffer[XI], state[MODE], commands.servo_coordinate
    for i in range(servo.shape[0]):
        xp[servo[i]] = state[X, servo[i]] + 0.5 * h * state[X_RATE, servo[i]]
    ts = t + h
    left = h > 0.0  # true, but not a constant: see esdirk_step
    nothing = 1e-15 * control.reach * (1.0 + 0.05 * nq)  # what rounding alone can move
    first = 0.0
    converged = False
    for iteration in range(control.most_iterations):
        for c in range(nq):
            qi[c] = qp[c] + bh2 * ai[c]
            vi[c] = vp[c] + gh * ai[c]
            change_row[c] = ai[c]
        command(laws, commands, ts, left, qi, vi, ai, tau)
        enter_drives(laws, commands, ts, left, 0.5 * h, xp, mode, buffer[SPRING], buffer[DAMPER], spring, qi, tau)
        status = solve(tree, loads, laws, ts, left, qi, vi, ai, tau, qp, vp, gh, bh2, drive, memory.work)
        count[PASSES] += 1
        if status != OK:
            return status, 0.0, 0.0, 0.0, 0.0
        moved = 0.0
        for c in range(nq):
            if spring[c, S_DRIVEN] == 0.0:
                change_row[c] = ai[c] - change_row[c]
                moved += spring[c, S_LEVER] * abs(change_row[c])
            else:
                change_row[c] = 0.0
        moved *= bh2
        if not (moved < 1e300):
            return NOT_FINITE, 0.0, 0.0, 0.0, 0.0
        done = unbalanced_work(tree, qi, change_row, gh, bh2, memory.work)
        if iteration == 0:
            first = done
        if (done <= control.iteration_tolerance * first and iteration > 0) or moved < nothing:
            converged = True
            break
    if not converged:
        return NOT_CONVERGED, 0.0, 0.0, 0.0, 0.0
    bound = 0.0
    signed = 0.0
    for c in range(nq):
        if spring[c, S_DRIVEN] == 0.0:
            qi[c] = qp[c] + bh2 * ai[c]
            vi[c] = vp[c] + gh * ai[c]
            s_new[c] = ratio * ai[c] + (af * state[A, c] - am * state[S, c]) / (1.0 - am)
            # local error of the family: (β − 1/6) h² times the change of the acceleration
            e = spring[c, S_LEVER] * (s_new[c] - state[S, c])
            bound += abs(e)
            signed += e
        else:
            s_new[c] = ai[c]
    # signs count as in `esdirk_step`; a first-order filter leaves at least a twelfth: the constant of the average
    # acceleration
    error = max(abs(signed), ALTERNATING * bound) * max(abs(beta - 1.0 / 6.0), 1.0 / 12.0) * h * h
    buffer[ERROR_ORDER, 0] = 3.0 if control.error_time <= 0.0 else 2.0
    number[EXCESS_NEW] = leave_drives(laws, commands, ts, left, 0.5 * h, xp, mode, qi, vi, xi, buffer[X_RATE0 + 5])
    number[EXCESS_WITHIN] = number[EXCESS_NEW]
    given, loss = drive_power(laws, commands, ts, left, buffer[LOSS], qi, vi, xi, mode, tau, drive)
    loss += elastic_form(tree, qi, vi, 1.0, 0.0)
    load = load_power(tree, loads, laws, ts, left, qi, vi, memory.work_loads)
    number[NEW_POWER_DRIVE] = given
    number[NEW_POWER_LOAD] = load
    number[NEW_POWER_LOSS] = loss
    return (
        OK,
        error,
        0.5 * h * (number[POWER_DRIVE] + given),
        0.5 * h * (number[POWER_LOAD] + load),
        0.5 * h * (number[POWER_LOSS] + loss),
    )
