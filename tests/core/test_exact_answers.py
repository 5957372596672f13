"""Arms with rigid links whose motion or torque is known in closed form."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import ellipj, ellipk

import flexarm as fa
from tests.oracles.oscillator import Oscillator

G = 9.81
DOWN = (0.0, -G, 0.0)


def pendulum(amplitude: float, *, planar: bool = True) -> fa.Arm:
    """A rod of 2 kg and 0.7 m hung at its end and drawn aside from the vertical by `amplitude` (rad)."""
    inertia = 0.05 if planar else (0.001, 0.05, 0.05)
    return fa.Arm(
        planar=planar,
        gravity=DOWN,
        links=[
            fa.Link(
                name="rod",
                joint=fa.Joint(type="revolute", free=True, at=amplitude - np.pi / 2),
                length=0.7,
                rigid=fa.Rigid(mass=2.0, inertia=inertia),
            )
        ],
    )


OMEGA = np.sqrt(2.0 * G * 0.35 / (0.05 + 2.0 * 0.35**2))  # small swings


@pytest.mark.parametrize("planar", [True, False])
@pytest.mark.parametrize("amplitude", [1e-3, 1.0, 3.0])
def test_a_pendulum_swings_by_the_elliptic_functions(amplitude, planar):
    k = np.sin(amplitude / 2)
    period = 4 * ellipk(k * k) / OMEGA
    run = fa.simulate(pendulum(amplitude, planar=planar), end=2 * period, tolerance=1e-9)
    _, cn, dn, _ = ellipj(OMEGA * run.time, k * k)
    expected = 2 * np.arcsin(k * cn / dn) - np.pi / 2
    # the error of a free swing grows with time: the tolerance of 1e-9 m is met within a factor of fifty at 0.7 m
    np.testing.assert_allclose(run.values("joint_position")[:, 0], expected, atol=5e-8)


def test_the_period_of_small_swings_is_that_of_the_linear_pendulum():
    found = fa.modes(pendulum(0.0), joints="free").frequencies_hz
    np.testing.assert_allclose(found, [OMEGA / (2 * np.pi)], rtol=1e-9)


@pytest.mark.parametrize("zeta", [0.0, 0.1, 2.0])
def test_a_mass_on_a_braked_base_moves_by_the_closed_forms_of_the_oscillator(zeta):
    mass, omega, rate, travel, braking = 0.6, 9.0, 1.7, 0.8, 0.43
    body = {"mass": mass, "inertia": 0.0}
    arm = fa.Arm(
        planar=True,
        gravity=(0, 0, 0),
        motions={"stop": {"kind": "brake", "travel_time": travel, "braking_time": braking}},
        links=[
            fa.Link(name="cart", joint={"type": "prismatic", "axis": "x", "motion": "stop", "rate": rate}, rigid=body),
            fa.Link(
                name="mass",
                joint={
                    "type": "prismatic",
                    "axis": "x",
                    "free": True,
                    "stiffness": mass * omega**2,
                    "damping": 2 * zeta * omega * mass,
                },
                rigid=body,
            ),
        ],
    )
    run = fa.simulate(arm, end=2.0, tolerance=1e-9)
    t, begin, end = run.time, travel - braking / 2, travel + braking / 2
    o, slowing = Oscillator(omega, zeta), -rate / braking
    braked, after = (t >= begin) & (t < end), t >= end
    x, v = np.zeros((2, t.size))
    x[braked], v[braked] = o.constant(t[braked] - begin, slowing)
    x[after], v[after] = o.after_pulse(t[after] - end, slowing, braking)
    # the tolerance is for the whole run; a linear equation of one coordinate stays below it
    np.testing.assert_allclose(run.values("joint_position")[:, 1], x, atol=3e-9)
    np.testing.assert_allclose(run.values("joint_velocity")[:, 1], v, atol=1e-7)
    # the base must push both masses: F = m ẍ_base + spring and damper's reaction
    pull = mass * (omega**2 * x + 2 * zeta * omega * v)
    inside = np.min(np.abs(t[:, None] - [begin, end]), axis=1) > 1e-9
    push = mass * slowing * braked - pull
    np.testing.assert_allclose(run.values("joint_torque")[inside, 0], push[inside], atol=1e-5)


CYCLOID = {"kind": "cycloidal", "travel": 1.3, "duration": 0.9}


def cycloid(t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Angle, rate and acceleration of the law."""
    w = 2 * np.pi / 0.9
    return 1.3 / 0.9 * (t - np.sin(w * t) / w), 1.3 / 0.9 * (1 - np.cos(w * t)), 1.3 / 0.9 * w * np.sin(w * t)


@pytest.mark.parametrize("planar", [True, False])
def test_torques_of_a_prescribed_two_link_arm_are_those_of_the_textbook(planar):
    m1, m2, l1, c1, c2, j1, j2, rotor = 1.3, 0.7, 0.9, 0.4, 0.25, 0.11, 0.05, 0.02
    flat = (lambda j: j) if planar else (lambda j: (0.1 * j, j, j))
    arm = fa.Arm(
        planar=planar,
        gravity=DOWN,
        motions={"move": CYCLOID},
        links=[
            fa.Link(
                name="upper",
                joint={"type": "revolute", "motion": "move", "at": 0.2, "rotor_inertia": rotor},
                length=l1,
                rigid={"mass": m1, "centre": (c1, 0, 0), "inertia": flat(j1)},
            ),
            fa.Link(
                name="fore",
                joint={"type": "revolute", "motion": "move", "at": -0.5, "scale": -0.6, "damping": 0.3},
                length=0.5,
                rigid={"mass": m2, "centre": (c2, 0, 0), "inertia": flat(j2)},
            ),
        ],
    )
    run = fa.simulate(arm, end=0.9, output=0.01)
    s, ds, dds = cycloid(run.time)
    q1, q2, v1, v2, a1, a2 = 0.2 + s, -0.5 - 0.6 * s, ds, -0.6 * ds, dds, -0.6 * dds
    couple, m22 = m2 * l1 * c2, j2 + m2 * c2**2
    m12 = m22 + couple * np.cos(q2)
    m11 = j1 + m1 * c1**2 + m2 * l1**2 + m22 + 2 * couple * np.cos(q2) + rotor
    outer = m2 * c2 * G * np.cos(q1 + q2)
    h1 = -couple * np.sin(q2) * (2 * v1 * v2 + v2**2) + (m1 * c1 + m2 * l1) * G * np.cos(q1) + outer
    h2 = couple * np.sin(q2) * v1**2 + outer + 0.3 * v2
    expected = np.transpose([m11 * a1 + m12 * a2 + h1, m12 * a1 + m22 * a2 + h2])
    np.testing.assert_allclose(run.values("joint_torque"), expected, atol=1e-12 * np.abs(expected).max())
    np.testing.assert_allclose(run.values("rigid_torque"), expected, atol=1e-12 * np.abs(expected).max())


def test_the_steady_start_is_where_spring_and_centrifugal_force_balance():
    spin, radius, mass, centre, stiffness, rest = 6.0, 0.4, 0.5, 0.3, 4.0, 0.8
    arm = fa.Arm(
        planar=True,
        gravity=(0, 0, 0),
        motions={"spin": {"kind": "constant-rate", "rate": spin}},
        links=[
            fa.Link(
                name="rotor",
                joint={"type": "revolute", "motion": "spin"},
                length=radius,
                rigid={"mass": 1, "inertia": 1},
            ),
            fa.Link(
                name="flap",
                joint={"type": "revolute", "free": True, "stiffness": stiffness, "at": 0.1, "rest": rest},
                length=0.6,
                rigid={"mass": mass, "centre": (centre, 0, 0), "inertia": 0.02},
            ),
        ],
    )
    run = fa.simulate(arm, end=0.5, start="steady", tolerance=1e-8)
    # k (q − q0) + m ω² r c sin q = 0
    angle = brentq(lambda q: stiffness * (q - rest) + mass * spin**2 * radius * centre * np.sin(q), 0.0, rest)
    np.testing.assert_allclose(run.values("joint_position")[0, 1], angle, atol=1e-11)
    # and there it stays
    np.testing.assert_allclose(run.values("joint_position")[:, 1], angle, atol=1e-8)


@pytest.mark.parametrize("stepper", ["esdirk4", "newmark", "alpha"])
def test_a_free_slide_falls_by_half_g_t_squared(stepper):
    arm = fa.Arm(
        gravity=(0, 0, -G),
        links=[
            fa.Link(
                name="mass",
                joint={"type": "prismatic", "axis": "z", "free": True, "at": 2.0, "start_rate": 1.5},
                rigid={"mass": 3.0, "inertia": (0, 0, 0)},
            )
        ],
    )
    run = fa.simulate(arm, end=1.0, stepper=stepper)
    t = run.time
    np.testing.assert_allclose(run.values("point_position")[:, 0, 2], 2.0 + 1.5 * t - 0.5 * G * t**2, atol=1e-12)
    np.testing.assert_allclose(run.values("point_velocity")[:, 0, 2], 1.5 - G * t, atol=1e-12)
    np.testing.assert_allclose(run.values("point_acceleration")[:, 0, 2], -G, atol=1e-9)
    np.testing.assert_allclose(run.values("energy_balance_error"), 0.0, atol=1e-11)


def test_the_static_start_stays_where_it_is():
    arm = pendulum(0.0).changed(simulation={"end": 1.0, "start": "static"})
    sprung = arm.links[0].changed(joint={"type": "revolute", "free": True, "stiffness": 10.0, "at": 0.4})
    run = fa.simulate(arm.changed(links=(sprung,)))
    angle = brentq(lambda q: 10.0 * (q - 0.4) + 2.0 * G * 0.35 * np.cos(q), -1.5, 0.4)
    np.testing.assert_allclose(run.values("joint_position")[:, 0], angle, atol=1e-10)
