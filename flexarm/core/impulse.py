"""Jumps of a commanded rate: a blow of the drive, taken up by the arm in no time (NOTATION 23b)."""

from __future__ import annotations

from ._jit import inner
from .control import DRIVE_WORK, QI, VI, X0, Memory, Q, V
from .dynamics import solve
from .types import OK, Commands, Floats, Laws, Loads, Tree

# Part of the rates in a law below which a difference of its two sides is rounding.
ROUNDING = 1e-7


@inner
def rates_jump(laws: Laws, law: int, before: float, after: float, t: float) -> bool:
    """True if a law's rates before and after t differ by more than rounding."""
    apart = abs(after - before)
    if apart == 0.0:
        return False
    size = abs(before) + abs(after)
    for k in range(laws.first[law], laws.first[law + 1]):
        piece = laws.piece[k]
        # the piece that ends at t and the one that begins there
        if piece[0] == t or (k + 1 < laws.first[law + 1] and laws.piece[k + 1, 0] == t):
            size += abs(piece[1] * piece[2])
            if piece.shape[0] > 5:
                size += abs(piece[5])
    return apart > ROUNDING * size


def impulse(
    tree: Tree, loads: Loads, laws: Laws, commands: Commands, memory: Memory, t: float, left: bool, tau: Floats
) -> int:
    """Status; the rates of the free coordinates take up a jump of the driven ones, and the drives' work counts it.

    The rates of the driven coordinates after the jump stand in memory.buffer[VI], those before it in memory.state[V].
    M_ff Δv_f = −M_fd Δv_d: accelerations are linear in those of the driven coordinates, so the difference of two solves
    at rest, with Δv_d and with none, is Δv_f, and that of the drives' forces their impulse P; their work is
    Pᵀ(v⁻ + v⁺)/2.
    """
    state, buffer = memory.state, memory.buffer
    nq = state.shape[1]
    driven = commands.motion_coordinate
    struck = False
    for j in range(driven.shape[0]):
        c = driven[j]
        struck = struck or rates_jump(laws, commands.motion_law[j], state[V, c], buffer[VI, c], t)
    if not struck:
        return OK
    still, with_jump, without = buffer[X0], buffer[X0 + 1], buffer[X0 + 2]
    force, other = buffer[X0 + 3], buffer[X0 + 4]
    for c in range(nq):
        still[c] = with_jump[c] = without[c] = force[c] = other[c] = 0.0
        buffer[QI, c] = state[Q, c]
    for j in range(driven.shape[0]):
        c = driven[j]
        with_jump[c] = buffer[VI, c] - state[V, c]
    q = buffer[QI]
    status = solve(tree, loads, laws, t, left, q, still, with_jump, tau, q, still, 0.0, 0.0, force, memory.work)
    if status != OK:
        return status
    status = solve(tree, loads, laws, t, left, q, still, without, tau, q, still, 0.0, 0.0, other, memory.work)
    if status != OK:
        return status
    for j in range(driven.shape[0]):
        c = driven[j]
        memory.number[DRIVE_WORK] += 0.5 * (force[c] - other[c]) * (state[V, c] + buffer[VI, c])
        without[c] = with_jump[c]  # the commanded rates are set by the command itself
    for c in range(nq):
        state[V, c] += with_jump[c] - without[c]
    return OK
