"""Columns of the work array of spatial flexible trees: one row per body, and one spare row for frames that are read."""

from __future__ import annotations

R, W, D, C = 0, 9, 12, 15  # orientation (9), angular velocity (3), offset of the joint (3), its bias acceleration (6)
T, TC, TW, TR = 21, 24, 30, 33  # frame on the parent: r_t (3), bias (6), angular velocity (3), orientation (9)
S = 42  # mass times centre (3)
I, P = 45, 81  # articulated inertia (6 × 6) and bias (6), those of the body itself to begin with
U, DINV, U0, ZP = 87, 93, 94, 95  # joint: Î S (6), 1/D, u, Sᵀp'
A, V, O = 96, 102, 105  # acceleration (6), velocity (3) and position (3) of the origin
HEAD = 108
# Behind the head stand, with N the greatest number of elastic coordinates of a body:
# Y (6N) of the frame the body stands on; coupling (6N) of the body's own coordinates with α, a; z = L⁻¹[Vᵀ, u] (8N, one
# of eight unused); F (N) force on the coordinates; M (N²) their inertia, then its factors


def width(most: int) -> int:
    """Columns needed where no body has more than `most` elastic coordinates."""
    return HEAD + 21 * most + most * most
