"""Controllers as the compiled loop takes them: arrays alone."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Sequence
from typing import Any

import numpy as np

from flexarm.analyses.plant.controller import Bound
from flexarm.analyses.plant.linear_law import LinearLaw, ScheduledLaw
from flexarm.analyses.plant.sampled_law import FunctionLaw
from flexarm.assembly import packed_laws
from flexarm.core.time.sampled import ASKS_LAW, ASKS_SIGNALS, Loops
from flexarm.core.tree.types import Floats, Ints
from flexarm.model.laws.pieces import Pieces

# Events closer than this part of a sample are one.
SAME = 1e-9


def loops_of(bound: Sequence[Bound], end: float, others: Container[int]) -> Loops:
    """The controllers of a run up to `end` (s); `others`: the signals, all in a row, that Python fills."""
    inputs, outputs, states = (
        _firsts(sizes)
        for sizes in (
            [len(each.inputs) for each in bound],
            [len(each.links) for each in bound],
            [each.law.states for each in bound],
        )
    )
    instants = [each.instants(end) for each in bound]
    delay = np.array([each.delay * each.sample for each in bound])
    ring = max(math.ceil(late / (each.sample - each.jitter)) + 2 for late, each in zip(delay, bound, strict=True))
    p, n, m = int(outputs[-1]), int(states[-1]), int(inputs[-1])
    pieces: list[Pieces] = []
    forward = [law for each in bound for law in (each.forward or [None] * len(each.links))]
    forward_law = np.array([_number(pieces, law) for law in forward], np.int64)
    aims = [aim for each in bound for aim in each.reference]
    nodes = [each.law.nodes if isinstance(each.law, ScheduledLaw) else np.zeros(0) for each in bound]
    numbers = [each.law.numbers if isinstance(each.law, LinearLaw | ScheduledLaw) else np.zeros(0) for each in bound]
    changes = sum(len(each) for each in instants) + 2
    return Loops(
        first_input=inputs,
        first_output=outputs,
        first_state=states,
        law=np.array([each.law.address if isinstance(each.law, FunctionLaw) else 0 for each in bound], np.int64),
        asks=np.array([_asked(each, inputs[k], others) for k, each in enumerate(bound)], np.int64),
        first_number=_firsts([len(each) for each in numbers])[:-1].copy(),
        number=np.concatenate(numbers),
        node=np.concatenate(nodes),
        first_node=_firsts([len(each) for each in nodes]),
        scheduled=np.array([_scheduled(each, inputs[k]) for k, each in enumerate(bound)], np.int64),
        holds=np.concatenate([each.law.holds for each in bound]).astype(np.int64),
        instant=np.concatenate(instants),
        first_instant=_firsts([len(each) for each in instants]),
        delay=delay,
        same=np.array([SAME * min(each.sample for each in bound)]),
        limit=_joined(each.limit for each in bound),
        slew=_joined(each.slew * each.sample for each in bound),
        reference_law=np.array([_number(pieces, aim.law) for aim in aims], np.int64),
        reference_order=np.array([aim.order for aim in aims], np.int64),
        level=np.array([aim.level for aim in aims], float),
        reference=packed_laws(pieces),
        forward_law=forward_law,
        measured=np.zeros(len(bound), np.int64),
        applied=np.zeros(len(bound), np.int64),
        x=np.zeros(n),
        x_new=np.zeros(n),
        wanted=np.zeros(p),
        cut=np.zeros(p),
        y=np.zeros(m),
        e=np.zeros(m),
        u=np.zeros(p),
        given=np.zeros(p),
        waiting=np.zeros((ring, p)),
        changed=np.zeros(changes),
        course=np.zeros((changes, p)),
        tally=np.zeros(5, np.int64),
    )


def _firsts(sizes: Sequence[int]) -> Ints:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def _joined(parts: Iterable[Floats]) -> Floats:
    return np.ascontiguousarray(np.concatenate(list(parts)), float)


def _number(pieces: list[Pieces], law: Pieces | None) -> int:
    """The number of a law in the list, where it is added; −1 for none."""
    if law is None:
        return -1
    pieces.append(law)
    return len(pieces) - 1


def _asked(each: Bound, first: Any, others: Container[int]) -> int:
    signals = any(int(first) + i in others for i in range(len(each.inputs)))
    python = isinstance(each.law, FunctionLaw) and each.law.address == 0
    return ASKS_SIGNALS * signals + ASKS_LAW * python


def _scheduled(each: Bound, first: Any) -> int:
    return int(first) + each.law.scheduled if isinstance(each.law, ScheduledLaw) else -1
