"""Lagrange's equations of a tree of rigid and flexible bodies, taken literally from places, energies and derivatives.

Every frame is a product of homogeneous transforms carried together with its time derivative. A rigid body has its
exact kinetic energy; that of a flexible one is summed over its stations to second order in the elastic coordinates η,

    T = ½ Σ dm (|a0|² + 2 a0·a1 + |a1|² + 2 a0·a2) + ½ Σ (ω + Ψη̇)·j(ω + Ψη̇),
    a0 = v + ω×ρ,  a1 = ω×Φη + Φη̇,  a2 = −½ ω×e_x ηᵀHη − e_x (Hη)·η̇       (ω, v of its frame, in its axes)

with a body's products of coordinates also its sections' inertia turned by R = exp(ψ~), ψ = Ψη + ½ηᵀQη,

    T_rot = ½ Σ Ω·jΩ,  Ω = Rᵀ(ω + dR Rᵀ) = ω − ψ×ω + ½ψ×(ψ×ω) + ψ̇ − ½ψ×ψ̇ + …     to second order,

and in its weight the displacement across the axis. Then

    d/dt(∂T/∂v) − ∂T/∂q + ∂U/∂q + damping = Ṁ v + M a − ∂T/∂q + ∂U/∂q + damping = force.

All derivatives are by the complex step (f(x + ih).imag / h), which has no cancellation: the answers are good to
rounding. Nothing is summed in advance over the stations (but products of coordinates) and nothing is passed from tip to
base.

Coordinates stand body by body: that of the joint, or the elastic ones. All results are in base axes and SI units.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from flexarm.core.tree.build import Body
from flexarm.core.tree.elastic import Attachment, Elastic

from .transforms import Frame, assembled, cross_matrix, exponential, still

STEP = 1e-30  # the complex step has no lower bound set by cancellation
E_X = np.array([1.0, 0.0, 0.0])

Tree = Sequence[Body]
Pairs = list[tuple[np.ndarray, np.ndarray]]


class Energy(NamedTuple):
    """Kinetic, elastic and gravitational energy, the last zero at the base origin (J)."""

    kinetic: float
    elastic: float
    gravity: float


class PointMotion(NamedTuple):
    """Where a point is and how it moves, in base axes; `rotation` turns vectors of its frame into base axes."""

    position: np.ndarray
    rotation: np.ndarray
    velocity: np.ndarray
    spin: np.ndarray
    acceleration: np.ndarray
    angular_acceleration: np.ndarray


@dataclass(frozen=True, kw_only=True, eq=False)
class Wrench:
    """A force and a moment on a body, at `offset` from its frame or from a frame on its axis, in that frame's axes.

    Force and moment have base axes, or turn with the frame if the wrench follows it.
    """

    body: int
    force: np.ndarray = field(default_factory=lambda: np.zeros(3))
    moment: np.ndarray = field(default_factory=lambda: np.zeros(3))
    offset: np.ndarray = field(default_factory=lambda: np.zeros(3))
    attachment: Attachment | None = None
    follows: bool = False


# --- Coordinates -----------------------------------------------------------------------------------------------------


def columns(bodies: Tree) -> list[slice]:
    """For each body the columns of its coordinates; none for a rigid body that is fixed."""
    places, first = [], 0
    for body in bodies:
        if body.elastic is not None and (body.kind != "fixed" or body.mass):
            raise ValueError("a flexible body is fixed to what carries it and has no mass but its stations'")
        count = int(body.kind != "fixed") if body.elastic is None else body.elastic.count
        places.append(slice(first, first + count))
        first += count
    return places


def freedoms(bodies: Tree) -> int:
    """Number of coordinates."""
    return columns(bodies)[-1].stop if bodies else 0


def driven_columns(bodies: Tree) -> np.ndarray:
    """True for each coordinate whose body is marked as driven (n,)."""
    mask = np.zeros(freedoms(bodies), dtype=bool)
    for body, place in zip(bodies, columns(bodies), strict=True):
        mask[place] = body.driven
    return mask


# --- Places ----------------------------------------------------------------------------------------------------------


def _joint(body: Body, q: np.ndarray, v: np.ndarray) -> Frame:
    """The step of a joint at coordinate q with rate v (...)."""
    axis = np.asarray(body.axis, dtype=float)
    if body.kind == "prismatic":
        return assembled(np.eye(3), q[..., None] * axis, np.zeros((3, 3)), v[..., None] * axis)
    if body.kind != "revolute":
        raise ValueError(f"joint kind {body.kind!r}")
    # Rodrigues: R = 1 + sin q ã + (1 − cos q) ã²
    A = cross_matrix(axis)
    s, c, rate = np.sin(q)[..., None, None], np.cos(q)[..., None, None], v[..., None, None]
    R, dR = np.eye(3) + s * A + (1.0 - c) * (A @ A), (c * A + s * (A @ A)) * rate
    return assembled(R, np.zeros(3), dR, np.zeros(3))


def _on_axis(at: Attachment, eta: np.ndarray, rate: np.ndarray) -> Frame:
    """The step from a flexible body's frame to a frame on its axis: (x, 0, 0) + Φη − ½ e_a ηᵀH_aη, exp(θ~)."""
    second = np.zeros((6, *at.shortening.shape))
    second[0] = at.shortening
    if at.products is not None:
        second[1:] = at.products
    value = 0.5 * np.einsum("...j,ajk,...k->...a", eta, second, eta)
    change = 0.5 * (
        np.einsum("...j,ajk,...k->...a", eta, second, rate) + np.einsum("...j,ajk,...k->...a", rate, second, eta)
    )
    turn, turning = eta @ at.psi.T + value[..., 3:], rate @ at.psi.T + change[..., 3:]
    R, dR = exponential(cross_matrix(turn), cross_matrix(turning))
    return assembled(R, at.x * E_X + eta @ at.phi.T - value[..., :3], dR, rate @ at.phi.T - change[..., :3])


def _form(H: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The bilinear form aᵀHb (..., 1)."""
    return np.einsum("...j,jk,...k->...", a, H, b)[..., None]


def _frames(bodies: Tree, q: np.ndarray, v: np.ndarray) -> list[Frame]:
    """The frame of every body; q and v broadcast over leading axes and may be complex."""
    lead = np.broadcast_shapes(q.shape[:-1], v.shape[:-1])
    base = still(np.eye(3), np.zeros((*lead, 3)))
    frames: list[Frame] = []
    for body, place in zip(bodies, columns(bodies), strict=True):
        frame = base
        if body.parent >= 0:
            frame = _place(bodies, frames, body.parent, body.attachment, q, v)
        frame = frame.then(still(body.rotation, body.offset))
        if body.kind != "fixed":
            frame = frame.then(_joint(body, q[..., place.start], v[..., place.start]))
        frames.append(frame)
    return frames


def _place(bodies: Tree, frames: list[Frame], body: int, at: Attachment | None, q: np.ndarray, v: np.ndarray) -> Frame:
    """The frame of a body, or one on its axis."""
    here = columns(bodies)[body]
    return frames[body] if at is None else frames[body].then(_on_axis(at, q[..., here], v[..., here]))


# --- Energies --------------------------------------------------------------------------------------------------------


def _rigid_products(body: Body, frame: Frame) -> Pairs:
    """Pairs of rows, linear in the rates, whose products add up to twice the kinetic energy."""
    spin = frame.in_own_axes(frame.spin)
    u = frame.rate[..., :3, :] @ np.array([*body.centre, 1.0])
    return [(u, body.mass * u), (spin, spin @ body.inertia)]


def _flexible_products(elastic: Elastic, frame: Frame, eta: np.ndarray, rate: np.ndarray) -> Pairs:
    """The same for a flexible body, to second order in η and its rate."""
    w = frame.in_own_axes(frame.spin)[..., None, :]
    v = frame.in_own_axes(frame.speed)[..., None, :]
    u, du = (np.einsum("gaj,...j->...ga", elastic.phi, part) for part in (eta, rate))
    h = np.einsum("...j,gjk,...k->...g", eta, elastic.shortening, eta)[..., None]
    half_dh = np.einsum("...j,gjk,...k->...g", eta, elastic.shortening, rate)[..., None]
    a0 = v + np.cross(w, elastic.x[:, None] * E_X)
    a1 = np.cross(w, u) + du
    a2 = -0.5 * np.cross(w, h * E_X) - half_dh * E_X
    dm = elastic.mass[:, None]
    psi, turning = (np.einsum("gaj,...j->...ga", elastic.psi, part) for part in (eta, rate))
    pairs = [(a0, dm * (a0 + 2 * a1 + 2 * a2)), (a1, dm * a1)]
    if elastic.products is None:
        pairs.append((w + turning, elastic.rotary * (w + turning)))
    else:
        b1 = turning - np.cross(psi, w)
        b2 = 0.5 * np.cross(psi, np.cross(psi, w) - turning)
        b0 = np.broadcast_to(w, b1.shape)
        pairs += [(b0, elastic.rotary * (b0 + 2 * b1 + 2 * b2)), (b1, elastic.rotary * b1)]
    flat = [(one.reshape(*one.shape[:-2], -1), two.reshape(*two.shape[:-2], -1)) for one, two in pairs]
    lead = flat[0][0].shape[:-1]
    if elastic.products is not None:
        # 2 ω·Σ j (θ̇ − θ×ω) of θ = ½ηᵀQη
        spin, u = w[..., 0, :], elastic.products.turned
        value = 0.5 * np.einsum("...j,abjk,...k->...ab", eta, u, eta)
        change = np.einsum("...j,aajk,...k->...a", eta, u, rate)
        around = np.stack([np.cross(value[..., a, :], spin)[..., a] for a in range(3)], axis=-1)
        flat.append((np.broadcast_to(spin, (*lead, 3)), np.broadcast_to(2 * (change - around), (*lead, 3))))
    if elastic.handed is not None:
        far = np.broadcast_to(w[..., 0, :] + rate @ elastic.handed.psi.T, (*lead, 3))
        flat.append((far, -elastic.handed.rotary * far))
    own = np.broadcast_to(rate, (*lead, rate.shape[-1]))
    return flat if elastic.added is None else [*flat, (own, own @ elastic.added)]


def _products(bodies: Tree, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two sets of rows (..., many), linear in v, with 2 T = Σ one·two over the whole tree."""
    pairs: Pairs = []
    for body, frame, place in zip(bodies, _frames(bodies, q, v), columns(bodies), strict=True):
        if body.elastic is not None:
            pairs += _flexible_products(body.elastic, frame, q[..., place], v[..., place])
            spin = frame.in_own_axes(frame.spin)
            pairs.append((spin, spin @ body.inertia))
            continue
        pairs += _rigid_products(body, frame)
        own = np.broadcast_to(v[..., place], (*frame.p.shape[:-1], place.stop - place.start))
        pairs.append((own, body.rotor * own))
    one, two = zip(*pairs, strict=True)
    return np.concatenate(one, axis=-1), np.concatenate(two, axis=-1)


def _kinetic(bodies: Tree, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Kinetic energy (...)."""
    one, two = _products(bodies, q, v)
    return 0.5 * np.sum(one * two, axis=-1)


def _stored(bodies: Tree, q: np.ndarray) -> np.ndarray:
    """Energy of the joints' springs and the beams."""
    total = np.zeros(q.shape[:-1])
    for body, place in zip(bodies, columns(bodies), strict=True):
        own = q[..., place]
        if body.elastic is not None:
            total = total + 0.5 * _form(body.elastic.stiffness, own, own)[..., 0]
        elif body.kind != "fixed":
            total = total + 0.5 * body.stiffness * (own[..., 0] - body.rest) ** 2
    return total


def _height(bodies: Tree, gravity: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Energy of the weight, −g·Σ m r over rigid bodies and stations."""
    total = np.zeros(q.shape[:-1])
    for body, frame, place in zip(bodies, _frames(bodies, q, np.zeros(q.shape[-1])), columns(bodies), strict=True):
        mass, r = np.array([body.mass]), np.asarray(body.centre, dtype=float)[None, :]
        if body.elastic is not None:
            mass, r = body.elastic.mass, _stations(body.elastic, q[..., place])
            if body.elastic.products is not None:
                own = q[..., place]
                fallen = 0.5 * np.einsum("...j,ajk,...k->...a", own, body.elastic.products.across, own)
                total = total + np.einsum("i,...ij,...j->...", gravity, frame.R[..., 1:], fallen)
        total = total - np.einsum("i,...ij,...gj,g->...", gravity, frame.R, r, mass) - (frame.p @ gravity) * mass.sum()
    return total


def _stations(elastic: Elastic, eta: np.ndarray) -> np.ndarray:
    """Places of the stations in the body's axes (..., g, 3)."""
    h = np.einsum("...j,gjk,...k->...g", eta, elastic.shortening, eta)[..., None]
    return elastic.x[:, None] * E_X + np.einsum("gaj,...j->...ga", elastic.phi, eta) - 0.5 * h * E_X


# --- What is asked ---------------------------------------------------------------------------------------------------


def energy(bodies: Tree, gravity: ArrayLike, q: ArrayLike, v: ArrayLike) -> Energy:
    """Kinetic, elastic and gravity energy (J); q and v may be complex, for derivatives by the complex step."""
    q, v, g = np.asarray(q), np.asarray(v), np.asarray(gravity, dtype=float)
    return Energy(_kinetic(bodies, q, v)[()], _stored(bodies, q)[()], _height(bodies, g, q)[()])


def mass_matrix(bodies: Tree, q: ArrayLike) -> np.ndarray:
    """Mass matrix (n, n); rotor inertias on its diagonal. q may be complex."""
    q = np.asarray(q)
    one, two = _products(bodies, q, np.eye(q.size))
    return 0.5 * (one @ two.T + two @ one.T)


def damping_force(bodies: Tree, v: ArrayLike) -> np.ndarray:
    """Forces (n,) it takes to overcome the joints' dampers, d q̇, and the beams', Dη̇."""
    v = np.asarray(v, dtype=float)
    force = np.zeros(v.size)
    for body, place in zip(bodies, columns(bodies), strict=True):
        force[place] = body.damping * v[place] if body.elastic is None else body.elastic.damping @ v[place]
    return force


def load_force(bodies: Tree, q: ArrayLike, loads: Sequence[Wrench]) -> np.ndarray:
    """Generalised forces (n,) of the loads, by the power they have on unit rates."""
    q = np.asarray(q, dtype=float)
    force, units = np.zeros(q.size), np.eye(q.size)
    frames = _frames(bodies, q, units)
    for load in loads:
        frame = _place(bodies, frames, load.body, load.attachment, q, units).then(still(np.eye(3), load.offset))
        axes = frame.R if load.follows else np.eye(3)
        force += np.sum(frame.speed * (axes @ load.force) + frame.spin * (axes @ load.moment), axis=-1)
    return force


def bias(bodies: Tree, gravity: ArrayLike, q: ArrayLike, v: ArrayLike, loads: Sequence[Wrench] = ()) -> np.ndarray:
    """Forces h (n,) in M a + h = force: all but the accelerations', with springs, dampers, weight and loads."""
    q, v, g = np.asarray(q, dtype=float), np.asarray(v, dtype=float), np.asarray(gravity, dtype=float)
    M_rate = mass_matrix(bodies, q + 1j * STEP * v).imag / STEP
    varied = q + 1j * STEP * np.eye(q.size)
    dT = _kinetic(bodies, varied, v).imag / STEP
    dU = (_stored(bodies, varied) + _height(bodies, g, varied)).imag / STEP
    return M_rate @ v - dT + dU + damping_force(bodies, v) - load_force(bodies, q, loads)


def forces(
    bodies: Tree, gravity: ArrayLike, q: ArrayLike, v: ArrayLike, a: ArrayLike, loads: Sequence[Wrench] = ()
) -> np.ndarray:
    """Generalised forces (n,) that the motion takes beside springs, dampers, weight and loads."""
    M = mass_matrix(bodies, np.asarray(q, dtype=float))
    return M @ np.asarray(a, dtype=float) + bias(bodies, gravity, q, v, loads)


def accelerations(
    bodies: Tree,
    gravity: ArrayLike,
    q: ArrayLike,
    v: ArrayLike,
    tau: ArrayLike,
    driven: ArrayLike | None = None,
    given: ArrayLike | None = None,
    loads: Sequence[Wrench] = (),
) -> tuple[np.ndarray, np.ndarray]:
    """Accelerations (n,) and forces (n,): those of driven coordinates follow from the given accelerations.

    Entries of `tau` on driven coordinates and of `given` on the others are not read.
    """
    n = freedoms(bodies)
    held = np.zeros(n, dtype=bool) if driven is None else np.asarray(driven, dtype=bool)
    a = np.zeros(n) if given is None else np.array(given, dtype=float)
    force, free = np.array(tau, dtype=float), ~held
    M, h = mass_matrix(bodies, np.asarray(q, dtype=float)), bias(bodies, gravity, q, v, loads)
    a[free] = np.linalg.solve(M[np.ix_(free, free)], (force - h)[free] - M[np.ix_(free, held)] @ a[held])
    force[held] = (M @ a + h)[held]
    return a, force


def point(
    bodies: Tree,
    q: ArrayLike,
    v: ArrayLike,
    a: ArrayLike,
    body: int,
    attachment: Attachment | None = None,
    offset: ArrayLike = (0.0, 0.0, 0.0),
) -> PointMotion:
    """Motion of a point at `offset` from a body's frame, or from a frame on the axis of a flexible body."""
    q, v, a = np.asarray(q, dtype=float), np.asarray(v, dtype=float), np.asarray(a, dtype=float)

    def at(q: np.ndarray, v: np.ndarray) -> Frame:
        return _place(bodies, _frames(bodies, q, v), body, attachment, q, v).then(still(np.eye(3), offset))

    now, later = at(q, v), at(q + 1j * STEP * v, v + 1j * STEP * a)
    return PointMotion(now.p, now.R, now.speed, now.spin, later.speed.imag / STEP, later.spin.imag / STEP)


def poses(bodies: Tree, q: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Rotation matrices (body, 3, 3), body into base axes, and origins (body, 3) in m."""
    q = np.asarray(q, dtype=float)
    frames = _frames(bodies, q, np.zeros(q.size))
    return np.array([frame.R for frame in frames]), np.array([frame.p for frame in frames])
