"""Beams: the flexible body of a link, by section and material or by its stiffness and mass per length."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import pairwise
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
from pydantic import Field, PrivateAttr, WithJsonSchema

from flexarm.errors import ModelError, Problem
from flexarm.model.parts.material import Material, library_material, library_names
from flexarm.model.parts.part import Part
from flexarm.model.parts.section import AnySection, Section
from flexarm.model.reading.messages import Mistake, either, meant, number, quoted, refusal, shown
from flexarm.model.reading.quantity import Pair, Quantity, Reader, entries
from flexarm.model.reading.readers import Name
from flexarm.model.reading.text import part_to_dict

Both = tuple[float, float]
# √(G/ρ) (m/s): steel 3208, aluminium 3158, titanium 3083, magnesium 3062.
_TORSION_SPEED = 3100.0


@dataclass(frozen=True)
class BeamProperties:
    """Stiffnesses and inertias of a beam at one place, about its own axes; None where the model gives none.

    x runs along the beam. EIz resists bending in the x-y plane, GAy (shear coefficient included) shear along y.
    """

    EA: float | None
    GAy: float | None
    GAz: float | None
    GJ: float | None
    EIy: float | None
    EIz: float | None
    mass_per_length: float
    jx: float
    jy: float
    jz: float


class MaterialReader(Reader):
    """The name of a material, or a material."""

    def read(self, value: Any, siblings: Mapping[str, Any]) -> Any:
        """The name or the material."""
        if value is None or isinstance(value, Material):
            return value
        if isinstance(value, str):
            return Name().read(value, siblings)
        if isinstance(value, Mapping):
            # A ValidationError from here keeps its place below this key.
            return Material.__pydantic_validator__.validate_python(value)
        raise refusal(f"is {shown(value)}, must be the name of a material or a table")

    def write(self, value: Any, owner: Any) -> Any:
        """The name, or a table."""
        return part_to_dict(value) if isinstance(value, Material) else value

    def schema(self) -> dict[str, Any]:
        """Text or a material's table."""
        return {"anyOf": [{"type": "string"}, Material.model_json_schema()]}


_PART_OF_A_SECTION = {"type": "object", "description": "the dimensions that differ from those at the base"}


class BeamEnd(Part):
    """The values a tapered beam has at its far end; what is left out stays as at the base."""

    section: Annotated[AnySection | None, WithJsonSchema(_PART_OF_A_SECTION)] = None
    bending_stiffness: Annotated[Both | None, Pair("N m²", above=0, optional=True)] = None
    mass_per_length: Annotated[float | None, Quantity("kg/m", least=0, optional=True)] = None
    torsional_stiffness: Annotated[float | None, Quantity("N m²", above=0, optional=True)] = None
    axial_stiffness: Annotated[float | None, Quantity("N", above=0, optional=True)] = None
    shear_stiffness: Annotated[Both | None, Pair("N", above=0, optional=True)] = None
    rotary_inertia: Annotated[Both | None, Pair("kg m", least=0, optional=True)] = None
    polar_inertia: Annotated[float | None, Quantity("kg m", least=0, optional=True)] = None


class BeamStation(BeamEnd):
    """The values a beam has at one place between its base and its far end, or there; see `Beam.along`."""

    always_written = ("at",)

    at: Annotated[float, Quantity("", least=0, most=1)] = Field(description="part of the length from the base")


_NUMBERS = tuple(name for name in BeamEnd.model_fields if name != "section")


class Beam(Part):
    """A beam: section and material, or bending_stiffness and mass_per_length with whatever else is known."""

    section: AnySection | None = None
    material: Annotated[str | Material | None, MaterialReader()] = Field(
        None, description="the name of a material, or its table"
    )
    bending_stiffness: Annotated[Both | None, Pair("N m²", above=0, optional=True)] = Field(
        None, description="EI: one number, or about y and about z"
    )
    mass_per_length: Annotated[float | None, Quantity("kg/m", least=0, optional=True)] = None
    torsional_stiffness: Annotated[float | None, Quantity("N m²", above=0, optional=True)] = Field(
        None, description="GJ"
    )
    axial_stiffness: Annotated[float | None, Quantity("N", above=0, optional=True)] = Field(None, description="EA")
    shear_stiffness: Annotated[Both | None, Pair("N", above=0, optional=True)] = Field(
        None, description="κGA: one number, or along y and along z"
    )
    rotary_inertia: Annotated[Both | None, Pair("kg m", least=0, optional=True)] = Field(
        None, description="per length: one number, or about y and about z"
    )
    polar_inertia: Annotated[float | None, Quantity("kg m", least=0, optional=True)] = Field(
        None, description="per length, about the beam's axis"
    )
    end: BeamEnd | None = Field(None, description="values at the far end of a tapered beam")
    along: tuple[BeamStation, ...] = Field(
        (),
        description="values at places along the beam, rising, instead of end: linear between, constant beyond the "
        "last; two at one place are a step; what one leaves out stays as before it",
    )

    _bound: Material | None = PrivateAttr(None)

    @classmethod
    def prepared(cls, raw: dict[str, Any]) -> dict[str, Any]:
        """A tapered end written out: what its section leaves out is taken from the base."""
        if raw.get("along") is not None:
            return {**raw, "along": _written_out(raw)}
        base, end = raw.get("section"), raw.get("end")
        if not isinstance(end, Mapping) or not isinstance(end.get("section"), Mapping):
            return raw
        near, far = part_to_dict(base) if isinstance(base, Part) else base, end["section"]
        if not isinstance(near, Mapping) or ("shape" in far and str(far["shape"]) != str(near.get("shape"))):
            return raw
        return {**raw, "end": {**end, "section": {**near, **far}}}

    @classmethod
    def mistakes_in(cls, raw: Mapping[str, Any]) -> Iterable[Mistake]:
        """Both ways to describe a beam at once, or neither."""
        given = {key for key in cls.model_fields if raw.get(key) is not None}
        if {"end", "along"} <= given:
            yield (), "end is given with along, must be its last entry, at = 1"
        numbers = [key for key in _NUMBERS if key in given]
        if "section" in given or "material" in given:
            if numbers:
                yield (), f"has section or material together with {' and '.join(numbers)}, must have one or the other"
            else:
                for key in {"section", "material"} - given:
                    yield (), f"{key} is missing, must be given with {({'section', 'material'} - {key}).pop()}"
        elif not numbers:
            yield (), "has no values, must have section and material, or bending_stiffness and mass_per_length"
        else:
            for key in ("bending_stiffness", "mass_per_length"):
                if key not in given:
                    yield (), f"{key} is missing, must be given unless there are section and material"

    def mistakes(self) -> Iterable[Mistake]:
        """A taper that changes into something else on the way, places that do not rise."""
        yield from self._mistakes_along()
        if self.end is None:
            return
        given = [name for name in BeamEnd.model_fields if getattr(self.end, name) is not None]
        for name in given:
            if getattr(self, name) is None:
                yield ("end",), f"{name} is given here but not at the base, must stand at both"
        if self.section is not None and self.end.section is not None:
            here, there = self.section.shape, self.end.section.shape
            if here != there:
                yield ("end", "section"), f"shape is {quoted(there)}, must be {quoted(here)} as at the base"

    def _mistakes_along(self) -> Iterable[Mistake]:
        for k, station in enumerate(self.along):
            if k > 0 and station.at < self.along[k - 1].at:
                before = number(self.along[k - 1].at)
                yield ("along", k), f"at is {number(station.at)}, must be ≥ that of the entry before it, {before}"
            if k > 1 and station.at == self.along[k - 2].at:
                yield ("along", k), f"at is {number(station.at)} for the third time, must be twice at most: a step"
            for name in BeamEnd.model_fields:
                if getattr(station, name) is not None and getattr(self, name) is None:
                    yield ("along", k), f"{name} is given here but not at the base, must stand at both"
            if self.section is not None and station.section is not None and self.section.shape != station.section.shape:
                there, here = quoted(station.section.shape), quoted(self.section.shape)
                yield ("along", k, "section"), f"shape is {there}, must be {here} as at the base"

    @property
    def uniform(self) -> bool:
        """True if the beam is the same everywhere."""
        return self.end is None and not self.along

    @cached_property
    def stations(self) -> tuple[tuple[float, BeamEnd], ...]:
        """Places (parts of the length) from 0 to 1 with all values there; between two of them they are linear."""
        base = BeamEnd.model_construct(**{name: getattr(self, name) for name in BeamEnd.model_fields})
        if self.end is not None:
            return (0.0, base), (1.0, _filled(self.end, base))
        found: list[tuple[float, BeamEnd]] = [(0.0, base)]
        for station in self.along:
            found.append((station.at, _filled(station, found[-1][1])))
        return (*found, (1.0, found[-1][1])) if found[-1][0] < 1.0 or len(found) == 1 else tuple(found)

    @cached_property
    def breaks(self) -> tuple[float, ...]:
        """Parts of the length between base and end at which values have a kink or a step, rising."""
        return tuple(dict.fromkeys(at for at, _ in self.stations if 0.0 < at < 1.0)) if self.along else ()

    def quadrature(self, points: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Gauss points and weights on [0, 1], so many between every two breaks."""
        nodes, weights = np.polynomial.legendre.leggauss(points)
        ends = [0.0, *self.breaks, 1.0]
        halves = [(0.5 * (a + b), 0.5 * (b - a)) for a, b in pairwise(ends)]
        return (
            np.concatenate([middle + half * nodes for middle, half in halves]),
            np.concatenate([half * weights for _, half in halves]),
        )

    @property
    def material_data(self) -> Material | None:
        """The material itself: from the arm the beam stands in, or the library; None for a beam given by numbers."""
        if self.material is None or isinstance(self.material, Material):
            return self.material
        found = self._bound or library_material(self.material)
        if found is None:
            names = library_names()
            reason = f"material is {quoted(self.material)}, must be {either(names)}{meant(self.material, names)}"
            raise ModelError([Problem("", reason)], source="Beam")
        return found

    def bound_to(self, material: Material | None) -> Beam:
        """A copy whose material name means the given material; None: the library's."""
        copy = self.model_copy()
        copy._bound = material
        return copy

    def properties(self, fraction: float = 0.0) -> BeamProperties:
        """Stiffnesses (N, N m²) and inertias (kg/m, kg m) at a fraction of the length from the base."""
        if self.uniform:
            return self._at(self, self, 0.0)
        stations = self.stations
        k = 1
        while k < len(stations) - 1 and fraction > stations[k][0]:
            k += 1
        (begin, near), (end, far) = stations[k - 1 : k + 1]
        if fraction != end or k == len(stations) - 1 or stations[k + 1][0] != end:
            return self._at(near, far, (fraction - begin) / (end - begin) if end > begin else 0.0)
        # on a step: the mean of both sides
        return _mean(self._at(near, far, 1.0), self._at(stations[k + 1][1], stations[k + 1][1], 0.0))

    def _at(self, near: Any, far: Any, fraction: Any) -> BeamProperties:
        """The properties a fraction of the way between two places with all their values."""
        material = self.material_data
        if near.section is not None and material is not None:
            section = near.section if far is near else near.section.between(far.section, fraction)
            return _from_section(section, material)

        def at(name: str) -> Any:
            here, there = getattr(near, name), getattr(far, name)
            if here is None or far is near:
                return here
            if isinstance(here, tuple):
                return tuple(a + (b - a) * fraction for a, b in zip(here, there, strict=True))
            return here + (there - here) * fraction

        bending, shear, rotary = at("bending_stiffness"), at("shear_stiffness"), at("rotary_inertia")
        return BeamProperties(
            EA=at("axial_stiffness"),
            GAy=shear[0] if shear else None,
            GAz=shear[1] if shear else None,
            GJ=at("torsional_stiffness"),
            EIy=bending[0],
            EIz=bending[1],
            mass_per_length=at("mass_per_length"),
            jx=self._polar_inertia(at("polar_inertia"), bending, rotary, at),
            jy=rotary[0] if rotary else 0.0,
            jz=rotary[1] if rotary else 0.0,
        )

    def _polar_inertia(self, given: Any, bending: Any, rotary: Any, at: Callable[[str], Any]) -> Any:
        """Inertia about the axis (kg m), taken from what else is known where it is not given with GJ."""
        if self.torsional_stiffness is None or not self.polar_inertia_source:
            return given or 0.0
        if self.rotary_inertia is not None and self.polar_inertia_source.startswith("rotary"):
            return rotary[0] + rotary[1]
        if self.axial_stiffness is not None:
            return at("mass_per_length") * (bending[0] + bending[1]) / at("axial_stiffness")
        return at("torsional_stiffness") / _TORSION_SPEED**2

    @property
    def polar_inertia_source(self) -> str:
        """What the polar inertia of a beam that twists is taken from if it is not given; empty if it is given.

        ρ(Iy + Iz) of a section is the sum of its rotary inertias, or m (EIy + EIz)/EA; of a beam that gives neither it
        is GJ/c², c = 3100 m/s the speed of torsion in tubes of steel, aluminium or titanium. Twist then follows as good
        as statically: only frequencies of the beam's own torsion, as high as a tube's, depend on it.
        """
        if self.section is not None or self.torsional_stiffness is None or self.polar_inertia:
            return ""
        if self.rotary_inertia is not None and any(self.rotary_inertia):
            return "rotary_inertia, the sum of both"
        if self.axial_stiffness is not None:
            return "mass_per_length × bending_stiffness / axial_stiffness, the sum of both planes"
        return f"torsional_stiffness / ({_TORSION_SPEED:.0f} m/s)², as of a metal tube"


def _written_out(raw: Mapping[str, Any]) -> Any:
    """The entries along a beam with sections written out: what one leaves out is taken from the one before."""
    rows, found = entries(raw["along"]), []
    if rows is None:
        return raw["along"]
    last = raw.get("section")
    for row in rows:
        own = row.get("section") if isinstance(row, Mapping) else getattr(row, "section", None)
        if isinstance(own, Mapping):
            near = part_to_dict(last) if isinstance(last, Part) else last
            if isinstance(near, Mapping) and ("shape" not in own or str(own["shape"]) == str(near.get("shape"))):
                own = {**near, **own}
                row = {**row, "section": own}
        found.append(row)
        last = own if own is not None else last
    return found


def _filled(station: BeamEnd, before: BeamEnd) -> BeamEnd:
    """The values at a place, those it leaves out as before it."""
    values = {name: getattr(station, name) for name in BeamEnd.model_fields}
    return BeamEnd.model_construct(
        **{name: getattr(before, name) if value is None else value for name, value in values.items()}
    )


def _mean(left: BeamProperties, right: BeamProperties) -> BeamProperties:
    pairs = [(getattr(left, each.name), getattr(right, each.name)) for each in fields(BeamProperties)]
    values: list[Any] = [None if a is None else 0.5 * (a + b) for a, b in pairs]
    return BeamProperties(*values)


def _from_section(section: Section, material: Material) -> BeamProperties:
    E, G, rho = material.youngs_modulus, material.effective_shear_modulus, material.density
    along_y, along_z = section.shear_coefficients(material.effective_poisson)
    area = section.area
    return BeamProperties(
        EA=E * area,
        GAy=_times(G, along_y, area),
        GAz=_times(G, along_z, area),
        GJ=_times(G, section.J),
        EIy=_times(E, section.Iy),
        EIz=_times(E, section.Iz),
        mass_per_length=rho * area,
        # of a section whose second moments are not all known, what its torsion constant implies at least
        jx=rho * (section.Ip or section.J or 0.0),
        jy=rho * (section.Iy or 0.0),
        jz=rho * (section.Iz or 0.0),
    )


def _times(*factors: float | None) -> float | None:
    product = 1.0
    for factor in factors:
        if factor is None:
            return None
        product *= factor
    return product
