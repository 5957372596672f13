"""Command laws evaluated inside the time loop (NOTATION 23)."""

from __future__ import annotations

import math

from ._jit import inner, jit
from .types import G_KP, G_KV, G_RATE, G_REST, Commands, Floats, Laws


@inner
def law_value(laws: Laws, law: int, t: float, left: bool) -> tuple[float, float, float]:
    """Value, first and second derivative of a law at t; `left` takes the limit from the left at a switch."""
    first = laws.first[law]
    last = laws.first[law + 1] - 1
    # bisection for the last piece that starts before t (left: strictly before)
    lo, hi = first, last
    while lo < hi:
        mid = (lo + hi + 1) // 2
        start = laws.piece[mid, 0]
        if start < t or (start == t and not left):
            lo = mid
        else:
            hi = mid - 1
    p = laws.piece[lo]
    x = t - p[0]
    f = 0.0
    f1 = 0.0
    f2 = 0.0
    for k in range(p.shape[0] - 1, 3, -1):
        f2 = f2 * x + 2.0 * f1
        f1 = f1 * x + f
        f = f * x + p[k]
    if p[1] != 0.0:
        phase = p[2] * x + p[3]
        s = p[1] * math.sin(phase)
        c = p[1] * math.cos(phase)
        f += s
        f1 += p[2] * c
        f2 -= p[2] * p[2] * s
    return f, f1, f2


@jit
def command(laws: Laws, commands: Commands, t: float, left: bool, q: Floats, v: Floats, a: Floats, tau: Floats) -> None:
    """Fill q, v, a of the driven coordinates and τ of the pushed ones with the command at t."""
    for j in range(commands.motion_coordinate.shape[0]):
        c = commands.motion_coordinate[j]
        f, f1, f2 = law_value(laws, commands.motion_law[j], t, left)
        q[c] = f
        v[c] = f1
        a[c] = f2
    for j in range(commands.torque_coordinate.shape[0]):
        f, f1, f2 = law_value(laws, commands.torque_law[j], t, left)
        tau[commands.torque_coordinate[j]] = f
    for j in range(commands.servo_coordinate.shape[0]):
        # (40): what depends on neither the joint nor its integrator; the gains themselves are springs and dampers
        f, f1, f2 = law_value(laws, commands.servo_law[j], t, left)
        gain = commands.servo_gain[j]
        more = commands.servo_more[j]
        force = gain[G_KP] * (f - gain[G_REST]) + gain[G_KV] * gain[G_RATE] * f1
        if more[0] >= 0:
            force -= gain[G_KP] * q[more[0]]
        if more[1] >= 0:
            f, f1, f2 = law_value(laws, more[1], t, left)
            force += f
        tau[commands.servo_coordinate[j]] = force
