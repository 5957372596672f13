"""The form of a tree in which its dynamics is fastest: element by element, where its flexible bodies are elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexarm.batched import Batch, filled, zeros
from flexarm.core.emit.patterns import PATTERNS, PRODUCTS, TWIST, Pattern, columns, selecting, structure
from flexarm.core.tree.columns import B_JXX, B_MASS, B_MCX, B_OX, B_R00
from flexarm.core.tree.invariants import (
    PLANAR_MATRICES,
    PLANAR_VECTORS,
    SPATIAL_MATRICES,
    SPATIAL_TOGETHER,
    SPATIAL_VECTORS,
)
from flexarm.core.tree.types import (
    ELEMENT_TREES,
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
    PlanarFlexTree,
    SpatialFlexTree,
    Tree,
)

EIGHT = 8
_ALL = np.array(True)
_KINDS: dict[bool, dict[tuple[int, ...], str]] = {
    True: {(2,): "plane_vz", (3,): "plane_uvz"},
    False: {(4,): "space_vwyz", (5,): "space_vwxyz", (4, 5): "space_vwxyz_mixed", (6,): "space_uvwxyz"},
}


class NoElement(Exception):
    """A flexible body is no beam element of the pattern."""


def stepping_tree(tree: Tree, loads: Loads) -> Tree:
    """The same tree element by element, if all flexible bodies are straight beam elements that have the coordinates of
    one pattern and carry others at their far nodes only, and no load acts; else the tree itself.
    """
    if type(tree) not in (PlanarFlexTree, SpatialFlexTree) or loads.place.shape[0] > 0:
        return tree
    planar = type(tree) is PlanarFlexTree
    counts = tuple(sorted({int(count) for count in tree.topology[1:, T_COUNT] if count}))
    if counts not in _KINDS[planar]:
        return tree
    pattern = PATTERNS[_KINDS[planar][counts]]
    try:
        element = _constants(tree, pattern)  # type: ignore[arg-type]
    except NoElement:
        return tree
    jointed = (tree.topology[:, T_JOINT] != FIXED) | _apart(tree, planar)
    made: Any = ELEMENT_TREES[pattern.name]
    return made(*tree, in_eights(element), jointed.astype(np.int64))  # type: ignore[no-any-return]


def own_tree(tree: Tree, loads: Loads) -> Tree:
    """The same, with springs of its own: within a step the drives of a run write into them."""
    found = stepping_tree(tree, loads)
    return found._replace(spring=found.spring.copy())  # type: ignore[return-value]


def in_eights(numbers: Floats) -> Floats:
    """Numbers of bodies, a column for each, as (rows, numbers · 8): eight bodies to a row, theirs side by side."""
    count, n = numbers.shape
    rows = -(-n // EIGHT)
    padded = filled((count, rows * EIGHT), [(np.s_[:, :n], numbers)])
    return np.moveaxis(padded.reshape(count, rows, EIGHT), 0, 1).copy().reshape(rows, count * EIGHT)


def _apart(tree: Any, planar: bool) -> Any:
    """True for bodies that do not stand on the very frame they are fixed to."""
    if planar:
        return np.any(tree.plane[:, [P_ANGLE, P_RX, P_RY]] != 0.0, axis=1)
    turned = np.any(tree.body[:, B_R00 : B_R00 + 9] != np.eye(3).ravel(), axis=1)
    return turned | np.any(tree.body[:, B_OX : B_OX + 3] != 0.0, axis=1)


def _constants(tree: PlanarFlexTree | SpatialFlexTree, pattern: Pattern) -> Floats:
    """The constants of all bodies, a column for each."""
    at = columns(pattern)
    own = tree.plane if isinstance(tree, PlanarFlexTree) else tree.body
    found = zeros((len(at), tree.topology.shape[0]), own, tree.elastic, tree.attachment)
    rigid = _rigid(tree)
    for (name, index), column in at.items():
        if name in rigid:
            found[column, 1:] = rigid[name][index] if index else rigid[name]
    topology = tree.topology.tolist()
    flexible = [i for i, row in enumerate(topology) if i > 0 and row[T_COUNT] > 0]
    if any(topology[i][T_JOINT] != FIXED or (pattern.planar and own[i, P_FELT] != 1.0) for i in flexible):
        raise NoElement
    # elements that are alike are looked at once
    frames: dict[Any, dict[str, Any]] = {}
    nodes: dict[int, Any] = {}
    for row in topology[1:]:
        up = row[T_PARENT]
        if up > 0 and topology[up][T_COUNT] > 0:
            n, begin = topology[up][T_COUNT], row[T_STANDS]
            size = 1 + (3 if pattern.planar else 6) * n + n * n + (0 if pattern.planar else 1)
            frame = (n, _bytes(tree.attachment, begin, size)) if begin >= 0 else None
            if frame not in frames:
                frames[frame] = _far_node(tree, up, begin, pattern)
            if nodes.setdefault(up, frame) != frame:
                raise NoElement
    alike: dict[Any, list[int]] = {}
    for i in flexible:
        n, begin = topology[i][T_COUNT], topology[i][T_DATA]
        like = (n, _bytes(tree.elastic, begin, _length(n, pattern)), nodes.get(i))
        alike.setdefault(like, []).append(i)
    for (_, _, frame), bodies in alike.items():
        values = _element(tree, bodies[0], pattern) | frames.get(frame, {})
        for (name, index), column in at.items():
            if name in values:
                found[column, bodies] = values[name][index] if index else values[name]
    return found


def _length(n: int, pattern: Pattern) -> int:
    """How many numbers the invariants of a body with n coordinates are, without products of its coordinates."""
    if pattern.planar:
        return len(PLANAR_VECTORS) * n + len(PLANAR_MATRICES) * n * n
    return len(SPATIAL_VECTORS) * n + (len(SPATIAL_MATRICES) + len(SPATIAL_TOGETHER)) * n * n + 1


def _bytes(numbers: Floats, begin: int, size: int) -> bytes:
    """So many numbers from there on, to be compared with others."""
    part = numbers[begin : begin + size]
    return (part.data if isinstance(part, Batch) else part).tobytes()


def _rigid(tree: Any) -> dict[str, Any]:
    """Mass, first moment and inertia of the bodies, which lie along the last axis."""
    if isinstance(tree, PlanarFlexTree):
        p = tree.plane[1:]
        moment = zeros((3, 3, len(p)), tree.plane)
        moment[2, 2] = p[:, P_J]
        return {"m": p[:, P_MASS], "S0": p[:, [P_MCX, P_MCY]].T, "J": moment}
    b = tree.body[1:]
    where = B_JXX + np.array([[0, 1, 2], [1, 3, 4], [2, 4, 5]])
    return {"m": b[:, B_MASS], "S0": b[:, B_MCX : B_MCX + 3].T, "J": np.moveaxis(b[:, where], 0, -1)}


def _element(tree: Any, i: int, pattern: Pattern) -> dict[str, Any]:
    """The invariants of a body by name; those that the pattern has no place for must be zero."""
    n, begin = int(tree.topology[i, T_COUNT]), int(tree.topology[i, T_DATA])
    found = _in_plane(tree.elastic, begin, n) if pattern.planar else _in_space(tree.elastic, begin, n)
    if pattern.mixed:
        found = {name: _widened(value, n, pattern) for name, value in found.items()}
        found["turns"] = float(n == pattern.count)
        if n < pattern.count:
            twist = pattern.coordinates.index(TWIST)
            found["Me"][twist, twist] = 1.0  # a torsion that is not there
    for name, value in found.items():
        mask = structure(pattern).get(name, _ALL)
        # P − Pᵀ is given of the products P: one half of it is P itself
        rest = ~(mask | mask.T) if name in PRODUCTS else ~mask
        if np.any(value * rest.astype(float)):
            raise NoElement
        if name in PRODUCTS:
            found[name] = value * mask.astype(float)
    return found


def _in_plane(elastic: Floats, begin: int, n: int) -> dict[str, Any]:
    """The invariants of a planar body; N stands for the G (NOTATION 9)."""
    count = len(PLANAR_VECTORS)
    vectors = dict(zip(PLANAR_VECTORS, elastic[begin : begin + count * n].reshape(count, n), strict=True))
    begin += count * n
    blocks = elastic[begin : begin + len(PLANAR_MATRICES) * n * n].reshape(-1, n, n)
    matrices = dict(zip(PLANAR_MATRICES, blocks, strict=True))
    none = zeros(n, elastic)
    return {
        "S1": np.stack([vectors["S1x"], vectors["S1y"], none]),
        "A": np.stack([vectors["Axx"], none, none]),
        "C0": np.stack([none, none, vectors["C0z"]]),
        **{name: matrices[name] for name in ("Me", "K", "D", "H0")},
        "Gxx": matrices["N"],
        "Pxy": matrices["Γz"],
    }


def _in_space(elastic: Floats, begin: int, n: int) -> dict[str, Any]:
    """The invariants of a spatial body."""
    count = len(SPATIAL_VECTORS)
    v = dict(zip(SPATIAL_VECTORS, elastic[begin : begin + count * n].reshape(count, n), strict=True))
    begin += count * n
    found = dict(zip(SPATIAL_MATRICES, elastic[begin : begin + 3 * n * n].reshape(3, n, n), strict=True))
    begin += 3 * n * n
    together = elastic[begin : begin + len(SPATIAL_TOGETHER) * n * n].reshape(n, n, -1)
    if elastic[begin + len(SPATIAL_TOGETHER) * n * n] != 0.0:
        raise NoElement
    matrices = {name: together[:, :, k] for k, name in enumerate(SPATIAL_TOGETHER)}
    found |= {name: np.stack([v[name + axis] for axis in "xyz"]) for name in ("S1", "C0")}
    found["A"] = np.stack([v["Axx"], v["Axy"], v["Axz"]])
    found |= {name: matrices[name] for name in ("H0", "Gxx", "Gyy", "Gzz")}
    # Γ_z = P_xy − P_xyᵀ, Γ_y = P_xzᵀ − P_xz, Γ_x = P_yz − P_yzᵀ
    return found | {"Pxy": matrices["Γz"], "Pxz": -matrices["Γy"], "Pyz": matrices["Γx"]}


def _widened(value: Any, n: int, pattern: Pattern) -> Any:
    """An invariant of an element without torsion among those with it."""
    if n == pattern.count:
        return value
    (order,) = [order for order in pattern.orders if len(order) == n]
    where = np.ix_(order, order) if value.shape == (n, n) else np.s_[:, list(order)]
    shape = (pattern.count,) * 2 if value.shape == (n, n) else (3, pattern.count)
    return filled(shape, [(where, value)])


def _far_node(tree: Any, up: int, begin: int, pattern: Pattern) -> dict[str, Any]:
    """Distance and foreshortening of the frame that a body stands on, which must be that of an element's far node."""
    n = int(tree.topology[up, T_COUNT])
    if begin < 0:
        raise NoElement
    rows = 3 if pattern.planar else 6
    x, begin = tree.attachment[begin], begin + 1
    frame = tree.attachment[begin : begin + rows * n].reshape(rows, n)
    begin += rows * n
    h = tree.attachment[begin : begin + n * n].reshape(n, n)
    (order,) = [order for order in pattern.orders if len(order) == n]
    phi, psi = selecting(pattern)
    wanted = np.stack([phi[0], phi[1], psi[2]]) if pattern.planar else np.concatenate([phi, psi])
    if not np.array_equal(frame, wanted[:, list(order)].astype(float)):
        raise NoElement
    if not pattern.planar and tree.attachment[begin + n * n] != 0.0:
        raise NoElement
    h = _widened(h, n, pattern)
    if np.any(h * (~structure(pattern)["H"]).astype(float)):
        raise NoElement
    return {"x": x, "H": h}
