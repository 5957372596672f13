"""The tangent of an arm's forces about a state as products with vectors, each O(n), and what inverts its stiff part.

In relative coordinates springs are blocks along the diagonal, and everything else - inertia, weight, loads, rotation -
is a sweep over the tree. So nothing here ever holds a matrix (n, n).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from flexarm.analyses.blocks import Blocks, softened, spring_blocks
from flexarm.analyses.state import State
from flexarm.assembly import CompiledArm
from flexarm.core.sweeps.dynamics import kernel_of, new_work, solve
from flexarm.core.sweeps.forces_along import forces_along
from flexarm.core.sweeps.tangent import OFFSETS, STEP, WEIGHTS
from flexarm.core.tree.elements import own_tree
from flexarm.core.tree.types import OK, S_DRIVEN, S_REST, T_COORD, T_DRIVEN, T_JOINT, Floats, Ints, no_loads
from flexarm.errors import AnalysisError

# A spring that holds less than this part of what the stiffest one of its kind does is taken for none.
_NO_SPRING = 1e-12


class Tangent:
    """K = K_s + K_g, D and M of the moving coordinates of an arm about a state; loads as they are at time t (s)."""

    def __init__(self, compiled: CompiledArm, state: State, moving: Ints, t: float = 0.0) -> None:
        self.compiled, self.state, self.moving, self.t = compiled, state, moving, t
        tree = compiled.tree
        self.springs, self.dampers = spring_blocks(tree, moving)
        self.bare = softened(tree)
        self.work = new_work(tree)
        self.nq = len(state.q)
        # displacements are measured by the arm's size, angles by the radian
        units = np.array(compiled.coordinate_units)[moving]
        self.size = np.where(units == "rad", 1.0, compiled.reach)
        self.moves = bool(np.any(state.v != 0.0))
        self.bears = bool(self.moves or np.any(state.a != 0.0) or np.any(tree.gravity) or compiled.loads.place.shape[0])
        self._inert: Any = (self.bare._replace(gravity=np.zeros_like(tree.gravity)), no_loads(), compiled.laws)

    def mass(self, x: Floats) -> Floats:
        """M x of columns (n, k)."""
        accelerations = np.zeros((x.shape[1], self.nq))
        accelerations[:, self.moving] = x.T
        still = np.zeros_like(accelerations)
        return self._forces(self._inert, np.repeat(self.state.q[None], len(still), axis=0), still, accelerations).T

    def geometric(self, x: Floats) -> Floats:
        """K_g x of columns (n, k): what weight, loads and motion add to the stiffness."""
        if not self.bears or not x.size:
            return np.zeros_like(x)
        return self._derivative(x, rates=False)

    def gyroscopic(self, x: Floats) -> Floats:
        """G x of columns (n, k): inertia forces per unit rate."""
        return self._derivative(x, rates=True) if self.moves else np.zeros_like(x)

    def stiffness(self, x: Floats) -> Floats:
        """K x of columns (n, k)."""
        return self.springs.times(x) + self.geometric(x)

    def residual(self, q: Floats) -> Floats:
        """Unbalanced forces (n,) at coordinates q (nq,), rates and accelerations as in the state."""
        c, state, found = self.compiled, self.state, np.zeros(self.nq)
        kernel_of("rnea", type(c.tree))(c.tree, c.loads, c.laws, self.t, False, q, state.v, state.a, found, self.work)
        return np.asarray((found - state.tau)[self.moving])

    def at(self, q: Floats) -> Tangent:
        """The same about other coordinates (nq,)."""
        moved = object.__new__(Tangent)
        moved.__dict__.update(self.__dict__)
        moved.state = State(q, self.state.v, self.state.a, self.state.tau)
        return moved

    def symmetric(self, part: float, pairs: int = 2) -> bool:
        """True if K_g is symmetric but for the given part of its size, as products with random vectors show it."""
        if not self.bears or not len(self.moving):
            return True
        x = np.random.default_rng(1).standard_normal((len(self.moving), 2 * pairs)) / self.size[:, None]
        y = self.geometric(x)
        across = x.T @ y
        return float(np.max(np.abs(across - across.T))) <= part * float(np.max(np.abs(across)) + 1e-300)

    def _derivative(self, x: Floats, *, rates: bool) -> Floats:
        """Derivative of the forces without springs along columns (n, k) of displacements, or of rates."""
        count = x.shape[1]
        # what all parts of a column turn the arm by together is a small angle; of rates any step is exact
        whole = np.sum(np.abs(x) / self.size[:, None], axis=0)
        step = (1.0 if rates else STEP) / np.where(whole > 0.0, whole, 1.0)
        state = self.state
        given = np.zeros((count, self.nq))
        given[:, self.moving] = x.T * step[:, None]
        offsets, weights = ((-1.0, 1.0), (-0.5, 0.5)) if rates else (OFFSETS, WEIGHTS)
        moved = np.concatenate([offset * given for offset in offsets])
        q, v, a = (np.repeat(part[None], len(moved), axis=0) for part in (state.q, state.v, state.a))
        if rates:
            v += moved
        else:
            q += moved
        c = self.compiled
        forces = self._forces((self.bare, c.loads, c.laws), q, v, a)
        found = np.tensordot(np.array(weights), forces.reshape(len(offsets), count, -1), axes=1)
        return np.asarray((found / step[:, None]).T)

    def _forces(self, what: Any, q: Floats, v: Floats, a: Floats) -> Floats:
        """Forces (k, n) on the moving coordinates in k states."""
        tau = np.zeros_like(q)
        tree, loads, laws = what
        forces_along(tree, loads, laws, float(self.t), q, v, a, tau, self.work)
        return np.asarray(tau[:, self.moving])


@dataclass(frozen=True, eq=False)
class Stiff:
    """B = K_s + σM of the moving coordinates, positive definite, by its inverse; σ = 0 where all of them have springs,
    and where some have none the sweep of an implicit step, (16) with β h² = 1/σ, is that inverse.
    """

    sigma: float  # 1/s²
    inner: Blocks | None
    sweep: Any = None

    def solve(self, forces: Floats) -> Floats:
        """B⁻¹ f of columns (n, k)."""
        return self.inner.times(forces) if self.inner is not None else self.sweep(forces)  # type: ignore[no-any-return]


def stiff_part(tangent: Tangent) -> Stiff | None:
    """What inverts the stiff part of a tangent; None where nothing here does: beams in sleeves, springs that push."""
    if tangent.compiled.sleeves:
        return None
    diagonal = tangent.springs.diagonal
    if np.any(diagonal < 0.0):
        return None
    slack = diagonal * tangent.size**2 <= _NO_SPRING * float(np.max(diagonal * tangent.size**2, initial=0.0))
    if not np.any(slack):
        inner = tangent.springs.inverse()
        return None if inner is None else Stiff(0.0, inner)
    return _swept(tangent, slack)


def _swept(tangent: Tangent, slack: np.ndarray) -> Stiff | None:
    """B about σ, by the sweep; σ is of the size of the lowest ω² of the sprung coordinates with the others held."""
    held = np.flatnonzero(~slack)
    sigma = 1.0
    if len(held):
        x = np.zeros((len(slack), 1))
        x[held, 0] = 1.0 / np.sqrt(tangent.springs.diagonal[held])
        largest = 0.0
        for _ in range(6):
            y = tangent.mass(x)[held, 0]
            largest = float(np.sqrt(y @ (y / tangent.springs.diagonal[held])) / np.sqrt(_square(tangent, x, held)))
            x[held, 0] = y / tangent.springs.diagonal[held]
            x /= float(np.max(np.abs(x))) + 1e-300
        sigma = 1.0 / largest if largest > 0.0 and np.isfinite(largest) else 1.0
    compiled = tangent.compiled
    moves = np.zeros(tangent.nq, bool)
    moves[tangent.moving] = True
    if not np.all(moves[compiled.elastic_coordinates]):
        return None  # the sweep eliminates all of a flexible body's coordinates
    weightless = compiled.tree._replace(gravity=np.zeros_like(compiled.tree.gravity))
    tree: Any = own_tree(weightless, no_loads())
    topology, spring = tree.topology.copy(), tree.spring
    spring[:, S_DRIVEN] = np.where(moves, 0.0, 1.0)
    joints = np.flatnonzero((topology[:, T_JOINT] != 0) & (topology[:, T_COORD] >= 0))
    topology[joints, T_DRIVEN] = ~moves[topology[joints, T_COORD]]
    tree = tree._replace(topology=topology)
    work, nq = new_work(tree), tangent.nq
    rest, still, drive = spring[:, S_REST].copy(), np.zeros(nq), np.zeros(nq)
    loads, laws, q = no_loads(), compiled.laws, tangent.state.q

    def inverse(forces: Floats) -> Floats:
        found = np.zeros_like(forces)
        for k in range(forces.shape[1]):
            tau, a = np.zeros(nq), np.zeros(nq)
            tau[tangent.moving] = forces[:, k]
            status = solve(tree, loads, laws, 0.0, False, q, still, a, tau, rest, still, 0.0, 1.0 / sigma, drive, work)
            if status != OK:
                raise AnalysisError("the inertia of the arm is not positive where it is in equilibrium")
            found[:, k] = a[tangent.moving] / sigma
        return found

    return Stiff(sigma, None, inverse)


def _square(tangent: Tangent, x: Floats, held: Ints) -> float:
    return float(x[held, 0] ** 2 @ tangent.springs.diagonal[held]) + 1e-300
