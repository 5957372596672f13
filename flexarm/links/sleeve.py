"""A beam that slides out of a sleeve: the elements of its formulation stretched over the length outside.

Nodes stand at fixed parts ξ of that length, so that every element grows and shrinks with it. Rows are taken from the
elements at unit length; those of cubic elements that shear are affine in q = β/(β + L²), so two of them give all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from flexarm.core.tree.build import Body
from flexarm.core.tree.sleeve import LEAST_PART, Sleeve, elastic_length
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.links.base import STIFFNESS, BeamSpan, Direction, LinkBlock, Place, RigidPiece
from flexarm.links.damping import clamped_frequencies
from flexarm.links.element import NODAL, Element, ElementKind, gauss
from flexarm.links.element_frames import element_frames
from flexarm.links.hermite import HERMITE
from flexarm.links.isoparametric import ISOPARAMETRIC
from flexarm.links.mesh import Mesh, mesh_of
from flexarm.links.timoshenko import TIMOSHENKO
from flexarm.model import BeamProperties, Link

KINDS: dict[str, ElementKind] = {kind.word: kind for kind in (TIMOSHENKO, HERMITE, ISOPARAMETRIC)}
_CODES: dict[Direction, int] = {"axial": 0, "bending_z": 1, "bending_y": 2, "torsion": 3}
_PLANES: dict[str, int] = {"bending_z": 0, "shear_y": 0, "bending_y": 1, "shear_z": 1}


@dataclass(frozen=True, eq=False)
class SleeveStation:
    """A place at a fixed part of the length outside where a strain and the force behind it are read."""

    position: float  # from the mouth when all of the beam is out (m)
    direction: Direction
    first: int  # elastic coordinate of the first column
    powers: Floats  # (columns,) of 1/d
    shear: float  # β
    rows: Floats  # (columns, 2) a, b of the strain (a + q b)/d^power
    stiffness: float
    retardation: float
    least: float  # elastic length of the shortest beam

    def strains(self, z: Floats, values: Floats) -> Floats:
        """The strain that values (m, 1 + n) of the coordinates give at the lengths in z (m, …)."""
        e = np.array([elastic_length(float(d), self.least)[0] for d in z[:, 0]])[:, None]
        a, b = self.rows.T
        rows = e**-self.powers * (a + (self.shear / (self.shear + e * e)) * b)
        return np.asarray(np.sum(rows * values[:, 1 + self.first : 1 + self.first + len(a)], axis=1))


def sleeve_block(span: BeamSpan, link: Link) -> tuple[LinkBlock, tuple[SleeveStation, ...]]:
    """The beam as one body that slides, and where its strains are read.

    The first coordinate, the length outside, is the joint's and not named here.
    """
    mesh = sleeve_mesh(span)
    retardation = _retardation(mesh, link)
    sleeve = sleeve_of(mesh, retardation)
    tip = sleeve.tip

    def place(s: float) -> Place:
        """The tip: no other place stays outside."""
        return Place(0, s, tip)

    block = LinkBlock(
        carried=RigidPiece(),
        bodies=(Body(parent=-1, sleeve=sleeve),),
        names=mesh.names,
        directions=mesh.directions,
        units=mesh.units,
        reads=tuple,
        place=place,
        extents=(span.length,),
    )
    return block, _readings(mesh, retardation)


def sleeve_mesh(span: BeamSpan) -> Mesh:
    """The beam all out, cut into elements; refuses what cannot slide."""
    model = span.formulation

    def refused(found: str, allowed: str) -> AnalysisError:
        return AnalysisError(f'link "{span.name}": {found} with joint.sleeve, must {allowed}')

    if model.formulation not in KINDS:
        known = ", ".join(f'"{word}"' for word in KINDS)
        raise refused(
            f'model.formulation is "{model.formulation}"',
            f"be one whose elements can grow with the length outside: {known}",
        )
    if not span.uniform:
        raise refused(
            f"beam.{'along' if span.beam.along else 'end'} is given",
            "be left out: the beam is uniform, so that any part of it may be outside",
        )
    if model.modes:
        raise refused(f"model.modes is {model.modes}", "be 0: shapes change with the length outside, use few elements")
    return mesh_of(span, KINDS[model.formulation])


def _retardation(mesh: Mesh, link: Link) -> float:
    """Retardation time (s) of the beam's damping; a ratio is that of the beam all out."""
    damping = link.effective_damping
    if damping is None:
        return 0.0
    if damping.per_spring is not None:
        raise AnalysisError(
            f'link "{link.name}": damping has per_spring, must have retardation or ratio: finite elements have no '
            "springs"
        )
    if damping.ratio is None:
        return float(damping.retardation or 0.0)
    clamped = clamped_frequencies(element_frames(mesh, classical=True))
    if damping.mode > len(clamped):
        raise AnalysisError(
            f'link "{link.name}": damping.mode is {damping.mode}, must be ≤ the number of elastic coordinates, '
            f"{len(clamped)}"
        )
    return 2.0 * damping.ratio / float(clamped[damping.mode - 1])


class _Unit:
    """An element of unit length and what its rows are without shear, and per unit of q."""

    def __init__(self, element: Element) -> None:
        known = replace(element.properties(0.0), EIy=1.0, EIz=1.0, GAy=12.0, GAz=12.0)  # β = 1, q = ½

        def constant(_: float) -> BeamProperties:
            return known

        self.element = element
        self.plain = replace(element, length=1.0, shear=False)
        self.sheared = replace(element, length=1.0, properties=constant) if element.shear else self.plain

    def rows(self, of: Callable[[Element], Floats]) -> tuple[Floats, Floats]:
        """Rows without shear, and what one unit of q adds."""
        plain = of(self.plain)
        return plain, 2.0 * (of(self.sheared) - plain)

    def beta(self, plane: str) -> float:
        """12EI/κGA (m²) of a bending plane."""
        if not self.element.shear:
            return 0.0
        here = self.element.properties(0.0)
        stiff, shear = (here.EIz, here.GAy) if _PLANES[plane] == 0 else (here.EIy, here.GAz)
        return 12.0 * float(stiff) / float(shear) if stiff is not None and shear is not None else 0.0


def sleeve_of(mesh: Mesh, retardation: float = 0.0) -> Sleeve:
    """The beam of the mesh in a sleeve."""
    base = mesh.span.properties(0.0)
    directions = np.array([_CODES[direction] for direction in mesh.directions], np.int64)
    rotations = np.array([int(unit == "rad") for unit in mesh.units], np.int64)
    element = mesh.elements[0]
    stations, points = [], []
    units = {each: _Unit(each) for each in set(mesh.elements)}
    for k, each in enumerate(mesh.elements):
        share, begin = each.length / mesh.span.length, mesh.begins[k] / mesh.span.length
        # the clamped node at the mouth does not move
        cut = mesh.per_node if k == 0 else 0
        first = k * mesh.per_element - mesh.per_node + cut
        stations += [
            (begin + share * xi, share * weight, shear, first, rows[cut:])
            for xi, weight, shear, rows in _stations(units[each], share)
        ]
        points += [
            (stiffness, power, shear, first, rows[cut:])
            for stiffness, power, shear, rows in _points(units[each], share)
        ]
    xi, weight, shear, first_of, rows_of = zip(*stations, strict=True)
    stiffness, power, point_shear, point_first, point_rows = zip(*points, strict=True)
    # the tip moves and turns with the last node, whatever the length
    last, end = mesh.elements[-1], np.array([mesh.elements[-1].length])
    outer = np.eye(mesh.count + mesh.per_node)[-last.count :, mesh.per_node :]
    tip_phi, tip_psi = last.displacement(end)[0] @ outer, last.rotation(end)[0] @ outer
    across = 1.0 if element.rotary else 0.0
    return Sleeve(
        length=mesh.span.length,
        mass_per_length=base.mass_per_length,
        rotary=np.array([base.jx, across * base.jy, across * base.jz]),
        directions=directions,
        rotations=rotations,
        xi=np.array(xi),
        weight=np.array(weight),
        shear=np.array(shear),
        first=np.array(first_of, np.int64),
        rows=rows_of,
        point_stiffness=np.array(stiffness),
        point_power=np.array(power, np.int64),
        point_shear=np.array(point_shear),
        point_first=np.array(point_first, np.int64),
        point_rows=point_rows,
        tip_phi=tip_phi,
        tip_psi=tip_psi,
        stiffening=mesh.span.formulation.stiffening,
        retardation=retardation,
    )


def _factors(unit: _Unit, displacements: float, rotations: float) -> Floats:
    """A factor for every column of an element (count,), one for displacements and one for rotations."""
    here = [coordinate[2] for coordinate in NODAL if coordinate[1] in unit.element.free]
    factors = [rotations if name == "rad" else displacements for name in here] * unit.element.kind.nodes
    return np.array(factors)


def _stations(unit: _Unit, share: float) -> list[tuple[float, float, tuple[float, float], Floats]]:
    """Place, weight, β of both planes and rows (count, 10) of each station of an element, per unit of its length."""
    element = unit.element
    xi, weights = gauss(element.kind.station_points)
    # of each column only the row of its own direction is not zero: sums pick it
    strains = [name for name in ("torsion", "bending_y", "bending_z") if name in element.free]

    def slope(each: Element) -> Floats:
        rows = each.slope(xi).sum(axis=1)
        return rows + each.strain("axial", xi) if "axial" in each.free else rows

    def curvature(each: Element) -> Floats:
        return np.sum([each.strain(name, xi) for name in strains], axis=0)  # type: ignore[arg-type]

    deflection = unit.rows(lambda each: each.displacement(xi).sum(axis=1))
    turning = unit.rows(lambda each: each.rotation(xi).sum(axis=1))
    steepness, bending = unit.rows(slope), unit.rows(curvature)
    shear = unit.rows(lambda each: each.strain_energy_shear(xi).sum(axis=1))
    columns = [
        *(rows * _factors(unit, 1.0, share) for rows in deflection),
        *(rows * _factors(unit, 1.0 / share, 1.0) for rows in steepness),
        *(rows * _factors(unit, 1.0 / share, 1.0) for rows in turning),
        *(rows * _factors(unit, 1.0 / share**2, 1.0 / share) for rows in bending),
        *(rows * _factors(unit, 1.0 / share, 1.0) for rows in shear),
    ]
    table = np.stack(columns, axis=-1)
    beta = (unit.beta("bending_z") / share**2, unit.beta("bending_y") / share**2)
    return [(float(xi[g]), float(weights[g]), beta, table[g]) for g in range(len(xi))]


def _points(unit: _Unit, share: float) -> list[tuple[float, int, float, Floats]]:
    """Stiffness × weight, power of 1/d, β and rows (count, 2) of the points at which strains are summed."""
    element, kind = unit.element, unit.element.kind
    found = []
    for name in element.strains:
        if _power(name) == 1 and name != "axial":
            number = kind.shear_points[element.integration]
        else:
            number = kind.bending_points if name in _PLANES else kind.nodes - 1
        xi, weights = gauss(number)
        stiffness, beta, rows = _strains(unit, share, name, xi)
        found += [(stiffness * float(weight) * share, _power(name), beta, rows[g]) for g, weight in enumerate(weights)]
    return found


def _power(name: Direction) -> int:
    """Power of 1/d in a strain: of stretch and shear it is a slope, of torsion and bending a rotation's."""
    return 1 if name in ("axial", "shear_y", "shear_z") else 2


def _strains(unit: _Unit, share: float, name: Direction, xi: Floats) -> tuple[float, float, Floats]:
    """Stiffness, β and rows (p, count, 2) of a strain at places of an element."""
    power = _power(name)
    factors = _factors(unit, share**-power, share ** (1 - power))
    rows = np.stack([part * factors for part in unit.rows(lambda each: each.strain(name, xi))], axis=-1)
    stiffness = float(getattr(unit.element.properties(0.0), STIFFNESS[name]))
    return stiffness, unit.beta(name) / share**2 if name in _PLANES else 0.0, rows


def _readings(mesh: Mesh, retardation: float) -> tuple[SleeveStation, ...]:
    """Where strains are read: the places of the formulation, at fixed parts of the length outside."""
    length, found = mesh.span.length, []
    rotations = np.array([float(unit == "rad") for unit in mesh.units])
    units = {each: _Unit(each) for each in set(mesh.elements)}
    for k, each in enumerate(mesh.elements):
        cut, last = mesh.per_node if k == 0 else 0, k == len(mesh.elements) - 1
        first = k * mesh.per_element - mesh.per_node + cut
        for reading in each.readings + (each.tip_readings if last else ()):
            xi = np.array([reading.x / each.length])
            stiffness, beta, rows = _strains(units[each], each.length / length, reading.name, xi)
            own = rows[0, cut:]
            turns = rotations[first : first + len(own)]
            found.append(
                SleeveStation(
                    position=mesh.begins[k] + reading.x,
                    direction=reading.name,
                    first=first,
                    powers=_power(reading.name) - turns,
                    shear=beta,
                    rows=own,
                    stiffness=stiffness,
                    retardation=retardation,
                    least=LEAST_PART * length,
                )
            )
    return tuple(found)
