"""Where the numbers of a body lie in memory, as text for generated kernels.

Elements lie eight bodies to a row, every quantity of the eight side by side: body i is number i % 8 of row i // 8, and
what does not follow the chain runs over eight bodies in the processor's vector registers. Rigid bodies in the plane lie
a row to a quantity for the same reason; rigid bodies in space, whose sweeps follow the chain, a row to a body.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flexarm.core.emit.patterns import Pattern, columns, selecting, structure
from flexarm.core.emit.tracing import Num, given
from flexarm.core.formulas.algebra import Array, nothing

EIGHT = 8


class Layout:
    """Columns of the work array, taken as they are first named."""

    def __init__(self, pattern: Pattern) -> None:
        self.pattern = pattern
        self.column: dict[tuple[Any, ...], int] = {}
        self.eights = pattern.count > 0
        self.in_loop = False  # within a loop over bodies of a plane: its rows are sliced before

    def place(self, name: str, *index: int, body: str = "i") -> str:
        """The text of the place of a number of body i, or of the body `up`."""
        at = self.column.setdefault((name, *index), len(self.column))
        row, k = ("row", "k") if body == "i" else ("above", "j")
        if self.eights:
            return f"{row}[{EIGHT * at} + {k}]"
        if not self.pattern.planar:
            return f"{row}[{at}]"
        return f"w{at}[{body}]" if self.in_loop else f"work[{at}, {body}]"

    def opening(self, *bodies: str) -> list[str]:
        """Lines that find the rows of body i and of the body `up`."""
        lines = []
        for body in bodies:
            row, k = ("row", "k") if body == "i" else ("above", "j")
            if self.eights:
                lines += [f"{row} = work[{body} >> 3]", f"{k} = {body} & 7"]
            elif not self.pattern.planar:
                lines.append(f"{row} = work[{body}]")
        return lines

    def read(self, name: str, mask: Any, body: str = "i") -> Array:
        """The numbers of that name; zeros where the mask is false."""
        mask = np.asarray(mask)
        found = nothing(*mask.shape)
        for index in np.ndindex(mask.shape):
            if mask[index]:
                found[index] = given(self.place(name, *index, body=body))
        return found if mask.shape else found[()]

    def stores(self, name: str, value: Any, mask: Any, body: str = "i") -> tuple[dict[str, Any], dict[str, str]]:
        """Place → number of all entries under the mask, and place → what is there."""
        mask, value = np.asarray(mask), np.asarray(value, dtype=object)
        places = {index: self.place(name, *index, body=body) for index in np.ndindex(mask.shape) if mask[index]}
        notes = {text: f"{name}{list(index) if index else ''}" for index, text in places.items()}
        return {text: value[index] for index, text in places.items()}, notes

    @property
    def width(self) -> int:
        """Numbers of one row of the work array; in the plane of rigid bodies its rows."""
        return len(self.column) * (EIGHT if self.eights else 1)


class Constants:
    """The constants of an element, as numbers to be read where they may differ from zero."""

    def __init__(self, pattern: Pattern) -> None:
        at = columns(pattern)
        for name, mask in structure(pattern).items():
            value = nothing(*mask.shape)
            for index in np.ndindex(mask.shape):
                if mask[index]:
                    key = (name, index) if (name, index) in at else (name, index[::-1])
                    value[index] = given(f"e[{EIGHT * at[key]} + k]")
            setattr(self, name, value if mask.shape else value[()])
        phi, psi = selecting(pattern)
        self.Phi, self.Psi = phi.astype(float).astype(object), psi.astype(float).astype(object)
        if pattern.mixed:
            self.Psi[0, pattern.coordinates.index(3)] = self.turns

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)


def is_kept(value: Any) -> Any:
    """A mask of the entries that are numbers to be computed, not zeros known beforehand."""
    value = np.asarray(value, dtype=object)
    found = np.zeros(value.shape, dtype=bool)
    for index in np.ndindex(value.shape):
        found[index] = isinstance(value[index], Num)
    return found
