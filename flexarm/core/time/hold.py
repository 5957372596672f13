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
from .memory import Esdirk4, Memory, Output, count_of

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
def go_on(held, u, t_end):  # type: ignore[no-untyped-def]
    """Status after the run has gone on to t_end with the inputs u. Nothing restarts where they are what they were."""
    count = count_of(held.memory.counter)
    for i in range(u.shape[0]):
        piece = held.laws.piece[held.input_piece[i]]
        if piece[4] != u[i]:
            piece[4] = u[i]
            count.begun[0] = 0
    s = held.settings
    control = Esdirk4(t_end, s[0], s[1], s[2], s[3], s[4], int(s[5]), int(s[6]), s[7], s[8])
    a = held.sweeps
    tree = Mechanism(held.spring, held.tree, a[0], a[1], a[2], a[3], a[4])
    count.status[0] = RUNNING
    count.steps[0] = 0
    while count.status[0] == RUNNING:
        _call_advance(
            held.advance[0],
            (tree, held.loads, held.laws, held.commands, control, held.memory, held.output, int(s[9])),
        )
    return count.status[0]


@inner
def see(held, u, y):  # type: ignore[no-untyped-def]
    """Fill the outputs y of the present state and the inputs u."""
    state = held.memory.state
    for i in range(y.shape[0]):
        y[i] = held.level[i]
    nq = state.shape[1]
    for k in range(held.seen_entry.shape[0]):
        entry = held.seen_entry[k]
        value = state[entry // nq, entry % nq] if entry < state.size else u[entry - state.size]
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
    see(held, u, y)
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
) -> Held:
    """The run as one bundle of arrays; `seen` (outputs, entries of the state + inputs) and `level` (outputs,) make
    outputs of the state. The arrays are the ones given: who writes into them changes the run, and the tree must be
    kept, of whose arrays it holds the addresses alone.
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
