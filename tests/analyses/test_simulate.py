"""`simulate` from the public side: starts, options, trust, energy balance, failure."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import flexarm as fa
from flexarm.assembly import refined
from flexarm.errors import AnalysisError, ModelError
from tests.analyses.arms import cantilever, one_link, rod_handler, spatial_rod
from tests.oracles import planar_chain


def test_planar_arm_agrees_with_radau_on_an_independent_derivation() -> None:
    times = np.array([0.0, 0.5, 1.0, 1.2, 1.5, 1.75, 2.0])
    run = fa.simulate(rod_handler(), tolerance=1e-9, output=0.05)
    ours = run.values("point_position")[np.searchsorted(run.time, times - 1e-9), 0, :2]
    theirs = planar_chain.tip_history(times, to=planar_chain.LOOSE)
    # the oracle's own tolerance is 1e-7
    assert np.max(np.abs(ours - theirs)) < 2e-7


def test_planar_and_spatial_kernels_give_the_same_run() -> None:
    arm = rod_handler()
    links = []
    for link in arm.links:
        if link.rigid is not None:
            about = link.rigid.inertia
            link = link.changed(rigid=link.rigid.changed(inertia=(0.0, about, about)))
        links.append(link)
    spatial = arm.changed(planar=False, links=links)
    flat, deep = fa.simulate(arm, output=0.02), fa.simulate(spatial, output=0.02)
    bend = [name for name in deep.labels("coordinate") if "bending_z" in name]
    columns = [deep.labels("coordinate").index(name) for name in bend]
    # the same equations in another order of sums: what differs is rounding, through the step control
    assert np.max(np.abs(flat.values("elastic_position") - deep.values("elastic_position")[:, columns])) < 1e-9
    assert np.max(np.abs(flat.values("point_position") - deep.values("point_position"))) < 1e-9
    assert np.max(np.abs(flat.values("joint_torque") - deep.values("joint_torque"))) < 1e-3


def test_integrator_error_estimate_covers_the_true_error() -> None:
    exact = fa.simulate(rod_handler(), tolerance=1e-10, output=0.01).values("point_position")
    for tolerance in (1e-4, 1e-5, 1e-6):
        run = fa.simulate(rod_handler(), tolerance=tolerance, output=0.01)
        true = float(np.max(np.linalg.norm(run.values("point_position") - exact, axis=-1)))
        assert true < 3.0 * run.info["tip_error"]
        assert run.info["tip_error"] < 30.0 * true
        # the tolerance means what it says, within the spread of an estimate
        assert true < 3.0 * tolerance


def test_check_reports_the_error_of_the_mesh() -> None:
    run = fa.simulate(rod_handler(), check=True)
    fine = fa.simulate(refined(rod_handler(), 4), tolerance=1e-8)
    true = np.max(np.linalg.norm(run.values("point_position") - fine.values("point_position"), axis=-1))
    # second order: the twin sees three quarters of the whole error
    assert 0.6 * true < run.info["check"]["tip"] < 1.2 * true
    assert set(run.info["check"]) == {"tip", "peak", "residual"}


@pytest.mark.parametrize("stepper", ["esdirk4", "newmark", "alpha"])
def test_energy_balance_closes_for_prescribed_motion(stepper: str) -> None:
    arm = rod_handler().changed(gravity=(0.0, -9.81, 0.0))
    run = fa.simulate(arm, start="static", stepper=stepper, step=2.5e-4, end=1.8)
    exchanged = np.ptp(run.values("work_drives"))
    bound = {"esdirk4": 1e-5, "newmark": 2e-3, "alpha": 2e-2}[stepper]  # alpha dissipates by design
    assert np.max(np.abs(run.values("energy_balance_error"))) < bound * exchanged


def test_energy_balance_closes_for_loads_and_torques_in_space() -> None:
    arm = spatial_rod().changed(
        gravity=(0.0, 0.0, -9.81),
        loads=[{"link": "rod", "force": (3.0, 2.0, 5.0), "moment": (0.0, 1.0, 0.5), "axes": "link", "law": "pulse"}],
        torques={"pulse": {"kind": "sine", "amplitude": 1.0, "period": 0.5}},
    )
    run = fa.simulate(arm, start="static", tolerance=1e-8, end=2.0)
    assert np.ptp(run.values("work_loads")) > 0.1
    assert np.max(np.abs(run.values("energy_balance_error"))) < 1e-7 * np.ptp(run.values("work_drives"))


def test_steady_start_of_a_whirling_strip_has_no_transient() -> None:
    joint = {"type": "revolute", "motion": "turn", "rate": 3.0}
    arm = cantilever(
        link={"joint": joint, "hub": {"radius": 0.1}, "tip_offset": (0.0, 0.0, 0.0)},
        motions={"turn": {"kind": "constant-rate"}},
    )
    bent = arm.changed(links=[arm.links[0].changed(payload={"mass": 0.2, "offset": (0.0, 0.05, 0.0)})])
    run = fa.simulate(bent, start="steady", end=0.5, tolerance=1e-9)
    q = run.values("elastic_position")
    assert np.max(np.abs(q[0])) > 1e-4
    assert np.max(np.abs(q - q[0])) < 1e-7 * np.max(np.abs(q[0])) + 1e-10


def test_static_start_under_gravity_stays_put() -> None:
    run = fa.simulate(cantilever(gravity=(0.0, -9.81, 0.0)), start="static", end=1.0, tolerance=1e-9)
    assert np.max(np.abs(run.values("elastic_velocity"))) < 1e-9


def test_given_start_releases_the_deformed_arm() -> None:
    run = fa.simulate(cantilever(elements=5), start={"strip.bending_z1": 0.02, "strip.bending_z3.rate": 0.1}, end=0.1)
    assert run.values("elastic_position")[0].tolist() == [0.02, 0.0, 0.0, 0.0, 0.0]
    assert run.values("elastic_velocity")[0].tolist() == [0.0, 0.0, 0.1, 0.0, 0.0]


def test_prescribed_torque_of_a_rigid_link_is_inertia_times_acceleration() -> None:
    motion = {"kind": "cycloidal", "travel": 1.0, "duration": 2.0}
    arm = one_link(joint={"motion": "go", "rotor_inertia": 0.3}, motions={"go": motion}, simulation={"end": 2.0})
    run = fa.simulate(arm)
    inertia = 0.1 + 2.0 * 0.25 + 0.3
    expected = inertia * np.pi * np.sin(np.pi * run.time) / 2.0  # travel·2π/T² sin(2πt/T)
    assert np.allclose(run.values("joint_torque")[:, 0], expected, atol=1e-12)


def test_torque_driven_link_follows_the_closed_form() -> None:
    torque = {"kind": "sine", "amplitude": 0.6, "period": 1.0}
    arm = one_link(joint={"torque": "push"}, torques={"push": torque}, simulation={"end": 1.0, "tolerance": 1e-10})
    run = fa.simulate(arm)
    w, inertia = 2.0 * np.pi, 0.6
    expected = 0.6 / inertia / w * (run.time - np.sin(w * run.time) / w)
    assert np.allclose(run.values("joint_position")[:, 0], expected, atol=1e-9)


def test_a_run_out_of_steps_returns_what_it_reached() -> None:
    with pytest.warns(fa.StoppedEarly):
        run = fa.simulate(rod_handler(), max_steps=50)
    assert not run.complete
    assert run.time[-1] <= run.info["reached"] < 2.0
    assert run.failure is not None and "max_steps" in run.failure and "stopped at t =" in run.failure
    assert np.all(np.isfinite(run.values("point_position")))


def test_a_fixed_step_that_cannot_converge_is_reported() -> None:
    arm = cantilever(
        elements=4, gravity=(0.0, -9.81, 0.0), link={"joint": {"type": "revolute", "free": True, "start_rate": 60.0}}
    )
    with pytest.warns(fa.StoppedEarly):
        run = fa.simulate(arm, stepper="newmark", step=0.5, end=20.0)
    assert not run.complete
    assert run.failure is not None and "try" in run.failure


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"start": "soft"}, "start"),
        ({"tolerance": -1.0}, "tolerance"),
        ({"stepper": "euler"}, "stepper"),
        ({"start": {"nose": 1.0}}, "no coordinate"),
        ({"start": {"rod": 1.0}}, "driven"),
    ],
)
def test_bad_options_are_refused_in_a_sentence(options: dict, words: str) -> None:
    with pytest.raises((AnalysisError, ModelError), match=words):
        fa.simulate(rod_handler(), **options)


def test_no_end_is_refused() -> None:
    with pytest.raises(AnalysisError, match=r"simulation\.end is missing"):
        fa.simulate(cantilever())


def test_saved_run_opens_the_same(tmp_path) -> None:  # type: ignore[no-untyped-def]
    run = fa.simulate(rod_handler(), output=0.1)
    assert fa.open_run(run.save(tmp_path / "run.nc")).identical(run)
    assert fa.open_run(tmp_path / "run.nc").arm == rod_handler().changed(
        simulation=rod_handler().simulation.changed(output=0.1)
    )


def test_a_smooth_command_leaves_a_residual_when_it_has_come_to_rest() -> None:
    # a cycloid has no switch of the acceleration where it ends
    link = {"name": "beam", "length": 1.0, "joint": {"type": "revolute", "motion": "go"}}
    link["beam"] = {"bending_stiffness": 30.0, "mass_per_length": 0.5}
    go = {"kind": "cycloidal", "travel": 0.5, "duration": 0.3}
    arm = fa.Arm(planar=True, gravity=(0, 0, 0), links=[link], motions={"go": go}, simulation={"end": 0.6})
    run = fa.simulate(arm)
    assert run.info["last_switch"] == pytest.approx(0.3)
    assert run.residual("tip", "y") > 0.0


def test_a_run_that_stops_early_warns_where_it_was_asked_for() -> None:
    """When, why and what to try, as a warning of our own that can be made an exception; nobody else is warned."""
    with pytest.warns(fa.StoppedEarly, match=r"stopped at t = .* s: the allowed number of steps .*; try ") as caught:
        run = fa.simulate(rod_handler(), max_steps=3)
    assert [warning.filename for warning in caught] == [__file__]
    assert not run.complete
    assert str(caught[0].message) == run.failure
    assert run.summary().splitlines()[1].split()[0] == "INCOMPLETE"
    assert '<tr style="color:#b00020;font-weight:600"><td>INCOMPLETE</td>' in run._repr_html_()
    with warnings.catch_warnings():
        warnings.simplefilter("error", fa.StoppedEarly)
        with pytest.raises(fa.StoppedEarly):
            fa.simulate(rod_handler(), max_steps=3)
        assert fa.simulate(rod_handler(), output=0.1).complete
