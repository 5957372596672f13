"""Beams: properties along the axis, tapers, materials by name, and what is left unknown."""

from __future__ import annotations

from dataclasses import astuple
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexarm.errors import ModelError
from flexarm.model import Arm, Beam, Joint, Link, Material, Section, library_material, library_names

CIRCLE = {"shape": "circle", "diameter": "20 mm"}


def test_section_and_material_give_every_property() -> None:
    p = Beam(section=CIRCLE, material="steel").properties(0.3)
    E, G, rho, A, I = 210e9, 210e9 / 2.6, 7850.0, 3.141592653589793e-4, 7.853981633974483e-9
    kappa = 7.8 / 8.8
    expected = (E * A, kappa * G * A, kappa * G * A, 2 * G * I, E * I, E * I, rho * A, 2 * rho * I, rho * I, rho * I)
    assert astuple(p) == pytest.approx(expected, rel=1e-14)


def test_numbers_alone_leave_the_rest_unknown() -> None:
    p = Beam(bending_stiffness="1586.5 N m^2", mass_per_length="3.15 kg/m").properties()
    assert (p.EIy, p.EIz, p.mass_per_length) == (1586.5, 1586.5, 3.15)
    assert (p.EA, p.GAy, p.GAz, p.GJ) == (None, None, None, None)
    assert (p.jx, p.jy, p.jz) == (0.0, 0.0, 0.0)


def test_pairs_are_about_y_then_z() -> None:
    beam = Beam(
        bending_stiffness=[1, 2], mass_per_length=1, shear_stiffness=[3, 4], rotary_inertia=[5, 6], polar_inertia=7
    )
    p = beam.properties()
    assert (p.EIy, p.EIz, p.GAy, p.GAz, p.jy, p.jz, p.jx) == (1, 2, 3, 4, 5, 6, 7)


@given(st.floats(0, 1))
def test_a_taper_of_numbers_is_linear(s: float) -> None:
    beam = Beam(bending_stiffness=100, mass_per_length=3, end={"bending_stiffness": 40, "mass_per_length": 1})
    p = beam.properties(s)
    assert p.EIz == pytest.approx(100 - 60 * s, rel=1e-14)
    assert p.mass_per_length == pytest.approx(3 - 2 * s, rel=1e-14)


@given(st.floats(0, 1))
def test_a_taper_of_a_section_is_linear_in_its_dimensions(s: float) -> None:
    beam = Beam(section=CIRCLE, material="steel", end={"section": {"diameter": "10 mm"}})
    same = Beam(section={"shape": "circle", "diameter": 0.02 - 0.01 * s}, material="steel")
    assert astuple(beam.properties(s)) == pytest.approx(astuple(same.properties()), rel=1e-13)


def test_a_taper_keeps_what_it_does_not_change() -> None:
    tube = Section(shape="tube", diameter="60 mm", thickness="3 mm")
    beam = Beam(section=tube, material="steel", end={"section": {"diameter": "40 mm"}})
    assert beam.end is not None and beam.end.section == Section(shape="tube", diameter="40 mm", thickness="3 mm")


def test_a_material_without_shear_data_leaves_shear_unknown() -> None:
    p = Beam(section=CIRCLE, material={"youngs_modulus": "70 GPa", "density": 2700}).properties()
    assert p.GJ is None and p.GAy is None and p.EIz is not None


def test_a_material_that_is_not_isotropic_keeps_both_constants() -> None:
    material = library_material("carbon-epoxy")
    assert material is not None
    assert (material.effective_shear_modulus, material.effective_poisson) == (5e9, 0.3)


@given(st.floats(0.0, 0.49))
def test_shear_modulus_and_poisson_are_two_ways_to_say_one_thing(poisson: float) -> None:
    a = Material(youngs_modulus=1e9, density=1, poisson=poisson)
    b = Material(youngs_modulus=1e9, density=1, shear_modulus=a.effective_shear_modulus)
    assert b.effective_poisson == pytest.approx(poisson, abs=1e-15)


@pytest.mark.parametrize("name", library_names())
def test_every_material_of_the_library_is_sound(name: str) -> None:
    material = library_material(name)
    assert material is not None
    assert 1e9 < material.youngs_modulus < 1e12 and 1000 < material.density < 20000
    assert Beam(section=CIRCLE, material=name).properties().GJ is not None


def arm_of(beam: Any, **fields: Any) -> Arm:
    return Arm(links=[Link(name="rod", joint=Joint(type="revolute"), length=1, beam=beam)], **fields)


def test_an_arm_s_material_overrides_the_library_for_its_own_beams_only() -> None:
    beam = Beam(section=CIRCLE, material="steel")
    soft = {"youngs_modulus": 1e9, "density": 1000, "retardation": "1 ms"}
    link = arm_of(beam, materials={"steel": soft}).links[0]
    assert link.beam is not None and link.beam.material_data == Material(**soft)
    assert link.effective_damping is not None and link.effective_damping.retardation == 1e-3
    assert beam.material_data == library_material("steel")
    plain = arm_of(link.beam).links[0]
    assert plain.beam is not None and plain.beam.material_data == library_material("steel")


def test_a_name_no_one_knows_is_refused_when_the_beam_stands_alone() -> None:
    with pytest.raises(ModelError, match=r'material is "stel", must be .*did you mean "steel"'):
        Beam(section=CIRCLE, material="stel").properties()


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({}, "has no values, must have section and material, or bending_stiffness and mass_per_length"),
        ({"section": CIRCLE}, "material is missing, must be given with section"),
        ({"material": "steel"}, "section is missing, must be given with material"),
        ({"bending_stiffness": 1}, "mass_per_length is missing"),
        ({"mass_per_length": 1, "torsional_stiffness": 1}, "bending_stiffness is missing"),
        ({"section": CIRCLE, "material": "steel", "mass_per_length": 1}, "must have one or the other"),
        ({"bending_stiffness": -3, "mass_per_length": 1}, "bending_stiffness is -3 N m², must be > 0"),
        ({"bending_stiffness": [1, 2, 3], "mass_per_length": 1}, "has 3 entries, must be one number or two"),
        ({"bending_stiffness": [1, "2 N"], "mass_per_length": 1}, 'bending_stiffness[1] is "2 N", must be'),
        ({"section": CIRCLE, "material": 5}, "material is 5, must be the name of a material or a table"),
        ({"section": CIRCLE, "material": {"density": -1}}, "material: density is -1 kg/m³, must be > 0"),
        (
            {"bending_stiffness": 1, "mass_per_length": 1, "end": {"axial_stiffness": 1}},
            "end: axial_stiffness is given here but not at the base",
        ),
        (
            {
                "section": CIRCLE,
                "material": "steel",
                "end": {"section": {"shape": "tube", "diameter": 1, "thickness": 0.1}},
            },
            'end.section: shape is "tube", must be "circle" as at the base',
        ),
    ],
)
def test_contradictory_beams_are_refused(fields: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ModelError) as error:
        Beam(**fields)
    assert sentence in str(error.value)


def test_a_shear_modulus_no_isotropic_material_has_needs_poisson_with_it() -> None:
    with pytest.raises(ModelError, match="must be given with poisson"):
        Material(youngs_modulus=135e9, density=1600, shear_modulus=5e9)
