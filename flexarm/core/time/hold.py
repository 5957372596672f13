"""A run advanced by one period with its inputs held: the one kernel behind plants, sampled loops and exported steppers.

Python's way to a kernel costs more than a step where dozens of arrays are handed over. So all of them stand in one
record, and the time loop is called by its address: it is the very loop of `simulate`, compiled once.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from .._jit import bound, inner, jit
from ..numbers.addresses import address_of, caller, kinds_of, layout_of, nothing, read_as, record_of
from ..tree.types import RUNNING, Commands, Floats, Ints, Laws, Loads, Tree
from .loop import advance_of
from .mechanism import Mechanism, mechanism_of
from .memory import Esdirk4, Memory, Output, clock_of, count_of

# What an input is: a number held over the period; the acceleration of a motion, held; where a motion is to be at the
# end of the period, and how fast it is then to be, which is the input behind it.
HELD, ACCELERATION, PLACE, RATE = 0, 1, 2, 3
# Powers of time that the piece of a motion has that is an input.
MOTION_POWERS = 4
# What `hold` returns beside the status of a run.
NOT_A_NUMBER = -2
# Attempts in one call of the loop: a period that takes more is gone on with.
_PORTION = 1_000_000


class Held(NamedTuple):
    """A run whose inputs are constants of its laws, as arrays alone: what a record can hold."""

    spring: Floats
    tree: Ints  # the record of the tree
    sweeps: Ints  # (5,) addresses
    advance: Ints  # (1,) address of the time loop
    settings: Floats  # (10,) of `Esdirk4` but for the end, and attempts in one call of the loop
    loads: Loads
    laws: Laws
    commands: Commands
    memory: Memory
    output: Output
    input_piece: Ints  # (inputs,) the piece of the law of each
    input_kind: Ints  # (inputs,) what each is
    # y = seen · (the rows of the state, one after the other, and the inputs) + level, of which only the entries that
    # are not zero are listed: their output, their column and their weight
    seen_output: Ints
    seen_entry: Ints
    seen_weight: Floats
    level: Floats  # (outputs,)


_call_advance = caller("advance", lambda args: nothing)


def read(record: Ints) -> Held:
    """The run of a record. Stands for the function that `bound` puts in its place."""
    raise TypeError("read is called by compiled code only")


@inner
def _begin_piece(piece: Floats, t: float) -> None:
    """Let a piece of a motion begin at t, at the place and the rate that it has there."""
    x = t - piece[0]
    place = piece[4] + x * (piece[5] + x * (piece[6] + x * piece[7]))
    rate = piece[5] + x * (2.0 * piece[6] + x * 3.0 * piece[7])
    piece[0], piece[4], piece[5], piece[6], piece[7] = t, place, rate, 0.0, 0.0


@inner
def attempts(address, tree, loads, laws, commands, control, memory, output, most):  # type: ignore[no-untyped-def]
    """The time loop at an address; see `advance_loop`."""
    _call_advance(address, (tree, loads, laws, commands, control, memory, output, most))


@inner
def go_on(held, u, t_end):  # type: ignore[no-untyped-def]
    """Status after the run has gone on to t_end with the inputs u. Nothing restarts where they are what they were."""
    count = count_of(held.memory.counter)
    now = clock_of(held.memory.clock).time[0]
    for i in range(u.shape[0]):
        piece = held.laws.piece[held.input_piece[i]]
        kind = held.input_kind[i]
        if kind == HELD:
            if piece[4] != u[i]:
                piece[4] = u[i]
                count.begun[0] = 0
        elif kind == ACCELERATION:
            if piece[6] != 0.5 * u[i]:
                _begin_piece(piece, now)
                piece[6] = 0.5 * u[i]
                count.begun[0] = 0
        elif kind == PLACE and t_end > now:
            quiet = piece[4] == u[i] and piece[5] == 0.0 and piece[6] == 0.0 and piece[7] == 0.0 and u[i + 1] == 0.0
            if not quiet:
                _begin_piece(piece, now)
                h = t_end - now
                # the cubic with these places and rates at both ends of the period
                slope = (u[i] - piece[4]) / h
                piece[6] = (3.0 * slope - 2.0 * piece[5] - u[i + 1]) / h
                piece[7] = (piece[5] + u[i + 1] - 2.0 * slope) / (h * h)
                count.begun[0] = 0
    s = held.settings
    control = Esdirk4(t_end, s[0], s[1], s[2], s[3], s[4], int(s[5]), int(s[6]), s[7], s[8])
    a = held.sweeps
    tree = Mechanism(held.spring, held.tree, a[0], a[1], a[2], a[3], a[4])
    count.status[0] = RUNNING
    count.steps[0] = 0
    while count.status[0] == RUNNING:
        portion, loads, laws, commands = int(s[9]), held.loads, held.laws, held.commands
        attempts(held.advance[0], tree, loads, laws, commands, control, held.memory, held.output, portion)
    return count.status[0]


@inner
def see(held, rows, u, y):  # type: ignore[no-untyped-def]
    """Fill the outputs y of the rows of a state, or the first of them, and of the inputs u."""
    for i in range(y.shape[0]):
        y[i] = held.level[i]
    nq = rows.shape[1]
    entries = held.memory.state.size
    for k in range(held.seen_entry.shape[0]):
        entry = held.seen_entry[k]
        value = rows[entry // nq, entry % nq] if entry < entries else u[entry - entries]
        y[held.seen_output[k]] += held.seen_weight[k] * value


def hold_loop(record, u, t_end, y):  # type: ignore[no-untyped-def]
    """Status after the run has gone on to t_end with the inputs u; fills the outputs y. OK, NOT_A_NUMBER if an input
    is none, or why the run stopped.
    """
    held = read(record)
    for i in range(u.shape[0]):
        if not math.isfinite(u[i]):
            return NOT_A_NUMBER
    status = go_on(held, u, t_end)
    see(held, held.memory.state, u, y)
    return status


def held_run(
    tree: Tree,
    loads: Loads,
    laws: Laws,
    commands: Commands,
    control: Esdirk4,
    memory: Memory,
    output: Output,
    input_piece: Ints,
    seen: Floats,
    level: Floats,
    input_kind: Ints | None = None,
) -> Held:
    """The run as one bundle of arrays; `seen` (outputs, entries of the state + inputs) and `level` (outputs,) make
    outputs of the state. The arrays are the ones given: who writes into them changes the run, and the tree must be
    kept, of whose arrays it holds the addresses alone. Inputs are numbers that are held, unless
    `input_kind` (inputs,) has others.
    """
    mechanism = mechanism_of(tree, loads)
    loop = (mechanism, loads, laws, commands, control, memory, output, _PORTION)
    address = address_of(advance_of(Esdirk4), kinds_of(loop))
    row, entry = np.nonzero(seen)
    return Held(
        mechanism.spring,
        mechanism.record,
        np.array(mechanism[2:], np.int64),
        np.array([address], np.int64),
        np.array([*control[1:], _PORTION], float),
        loads,
        laws,
        commands,
        memory,
        output,
        np.ascontiguousarray(input_piece, np.int64),
        np.zeros(len(input_piece), np.int64) if input_kind is None else input_kind,
        row.astype(np.int64),
        entry.astype(np.int64),
        np.ascontiguousarray(seen[row, entry]),
        np.ascontiguousarray(level, float),
    )


@cache
def _hold_of(layout: Any) -> Any:
    return jit(bound(hold_loop, "hold", read=read_as(layout, "held")))


def hold_of(held: Held) -> tuple[Any, Ints]:
    """The kernel (record, u, t_end, y) → status, and the record; valid as long as the arrays of the run are."""
    return _hold_of(layout_of(held)), record_of(held)
