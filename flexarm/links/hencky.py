"""The modified Hencky bar-chain: massless rigid bars with lumped masses, joined by springs that slide and turn.

Rotations are finite. In the first half of a segment the slide is across the bar inboard and the bar outboard then
turns, in the second half the bar turns and slides across itself: so a segment is the same from either end, and what
the one half errs in finite rotations the other makes good.

Without rotary inertia (Euler-Bernoulli) a bar that turns about its own mass has no inertia at all, and accelerations
would be undetermined. The joints of that plane then bear a little inertia of their own. In a bending wave of wave
number k a slide is (kl)³/12 of the deflection and a turn (kl)² of it over l, so that a part ε of the mass of a half
on its slide and ε' of its mass × l² on its turn lower the frequency by no more than ε(kl)⁶/288 + ε'(kl)⁴/2 of it: far
below the error of the chain itself, about (kl)⁴/600. Slides alone would not do on a free joint: bars that turn to and
fro in turn move neither slides nor masses.
"""

from __future__ import annotations

from bisect import bisect_left

import numpy as np

from flexarm.batched import array
from flexarm.core.tree.build import BEFORE, Body
from flexarm.links.bar_chain import ON_JOINT, PLANES, THEORIES, WORD, Half, Lumps
from flexarm.links.base import BeamSpan, Direction, LinkBlock, Place, RigidPiece, Station
from flexarm.links.hencky_printed import printed_chain
from flexarm.links.mesh import check_beam, element_lengths, free_directions, theory_of

# The joints of the first half of a segment in their order, base to tip, of the second half in the reverse: direction,
# what must be free for it, kind, axis.
_JOINTS: tuple[tuple[Direction, Direction, str, int], ...] = (
    ("axial", "axial", "prismatic", 0),
    ("shear_y", "bending_z", "prismatic", 1),
    ("shear_z", "bending_y", "prismatic", 2),
    ("torsion", "torsion", "revolute", 0),
    ("bending_y", "bending_y", "revolute", 1),
    ("bending_z", "bending_z", "revolute", 2),
)
# Parts of the mass of a half, and of its mass × l², that slide and turn bear in a plane without rotary inertia.
_SLIDING, _TURNING = 1e-4, 1e-7


def hencky(span: BeamSpan) -> LinkBlock:
    """The beam as a bar-chain of two halves per segment, of the theory its model asks for."""
    if span.formulation.kinematics == "printed":
        return printed_chain(span)
    base = span.properties(0.0)
    theory, free = theory_of(span, WORD, THEORIES, base), free_directions(span, base)
    check_beam(span, WORD, THEORIES, free, theory)
    rotary = theory != "euler"
    lumps = Lumps(span, *element_lengths(span), rotary)
    joints = [joint for joint in _JOINTS if joint[1] in free]
    bodies: list[Body] = []
    directions: list[Direction] = []
    names: list[str] = []
    read: list[tuple[float, Direction, float, float]] = []
    extents: list[float] = []
    origins: list[float] = []  # of the bars: where their last joints stand
    for k in range(1, len(lumps.positions)):
        begin, end = lumps.positions[k - 1], lumps.positions[k]
        half = Half(span, begin, end - begin, theory == "timoshenko")
        origin = origins[-1] if origins else 0.0
        ordered = joints if k % 2 else joints[::-1]
        for direction, plane, kind, axis in ordered:
            # slides and the like have no place of their own along the bar: with the turn that comes last
            at = half.centres[plane if direction == "bending_y" else "bending_z"]
            stiffness = half.stiffness(direction, plane)
            bare = plane in PLANES and not (rotary and getattr(base, PLANES[plane][2]) > 0.0)
            bearing = 0.0
            if bare:
                part = _TURNING * (half.length * half.length) if direction == plane else _SLIDING
                bearing = part * span.properties(at).mass_per_length * half.length
            last = direction == ordered[-1][0]
            piece = lumps.piece(k, at) if last else RigidPiece()
            strain = half.strain(direction, plane, stiffness)
            read.append((at, direction, strain, stiffness))
            bodies.append(
                Body(
                    parent=BEFORE if bodies else -1,
                    kind=kind,
                    axis=np.eye(3)[axis],
                    offset=array([at - origin, 0.0, 0.0]),
                    stiffness=stiffness,
                    rotor=bearing,
                    mass=piece.mass,
                    centre=piece.centre,
                    inertia=piece.inertia,
                )
            )
            origin = at
            names.append(f"{direction}{k}")
            directions.append(direction)
        origins.append(origin)
    ends = [*origins[1:], span.length]
    for begin, end in zip(origins, ends, strict=True):
        extents += [end - begin] * len(joints)

    def stations() -> list[Station]:
        """Every spring tells the strain around it."""
        return [Station(at, name, (c,), (strain,), (k,), (0.0,)) for c, (at, name, strain, k) in enumerate(read)]

    def place(s: float) -> Place:
        """The bar under a point of the axis; a point on a joint belongs to the bar inboard of it."""
        k = bisect_left(origins, s - ON_JOINT * span.length) - 1
        return Place(-1, s) if k < 0 else Place((k + 1) * len(joints) - 1, s - origins[k])

    return LinkBlock.of_chain(lumps.piece(0, 0.0), place, stations, bodies, names, directions, extents)
