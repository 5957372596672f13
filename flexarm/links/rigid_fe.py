"""Rigid finite elements (NOTATION §7): rigid pieces joined by springs at the middles of the segments.

The modified method frees some of the relative motions, the classical one all six; one-degree joints with massless
bodies between them stand for a joint of several degrees. With more than bending free every second spring-damper
element has them the other way round: finite slides and turns depend on their order, one element errs by as much as the
next in the other direction, and together they are as if every slide were taken across the section half-way through the
turn. With bending alone they are the universal joints of the method as it is printed, y inboard of z.
"""

from __future__ import annotations

import numpy as np

from flexarm.batched import array, diagonal, real, whole
from flexarm.core.tree.build import BEFORE, Body
from flexarm.errors import AnalysisError
from flexarm.links.base import STIFFNESS_KEYS, BeamSpan, Direction, LinkBlock, Place, RigidPiece, Station
from flexarm.model import BeamProperties
from flexarm.model.freedoms import freedoms_of

# In the order in which the joints of a spring-damper element stand, base to tip.
_JOINTS: tuple[tuple[Direction, str, str, int, str], ...] = (
    ("axial", "axial", "prismatic", 0, "EA"),
    ("shear_y", "shear", "prismatic", 1, "GAy"),
    ("shear_z", "shear", "prismatic", 2, "GAz"),
    ("torsion", "torsion", "revolute", 0, "GJ"),
    ("bending_y", "bending", "revolute", 1, "EIy"),
    ("bending_z", "bending", "revolute", 2, "EIz"),
)
_AXES, _NOTHING = np.eye(3), RigidPiece()
_IN_PLANE = ("axial", "shear_y", "bending_z")
# Gauss points per piece: exact for polynomial tapers up to degree 9, and to rounding for smooth ones.
_GAUSS = [(float(x), float(w)) for x, w in zip(*np.polynomial.legendre.leggauss(5), strict=True)]


def _freedoms(span: BeamSpan) -> tuple[str, ...]:
    """Freedoms between the pieces: those the model gives, else bending, and torsion and shear where known."""
    return span.formulation.freedoms or freedoms_of(span.formulation, span.properties(0.0), span.planar)


def _points(span: BeamSpan, begin: float, end: float) -> list[tuple[float, float]]:
    """Places (m) and weights (m) of Gauss quadrature over a piece, between kinks and steps of the beam."""
    found = []
    for a, b in span.pieces(begin, end):
        half, middle = 0.5 * (b - a), 0.5 * (a + b)
        found += [(middle + half * x, half * w) for x, w in _GAUSS]
    return found


def _piece(span: BeamSpan, begin: float, end: float) -> RigidPiece:
    """The rigid piece between two distances, its origin at `begin`."""

    here = [(s, w, span.properties(s)) for s, w in _points(span, begin, end)]
    mass = real(sum(w * at.mass_per_length for _, w, at in here))
    centre = real(sum(w * (at.mass_per_length * (s - begin)) for s, w, at in here)) / mass if mass > 0.0 else 0.0
    about = begin + centre
    across = real(sum(w * (at.mass_per_length * ((s - about) * (s - about))) for s, w, at in here))
    jx, jy, jz = (real(sum(w * getattr(at, name) for _, w, at in here)) for name in ("jx", "jy", "jz"))
    return RigidPiece(mass, array([centre, 0.0, 0.0]), diagonal([jx, across + jy, across + jz]))


def _stiffness(span: BeamSpan, name: str, begin: float, end: float) -> float:
    """The spring of a segment: compliances add, 1/k = ∫ ds/EI (25)."""

    def compliance(s: float) -> float:
        value = getattr(span.properties(s), name)
        if value is None:
            raise AnalysisError(
                f'link "{span.name}": beam: {STIFFNESS_KEYS[name]} is missing, must be given for the freedoms '
                f"{', '.join(_freedoms(span))}"
            )
        return 1.0 / real(value)

    return 1.0 / real(sum(w * compliance(s) for s, w in _points(span, begin, end)))


def _check(span: BeamSpan, base: BeamProperties) -> None:
    if "bending" not in _freedoms(span):
        raise AnalysisError(
            f'link "{span.name}": model.freedoms must hold "bending", the links of a chain that cannot bend are rigid'
        )
    if not base.mass_per_length > 0.0:
        raise AnalysisError(
            f'link "{span.name}": beam: mass_per_length is 0 kg/m, must be > 0 for rigid finite elements'
        )
    if "torsion" in _freedoms(span) and not span.planar and not base.jx > 0.0:
        raise AnalysisError(f'link "{span.name}": beam: polar_inertia is missing, must be > 0 for torsion to be free')


def rigid_fe(span: BeamSpan) -> LinkBlock:
    """The beam as rigid finite elements: n springs at the middles of n equal segments."""
    n = span.formulation.elements
    segment = span.length / n
    _check(span, span.properties(0.0))
    freedoms = _freedoms(span)
    free = [joint for joint in _JOINTS if joint[1] in freedoms and (not span.planar or joint[0] in _IN_PLANE)]
    alternating = any(freedom != "bending" for _, freedom, *_ in free)
    bodies: list[Body] = []
    names: list[str] = []
    directions: list[Direction] = []
    extents: list[float] = []
    made: dict[tuple[int, ...], Body] = {}
    springs: dict[tuple[str, int], float] = {}
    pieces: dict[int, RigidPiece] = {}
    half, whole_segment, none = (array([step, 0.0, 0.0]) for step in (0.5 * segment, segment, 0.0))
    orders = [[(k, *joint) for k, joint in enumerate(each)] for each in (free, free[::-1] if alternating else free)]
    for j in range(n):
        # of a uniform beam all springs are alike, and all pieces but the last, which is half as long; bodies that are
        # alike are one
        own = 0 if span.uniform else j
        place_of = own if j < n - 1 else n
        for k, direction, _, kind, axis, name in orders[j % 2]:
            like = min(j, 1), j % 2, k, place_of
            if like not in made:
                first, last = k == 0, k == len(free) - 1
                if (name, own) not in springs:
                    springs[name, own] = _stiffness(span, name, j * segment, (j + 1) * segment)
                if last and place_of not in pieces:
                    end = (j + 1.5) * segment if j < n - 1 else span.length
                    pieces[place_of] = _piece(span, (j + 0.5) * segment, end)
                piece = pieces[place_of] if last else _NOTHING
                made[like] = Body(
                    parent=-1 if first and j == 0 else BEFORE,
                    kind=kind,
                    axis=_AXES[axis],
                    offset=(half if j == 0 else whole_segment) if first else none,
                    stiffness=springs[name, own],
                    mass=piece.mass,
                    centre=piece.centre,
                    inertia=piece.inertia,
                )
            bodies.append(made[like])
            names.append(f"{direction}{j + 1}")
            directions.append(direction)
        extents += [((j + 1.5) * segment if j < n - 1 else span.length) - (j + 0.5) * segment] * len(free)

    def stations() -> list[Station]:
        """Every spring tells the strain of its segment."""
        strain, no_loss = (1.0 / segment,), (0.0,)
        return [
            Station((c // len(free) + 0.5) * segment, direction, (c,), strain, (body.stiffness,), no_loss)
            for c, (body, direction) in enumerate(zip(bodies, directions, strict=True))
        ]

    def place(s: float) -> Place:
        """The body under a point of the axis; a point on a spring belongs to the piece inboard of it."""
        j = whole(np.ceil(s / segment - 0.5 - 1e-12)) - 1
        if j < 0:
            return Place(-1, s)
        j = min(j, n - 1)
        return Place((j + 1) * len(free) - 1, s - (j + 0.5) * segment)

    return LinkBlock.of_chain(_piece(span, 0.0, 0.5 * segment), place, stations, bodies, names, directions, extents)
