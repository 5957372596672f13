"""Dense output: the quintic through both ends of a step (NOTATION 22); commands are exact."""

from __future__ import annotations

from .._jit import inner
from ..numbers.views import alone, lane_of
from ..tree.types import Commands, Floats, Laws
from .commands import motions
from .energy_book import book_sample, hermite
from .memory import Memory, Output, buffer_of, count_of, stages_of, state_of


@alone
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


@alone
def follow_motions(laws: Laws, commands: Commands, t: float, left: bool, q: Floats, v: Floats, a: Floats) -> None:
    """Fill q, v, a of the driven coordinates of one sample."""
    motions(laws, commands, t, left, q, v, a)


@inner
def sample(laws: Laws, commands: Commands, memory: Memory, output: Output, t: float, t_new: float, j: int) -> None:
    """Fill the samples of lane j in (t, t_new], or at t itself where it begins and t_new = t."""
    count = count_of(memory.counter)
    k = count.next_output[j]
    if k >= output.time.shape[0] or output.time[k] > t_new:
        return
    state, buffer, stages = state_of(memory.state), buffer_of(memory.buffer), stages_of(memory.stages)
    q0, v0, a0 = lane_of(state.q, j), lane_of(state.v, j), lane_of(state.a, j)
    q1, v1, a1 = lane_of(buffer.q, j), lane_of(buffer.v, j), lane_of(buffer.a, j)
    x0, x1 = lane_of(state.x, j), lane_of(buffer.x, j)
    rate0, rate1 = lane_of(state.x_rate, j), lane_of(stages.x_rate[5], j)
    own = lane_of(laws, j)
    h = t_new - t if t_new > t else 1.0
    while k < output.time.shape[0] and output.time[k] <= t_new:
        time = output.time[k]
        part = (time - t) / h
        q, v, a, x = lane_of(output.q[k], j), lane_of(output.v[k], j), lane_of(output.a[k], j), lane_of(output.x[k], j)
        quintic(part, h, q0, v0, a0, q1, v1, a1, q, v, a)
        follow_motions(own, commands, time, part > 0.0, q, v, a)
        book_sample(memory, output, k, part, h)
        for i in range(x.shape[0]):
            c = commands.servo_coordinate[i]
            x[i] = hermite(part, h, x0[c], x1[c], rate0[c], rate1[c])
        k += 1
    count.next_output[j] = k
