"""The fast form of a planar flexible tree, where it has one."""

from __future__ import annotations

import numpy as np

from .planar_element_rows import E_C1, E_C2, E_D11, E_H11, E_K11, E_LENGTH, E_M11, E_N11, E_S1, E_S2, E_T11, E_WIDTH
from .types import FIXED, T_COUNT, T_DATA, T_JOINT, T_PARENT, T_STANDS, Loads, PlanarElementTree, PlanarFlexTree


def planar_stepping_tree(tree: PlanarFlexTree, loads: Loads) -> PlanarFlexTree | PlanarElementTree:
    """The tree element by element, if all flexible bodies are beam elements without stretch that carry others at their
    far nodes only, and no load acts; else the tree itself.
    """
    if loads.place.shape[0] > 0:
        return tree
    element = np.zeros((E_WIDTH, tree.topology.shape[0]))
    symmetric = ([0, 0, 1], [0, 1, 1])
    for i, row in enumerate(tree.topology):
        if i == 0 or row[T_COUNT] == 0:
            continue
        if row[T_COUNT] != 2 or row[T_JOINT] != FIXED:
            return tree
        begin = int(row[T_DATA])
        s1x, s1y, axx, c0 = tree.elastic[begin : begin + 8].reshape(4, 2)
        me, k, d, h0, n, gamma = tree.elastic[begin + 8 : begin + 32].reshape(6, 2, 2)
        if np.any(s1x) or np.any(axx) or np.any(gamma):
            return tree
        element[[E_S1, E_S2], i], element[[E_C1, E_C2], i] = s1y, c0
        for at, matrix in ((E_M11, me), (E_K11, k), (E_D11, d), (E_H11, h0), (E_N11, n)):
            element[at : at + 3, i] = matrix[symmetric]
    for row in tree.topology[1:]:
        up, begin = int(row[T_PARENT]), int(row[T_STANDS])
        if up == 0 or tree.topology[up, T_COUNT] == 0:
            continue
        if begin < 0:
            return tree
        x, frame, h = tree.attachment[begin], tree.attachment[begin + 1 : begin + 7], tree.attachment[begin + 7 :]
        if not np.array_equal(frame, [0.0, 0.0, 1.0, 0.0, 0.0, 1.0]):
            return tree
        found = np.array([x, h[0], h[1], h[3]])
        where = [E_LENGTH, E_T11, E_T11 + 1, E_T11 + 2]
        if element[E_LENGTH, up] != 0.0 and not np.array_equal(element[where, up], found):
            return tree
        element[where, up] = found
    return PlanarElementTree(*tree, np.ascontiguousarray(tree.plane.T), element)
