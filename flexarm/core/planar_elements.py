"""The fast form of a planar flexible tree, where it has one."""

from __future__ import annotations

import numpy as np

from flexarm.many import array, filled, zeros

from . import planar_element_rows as r
from .types import (
    FIXED,
    P_ANGLE,
    P_FELT,
    P_J,
    P_MASS,
    P_MCX,
    P_MCY,
    P_RX,
    P_RY,
    T_COUNT,
    T_DATA,
    T_JOINT,
    T_PARENT,
    T_STANDS,
    Loads,
    PlanarElementTree,
    PlanarFlexTree,
)

_BODY = {r.E_MASS: P_MASS, r.E_MCX: P_MCX, r.E_MCY: P_MCY, r.E_J: P_J}
_STEP = r.LANES  # from one entry of a matrix to the next


def planar_stepping_tree(tree: PlanarFlexTree, loads: Loads) -> PlanarFlexTree | PlanarElementTree:
    """The tree element by element, if all flexible bodies are beam elements without stretch that carry others at their
    far nodes only, and no load acts; else the tree itself.
    """
    if loads.place.shape[0] > 0:
        return tree
    n = tree.topology.shape[0]
    # one column per body first: places are counted as if there were one lane
    element = zeros((r.E_WIDTH, n), tree.plane, tree.elastic, tree.attachment)
    symmetric = ([0, 0, 1], [0, 1, 1])
    for i, row in enumerate(tree.topology):
        if i == 0 or row[T_COUNT] == 0:
            continue
        if row[T_COUNT] != 2 or row[T_JOINT] != FIXED or tree.plane[i, P_FELT] != 1.0:
            return tree
        begin = int(row[T_DATA])
        s1x, s1y, axx, c0 = tree.elastic[begin : begin + 8].reshape(4, 2)
        me, k, d, h0, nn, gamma = tree.elastic[begin + 8 : begin + 32].reshape(6, 2, 2)
        if np.any(s1x) or np.any(axx) or np.any(gamma):
            return tree
        element[[r.E_S1, r.E_S2], i], element[[r.E_C1, r.E_C2], i] = s1y, c0
        for at, matrix in ((r.E_M11, me), (r.E_K11, k), (r.E_D11, d), (r.E_H11, h0), (r.E_N11, nn)):
            element[at : at + 3 * _STEP : _STEP, i] = matrix[symmetric]
    for row in tree.topology[1:]:
        up, begin = int(row[T_PARENT]), int(row[T_STANDS])
        if up == 0 or tree.topology[up, T_COUNT] == 0:
            continue
        if begin < 0:
            return tree
        x, frame, h = tree.attachment[begin], tree.attachment[begin + 1 : begin + 7], tree.attachment[begin + 7 :]
        if not np.array_equal(frame, [0.0, 0.0, 1.0, 0.0, 0.0, 1.0]):
            return tree
        found = array([x, h[0], h[1], h[3]])
        where = [r.E_LENGTH, r.E_T11, r.E_T12, r.E_T22]
        if element[r.E_LENGTH, up] != 0.0 and not np.array_equal(element[where, up], found):
            return tree
        element[where, up] = found
    for at, column in _BODY.items():
        element[at] = tree.plane[:, column]
    lanes = filled((r.CONSTANTS, r.rows(n) * r.LANES), [(np.s_[:, :n], element[:: r.LANES])])
    packed = np.moveaxis(lanes.reshape(r.CONSTANTS, r.rows(n), r.LANES), 0, 1).copy().reshape(r.rows(n), r.E_WIDTH)
    offset = np.any(tree.plane[:, [P_ANGLE, P_RX, P_RY]] != 0.0, axis=1)
    jointed = (tree.topology[:, T_JOINT] != FIXED) | offset
    return PlanarElementTree(*tree, packed, jointed.astype(np.int64))
