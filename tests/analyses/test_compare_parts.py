"""The parts of a comparison by themselves: words for models, rest of a command, orders, costs, the choice."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa
from flexarm.analyses.compare.assumptions import shear_part
from flexarm.analyses.compare.judgement import advice_of, common_cost, error_at, fitted_order, recommended, trends
from flexarm.analyses.compare.measures import TipHistory, frequency_error
from flexarm.analyses.compare.reference import Refinement
from flexarm.analyses.compare.variants import own_elements, split_words, variant, variants
from flexarm.analyses.run.end_of_command import command_end_time
from flexarm.results import ModelRun

BEAM = {"bending_stiffness": 100.0, "mass_per_length": 0.5, "shear_stiffness": 1e6, "rotary_inertia": 1e-5}


def link(name: str, joint: dict | None = None, **keys) -> dict:
    """A beam of 2 m."""
    return {"name": name, "joint": joint or {"type": "revolute"}, "length": 2.0, "beam": BEAM, **keys}


# --- Words -----------------------------------------------------------------------------------------------------------


def test_a_word_becomes_a_model_on_every_beam_and_leaves_other_links_as_they_are() -> None:
    sleeve = {"type": "prismatic", "axis": "x", "sleeve": True, "at": 1.0}
    own = {"formulation": "hermite", "elements": 3}
    rigid = {"name": "hand", "joint": {"type": "fixed"}, "length": 0.1, "rigid": {"mass": 1.0, "inertia": 0.1}}
    arm = fa.Arm(planar=True, links=[link("one"), link("two", sleeve, model=own), rigid])
    changed = variant("timoshenko:link,plain").arm(arm, 6)
    model = changed.links[0].formulation
    assert (model.formulation, model.elements, model.frames, model.stiffening) == ("timoshenko", 6, "link", False)
    assert changed.links[1:] == arm.links[1:]
    assert variant("modes").arm(arm, 3).links[0].formulation.modes == 3
    assert variant("file").arm(arm, None) is arm


def test_theory_freedoms_and_grading_of_the_file_stay_where_a_formulation_knows_them() -> None:
    own = {"formulation": "hermite", "elements": 3, "theory": "euler", "grading": 0.5, "freedoms": ["bending"]}
    arm = fa.Arm(planar=True, links=[link("one", model=own)])

    def model(word: str) -> fa.Formulation:
        return variant(word).arm(arm, 4).links[0].formulation

    assert own_elements(arm) == 3
    assert (model("hencky").theory, model("hencky").grading) == ("euler", 0.5)
    assert (model("modes").theory, model("modes").freedoms) == ("euler", ("bending",))
    assert (model("timoshenko").theory, model("timoshenko").grading) == (None, 0.5)
    assert model("rigid-fe").theory is None
    assert model("hencky:timoshenko").theory == "timoshenko"
    # a reference takes whatever theory the beam's data allow
    assert variant("hencky").of_whole_beam().arm(arm, 4).links[0].formulation.theory is None


def test_freedoms_with_shear_do_not_go_with_a_theory_without() -> None:
    own = {"formulation": "rigid-fe", "freedoms": ["bending", "shear"]}
    arm = fa.Arm(planar=True, links=[link("one", model=own)])
    assert variant("hermite:euler").arm(arm, 2).links[0].formulation.freedoms == ("bending",)
    assert variant("rigid-fe").arm(arm, 2).links[0].formulation.freedoms == ("bending", "shear")


def test_damping_per_spring_that_is_no_retardation_time_goes_with_the_number_of_springs() -> None:
    tapered = {**BEAM, "end": {"bending_stiffness": 50.0}}
    arm = fa.Arm(
        planar=True,
        links=[link("one", damping={"per_spring": 1.0}, model={"formulation": "rigid-fe"}) | {"beam": tapered}],
    )
    assert variant("rigid-fe").arm(arm, 20).links[0].damping.per_spring == pytest.approx(2.0)
    assert variant("hencky").arm(arm, 20).links[0].damping.per_spring == pytest.approx(4.0)


def test_options_after_a_comma_stay_with_their_formulation() -> None:
    assert split_words("hermite, hermite:link,plain,modes:euler,hencky:link+plain, file") == [
        "hermite",
        "hermite:link,plain",
        "modes:euler",
        "hencky:link+plain",
        "file",
    ]
    assert [each.word for each in variants(["hermite:link+plain", "hermite:link,plain"])] == ["hermite:link,plain"]


def test_frames_of_links_are_given_no_more_coordinates_than_are_of_use() -> None:
    assert variant("hermite").meshes((2, 40)) == (2, 40)
    assert variant("modes").meshes((2, 8, 16, 40)) == (2, 8, 12)
    assert variant("hermite:link").meshes((2, 16, 40)) == (2, 16)
    assert variant("file").meshes((2, 16)) == (None,)


# --- End of a command ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("motion", "begins"),
    [
        ({"kind": "cycloidal", "travel": 1.0, "duration": 0.5, "begin": 0.1}, 0.6),
        ({"kind": "brake", "rate": 1.0, "travel_time": 1.0, "braking_time": 0.4}, 1.2),
        ({"kind": "bang-bang", "acceleration": 1.0, "duration": 0.5}, 0.5),
        ({"kind": "hold"}, 0.0),
        # a constant rate is not rest, nor is a motion that goes on to the end
        ({"kind": "spin-up", "rate": 1.0, "duration": 0.5}, None),
        ({"kind": "cycloidal", "travel": 1.0, "duration": 2.5}, None),
    ],
)
def test_a_command_rests_when_its_last_motion_has_ended(motion, begins) -> None:
    arm = fa.Arm(planar=True, links=[link("one", {"type": "revolute", "motion": "go"})], motions={"go": motion})
    assert command_end_time(arm, 2.0) == (None if begins is None else pytest.approx(begins))


def test_torques_and_loads_rest_when_they_are_constant() -> None:
    laws = {
        "push": {"kind": "sine", "amplitude": 1.0, "period": 0.4, "end": 0.8},
        "gust": {"kind": "bang-bang", "amplitude": 1.0, "duration": 1.1},
    }
    joint = {"type": "revolute", "torque": "push"}
    arm = fa.Arm(planar=True, links=[link("one", joint)], torques=laws)
    assert command_end_time(arm, 2.0) == pytest.approx(0.8)
    blown = arm.changed(loads=[{"link": "one", "force": (0, 1, 0), "law": "gust"}])
    assert command_end_time(blown, 2.0) == pytest.approx(1.1)
    assert command_end_time(blown, 0.7) is None


# --- Measures --------------------------------------------------------------------------------------------------------


def test_residual_and_peak_are_found_between_samples() -> None:
    times = np.linspace(0.0, 2.0, 101)
    ring = np.where(times < 1.0, 2.0 * np.sin(np.pi * times), 0.5 * np.sin(7.0 * np.pi * (times - 1.0)) + 0.1)
    history = TipHistory(times, np.zeros((101, 3)), np.stack([0 * ring, ring, 0 * ring], axis=1))
    # a parabola through samples 22 to a half period: third order
    assert history.residual(1.0) == pytest.approx(0.5, rel=2e-3)
    assert history.peak == pytest.approx(2.0, rel=1e-4)
    assert history.residual(None) is None and history.residual(1.99) is None


def test_frequencies_are_compared_as_far_as_a_model_has_them() -> None:
    assert frequency_error((1.01, 2.0), (1.0, 2.0, 3.0)) == pytest.approx(0.01)
    assert frequency_error(None, (1.0,)) is None and frequency_error((1.0,), None) is None


def test_shear_adds_3ei_over_kgal2_to_the_deflection_of_a_uniform_beam() -> None:
    arm = fa.Arm(planar=True, links=[link("one")])
    assert shear_part(arm.links[0], True) == pytest.approx(3 * 100.0 / (1e6 * 4.0), rel=1e-12)
    unknown = {key: value for key, value in BEAM.items() if key != "shear_stiffness"}
    assert shear_part(fa.Arm(planar=True, links=[link("one") | {"beam": unknown}]).links[0], True) is None


def refinement(errors: list[float]) -> Refinement:
    """Courses whose tips are these errors (m) away from nought."""
    made = [TipHistory(np.zeros(1), np.array([[error, 0.0, 0.0]]), np.zeros((1, 3))) for error in errors]
    found = Refinement(made[0])
    for each in made[1:]:
        found.add(each)
    return found


def test_a_clear_order_is_led_to_its_limit_and_the_error_reported_covers_the_remainder() -> None:
    # second order with some of the fourth
    found = refinement([0.01 / 4.0**k + 0.002 / 16.0**k for k in range(5)])
    assert found.order == pytest.approx(2.0, abs=0.02)
    # a fifth of what the finest itself is wrong by
    assert abs(found.limit.tip[0, 0]) < found.error < 0.2 * 0.01 / 4.0**4


def test_orders_that_mix_are_not_extrapolated_and_the_error_reported_covers_where_they_cancel() -> None:
    # 1/n² − ¼/n over 8, 16, 32: the difference of the last two vanishes, the error does not
    for last in range(3, 8):
        errors = [0.064 / 4.0**k - 0.006 / 2.0**k for k in range(last)]
        found = refinement(errors)
        if found.order is None:
            assert found.error >= abs(errors[-1])


# --- Judgement -------------------------------------------------------------------------------------------------------


def rows(model: str, errors: dict[int, float], seconds: dict[int, float], tolerance: float = 0.0) -> list[ModelRun]:
    """Runs of a model with errors (m) and costs (s) by number of elements."""
    return [
        ModelRun(
            model, count, coordinates=2 * count, tip_error=error, cpu_seconds=seconds[count], keeps=error <= tolerance
        )
        for count, error in errors.items()
    ]


def test_the_order_is_fitted_to_what_stands_clear() -> None:
    errors = {n: 0.1 / n**3 + 1e-5 for n in (2, 4, 8, 16, 32)}
    found = rows("hermite", errors, dict.fromkeys(errors, 1.0))
    # 8 elements: 2e-4 m, of which the floor of 1e-5 m is a twentieth; 16 and more drown
    assert fitted_order(found, 1e-5, 1.0)[0] == pytest.approx(3.0, abs=0.05)
    assert fitted_order(found[2:], 1e-5, 1.0) == (None, None)
    # a model out of step says nothing of its order
    assert fitted_order(found, 1e-5, 1e-3)[0] is None
    level = {2: 0.05, 4: 0.011, 8: 0.0101, 16: 0.01}
    assert fitted_order(rows("modes", level, dict.fromkeys(level, 1.0)), 1e-5, 1.0) == (None, pytest.approx(0.01))


def test_the_error_at_equal_cost_is_interpolated_and_not_led_far_from_what_was_measured() -> None:
    errors, seconds = {2: 0.1, 4: 0.025, 8: 0.00625}, {2: 1.0, 4: 2.0, 8: 4.0}
    found = rows("rigid-fe", errors, seconds)
    # error ∝ 1/cost²
    assert error_at(found, 2.0**1.5) == pytest.approx(0.1 / 8.0)
    assert error_at(found, 8.0) == pytest.approx(0.1 / 64.0)
    assert error_at(found, 4.0 * 10**0.5 * 1.01) is None
    assert error_at(found[:2], 2.0 * 2.1) is None
    assert error_at(found[:1], 1.1) == pytest.approx(0.1) and error_at(found[:1], 2.0) is None
    # a finer mesh that is worse is no reason to pay more
    assert error_at(rows("modes", {2: 0.1, 4: 0.2}, {2: 1.0, 4: 2.0}), 2.0) == pytest.approx(0.1)


def test_of_models_that_keep_the_tolerance_the_cheapest_is_taken_and_of_equals_the_smallest() -> None:
    one = rows("hermite", {2: 0.02, 4: 0.005}, {2: 0.9, 4: 2.0}, 0.01)
    two = rows("modes", {1: 0.006}, {1: 2.3}, 0.01)
    three = rows("hencky", {8: 0.001}, {8: 2.5}, 0.01)
    # 2.3 s is 2.0 s within the noise of timing, with fewer coordinates; 2.5 s is not
    assert recommended([*one, *two, *three]) == 2
    assert recommended([*one, *three]) == 1
    assert recommended(one[:1]) is None
    assert common_cost([*one, *three], 1) == 2.0 and common_cost([*one, *three], None) == 2.0


def test_where_nothing_keeps_the_tolerance_the_advice_follows_the_order() -> None:
    found = rows("rigid-fe", {2: 0.4, 4: 0.1, 8: 0.025}, {2: 1.0, 4: 2.0, 8: 4.0})
    together = trends(found, 1e-6, 1.0, 2.0)
    # 0.025 m to 0.001 m by order two: five times the elements
    advice = advice_of(found, together, None, 0.001, 10.0)
    assert advice.startswith(
        "No model keeps 1.00 mm: rigid-fe with 8 elements a link comes closest, 25 mm; try about 40"
    )
