"""One name for planar and spatial: the sweep that fits the tree is chosen when the caller is compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ._jit import choose, inner
from .aba import spatial_solve
from .columns import SPATIAL_WORK
from .crba import planar_crba, spatial_crba
from .planar_aba import planar_solve
from .planar_geometry import PLANAR_WORK
from .planar_rnea import planar_energy, planar_rnea
from .power import planar_load_power, spatial_load_power
from .rnea import spatial_energy, spatial_rnea
from .types import Floats, Laws, Loads, PlanarTree, Tree


def new_work(tree: Tree) -> Floats:
    """A work array for the sweeps over a tree: a row per body in space, a row per quantity in the plane."""
    rows = tree.topology.shape[0]
    return np.zeros((PLANAR_WORK, rows)) if isinstance(tree, PlanarTree) else np.zeros((rows, SPATIAL_WORK))


def _by_tree(planar: Callable[..., Any], spatial: Callable[..., Any]) -> Callable[[type], Callable[..., Any]]:
    return lambda tree: planar if tree is PlanarTree else spatial


def any_solve(tree, loads, laws, t, left, q, v, a, tau, q_spring, v_damper, gh, bh2, drive, work):  # type: ignore[no-untyped-def]
    """Hybrid dynamics, plain or inside an implicit step; see `planar_solve`."""
    raise TypeError("any_solve is called by compiled code only")


def any_energies(tree, q, v, work):  # type: ignore[no-untyped-def]
    """Kinetic, elastic and gravity energy; see `planar_energy`."""
    raise TypeError("any_energies is called by compiled code only")


def any_load_power(tree, loads, laws, t, left, q, v, work):  # type: ignore[no-untyped-def]
    """Power of the external loads; see `planar_load_power`."""
    raise TypeError("any_load_power is called by compiled code only")


choose(any_solve, _by_tree(planar_solve, spatial_solve))
choose(any_energies, _by_tree(planar_energy, spatial_energy))
choose(any_load_power, _by_tree(planar_load_power, spatial_load_power))


# The choice compiled once, for all steppers to share.


@inner
def solve(tree, loads, laws, t, left, q, v, a, tau, q_spring, v_damper, gh, bh2, drive, work):  # type: ignore[no-untyped-def]
    """Hybrid dynamics, plain or inside an implicit step; see `planar_solve`."""
    return any_solve(tree, loads, laws, t, left, q, v, a, tau, q_spring, v_damper, gh, bh2, drive, work)


@inner
def energies(tree, q, v, work):  # type: ignore[no-untyped-def]
    """Kinetic, elastic and gravity energy (J); see `planar_energy`."""
    return any_energies(tree, q, v, work)


@inner
def load_power(tree, loads, laws, t, left, q, v, work):  # type: ignore[no-untyped-def]
    """Power of the external loads (W); see `planar_load_power`."""
    return any_load_power(tree, loads, laws, t, left, q, v, work)


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
    kernel: Any = planar_solve if isinstance(tree, PlanarTree) else spatial_solve
    return int(kernel(tree, loads, laws, t, False, q, v, a, tau, q, v, 0.0, 0.0, drive, work))


def rnea(
    tree: Tree, loads: Loads, laws: Laws, t: float, q: Floats, v: Floats, a: Floats, tau: Floats, work: Floats
) -> None:
    """Fill τ with the generalised forces that give the accelerations a."""
    kernel: Any = planar_rnea if isinstance(tree, PlanarTree) else spatial_rnea
    kernel(tree, loads, laws, t, False, q, v, a, tau, work)


def crba(tree: Tree, q: Floats, v: Floats, mass: Floats, work: Floats) -> None:
    """Fill the mass matrix (nq, nq); v is only a buffer of the right length."""
    kernel: Any = planar_crba if isinstance(tree, PlanarTree) else spatial_crba
    kernel(tree, q, v, mass, work)


def energy(tree: Tree, q: Floats, v: Floats, work: Floats) -> tuple[float, float, float]:
    """Kinetic, elastic and gravity energy (J)."""
    kernel: Any = planar_energy if isinstance(tree, PlanarTree) else spatial_energy
    kinetic, elastic, gravity = kernel(tree, q, v, work)
    return kinetic, elastic, gravity
