"""One name for the sweeps over every class of tree, and the kernel it means for each.

Kernels for flexible trees live in modules of their own, imported only where such a tree is met: an arm of rigid finite
elements pays nothing for them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from ..tree.invariants import PLANAR_VECTORS, SPATIAL_VECTORS
from ..tree.sleeve import soften, stiffness_at
from ..tree.types import (
    ELEMENT_TREES,
    S_D,
    S_GAIN,
    S_K,
    S_RATE_GAIN,
    T_COORD,
    T_COUNT,
    T_DATA,
    T_SLEEVE,
    ClosedTree,
    Floats,
    Laws,
    LinearTree,
    Loads,
    PlanarElementTree,
    PlanarFlexTree,
    PlanarSleeveTree,
    PlanarTree,
    SpatialElementTree,
    SpatialSleeveTree,
    SpatialTree,
    Tree,
)

# Trees whose forward dynamics is generated, and the name of their pattern.
GENERATED: dict[type, str] = {PlanarTree: "plane_rigid", SpatialTree: "space_rigid"}
GENERATED |= {kind: name for name, kind in ELEMENT_TREES.items()}
SLEEVED = (PlanarSleeveTree, SpatialSleeveTree)


def kernel_of(name: str, tree: type) -> Any:
    """The kernel of a sweep ("rnea", "crba", "energy", "load_power", "observe", "elastic_form") for a class of tree."""
    if tree is LinearTree:
        from . import linear

        return getattr(linear, f"linear_{name}")
    if tree is ClosedTree:
        from . import closed

        return getattr(closed, f"closed_{name}")
    from . import closing, crba, energy, forms, loads, observe, rnea
    from .kinds import kernel

    rooms = {"rnea": rnea, "crba": crba, "energy": energy, "load_power": loads, "observe": observe}
    rooms |= {"close": closing, "ends": closing}
    return kernel(getattr(rooms.get(name, forms), name), tree)


@cache
def solver_of(tree: type) -> Any:
    """The kernel of forward and hybrid dynamics, for other kernels only: from generated steps, or of bodies with any
    number of coordinates. Python calls `solve`.
    """
    if tree is LinearTree or tree is ClosedTree:
        return kernel_of("solve", tree)
    if tree in GENERATED:
        from ..emit.modules import kernels_of

        return getattr(kernels_of(GENERATED[tree]), f"solve_{GENERATED[tree]}")
    from ..sweeps import modal
    from .kinds import kernel

    return kernel(modal.solve, tree)


def _steps_width(tree: Tree) -> int:
    """Numbers in a row of the work array of the generated steps."""
    from ..emit.modules import kernels_of

    return int(kernels_of(GENERATED[type(tree)]).WIDTH)


def new_work(tree: Tree | LinearTree | ClosedTree) -> Floats:
    """A work array for the sweeps over a tree: a row per body, and one more for frames that are only read."""
    if isinstance(tree, LinearTree | ClosedTree):
        return new_work(tree.bare)
    from .columns import width

    rows = tree.topology.shape[0]
    planar = isinstance(tree, PlanarTree | PlanarFlexTree | PlanarElementTree)
    if isinstance(tree, PlanarTree | SpatialTree):
        return np.zeros((rows, max(width(planar, 0), _steps_width(tree))))
    most = int(tree.topology[0, T_COUNT])
    columns = width(planar, most)
    if isinstance(tree, PlanarElementTree | SpatialElementTree):
        # forward dynamics takes it as one piece, eight bodies to a row; the other sweeps take a row for each
        columns = max(columns, -(-tree.element.shape[0] * _steps_width(tree) // (rows + 1)))
    if isinstance(tree, SLEEVED):
        from .beam import width as beam

        columns += beam(most)
    return np.zeros((rows + 1, columns))


def wrench_columns() -> tuple[int, int]:
    """Columns of the work array where inverse dynamics leaves the moment and the force a body takes (spatial trees)."""
    from .space import at

    return at.P, at.P + 3


def without_springs(tree: Tree, *, sleeves: bool = True) -> Tree:
    """The same tree without stiffness and damping; rotors stay, and the beams in sleeves keep theirs if so wanted."""
    spring = tree.spring.copy()
    spring[:, [S_K, S_D, S_GAIN, S_RATE_GAIN]] = 0.0
    if isinstance(tree, PlanarTree | SpatialTree):
        return tree._replace(spring=spring)
    elastic = tree.elastic.copy()
    for _, k, d in elastic_blocks(tree._replace(elastic=elastic)):
        k[:] = 0.0
        d[:] = 0.0
    for _, data in _sleeves(tree._replace(elastic=elastic)) if sleeves else ():
        soften(data)
    return tree._replace(spring=spring, elastic=elastic)


def elastic_blocks(tree: Tree) -> Iterator[tuple[slice, Floats, Floats]]:
    """Coordinates, K and D (views) of every flexible body that is not in a sleeve."""
    if isinstance(tree, PlanarTree | SpatialTree):
        return
    vectors = len(PLANAR_VECTORS) if isinstance(tree, PlanarFlexTree) else len(SPATIAL_VECTORS)
    for row in tree.topology[1:]:
        n = int(row[T_COUNT])
        if n and not row[T_SLEEVE]:
            begin = int(row[T_DATA]) + vectors * n
            blocks = tree.elastic[begin : begin + 3 * n * n].reshape(3, n, n)
            yield slice(int(row[T_COORD]), int(row[T_COORD]) + n), blocks[1], blocks[2]


def _sleeves(tree: Tree) -> Iterator[tuple[slice, Floats]]:
    """Coordinates and data (views) of every beam in a sleeve."""
    if isinstance(tree, SLEEVED):
        for row in tree.topology[1:]:
            if row[T_SLEEVE]:
                c = int(row[T_COORD])
                yield slice(c, c + int(row[T_COUNT])), tree.elastic[int(row[T_DATA]) :]


def spring_matrices(tree: Tree, q: Floats | None = None) -> tuple[Floats, Floats]:
    """K and D (nq, nq) of joints and flexible bodies at the coordinates q; a servo's gains are among them.

    Only beams in sleeves ask for coordinates: without q they are left out.
    """
    k, d = np.diag(tree.spring[:, S_K]), np.diag(tree.spring[:, S_D])
    for where, stiffness, damping in elastic_blocks(tree):
        k[where, where] = stiffness
        d[where, where] = damping
    if q is not None:
        for where, data in _sleeves(tree):
            stiffness, damping = stiffness_at(data, q[where])
            k[where, where] += stiffness
            d[where, where] += damping
    return k, d


def solve(tree: Tree, *given: Any) -> int:
    """Status; hybrid dynamics, plain or inside an implicit step, of what follows the tree in `sweeps.solve`."""
    from ..time.mechanism import record_of, sweep_of

    return int(sweep_of("solve", tree)(record_of(tree), *given))


def aba(
    tree: Tree,
    loads: Loads,
    laws: Laws,
    t: float,
    q: Floats,
    v: Floats,
    a: Floats,
    tau: Floats,
    drive: Floats,
    work: Floats,
) -> int:
    """Status; fills the accelerations of the free coordinates into `a` (driven ones given there) and forces of the
    driven ones into `drive`.
    """
    return solve(tree, loads, laws, t, False, q, v, a, tau, q, v, 0.0, 0.0, drive, work)


def rnea(
    tree: Tree, loads: Loads, laws: Laws, t: float, q: Floats, v: Floats, a: Floats, tau: Floats, work: Floats
) -> None:
    """Fill τ with the generalised forces that give the accelerations a."""
    kernel_of("rnea", type(tree))(tree, loads, laws, t, False, q, v, a, tau, work)


def crba(tree: Tree, q: Floats, v: Floats, mass: Floats, work: Floats) -> None:
    """Fill the mass matrix (nq, nq); v is only a buffer of the right length."""
    kernel_of("crba", type(tree))(tree, q, v, mass, work)


def energy(tree: Tree, q: Floats, v: Floats, work: Floats) -> tuple[float, float, float]:
    """Kinetic, elastic and gravity energy (J)."""
    kinetic, elastic, gravity = kernel_of("energy", type(tree))(tree, q, v, work)
    return kinetic, elastic, gravity
