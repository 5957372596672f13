"""Pages of statics, torques, linearise, check and reproduce, without a browser: what is drawn is what was found."""

import json
import math
import re

import numpy as np
import pytest

import flexarm as fa
from flexarm.papers.row import judged
from flexarm.report import page_of
from flexarm.report.arm.still import posed_arm
from flexarm.report.page import Figure, Line, Listing, MovingArm, Table
from flexarm.report.pages import linearise
from flexarm.report.rendering import MOST_BYTES
from tests.report.verb_results import CHECKED, REPRODUCED, VERBS, verb_result


def part(name, kind, title=""):
    """The part of that kind, and title if one is given, on the page of a verb."""
    found = [each for each in page_of(verb_result(name)).parts if isinstance(each, kind)]
    return next(each for each in found if title in ("", each.title))


@pytest.mark.parametrize("name", VERBS)
def test_every_page_is_small_and_holds_its_model_file_and_versions(name, tmp_path):
    path = fa.report(verb_result(name), tmp_path / "page.html")
    text = path.read_text("utf-8")
    assert path.stat().st_size <= MOST_BYTES
    assert not re.search(r">[^<]*\b(?:nan|inf|None)\b[^<]*<", re.sub(r"<script.*", "", text, flags=re.S))
    assert fa.__version__ in text and "numba" in text
    assert any(isinstance(each, Listing) and "[[link]]" in each.text for each in page_of(verb_result(name)).parts)


@pytest.mark.parametrize("name", ["statics", "torques", "linearise"])
def test_results_write_their_own_page_and_their_json_makes_one_too(name, tmp_path):
    result = verb_result(name)
    assert result.report(tmp_path / "own.html").read_bytes() == fa.report(result, tmp_path / "page.html").read_bytes()
    printed = page_of(json.loads(json.dumps(result.to_dict())))
    assert printed.kind == page_of(result).kind
    assert len(printed.sections) >= 3


def test_the_arm_is_drawn_sagged_beside_the_rigid_one():
    found, arm = verb_result("statics"), part("statics", MovingArm)
    # the strip lies along x for half a metre, and its tip sags as the result says
    assert np.allclose(arm.corners[0, -1], [0.5, 0.0, 0.0], atol=1e-12)
    assert np.allclose(arm.deflections[0, -1], found.tip_sag["tip"], rtol=1e-12)
    assert len(arm.times) == 1 and arm.scale == 10
    along = part("statics", Figure, "Sag along the arm")
    y = next(line for line in along.marks if line.name == "y")
    assert y.x[-1] == pytest.approx(0.5) and y.y[-1] == pytest.approx(found.tip_sag["tip"][1])
    # q s² (6 L² - 4 L s + s²) / 24 EI beside shear: 3e-4 of the tip's sag at this slenderness
    s, length = np.asarray(y.x), 0.5
    shape = s**2 * (6.0 * length**2 - 4.0 * length * s + s**2) / (3.0 * length**4)
    assert np.abs(np.asarray(y.y) / y.y[-1] - shape).max() < 3e-3


def test_moments_inside_a_beam_are_those_of_its_weight():
    line = part("statics", Figure, "Bending moment about the links' z axes").marks[0]
    weight = 9.81 * 7850.0 * 0.025 * 0.005  # N/m
    wanted = -0.5 * weight * (0.5 - np.asarray(line.x)) ** 2
    # cubic elements carry linear moments: right on average, off by q h²/12 at their ends
    assert np.abs(np.asarray(line.y) - wanted).max() <= weight * 0.125**2 / 12.0 * 1.05


def test_torques_are_drawn_flexible_beside_rigid_with_their_peaks():
    found = verb_result("torques")
    for k, joint in enumerate(found.joints):
        flexible, rigid = (mark for mark in part("torques", Figure, joint).marks if isinstance(mark, Line))
        assert np.array_equal(flexible.y, found.flexible[:, k]) and np.array_equal(rigid.y, found.rigid[:, k])
    rows = {row[0]: row for row in part("torques", Table).rows}
    assert float(rows["rod"][1].split()[0]) == pytest.approx(np.abs(found.flexible[:, 2]).max(), rel=1e-3)


def test_poles_and_response_of_a_hanging_rod_are_those_of_its_equation():
    # s² + (d/J) s + m g L / 2 J, J = m L²/3; its angle by one newton metre is 1/J over that
    inertia, damping, stiffness = 2.0 * 0.6**2 / 3.0, 0.02, 2.0 * 9.81 * 0.3
    points = part("linearise", Figure, "Poles in the complex plane").marks[0]
    assert np.allclose(points.x, -damping / (2.0 * inertia), rtol=1e-6)
    wanted = math.sqrt(stiffness / inertia - (damping / (2.0 * inertia)) ** 2)
    assert np.allclose(np.abs(points.y), wanted, rtol=1e-6)
    gain, phase = (part("linearise", Figure, title) for title in ("Gain", "Phase"))
    assert gain.choose is not None and gain.choose == phase.choose
    # the reader chooses input and output: lines stand in that order
    number = gain.choose[1].index("rod_position")
    angle, late = gain.marks[number], phase.marks[number]
    assert angle.name == "rod_position by rod_torque, rad per N m"
    omega = 2.0 * math.pi * np.asarray(angle.x)
    turned = np.angle(1.0 / (stiffness - inertia * omega**2 + 1j * damping * omega))
    assert np.allclose(late.y, turned, atol=1e-3)
    closed = 1.0 / np.abs(stiffness - inertia * omega**2 + 1j * damping * omega)
    # the stiffness is a difference of forces, half the digits of double precision
    assert np.allclose(angle.y, closed, rtol=1e-5)
    # light damping makes a peak narrower than the spacing: it is there all the same, 1/(2 ζ k)
    assert max(angle.y) > 0.99 * math.sqrt(inertia * stiffness) / damping / stiffness


def test_a_posture_that_falls_over_is_called_unstable():
    upright = fa.linearise(verb_result("linearise").arm, posture={"rod": math.pi / 2.0})
    assert "unstable" in page_of(upright).warnings[0]
    assert page_of(verb_result("linearise")).warnings == []


def test_a_checked_arm_is_drawn_where_it_starts_with_masses_and_frequencies():
    arm = part("check", MovingArm)
    # upper arm 0.2 m and forearm 0.3 m upright, the rod 1 m to the right
    assert np.allclose(arm.corners[0, -1], [1.0, 0.5, 0.0], atol=1e-12)
    page = page_of(verb_result("check"))
    assert {each.name: each.value for each in page.numbers}["Mass"] == "4.730 kg"
    titles = [section.title for section in page.sections]
    assert titles[:4] == ["The arm", "Links", "Drives and commands", "Frequencies"]


def test_mistakes_stand_beside_sound_files():
    wrong = {"model": "b.toml", "sound": False, "problems": [{"place": "link[0].length", "message": "is -1 m"}]}
    page = page_of({"checked": [CHECKED["checked"][0], wrong]})
    assert page.failure == "Not valid: b.toml."
    assert page.numbers[0].value == "1 of 2"
    rows = [row for each in page.parts if isinstance(each, Table) for row in each.rows]
    assert ("link[0].length", "Is -1 m.") in rows


def test_reproductions_are_counted_and_their_differences_drawn():
    page = page_of(REPRODUCED)
    assert {each.name: each.value for each in page.numbers} == {"Agrees": "1", "Differs": "1", "Not printed": "1"}
    figure = next(each for each in page.parts if isinstance(each, Figure))
    # the wrong one is four times too large, which is 300 %
    assert {mark.name: list(mark.y) for mark in figure.marks} == {"agrees": [pytest.approx(0.01)], "differs": [3.0]}
    rows = [row for each in page.parts if isinstance(each, Table) for row in each.rows]
    assert ["fine.b", "1", "4", "Hz", "300 %", "differs", "[1]"] in rows
    assert page.failure == "Lost: could not be computed."


def test_a_row_that_agrees_to_the_last_bit_has_a_place_on_the_figure():
    row = judged("fine.same", 2.0, "m", paper=2.0).to_dict()
    figure = next(each for each in page_of({"reproduced": [row]}).parts if isinstance(each, Figure))
    assert min(figure.marks[0].y) > 0.0


def test_what_stands_between_a_joint_and_its_parent_is_drawn_with_the_link():
    text = """
        name = "gantry"
        [[link]]
        name = "mast"
        joint = { type = "fixed" }
        length = "1 m"
        rigid = { mass = "1 kg", inertia = [0.1, 0.1, 0.1] }
        payload = [{ mass = "1 kg", at = "0.8 m" }, { mass = "1 kg", at = "0.3 m" }]
        [[link]]
        name = "slide"
        joint = { type = "prismatic", axis = "y", offset = ["0 m", "0 m", "0.2 m"], at = "0.5 m" }
        parent_at = "0.6 m"
        length = "0.1 m"
        rigid = { mass = "1 kg", inertia = [0.1, 0.1, 0.1] }
    """
    drawn = posed_arm(fa.parse_arm(text), "")
    mast, slide = drawn.links
    place = np.asarray(drawn.corners)[0]
    assert place[[*mast.payloads]].tolist() == [[0.8, 0.0, 0.0], [0.3, 0.0, 0.0]]
    assert (np.diff(place[mast.first : mast.last + 1, 0]) >= 0.0).all()
    # from where it stands on the mast by its offset and its way to the joint
    assert np.allclose(place[slide.first], [0.6, 0.0, 0.0]) and np.allclose(place[slide.joint_point], [0.6, 0.5, 0.2])


def test_poles_of_an_undamped_arm_have_no_damping_from_rounding():
    rounding = 1e-11
    poles = [{"real": sign * rounding, "imag": size} for sign, size in ((1, 300.0), (-1, -300.0), (-1, 2e4), (1, -2e4))]
    found = linearise._poles({"poles": poles})
    assert not found.real.any()
    assert [row[2:] for row in linearise._table(found)[0].rows] == [["0 %", "–"], ["0 %", "–"]]
    # a hundredth of a per cent is damping
    assert linearise._poles({"poles": [{"real": -0.03, "imag": 300.0}, {"real": 0.0, "imag": 2e4}]})[0].real == -0.03
