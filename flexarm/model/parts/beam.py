"""Beams: the flexible body of a link, by section and material or by its stiffness and mass per length."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field, PrivateAttr, WithJsonSchema

from flexarm.errors import ModelError, Problem
from flexarm.model.parts.material import Material, library_material, library_names
from flexarm.model.parts.part import Part
from flexarm.model.parts.section import AnySection, Section
from flexarm.model.reading.messages import Mistake, either, meant, quoted, refusal, shown
from flexarm.model.reading.quantity import Pair, Quantity, Reader
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

    _bound: Material | None = PrivateAttr(None)

    @classmethod
    def prepared(cls, raw: dict[str, Any]) -> dict[str, Any]:
        """A tapered end written out: what its section leaves out is taken from the base."""
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
        """A taper that changes into something else on the way."""
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
        section, material = self.section, self.material_data
        if section is None or material is None:
            return self._from_numbers(fraction)
        far = self.end.section if self.end is not None else None
        return _from_section(section if far is None else section.between(far, fraction), material)

    def _from_numbers(self, fraction: float) -> BeamProperties:
        def at(name: str) -> Any:
            here = getattr(self, name)
            there = getattr(self.end, name) if self.end is not None else None
            if here is None or there is None:
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
