"""Where runs settle and when: servo arms, sagging arms, free joints, against closed forms."""

import numpy as np
import pytest
from scipy.optimize import brentq

import flexarm as fa

LENGTH, MASS, INERTIA = 1.2, 2.0, 0.5  # m, kg, kg m²
STIFF, DAMP = 60.0, 9.0  # N m/rad, N m s/rad


def drawn_in(gravity: str = "[0, 0, 0]", begin: str = "0.4", end: str = "6 s") -> fa.Arm:
    """A rigid link whose servo draws it in to where it is held."""
    return fa.parse_arm(f"""
        name = "drawn in"
        gravity = {gravity}
        planar = true
        [[link]]
        name = "link"
        joint = {{ type = "revolute", axis = "z", motion = "hold", servo = {{ kp = {STIFF}, kv = {DAMP} }} }}
        length = {LENGTH}
        rigid = {{ mass = {MASS}, inertia = {INERTIA}, centre = [{LENGTH / 2}, 0, 0] }}
        [motion.hold]
        kind = "hold"
        [simulation]
        end = "{end}"
        start = {{ link = {begin} }}
        tolerance = "1 nm"
    """)


def test_a_servo_that_creeps_in_settles_when_its_joint_does():
    """The distance is the chord 2 L sin(θ/2) of θ, which obeys J θ̈ + kv θ̇ + kp θ = 0."""
    run = fa.simulate(drawn_in())
    inertia = INERTIA + MASS * (LENGTH / 2) ** 2
    roots = np.roots([inertia, DAMP, STIFF])
    first, second = roots

    def chord(t: float) -> float:
        theta = 0.4 * (second * np.exp(first * t) - first * np.exp(second * t)) / (second - first)
        return 2.0 * LENGTH * abs(np.sin(theta.real / 2.0))

    for within in (1e-2, 1e-3, 1e-4):
        grid = np.linspace(0.0, 6.0, 6001)
        last = np.flatnonzero([chord(t) > within for t in grid])[-1]
        exact = brentq(lambda t, w=within: chord(t) - w, grid[last], grid[last + 1])
        assert run.settling_time("tip", within=within) == pytest.approx(exact, abs=2e-4)
    assert run.settling_time("tip", within="1 mm") == run.settling_time(within=1e-3)
    assert run.settling_time(within="1 mm", of="elastic") == 0.0  # nothing bends
    assert run.info["command_end"] == 0.0
    assert run.residual() == pytest.approx(2.0 * LENGTH * np.sin(0.2), rel=1e-9)


def test_a_servo_that_hangs_in_its_spring_never_settles_at_its_target_but_at_its_equilibrium():
    """At rest kp θ = −m g (L/2) cos θ: the drive errs, nothing sags."""
    run = fa.simulate(drawn_in("[0, -9.81, 0]", begin="0.0"))
    theta = brentq(lambda x: STIFF * x + MASS * 9.81 * LENGTH / 2 * np.cos(x), -1.0, 0.0)
    exact = 2.0 * LENGTH * abs(np.sin(theta / 2.0))
    facts = run.settling()
    assert facts["drive_error_m"] == pytest.approx(exact, rel=1e-9)
    assert facts["equilibrium_m"] == pytest.approx(exact, rel=1e-9)
    assert facts["sag_m"] == 0.0
    assert run.settling_time(within="10 mm") is None
    assert run.settling_time(within="10 mm", about="equilibrium") > 0.5
    assert f"{1e3 * exact:.0f} mm from its target (drive error" in run.summary()


def sagging(motion: str = 'motion = "turn"', extra: str = "") -> fa.Arm:
    """A cantilever that is turned a little about the vertical and carries a mass at its tip."""
    return fa.parse_arm(f"""
        name = "sagging"
        gravity = [0, 0, -9.81]
        [[link]]
        name = "link"
        joint = {{ type = "revolute", axis = "z", {motion} }}
        length = "1 m"
        beam = {{ bending_stiffness = 400, mass_per_length = 1e-9 }}
        model = {{ formulation = "hermite", elements = 2 }}
        damping = {{ retardation = "4 ms" }}
        payload = {{ mass = 0.5 }}
        [motion.turn]
        kind = "cycloidal"
        travel = 0.5
        duration = 0.6
        [torque.push]
        kind = "constant"
        value = 0.1
        [simulation]
        end = "2 s"
        start = "static"
        {extra}
    """)


def test_the_target_of_a_sagging_arm_is_unbent_and_its_sag_is_reported():
    """Sag m g L³ / (3 E I), of a light cantilever; the target turns with the joint."""
    run = fa.simulate(sagging())
    target = run.point("tip").target.values
    assert target == pytest.approx([np.cos(0.5), np.sin(0.5), 0.0], abs=1e-12)
    facts = run.settling()
    # large-deflection terms are (sag/L)² of it
    assert facts["sag_m"] == pytest.approx(0.5 * 9.81 / (3.0 * 400.0), rel=1e-4)
    assert facts["drive_error_m"] == pytest.approx(0.0, abs=1e-12)
    assert facts["command_end_s"] == pytest.approx(0.6)
    assert run.settling_time(within="4 mm") is None
    assert run.settling_time(within="1 mm", about="equilibrium") is not None
    assert run.settling_time(within="5 mm") >= run.settling_time(within="1 mm", about="equilibrium") - 2.0
    later = run.settling_time(within="1 mm", of="elastic", about="equilibrium")
    assert later == pytest.approx(run.settling_time(within="1 mm", about="equilibrium"), abs=0.2)


def test_settling_is_reported_to_a_tolerance_of_ones_own():
    run = fa.simulate(sagging(), settling_tolerance=5e-3)
    rows = {row["within_m"]: row for row in run.settling()["within"]}
    assert sorted(rows) == [1e-4, 1e-3, 5e-3]
    assert rows[5e-3]["settling_time_s"] == run.settling_time(within=5e-3)
    assert rows[5e-3]["after_command_s"] == pytest.approx(rows[5e-3]["settling_time_s"] - 0.6)


@pytest.mark.parametrize(
    ("motion", "end", "reason"),
    [
        ("free = true", "2 s", 'the joint "link" is free'),
        ('torque = "push"', "2 s", 'the joint "link" is driven by a torque'),
        ('motion = "turn"', "0.5 s", 'the command of the joint "link" does not end within the run of 0.5 s'),
    ],
)
def test_points_without_a_target_say_why(motion, end, reason):
    run = fa.simulate(sagging(motion), end=float(end.removesuffix(" s")), start="rest")
    assert run.settling()["target"] is None
    with pytest.raises(fa.FlexarmError, match=reason):
        run.settling_time()
    assert reason in run.summary()


def test_words_and_distances_that_mean_nothing_are_refused():
    run = fa.simulate(drawn_in(), end=0.5)
    for wrong in ({"of": "rigid"}, {"about": "end"}, {"within": "-1 mm"}, {"within": "1 kg"}, {"point": "toe"}):
        with pytest.raises(fa.FlexarmError, match=r"must be|has no point"):
            run.settling_time(**wrong)
