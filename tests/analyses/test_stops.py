"""Stops of joints and play of gears: blows by restitution, springs beyond the limit, flanks that lose touch."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import flexarm as fa
from flexarm.errors import AnalysisError

pytestmark = pytest.mark.usefixtures("no_error_estimates")

FALL = """
planar = true
gravity = [0, -10, 0]
[[link]]
name = "ball"
length = "0.1 m"
rigid = { mass = "2 kg", inertia = "0.01 kg m^2" }
joint = { type = "prismatic", axis = "y", at = "1 m", free = true, stops = STOPS }
[simulation]
end = "3 s"
tolerance = "1e-9 m"
"""


def run_of(text: str, name: str, value: str, **settings: object) -> fa.Trajectory:
    return fa.simulate(fa.parse_arm(text.replace(name, value), "arm"), **settings)


def balance(run: fa.Trajectory) -> float:
    return float(np.abs(run.variables["energy_balance_error"].values).max() / run.info["energy_exchanged"])


def test_a_ball_that_falls_on_a_rigid_stop_bounces_for_the_time_of_the_geometric_series():
    """From 1 m under 10 m/s²: it lands after √0.2 s and bounces for 2e/(1 − e) times that, e = 1/2."""
    run = run_of(FALL, "STOPS", '{ lower = "0 m", restitution = 0.5 }', output="0.01 s")
    first = np.sqrt(0.2)
    q, v = (run.variables[f"joint_{what}"].values[:, 0] for what in ("position", "velocity"))
    assert run.time[np.flatnonzero(v)[-1]] == pytest.approx(first * 3.0, abs=0.01)
    t = run.time[(run.time > first) & (run.time < 2 * first)]
    height = 0.5 * np.sqrt(20.0) * (t - first) - 5.0 * (t - first) ** 2
    np.testing.assert_allclose(q[(run.time > first) & (run.time < 2 * first)], height, atol=1e-8)
    assert q.min() > -1e-8 and q[-1] == pytest.approx(0.0, abs=1e-12)
    assert run.variables["energy_dissipated"].values[-1] == pytest.approx(20.0, rel=1e-7)
    assert balance(run) < 1e-6


def test_a_blow_at_a_joint_goes_through_the_whole_arm_by_the_balance_of_momentum():
    """Two bars without gravity, the first comes to its stop: Δv from the mass matrix of fa.Dynamics."""
    bar = 'length = "1 m"\nrigid = { mass = "3 kg", inertia = "0.25 kg m^2" }\n'
    stop = 'stops = { upper = "30 deg", restitution = 0.4 }'
    text = f"""
planar = true
gravity = [0, 0, 0]
[[link]]
name = "one"
{bar}
joint = {{ type = "revolute", free = true, start_rate = "2 rad/s", {stop} }}
[[link]]
name = "two"
{bar}
joint = {{ type = "revolute", at = "40 deg", free = true, start_rate = "-1 rad/s" }}
[simulation]
end = "0.4 s"
tolerance = "1e-9 m"
output = "0.0005 s"
"""
    arm = fa.parse_arm(text, "arm")
    run = fa.simulate(arm)
    q, v = (run.variables[f"joint_{what}"].values for what in ("position", "velocity"))
    k = int(np.flatnonzero(np.diff(np.sign(v[:, 0])) < 0)[0])
    before, behind = v[k], v[k + 1]
    column = np.linalg.inv(fa.Dynamics(arm).mass_matrix(q[k]))[:, 0]
    wanted = before - 1.4 * before[0] / column[0] * column
    np.testing.assert_allclose(behind, wanted, atol=0.01)  # within the half millisecond between the samples
    assert balance(run) < 1e-8
    blow = -1.4 * before[0] / column[0]
    lost = run.variables["energy_dissipated"].values[-1]
    assert lost == pytest.approx(-blow * (before[0] - 0.4 * before[0]) / 2, rel=0.01)


def test_a_stop_that_gives_way_pushes_and_never_pulls_as_scipys_events_have_it():
    run = run_of(FALL, "STOPS", '{ lower = "0 m", stiffness = "2 kN/m", damping = "60 N s/m" }', output="0.01 s")

    def falls(_t: float, y: np.ndarray) -> list[float]:
        return [y[1], -10.0]

    def pushed(_t: float, y: np.ndarray) -> list[float]:
        return [y[1], -10.0 - (2000 * y[0] + 60 * y[1]) / 2]

    def meets(_t: float, y: np.ndarray) -> float:
        return float(y[0])

    def leaves(_t: float, y: np.ndarray) -> float:
        return float(2000 * y[0] + 60 * y[1])

    meets.terminal = leaves.terminal = True
    meets.direction, leaves.direction = -1, 1
    options = {"rtol": 1e-12, "atol": 1e-13, "dense_output": True}
    t, y, found = 0.0, [1.0, 0.0], np.zeros_like(run.time)
    for phase in range(4):
        law, event = ((falls, meets), (pushed, leaves))[phase % 2]
        part = solve_ivp(law, (t, t + 2.0), y, events=event, **options)
        inside = (run.time >= t) & (run.time <= part.t[-1])
        if inside.any():
            found[inside] = part.sol(run.time[inside])[0]
        t, y = part.t[-1], part.y[:, -1]
    known = run.time < t
    assert known.sum() > 100
    np.testing.assert_allclose(run.variables["joint_position"].values[known, 0], found[known], atol=1e-7)
    assert balance(run) < 1e-6
    assert fa.statics(fa.parse_arm(FALL.replace("STOPS", '{ lower = "0 m", stiffness = "2 kN/m" }'), "arm")).posture[
        "ball"
    ] == pytest.approx(-0.01, rel=1e-9)


def test_a_rigid_stop_holds_what_rests_on_it():
    arm = fa.parse_arm(FALL.replace("STOPS", '{ lower = "0 m" }'), "arm")
    found = fa.statics(arm)
    assert found.posture["ball"] == 0.0 and found.stop_force["ball"] == pytest.approx(20.0)
    run = fa.simulate(arm, start="static", end="0.1 s")
    assert not run.variables["joint_position"].values.any()


GEAR = """
planar = true
gravity = [0, -9.81, 0]
[[link]]
name = "lever"
length = "0.5 m"
rigid = { mass = "2 kg", inertia = "0.05 kg m^2", centre = ["0.5 m", 0, 0] }
joint = { type = "revolute", locked = true, gear = { stiffness = "500 N m/rad", damping = "2 N m s/rad", PLAY } }
[simulation]
end = "0.6 s"
tolerance = "1e-8 m"
output = "0.005 s"
"""


def test_a_gear_with_play_falls_freely_between_its_flanks():
    """A lever on a locked motor begins in the middle of 0.02 rad of play: free, on a flank, free again."""
    arm = fa.parse_arm(GEAR.replace("PLAY", 'backlash = "0.02 rad"'), "arm")
    run = fa.simulate(arm)
    inertia = 0.05 + 2 * 0.25

    def bare(y: np.ndarray) -> float:
        return float(-9.81 * np.cos(y[0]))

    def slope(_t: float, y: np.ndarray) -> list[float]:
        side = np.sign(y[0])
        deep = abs(y[0]) - 0.01
        push = 500 * deep + 2 * side * y[1]
        return [y[1], (bare(y) - side * (push if deep > 0 and push > 0 else 0.0)) / inertia]

    found = solve_ivp(slope, (0, 0.6), [0.0, 0.0], t_eval=run.time, rtol=1e-10, atol=1e-12, max_step=2e-4)
    np.testing.assert_allclose(run.variables["elastic_position"].values[:, 0], found.y[0], atol=2e-6)
    assert balance(run) < 1e-6
    held = fa.statics(arm)
    angle = held.values[0]
    assert angle == pytest.approx(-0.01 - 9.81 * np.cos(angle) / 500, rel=1e-9)
    assert "the play of joint" in fa.modes(arm).remarks[0]
    with pytest.raises(AnalysisError, match=r"joint\.gear\.backlash is given, must be left out for the linear"):
        fa.simulate(arm, analysis="linear")


@pytest.mark.parametrize(
    ("stops", "sentence"),
    [
        ("{}", "has neither lower nor upper, must have one of them"),
        ('{ lower = "2 m", upper = "1 m" }', "upper is 1, must be > lower, 2"),
        ('{ lower = "0 m", restitution = 0.5, stiffness = "1 N/m" }', "has restitution and stiffness, must have only"),
        ('{ lower = "0 m", damping = "1 N s/m" }', "damping is given, must be given with stiffness"),
        ('{ upper = "0.5 m" }', "at is 1, must be ≤ stops.upper, 0.5"),
    ],
)
def test_stops_that_cannot_be_are_refused(stops, sentence):
    with pytest.raises(fa.ModelError) as error:
        fa.parse_arm(FALL.replace("STOPS", stops), "arm")
    assert sentence in str(error.value)


def test_a_prescribed_motion_beyond_a_stop_is_refused():
    text = (
        FALL.replace("free = true", 'motion = "rise"')
        + '\n[motion.rise]\nkind = "cycloidal"\ntravel = "1 m"\nduration = "1 s"\n'
    )
    with pytest.raises(AnalysisError, match=r"leads the joint to 2 m, beyond its stop, must stay ≤ 1\.5 m"):
        run_of(text, "STOPS", '{ upper = "1.5 m" }')
