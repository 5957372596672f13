"""How the ends of closures stand to one another in the plane; see `space_ends`."""

from __future__ import annotations

from flexarm.core._jit import operation


@operation
def apart(P, Q, place):  # type: ignore[no-untyped-def]
    """The angle by which frame Q is turned from where it stands on frame P when they are closed (Q1)."""
    return (Q[2] - P[2] - place[2],)


@operation
def put_standing(out, R, p):  # type: ignore[no-untyped-def]
    """Fill a position and an angle."""
    out[0], out[1], out[2] = p[0], p[1], R[2]
