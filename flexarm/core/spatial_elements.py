"""The fast form of a spatial flexible tree, where it has one."""

from __future__ import annotations

import numpy as np

from flexarm.many import zeros

from . import spatial_element_rows as s
from .columns import B_JXX, B_MASS, B_MCX, B_OX, B_R00
from .invariants import SPATIAL_MATRICES, SPATIAL_TOGETHER, SPATIAL_VECTORS
from .planar_elements import in_lanes
from .types import (
    FIXED,
    T_BRANCH,
    T_COUNT,
    T_DATA,
    T_JOINT,
    T_PARENT,
    T_STANDS,
    Floats,
    Loads,
    SpatialElementTree,
    SpatialFlexTree,
    SpatialStretchTree,
)

# Places of stretch behind those of elements without it.
_S0, _A0, _M00, _K00, _D00, _G00, _GZ1, _GZ5, _GY2, _GY4 = range(s.E_WIDTH, s.E_WIDTH + 10)

# Where the numbers of an invariant go, by coordinates (0 to 5 for u, v, w, ψx, ψy, ψz).
_VECTORS = {
    "S1x": {0: _S0},
    "Axx": {0: _A0},
    "S1y": {1: s.E_SV, 5: s.E_SZ},
    "S1z": {2: s.E_SW, 4: s.E_SY},
    "Axy": {1: s.E_AV, 5: s.E_AZ},
    "Axz": {2: s.E_AW, 4: s.E_AY},
    "C0x": {3: s.E_C3X},
    "C0y": {2: s.E_C2Y, 4: s.E_C4Y},
    "C0z": {1: s.E_C1Z, 5: s.E_C5Z},
}
_IN_Z, _IN_Y = ((1, 1), (1, 5), (5, 5)), ((2, 2), (2, 4), (4, 4))
_MATRICES = {
    "Me": dict(zip((*_IN_Z, *_IN_Y, (3, 3)), range(s.E_M11, s.E_M33 + 1), strict=True)) | {(0, 0): _M00},
    "K": dict(zip((*_IN_Z, *_IN_Y, (3, 3)), range(s.E_K11, s.E_K33 + 1), strict=True)) | {(0, 0): _K00},
    "D": dict(zip((*_IN_Z, *_IN_Y, (3, 3)), range(s.E_D11, s.E_D33 + 1), strict=True)) | {(0, 0): _D00},
    "H0": dict(zip((*_IN_Z, *_IN_Y), range(s.E_H11, s.E_H44 + 1), strict=True)),
    "Gxx": dict(zip((*_IN_Z, *_IN_Y), range(s.E_G11, s.E_G44 + 1), strict=True)) | {(0, 0): _G00},
    "Gyy": dict(zip(_IN_Z, range(s.E_Y11, s.E_Y55 + 1), strict=True)),
    "Gzz": dict(zip(_IN_Y, range(s.E_Z22, s.E_Z44 + 1), strict=True)),
    "Γx": {(1, 2): s.E_P12, (1, 4): s.E_P14, (5, 2): s.E_P52, (5, 4): s.E_P54},
    "Γy": {(0, 2): _GY2, (0, 4): _GY4},
    "Γz": {(0, 1): _GZ1, (0, 5): _GZ5},
}
_HALVES = ("Gxy", "Gxz", "Gyz")  # of Γz, Γy and Γx
_TIP = dict(zip((*_IN_Z, *_IN_Y), range(s.E_T11, s.E_T44 + 1), strict=True))
_COORDINATES = {4: (1, 2, 4, 5), 5: (1, 2, 3, 4, 5), 6: (0, 1, 2, 3, 4, 5)}
_KINDS = ({4}, {5}, {4, 5}, {6})  # numbers of coordinates that go together


def spatial_stepping_tree(
    tree: SpatialFlexTree, loads: Loads
) -> SpatialFlexTree | SpatialElementTree | SpatialStretchTree:
    """The tree element by element, if all flexible bodies are straight beam elements, all with stretch and torsion or
    all without stretch, that carry others at their far nodes only, and no load acts; else the tree itself.
    """
    counts = {int(count) for count in tree.topology[1:, T_COUNT] if count}
    if loads.place.shape[0] > 0 or counts not in _KINDS:
        return tree
    element = zeros((_GY4 + 1, tree.topology.shape[0]), tree.elastic, tree.attachment)
    for i, row in enumerate(tree.topology):
        if i == 0 or row[T_COUNT] == 0:
            continue
        if row[T_JOINT] != FIXED or not _element(tree, i, element[:, i]):
            return tree
    for row in tree.topology[1:]:
        up, begin = int(row[T_PARENT]), int(row[T_STANDS])
        if up == 0 or tree.topology[up, T_COUNT] == 0:
            continue
        if begin < 0 or not _far_node(tree, up, begin, element[:, up]):
            return tree
    fixed = tree.topology[:, T_JOINT] == FIXED
    unturned = np.all(tree.body[:, B_R00 : B_R00 + 9] == np.eye(3).ravel(), axis=1)
    plain = fixed & unturned & np.all(tree.body[:, B_OX : B_OX + 3] == 0.0, axis=1)
    if counts != {6}:
        return SpatialElementTree(*tree, element[: s.E_WIDTH].T.copy(), plain.astype(np.int64))
    own = np.vstack([element, tree.body[:, [B_MASS, *range(B_MCX, B_MCX + 3), *range(B_JXX, B_JXX + 6)]].T])
    apart = ~plain | (tree.topology[:, T_BRANCH] == 1)
    apart[0] = False
    place = np.where(apart, np.cumsum(apart), 0)
    place[0] = 1 + np.count_nonzero(apart)
    return SpatialStretchTree(*tree, in_lanes(own), plain.astype(np.int64), place.astype(np.int64))


def _element(tree: SpatialFlexTree, i: int, out: Floats) -> bool:
    """True if the invariants of body i are those of a straight beam element; fills its constants."""
    n, begin = int(tree.topology[i, T_COUNT]), int(tree.topology[i, T_DATA])
    where = {coordinate: k for k, coordinate in enumerate(_COORDINATES[n])}
    vectors = tree.elastic[begin : begin + 9 * n].reshape(9, n)
    begin += 9 * n
    matrices = dict(zip(SPATIAL_MATRICES, tree.elastic[begin : begin + 3 * n * n].reshape(3, n, n), strict=True))
    together = tree.elastic[begin + 3 * n * n : begin + 13 * n * n].reshape(n, n, 10)
    matrices |= {name: together[:, :, k] for k, name in enumerate(SPATIAL_TOGETHER)}
    if tree.elastic[begin + 13 * n * n] != 0.0:
        return False
    out[s.E_TURNS] = float(3 in where)
    for name, vector in zip(SPATIAL_VECTORS, vectors, strict=True):
        rest = vector.copy()
        for coordinate, at in _VECTORS.get(name, {}).items():
            if coordinate in where:
                out[at] = vector[where[coordinate]]
                rest[where[coordinate]] = 0.0
        if np.any(rest):
            return False
    for name, matrix in matrices.items():
        rest = matrix.copy()
        for (a, b), at in _MATRICES.get(name, {}).items():
            if a in where and b in where:
                out[at] = matrix[where[a], where[b]]
                rest[where[a], where[b]] = rest[where[b], where[a]] = 0.0
        if name not in _HALVES and np.any(rest):
            return False
    if 3 not in where:
        out[s.E_M33] = 1.0  # a torsion that is not there
    return True


def _far_node(tree: SpatialFlexTree, up: int, begin: int, out: Floats) -> bool:
    """True if the frame is that of the element's far node, and the only one; fills its constants."""
    n = int(tree.topology[up, T_COUNT])
    names = _COORDINATES[n]
    x = tree.attachment[begin]
    phi, psi = tree.attachment[begin + 1 : begin + 1 + 6 * n].reshape(2, 3, n)
    h = tree.attachment[begin + 1 + 6 * n : begin + 1 + 6 * n + n * n].reshape(n, n)
    if tree.attachment[begin + 1 + 6 * n + n * n] != 0.0:
        return False
    wanted_phi = [[float(c == k) for c in names] for k in (0, 1, 2)]
    wanted_psi = [[float(c == k) for c in names] for k in (3, 4, 5)]
    if not np.array_equal(phi, wanted_phi) or not np.array_equal(psi, wanted_psi):
        return False
    found = zeros(s.E_WIDTH, x, h)
    found[s.E_LENGTH] = x
    rest = h.copy()
    where = {coordinate: k for k, coordinate in enumerate(names)}
    for (a, b), at in _TIP.items():
        found[at] = h[where[a], where[b]]
        rest[where[a], where[b]] = rest[where[b], where[a]] = 0.0
    rows = [s.E_LENGTH, *_TIP.values()]
    if np.any(rest) or (out[s.E_LENGTH] != 0.0 and not np.array_equal(out[rows], found[rows])):
        return False
    out[rows] = found[rows]
    return True
