"""The modified Hencky bar-chain: massless rigid bars with lumped masses, joined by springs that slide and turn.

A segment is two halves of length l. In the middle of each half the bars slide sideways and turn against each other,

    kR = EI/l,    kL = 12EI/(l³(1 + Φ)),    Φ = 12EI/(κGA l²)

which is a cubic beam element exactly: about its middle the slide and the turn of an element do not mix. The masses sit
where the halves meet, by Simpson's rule 1/6, 2/3, 1/6 of each segment, and so do the rotary inertias. Rotations are
finite: the slide is across the bar inboard, the bar outboard then turns.

On a tapered beam compliances add, and the joint stands where slide and turn do not mix, the centre s_c of ∫ds/EI:

    1/kR = ∫ ds/EI,    1/kL = ∫ (s − s_c)² ds/EI + ∫ ds/κGA,    ∫ (s − s_c) ds/EI = 0

Without rotary inertia (Euler-Bernoulli) a bar that turns about its own mass has no inertia at all, and accelerations
would be undetermined. The joints of that plane then bear a little inertia of their own. In a bending wave of wave
number k a slide is (kl)³/12 of the deflection and a turn (kl)² of it over l, so that a part ε of the mass of a half
on its slide and ε' of its mass × l² on its turn lower the frequency by no more than ε(kl)⁶/288 + ε'(kl)⁴/2 of it: far
below the error of the chain itself, about (kl)⁴/600. Slides alone would not do on a free joint: bars that turn to and
fro in turn move neither slides nor masses.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from flexarm.core.build import Body
from flexarm.links.base import UNIT, BeamSpan, Direction, LinkBlock, Place, RigidPiece, Station
from flexarm.links.element import gauss
from flexarm.links.mesh import check_beam, element_lengths, free_directions, theory_of

_WORD = "hencky"
_THEORIES = ("timoshenko", "rayleigh", "euler")
# The joints of one half in their order, base to tip: direction, what must be free for it, kind, axis.
_JOINTS: tuple[tuple[Direction, Direction, str, int], ...] = (
    ("axial", "axial", "prismatic", 0),
    ("shear_y", "bending_z", "prismatic", 1),
    ("shear_z", "bending_y", "prismatic", 2),
    ("torsion", "torsion", "revolute", 0),
    ("bending_y", "bending_y", "revolute", 1),
    ("bending_z", "bending_z", "revolute", 2),
)
# Of each plane: bending and shear stiffness, rotary inertia.
_PLANES: dict[Direction, tuple[str, str, str]] = {"bending_z": ("EIz", "GAy", "jz"), "bending_y": ("EIy", "GAz", "jy")}
# Parts of the mass of a half, and of its mass × l², that slide and turn bear in a plane without rotary inertia.
_SLIDING, _TURNING = 1e-3, 1e-6
# Gauss points per half: exact for uniform beams, to rounding for tapers over one half.
_POINTS = 8
# A point closer to a joint than this part of the beam's length stands on it.
_ON_JOINT = 1e-12


class _Half:
    """One half of a segment: its springs, and where they stand."""

    def __init__(self, span: BeamSpan, begin: float, length: float, sheared: bool) -> None:
        self.span, self.begin, self.length, self.sheared = span, begin, length, sheared
        self.centres = {plane: self._centre(plane) for plane in _PLANES}

    def _sum(self, name: str, factor: Callable[[float], float] = lambda s: 1.0) -> float:
        """∫ factor ds over a stiffness."""
        found = 0.0
        for xi, weight in zip(*gauss(_POINTS), strict=True):
            s = self.begin + float(xi) * self.length
            found += float(weight) * self.length * factor(s) / float(getattr(self.span.properties(s), name))
        return found

    def _centre(self, plane: Direction) -> float:
        """Where slide and turn of a plane do not mix."""
        middle, name = self.begin + 0.5 * self.length, _PLANES[plane][0]
        if self.span.beam.end is None or (self.span.planar and plane == "bending_y"):
            return middle
        return middle + self._sum(name, lambda s: s - middle) / self._sum(name)

    def stiffness(self, direction: Direction, plane: Direction) -> float:
        """The spring of a direction (N m/rad or N/m)."""
        if direction in ("axial", "torsion"):
            return 1.0 / self._sum("EA" if direction == "axial" else "GJ")
        bending, shear, _ = _PLANES[plane]
        if direction == plane:
            return 1.0 / self._sum(bending)
        centre = self.centres[plane]
        compliance = self._sum(bending, lambda s: (s - centre) ** 2)
        return 1.0 / (compliance + (self._sum(shear) if self.sheared else 0.0))

    def strain(self, direction: Direction, plane: Direction, stiffness: float) -> float:
        """Strain per unit of the coordinate; of a slide the shear strain alone, none where sections do not shear."""
        if direction == plane:
            return 1.0 / self.length
        return stiffness * self._sum(_PLANES[plane][1]) / self.length if self.sheared else 0.0


class _Lumps:
    """The masses of the chain, one at each end of every half."""

    def __init__(self, span: BeamSpan, lengths: list[float], begins: list[float], rotary: bool) -> None:
        self.positions = [0.0]
        self.shares = [0.0]  # of the length of the beam (m)
        for length, begin in zip(lengths, begins, strict=True):
            self.positions += [begin + 0.5 * length, begin + length]
            self.shares[-1] += length / 6.0
            self.shares += [length * 2.0 / 3.0, length / 6.0]
        self.positions[-1] = span.length
        self.span, self.rotary = span, rotary

    def piece(self, k: int, origin: float) -> RigidPiece:
        """Mass k in the axes of a bar that begins at the distance `origin`."""
        here, share = self.span.properties(self.positions[k]), self.shares[k]
        across = 1.0 if self.rotary else 0.0
        inertia = share * np.diag([here.jx, across * here.jy, across * here.jz])
        return RigidPiece(share * here.mass_per_length, np.array([self.positions[k] - origin, 0.0, 0.0]), inertia)


def hencky(span: BeamSpan) -> LinkBlock:
    """The beam as a bar-chain of two halves per segment, of the theory its model asks for."""
    base = span.properties(0.0)
    theory, free = theory_of(span, _WORD, _THEORIES, base), free_directions(span, base)
    check_beam(span, _WORD, _THEORIES, free, theory)
    rotary = theory != "euler"
    lumps = _Lumps(span, *element_lengths(span), rotary)
    joints = [joint for joint in _JOINTS if joint[1] in free]
    bodies: list[Body] = []
    directions: list[Direction] = []
    names: list[str] = []
    stations: list[Station] = []
    extents: list[float] = []
    origins: list[float] = []  # of the bars: where their last joints stand
    for k in range(1, len(lumps.positions)):
        begin, end = lumps.positions[k - 1], lumps.positions[k]
        half = _Half(span, begin, end - begin, theory == "timoshenko")
        origin = origins[-1] if origins else 0.0
        for direction, plane, kind, axis in joints:
            # slides and the like have no place of their own along the bar: with the turn that comes last
            at = half.centres[plane if direction == "bending_y" else "bending_z"]
            stiffness = half.stiffness(direction, plane)
            bare = plane in _PLANES and not (rotary and getattr(base, _PLANES[plane][2]) > 0.0)
            bearing = 0.0
            if bare:
                part = _TURNING * half.length**2 if direction == plane else _SLIDING
                bearing = part * span.properties(at).mass_per_length * half.length
            last = direction == joints[-1][0]
            piece = lumps.piece(k, at) if last else RigidPiece()
            strain = half.strain(direction, plane, stiffness)
            stations.append(Station(at, direction, (len(bodies),), (strain,), (stiffness,), (0.0,)))
            bodies.append(
                Body(
                    parent=len(bodies) - 1,
                    kind=kind,
                    axis=np.eye(3)[axis],
                    offset=np.array([at - origin, 0.0, 0.0]),
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

    def place(s: float) -> Place:
        """The bar under a point of the axis; a point on a joint belongs to the bar inboard of it."""
        k = int(np.searchsorted(origins, s - _ON_JOINT * span.length)) - 1
        return Place(-1, s) if k < 0 else Place((k + 1) * len(joints) - 1, s - origins[k])

    return LinkBlock(
        carried=lumps.piece(0, 0.0),
        bodies=tuple(bodies),
        names=tuple(names),
        directions=tuple(directions),
        units=tuple(UNIT[direction] for direction in directions),
        stations=tuple(stations),
        place=place,
        extents=tuple(extents),
    )
