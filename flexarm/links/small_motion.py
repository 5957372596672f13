"""Mass and stiffness matrices of a beam's bodies for small motions about rest, clamped at the base.

The composite-body recursion written for a few bodies at rest; works for rigid pieces and flexible bodies alike.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexarm.batched import array, filled, zeros
from flexarm.core.tree.build import Body, parents_of
from flexarm.core.tree.types import Floats


def _cross(r: Floats) -> Floats:
    """The matrix of r × (3, 3)."""
    return array([[0.0, -r[2], r[1]], [r[2], 0.0, -r[0]], [-r[1], r[0], 0.0]])


def _shift(rotation: Floats, offset: Floats) -> Floats:
    """The twist (angular; linear) of a frame at an offset, turned, per twist of the frame it is fixed to (6, 6)."""
    shift = zeros((6, 6), rotation, offset)
    shift[:3, :3] = shift[3:, 3:] = rotation.T
    shift[3:, :3] = -rotation.T @ _cross(offset)
    return shift


def _inertia(body: Body) -> Floats:
    """Inertia on (twist; elastic rates) of a body's own frame (6 + n, 6 + n)."""
    if body.elastic is None:
        rows = np.hstack([-_cross(body.centre), np.eye(3)])
        inertia = body.mass * rows.T @ rows
        return inertia + filled((6, 6), [(np.s_[:3, :3], body.inertia)])
    elastic, n = body.elastic, body.elastic.count
    # velocity v + ω × (x, 0, 0) + Φη̇ and spin ω + Ψη̇ of every station, each times the root of its inertia
    moved, turned = zeros((2, len(elastic.mass), 3, 6 + n), elastic.mass, elastic.rotary, elastic.phi, elastic.psi)
    moved[:, :, 3:6], moved[:, :, 6:] = np.eye(3), elastic.phi
    moved[:, 1, 2], moved[:, 2, 1] = elastic.x, -elastic.x
    turned[:, :, :3], turned[:, :, 6:] = np.eye(3), elastic.psi
    moved = moved * np.sqrt(elastic.mass)[:, None, None]
    turned = turned * np.sqrt(elastic.rotary)[:, :, None]
    rows = np.concatenate([moved, turned]).reshape(-1, 6 + n)
    inertia = rows.T @ rows
    if elastic.added is not None:
        inertia = inertia + filled(inertia.shape, [(np.s_[6:, 6:], elastic.added)])
    if elastic.handed is not None:
        far = np.hstack([np.eye(3), np.zeros((3, 3)), elastic.handed.psi])
        inertia = inertia - far.T @ (elastic.handed.rotary[:, None] * far)
    return inertia


def _bearing(own: Floats, body: Body) -> Floats:
    """Inertia of a flexible body with what it bears for another in its own frame."""
    return own + filled(own.shape, [(np.s_[:3, :3], body.inertia)])


def _towards(body: Body, parent: Body) -> Floats:
    """Twist of a body's joint frame per (twist; elastic rates) of its parent (6, 6 + n)."""
    shift = _shift(body.rotation, body.offset)
    if body.attachment is None:
        n = 0 if parent.elastic is None else parent.elastic.count
        return np.hstack([shift, np.zeros((6, n))])
    frame = body.attachment
    at = _shift(np.eye(3), array([frame.x, 0.0, 0.0]))
    return shift @ np.hstack([at, np.vstack([frame.psi, frame.phi])])


def small_motion(bodies: Sequence[Body]) -> tuple[Floats, Floats]:
    """Mass and stiffness matrix (nq, nq), coordinates body by body."""
    widths = [body.elastic.count if body.elastic is not None else int(body.kind != "fixed") for body in bodies]
    firsts = np.concatenate([[0], np.cumsum(widths)]).astype(int)
    nq, up = int(firsts[-1]), parents_of(bodies)
    twists: list[Floats] = []  # of each body's frame per coordinate
    towards: list[Floats] = []
    # elements that are alike share their arrays
    flexible = {id(body.elastic): body for body in bodies if body.elastic is not None}
    alike = {key: _inertia(body) for key, body in flexible.items()}
    composite = [_inertia(body) if body.elastic is None else _bearing(alike[id(body.elastic)], body) for body in bodies]
    stiff = [body.stiffness if body.elastic is None else body.elastic.stiffness for body in bodies]
    stiffness = zeros((nq, nq), stiff)
    for i, body in enumerate(bodies):
        twist, own = zeros((6, nq), body.axis), slice(firsts[i], firsts[i + 1])
        if up[i] >= 0:
            step = _towards(body, bodies[up[i]])
            towards.append(step)
            upper = slice(firsts[up[i]], firsts[up[i] + 1])
            twist = step[:, :6] @ twists[up[i]]
            twist[:, upper] += step[:, 6:] if bodies[up[i]].elastic is not None else 0.0
        else:
            towards.append(np.zeros((6, 0)))
        if body.elastic is not None:
            stiffness[own, own] = stiff[i]
        elif body.kind != "fixed":
            rows = slice(0, 3) if body.kind == "revolute" else slice(3, 6)
            twist[rows, firsts[i]] = body.axis
            stiffness[own, own] = stiff[i]
        twists.append(twist)
    mass = zeros((nq, nq), composite, twists, [body.rotor for body in bodies])
    for i in range(len(bodies) - 1, -1, -1):
        body, own = bodies[i], slice(firsts[i], firsts[i + 1])
        inertia = composite[i]
        if body.elastic is not None:
            # rows of the elastic coordinates: what they meet inboard, and one another
            mass[own] = inertia[6:, :6] @ twists[i]
            mass[own, own] += inertia[6:, 6:]
        elif body.kind != "fixed":
            mass[own] = (inertia @ twists[i][:, own]).T @ twists[i]
            mass[own, own] += body.rotor
        if up[i] >= 0:
            composite[up[i]] = composite[up[i]] + towards[i].T @ inertia[:6, :6] @ towards[i]
    # rows hold only what is inboard
    lower = np.tril(mass)
    return lower + np.tril(lower, -1).T, stiffness


def frequencies(mass: Floats, stiffness: Floats) -> Floats:
    """Angular frequencies (n,) ascending (rad/s)."""
    inverse = inverse_root(stiffness)
    # eigenvalues 1/ω²: the low frequencies, the largest of them, keep their digits
    values = np.linalg.eigvalsh(inverse.T @ mass @ inverse)[::-1]
    return 1.0 / np.sqrt(np.maximum(values, 1e-300))


def inverse_root(stiffness: Floats) -> Floats:
    """L⁻ᵀ (n, n) of K = L Lᵀ, K brought to unit diagonal first."""
    size = 1.0 / np.sqrt(np.diag(stiffness))
    lower = np.linalg.cholesky(stiffness * np.outer(size, size))
    return size[:, None] * np.linalg.inv(lower).T
