"""Columns of the work array of planar flexible trees: one row per body, and one spare row for frames that are read."""

from __future__ import annotations

# Geometry of the body; of what it stands on: offset of the joint, its centripetal acceleration, direction of a slide;
# frame on the parent: r_t and its bias.
SIN, COS, ANGLE, W, DX, DY, CX, CY, ZX, ZY, TX, TY, TCX, TCY, TW = range(15)
# Articulated inertia and bias, those of the body itself to begin with.
IJ, IHX, IHY, IMXX, IMXY, IMYY, PN, PX, PY = range(15, 24)
# Joint, acceleration, velocity, position of the origin, mass times centre.
UN, UX, UY, DINV, U, ZP, AL, AX, AY, VX, VY, OX, OY, SX, SY = range(24, 39)
HEAD = 39
# Behind the head stand, with N the greatest number of elastic coordinates of a body:
# Y (3N) Ψ, F_x, F_y of the frame the body stands on; V (3N) coupling of the body's own coordinates with α, a_x, a_y;
# X (3N) Δ⁻¹Vᵀ; F (N) force on the coordinates; E (N) Δ⁻¹u; M (N²) inertia of the coordinates


def width(most: int) -> int:
    """Columns needed where no body has more than `most` elastic coordinates."""
    return HEAD + 11 * most + most * most
