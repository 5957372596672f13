"""Dense output: the quintic through both ends of a step (NOTATION 22)."""

from __future__ import annotations

from ._jit import inner
from .types import Floats


@inner
def quintic(
    x: float,
    h: float,
    q0: Floats,
    v0: Floats,
    a0: Floats,
    q1: Floats,
    v1: Floats,
    a1: Floats,
    q: Floats,
    v: Floats,
    a: Floats,
) -> None:
    """Fill q, v, a at the part x of a step h from the states at both its ends."""
    y = 1.0 - x
    # quintic Hermite: values, h·slopes, h²·curvatures at both ends
    x3 = x * x * x
    f1 = x3 * (10.0 - 15.0 * x + 6.0 * x * x)
    f0 = 1.0 - f1
    g0 = x * y * y * y * (1.0 + 3.0 * x)
    g1 = -x3 * y * (1.0 + 3.0 * y)
    k0 = 0.5 * x * x * y * y * y
    k1 = 0.5 * x3 * y * y
    df = 30.0 * x * x * y * y
    dg0 = y * y * (1.0 + 2.0 * x - 15.0 * x * x)
    dg1 = x * x * (1.0 + 2.0 * y - 15.0 * y * y)
    dk0 = 0.5 * x * y * y * (2.0 - 5.0 * x)
    dk1 = 0.5 * x * x * y * (3.0 - 5.0 * x)
    for c in range(q.shape[0]):
        q[c] = f0 * q0[c] + f1 * q1[c] + h * (g0 * v0[c] + g1 * v1[c]) + h * h * (k0 * a0[c] + k1 * a1[c])
        v[c] = df * (q1[c] - q0[c]) / h + dg0 * v0[c] + dg1 * v1[c] + h * (dk0 * a0[c] + dk1 * a1[c])
        # second derivatives of the quintic
        a[c] = (
            60.0 * x * y * (y - x) * (q1[c] - q0[c]) / (h * h)
            + (-12.0 * y * x * (3.0 - 5.0 * x) * v0[c] + 12.0 * x * y * (3.0 - 5.0 * y) * v1[c]) / h
            + y * (1.0 - 8.0 * x + 10.0 * x * x) * a0[c]
            + x * (1.0 - 8.0 * y + 10.0 * y * y) * a1[c]
        )
