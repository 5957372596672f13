"""Cross-sections: area, second moments, torsion constant and shear coefficients from the dimensions on a drawing.

Axes: x along the beam, y along the height, z along the width. Bending about z is bending in the x-y plane.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Discriminator, Field, Tag

from flexarm.batched import Batch, larger, real, smaller
from flexarm.model.parts.part import Part
from flexarm.model.reading.hints import TAG, tagged_by
from flexarm.model.reading.messages import Mistake
from flexarm.model.reading.quantity import Pair, Quantity

PositiveLength = Annotated[float, Quantity("m", above=0)]
Shear = Annotated[tuple[float, float] | None, Pair("", above=0, most=10, optional=True)]
_SHEAR = "shear coefficients along y and z, instead of Cowper's"


class Section(Part):
    """A cross-section; Section(shape="circle", diameter="20 mm") gives a Circle. Lengths in m."""

    family = "shape"
    is_round: ClassVar[bool] = False  # bounded by a circle

    if TYPE_CHECKING:

        @property
        def area(self) -> float: ...  # m²

        @property
        def Iy(self) -> float | None: ...  # second moment of area about y, m⁴

        @property
        def Iz(self) -> float | None: ...  # second moment of area about z, m⁴

        @property
        def J(self) -> float | None: ...  # Saint-Venant's torsion constant, m⁴

    @property
    def Ip(self) -> float | None:
        """Polar second moment of area (m⁴)."""
        return None if self.Iy is None or self.Iz is None else self.Iy + self.Iz

    @property
    def reach(self) -> tuple[float, float] | None:
        """How far the outer fibres are from the centre along y and z (m); None where only numbers are given."""
        return None

    def shear_coefficients(self, poisson: float | None) -> tuple[float | None, float | None]:
        """Shear coefficients for forces along y and z; None where they are not known."""
        given: tuple[float, float] | None = getattr(self, "shear", None)
        if given is not None:
            return given
        return (None, None) if poisson is None else self.cowper(poisson)

    def cowper(self, poisson: float) -> tuple[float | None, float | None]:
        """Shear coefficients along y and z after G. R. Cowper, J. Appl. Mech. 33 (1966) 335-340."""
        return (None, None)

    def between(self, end: Section, fraction: float) -> Section:
        """The section a fraction of the way to `end`: its dimensions change linearly."""
        fields: dict[str, Any] = {}
        for name in type(self).model_fields:
            here, there = getattr(self, name), getattr(end, name)
            if isinstance(here, float | Batch) and isinstance(there, float | Batch):
                fields[name] = here + (there - here) * fraction
            elif isinstance(here, tuple) and isinstance(there, tuple):
                fields[name] = tuple(a + (b - a) * fraction for a, b in zip(here, there, strict=True))
            else:
                fields[name] = here
        # Both ends were checked and everything between two sound sections is sound.
        return type(self).model_construct(**fields)


class Round(ABC):
    """What is the same about every axis of a round section."""

    is_round: ClassVar[bool] = True
    diameter: Any  # m

    @property
    @abstractmethod
    def Iy(self) -> float:
        """Second moment of area about y (m⁴)."""

    @property
    def reach(self) -> tuple[float, float]:
        """Half the diameter along y and z (m)."""
        return self.diameter / 2, self.diameter / 2

    @property
    def Iz(self) -> float:
        """Second moment of area about z (m⁴)."""
        return self.Iy

    @property
    def J(self) -> float:
        """Torsion constant (m⁴): the polar moment."""
        return 2 * self.Iy


class Circle(Round, Section):
    """A solid circle."""

    shape: Literal["circle"] = "circle"
    diameter: PositiveLength
    shear: Shear = Field(None, description=_SHEAR)

    @property
    def area(self) -> float:
        """Area (m²)."""
        return math.pi * (self.diameter * self.diameter) / 4

    @property
    def Iy(self) -> float:
        """Second moment of area about y (m⁴)."""
        square = self.diameter * self.diameter
        return math.pi * (square * square) / 64

    def cowper(self, poisson: float) -> tuple[float, float]:
        """6(1 + ν)/(7 + 6ν) both ways."""
        shear = 6 * (1 + poisson) / (7 + 6 * poisson)
        return (shear, shear)


class Tube(Round, Section):
    """A round tube; diameter is the outer one."""

    shape: Literal["tube"] = "tube"
    diameter: PositiveLength
    thickness: PositiveLength
    shear: Shear = Field(None, description=_SHEAR)

    def mistakes(self) -> Iterable[Mistake]:
        """A wall thicker than the radius."""
        if self.thickness > self.diameter / 2:
            yield (), f"thickness is {self.thickness:.6g} m, must be ≤ half the diameter, {self.diameter / 2:.6g} m"

    @property
    def inner_diameter(self) -> float:
        """Inner diameter (m)."""
        return larger(self.diameter - 2 * self.thickness, 0.0)

    @property
    def area(self) -> float:
        """Area (m²); written so that a thin wall loses no digits."""
        return math.pi * self.thickness * (self.diameter - self.thickness)

    @property
    def Iy(self) -> float:
        """Second moment of area about y (m⁴)."""
        outer, inner = self.diameter, self.inner_diameter
        return self.area * (outer * outer + inner * inner) / 16

    def cowper(self, poisson: float) -> tuple[float, float]:
        """Hollow circle, with m the ratio of inner to outer radius."""
        ratio = self.inner_diameter / self.diameter
        m2 = ratio * ratio
        outer = (1 + m2) * (1 + m2)
        shear = 6 * (1 + poisson) * outer / ((7 + 6 * poisson) * outer + (20 + 12 * poisson) * m2)
        return (shear, shear)


class Rectangle(Section):
    """A solid rectangle: height along y, width along z."""

    shape: Literal["rectangle"] = "rectangle"
    width: PositiveLength = Field(description="along z")
    height: PositiveLength = Field(description="along y: the depth in planar bending")
    shear: Shear = Field(None, description=_SHEAR)

    @property
    def reach(self) -> tuple[float, float]:
        """Half the height along y and half the width along z (m)."""
        return self.height / 2, self.width / 2

    @property
    def area(self) -> float:
        """Area (m²)."""
        return self.width * self.height

    @property
    def Iy(self) -> float:
        """Second moment of area about y (m⁴)."""
        return self.height * _cube(self.width) / 12

    @property
    def Iz(self) -> float:
        """Second moment of area about z (m⁴)."""
        return self.width * _cube(self.height) / 12

    @property
    def J(self) -> float:
        """Torsion constant (m⁴) by Saint-Venant's series."""
        return torsion_of_rectangle(self.width, self.height)

    def cowper(self, poisson: float) -> tuple[float, float]:
        """10(1 + ν)/(12 + 11ν) both ways."""
        shear = 10 * (1 + poisson) / (12 + 11 * poisson)
        return (shear, shear)


class Box(Section):
    """A rectangular tube of one wall thickness; width and height are the outer ones."""

    shape: Literal["box"] = "box"
    width: PositiveLength = Field(description="outer, along z")
    height: PositiveLength = Field(description="outer, along y")
    thickness: PositiveLength
    shear: Shear = Field(None, description=_SHEAR)

    def mistakes(self) -> Iterable[Mistake]:
        """Walls that would overlap."""
        room = smaller(self.width, self.height) / 2
        if self.thickness > room:
            yield (), f"thickness is {self.thickness:.6g} m, must be ≤ half the smaller side, {room:.6g} m"

    @property
    def _inside(self) -> tuple[float, float]:
        return larger(self.width - 2 * self.thickness, 0.0), larger(self.height - 2 * self.thickness, 0.0)

    @property
    def reach(self) -> tuple[float, float]:
        """Half the height along y and half the width along z (m)."""
        return self.height / 2, self.width / 2

    @property
    def area(self) -> float:
        """Area (m²); written so that thin walls lose no digits."""
        return 2 * self.thickness * (self.width + self.height - 2 * self.thickness)

    @property
    def Iy(self) -> float:
        """Second moment of area about y (m⁴)."""
        width, height = self._inside
        return (self.height * _cube(self.width) - height * _cube(width)) / 12

    @property
    def Iz(self) -> float:
        """Second moment of area about z (m⁴)."""
        width, height = self._inside
        return (self.width * _cube(self.height) - width * _cube(height)) / 12

    @property
    def J(self) -> float:
        """Torsion constant (m⁴): Bredt's formula on the centre line plus the walls' own twist."""
        t = self.thickness
        width, height = self.width - t, self.height - t
        inside = width * height
        return 2 * t * (inside * inside) / (width + height) + 2 * (width + height) * _cube(t) / 3

    def cowper(self, poisson: float) -> tuple[float, float]:
        """Thin-walled box, on the centre lines of its walls."""
        width, height = self.width - self.thickness, self.height - self.thickness
        return _cowper_box(width / height, poisson), _cowper_box(height / width, poisson)


class Custom(Section):
    """A section known by its numbers."""

    shape: Literal["custom"] = "custom"
    area: Annotated[float, Quantity("m²", above=0)]
    second_moment_z: Annotated[float, Quantity("m⁴", above=0)] = Field(description="about z: bending in the x-y plane")
    second_moment_y: Annotated[float | None, Quantity("m⁴", above=0, optional=True)] = None
    torsion_constant: Annotated[float | None, Quantity("m⁴", above=0, optional=True)] = None
    polar_moment: Annotated[float | None, Quantity("m⁴", above=0, optional=True)] = None
    shear_y: Annotated[float | None, Quantity("", above=0, most=10, optional=True)] = None
    shear_z: Annotated[float | None, Quantity("", above=0, most=10, optional=True)] = None

    @property
    def Iy(self) -> float | None:
        """Second moment of area about y (m⁴), if given."""
        return self.second_moment_y

    @property
    def Iz(self) -> float:
        """Second moment of area about z (m⁴)."""
        return self.second_moment_z

    @property
    def J(self) -> float | None:
        """Torsion constant (m⁴), if given."""
        return self.torsion_constant

    @property
    def Ip(self) -> float | None:
        """Polar second moment of area (m⁴): as given, else the sum of the two second moments."""
        return self.polar_moment if self.polar_moment is not None else super().Ip

    def shear_coefficients(self, poisson: float | None) -> tuple[float | None, float | None]:
        """Shear coefficients along y and z as given."""
        return (self.shear_y, self.shear_z)


def _cube(length: float) -> float:
    # Products are the same for a float and for many samples; powers may differ in their last digit.
    return length * length * length


def torsion_of_rectangle(width: float, height: float) -> float:
    """Saint-Venant's torsion constant (m⁴) of a solid rectangle.

    J = a b³ [1/3 - (64 b)/(π⁵ a) Σ tanh(nπa/2b)/n⁵], n odd, a ≥ b (Timoshenko & Goodier, Theory of Elasticity, §109).
    """
    a, b = larger(width, height), smaller(width, height)
    n = np.arange(1, 200, 2, dtype=float)
    series = real(np.sum(np.tanh(n * (math.pi * a / (2 * b))) / n**5))
    return a * _cube(b) * (1 / 3 - 64 * b / (math.pi**5 * a) * series)


def _cowper_box(n: float, poisson: float) -> float:
    # Cowper's thin-walled box with walls of one thickness: n = width over depth in the direction of the force, m = n.
    m, m2, m3 = n, n * n, _cube(n)
    top = 10 * (1 + poisson) * ((1 + 3 * m) * (1 + 3 * m))
    bottom = 12 + 72 * m + 150 * m2 + 90 * m3
    bottom += poisson * (11 + 66 * m + 135 * m2 + 90 * m3)
    bottom += 10 * m2 * ((3 + poisson) * m + 3 * m2)
    return top / bottom


AnySection = Annotated[
    Annotated[Circle, Tag(TAG + "circle")]
    | Annotated[Tube, Tag(TAG + "tube")]
    | Annotated[Rectangle, Tag(TAG + "rectangle")]
    | Annotated[Box, Tag(TAG + "box")]
    | Annotated[Custom, Tag(TAG + "custom")],
    Discriminator(tagged_by("shape")),
]
