"""Figures along the beams of runs: places, and strains from curvatures."""

import numpy as np
import pytest

import flexarm as fa
from flexarm.model import Section
from flexarm.report import page_of
from flexarm.report.figures.beams import bending_strain, deflection_along, stations
from flexarm.report.page import Figure, Moving, Paragraphs

SLEEVE = """\
name = "telescope"
planar = true
gravity = [0, -9.81, 0]
[[link]]
name = "boom"
joint = { type = "prismatic", axis = "x", sleeve = true, at = "0.3 m", motion = "extend" }
length = "1.2 m"
beam = { bending_stiffness = 40, mass_per_length = 0.9 }
[motion.extend]
kind = "hold"
"""
TIMES = np.array([0.0, 1.0])
OUTSIDE = np.array([0.3, 0.9])  # m


def beam_run(arm_text: str, joint: np.ndarray, **curvatures: np.ndarray) -> fa.Trajectory:
    """A run nobody integrated: two moments of a boom with three stations, one half way and one at its end."""
    tip = np.stack([joint, 0.0 * joint, 0.0 * joint], axis=1)
    bent = np.zeros((2, 5, 3))
    bent[:, :, 1] = 1e-3 * np.linspace(0.0, 1.0, 5)
    return fa.Trajectory.from_arrays(
        {
            "joint_position": joint[:, None],
            "line_corner_position": np.stack([0.0 * tip, tip], axis=1),
            "line_deflection": bent,
            **curvatures,
        },
        {
            "time": TIMES,
            "joint": ["boom"],
            "joint_unit": ["m"],
            "frame_time": TIMES,
            "line_link": ["boom"] * 5,
            "line_distance": np.linspace(0.0, 1.2, 5),
            "line_corner": [1, 0, 0, 0, 1],
            "station": ["a", "b", "c"],
            "station_link": ["boom"] * 3,
            "station_position": [0.0, 0.6, 1.2],
        },
        arm_text=arm_text,
        info={"name": "telescope"},
    )


CURVATURES = np.array([[3.0, 2.0, 0.0], [6.0, 4.0, 0.0]])


def test_places_on_a_beam_in_a_sleeve_are_parts_of_what_is_outside():
    run = beam_run(SLEEVE, OUTSIDE, curvature_z=CURVATURES)
    for figure in (deflection_along(run)[0], stations(run)[0]):
        moving = next(mark for mark in figure.marks if isinstance(mark, Moving))
        # the tip is at the end of what is outside, never at the 1.2 m of the whole beam
        assert (moving.x[0], moving.x[-1]) == (0.0, 1.0)
        assert (figure.x.label, figure.x.shown) == ("place along the part outside the sleeve", "%")
        assert "outside the sleeve is 300 mm to 900 mm long" in figure.words
    assert stations(run)[1].title == "Curvature about z at the mouth of the sleeve"


def test_places_on_any_other_beam_are_distances():
    run = beam_run(SLEEVE.replace("sleeve = true, at", "at"), OUTSIDE, curvature_z=CURVATURES)
    figure = stations(run)[0]
    assert (figure.x.label, figure.x.unit) == ("distance along the link", "m")
    assert figure.marks[0].x[-1] == 1.2


@pytest.mark.parametrize(
    ("section", "strain"),
    [
        # by hand: κz · height/2 + κy · width/2 at a corner, √(κz² + κy²) · radius at a rim
        ('{ shape = "rectangle", width = "30 mm", height = "6 mm" }', 3.0 * 3e-3 + 4.0 * 15e-3),
        ('{ shape = "box", width = "30 mm", height = "6 mm", thickness = "1 mm" }', 3.0 * 3e-3 + 4.0 * 15e-3),
        ('{ shape = "circle", diameter = "20 mm" }', 5.0 * 10e-3),
        ('{ shape = "tube", diameter = "20 mm", thickness = "1 mm" }', 5.0 * 10e-3),
    ],
)
def test_strains_are_those_of_the_outer_fibre_in_both_planes(section, strain):
    text = SLEEVE.replace(
        "beam = { bending_stiffness = 40, mass_per_length = 0.9 }",
        f'beam = {{ material = "steel", section = {section} }}',
    )
    about_y = np.array([[-4.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    run = beam_run(text, OUTSIDE, curvature_z=-CURVATURES, curvature_y=about_y)
    found, unknown = bending_strain(run, run.arm)
    assert unknown == []
    assert found[0, 0] == pytest.approx(strain)
    titles = [part.title for part in stations(run)]
    assert "Bending strain along the beam" in titles and "Bending strain at the mouth of the sleeve" in titles


def test_a_tapered_beam_is_as_thick_at_its_tip_as_the_tip_is_wherever_it_has_slid():
    tapered = (
        'beam = { material = "steel", section = { shape = "rectangle", width = "30 mm", height = "12 mm" }, '
        'end = { section = { height = "6 mm" } } }'
    )
    text = SLEEVE.replace("beam = { bending_stiffness = 40, mass_per_length = 0.9 }", tapered)
    run = beam_run(text, OUTSIDE, curvature_z=np.ones((2, 3)))
    found, _ = bending_strain(run, run.arm)
    # at the mouth 0.9 m and 0.3 m of the 1.2 m are inside: 12 mm less a half of that part
    assert found[:, 0] == pytest.approx([0.5 * (0.012 - 0.006 * 0.75), 0.5 * (0.012 - 0.006 * 0.25)])
    assert found[:, -1] == pytest.approx([0.003, 0.003])


@pytest.mark.parametrize(
    ("beam", "why"),
    [
        ("beam = { bending_stiffness = 40, mass_per_length = 0.9 }", "its stiffness is given, not its section"),
        (
            'beam = { material = "steel", section = { shape = "custom", area = 1e-4, second_moment_z = 1e-9 } }',
            "its section is given by its moments",
        ),
    ],
)
def test_where_no_strain_can_be_reported_the_page_says_why(beam, why):
    text = SLEEVE.replace("beam = { bending_stiffness = 40, mass_per_length = 0.9 }", beam)
    *figures, words = stations(beam_run(text, OUTSIDE, curvature_z=CURVATURES))
    assert isinstance(words, Paragraphs) and why in words.paragraphs[0]
    assert not any("strain" in figure.title for figure in figures)


def test_the_strain_of_a_beam_at_rest_is_that_of_its_own_weight():
    # a steel cantilever under its own weight: M = ρ A g s²/2 at a distance s from its tip, ε = M c / EI
    arm = fa.parse_arm(
        SLEEVE.replace("boom", "beam")
        .replace('type = "prismatic", axis = "x", sleeve = true, at = "0.3 m", motion = "extend"', 'type = "fixed"')
        .replace(
            "beam = { bending_stiffness = 40, mass_per_length = 0.9 }",
            'beam = { material = { youngs_modulus = "200 GPa", density = 8000, poisson = 0.3 }, '
            'section = { shape = "rectangle", width = "30 mm", height = "20 mm" } }\n'
            'model = { formulation = "rigid-fe", elements = 10 }',
        )
    )
    run = fa.simulate(arm, end=1e-3, start="static")
    found, _ = bending_strain(run, arm)
    to_tip = 1.2 - run.values("station_position")
    wanted = 8000 * 9.81 * to_tip**2 / 2 * 0.01 / (200e9 * 0.02**2 / 12)
    # statics alone give the moments; what the sag of 4 mm shortens the levers by is 1e-5 of them
    assert found[0] == pytest.approx(wanted, rel=1e-3)


def test_sections_reach_as_far_as_their_outer_dimensions():
    assert Section(shape="rectangle", width=0.03, height=0.006).reach == (0.003, 0.015)
    assert Section(shape="custom", area=1e-4, second_moment_z=1e-9).reach is None


def test_runs_of_beams_with_sections_have_strains_on_their_page(planar):
    titles = [part.title for part in page_of(planar).parts if isinstance(part, Figure)]
    assert any(title.startswith("Curvature") for title in titles)
    beam = planar.arm.links[-1].beam
    assert any(title.startswith("Bending strain") for title in titles) == (beam.section is not None)
