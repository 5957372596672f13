"""The residual of an arm at given accelerations, its tangent, and the equilibrium it leads to."""

from __future__ import annotations

import numpy as np

from flexarm.analyses.blocks import softened
from flexarm.analyses.closures import closed_equilibrium
from flexarm.analyses.newton import UNSYMMETRIC, line_search, swept_equilibrium
from flexarm.analyses.state import State
from flexarm.assembly import CompiledArm
from flexarm.core.sweeps.dynamics import crba, new_work, rnea, spring_matrices, without_springs
from flexarm.core.sweeps.rigid_tangent import rigid_tangent
from flexarm.core.sweeps.tangent import tangent_columns
from flexarm.core.time.commands import command
from flexarm.core.tree.sleeve import BEYOND
from flexarm.core.tree.types import S_D, S_K, S_LEVER, S_ROTOR, Floats, SpatialTree
from flexarm.errors import AnalysisError
from flexarm.model.reading.given import Posture, read_posture

# Of more coordinates than this the equilibrium is first sought without forming a tangent.
_MANY = 40


class Forces:
    """Generalised forces of a compiled arm, with the buffers they need."""

    def __init__(self, compiled: CompiledArm, t: float = 0.0) -> None:
        self.compiled = compiled
        self.t = t
        self.nq = len(compiled.coordinate_names)
        self.work = new_work(compiled.tree)

    def inverse(self, q: Floats, v: Floats, a: Floats) -> Floats:
        """Forces (N m, N) that give the accelerations a."""
        tau = np.zeros(self.nq)
        c = self.compiled
        rnea(c.tree, c.loads, c.laws, self.t, q, v, a, tau, self.work)
        return tau

    def mass(self, q: Floats) -> Floats:
        """The mass matrix (nq, nq)."""
        m = np.zeros((self.nq, self.nq))
        crba(self.compiled.tree, q, np.zeros(self.nq), m, self.work)
        return m

    def tangents(self, state: State) -> tuple[Floats, Floats, Floats]:
        """Stiffness ∂r/∂q, damping ∂r/∂v and mass ∂r/∂a (nq, nq) at a state, all three at once where that is less."""
        if self._rigid:
            return self._exact(state)
        return *self.tangent(state), self.mass(state.q)

    @property
    def _rigid(self) -> bool:
        """True if (26g) gives the tangents: of rigid bodies without loads."""
        return isinstance(self.compiled.spatial, SpatialTree) and not self.compiled.loads.place.shape[0]

    def _exact(self, state: State) -> tuple[Floats, Floats, Floats]:
        """Stiffness, damping and mass of rigid bodies, springs, dampers and rotors included."""
        assert isinstance(self.compiled.spatial, SpatialTree)
        # a planar arm is one in space, too
        found = rigid_tangent(self.compiled.spatial, state.q, state.v, state.a)
        each = np.arange(self.nq)
        for part, column in zip(found, (S_K, S_D, S_ROTOR), strict=True):
            part[each, each] += self.compiled.tree.spring[:, column]
        return found

    def tangent(self, state: State, with_rates: bool = True) -> tuple[Floats, Floats]:
        """Stiffness ∂r/∂q and damping ∂r/∂v (nq, nq) at a state; springs and dampers enter exactly (NOTATION 26).

        Of rigid bodies without loads by (26g), else by differences. Unless `with_rates` the damping is that of dampers
        alone.
        """
        c = self.compiled
        moving = bool(np.any(state.v))
        bears = moving or bool(np.any(state.a) or np.any(c.tree.gravity)) or c.loads.place.shape[0] > 0
        wanted = bears, with_rates and moving
        if bears and self._rigid and (with_rates or not moving):
            return self._exact(state)[:2]
        springs, dampers = spring_matrices(c.tree, state.q)
        if not any(wanted):
            return springs, dampers
        # displacements are measured by the arm's size, angles by the radian
        size = np.array([1.0 if unit == "rad" else c.reach for unit in c.coordinate_units])
        bare = without_springs(c.tree) if c.sleeves else softened(c.tree)
        given = (state.q, state.v, state.a)
        stiffness, damping = tangent_columns(bare, c.loads, c.laws, self.t, given, size, self.work, wanted)
        return stiffness + springs, damping + dampers


def commanded(compiled: CompiledArm, t: float = 0.0, posture: Posture | None = None) -> State:
    """The arm undeformed at time t: driven coordinates as commanded, free joints where they start, all elastic ones
    zero.

    `posture` overrides joints by name (rad or m, or texts with a unit); rates and accelerations of those are zero.
    """
    nq = len(compiled.coordinate_names)
    q, v, a, tau = compiled.start.copy(), compiled.start_rate.copy(), np.zeros(nq), np.zeros(nq)
    command(compiled.laws, compiled.commands, t, False, q, v, a, tau)
    if posture:
        q = with_joints(compiled, q, posture)
    return State(q, v, a, tau)


def with_joints(compiled: CompiledArm, q: Floats, posture: Posture) -> Floats:
    """The coordinates with the named joints set (rad or m, or texts with a unit)."""
    q = q.copy()
    for name, value in read_posture(compiled.arm, posture).items():
        q[compiled.coordinate_names.index(name)] = value
    within_sleeves(compiled, q)
    return q


def within_sleeves(compiled: CompiledArm, q: Floats) -> None:
    """Refuse coordinates (…, nq) at which a beam is drawn in beyond its sleeve's mouth or has slid out of it."""
    for c, length in compiled.sleeves.items():
        least, most = float(np.min(q[..., c])), float(np.max(q[..., c]))
        if least < -BEYOND * length or most > (1.0 + BEYOND) * length:
            found = least if least < 0.0 else most
            raise AnalysisError(
                f'joint "{compiled.coordinate_names[c]}" is at {found:.6g} m, must be between 0 m, where its link is '
                f"drawn into its sleeve, and its whole length, {length:.6g} m"
            )


def equilibrium(
    compiled: CompiledArm, state: State, t: float = 0.0, *, hold: np.ndarray | None = None, most: int = 200
) -> tuple[State, float, int]:
    """The state with the free coordinates in equilibrium (their rates and accelerations as given), the residual left,
    iterations.

    `hold`: boolean mask of coordinates kept where they are (default: the driven ones). Newton down the
    potential; where the tangent has negative eigenvalues their signs are turned, so that a stable equilibrium is found
    and not the nearest one of any kind. Loads that follow the arm have no potential: then Newton towards smaller
    residuals, and whether the arm stays there is decided by its poles.
    """
    forces = Forces(compiled, t)
    held = compiled.driven if hold is None else hold
    free = np.flatnonzero(~held)
    now = state.copy()
    if free.size == 0:
        return now, 0.0, 0
    if compiled.closures is not None:
        closed = closed_equilibrium(compiled, now, t, free)
        return closed[:3]
    if free.size > _MANY:
        found = swept_equilibrium(compiled, now, t, free)
        if found is not None:
            within_sleeves(compiled, found[0].q)
            return found
    lever = compiled.tree.spring[free, S_LEVER]

    def unbalanced(q: Floats) -> Floats:
        return (forces.inverse(q, now.v, now.a) - now.tau)[free]

    r = unbalanced(now.q)
    scale = float(np.max(np.abs(r))) + 1e-300
    biggest = scale
    last = np.inf
    for iteration in range(1, most + 1):
        stiffness = forces.tangent(now, with_rates=False)[0][np.ix_(free, free)]
        follows = _without_potential(stiffness)
        step = np.asarray(-np.linalg.solve(stiffness, r), dtype=float) if follows else descent(stiffness, r)
        q, r, step = line_search(unbalanced, now.q, free, step, r, follows)
        now = State(q, now.v, now.a, now.tau)
        biggest = max(biggest, float(np.max(np.abs(stiffness @ now.q[free]))))
        moved = float(np.max(np.abs(step) * lever))
        # where stiff and soft meet in one body rounding keeps the last digits moving: steps then no longer shrink, and
        # the remaining forces are the rounding of those that cancel
        still = moved < 1e-12 * compiled.reach or 0.5 * last < moved < 1e-6 * compiled.reach
        last = moved
        rounding = 1e-14 * float(np.max(np.abs(stiffness) @ np.abs(now.q[free])))
        # forces that are nothing but rounding from the start have no size to compare with, but what they move has
        nothing = 1e-13 * compiled.reach * (np.abs(stiffness) @ (1.0 / np.maximum(lever, 1e-9 * compiled.reach)))
        if still and np.all(np.abs(r) <= np.maximum(max(1e-9 * biggest, rounding), nothing)):
            within_sleeves(compiled, now.q)
            return now, float(np.max(np.abs(r))), iteration
    raise AnalysisError(
        f"no equilibrium found after {most} iterations (unbalanced force {np.max(np.abs(r)):.3g}): the arm may have no "
        "stable rest position here; try locking free joints, a stiffer joint spring, or a lighter load"
    )


def _without_potential(stiffness: Floats) -> bool:
    """True if the tangent is unsymmetric by more than its differences err by."""
    return float(np.max(np.abs(stiffness - stiffness.T))) > UNSYMMETRIC * float(np.max(np.abs(stiffness)))


def descent(stiffness: Floats, r: Floats) -> Floats:
    """−K⁻¹ r, with K shifted until it is positive definite."""
    symmetric = 0.5 * (stiffness + stiffness.T)
    try:
        np.linalg.cholesky(symmetric)
        return np.asarray(-np.linalg.solve(stiffness, r), dtype=float)
    except np.linalg.LinAlgError:
        values, vectors = np.linalg.eigh(symmetric)
        floor = 1e-6 * max(float(np.max(np.abs(values))), 1e-300)
        return np.asarray(-(vectors / np.maximum(np.abs(values), floor)) @ (vectors.T @ r), dtype=float)
