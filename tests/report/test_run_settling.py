"""How the page of a run reports of its settling: the same numbers as the run, and no mode that is no pole."""

import numpy as np
import pytest

import flexarm as fa
from flexarm.report.page import Figure, Paragraphs, Rule, Table
from flexarm.report.pages.run import page_of

LINK = """
name = "geared link"
gravity = [0, 0, 0]
planar = true
[[link]]
name = "link"
joint = { type = "revolute", axis = "z", DRIVE, rotor_inertia = 0.5, gear = { stiffness = 2500, damping = 20 } }
length = "1 m"
rigid = { mass = 1e-9, inertia = 0.8 }
[motion.go]
kind = "cycloidal"
travel = 0.4
duration = 0.25
[simulation]
end = "3 s"
"""


def page_parts(drive: str):
    run = fa.simulate(fa.parse_arm(LINK.replace("DRIVE", drive)))
    page = page_of(run)
    section = next(section for section in page.sections if section.title == "Settling")
    return run, page, section.parts


def test_settling_times_of_the_page_are_those_of_the_run():
    run, page, parts = page_parts('motion = "go"')
    (table,) = [part for part in parts if isinstance(part, Table) and part.title == "Settling times of the tip"]
    found = [float(row[1].removesuffix(" s")) for row in table.rows]
    # four digits are shown
    assert found == pytest.approx([run.settling_time(within=within) for within in (1e-3, 1e-4)], rel=1e-3)
    assert "Settling time of the tip" in [number.name for number in page.numbers]
    assert "what moves afterwards is vibration" not in page.lead


def test_the_spectrum_marks_poles_alone():
    run, _, parts = page_parts('motion = "go"')
    spectrum = next(part for part in parts if isinstance(part, Figure) and part.title == "Spectrum of the vibration")
    exact = np.sqrt(2500 / 0.8) / (2.0 * np.pi)
    damped = exact * np.sqrt(1.0 - (20.0 / (2.0 * np.sqrt(2500 * 0.8))) ** 2)
    assert [mark.at for mark in spectrum.marks if isinstance(mark, Rule)] == pytest.approx([damped], rel=1e-6)
    assert run.info["ringing"]["creep"] is None


def test_a_servo_arm_has_its_error_in_three_parts():
    run, _, parts = page_parts('motion = "go", servo = { kp = 60, kv = 60 }')
    figure = next(part for part in parts if isinstance(part, Figure) and part.title == "Parts of the tip's error")
    names = [mark.name for mark in figure.marks if not isinstance(mark, Rule)]
    assert names == ["drive error", "quasi-static deflection", "dynamic deflection"]
    whole = sum(run.parts()[name] for name in ("drive error", "quasi-static", "dynamic"))
    np.testing.assert_allclose(whole, run.point("tip").error.values, atol=1e-12)


def test_an_arm_without_a_target_says_why():
    _, _, parts = page_parts("free = true")
    words = [text for part in parts if isinstance(part, Paragraphs) for text in part.paragraphs]
    assert 'The tip has no target: the joint "link" is free: its end is not determined.' in words
