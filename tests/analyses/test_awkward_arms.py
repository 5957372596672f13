"""Arms that mutated model files led to: each is answered, or refused in a sentence that names the cause."""

from __future__ import annotations

import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import flexarm as fa
from flexarm.errors import AnalysisError, StoppedEarly
from flexarm.report import page_of
from flexarm.results import LinearModel
from tests.analyses.servo_arms import servo_arm

EXAMPLES = Path(__file__).parents[2] / "examples"


def oscillator(omega: float) -> LinearModel:
    """An undamped mass on a spring, pushed by a force: x/f = 1/(ω² − ω_f²)."""
    return LinearModel(
        A=np.array([[0.0, 1.0], [-(omega**2), 0.0]]),
        B=np.array([[0.0], [1.0]]),
        C=np.array([[1.0, 0.0]]),
        D=np.zeros((1, 1)),
        state_names=("x", "x.rate"),
        input_names=("f",),
        output_names=("x",),
    )


def test_the_response_at_the_pole_of_an_undamped_mode_is_infinite_and_its_page_is_drawn():
    model = oscillator(2.0)
    found = model.response(np.array([1.0, 2.0]) / (2.0 * math.pi))
    assert found[0, 0, 0] == pytest.approx(1.0 / 3.0)
    assert math.isinf(abs(found[1, 0, 0]))
    figures = [part for section in page_of(model).sections for part in section.parts if hasattr(part, "marks")]
    gain = next(figure for figure in figures if figure.title == "Gain").marks[0]
    assert len(gain.y) > 100 and np.isfinite(gain.y).all()


def massless_motor(**changes: Any) -> fa.Arm:
    """An arm under servos whose first motor has no inertia before a gear that gives way: M is singular."""
    arm = servo_arm(**changes)
    return arm.with_('link["upper arm"].joint.motor.inertia', 0.0)


def test_a_massless_motor_before_a_gear_is_named_by_linearise():
    with pytest.raises(AnalysisError, match='"upper arm" can move without moving any mass'):
        fa.linearise(massless_motor(), joints="servo")
    # held it needs no inertia
    assert fa.linearise(massless_motor(), joints="locked").state_names


def test_a_run_that_cannot_begin_is_where_it_starts_and_blames_no_beam():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StoppedEarly)
        run = fa.simulate(massless_motor())
    assert run.info["status"] == "singular" and "behind a free joint" in run.info["message"]
    assert np.isfinite(run.values("point_position")).all()
    assert run.values("joint_position")[0] == pytest.approx([0.5, -0.8])
    assert "stopped" in run.summary() and page_of(run).sections


def test_masses_too_far_apart_for_tuning_are_refused():
    arm = fa.read_arm(EXAMPLES / "servo_arm.toml").with_("link[1].payload[0].mass", 1e30)
    with pytest.raises(AnalysisError, match="the servos cannot be tuned"):
        fa.simulate(arm)


def test_the_workspace_of_an_arm_with_a_following_load_chooses_its_joint():
    beam = {"bending_stiffness": 100.0, "mass_per_length": 1.0}
    link = {"name": "rod", "joint": {"type": "revolute"}, "length": 1.0, "beam": beam}
    load = {"link": "rod", "force": (0.0, -1.0, 0.0), "axes": "link"}
    arm = fa.Arm(name="pushed", planar=True, gravity=(0, 0, 0), links=[link], loads=[load])
    found = fa.workspace(arm, points=3)
    # it turns with the arm: the sag is F L³/3EI everywhere
    assert found.joints == ("rod",)
    assert np.linalg.norm(found.sag, axis=-1) == pytest.approx(1.0 / 300.0, rel=1e-4)


def test_joints_that_change_nothing_are_chosen_by_their_order_not_by_rounding():
    assert fa.workspace(fa.read_arm(EXAMPLES / "rod_handler.toml"), points=2).joints == ("upper arm", "forearm")


def test_a_brake_whose_finer_runs_stop_early_has_no_best_and_no_worst():
    # enough steps for the curve, too few for the finer runs that judge it
    arm = fa.read_arm(EXAMPLES / "braked_link.toml").with_("simulation.max_steps", 100)
    study = fa.brake(arm, points=3, explain=False, latest_stop=1e-9)
    assert study.best is None and study.worst is None
    assert any("no braking time" in note for note in study.notes), study.notes


def test_a_travel_too_small_to_be_divided_by_is_not_braked():
    arm = fa.read_arm(EXAMPLES / "gantry.toml").with_("motion.across.travel", 5e-324)
    assert fa.brake(arm, points=3, explain=False).joints == ("carriage",)


def test_shapes_of_an_arm_with_its_servos_left_out_are_printed_as_data():
    study = fa.shape(servo_arm(), shapers=["zv"], laws=[], joints="locked", sensitivity=False)
    data = study.to_dict()
    assert data["rows"][1]["name"] == "zv" and "given" not in data
