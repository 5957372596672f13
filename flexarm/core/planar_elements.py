"""The fast form of a planar flexible tree, where it has one."""

from __future__ import annotations

import numpy as np

from flexarm.many import array, filled, zeros

from . import planar_element_rows as r
from . import planar_stretch_rows as s
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
    Floats,
    Loads,
    PlanarElementTree,
    PlanarFlexTree,
    PlanarStretchTree,
)

_BODY = {r.E_MASS: P_MASS, r.E_MCX: P_MCX, r.E_MCY: P_MCY, r.E_J: P_J}
_BENDING = (r.E_M11, r.E_K11, r.E_D11, r.E_H11, r.E_N11)
_STRETCH = (s.E_M00, s.E_K00, s.E_D00, None, s.E_N00)
_STEP = r.LANES  # from one entry of a matrix to the next


def planar_stepping_tree(tree: PlanarFlexTree, loads: Loads) -> PlanarFlexTree | PlanarElementTree:
    """The tree element by element, if all flexible bodies are beam elements, all with stretch or all without, that
    carry others at their far nodes only, and no load acts; else the tree itself.
    """
    counts = {int(count) for count in tree.topology[1:, T_COUNT] if count}
    if loads.place.shape[0] > 0 or counts not in ({2}, {3}):
        return tree
    stretches = counts == {3}
    n = tree.topology.shape[0]
    # one column per body first: places are counted as if there were one lane
    element = zeros((s.E_WIDTH if stretches else r.E_WIDTH, n), tree.plane, tree.elastic, tree.attachment)
    for i, row in enumerate(tree.topology):
        if i == 0 or row[T_COUNT] == 0:
            continue
        if row[T_JOINT] != FIXED or tree.plane[i, P_FELT] != 1.0 or not _element(tree, i, element[:, i]):
            return tree
    for row in tree.topology[1:]:
        up, begin = int(row[T_PARENT]), int(row[T_STANDS])
        if up == 0 or tree.topology[up, T_COUNT] == 0:
            continue
        if begin < 0 or not _far_node(tree, up, begin, element[:, up]):
            return tree
    for at, column in _BODY.items():
        element[at] = tree.plane[:, column]
    offset = np.any(tree.plane[:, [P_ANGLE, P_RX, P_RY]] != 0.0, axis=1)
    jointed = (tree.topology[:, T_JOINT] != FIXED) | offset
    made = PlanarStretchTree if stretches else PlanarElementTree
    return made(*tree, in_lanes(element[:: r.LANES]), jointed.astype(np.int64))


def in_lanes(numbers: Floats) -> Floats:
    """Numbers of bodies, a column for each, as (rows, numbers · 8): eight bodies to a row, theirs side by side."""
    count, n = numbers.shape
    lanes = filled((count, r.rows(n) * r.LANES), [(np.s_[:, :n], numbers)])
    return np.moveaxis(lanes.reshape(count, r.rows(n), r.LANES), 0, 1).copy().reshape(r.rows(n), count * r.LANES)


def _element(tree: PlanarFlexTree, i: int, out: Floats) -> bool:
    """True if the invariants of body i are those of a straight beam element; fills its constants."""
    n, begin = int(tree.topology[i, T_COUNT]), int(tree.topology[i, T_DATA])
    s1x, s1y, axx, c0 = tree.elastic[begin : begin + 4 * n].reshape(4, n)
    me, k, d, h0, nn, gamma = tree.elastic[begin + 4 * n : begin + 4 * n + 6 * n * n].reshape(6, n, n)
    v, slope = n - 2, n - 1
    if np.any(s1x[v:]) or np.any(axx[v:]) or np.any(gamma[v:, v:]):
        return False
    out[[r.E_S1, r.E_S2]], out[[r.E_C1, r.E_C2]] = s1y[v:], c0[v:]
    for at, matrix in zip(_BENDING, (me, k, d, h0, nn), strict=True):
        out[at : at + 3 * _STEP : _STEP] = matrix[[v, v, slope], [v, slope, slope]]
    if n == 2:
        return True
    if s1y[0] or c0[0] or h0[0, 0] or any(np.any(matrix[0, 1:]) for matrix in (me, k, d, h0, nn)):
        return False
    out[s.E_S0], out[s.E_A0], out[s.E_G01], out[s.E_G02] = s1x[0], axx[0], gamma[0, 1], gamma[0, 2]
    for place, matrix in zip(_STRETCH, (me, k, d, h0, nn), strict=True):
        if place is not None:
            out[place] = matrix[0, 0]
    return True


def _far_node(tree: PlanarFlexTree, up: int, begin: int, out: Floats) -> bool:
    """True if the frame is that of the element's far node, and the only one; fills its constants."""
    n = int(tree.topology[up, T_COUNT])
    x, frame = tree.attachment[begin], tree.attachment[begin + 1 : begin + 1 + 3 * n].reshape(3, n)
    h = tree.attachment[begin + 1 + 3 * n : begin + 1 + 3 * n + n * n].reshape(n, n)
    bending = h[n - 2 :, n - 2 :]
    if not np.array_equal(frame, np.eye(3)[:, 3 - n :]) or np.any(h[: n - 2]):
        return False
    found = array([x, bending[0, 0], bending[0, 1], bending[1, 1]])
    where = [r.E_LENGTH, r.E_T11, r.E_T12, r.E_T22]
    if out[r.E_LENGTH] != 0.0 and not np.array_equal(out[where], found):
        return False
    out[where] = found
    return True
