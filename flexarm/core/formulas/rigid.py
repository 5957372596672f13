"""A rigid body by itself, and the loads on it."""

from __future__ import annotations

from typing import Any

from .algebra import Array, joined, nothing, symmetric, tilde
from .equations import equation


@equation("(6)")
def turned(R: Array, J: Array, mc: Array) -> tuple[Array, Array]:
    """Inertia about the origin and first moment in base axes: R J Rᵀ, R mc."""
    return symmetric(R @ J @ R.T), R @ mc


@equation("(7)")
def inertia(J: Array, s: Array, m: Any) -> Array:
    """I = [J H; Hᵀ m·1], H = s~."""
    found = nothing(6, 6)
    found[:3, :3] = J
    found[:3, 3:], found[3:, :3] = tilde(s), -tilde(s)
    for k in range(3, 6):
        found[k, k] = m
    return found


@equation("(7)")
def bias(w: Array, J: Array, s: Array) -> Array:
    """b = (ω × Jω; ω × (ω × mc))."""
    W = tilde(w)
    return joined(W @ (J @ w), W @ (W @ s))


@equation("(7)")
def load(R: Array, point: Array, force: Array, moment: Array, follows: bool) -> Array:
    """The wrench of a load at a point of the body about its origin, base axes; one that follows turns with the body."""
    if follows:
        force, moment = R @ force, R @ moment
    return joined(moment + tilde(R @ point) @ force, force)
