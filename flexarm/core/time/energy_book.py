"""The book of energies of one sample: powers of drives, loads and dampers, and the work they do. Lanes keep none."""

from __future__ import annotations

from .._jit import inner
from ..numbers.views import left_out
from ..tree.types import G_LIMIT, Commands, Floats, Laws, Loads
from .contacts import contact_powers
from .drives import gear_angle, servo_torque
from .mechanism import Mechanism, elastic_form, load_power
from .memory import Memory, Output, book_of, buffer_of, state_of


@inner
def drive_power(commands: Commands, memory: Memory, q: Floats, v: Floats, x: Floats) -> float:
    """Power put in by the drives (W) in the state q, v with integrators x; the buffer has forces and targets."""
    buffer, state = buffer_of(memory.buffer), state_of(memory.state)
    given = 0.0
    for j in range(commands.motion_coordinate.shape[0]):
        c = commands.motion_coordinate[j]
        given += buffer.drive[c] * v[c]
    for j in range(commands.torque_coordinate.shape[0]):
        c = commands.torque_coordinate[j]
        given += buffer.tau[c] * v[c]
    for j in range(commands.servo_coordinate.shape[0]):
        c = commands.servo_coordinate[j]
        e = buffer.q_command[c] - q[c] - gear_angle(commands, j, q)
        torque = servo_torque(commands, j, e, buffer.v_command[c], v[c], x[c], buffer.a_command[c])
        if state.mode[c] != 0.0:
            torque = state.mode[c] * commands.servo_gain[j, G_LIMIT]
        given += torque * v[c]
    return given


@inner
def damper_power(d: Floats, v: Floats) -> float:
    """Power lost in the joints' dampers d (W), in four sums side by side: a single one would wait for itself."""
    n = v.shape[0]
    s0 = s1 = s2 = s3 = 0.0
    for c in range(0, n - 3, 4):
        s0 += d[c] * v[c] * v[c]
        s1 += d[c + 1] * v[c + 1] * v[c + 1]
        s2 += d[c + 2] * v[c + 2] * v[c + 2]
        s3 += d[c + 3] * v[c + 3] * v[c + 3]
    for c in range(n - n % 4, n):
        s0 += d[c] * v[c] * v[c]
    return (s0 + s1) + (s2 + s3)


@inner
@left_out
def book_powers(
    tree: Mechanism,
    loads: Loads,
    laws: Laws,
    commands: Commands,
    memory: Memory,
    t: float,
    left: bool,
    q: Floats,
    v: Floats,
    x: Floats,
) -> None:
    """Fill the powers (W) of drives, loads and dampers at the end of a stage, or of a restart."""
    power = book_of(memory.book).power_new
    power[0] = drive_power(commands, memory, q, v, x)
    power[1] = load_power(tree, loads, laws, t, left, q, v, memory.work_loads)
    power[2] = damper_power(buffer_of(memory.buffer).loss, v) + elastic_form(tree, q, v, 1.0, 0.0)
    if commands.contact_place.shape[0] > 0:
        contact_powers(laws, commands, memory, t, left, q, v)


@inner
@left_out
def book_stage(memory: Memory, begin: float, weight: float) -> None:
    """Add to the mean power of the step those at its start and at the end of the stage, by their weights; where `begin`
    is not zero, the step begins.
    """
    book = book_of(memory.book)
    for k in range(3):
        before = book.step[k] if begin == 0.0 else begin * book.power[k]
        book.step[k] = before + weight * book.power_new[k]


@inner
@left_out
def book_step(memory: Memory, h: float) -> None:
    """Enter the work of a step of length h (s), 0 for none: the next one begins with the powers found last."""
    book = book_of(memory.book)
    for k in range(3):
        book.work[k] += h * book.step[k]
        book.most[k] = max(book.most[k], abs(book.work[k]))
        book.power[k] = book.power_new[k]


@inner
@left_out
def book_blow(memory: Memory, work: float) -> None:
    """Enter the work (J) of a drive whose rate jumps."""
    book_of(memory.book).work[0] += work


@inner
def hermite(x: float, h: float, w0: float, w1: float, p0: float, p1: float) -> float:
    """The cubic with values w and slopes p at both ends of a step, at its part x."""
    y = 1.0 - x
    b1 = x * x * (3.0 - 2.0 * x)
    return (1.0 - b1) * w0 + b1 * w1 + h * x * y * (y * p0 - x * p1)


@inner
@left_out
def book_sample(memory: Memory, output: Output, k: int, x: float, h: float) -> None:
    """Fill the works of sample k at the part x of a step h."""
    book = book_of(memory.book)
    for i in range(3):
        w = book.work[i]
        output.work[k, i] = hermite(x, h, w, w + h * book.step[i], book.power[i], book.power_new[i])
