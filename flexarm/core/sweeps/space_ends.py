"""How the ends of closures stand to one another in space (NOTATION Q1)."""

from __future__ import annotations

from flexarm.core._jit import operation

from .space import cross, product, turn
from .tuples import plus, put, times


@operation
def apart(P, Q, place):  # type: ignore[no-untyped-def]
    """The sine and axis by which frame Q is turned from where it stands on frame P when they are closed (Q1)."""
    T = product(P, turn(place, 3))
    x = cross((T[0], T[3], T[6]), (Q[0], Q[3], Q[6]))
    y = cross((T[1], T[4], T[7]), (Q[1], Q[4], Q[7]))
    z = cross((T[2], T[5], T[8]), (Q[2], Q[5], Q[8]))
    return times(0.5, plus(x, plus(y, z)))


@operation
def put_standing(out, R, p):  # type: ignore[no-untyped-def]
    """Fill a position and an orientation."""
    put(out, 0, p)
    put(out, 3, R)
