"""A beam cut into finite elements: what is free, by which theory, and where the nodes stand."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from flexarm.batched import real, whole
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.links.base import STIFFNESS_KEYS, BeamSpan, Direction, Station
from flexarm.links.element import NODAL, Element, ElementKind
from flexarm.model import BeamProperties
from flexarm.model.freedoms import shear_known

# A point closer to a node than this part of the beam's length stands on it.
_ON_NODE = 1e-12
_KEYS = {
    **STIFFNESS_KEYS,
    "jx": "polar_inertia",
    "jy": "rotary_inertia",
    "jz": "rotary_inertia",
}


@dataclass(frozen=True, eq=False)
class Mesh:
    """The elements of a beam, base to tip. Coordinates are those of all nodes but the clamped one at the base."""

    span: BeamSpan
    kind: ElementKind
    elements: tuple[Element, ...]  # one and the same object where they are alike
    begins: tuple[float, ...]  # distance of each along the beam (m)

    @property
    def free(self) -> tuple[Direction, ...]:
        """The directions that are free, of axial, bending_z, bending_y, torsion."""
        return self.elements[0].free

    @property
    def per_node(self) -> int:
        """Number of coordinates of a node."""
        return self.elements[0].per_node

    @property
    def per_element(self) -> int:
        """Number of coordinates an element adds: those of its nodes but the proximal one."""
        return self.elements[0].count - self.per_node

    @property
    def count(self) -> int:
        """Number of coordinates."""
        return len(self.elements) * self.per_element

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the coordinates: "v3" at the far end of the third element, "v2.5" at a node in its middle."""
        here = [name for name, direction, _ in NODAL if direction in self.free]
        middle = [".5"] if self.kind.nodes == 3 else []
        return tuple(
            f"{name}{label}"
            for k in range(len(self.elements))
            for label in (*(f"{k}{half}" for half in middle), str(k + 1))
            for name in here
        )

    def _repeated(self, of_node: list[str]) -> tuple[str, ...]:
        """The labels of one node for all of them."""
        return tuple(of_node * (self.count // self.per_node))

    @property
    def directions(self) -> tuple[Direction, ...]:
        """What each coordinate is part of."""
        return self._repeated([d for _, d, _ in NODAL if d in self.free])  # type: ignore[return-value]

    @property
    def units(self) -> tuple[str, ...]:
        """Units of the coordinates."""
        return self._repeated([unit for _, direction, unit in NODAL if direction in self.free])

    def under(self, s: float) -> tuple[int, float]:
        """The element under a point of the axis and the distance from its beginning; −1, s at the base.

        A point on a node belongs to the element inboard of it.
        """
        near = _ON_NODE * self.span.length
        if s <= near:
            return -1, s
        k = max(bisect_left(self.begins, s - near) - 1, 0)
        begin, length = self.begins[k], self.elements[k].length
        return k, length if s >= begin + length - near else s - begin

    def stations(self, columns: Callable[[int], tuple[Floats, int]]) -> tuple[Station, ...]:
        """Where strains and forces are read. Of each element `columns` gives the matrix (count of the element, m) that
        leads from m coordinates of the block to its own, and the number of the first of them.
        """
        found = []
        # elements that are alike read alike; matrices are kept so that no other takes the place of one
        known: dict[tuple[int, int], tuple[Floats, list[int], tuple[float, ...], tuple[float, ...]]] = {}
        for k, element in enumerate(self.elements):
            matrix, first = columns(k)
            last = k == len(self.elements) - 1
            for reading in element.readings + (element.tip_readings if last else ()):
                name = id(reading), id(matrix)
                if name not in known:
                    strain = reading.strain @ matrix
                    used = [int(c) for c in np.flatnonzero(strain)]
                    rows = tuple(real(strain[c]) for c in used)
                    known[name] = matrix, used, rows, tuple(real(reading.stiffness * each) for each in rows)
                _, used, rows, forces = known[name]
                where = tuple(first + c for c in used)
                begin = self.begins[k] + reading.x
                # a bent element is most accurate at its Gauss points, not at its ends
                rough = len(element.kind.bending_readings) > 1 and reading.x in (0.0, element.length)
                found.append(Station(begin, reading.name, where, rows, forces, (0.0,) * len(used), rough))
        return tuple(found)


def mesh_of(span: BeamSpan, kind: ElementKind) -> Mesh:
    """The beam cut into elements, refused where the model lacks what they need."""
    model, base = span.formulation, span.properties(0.0)
    theory = theory_of(span, kind.word, kind.theories, base)
    free = free_directions(span, base)
    check_beam(span, kind.word, kind.theories, free, theory)
    lengths, begins = element_lengths(span)
    how = (tuple(free), theory == "timoshenko", theory != "euler", model.integration)
    if span.uniform:
        # lengths that are alike are one and the same number
        alike = {id(length): _uniform(kind, length, *how, base) for length in lengths}
        elements = [alike[id(length)] for length in lengths]
    else:
        # each its own: b is the beginning of the element
        pairs = zip(lengths, begins, strict=True)
        elements = [
            Element(kind, length, *how, True, lambda x, b=b: span.properties(b + x))  # type: ignore[misc]
            for length, b in pairs
        ]
    return Mesh(span, kind, tuple(elements), tuple(begins))


def _uniform(kind: ElementKind, length: float, *how: Any) -> Element:
    """An element of a uniform beam: the same one for as long as equal ones are asked for, and all that is made of it
    with it. Numbers of many samples have no hash: theirs is a new one.
    """
    try:
        return _kept(kind, length, *how)
    except TypeError:
        return _made(kind, length, *how)


def _made(
    kind: ElementKind,
    length: float,
    free: tuple[Direction, ...],
    shear: bool,
    rotary: bool,
    integration: str,
    base: BeamProperties,
) -> Element:
    return Element(kind, length, free, shear, rotary, integration, False, lambda x: base)


_kept = lru_cache(maxsize=32)(_made)


def element_lengths(span: BeamSpan) -> tuple[list[float], list[float]]:
    """Lengths of the elements and where they begin: a geometric series from the first to the last, with nodes where
    something stands on the beam.
    """
    n, grading = span.formulation.elements, span.formulation.grading
    if grading == 1.0 or n == 1:
        if not _between_nodes(span, n):
            # equal to the last bit, so that their matrices need be made only once
            return [span.length / n] * n, [span.length * k / n for k in range(n)]
        return _pieces(span, n)
    shares = grading ** (np.arange(n) / (n - 1))
    lengths = span.length * shares / shares.sum()
    begins = [0.0, *(real(x) for x in np.cumsum(lengths)[:-1])]
    free = set(range(1, n))
    for place in span.places:
        # the nearest node that has no place yet moves there
        if free:
            nearest = min(free, key=lambda k: abs(begins[k] - place))
            begins[nearest] = place
            free.discard(nearest)
    if sorted(begins) != begins or not span.places:
        return [real(x) for x in lengths], [0.0, *(real(x) for x in np.cumsum(lengths)[:-1])]
    return [end - begin for begin, end in pairwise([*begins, span.length])], begins


def _between_nodes(span: BeamSpan, n: int) -> bool:
    """True if something stands between the nodes of n equal elements, and there are enough of these to change it."""
    parts = [place / span.length * n for place in span.places]
    return 0 < len(parts) < n and any(abs(part - whole(part + 0.5)) > _ON_NODE * n for part in parts)


def _pieces(span: BeamSpan, n: int) -> tuple[list[float], list[float]]:
    """So many elements, equal in each piece of the beam between places where something stands: every piece has one,
    and the others go one by one to the piece whose elements are longest.
    """
    ends = [*span.places, span.length]
    sizes = [end - begin for begin, end in zip([0.0, *span.places], ends, strict=True)]
    counts = [1] * len(sizes)
    for _ in range(n - len(sizes)):
        longest = 0
        for k in range(1, len(sizes)):
            # by more than rounding, so that alike pieces take turns
            if sizes[k] * counts[longest] > sizes[longest] * counts[k] * (1.0 + 1e-9):
                longest = k
        counts[longest] += 1
    lengths: list[float] = []
    begins: list[float] = []
    for size, count, end in zip(sizes, counts, ends, strict=True):
        lengths += [size / count] * count
        begins += [end - size + size * k / count for k in range(count)]
    return lengths, begins


def refused(span: BeamSpan, found: str, allowed: str) -> AnalysisError:
    """The error that names the link, what was found and what is allowed."""
    return AnalysisError(f'link "{span.name}": {found}, must {allowed}')


def theory_of(span: BeamSpan, word: str, theories: tuple[str, ...], base: BeamProperties) -> str:
    """The theory of bending the link asks for, or its default."""
    freedoms, theory = span.formulation.freedoms or (), span.formulation.theory
    if theory is None:
        known = shear_known(base, span.planar)
        theory = "timoshenko" if known or "shear" in freedoms else "rayleigh"
        return theory if theory in theories else theories[0]
    if theory not in theories:
        raise refused(
            span,
            f'model.theory is "{theory}"',
            f'be "{theories[0]}" for "{word}" elements, whose sections turn by themselves; "hermite" offers "{theory}"',
        )
    if "shear" in freedoms and theory != "timoshenko":
        raise refused(span, f'model.theory is "{theory}"', 'be "timoshenko" where freedoms hold "shear"')
    return str(theory)


def free_directions(span: BeamSpan, base: BeamProperties) -> tuple[Direction, ...]:
    """The directions in which the beam deforms, in the order of a node's displacements."""
    freedoms = span.formulation.freedoms
    if freedoms is None:
        freedoms = ("bending", "torsion") if base.GJ is not None else ("bending",)
    if "bending" not in freedoms:
        raise refused(
            span, f"model.freedoms holds {', '.join(freedoms)}", 'hold "bending": a beam that cannot bend is rigid'
        )
    wanted: tuple[tuple[Direction, bool], ...] = (
        ("axial", "axial" in freedoms),
        ("bending_z", True),
        ("bending_y", not span.planar),
        ("torsion", "torsion" in freedoms and not span.planar),
    )
    return tuple(direction for direction, free in wanted if free)


def check_beam(span: BeamSpan, word: str, theories: tuple[str, ...], free: tuple[Direction, ...], theory: str) -> None:
    """Refuses a beam that lacks what its elements need."""
    base = span.properties(0.0)
    if not base.mass_per_length > 0.0:
        raise refused(span, "beam: mass_per_length is 0 kg/m", f'be > 0 for "{word}" elements')
    stiffnesses: list[tuple[str, str]] = [("EIz", "bending")]
    inertias: list[tuple[str, str]] = []
    if "bending_y" in free:
        stiffnesses.append(("EIy", "bending"))
    if "axial" in free:
        stiffnesses.append(("EA", '"axial" freedom'))
    if "torsion" in free:
        stiffnesses.append(("GJ", '"torsion" freedom'))
        inertias.append(("jx", "torsion to be free"))
    if theory == "timoshenko":
        sheared = f'"{word}" elements' if theories == ("timoshenko",) else 'theory "timoshenko"'
        stiffnesses += [("GAy", sheared), *([("GAz", sheared)] if "bending_y" in free else [])]
        if theories == ("timoshenko",):
            # rotations that are fields of their own would have no mass
            inertias += [("jz", sheared), *([("jy", sheared)] if "bending_y" in free else [])]
    for name, purpose in stiffnesses:
        if getattr(base, name) is None:
            raise refused(span, f"beam: {_KEYS[name]} is missing", f"be given for {purpose}")
    for name, purpose in inertias:
        if not getattr(base, name) > 0.0:
            raise refused(span, f"beam: {_KEYS[name]} is missing", f"be > 0 for {purpose}")
