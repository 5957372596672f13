"""Section properties against closed forms, numerical integration and published shear coefficients."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexarm.errors import ModelError
from flexarm.model.parts.section import Section, torsion_of_rectangle

SHAPES: dict[str, Section] = {
    "circle": Section(shape="circle", diameter=0.02),
    "tube": Section(shape="tube", diameter=0.1, thickness=0.003),
    "thick tube": Section(shape="tube", diameter=0.1, thickness=0.05),
    "rectangle": Section(shape="rectangle", width=0.032, height=0.00085),
    "box": Section(shape="box", width=0.04, height=0.06, thickness=0.002),
}


def inside(section: Any, y: np.ndarray, z: np.ndarray) -> np.ndarray:
    """True where the point belongs to the section; written from the drawing, not from the formulas."""
    if section.shape in ("circle", "tube"):
        r = np.hypot(y, z)
        wall = getattr(section, "thickness", section.diameter / 2)
        return (r <= section.diameter / 2) & (r >= section.diameter / 2 - wall)
    solid = (np.abs(y) <= section.height / 2) & (np.abs(z) <= section.width / 2)
    if section.shape == "box":
        t = section.thickness
        solid &= ~((np.abs(y) < section.height / 2 - t) & (np.abs(z) < section.width / 2 - t))
    return solid


@pytest.mark.parametrize("name", SHAPES)
def test_area_and_second_moments_equal_a_sum_over_pixels(name: str) -> None:
    section: Any = SHAPES[name]
    n = 1500
    high = getattr(section, "height", getattr(section, "diameter", 0))
    wide = getattr(section, "width", getattr(section, "diameter", 0))
    y = (np.arange(n) + 0.5) / n * high - high / 2
    z = (np.arange(n) + 0.5) / n * wide - wide / 2
    Y, Z = np.meshgrid(y, z, indexing="ij")
    mask = inside(section, Y, Z)
    pixel = high / n * wide / n
    # 1500 pixels across resolve a wall of 1/33 of the width to a few parts in a thousand.
    assert section.area == pytest.approx(mask.sum() * pixel, rel=2e-3)
    assert section.Iz == pytest.approx((Y[mask] ** 2).sum() * pixel, rel=4e-3)
    assert section.Iy == pytest.approx((Z[mask] ** 2).sum() * pixel, rel=4e-3)


def test_planar_bending_is_about_z() -> None:
    section = SHAPES["rectangle"]
    assert section.Iz == pytest.approx(0.032 * 0.00085**3 / 12, rel=1e-15)
    assert section.Iy == pytest.approx(0.00085 * 0.032**3 / 12, rel=1e-15)


def test_the_example_circle_has_its_printed_values() -> None:
    section = Section(shape="circle", diameter="18.5 mm")
    assert section.area == pytest.approx(2.688025e-4, rel=1e-6)
    assert section.Iz == pytest.approx(574.985e-11, rel=1e-6)


@given(st.floats(1e-3, 1), st.floats(1e-6, 0.5))
def test_a_tube_is_the_difference_of_two_circles(diameter: float, part: float) -> None:
    tube = Section(shape="tube", diameter=diameter, thickness=part * diameter)
    outer = Section(shape="circle", diameter=diameter)
    inner = diameter * (1 - 2 * part)
    # The difference of circles loses the digits that the tube's own formula keeps: relative to the outer circle.
    assert tube.area == pytest.approx(outer.area - math.pi * inner**2 / 4, abs=1e-14 * outer.area)
    assert tube.Iz == pytest.approx((outer.Iz or 0) - math.pi * inner**4 / 64, abs=1e-14 * (outer.Iz or 0))


@pytest.mark.parametrize(
    # Timoshenko & Goodier, Theory of Elasticity, table in §109: J = k a b³.
    ("ratio", "k"),
    [
        (1.0, 0.1406),
        (1.2, 0.166),
        (1.5, 0.196),
        (2.0, 0.229),
        (2.5, 0.249),
        (3, 0.263),
        (4, 0.281),
        (5, 0.291),
        (10, 0.312),
    ],
)
def test_torsion_of_rectangles_equals_the_printed_table(ratio: float, k: float) -> None:
    printed_digits = 5e-5 if ratio == 1 else 5.1e-4
    assert torsion_of_rectangle(ratio, 1.0) == pytest.approx(k * ratio, abs=printed_digits * ratio)
    assert torsion_of_rectangle(ratio, 1.0) == torsion_of_rectangle(1.0, ratio)


def prandtl(width: float, height: float, thickness: float, n: int) -> float:
    """Torsion constant of a box from Prandtl's stress function on a grid: φ = 0 outside, constant on the hole."""
    h = width / n
    ny, nz = round(height / h), n
    hole = np.zeros((ny + 1, nz + 1), dtype=bool)
    k = round(thickness / h)
    hole[k : ny - k + 1, k : nz - k + 1] = True
    phi = np.zeros((ny + 1, nz + 1))
    omega = 2 / (1 + math.sin(math.pi / max(ny, nz)))
    parity = np.add.outer(np.arange(ny + 1), np.arange(nz + 1)) % 2
    area = (width - 2 * k * h) * (height - 2 * k * h)
    inner = (slice(1, -1), slice(1, -1))
    for _ in range(12 * n):
        for colour in (0, 1):
            around = phi[:-2, 1:-1] + phi[2:, 1:-1] + phi[1:-1, :-2] + phi[1:-1, 2:]
            step = omega * ((around + 2 * h * h) / 4 - phi[inner])
            phi[inner] += np.where((parity[inner] == colour) & ~hole[inner], step, 0.0)
        # Round the hole the flux of φ equals 2 × its area, which fixes the constant.
        ring = phi[k - 1, k : nz - k + 1].sum() + phi[ny - k + 1, k : nz - k + 1].sum()
        ring += phi[k : ny - k + 1, k - 1].sum() + phi[k : ny - k + 1, nz - k + 1].sum()
        count = 2 * (nz - 2 * k + 1) + 2 * (ny - 2 * k + 1)
        phi[hole] = (ring + 2 * area) / count
    return 2 * h * h * float(phi.sum())


@pytest.mark.parametrize(("thickness", "claim"), [(0.05, 0.02), (0.15, 0.03), (0.25, 0.05)])
def test_torsion_of_a_box_is_within_five_per_cent_of_the_stress_function(thickness: float, claim: float) -> None:
    box = Section(shape="box", width=1.0, height=1.5, thickness=thickness)
    assert box.J == pytest.approx(prandtl(1.0, 1.5, thickness, 80), rel=claim)


@pytest.mark.parametrize(
    ("section", "poisson", "published"),
    [
        # solid circle of the Hermitian example, solid rectangle, at ν = 0.3 and at ν = 0 (6/7 and 5/6)
        (Section(shape="circle", diameter=0.0185), 0.3, 0.886364),
        (SHAPES["circle"], 0.0, 6 / 7),
        (SHAPES["rectangle"], 0.3, 13 / 15.3),
        (SHAPES["rectangle"], 0.0, 5 / 6),
        # the thesis's tube of 100/94 mm; a tube without a hole is a circle
        (SHAPES["tube"], 0.3, 0.531427),
        (SHAPES["thick tube"], 0.3, 0.886364),
        # Cowper's thin-walled round tube 2(1 + ν)/(4 + 3ν) and square tube 20(1 + ν)/(48 + 39ν)
        (Section(shape="tube", diameter=1, thickness=1e-6), 0.3, 2 * 1.3 / 4.9),
        (Section(shape="box", width=1, height=1, thickness=1e-6), 0.3, 26 / 59.7),
    ],
)
def test_shear_coefficients_equal_the_published_ones_to_their_digits(
    section: Section, poisson: float, published: float
) -> None:
    along_y, along_z = section.shear_coefficients(poisson)
    assert along_y == pytest.approx(published, abs=1e-6)
    assert along_z == pytest.approx(published, abs=1e-6)


def test_shear_of_a_flat_box_tends_to_that_of_its_webs() -> None:
    # Depth much larger than width: two plates on edge, 10(1 + ν)/(12 + 11ν).
    deep = Section(shape="box", width=1e-4, height=1.0, thickness=1e-8).shear_coefficients(0.3)[0]
    assert deep == pytest.approx(13 / 15.3, rel=2e-3)


def test_given_shear_coefficients_replace_cowper_s() -> None:
    section = Section(shape="rectangle", width=1, height=1, shear=[0.5, "60 %"])
    assert section.shear_coefficients(0.3) == (0.5, 0.6)
    assert Section(shape="circle", diameter=1, shear=0.9).shear_coefficients(None) == (0.9, 0.9)


def test_a_custom_section_knows_what_it_is_given() -> None:
    section = Section(shape="custom", area="350 mm^2", second_moment_z="1e4 mm^4")
    assert (section.area, section.Iz) == (350e-6, 1e-8)
    assert (section.Iy, section.J, section.Ip) == (None, None, None)
    assert section.shear_coefficients(0.3) == (None, None)
    assert Section(shape="custom", area=1, second_moment_z=2, second_moment_y=3).Ip == 5


@given(st.floats(0, 1))
def test_between_two_sections_dimensions_change_linearly(fraction: float) -> None:
    base, end = SHAPES["tube"], Section(shape="tube", diameter=0.04, thickness=0.001)
    here: Any = base.between(end, fraction)
    assert here.diameter == pytest.approx(0.1 - 0.06 * fraction, rel=1e-14)
    assert here.thickness == pytest.approx(0.003 - 0.002 * fraction, rel=1e-14)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        (
            {"shape": "tube", "diameter": "10 mm", "thickness": "6 mm"},
            "thickness is 0.006 m, must be ≤ half the diameter",
        ),
        ({"shape": "box", "width": 1, "height": 2, "thickness": 0.6}, "must be ≤ half the smaller side, 0.5 m"),
        ({"shape": "circle", "diameter": 0}, "diameter is 0 m, must be > 0"),
        ({"shape": "circel"}, 'shape is "circel", must be "circle", "tube", "rectangle", "box" or "custom"'),
        ({"shape": "rectangle", "width": 1}, "height is missing, must be given"),
        ({"diameter": 1}, "shape is nothing, must be"),
    ],
)
def test_impossible_sections_are_refused(fields: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ModelError) as error:
        Section(**fields)
    assert sentence in str(error.value)
