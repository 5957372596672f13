"""What a run of eight samples is given and keeps: the arrays of one sample, each number eight times."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from .control import LANE_BUFFERS, THETA, WEIGHT
from .dynamics import new_work
from .lane_numbers import LANES
from .types import S_DRIVEN, S_LEVER, Floats, Ints, Tree

# Entries of LaneMemory.number behind the first 16 of Memory.number: what the present attempt is made with.
H, GH, BH2, STOP, HITS, STAGE_TIME, LIVE, BEFORE, RATE, REACH, SLOPE, FLAGGED, AT = range(16, 29)
NUMBERS = 29


def lane_zeros(shape: tuple[int, ...]) -> Floats:
    """Zeros whose last axis is the lanes, beginning where a line of the processor's cache does.

    NumPy's own arrays begin anywhere, and each vector that lies across two lines costs two accesses.
    """
    size = math.prod(shape)
    loose = np.zeros(size + LANES - 1)
    begin = -(loose.__array_interface__["data"][0] // loose.itemsize) % LANES
    return loose[begin : begin + size].reshape(shape)


class LaneMemory(NamedTuple):
    """Everything eight runs in progress hold; lanes are the last axis."""

    state: Floats  # (5, nq, LANES), as in Memory
    number: Floats  # (NUMBERS, LANES)
    counter: Ints  # (8, LANES)
    status: Ints  # (LANES,) RUNNING until a run has ended
    attempt: Ints  # (LANES,) status of the attempt under way
    buffer: Floats  # (LANE_BUFFERS, nq, LANES)
    work: Floats
    ends: Floats  # (6, nq) both ends of a step of one lane, for its samples


class LaneOutput(NamedTuple):
    """Samples at given times, the same for all lanes."""

    time: Floats  # (m,)
    q: Floats  # (m, nq, LANES)
    v: Floats
    a: Floats


def new_lane_memory(tree: Tree, single: Tree, reach: Floats) -> LaneMemory:
    """Zeroed memory for a tree in lanes; `single` is such a tree of one sample."""
    nq = tree.spring.shape[0]
    buffer = lane_zeros((LANE_BUFFERS, nq, LANES))
    spring = tree.spring
    buffer[WEIGHT] = np.where(spring[:, S_DRIVEN] == 0.0, spring[:, S_LEVER], 0.0)
    number = lane_zeros((NUMBERS, LANES))
    number[THETA] = 0.5
    number[REACH] = reach
    return LaneMemory(
        lane_zeros((5, nq, LANES)),
        number,
        np.zeros((8, LANES), np.int64),
        np.ones(LANES, np.int64),
        np.zeros(LANES, np.int64),
        buffer,
        lane_zeros((*new_work(single).shape, LANES)),
        np.zeros((6, nq)),
    )
