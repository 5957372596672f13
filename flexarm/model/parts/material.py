"""Materials: the elastic constants and density of what a beam is made of, and a small library of common ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from pydantic import Field

from flexarm.model.parts.part import Part
from flexarm.model.reading.messages import Mistake
from flexarm.model.reading.quantity import Quantity


class Material(Part):
    """A linear elastic material; SI units."""

    youngs_modulus: Annotated[float, Quantity("Pa", above=0)]
    density: Annotated[float, Quantity("kg/m³", above=0)]
    poisson: Annotated[float | None, Quantity("", above=-1, most=0.5, optional=True)] = Field(
        None, description="Poisson's ratio"
    )
    shear_modulus: Annotated[float | None, Quantity("Pa", above=0, optional=True)] = Field(
        None, description="instead of poisson; together with it for a material that is not isotropic"
    )
    retardation: Annotated[float | None, Quantity("s", least=0, optional=True)] = Field(
        None, description="Kelvin-Voigt retardation time: the damping of beams that name none"
    )

    def mistakes(self) -> Iterable[Mistake]:
        """A shear modulus no isotropic material has."""
        if self.poisson is None and self.shear_modulus is not None:
            ratio = self.youngs_modulus / (2 * self.shear_modulus) - 1
            if not -1 < ratio <= 0.5:
                found = f"shear_modulus is {self.shear_modulus:.6g} Pa, which does not go with youngs_modulus"
                yield (), found + " in an isotropic material, must be given with poisson"

    @property
    def effective_shear_modulus(self) -> float | None:
        """Shear modulus (Pa): as given, else E / 2(1 + ν); None if neither is known."""
        if self.shear_modulus is not None or self.poisson is None:
            return self.shear_modulus
        return self.youngs_modulus / (2 * (1 + self.poisson))

    @property
    def effective_poisson(self) -> float | None:
        """Poisson's ratio: as given, else E / 2G - 1; None if neither is known."""
        if self.poisson is not None or self.shear_modulus is None:
            return self.poisson
        return self.youngs_modulus / (2 * self.shear_modulus) - 1


# Design values at room temperature. A drawing with its own data should define its own [material.NAME].
_LIBRARY: Mapping[str, Mapping[str, Any]] = {
    # EN 1993-1-1 §3.2.6 (E, ν) and EN 1991-1-1 table A.4 (density)
    "steel": {"youngs_modulus": 210e9, "density": 7850.0, "poisson": 0.3},
    # EN 1993-1-4 §2.1.3 and EN 10088-1 for austenitic grade 1.4301
    "stainless steel": {"youngs_modulus": 200e9, "density": 7900.0, "poisson": 0.3},
    # EN 1999-1-1 §3.2.5: wrought alloys
    "aluminium": {"youngs_modulus": 70e9, "density": 2700.0, "poisson": 0.3},
    # MIL-HDBK-5J table 5.4.1.0: Ti-6Al-4V annealed bar (16.0 Msi, 0.160 lb/in³, 0.31)
    "titanium": {"youngs_modulus": 110.3e9, "density": 4430.0, "poisson": 0.31},
    # MIL-HDBK-5J table 4.2.1.0: AZ31B (6.5 Msi, 0.0639 lb/in³, 0.35)
    "magnesium": {"youngs_modulus": 44.8e9, "density": 1770.0, "poisson": 0.35},
    # ASM Handbook vol. 2: C11000 electrolytic tough pitch copper
    "copper": {"youngs_modulus": 115e9, "density": 8890.0, "poisson": 0.33},
    # ASM Handbook vol. 2: C26000 cartridge brass (110 GPa, 8.53 g/cm³; shear modulus 40 GPa)
    "brass": {"youngs_modulus": 110e9, "density": 8530.0, "poisson": 0.375},
    # Typical unidirectional standard-modulus fibre in epoxy, 60 % by volume, along the fibres; not isotropic
    "carbon-epoxy": {"youngs_modulus": 135e9, "density": 1600.0, "poisson": 0.3, "shear_modulus": 5e9},
    # Typical unidirectional E-glass in epoxy, 60 % by volume, along the fibres; not isotropic
    "glass-epoxy": {"youngs_modulus": 40e9, "density": 1900.0, "poisson": 0.25, "shear_modulus": 4e9},
}

_ALIASES = {"aluminum": "aluminium", "stainless-steel": "stainless steel", "ti-6al-4v": "titanium"}


def library_material(name: str) -> Material | None:
    """The library's material of that name; None if it has none."""
    fields = _LIBRARY.get(_ALIASES.get(name, name))
    return None if fields is None else Material(**fields)


def library_names() -> tuple[str, ...]:
    """The names the library knows."""
    return tuple(_LIBRARY)
