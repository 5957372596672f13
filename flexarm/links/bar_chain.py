"""The parts of the modified Hencky bar-chain: the springs between its bars and the masses on them.

A segment is two halves of length l. In the middle of each half the bars slide sideways and turn against each other,

    kR = EI/l,    kL = 12EI/(l³(1 + Φ)),    Φ = 12EI/(κGA l²)

which is a cubic beam element exactly: about its middle the slide and the turn of an element do not mix. The masses sit
where the halves meet, by Simpson's rule 1/6, 2/3, 1/6 of each segment, and so do the rotary inertias.

On a tapered beam compliances add, and the joint stands where slide and turn do not mix, the centre s_c of ∫ds/EI:

    1/kR = ∫ ds/EI,    1/kL = ∫ (s − s_c)² ds/EI + ∫ ds/κGA,    ∫ (s − s_c) ds/EI = 0
"""

from __future__ import annotations

from collections.abc import Callable

from flexarm.batched import array, diagonal, real
from flexarm.links.base import BeamSpan, Direction, RigidPiece
from flexarm.links.element import gauss

WORD = "hencky"
THEORIES = ("timoshenko", "rayleigh", "euler")
# Of each plane: bending and shear stiffness, rotary inertia.
PLANES: dict[Direction, tuple[str, str, str]] = {"bending_z": ("EIz", "GAy", "jz"), "bending_y": ("EIy", "GAz", "jy")}
# Gauss points per half: exact for uniform beams, to rounding for tapers over one half.
_POINTS = 8
# A point closer to a joint than this part of the beam's length stands on it.
ON_JOINT = 1e-12
# Beside a step a beam is looked at so far inside, of its length.
_INSIDE = 1e-9


class Half:
    """One half of a segment: its springs, and where they stand."""

    def __init__(self, span: BeamSpan, begin: float, length: float, sheared: bool) -> None:
        self.span, self.begin, self.length, self.sheared = span, begin, length, sheared
        self.centres = {plane: self._centre(plane) for plane in PLANES}

    def _sum(self, name: str, factor: Callable[[float], float] = lambda s: 1.0) -> float:
        """∫ factor ds over a stiffness."""
        found = 0.0
        for begin, end in self.span.pieces(self.begin, self.begin + self.length):
            for xi, weight in zip(*gauss(_POINTS), strict=True):
                s = begin + float(xi) * (end - begin)
                found += float(weight) * (end - begin) * factor(s) / real(getattr(self.span.properties(s), name))
        return found

    def _centre(self, plane: Direction) -> float:
        """Where slide and turn of a plane do not mix."""
        middle, name = self.begin + 0.5 * self.length, PLANES[plane][0]
        if self.span.uniform or (self.span.planar and plane == "bending_y"):
            return middle
        return middle + self._sum(name, lambda s: s - middle) / self._sum(name)

    def stiffness(self, direction: Direction, plane: Direction) -> float:
        """The spring of a direction (N m/rad or N/m)."""
        if direction in ("axial", "torsion"):
            return 1.0 / self._sum("EA" if direction == "axial" else "GJ")
        bending, shear, _ = PLANES[plane]
        if direction == plane:
            return 1.0 / self._sum(bending)
        centre = self.centres[plane]
        compliance = self._sum(bending, lambda s: (s - centre) * (s - centre))
        return 1.0 / (compliance + (self._sum(shear) if self.sheared else 0.0))

    def strain(self, direction: Direction, plane: Direction, stiffness: float) -> float:
        """Strain per unit of the coordinate; of a slide the shear strain alone, none where sections do not shear."""
        if direction == plane:
            return 1.0 / self.length
        return stiffness * self._sum(PLANES[plane][1]) / self.length if self.sheared else 0.0


class Lumps:
    """The masses of the chain, one at each end of every half."""

    def __init__(self, span: BeamSpan, lengths: list[float], begins: list[float], rotary: bool) -> None:
        self.positions = [0.0]
        self.shares = [0.0]  # of the length of the beam (m)
        # where the beam is looked at for each mass, by how much of the length: of a step either side has its own
        self._looks: list[list[tuple[float, float]]] = [[]]
        inside = _INSIDE * span.length if span.beam.breaks else 0.0
        for length, begin in zip(lengths, begins, strict=True):
            self.positions += [begin + 0.5 * length, begin + length]
            self.shares[-1] += length / 6.0
            self.shares += [length * 2.0 / 3.0, length / 6.0]
            self._looks[-1].append((begin + inside, length / 6.0))
            self._looks += [[(begin + 0.5 * length, length * 2.0 / 3.0)], [(begin + length - inside, length / 6.0)]]
        self.positions[-1] = span.length
        self.span, self.rotary = span, rotary

    def piece(self, k: int, origin: float) -> RigidPiece:
        """Mass k in the axes of a bar that begins at the distance `origin`."""
        across = 1.0 if self.rotary else 0.0
        whole = RigidPiece()
        for place, share in self._looks[k] if self.span.beam.breaks else [(self.positions[k], self.shares[k])]:
            here = self.span.properties(place)
            inertia = share * diagonal([here.jx, across * here.jy, across * here.jz])
            centre = array([self.positions[k] - origin, 0.0, 0.0])
            piece = RigidPiece(share * here.mass_per_length, centre, inertia)
            whole = whole.joined(piece) if self.span.beam.breaks else piece
        return whole
