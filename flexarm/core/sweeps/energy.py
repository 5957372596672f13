"""Kinetic, elastic and gravity energy (NOTATION 18, 39)."""

from __future__ import annotations

from flexarm.core.tree.types import S_GAIN, S_K, S_REST, S_ROTOR, T_COORD, T_COUNT, T_SLEEVE, Floats

from .elastic import stiffness
from .kinds import FLEXIBLE, SLEEVES, AnyTree, sweep
from .outward import move, outward
from .space import MOTION, at, lists, mass_of, moment_of, momentum, motion, rigid, vec
from .tuples import dot, plus, times


@sweep
def energy(tree: AnyTree, q: Floats, v: Floats, work: Floats) -> tuple[float, float, float]:
    """Kinetic, elastic and gravity energy (J)."""
    outward(tree, q, v, work)
    move(tree, v, work)
    return body_energy(tree, q, v, work)


def body_energy(tree: AnyTree, q: Floats, v: Floats, work: Floats) -> tuple[float, float, float]:
    """Kinetic, elastic and gravity energy (J) after `outward` and `move`."""
    topology = tree.topology
    spring = tree.spring
    g = vec(tree.gravity, 0)
    kinetic = 0.0
    elastic = 0.0
    gravity = 0.0
    for i in range(1, topology.shape[0]):
        row = work[i]
        I = rigid(row, at.I)
        V = motion(row, at.V)
        kinetic += 0.5 * dot(V, momentum(I, V))
        mc = vec(row, at.G) if FLEXIBLE else moment_of(I)
        gravity -= dot(g, plus(times(mass_of(I), vec(row, at.O)), mc))
        if FLEXIBLE and topology[i, T_COUNT] > 0:
            moving, bent = own_energy(tree, i, q, v, row)
            kinetic += moving
            elastic += bent
    for c in range(spring.shape[0]):
        x = q[c] - spring[c, S_REST]
        elastic += 0.5 * (spring[c, S_K] - spring[c, S_GAIN]) * x * x
        kinetic += 0.5 * spring[c, S_ROTOR] * v[c] * v[c]
    return kinetic, elastic, gravity


def own_energy(tree: AnyTree, i: int, q: Floats, v: Floats, row: Floats) -> tuple[float, float]:
    """Kinetic energy of the coordinates of the flexible body i and their elastic energy (J)."""
    n = tree.topology[i, T_COUNT]
    c = tree.topology[i, T_COORD]
    to_v, _, _, to_m, _ = lists(tree.topology[0, T_COUNT])
    V = motion(row, at.V)
    kinetic = 0.0
    elastic = 0.0
    for k in range(n):
        f = dot(motion(row, to_v + MOTION * k), V)
        e = 0.0
        for j in range(n):
            f += 0.5 * row[to_m + k * n + j] * v[c + j]
            e += stiffness(tree, i, row, k, j)[0] * q[c + j]
        kinetic += f * v[c + k]
        elastic += 0.5 * e * q[c + k]
    if SLEEVES and tree.topology[i, T_SLEEVE] == 1:
        # the rotor stands in the inertia, and is counted with all rotors
        kinetic -= 0.5 * tree.spring[c, S_ROTOR] * v[c] * v[c]
    return kinetic, elastic
