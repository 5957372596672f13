"""A few shapes in place of all nodal values: clamped modes, or static tip shapes with fixed-tip modes.

Worked out in the coordinates of the element frames, where the stiffness is one small block per element: the low modes
keep their digits however fine the mesh. Each direction is reduced by itself, which keeps shapes pure where two
directions have the same frequencies.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexarm.batched import each, filled, greatest, zeros
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.links.base import Direction
from flexarm.links.element import NODAL
from flexarm.links.mesh import Mesh
from flexarm.links.small_motion import inverse_root


@dataclass(frozen=True, eq=False)
class Shapes:
    """Elastic coordinates of a link's frame as shapes of the nodal ones, η = T p."""

    basis: Floats  # (nodal coordinates, shapes) T
    names: tuple[str, ...]
    directions: tuple[Direction, ...]
    units: tuple[str, ...]


def nodal_shapes(mesh: Mesh) -> Shapes:
    """The nodal coordinates themselves."""
    return Shapes(np.eye(mesh.count), mesh.names, mesh.directions, mesh.units)


def nodal_from_relative(mesh: Mesh) -> Floats:
    """Nodal values (n, n) per coordinate of the element frames: each element moves rigidly with the one inboard."""
    index = {name: c for c, name in enumerate(name for name, direction, _ in NODAL if direction in mesh.free)}
    n, width = mesh.count, mesh.per_node
    found = zeros((n, n), [element.length for element in mesh.elements])
    base = np.zeros((width, n))
    at = 0
    for element in mesh.elements:
        for node in range(1, mesh.kind.nodes):
            x = element.length * node / (mesh.kind.nodes - 1)
            levers = [((index["v"], index["slope_z"]), x)]
            if "w" in index:
                levers.append(((index["w"], index["slope_y"]), -x))
            rigid = np.eye(width) + filled((width, width), levers)
            found[at : at + width] = rigid @ base
            found[at : at + width, at : at + width] += np.eye(width)
            at += width
        base = found[at - width : at]
    return found


@dataclass(frozen=True, eq=False)
class _Family:
    """One direction of a beam in coordinates y of unit stiffness: strain energy ½ y·y, kinetic energy ½ ẏ·Aẏ."""

    direction: Direction
    A: Floats  # (n, n)
    shapes: Floats  # (nodal coordinates of the mesh, n): nodal values per y
    tip: Floats  # (n, t) orthonormal: the static shapes of forces and moments at the tip
    fixed: Floats  # (n, n − t) the modes with the tip held, lowest first
    fixed_squares: Floats  # 1/ω² of those


def _family(direction: Direction, mesh: Mesh, mass: Floats, stiffness: Floats, nodal: Floats) -> _Family:
    """One direction by itself, from the matrices in relative coordinates and the nodal values per such coordinate."""
    own = [c for c, found in enumerate(mesh.directions) if found == direction]
    inverse = inverse_root(stiffness[np.ix_(own, own)])
    A = inverse.T @ mass[np.ix_(own, own)] @ inverse
    shapes = nodal[:, own] @ inverse
    # K⁻¹f of a load f on the tip is, in y, the tip's own row of shapes: what is square to it leaves the tip at rest
    at_tip = [c for c in own if c >= mesh.count - mesh.per_node]
    full, _ = np.linalg.qr(shapes[at_tip].T, mode="complete")
    tip, inside = full[:, : len(at_tip)], full[:, len(at_tip) :]
    squares, vectors = np.linalg.eigh(inside.T @ A @ inside)
    return _Family(direction, A, shapes, tip, inside @ vectors[:, ::-1], squares[::-1])


def reduced_shapes(mesh: Mesh, mass: Floats, stiffness: Floats) -> Shapes:
    """As many shapes as the link's model asks for, mass-orthogonal, lowest frequency first.

    Each is 1 m (or 1 rad) where its nodes move (or turn) most. Masses and stiffnesses are those of the element frames.
    """
    model = mesh.span.formulation
    nodal = nodal_from_relative(mesh)
    families = [_family(direction, mesh, mass, stiffness, nodal) for direction in mesh.free]
    static = sum(family.tip.shape[1] for family in families) if model.reduction == "craig-bampton" else 0
    if not static <= model.modes <= mesh.count:
        least = f"≥ {static}, the static shapes of the tip, and " if static > model.modes else ""
        raise AnalysisError(
            f'link "{mesh.span.name}": model.modes is {model.modes}, must be {least}≤ the number of nodal coordinates, '
            f"{mesh.count}"
        )
    found: list[tuple[float, Direction, Floats]] = []
    if static:
        # so many fixed-tip modes of each direction as are among the lowest of all
        chosen = _lowest([family.fixed_squares for family in families], model.modes - static)
        kept = [np.hstack([family.tip, family.fixed[:, : chosen.count(k)]]) for k, family in enumerate(families)]
        solved = [np.linalg.eigh(own.T @ family.A @ own) for own, family in zip(kept, families, strict=True)]
        bases = [family.shapes @ own for own, family in zip(kept, families, strict=True)]
    else:
        solved, bases = [np.linalg.eigh(family.A) for family in families], [family.shapes for family in families]
    left = [list(zip(values, vectors.T, strict=True)) for values, vectors in solved]
    for k in _lowest([values[::-1] for values, _ in solved], model.modes):
        square, y = left[k].pop()
        found.append((square, families[k].direction, bases[k] @ y))
    return Shapes(
        basis=np.stack([_scaled(mesh, direction, shape) for _, direction, shape in found], axis=1),
        names=tuple(f"mode{k + 1}" for k in range(len(found))),
        directions=tuple(direction for _, direction, _ in found),
        units=tuple("rad" if direction == "torsion" else "m" for _, direction, _ in found),
    )


def _lowest(squares: list[Floats], count: int) -> list[int]:
    """The families of the lowest modes, lowest first; of each family 1/ω² are given, falling."""
    heads, found = [0] * len(squares), []
    for _ in range(count):
        open_ones = [k for k, own in enumerate(squares) if heads[k] < len(own)]
        orders = {k: _order(squares[k][heads[k]]) for k in open_ones}
        best = open_ones[0]
        for k in open_ones[1:]:
            best = k if orders[k] < orders[best] else best
        heads[best] += 1
        found.append(best)
    return found


def _order(square: float) -> float:
    """Rises with the frequency; 1/ω² that differ by rounding count as one, so that equal planes keep their order."""
    return each(lambda value: -float(f"{value:.9e}"), square)  # type: ignore[no-any-return]


def _scaled(mesh: Mesh, direction: Direction, shape: Floats) -> Floats:
    """The shape with 1 where its nodes move most, or turn most in torsion."""
    unit = "rad" if direction == "torsion" else "m"
    labels = zip(mesh.directions, mesh.units, strict=True)
    of_unit = [c for c, label in enumerate(labels) if label == (direction, unit)]
    return shape / greatest(shape[of_unit])
