"""One name for the sweeps over every class of tree, and the kernel it means for each.

Kernels for flexible trees live in modules of their own, imported only where such a tree is met: an arm of rigid finite
elements pays nothing for them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from .invariants import PLANAR_VECTORS, SPATIAL_VECTORS
from .sleeve import soften, stiffness_at
from .springs import no_form, planar_form, spatial_form
from .types import (
    S_D,
    S_GAIN,
    S_K,
    S_RATE_GAIN,
    T_COORD,
    T_COUNT,
    T_DATA,
    T_SLEEVE,
    Floats,
    Laws,
    LinearTree,
    Loads,
    PlanarElementTree,
    PlanarFlexTree,
    PlanarSleeveTree,
    PlanarStretchTree,
    PlanarTree,
    SpatialElementTree,
    SpatialFlexTree,
    SpatialSleeveTree,
    SpatialStretchTree,
    SpatialTree,
    Tree,
)

SLEEVED = (PlanarSleeveTree, SpatialSleeveTree)


def kernel_of(name: str, tree: type) -> Any:
    """The kernel of a sweep ("solve", "rnea", "crba", "energy", "load_power", of flexible trees "observe") for a class
    of tree.
    """
    if tree is PlanarTree:
        from . import crba, planar_aba, planar_rnea, power

        return {
            "solve": planar_aba.planar_solve,
            "rnea": planar_rnea.planar_rnea,
            "crba": crba.planar_crba,
            "energy": planar_rnea.planar_energy,
            "load_power": power.planar_load_power,
        }[name]
    if tree is SpatialTree:
        from . import aba, crba, power, rnea

        return {
            "solve": aba.spatial_solve,
            "rnea": rnea.spatial_rnea,
            "crba": crba.spatial_crba,
            "energy": rnea.spatial_energy,
            "load_power": power.spatial_load_power,
        }[name]
    if tree is SpatialElementTree and name == "solve":
        from .spatial_element_aba import element_solve as spatial_element_solve

        return spatial_element_solve
    if tree is SpatialStretchTree and name == "solve":
        from .spatial_stretch_aba import stretch_solve as spatial_stretch_solve

        return spatial_stretch_solve
    if tree is PlanarElementTree and name == "solve":
        from .planar_element_aba import element_solve

        return element_solve
    if tree is PlanarStretchTree and name == "solve":
        from .planar_stretch_aba import stretch_solve

        return stretch_solve
    if tree in (PlanarFlexTree, PlanarElementTree, PlanarStretchTree):
        from . import flex_planar_aba, flex_planar_crba, flex_planar_observe, flex_planar_rnea

        return {
            "solve": flex_planar_aba.flex_planar_solve,
            "rnea": flex_planar_rnea.flex_planar_rnea,
            "crba": flex_planar_crba.flex_planar_crba,
            "energy": flex_planar_rnea.flex_planar_energy,
            "load_power": flex_planar_observe.flex_planar_load_power,
            "observe": flex_planar_observe.flex_planar_observe,
        }[name]
    if tree in (SpatialFlexTree, SpatialElementTree, SpatialStretchTree):
        from . import flex_aba, flex_crba, flex_loads, flex_observe, flex_rnea

        return {
            "solve": flex_aba.flex_solve,
            "rnea": flex_rnea.flex_rnea,
            "crba": flex_crba.flex_crba,
            "energy": flex_rnea.flex_energy,
            "load_power": flex_loads.flex_load_power,
            "observe": flex_observe.flex_observe,
        }[name]
    if tree is PlanarSleeveTree:
        from . import sleeve_planar

        return getattr(sleeve_planar, f"sleeve_planar_{name}")
    if tree is SpatialSleeveTree:
        from . import sleeve_spatial

        return getattr(sleeve_spatial, f"sleeve_spatial_{name}")
    if tree is LinearTree:
        from . import linear

        return {
            "solve": linear.linear_solve,
            "energy": linear.linear_energy,
            "load_power": linear.linear_load_power,
        }[name]
    raise TypeError(f"no kernels for {tree.__name__}")


def new_work(tree: Tree | LinearTree) -> Floats:
    """A work array for the sweeps over a tree: a row per body; of a planar tree of rigid bodies a row per quantity."""
    if isinstance(tree, LinearTree):
        return new_work(tree.bare)
    rows = tree.topology.shape[0]
    if isinstance(tree, PlanarTree):
        from .planar_geometry import PLANAR_WORK

        return np.zeros((PLANAR_WORK, rows))
    if isinstance(tree, SpatialTree):
        from .columns import SPATIAL_WORK

        return np.zeros((rows, SPATIAL_WORK))
    most = int(tree.topology[0, T_COUNT])
    if isinstance(tree, SpatialElementTree):
        from .flex_columns import width as general
        from .spatial_element_rows import WIDTH

        return np.zeros((rows + 1, max(WIDTH, general(most))))
    if isinstance(tree, SpatialStretchTree):
        from .flex_columns import width as general
        from .spatial_stretch_rows import JOINT_WIDTH
        from .spatial_stretch_rows import WIDTH as eight

        # the dynamics takes it as one piece, the energy a row for each body
        size = tree.element.shape[0] * eight + int(tree.place[0]) * JOINT_WIDTH
        return np.zeros((rows + 1, max(-(-size // (rows + 1)), general(most))))
    if isinstance(tree, PlanarElementTree):
        from .flex_planar_columns import width as flexible
        from .planar_element_rows import WIDTH as without
        from .planar_stretch_rows import STRETCH_WIDTH

        eight_bodies = STRETCH_WIDTH if isinstance(tree, PlanarStretchTree) else without
        # the dynamics needs a row for eight bodies, the energy a row for each
        return np.zeros((rows + 1, max(eight_bodies, flexible(most))))
    if isinstance(tree, PlanarFlexTree):
        from .flex_planar_columns import width
    else:
        from .flex_columns import width
    columns = width(most)
    if isinstance(tree, SLEEVED):
        from .sleeve_columns import width as sleeve_width

        columns += sleeve_width(most)
    # one row more, for frames that are only read
    return np.zeros((rows + 1, columns))


def wrench_columns(tree: SpatialTree | SpatialFlexTree) -> tuple[int, int]:
    """Columns of the work array where inverse dynamics leaves the moment and the force a body takes (spatial trees)."""
    if isinstance(tree, SpatialTree):
        from .columns import PF0, PN0

        return PN0, PF0
    from .flex_columns import P

    return P, P + 3


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


def _form_of(tree: type) -> Any:
    if tree in (PlanarFlexTree, PlanarElementTree, PlanarStretchTree):
        return planar_form
    if tree is LinearTree:
        from .linear import linear_form

        return linear_form
    if tree is PlanarSleeveTree or tree is SpatialSleeveTree:
        return kernel_of("form", tree)
    return spatial_form if tree in (SpatialFlexTree, SpatialElementTree, SpatialStretchTree) else no_form


def sweeps_of(tree: type) -> dict[str, Any]:
    """What the names `solve`, `energies`, `load_power` and `elastic_form` mean for a class of tree."""
    return {
        "solve": kernel_of("solve", tree),
        "energies": kernel_of("energy", tree),
        "load_power": kernel_of("load_power", tree),
        "elastic_form": _form_of(tree),
    }


# Names for the steppers to be written in; `bound` puts the kernels of a class of tree in their place.


def solve(tree, loads, laws, t, left, q, v, a, tau, q_spring, v_damper, gh, bh2, drive, work):  # type: ignore[no-untyped-def]
    """Hybrid dynamics, plain or inside an implicit step; see `planar_solve`."""
    raise TypeError("solve stands for a kernel")


def energies(tree, q, v, work):  # type: ignore[no-untyped-def]
    """Kinetic, elastic and gravity energy (J); see `planar_energy`."""
    raise TypeError("energies stands for a kernel")


def load_power(tree, loads, laws, t, left, q, v, work):  # type: ignore[no-untyped-def]
    """Power of the external loads (W); see `planar_load_power`."""
    raise TypeError("load_power stands for a kernel")


def elastic_form(tree, q, x, rate, stiff):  # type: ignore[no-untyped-def]
    """xᵀ (rate·D + stiff·K) x over the flexible bodies at the coordinates q; see `springs`."""
    raise TypeError("elastic_form stands for a kernel")


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
    kernel = kernel_of("solve", type(tree))
    return int(kernel(tree, loads, laws, t, False, q, v, a, tau, q, v, 0.0, 0.0, drive, work))


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
