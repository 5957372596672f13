"""A run with sampled controllers in its loops, compiled whole: samples and changes of torques are ends of steps.

What every controller measures, how long its torques are on their way and what its law is stands in one record with the
run itself; Python is turned to only where a portion of the run is done. A law is a difference equation (NOTATION L2),
one of matrices that depend on a signal, or a function that was compiled for itself and is called by its address.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any, NamedTuple

from .._jit import bound, inner, jit
from ..numbers.addresses import caller, layout_of, nothing, read_as, record_of
from ..tree.types import OK, RUNNING, TOO_MANY_STEPS, Floats, Ints, Laws
from .hold import NOT_A_NUMBER, Held, go_on, see
from .laws import law_value
from .memory import count_of

# What a run may stop with beside NOT_A_NUMBER: a law raised an exception; Python is to answer for a controller.
RAISED, ASK = -3, -4
# What Python answers: signals that no weights give, laws that were not compiled.
ASKS_SIGNALS, ASKS_LAW = 1, 2


class Loops(NamedTuple):
    """The controllers of a run, as arrays alone; a controller has a row, its signals, torques and states follow one
    another.
    """

    first_input: Ints  # (n + 1,)
    first_output: Ints
    first_state: Ints
    law: Ints  # (n,) address of a law that is a function; 0: matrices
    asks: Ints  # (n,) ASKS_SIGNALS, ASKS_LAW: what Python answers at its samples
    # matrices A B C D E F one after the other, row by row; of a law that depends on a signal, for each of its nodes
    first_number: Ints  # (n,)
    number: Floats
    node: Floats  # values of that signal, of all controllers one after the other
    first_node: Ints  # (n + 1,)
    scheduled: Ints  # (n,) the input that is that signal; −1: none
    holds: Ints  # (states,) the torque whose limit stops this state; −1: none
    instant: Floats  # s, when each measures, one after the other
    first_instant: Ints  # (n + 1,)
    delay: Floats  # (n,) s from measuring to the torque
    same: Floats  # (1,) s: events closer than this are one
    limit: Floats  # (outputs,)
    slew: Floats  # (outputs,) greatest change from sample to sample
    # what is taken off what is measured: order of the derivative of a law, or a constant
    reference: Laws
    reference_law: Ints  # (inputs,) −1: the constant
    reference_order: Ints
    level: Floats  # (inputs,)
    # what is added to the torques: laws over time
    forward_law: Ints  # (outputs,) −1: none
    # what goes from sample to sample
    measured: Ints  # (n,) samples done
    applied: Ints  # (n,) torques that have come due
    x: Floats  # (states,)
    x_new: Floats
    wanted: Floats  # (outputs,) by a law that is a function
    cut: Floats  # (outputs,) what the limits added
    y: Floats  # (inputs,)
    e: Floats
    u: Floats  # (outputs,) what acts
    given: Floats  # (outputs,) what each law gave last
    waiting: Floats  # (ring, outputs) on their way
    # what acted when
    changed: Floats  # (changes,) s
    course: Floats  # (changes, outputs)
    tally: Ints  # (5,) changes, controller that stopped the run, steps, stretches, 1 where Python has answered


class Sampled(NamedTuple):
    """A run and its controllers."""

    held: Held
    loops: Loops


_call_law = caller("law", lambda args: nothing, outcome=True)


def read(record: Ints) -> Sampled:
    """The run of a record. Stands for the function that `bound` puts in its place."""
    raise TypeError("read is called by compiled code only")


@inner
def _due(loops, k):  # type: ignore[no-untyped-def]
    """When controller k measures next and when torques of it come due next (s); infinite where it does not."""
    first, last = loops.first_instant[k], loops.first_instant[k + 1]
    sample = apply = math.inf
    if first + loops.measured[k] < last:
        sample = loops.instant[first + loops.measured[k]]
    if loops.applied[k] < loops.measured[k]:
        apply = loops.instant[first + loops.applied[k]] + loops.delay[k]
    return sample, apply


@inner
def _next_event(loops):  # type: ignore[no-untyped-def]
    """When something happens next (s)."""
    found = math.inf
    for k in range(loops.law.shape[0]):
        sample, apply = _due(loops, k)
        found = min(found, min(sample, apply))
    return found


@inner
def _apply(loops, k):  # type: ignore[no-untyped-def]
    """Let the oldest torques of controller k act that are on their way."""
    row = loops.applied[k] % loops.waiting.shape[0]
    for j in range(loops.first_output[k], loops.first_output[k + 1]):
        loops.u[j] = loops.waiting[row, j]
    loops.applied[k] += 1


@inner
def _give(loops, j, wanted):  # type: ignore[no-untyped-def]
    """Give what limits leave of a torque that is wanted; what they add to it comes back."""
    low = max(-loops.limit[j], loops.given[j] - loops.slew[j])
    high = min(loops.limit[j], loops.given[j] + loops.slew[j])
    loops.given[j] = min(max(wanted, low), high) if math.isfinite(wanted) else wanted
    return loops.given[j] - wanted


@inner
def _product(loops, k, first, columns, row, vector, begin):  # type: ignore[no-untyped-def]
    """Row · vector[begin:…] of a matrix that begins at `first` in the numbers of controller k."""
    found = 0.0
    at = first + row * columns
    for i in range(columns):
        found += loops.number[at + i] * vector[begin + i]
    return found


@inner
def _weights(loops, k):  # type: ignore[no-untyped-def]
    """The node below the signal that the matrices of controller k depend on, and the part of the next one."""
    first, last = loops.first_node[k], loops.first_node[k + 1]
    if loops.scheduled[k] < 0 or last - first < 2:
        return 0, 0.0
    p = loops.y[loops.scheduled[k]]
    i = first
    while i < last - 2 and p >= loops.node[i + 1]:
        i += 1
    part = (p - loops.node[i]) / (loops.node[i + 1] - loops.node[i])
    return i - first, min(max(part, 0.0), 1.0)


@inner
def _two(loops, k, at, size, part, columns, row, vector, begin):  # type: ignore[no-untyped-def]
    """The same of a matrix between two nodes; `size`: numbers of a node."""
    found = _product(loops, k, at, columns, row, vector, begin)
    if part > 0.0:
        found = (1.0 - part) * found + part * _product(loops, k, at + size, columns, row, vector, begin)
    return found


@inner
def _entry(loops, at, size, part):  # type: ignore[no-untyped-def]
    """An entry of a matrix between two nodes."""
    return (1.0 - part) * loops.number[at] + part * loops.number[at + size] if part > 0.0 else loops.number[at]


@inner
def _linear_law(loops, k, now):  # type: ignore[no-untyped-def]
    """Torques and states of a law of matrices (L2)."""
    i0, j0, s0 = loops.first_input[k], loops.first_output[k], loops.first_state[k]
    m, p, n = loops.first_input[k + 1] - i0, loops.first_output[k + 1] - j0, loops.first_state[k + 1] - s0
    size = n * n + n * m + p * n + p * m + n * p + n * m
    node, part = _weights(loops, k)
    a = loops.first_number[k] + node * size
    b = a + n * n
    c = b + n * m
    d = c + p * n
    e = d + p * m
    f = e + n * p
    x, new, z = loops.x, loops.x_new, loops.e
    if loops.measured[k] == 0:
        for i in range(n):
            x[s0 + i] = _two(loops, k, f, size, part, m, i, z, i0)
    for i in range(n):
        new[s0 + i] = _two(loops, k, a, size, part, n, i, x, s0) + _two(loops, k, b, size, part, m, i, z, i0)
    for j in range(p):
        wanted = _two(loops, k, c, size, part, n, j, x, s0) + _two(loops, k, d, size, part, m, j, z, i0)
        if loops.forward_law[j0 + j] >= 0:
            wanted += law_value(loops.reference, loops.forward_law[j0 + j], now, False)[0]
        loops.cut[j0 + j] = _give(loops, j0 + j, wanted)
        for i in range(n):
            new[s0 + i] += _entry(loops, e + i * p + j, size, part) * loops.cut[j0 + j]
    for i in range(n):
        j = loops.holds[s0 + i]
        # an integrator stands still where it would lead further beyond the limit
        if j >= 0 and loops.cut[j0 + j] * _entry(loops, c + j * n + i, size, part) * (new[s0 + i] - x[s0 + i]) < 0.0:
            new[s0 + i] = x[s0 + i]
    for i in range(n):
        x[s0 + i] = new[s0 + i]


@inner
def _measure(loops, k):  # type: ignore[no-untyped-def]
    """OK after controller k has measured and its torques are on their way; else why not."""
    t = loops.instant[loops.first_instant[k] + loops.measured[k]]
    i0, i1 = loops.first_input[k], loops.first_input[k + 1]
    j0, j1 = loops.first_output[k], loops.first_output[k + 1]
    if loops.asks[k] != 0 and loops.tally[4] == 0:
        return ASK
    loops.tally[4] = 0
    for i in range(i0, i1):
        aim = loops.level[i]
        if loops.reference_law[i] >= 0:
            found = law_value(loops.reference, loops.reference_law[i], t, False)
            aim = found[0] if loops.reference_order[i] == 0 else found[1]
        loops.e[i] = loops.y[i] - aim
    if loops.law[k] == 0 and loops.asks[k] & ASKS_LAW == 0:
        _linear_law(loops, k, t)
    else:
        wanted = loops.wanted[j0:j1]
        if loops.asks[k] & ASKS_LAW == 0:
            for j in range(j1 - j0):
                wanted[j] = 0.0
            x = loops.x[loops.first_state[k] : loops.first_state[k + 1]]
            if _call_law(loops.law[k], (t, loops.e[i0:i1], wanted, x)) != 0:
                return RAISED
        for j in range(j1 - j0):
            _give(loops, j0 + j, wanted[j])
    row = loops.measured[k] % loops.waiting.shape[0]
    status = OK
    for j in range(j0, j1):
        loops.waiting[row, j] = loops.given[j]
        if not math.isfinite(loops.given[j]):
            status = NOT_A_NUMBER
    loops.measured[k] += 1
    return status


@inner
def _happen(loops, now):  # type: ignore[no-untyped-def]
    """OK after all that is due has happened: torques that come due act before anything is measured."""
    soon = now + loops.same[0]
    for k in range(loops.law.shape[0]):
        while _due(loops, k)[1] <= soon:
            _apply(loops, k)
    for k in range(loops.law.shape[0]):
        if _due(loops, k)[0] <= soon:
            status = _measure(loops, k)
            if status != OK:
                loops.tally[1] = k
                return status
            while _due(loops, k)[1] <= soon:
                _apply(loops, k)
    return OK


@inner
def _note(loops, now):  # type: ignore[no-untyped-def]
    """Write down the torques if they are other ones."""
    n = loops.tally[0]
    new = n == 0
    for j in range(loops.u.shape[0]):
        new = new or loops.course[n - 1, j] != loops.u[j]
    if not new:
        return
    loops.changed[n] = now
    for j in range(loops.u.shape[0]):
        loops.course[n, j] = loops.u[j]
    loops.tally[0] = n + 1


def sampled_loop(record, now, t_end, most):  # type: ignore[no-untyped-def]
    """Status after at most so many stretches from now on: OK at t_end, RUNNING if there is more to do, NOT_A_NUMBER or
    RAISED where a law failed, ASK where Python is to answer before it goes on, else why the run stopped; and the time.
    """
    sampled = read(record)
    held, loops = sampled.held, sampled.loops
    for _ in range(most):
        status = _happen(loops, now)
        if status != OK:
            return status, now
        _note(loops, now)
        now = min(_next_event(loops), t_end)
        status = go_on(held, loops.u, now)
        loops.tally[2] += count_of(held.memory.counter).steps[0]
        loops.tally[3] += 1
        if status != OK:
            return status, now
        see(held, held.memory.state, loops.u, loops.y)
        if now >= t_end:
            return OK, now
        if loops.tally[2] >= int(held.settings[6]):
            # those of all stretches: a loop that is unstable asks for ever smaller ones
            return TOO_MANY_STEPS, now
    return RUNNING, now


@cache
def _sampled_of(layout: Any) -> Any:
    return jit(bound(sampled_loop, "sampled", read=read_as(layout, "sampled")))


def sampled_of(held: Held, loops: Loops) -> tuple[Any, Ints]:
    """The kernel (record, now, t_end, most) → status and time, and the record; valid as long as the arrays are."""
    both = Sampled(held, loops)
    return _sampled_of(layout_of(both)), record_of(both)
