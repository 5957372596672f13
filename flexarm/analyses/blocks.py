"""Stiffness and damping of an arm's springs: matrices of small blocks, one for each body, in O(n)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from flexarm.core.tree.invariants import PLANAR_VECTORS, SPATIAL_VECTORS
from flexarm.core.tree.types import (
    S_D,
    S_GAIN,
    S_K,
    S_RATE_GAIN,
    T_COORD,
    T_COUNT,
    T_DATA,
    T_SLEEVE,
    Floats,
    Ints,
    PlanarElementTree,
    PlanarFlexTree,
    PlanarTree,
    SpatialTree,
    Tree,
)


@dataclass(frozen=True, eq=False)
class Blocks:
    """A matrix (n, n) of blocks along its diagonal, those of one size together."""

    size: int
    groups: tuple[tuple[Ints, Floats], ...]  # rows (m, s) and entries (m, s, s)

    def times(self, x: np.ndarray) -> np.ndarray:
        """A x of a vector (n,) or of columns (n, k)."""
        columns = x if x.ndim == 2 else x[:, None]
        found = np.zeros((self.size, columns.shape[1]), columns.dtype)
        for rows, entries in self.groups:
            if rows.shape[1] == 1:
                found[rows[:, 0]] = entries[:, :, 0] * columns[rows[:, 0]]
            else:
                found[rows] = entries @ columns[rows]
        return found if x.ndim == 2 else found[:, 0]

    def inverse(self) -> Blocks | None:
        """A⁻¹; None unless all blocks are positive definite."""
        found = []
        for rows, entries in self.groups:
            try:
                np.linalg.cholesky(entries)
            except np.linalg.LinAlgError:
                return None
            inner = np.linalg.inv(entries)
            found.append((rows, np.asarray(0.5 * (inner + np.swapaxes(inner, 1, 2)), dtype=np.float64)))
        return Blocks(self.size, tuple(found))

    def magnitudes(self) -> Blocks:
        """The same with the absolute values of the entries."""
        return Blocks(self.size, tuple((rows, np.abs(entries)) for rows, entries in self.groups))

    @property
    def largest(self) -> float:
        """The largest entry by its absolute value."""
        return max((float(np.max(np.abs(entries))) for _, entries in self.groups if entries.size), default=0.0)

    @property
    def diagonal(self) -> Floats:
        """The entries (n,) of the diagonal."""
        found = np.zeros(self.size)
        for rows, entries in self.groups:
            found[rows] = np.diagonal(entries, axis1=1, axis2=2)
        return found

    def __bool__(self) -> bool:
        return self.largest > 0.0


def spring_blocks(tree: Tree, moving: Ints) -> tuple[Blocks, Blocks]:
    """K and D of joints and flexible bodies among the moving coordinates; a servo's gains are among them.

    Beams in sleeves, whose stiffness depends on the coordinates, are left out.
    """
    place = np.full(len(tree.spring), -1, np.int64)
    place[moving] = np.arange(len(moving))
    stiff: list[tuple[Ints, Floats]] = []
    lossy: list[tuple[Ints, Floats]] = []
    single = place >= 0
    for coordinates, data in _bodies(tree):
        rows = place[coordinates]
        n = rows.shape[1]
        where = data[:, None] + np.arange(n * n)
        k = tree.elastic[where].reshape(-1, n, n)  # type: ignore[union-attr]
        d = tree.elastic[where + n * n].reshape(-1, n, n)  # type: ignore[union-attr]
        single[coordinates] = False
        whole = np.all(rows >= 0, axis=1)
        for group, entries in ((stiff, k), (lossy, d)):
            group.append((rows[whole], entries[whole]))
            for one, block in zip(rows[~whole], entries[~whole], strict=True):
                kept = one >= 0
                if np.any(kept):
                    group.append((one[kept][None], block[np.ix_(kept, kept)][None]))
    alone = np.flatnonzero(single)
    stiff.append((place[alone][:, None], tree.spring[alone, S_K][:, None, None]))
    lossy.append((place[alone][:, None], tree.spring[alone, S_D][:, None, None]))
    return Blocks(len(moving), tuple(stiff)), Blocks(len(moving), tuple(lossy))


def softened(tree: Tree) -> Tree:
    """The same tree without stiffness and damping; rotors stay. Beams in sleeves keep theirs."""
    spring = tree.spring.copy()
    spring[:, [S_K, S_D, S_GAIN, S_RATE_GAIN]] = 0.0
    if isinstance(tree, PlanarTree | SpatialTree):
        return tree._replace(spring=spring)
    elastic = tree.elastic.copy()
    for coordinates, data in _bodies(tree):
        n = coordinates.shape[1]
        elastic[data[:, None] + np.arange(2 * n * n)] = 0.0
    return tree._replace(spring=spring, elastic=elastic)


def _bodies(tree: Tree) -> Iterator[tuple[Ints, Ints]]:
    """Coordinates (m, n) of the flexible bodies of n coordinates, and where K (and behind it D) begins in `elastic`."""
    if isinstance(tree, PlanarTree | SpatialTree):
        return
    vectors = len(PLANAR_VECTORS if isinstance(tree, PlanarFlexTree | PlanarElementTree) else SPATIAL_VECTORS)
    rows = tree.topology[1:]
    rows = rows[(rows[:, T_COUNT] > 0) & (rows[:, T_SLEEVE] == 0)]
    for n in np.unique(rows[:, T_COUNT]):
        chosen = rows[rows[:, T_COUNT] == n]
        yield chosen[:, T_COORD, None] + np.arange(n), chosen[:, T_DATA] + (vectors + n) * n
