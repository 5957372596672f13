"""Many beams on hubs at once: hub and assumed modes, side by side in the lanes of vector registers.

Samples of one study differ in their numbers only, so eight of them take every step together. Nothing crosses from
lane to lane and the step of a sample is its own: a row of results is the same bits whatever stands beside it.

The equations are (13)–(16) of assumed modes normalised by their mass, with N = Σ dm (φφᵀ) − D of NOTATION (31):

    (J + felt·ηᵀNη) θ̈ + cᵀη̈ + 2·felt·θ̇ ηᵀNη̇ = τ,      cθ̈ + η̈ + d η̇ + ω² η − θ̇² N η = 0

Steps are those of the explicit method of order eight of Prince and Dormand, twelve stages, fixed between given times.
The step is written out number by number for each count of modes, with `felt` or without: only then all of it stays in
vector registers, and where nothing is felt no stage has to divide.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from .._jit import bound, inner, jit
from ..numbers.lanes import in_lanes
from ..tree.types import Floats, Ints, Laws
from .laws import law_value

STAGES = 12
# Nodes, rows and weights of the method (Hairer, Nørsett, Wanner, Solving ODEs I, II.5); the tests hold its order.
NODES = np.array(
    [
        0.0,
        0.05260015195876773,
        0.0789002279381516,
        0.1183503419072274,
        0.2816496580927726,
        1 / 3,
        0.25,
        4 / 13,
        127 / 195,
        0.6,
        6 / 7,
        1.0,
    ]
)
ROWS: tuple[dict[int, float], ...] = (
    {},
    {0: 0.05260015195876773},
    {0: 0.0197250569845379, 1: 0.0591751709536137},
    {0: 0.02958758547680685, 2: 0.08876275643042054},
    {0: 0.2413651341592667, 2: -0.8845494793282861, 3: 0.924834003261792},
    {0: 0.037037037037037035, 3: 0.17082860872947386, 4: 0.12546768756682242},
    {0: 0.037109375, 3: 0.17025221101954405, 4: 0.06021653898045596, 5: -0.017578125},
    {0: 0.03709200011850479, 3: 0.17038392571223998, 4: 0.10726203044637328, 5: -0.015319437748624402}
    | {6: 0.008273789163814023},
    {0: 0.6241109587160757, 3: -3.3608926294469414, 4: -0.868219346841726, 5: 27.59209969944671}
    | {6: 20.154067550477894, 7: -43.48988418106996},
    {0: 0.47766253643826434, 3: -2.4881146199716677, 4: -0.590290826836843, 5: 21.230051448181193}
    | {6: 15.279233632882423, 7: -33.28821096898486, 8: -0.020331201708508627},
    {0: -0.9371424300859873, 3: 5.186372428844064, 4: 1.0914373489967295, 5: -8.149787010746927}
    | {6: -18.52006565999696, 7: 22.739487099350505, 8: 2.4936055526796523, 9: -3.0467644718982196},
    {0: 2.273310147516538, 3: -10.53449546673725, 4: -2.0008720582248625, 5: -17.9589318631188}
    | {6: 27.94888452941996, 7: -2.8589982771350235, 8: -8.87285693353063, 9: 12.360567175794303}
    | {10: 0.6433927460157636},
)
WEIGHTS: dict[int, float] = {
    0: 0.054293734116568765,
    5: 4.450312892752409,
    6: 1.8915178993145003,
    7: -5.801203960010585,
    8: 0.3111643669578199,
    9: -0.1521609496625161,
    10: 0.20136540080403034,
    11: 0.04471061572777259,
}


def number_width(modes: int) -> int:
    """How many numbers describe a sample: J, c, ω², d, and N by rows above its diagonal."""
    return 1 + 3 * modes + modes * (modes + 1) // 2


def state_width(modes: int) -> int:
    """How many numbers are its state: θ, η, θ̇, η̇."""
    return 2 * (modes + 1)


def _source(modes: int, felt: bool) -> str:
    """The step for so many modes as Python, one statement per number."""
    m = range(modes)
    pairs = [(i, j) for i in m for j in range(i, modes)]
    out = ["def step(p, y, torque, h):"]

    def say(line: str) -> None:
        out.append(f"    {line}")

    names = ["J", *(f"c{i}" for i in m), *(f"w{i}" for i in m), *(f"d{i}" for i in m)]
    names += [f"n{i}{j}" for i, j in pairs]
    for k, name in enumerate(names):
        say(f"{name} = p[{k}]")
    for k, name in enumerate(["a0", *(f"x{i}" for i in m), "r", *(f"u{i}" for i in m)]):
        say(f"{name} = y[{k}]")
    say("free = J - (" + " + ".join(f"c{i} * c{i}" for i in m) + ")")
    if not felt:
        say("inverse = 1.0 / free")
    for s in range(STAGES):
        row = ROWS[s]

        def at(start: str, rate: str, row: dict[int, float] = row) -> str:
            return start + (f" + h * ({' + '.join(f'{a!r} * {rate}_{j}' for j, a in row.items())})" if row else "")

        say(f"r_{s} = {at('r', 'b')}")
        for i in m:
            say(f"u{i}_{s} = {at(f'u{i}', f'g{i}')}")
            say(f"x{i}_{s} = {at(f'x{i}', f'u{i}')}")
        for i in m:
            row_of_n = " + ".join(f"n{min(i, j)}{max(i, j)} * x{j}_{s}" for j in m)
            say(f"e{i} = {row_of_n}")
            say(f"f{i} = r_{s} * r_{s} * e{i} - w{i} * x{i}_{s} - d{i} * u{i}_{s}")
        pull = " + ".join(f"c{i} * f{i}" for i in m)
        if felt:
            say("grown = " + " + ".join(f"x{i}_{s} * e{i}" for i in m))
            say(f"swing = 2.0 * r_{s} * (" + " + ".join(f"u{i}_{s} * e{i}" for i in m) + ")")
            say(f"b_{s} = (torque[{s}] - swing - ({pull})) / (free + grown)")
        else:
            say(f"b_{s} = (torque[{s}] - ({pull})) * inverse")
        for i in m:
            say(f"g{i}_{s} = f{i} - c{i} * b_{s}")

    def end(start: str, rate: str) -> str:
        return f"{start} + h * ({' + '.join(f'{w!r} * {rate}_{j}' for j, w in WEIGHTS.items())})"

    say(f"y[0] = {end('a0', 'r')}")
    for i in m:
        say(f"y[{1 + i}] = {end(f'x{i}', f'u{i}')}")
    say(f"y[{1 + modes}] = {end('r', 'b')}")
    for i in m:
        say(f"y[{2 + modes + i}] = {end(f'u{i}', f'g{i}')}")
    # a name of its own: kernels from the cache tell one another by their names
    return "\n".join(out).replace("def step", f"def {_name(modes, felt)}")


def _name(modes: int, felt: bool) -> str:
    return f"step_{modes}_felt" if felt else f"step_{modes}"


def _run(numbers: Floats, laws: Laws, law: int, bounds: Floats, steps: Ints, states: Floats, torque: Floats) -> None:
    """Fill the states (groups, bounds, …, LANES) from those at the first bound on; so many steps of each group in
    between. `torque` (steps, STAGES) is room for the command in the stages, which groups of equal steps share.
    """
    p, y = in_lanes(numbers), in_lanes(states)
    for k in range(1, bounds.shape[0]):
        known = 0
        for g in range(numbers.shape[0]):
            count = steps[g, k - 1]
            h = (bounds[k] - bounds[k - 1]) / count
            if count != known:
                known = count
                for n in range(count):
                    t = bounds[k - 1] + n * h
                    for s in range(STAGES):
                        # the left limit but at the begin of an interval, where commands may switch
                        torque[n, s] = law_value(laws, law, t + NODES[s] * h, s > 0)[0]
            now = y[g, k]
            for i in range(now.shape[0]):
                now[i] = y[g, k - 1, i]
            for n in range(count):
                step(p[g], now, torque[n], h)


def step(p, y, torque, h):  # type: ignore[no-untyped-def]
    """One step of eight samples. Stands for the one written out for a count of modes."""
    raise TypeError("step stands for a kernel")


@cache
def hub_run(modes: int, felt: bool) -> Any:
    """The kernel `_run` for so many modes, the inertia of their second order felt by the hub or not."""
    place: dict[str, Any] = {}
    exec(_source(modes, felt), place)
    name = _name(modes, felt)
    return jit(bound(_run, f"hub_run_{name}", step=inner(place[name])))
