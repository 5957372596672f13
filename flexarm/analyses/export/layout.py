"""Where the arrays of a program lie in C: tables of the arm as constants, everything that changes in one struct."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from flexarm.core.tree.types import Floats, Ints

# Kinds of places, by the words of the C text.
CONSTANT, WHOLE, NUMBER, COUNT = "CONSTANT", "WHOLE", "NUMBER", "COUNT"
# Rows of addresses that are written on the stack in every call.
LOCAL = ("TREE", "SWEEPS", "ADVANCE")
_HOME = {
    CONSTANT: "constants + {}",
    WHOLE: "wholes + {}",
    NUMBER: "self->numbers + {}",
    COUNT: "self->counts + {}",
}
_SHAPES = {1: "ONE", 2: "TWO", 3: "THREE"}


class Place(NamedTuple):
    """Where an array lies, and its shape."""

    kind: str
    offset: int
    shape: tuple[int, ...]

    @property
    def words(self) -> list[int]:
        """What a record has of the array: nobody, size, bytes of a number, where it lies, shape, strides; where it lies
        counts from the beginning of its kind, to be added there.
        """
        size, steps = 1, []
        for extent in reversed(self.shape):
            steps.append(8 * size)
            size *= extent
        return [0, 0, size, 8, 8 * self.offset, *self.shape, *reversed(steps)]

    @property
    def argument(self) -> str:
        """The array as an argument of a kernel."""
        sizes = ", ".join(str(size) for size in self.shape)
        return f"{_SHAPES[len(self.shape)]}({_HOME[self.kind].format(self.offset)}, {sizes})"


class _Block(NamedTuple):
    """Memory that one array, or several that overlap, lie in."""

    first: int
    last: int
    values: Floats | Ints
    changes: bool


def arrays_of(parts: Any) -> Iterator[Floats | Ints]:
    """All arrays of a named tuple, in the order of its record."""
    if isinstance(parts, tuple):
        for each in parts:
            yield from arrays_of(each)
    else:
        yield parts


def _span(array: Floats | Ints) -> tuple[int, int]:
    first = int(array.__array_interface__["data"][0])
    return first, first + int(array.nbytes)


class Layout:
    """Places of arrays, laid out once, behind room for so many numbers: of what changes first what is not zero at the
    start.
    """

    def __init__(self, arrays: Sequence[Floats | Ints], mutable: Sequence[Floats | Ints], room: int) -> None:
        self.constants: list[float] = []
        self.wholes: list[int] = []
        self.numbers: list[float] = []  # at the start, up to the last that is not zero
        self.counts: list[int] = []
        self._sizes = {NUMBER: room, COUNT: 0}
        self._homes: list[tuple[int, int, str, int]] = []
        changing = sorted(_span(array) for array in mutable if array.size)
        blocks = list(_blocks([*arrays, *mutable], changing))
        for block in sorted(blocks, key=lambda block: not np.any(block.values)):
            self._place(block)

    def _place(self, block: _Block) -> None:
        whole = block.values.dtype == np.int64
        kind = (COUNT if whole else NUMBER) if block.changes else WHOLE if whole else CONSTANT
        values = block.values.tolist()
        if kind in (NUMBER, COUNT):
            at = self.room(len(values), kind=kind)
            if any(values):
                start: list[Any] = self.counts if whole else self.numbers
                start += [0] * (at - len(start)) + values
        else:
            table: list[Any] = self.wholes if whole else self.constants
            at = len(table)
            table += values
        self._homes.append((block.first, block.last, kind, at))

    def room(self, size: int, *, kind: str = NUMBER) -> int:
        """The offset of new room for so many numbers that change, zero at the start."""
        at = self._sizes[kind]
        self._sizes[kind] += size
        return at

    @property
    def sizes(self) -> tuple[int, int]:
        """How many numbers and counts change."""
        return self._sizes[NUMBER], self._sizes[COUNT]

    def place(self, array: Floats | Ints) -> Place:
        """Where an array lies."""
        shape = tuple(int(size) for size in array.shape)
        if not array.size:
            return Place(WHOLE if array.dtype == np.int64 else CONSTANT, 0, shape)
        first, last = _span(array)
        home = next(each for each in self._homes if each[0] <= first and last <= each[1])
        return Place(home[2], home[3] + (first - home[0]) // 8, shape)

    def places(self, parts: Any, local: Sequence[Any] = ()) -> list[Place]:
        """The places of all arrays of a named tuple; those in `local` stand on the stack."""
        found = []
        for array in arrays_of(parts):
            k = next((k for k, each in enumerate(local) if each is array), None)
            found.append(self.place(array) if k is None else Place(LOCAL[k], 0, tuple(int(x) for x in array.shape)))
        return found

    def arguments(self, parts: Any) -> str:
        """The arrays of a named tuple as arguments of a kernel."""
        return ", ".join(self.place(array).argument for array in arrays_of(parts))


def _blocks(arrays: Sequence[Floats | Ints], changing: Sequence[tuple[int, int]]) -> Iterator[_Block]:
    """The memory of all arrays, each number once; what changes and what does not must not overlap."""
    spans = sorted({(*_span(array), array.dtype.char) for array in arrays if array.size})
    merged: list[list[Any]] = []
    for first, last, kind in spans:
        if merged and first < merged[-1][1] and kind == merged[-1][2]:
            merged[-1][1] = max(last, merged[-1][1])
        else:
            merged.append([first, last, kind])
    found = {}
    for first, last, kind in merged:
        values, order = np.zeros((last - first) // 8, kind), len(arrays)
        for k, array in enumerate(arrays):
            begin, end = _span(array)
            if array.size and first <= begin and end <= last:
                values[(begin - first) // 8 : (end - first) // 8] = array.ravel()
                order = min(order, k)
        found[order] = _Block(first, last, values, any(a < last and first < b for a, b in changing))
    # in the order in which they are given, wherever they lie: the same arm makes the same library
    for order in sorted(found):
        yield found[order]
