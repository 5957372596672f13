"""`modes`, `statics`, `linearise`, `torques`: closed forms and identities."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import flexarm as fa
from flexarm.errors import AnalysisError
from tests.analyses.arms import cantilever, one_link, rod_handler, spatial_rod
from tests.analyses.flexible_arms import STILL, swinging
from tests.oracles import beams


def _strip() -> dict[str, float]:
    beam = cantilever().links[0].beam
    assert beam is not None
    properties = beam.properties()
    return {"EI": properties.EIz, "rhoA": properties.mass_per_length}


def test_sag_under_own_weight_is_that_of_the_beam() -> None:
    strip = _strip()
    weight = 9.81 * strip["rhoA"]
    arm = cantilever(elements=100, gravity=(0.0, -9.81, 0.0))
    rest = fa.statics(arm)
    # small deflection: w L⁴ / 8EI, in which the chain errs by 1/n² and the beam's own bow by (sag/L)²
    assert rest.tip_sag["tip"][1] == pytest.approx(-weight / (8.0 * strip["EI"]), rel=5e-3)
    assert rest.residual < 1e-9
    force, moment = rest.reactions["strip"]
    assert force[1] == pytest.approx(weight, rel=1e-12)
    assert moment[2] == pytest.approx(weight / 2.0, rel=5e-3)


def test_holding_torque_of_a_rigid_link() -> None:
    rest = fa.statics(one_link(joint={"at": 0.3}, gravity=(0.0, -9.81, 0.0)))
    assert rest.joint_torque[0] == pytest.approx(2.0 * 9.81 * 0.5 * np.cos(0.3), rel=1e-12)


def test_a_free_joint_finds_the_hanging_rest() -> None:
    rest = fa.statics(one_link(joint={"free": True, "at": 0.4}, gravity=(0.0, -9.81, 0.0)))
    assert rest.posture["link"] == pytest.approx(-np.pi / 2.0, abs=1e-9)


def test_pendulum_frequency() -> None:
    arm = one_link(joint={"free": True, "at": -np.pi / 2.0}, gravity=(0.0, -9.81, 0.0))
    found = fa.modes(arm, joints="free")
    assert 2.0 * np.pi * found.frequencies_hz[0] == pytest.approx(np.sqrt(2.0 * 9.81 * 0.5 / 0.6), rel=1e-10)
    assert found.names[0].startswith("swing")


def test_joint_spring_frequency_and_damping_ratio() -> None:
    found = fa.modes(one_link(joint={"stiffness": 50.0, "damping": 0.7, "free": True}), joints="free")
    omega = np.sqrt(50.0 / 0.6)
    assert 2.0 * np.pi * found.frequencies_hz[0] == pytest.approx(omega, rel=1e-12)
    assert found.damping_ratios[0] == pytest.approx(0.7 / (2.0 * 0.6 * omega), rel=1e-12)


def test_modes_are_named_after_what_bends() -> None:
    names = fa.modes(spatial_rod(), count=4).names
    assert names == ("rod bending y 1", "rod bending z 1", "rod bending y 2", "rod bending z 2")


def test_free_modes_hold_the_rigid_body_motions() -> None:
    found = fa.modes(rod_handler(), joints="free", count=5)
    assert np.all(found.frequencies_hz[:3] == 0.0)
    assert np.all(found.frequencies_hz[3:] > 10.0)


def test_gravity_softens_the_standing_and_stiffens_the_hanging_strip() -> None:
    up = cantilever(link={"joint": {"type": "fixed", "rotation": (0.0, 0.0, np.pi / 2)}})
    frequency = {}
    for pull in (-9.81, 0.0, 9.81):
        frequency[pull] = fa.modes(up.changed(gravity=(0.0, pull, 0.0)), count=1).frequencies_hz[0]
    assert frequency[-9.81] < frequency[0.0] < frequency[9.81]


def test_payload_lowers_the_frequency_as_the_beam_with_tip_mass() -> None:
    strip = _strip()
    errors = []
    for n in (10, 20, 40):
        arm = cantilever(elements=n, link={"payload": {"mass": 0.5}})
        exact = beams.euler(1, L=1.0, tip_mass=0.5, **strip)[0]
        errors.append(2.0 * np.pi * fa.modes(arm, count=1).frequencies_hz[0] / exact - 1.0)
    # rotary inertia of the 4 mm strip is below 1e-5
    assert abs(errors[-1]) < 5e-4
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.1)


def test_poles_of_the_linear_model_are_the_free_modes() -> None:
    arm = rod_handler().changed(gravity=(0.0, -9.81, 0.0))
    model = fa.linearise(arm, joints="free")
    free = fa.modes(arm, joints="free", count=26)
    assert len(model.state_names) == 26
    # SciPy's eigenvalues of A, an independent way: rounding of the fastest pole beside the slowest leaves nine digits
    exact = np.linalg.eigvals(model.A)
    found = np.append(free.poles, free.real_poles)
    for pole in found:
        assert np.min(np.abs(exact - pole)) < 1e-8 * abs(pole)
    for pole in exact[exact.imag >= 0.0]:
        assert np.min(np.abs(found - pole)) < 1e-8 * abs(pole)


def test_linear_model_predicts_a_small_motion() -> None:
    torque = {"kind": "sine", "amplitude": 1e-4, "period": 0.05, "begin": 0.0}
    arm = cantilever(
        elements=6,
        link={"joint": {"type": "revolute", "torque": "push"}, "hub": {"inertia": 0.01}},
        torques={"push": torque},
    )
    run = fa.simulate(arm, end=0.2, tolerance=1e-12, output=0.002)
    model = fa.linearise(arm)
    path = solve_ivp(
        lambda t, x: model.A @ x + model.B[:, 0] * 1e-4 * np.sin(2.0 * np.pi * t / 0.05),
        (0.0, 0.2),
        np.zeros(len(model.state_names)),
        method="DOP853",
        rtol=1e-10,
        atol=1e-16,
        t_eval=run.time,
    )
    linear = model.C[1] @ path.y
    nonlinear = run.values("point_position")[:, 0, 1]
    assert np.max(np.abs(linear - nonlinear)) < 1e-4 * np.max(np.abs(nonlinear))


def test_torques_show_flexible_compared_with_rigid() -> None:
    found = fa.torques(rod_handler())
    assert found.joints == ("upper arm", "forearm", "rod")
    assert np.max(np.abs(found.flexible)) > np.max(np.abs(found.rigid))
    # while the joints turn steadily both arms need the same but for the small bend
    early = found.time < 0.9
    assert np.max(np.abs(found.flexible - found.rigid)[early]) < 0.01 * np.max(np.abs(found.rigid))


def test_rigid_arm_has_no_locked_modes() -> None:
    with pytest.raises(AnalysisError, match="no flexible link"):
        fa.modes(one_link(joint={"free": True}), joints="locked")


def test_unknown_joint_in_a_posture_is_refused() -> None:
    with pytest.raises(AnalysisError, match='no joint "elbow"'):
        fa.modes(rod_handler(), posture={"elbow": 1.0})


def test_posture_of_joints_moves_the_arm_but_not_the_rod() -> None:
    straight = fa.modes(rod_handler(), posture={"rod": 0.0}, count=2)
    assert straight.posture["rod"] == 0.0
    assert straight.frequencies_hz[0] == pytest.approx(fa.modes(rod_handler(), count=1).frequencies_hz[0], rel=1e-12)


def test_beam_that_only_rounding_pushes_is_in_equilibrium_where_it_is() -> None:
    """A straight beam in space at a constant rate: its forces are along it, across it there is rounding alone."""
    arm = swinging(
        {"formulation": "hermite"},
        {"motion": "go", "rate": 1.0, "at": 0.8},
        stiffness=200.0,
        planar=False,
        gravity=STILL,
        motions={"go": {"kind": "constant-rate"}},
        simulation={"end": 0.01, "start": "steady"},
    )
    run = fa.simulate(arm)
    assert np.max(np.abs(run.values("elastic_position")[0])) < 1e-14  # m and rad, of a beam of 1 m
