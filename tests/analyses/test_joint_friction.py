"""Dry friction of joints: when they stop, stick and break away, by closed forms and SciPy's events; its energy; who
leaves it out.
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import flexarm as fa
from flexarm.errors import AnalysisError

pytestmark = pytest.mark.usefixtures("no_error_estimates")

SLIDE = """
planar = true
gravity = [0, 0, 0]
[[link]]
name = "sled"
length = "0.1 m"
rigid = { mass = "2 kg", inertia = "0.01 kg m^2" }
joint = { type = "prismatic", axis = "x", JOINT }
[simulation]
end = "3 s"
tolerance = "1e-8 m"
"""
PENDULUM = """
planar = true
gravity = [0, -9.81, 0]
[[link]]
name = "bob"
length = "0.5 m"
rigid = { mass = "2 kg", inertia = "0.05 kg m^2", centre = ["0.5 m", 0, 0] }
joint = { type = "revolute", zero = "-90 deg", at = "1 rad", free = true, JOINT }
[simulation]
end = "6 s"
tolerance = "1e-8 m"
"""
BEAM = """
planar = PLANAR
gravity = [0, 0, 0]
[[link]]
name = "beam"
length = "1 m"
beam = { bending_stiffness = "200 N m^2", mass_per_length = "2 kg/m", torsional_stiffness = "100 N m^2" }
payload = { mass = "1 kg" }
joint = { type = "revolute", JOINT }
[torque.push]
kind = "bang-bang"
amplitude = "20 N m"
duration = "0.4 s"
[simulation]
end = "1 s"
tolerance = "1e-7 m"
"""
INERTIA, WEIGHT = 0.55, 9.81


def arm_of(text: str, joint: str, more: str = "") -> fa.Arm:
    return fa.parse_arm(text.replace("JOINT", joint) + more, "arm")


def balance(run: fa.Trajectory) -> float:
    return float(np.abs(run.variables["energy_balance_error"].values).max() / run.info["energy_exchanged"])


def stopped(run: fa.Trajectory) -> float:
    """When the first joint moves for the last time (s), to the interval of the samples."""
    return float(run.time[np.flatnonzero(run.variables["joint_velocity"].values[:, 0])[-1]])


def test_a_sprung_sled_loses_twice_the_friction_over_the_spring_in_every_half_swing_and_stops_in_finite_time():
    """From 1 m by 6 N on 50 N/m: 1 → −0.76 → 0.52 → −0.28 → 0.04 m, in four halves of 2π √(2/50) s."""
    arm = arm_of(SLIDE, 'free = true, at = "1 m", rest = "0 m", stiffness = "50 N/m", friction = { coulomb = "6 N" }')
    run = fa.simulate(arm)
    assert run.variables["joint_position"].values[-1, 0] == pytest.approx(0.04, abs=1e-8)
    assert stopped(run) == pytest.approx(4 * np.pi / 5, abs=0.0031)
    lost = run.variables["energy_dissipated"].values[-1]
    assert lost == pytest.approx(6 * (1.76 + 1.28 + 0.8 + 0.32), rel=1e-8)
    assert balance(run) < 1e-7 and run.info["steps"] < 700
    second_order = fa.simulate(arm, stepper="alpha", tolerance="1e-6 m")
    assert second_order.variables["joint_position"].values[-1, 0] == pytest.approx(0.04, abs=1e-6)


def swings(coulomb: float, static: float, fall: float, viscous: float) -> tuple[float, float]:
    """When and where the pendulum stops, by SciPy, which is begun anew at every turn."""

    def friction(rate: float) -> float:
        return coulomb + (static - coulomb) * np.exp(-((rate / fall) ** 2))

    t, q = 0.0, 1.0
    while abs(WEIGHT * np.sin(q)) > static:
        way = -np.sign(np.sin(q))

        def slope(_t: float, y: np.ndarray, way: float = way) -> list[float]:
            return [y[1], (-WEIGHT * np.sin(y[0]) - way * friction(y[1]) - viscous * y[1]) / INERTIA]

        def turns(_t: float, y: np.ndarray, way: float = way) -> float:
            return way * y[1]

        turns.terminal, turns.direction = True, -1
        found = solve_ivp(slope, (0, 10), [q, 0.0], events=turns, rtol=1e-12, atol=1e-13)
        t, q = t + found.t[-1], found.y[0, -1]
    return t, q


@pytest.mark.parametrize(
    ("friction", "numbers"),
    [
        ('{ coulomb = "1 N m" }', (1.0, 1.0, 1.0, 0.0)),
        (
            '{ coulomb = "0.7 N m", static = "1.2 N m", stribeck_rate = "0.3 rad/s", viscous = "0.05 N m s/rad" }',
            (0.7, 1.2, 0.3, 0.05),
        ),
    ],
)
def test_a_pendulum_with_dry_friction_stops_when_and_where_scipys_events_have_it(friction, numbers):
    run = fa.simulate(arm_of(PENDULUM, f"friction = {friction}"))
    when, where = swings(*numbers)
    assert run.variables["joint_position"].values[-1, 0] == pytest.approx(where, abs=2e-8)
    assert stopped(run) == pytest.approx(when, abs=0.0061)
    lost = WEIGHT * (np.cos(where) - np.cos(1.0))
    assert run.variables["energy_dissipated"].values[-1] == pytest.approx(lost, rel=1e-7)
    assert balance(run) < 1e-7


def test_a_drive_drawn_slowly_sticks_and_slips_without_chatter_as_scipys_events_have_it():
    """A servo without rate feed-forward draws 2 kg by 100 N/m at 0.02 m/s; 3 N break it away, 1 N goes on."""
    law = '\n[motion.creep]\nkind = "polynomial"\ncoefficients = [0, "0.02 m/s"]\n'
    servo = 'motion = "creep", servo = { kp = "100 N/m", kv = "2 N s/m", feedforward = "none" }'
    arm = arm_of(SLIDE, servo + ', friction = { coulomb = "1 N", static = "3 N" }', law)
    run = fa.simulate(arm, end="8 s", output="0.01 s", start={"sled.rate": 0.0})
    t, q, times, places = 0.0, 0.0, [0.0], [0.0]

    def slope(t: float, y: np.ndarray) -> list[float]:
        return [y[1], (100 * (0.02 * t - y[0]) - 2 * y[1] - 1.0) / 2.0]

    def stops(_t: float, y: np.ndarray) -> float:
        return float(y[1])

    stops.terminal, stops.direction = True, -1
    while (t := (q + 3.0 / 100.0) / 0.02) < 8.0:
        found = solve_ivp(slope, (t, 20.0), [q, 0.0], events=stops, rtol=1e-11, atol=1e-13)
        times, places = [*times, t, found.t[-1]], [*places, q, found.y[0, -1]]
        q = found.y[0, -1]
    assert len(times) > 6
    still = [k for k in range(0, len(times) - 1, 2) if times[k + 1] < 8.0]
    for k in still:
        middle = 0.5 * (times[k] + times[k + 1])
        j = int(np.searchsorted(run.time, middle))
        assert run.variables["joint_position"].values[j, 0] == pytest.approx(places[k], abs=1e-7)
        assert run.variables["joint_velocity"].values[j, 0] == 0.0
    assert balance(run) < 1e-6 and run.info["steps"] < 400


def test_a_block_on_a_block_lets_go_when_the_closed_form_says():
    """A force of 20 N/s on the lower of 3 kg with 4 N to ground; the upper, 1 kg, is held by 2 N: it slides from
    (2·4/1 + 4)/20 = 0.6 s on, then with 2 N, the lower with what is left.
    """
    arm = fa.parse_arm(
        """
planar = true
gravity = [0, 0, 0]
[[link]]
name = "lower"
length = "0.1 m"
rigid = { mass = "3 kg", inertia = "0.01 kg m^2" }
joint = { type = "prismatic", axis = "x", torque = "pull", friction = { coulomb = "4 N" } }
[[link]]
name = "upper"
length = "0.1 m"
rigid = { mass = "1 kg", inertia = "0.01 kg m^2" }
joint = { type = "prismatic", axis = "x", free = true, friction = { coulomb = "2 N" } }
[torque.pull]
kind = "polynomial"
coefficients = [0, "20 N/s"]
[simulation]
end = "1 s"
tolerance = "1e-8 m"
output = "0.1 s"
""",
        "arm",
    )
    run = fa.simulate(arm)
    rates = run.variables["joint_velocity"].values
    # together from 0.2 s on: 4 v̇ = 20 t − 4; apart from 0.6 s on: 3 v̇ = 20 t − 6, and 1 v̇ = 2 over ground
    t = run.time
    together = np.where(t > 0.2, (10 * t**2 - 4 * t + 0.4) / 4, 0.0)
    v = 0.4 + (10 * (t**2 - 0.36) - 6 * (t - 0.6)) / 3
    np.testing.assert_allclose(rates[:, 0], np.where(t < 0.6, together, v), atol=1e-7)
    np.testing.assert_allclose(rates[:, 1], np.where(t < 0.6, 0.0, 0.4 + 2 * (t - 0.6) - v), atol=1e-7)
    assert balance(run) < 1e-7


def test_a_joint_that_sticks_carries_a_beam_as_one_that_is_locked():
    """To the tolerance of the runs, whose steps differ: one of them ends where the torque switches."""
    text = BEAM.replace("PLANAR", "true")
    start = {"beam.v4": 0.001}
    held = fa.simulate(arm_of(text, 'torque = "push", friction = { coulomb = "500 N m" }'), start=start)
    locked = fa.simulate(arm_of(text, "locked = true", ""), start=start)
    np.testing.assert_allclose(held.variables["joint_position"].values, 0.0, atol=0)
    np.testing.assert_allclose(
        held.variables["elastic_position"].values, locked.variables["elastic_position"].values, atol=1e-7
    )


def test_the_drive_of_a_beam_does_the_work_that_friction_takes():
    run = fa.simulate(arm_of(BEAM.replace("PLANAR", "true"), 'torque = "push", friction = { coulomb = "3 N m" }'))
    assert balance(run) < 1e-5
    assert run.variables["energy_dissipated"].values[-1] > 0.5


@pytest.mark.parametrize("load", ["0", "0.2"])
def test_a_prescribed_joint_needs_the_friction_of_its_way_on_top(load):
    law = """
[motion.swing]
kind = "cycloidal"
travel = "60 deg"
duration = "0.8 s"
"""
    friction = f'friction = {{ coulomb = "3 N m", static = "5 N m", stribeck_rate = "0.2 rad/s", load = {load} }}'
    text = BEAM.replace("PLANAR", "true")
    plain = fa.simulate(arm_of(text, 'motion = "swing"', law), output="0.01 s")
    rough = fa.simulate(arm_of(text, f'motion = "swing", {friction}', law), output="0.01 s")
    needed, given = (x.variables["joint_torque"].values[:, 0] for x in (plain, rough))
    v = rough.variables["joint_velocity"].values[:, 0]
    size = 3.0 + 2.0 * np.exp(-((v / 0.2) ** 2)) + float(load) * np.abs(given)
    np.testing.assert_allclose(given, needed + np.sign(v) * size, atol=1e-6)
    np.testing.assert_array_equal(
        rough.variables["elastic_position"].values, plain.variables["elastic_position"].values
    )
    more = rough.variables["work_drives"].values - plain.variables["work_drives"].values
    lost = rough.variables["energy_dissipated"].values - plain.variables["energy_dissipated"].values
    np.testing.assert_allclose(more, lost, atol=1e-12)
    power = np.abs(v) * size
    assert more[-1] == pytest.approx(float(np.sum(0.5 * (power[1:] + power[:-1])) * 0.01), rel=1e-3)


def test_friction_by_load_takes_its_part_of_a_constant_force():
    """10 N on 2 kg with 1 N and a fifth of the drive's force: (10 − 1 − 2) N."""
    law = '\n[torque.push]\nkind = "constant"\nvalue = "10 N"\n'
    run = fa.simulate(arm_of(SLIDE, 'torque = "push", friction = { coulomb = "1 N", load = 0.2 }', law), end="1 s")
    assert run.variables["joint_position"].values[-1, 0] == pytest.approx(0.5 * 3.5, rel=1e-9)
    assert run.variables["work_drives"].values[-1] == pytest.approx(17.5, rel=1e-9)
    stuck = fa.simulate(arm_of(SLIDE, 'torque = "push", friction = { coulomb = "9 N", load = 0.2 }', law), end="1 s")
    assert not stuck.variables["joint_position"].values.any()


def test_a_stuck_joint_holds_within_the_break_away_torque_and_no_further():
    """The pendulum at 0.05 rad is held by its friction of 1 N m; from 1 rad it comes to where sin q = 1/9.81."""
    arm = arm_of(PENDULUM, 'friction = { coulomb = "1 N m" }')
    held = fa.statics(arm, posture={"bob": 0.05})
    assert held.posture["bob"] == 0.05 and not held.remarks
    assert held.joint_friction["bob"] == pytest.approx(WEIGHT * np.sin(0.05), rel=1e-9)
    assert held.to_dict()["joint_friction"] == held.joint_friction and "friction holds" in held.summary()
    slid = fa.statics(arm)
    assert slid.posture["bob"] == pytest.approx(np.arcsin(1 / WEIGHT), rel=1e-6)
    assert slid.joint_friction["bob"] == pytest.approx(1.0, rel=1e-6) and "just holds" in slid.remarks[0]
    run = fa.simulate(arm, start="static", end="1 s")
    assert np.ptp(run.variables["joint_position"].values) < 1e-15


def test_analyses_of_small_motions_say_that_joints_slide():
    arm = arm_of(PENDULUM, 'friction = { coulomb = "1 N m", viscous = "0.3 N m s/rad" }')
    sentence = 'dry friction of joint "bob" is left out: joints that move slide, and only their viscous friction damps'
    found = fa.modes(arm, posture={"bob": 0.0})
    assert found.remarks == (sentence,)
    assert found.damping_ratios[0] == pytest.approx(0.3 / (2 * np.sqrt(INERTIA * WEIGHT)), rel=1e-9)
    model = fa.linearise(arm, posture={"bob": 0.0})
    assert model.remarks == (sentence,) and sentence in model.summary() and model.to_dict()["remarks"] == [sentence]


def test_who_cannot_take_dry_friction_refuses_it():
    law = '\n[motion.swing]\nkind = "cycloidal"\ntravel = "60 deg"\nduration = "0.8 s"\n'
    servo = 'motion = "swing", servo = { kp = "900 N m/rad", kv = "90 N m s/rad" }, friction = { coulomb = "3 N m" }'
    arm = arm_of(BEAM.replace("PLANAR", "true"), servo, law)
    for analysis in ("linear", "quasi-static"):
        with pytest.raises(AnalysisError, match=f"joint.friction is given, must be left out for the {analysis}"):
            fa.simulate(arm, analysis=analysis)
    with pytest.raises(AnalysisError, match="must be left out for brake and shape"):
        fa.shape(arm)
    assert fa.shape(arm, joints="locked", shapers=["zv"]) is not None


@pytest.mark.parametrize(
    ("friction", "sentence"),
    [
        ('{ coulomb = "-1 N m" }', 'link[0].joint.friction: coulomb is "-1 N m", must be ≥ 0'),
        ('{ coulomb = "1 N m", static = "0.5 N m" }', "link[0].joint.friction: static is 0.5, must be ≥ coulomb, 1"),
        ('{ coulomb = "1 N m", stribeck_rate = "1 rad/s" }', "link[0].joint.friction: stribeck_rate is given, must be"),
        ("{}", "link[0].joint.friction: has no values, must have coulomb, static, viscous or load"),
        ('{ coulomb = "1 N" }', 'link[0].joint.friction: coulomb is "1 N", must be a moment'),
        ("{ load = 1.5 }", "link[0].joint.friction: load is 1.5, must be ≤ 0.99"),
    ],
)
def test_a_friction_that_cannot_be_is_refused(friction, sentence):
    with pytest.raises(fa.ModelError) as error:
        arm_of(PENDULUM, f"friction = {friction}")
    assert sentence in str(error.value)


def test_friction_is_written_as_it_was_read():
    friction = '{ coulomb = "0.7 N m", static = "1.2 N m", stribeck_rate = "0.3 rad/s", viscous = 0.05, load = 0.1 }'
    arm = arm_of(PENDULUM, f"friction = {friction}")
    assert fa.parse_arm(fa.format_arm(arm), "arm") == arm
