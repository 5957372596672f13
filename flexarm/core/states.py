"""Forward dynamics and mass matrices in many states, each in one compiled loop."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from ._jit import bound, jit
from .dynamics import kernel_of, new_work
from .mechanism import Mechanism, mechanism_of, solve
from .types import OK, Floats, Ints, Laws, Loads, Tree


def crba(tree, q, v, mass, work):  # type: ignore[no-untyped-def]
    """The mass matrix. Stands for the kernel that `bound` puts in its place."""
    raise TypeError("crba stands for a kernel")


@jit
def _forward(
    tree: Mechanism,
    loads: Loads,
    laws: Laws,
    q: Floats,
    v: Floats,
    tau: Floats,
    a: Floats,
    drive: Floats,
    status: Ints,
    work: Floats,
) -> None:
    """Fill the accelerations (m, nq) and a Status for each state."""
    for k in range(q.shape[0]):
        status[k] = solve(tree, loads, laws, 0.0, False, q[k], v[k], a[k], tau[k], q[k], v[k], 0.0, 0.0, drive, work)


def _masses(tree, q, v, mass, work):  # type: ignore[no-untyped-def]
    """Fill the mass matrices (m, nq, nq)."""
    for k in range(q.shape[0]):
        crba(tree, q[k], v, mass[k], work)


@cache
def _masses_of(kind: type) -> Any:
    return jit(bound(_masses, f"masses_{kind.__name__}", crba=kernel_of("crba", kind)))


def forward_states(
    tree: Tree, loads: Loads, laws: Laws, q: Floats, v: Floats, tau: Floats
) -> tuple[Floats, np.ndarray]:
    """Accelerations (m, nq) of free coordinates in m states, and True for the states that have some."""
    a, status = np.zeros_like(q), np.full(len(q), OK, np.int64)
    _forward(mechanism_of(tree, loads), loads, laws, q, v, tau, a, np.zeros(q.shape[1]), status, new_work(tree))
    return a, status == OK


def mass_states(tree: Tree, q: Floats) -> Floats:
    """Mass matrices (m, nq, nq) at m sets of coordinates."""
    mass = np.zeros((*q.shape, q.shape[1]))
    kind: Any = type(tree)
    _masses_of(kind)(tree, q, np.zeros(q.shape[1]), mass, new_work(tree))
    return mass
