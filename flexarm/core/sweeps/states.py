"""Forward dynamics and mass matrices in many states, each in one compiled loop."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from .._jit import bound, jit
from .dynamics import kernel_of, new_work
from ..time.mechanism import Mechanism, mechanism_of, solve
from ..tree.types import OK, Floats, Ints, Laws, Loads, Tree, no_loads


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


class States:
    """A tree under no loads, ready to be asked in many states at once."""

    def __init__(self, tree: Tree, laws: Laws) -> None:
        self.tree, self.laws, self.loads = tree, laws, no_loads()
        self._size = new_work(tree).shape
        # the record is valid as long as the tree's arrays are, which are kept here
        self._mechanism: Mechanism | None = None

    def forward(self, q: Floats, v: Floats, tau: Floats) -> tuple[Floats, np.ndarray]:
        """Accelerations (m, nq) of free coordinates in m states, and True for the states that have some."""
        if self._mechanism is None:
            self._mechanism = mechanism_of(self.tree, self.loads)
        a, status = np.zeros(q.shape), np.full(q.shape[0], OK, np.int64)
        drive, work = np.zeros(q.shape[1]), np.zeros(self._size)
        _forward(self._mechanism, self.loads, self.laws, q, v, tau, a, drive, status, work)
        return a, status == OK

    def masses(self, q: Floats) -> Floats:
        """Mass matrices (m, nq, nq) at m sets of coordinates."""
        mass = np.zeros((*q.shape, q.shape[1]))
        kind: Any = type(self.tree)
        _masses_of(kind)(self.tree, q, np.zeros(q.shape[1]), mass, np.zeros(self._size))
        return mass
