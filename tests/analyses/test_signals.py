"""Signals: points in the axes of their links, gauges, internal forces and reactions against closed forms."""

import numpy as np
import pytest

import flexarm as fa
from flexarm.errors import FlexarmError

pytestmark = pytest.mark.usefixtures("no_error_estimates")

CLAMPED = """
planar = true
gravity = [0, 0, 0]
[[link]]
name = "rod"
joint = {{ type = "fixed" }}
length = "1 m"
beam = {{ material = "steel", section = {{ shape = "rectangle", width = "20 mm", height = "10 mm" }} }}
model = {{ formulation = "{word}", elements = {count} }}
[[load]]
link = "rod"
force = [0, -10, 0]
[[gauge]]
name = "root"
link = "rod"
[[gauge]]
name = "half way"
link = "rod"
at = "0.5 m"
face = "-y"
[simulation]
end = "1 ms"
start = "static"
"""
TURNED = """
planar = true
gravity = [0, 0, 0]
[[link]]
name = "rod"
joint = { type = "revolute", motion = "turn" }
length = "1 m"
beam = { bending_stiffness = "20 N m^2", mass_per_length = "0.5 kg/m" }
model = { formulation = "hermite", elements = 2 }
payload = { mass = "0.2 kg" }
[[point]]
name = "middle"
link = "rod"
at = "0.5 m"
[motion.turn]
kind = "cycloidal"
travel = "60 deg"
duration = "0.3 s"
[simulation]
end = "0.4 s"
"""


@pytest.mark.parametrize(
    ("word", "count"), [("hermite", 2), ("timoshenko", 1), ("timoshenko", 3), ("rigid-fe", 4), ("hencky", 3)]
)
def test_strain_and_stress_of_a_clamped_beam_under_a_tip_load_are_m_c_over_ei(word, count):
    run = fa.simulate(fa.parse_arm(CLAMPED.format(word=word, count=count)))
    E, I, c = run.arm.link("rod").beam.material_data.youngs_modulus, 20e-3 * 10e-3**3 / 12.0, 5e-3
    # small deflections: the arm of the load shortens with the square of the slope of 0.014, 2e-4 / 2
    for gauge, moment, sign in (("root", -10.0, 1.0), ("half way", -5.0, -1.0)):
        assert run[f"{gauge}.moment"][0] == pytest.approx(moment, rel=3e-4)
        assert run[f"{gauge}.strain"][0] == pytest.approx(-sign * c * moment / (E * I), rel=3e-4)
        assert run[f"{gauge}.stress"][0] == pytest.approx(-sign * c * moment / I, rel=3e-4)
    # the clamp pushes up and holds against the load
    assert run["rod.reaction_force_y"][0] == pytest.approx(10.0, rel=1e-9)
    assert run["rod.reaction_moment_z"][0] == pytest.approx(10.0, rel=3e-4)
    assert run["rod.shear_y_at_500_mm"][0] == pytest.approx(-10.0, rel=3e-4)


def test_a_tip_in_the_axes_of_its_link_is_the_clamped_beam_and_its_derivatives_are_its_own():
    run = fa.simulate(fa.parse_arm(TURNED))
    angle = run["rod.position"]
    # independent: the tip's place turned back by the joint's angle, less its place at rest
    x, y = run["tip.x"], run["tip.y"]
    along, across = np.cos(angle) * x + np.sin(angle) * y - 1.0, np.cos(angle) * y - np.sin(angle) * x
    assert np.abs(run["tip.along"] - along).max() < 1e-14 and np.abs(run["tip.across"] - across).max() < 1e-14
    # the joint is on its command, so that the deflection is the same vector in the same axes
    assert run["tip.deflection_across"] == pytest.approx(run["tip.across"], abs=1e-12)
    assert run["tip.deflection_turn"] == pytest.approx(run["tip.turn"], abs=1e-12)
    h = run.time[1] - run.time[0]
    for point in ("tip", "middle"):
        for word in ("along", "across", "turn"):
            for first, second in (("", "_rate"), ("_rate", "_acceleration")):
                values, rates = run[f"{point}.{word}{first}"], run[f"{point}.{word}{second}"]
                slope = (values[:-4] - 8 * values[1:-3] + 8 * values[3:-1] - values[4:]) / (12.0 * h)
                # five-point differences of 0.4 ms; dense output is a quintic, its second derivative less smooth
                assert np.abs(slope - rates[2:-2]).max() < 2e-2 * np.abs(rates).max(), (point, word, second)


def test_a_static_tip_bends_as_a_cantilever_does():
    run = fa.simulate(fa.parse_arm(CLAMPED.format(word="hermite", count=4)))
    beam = run.arm.link("rod").beam.properties(0.0)
    bent = -10.0 / (3.0 * beam.EIz) - 10.0 / beam.GAy
    assert run["tip.across"][0] == pytest.approx(bent, rel=3e-4)
    assert run["tip.turn"][0] == pytest.approx(-10.0 / (2.0 * beam.EIz), rel=3e-4)


def test_a_run_from_a_file_has_the_same_signals(tmp_path):
    run = fa.simulate(fa.parse_arm(CLAMPED.format(word="hermite", count=2)))
    run.save(tmp_path / "run.nc")
    again = fa.open_run(tmp_path / "run.nc")
    assert again.signals == run.signals
    for name in ("tip.across", "root.strain", "tip.y_rate", "rod.moment_z_at_250_mm", "rod.reaction_force_y"):
        assert np.array_equal(again[name], run[name])
    heads = next(iter(run.csv_blocks())).splitlines()[0]
    assert "tip.across [m]" in heads and "root.stress [Pa]" in heads


def test_old_words_name_the_same_signals_and_others_are_refused():
    run = fa.simulate(fa.parse_arm(TURNED))
    assert np.array_equal(run["tip.vx"], run["tip.x_rate"])
    for word, sentence in (
        ("tip.acros", 'did you mean "across"'),
        ("tipp.across", "names no point"),
        ("root.strain", "of which the arm has none"),
        ("rod.moment_z_at_2000_mm", "beyond the end"),
    ):
        with pytest.raises(FlexarmError, match=sentence):
            run.signal(word)


def test_linear_outputs_are_the_same_signals_in_small_motion():
    arm = fa.parse_arm(CLAMPED.format(word="hermite", count=2))
    model = fa.linearise(arm)
    assert model.mass.shape == model.stiffness.shape == (4, 4) and len(model.coordinate_names) == 4
    # statics: a force of 1 N at the tip moves it by L³/3EI + L/GA and strains the root by c/EI
    q = np.linalg.solve(model.stiffness, model.C[model.output("tip.y"), :4])
    beam = arm.link("rod").beam.properties(0.0)
    assert model.C[model.output("tip.across"), :4] @ q == pytest.approx(1 / (3 * beam.EIz) + 1 / beam.GAy, rel=1e-3)
    assert model.C[model.output("root.strain"), :4] @ q == pytest.approx(-5e-3 / beam.EIz, rel=1e-3)
    rate = model.C[model.output("tip.across_rate")]
    assert np.array_equal(rate[4:], model.C[model.output("tip.across"), :4]) and not rate[:4].any()


def test_a_ratio_of_the_whole_arm_is_that_of_its_mode():
    text = TURNED.replace("payload =", 'damping = { ratio = 0.05, of = "arm" }\npayload =')
    found = fa.modes(fa.parse_arm(text), joints="locked")
    assert found.damping_ratios[0] == pytest.approx(0.05, rel=1e-9)
    # Kelvin-Voigt: the ratio grows with the frequency
    expected = 0.05 * found.frequencies_hz[1] / found.frequencies_hz[0]
    assert found.damping_ratios[1] == pytest.approx(expected, rel=1e-9)


def test_a_requirement_may_be_on_any_signal():
    from flexarm.studies.reliability.requirement_tables import requirements_from
    from flexarm.studies.reliability.requirements import Requirement

    entries = [
        {"name": "strain", "signal": "root.strain", "below": 1e-3, "during": [0, "1 ms"]},
        {"name": "across", "signal": "tip.across", "within": ["-20 mm", "1 mm"]},
        {"name": "still", "signal": "tip.across_rate", "settled": {"by": 0, "within": "1 mm/s"}},
        {"name": "above", "signal": "tip.across", "above": "-1 mm"},
    ]
    found = requirements_from(entries)
    assert [each.limit for each in found] == pytest.approx([1e-3, 10.5e-3, 1e-3, 1e-3])
    for each in found:
        assert Requirement.from_dict(each.to_dict()) == each and each.signal in each.words
    with pytest.raises(FlexarmError, match="has none of below, above, within and settled"):
        requirements_from([{"signal": "tip.x"}])
    text = CLAMPED.format(word="hermite", count=2).replace("[0, -10, 0]", "[0, { normal = [-10, 1e-9] }, 0]")
    study = fa.parse_study(text)
    kept = fa.reliability(study, samples=2, requirements=found, workers=1)
    # 1e-4 of strain, −9.5 mm and at rest hold; −9.5 mm is not above −1 mm
    assert [each.met for each in kept.verdicts] == [2, 2, 2, 0]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ('at = "2 m"', "must be ≤ the length"),
        ('face = "+z"', 'must be "\\+y" or "-y" in a planar arm'),
        ('face = "top"', "face is"),
    ],
)
def test_a_gauge_that_cannot_be_is_refused(change, sentence):
    text = CLAMPED.format(word="hermite", count=2).replace('at = "0.5 m"\nface = "-y"', change)
    with pytest.raises(FlexarmError, match=sentence):
        fa.parse_arm(text)
