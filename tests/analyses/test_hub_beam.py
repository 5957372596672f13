"""A beam on a hub through `modes` and `hencky`: what each order and each kinematics keeps, and where they agree."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

import flexarm as fa
from flexarm.analyses.equilibrium import Forces
from flexarm.assembly import compile_arm
from flexarm.assembly.spans import span_of
from flexarm.links import block_of
from flexarm.links.base import LinkBlock
from tests.links.hub_arms import PULSED, hub_arm
from tests.oracles.hub_cases import MEAN_ARM, PULSE, PULSE_TIME, SPUN, TORQUED, HubBeam
from tests.oracles.stiffened_modes import ModalArm
from tests.oracles.turning_beam import TurningBeam

pytestmark = pytest.mark.usefixtures("no_error_estimates")

SECOND: dict[str, Any] = {"formulation": "modes", "modes": 3}
PRINTED: dict[str, Any] = {**SECOND, "order": "printed"}
FALLING: dict[str, Any] = {
    "joint": {"torque": "fall"},
    "torques": {"fall": {"kind": "polynomial", "coefficients": [1, -1]}},
}


def momenta(run: fa.Trajectory, arm: fa.Arm) -> np.ndarray:
    """Moment of momentum about the hub's axis at every sample: the joint's row of the mass matrix times the rates."""
    forces = Forces(compile_arm(arm))
    q = np.hstack([run.values("joint_position"), run.values("elastic_position")])
    v = np.hstack([run.values("joint_velocity"), run.values("elastic_velocity")])
    return np.array([forces.mass(np.ascontiguousarray(one))[0] @ rate for one, rate in zip(q, v, strict=True)])


def impulse(t: np.ndarray) -> np.ndarray:
    """∫τ of the sine torque (N m s)."""
    w = 2 * np.pi / PULSE_TIME
    return PULSE / w * (1 - np.cos(w * np.minimum(t, PULSE_TIME)))


# --- He and Wang's equation ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", [PRINTED, SECOND], ids=["printed", "second"])
def test_both_orders_are_their_equations_to_the_integrator_s_error(model):
    run = fa.simulate(hub_arm(MEAN_ARM, model, **FALLING), end=2.0, tolerance=1e-8, output=0.02)
    modal = ModalArm(MEAN_ARM, 3)
    x, _ = modal.history(2.0, second_order=model is SECOND, rtol=1e-11, atol=1e-13)([1.0, 2.0])
    for sample, known in ((50, x[0]), (100, x[1])):
        assert run.values("joint_position")[sample, 0] == pytest.approx(known[0], abs=1e-6)
        np.testing.assert_allclose(run.values("point_position")[sample, 0, :2], modal.place(known), atol=1e-6)


def test_the_printed_momentum_is_the_torque_s_integral():
    # hub radius and a payload with inertia, and their integrals from the shapes themselves
    inertia = 0.002
    arm = hub_arm(TORQUED, PRINTED, **PULSED, tip_inertia=inertia)
    run = fa.simulate(arm, end=4.0, tolerance=1e-8, output=0.05)
    beam, nodes = TORQUED, np.polynomial.legendre.leggauss(40)
    x, weights = 0.5 * beam.L * (nodes[0] + 1), 0.5 * beam.L * nodes[1]
    block = _block(arm)
    shapes = [block.place(float(s)).attachment for s in x]
    tip = block.place(beam.L).attachment
    lever = beam.rhoA * (weights * (beam.radius + x)) @ np.array([frame.phi[1] for frame in shapes])
    lever += beam.tip_mass * (beam.radius + beam.L) * tip.phi[1] + inertia * tip.psi[2]
    whole = beam.rigid_inertia + inertia
    found = whole * run.values("joint_velocity")[:, 0] + run.values("elastic_velocity") @ lever
    np.testing.assert_allclose(found, impulse(run.time), atol=3e-7)


def _block(arm: fa.Arm) -> LinkBlock:
    return block_of(span_of(arm, arm.links[0]))


def test_only_the_second_order_keeps_energy_and_the_printed_one_is_reported():
    runs = {
        order: fa.simulate(hub_arm(MEAN_ARM, {**SECOND, "order": order}, **FALLING), end=2.0, tolerance=1e-8)
        for order in ("second", "printed")
    }
    lost = {order: np.max(np.abs(run.values("energy_balance_error"))) for order, run in runs.items()}
    # of the five joules at the most
    assert lost["second"] < 1e-7 and lost["printed"] > 1e-3
    assert "is not kept: order" in runs["printed"].summary()
    assert "is not kept" not in runs["second"].summary()


def test_the_hub_s_radius_and_the_payload_stiffen_the_printed_order_as_they_do_the_second():
    beam = HubBeam(L=1.8, EI=TORQUED.EI, rhoA=TORQUED.rhoA, radius=0.4, tip_mass=0.3)
    up = {"up": {"kind": "hold"}}
    found = []
    for order in ("printed", "second"):
        model = {**SECOND, "modes": 8, "shapes": "payload", "order": order}
        arm = hub_arm(beam, model, {"motion": "up"}, motions=up, tip_inertia=0.01)
        found.append(2 * np.pi * fa.modes(arm, spin=9.0, count=3).frequencies_hz)
    # the payload among the stations, and as a body of its own
    np.testing.assert_allclose(found[0], found[1], rtol=1e-8)
    # without inertia of the payload, by polynomials; modes at rest follow the shapes of a beam that is pulled slowly
    arm = hub_arm(beam, {**SECOND, "modes": 8, "shapes": "payload"}, {"motion": "up"}, motions=up)
    exact = np.sqrt(TurningBeam(beam, 12).squares(9.0)[0][:2])
    np.testing.assert_allclose(2 * np.pi * fa.modes(arm, spin=9.0, count=2).frequencies_hz, exact, rtol=3e-4)


# --- Stiffening ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ["second", "printed"])
def test_above_the_first_frequency_the_response_is_bounded_only_with_foreshortening(order):
    # the spun beam's first frequency is 2.64 rad/s
    def tip(stiffening: bool, end: float) -> np.ndarray:
        model = {**SECOND, "order": order, "stiffening": stiffening}
        up = {"kind": "spin-up", "rate": 4.0, "duration": 15.0}
        run = fa.simulate(hub_arm(SPUN, model, {"motion": "up"}, motions={"up": up}), end=end, tolerance=1e-5)
        assert run.complete
        return np.abs(run.values("elastic_position") @ _frame_tip(model))

    held = tip(True, 30.0)
    # 0.6353 m is the peak of the beam with finite rotations
    assert held.max() == pytest.approx(0.6353, rel=0.01) and held[-300:].max() < 0.02
    # three times as much with every third of a second once the rate is beyond the frequency
    assert tip(False, 12.0).max() > 100 * held.max()


def _frame_tip(model: dict[str, Any]) -> np.ndarray:
    return np.asarray(_block(hub_arm(SPUN, model, {"locked": True})).place(SPUN.L).attachment.phi[1])


# --- What is kept ----------------------------------------------------------------------------------------------------

KEPT = {
    "second": {**SECOND, "shapes": "payload"},
    "finite": {"formulation": "hencky", "elements": 4},
    "printed chain": {"formulation": "hencky", "elements": 4, "kinematics": "printed"},
}


@pytest.mark.parametrize("model", KEPT.values(), ids=KEPT)
def test_momentum_is_the_torque_s_integral_and_energy_stays_when_it_ends(model):
    arm = hub_arm(TORQUED, model, **PULSED)
    run = fa.simulate(arm, end=4.0, tolerance=1e-8, output=0.05)
    # no error adds up in a law that holds at every instant: 0.6 N m s at the peak
    np.testing.assert_allclose(momenta(run, arm), impulse(run.time), atol=3e-7)
    energy = (run.values("energy_kinetic") + run.values("energy_elastic"))[run.time >= PULSE_TIME]
    assert energy[0] > 1e-3 and np.ptp(energy) < 1e-4 * energy[0]


def test_a_free_hub_keeps_both_from_a_bent_start():
    arm = hub_arm(TORQUED, KEPT["second"], {"free": True, "start_rate": 2.0})
    run = fa.simulate(arm, end=2.0, start={"beam.bending_z1": 0.1}, tolerance=1e-8, output=0.02)
    moment, energy = momenta(run, arm), run.values("energy_kinetic") + run.values("energy_elastic")
    assert np.ptp(moment) < 1e-6 * abs(moment[0])
    assert np.ptp(energy) < 1e-6 * energy[0]


# --- One beam --------------------------------------------------------------------------------------------------------


def test_finite_chain_and_floating_frame_agree_where_little_bends():
    small = {"pulse": {**PULSED["torques"]["pulse"], "amplitude": 0.05}}

    def motion(model: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
        arm = hub_arm(TORQUED, model, PULSED["joint"], torques=small)
        run = fa.simulate(arm, end=4.0, tolerance=1e-8, output=0.02)
        return run.values("joint_position")[:, 0], run.values("point_deflection")[:, 0, :2]

    chain = motion({"formulation": "hencky", "elements": 16})
    frame = motion({**KEPT["second"], "modes": 6})
    # deflection of two thousandths of the length: its square is what the second order leaves out
    largest = np.max(np.abs(chain[1]))
    assert 1e-3 < largest / TORQUED.L < 5e-3
    assert np.max(np.abs(chain[0] - frame[0])) < 1e-4 * np.max(np.abs(chain[0]))
    assert np.max(np.abs(chain[1] - frame[1])) < 1e-3 * largest


def test_what_the_joints_of_a_chain_bear_does_not_show(monkeypatch: pytest.MonkeyPatch):
    module = sys.modules["flexarm.links.hencky"]
    arm = hub_arm(TORQUED, {"formulation": "hencky", "elements": 4}, **PULSED)

    def tip(factor: float) -> np.ndarray:
        monkeypatch.setattr(module, "_SLIDING", 1e-4 * factor)
        monkeypatch.setattr(module, "_TURNING", 1e-7 * factor)
        return fa.simulate(arm, end=4.0, tolerance=1e-8, output=0.05).values("point_position")[:, 0, :2]

    expected = tip(1.0)
    for factor in (0.5, 2.0):
        # beside a swing of a decimetre: half a micrometre
        assert np.max(np.abs(tip(factor) - expected)) < 5e-7
