"""Kinds of trees that kernels are generated for: what moves, and so which invariants of a body are not zero.

A straight beam element has coordinates out of (u, v, w, ψx, ψy, ψz) of its far node, 0 to 5. Bending in the two planes,
torsion and stretch are coupled only through the motion of the frame, so that most of its invariants vanish.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]

STRETCH, TWIST = 0, 3
_IN_Y, _IN_Z = (1, 5), (2, 4)  # what bends across y, and across z
_GROUPS = (_IN_Y, _IN_Z, (TWIST,), (STRETCH,))
_ROWS = {
    "S1": ((STRETCH,), _IN_Y, _IN_Z),
    "A": ((STRETCH,), _IN_Y, _IN_Z),
    "C0": ((TWIST,), _IN_Z, _IN_Y),
}
_BLOCKS = {
    "Me": _GROUPS,
    "K": _GROUPS,
    "D": _GROUPS,
    "H0": (_IN_Y, _IN_Z),
    "H": (_IN_Y, _IN_Z),
    "Gxx": (_IN_Y, _IN_Z, (STRETCH,)),
    "Gyy": (_IN_Y,),
    "Gzz": (_IN_Z,),
}
PRODUCTS = {"Pxy": ((STRETCH,), _IN_Y), "Pxz": ((STRETCH,), _IN_Z), "Pyz": (_IN_Y, _IN_Z)}


@dataclass(frozen=True)
class Pattern:
    """What the elements of a tree may do; no coordinates: a tree of rigid bodies."""

    planar: bool
    coordinates: tuple[int, ...] = ()
    mixed: bool = False  # some elements have no torsion

    @property
    def name(self) -> str:
        """A word for it."""
        letters = "".join("uvwxyz"[c] for c in self.coordinates) if self.coordinates else "rigid"
        return f"{'plane' if self.planar else 'space'}_{letters}{'_mixed' if self.mixed else ''}"

    @property
    def count(self) -> int:
        """Number of coordinates of an element."""
        return len(self.coordinates)

    @property
    def moves(self) -> tuple[int, ...]:
        """Motions of a frame, of (α; a)."""
        return (2, 3, 4) if self.planar else (0, 1, 2, 3, 4, 5)

    @property
    def square(self) -> bool:
        """True if an element has as many coordinates as its far node has motions: ζ stands for η̈ (NOTATION 36)."""
        return self.count == len(self.moves)

    @property
    def orders(self) -> list[tuple[int, ...]]:
        """The coordinates of the elements that may be in the tree, where each stands among all."""
        every = tuple(range(self.count))
        if not self.mixed:
            return [every]
        return [every, tuple(k for k in every if self.coordinates[k] != TWIST)]


PATTERNS = {
    pattern.name: pattern
    for pattern in (
        Pattern(True),
        Pattern(False),
        Pattern(True, (1, 5)),
        Pattern(True, (0, 1, 5)),
        Pattern(False, (1, 2, 4, 5)),
        Pattern(False, (1, 2, 3, 4, 5)),
        Pattern(False, (1, 2, 3, 4, 5), mixed=True),
        Pattern(False, (0, 1, 2, 3, 4, 5)),
    )
}


def selecting(pattern: Pattern) -> tuple[Mask, Mask]:
    """Φ and Ψ (3, n) of the far node: which coordinate is which displacement and rotation."""
    phi = np.array([[c == axis for c in pattern.coordinates] for axis in (0, 1, 2)])
    psi = np.array([[c == axis for c in pattern.coordinates] for axis in (3, 4, 5)])
    return phi, psi


@cache
def structure(pattern: Pattern) -> dict[str, Mask]:
    """By name of an invariant which of its entries may differ from zero."""
    names = pattern.coordinates
    found = {
        name: np.array([[c in row for c in names] for row in rows], dtype=bool).reshape(3, len(names))
        for name, rows in _ROWS.items()
    }

    def blocks(groups: tuple[tuple[int, ...], ...]) -> Mask:
        return np.array([[any(a in g and b in g for g in groups) for b in names] for a in names], dtype=bool)

    found |= {name: blocks(groups) for name, groups in _BLOCKS.items()}
    for name, (left, right) in PRODUCTS.items():
        found[name] = np.array([[a in left and b in right for b in names] for a in names], dtype=bool)
    moving = np.array([True, True, not pattern.planar])
    found |= {"x": np.array(True), "m": np.array(True), "S0": moving, "J": np.full((3, 3), not pattern.planar)}
    found["J"][2, 2] = True
    if pattern.planar:
        # one matrix stands for the G (NOTATION 9), and what makes moments out of the plane is left out
        for name in ("Gyy", "Gzz", "Pxz", "Pyz"):
            found[name][:] = False
        found["S1"][2] = found["A"][1] = found["A"][2] = found["C0"][0] = found["C0"][1] = False
    if pattern.mixed:
        found["turns"] = np.array(True)
    return found


_SYMMETRIC = ("Me", "K", "D", "H0", "H", "Gxx", "Gyy", "Gzz", "J")


@cache
def columns(pattern: Pattern) -> dict[tuple[str, tuple[int, ...]], int]:
    """The constants of a body, by name and index, and the column each stands in; of symmetric ones the upper half."""
    found: dict[tuple[str, tuple[int, ...]], int] = {}
    for name, mask in structure(pattern).items():
        for index in np.ndindex(mask.shape):
            if mask[index] and not (name in _SYMMETRIC and index[0] > index[1]):
                found[name, index] = len(found)
    return found
