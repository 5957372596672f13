"""Paths of a point: inverse kinematics against closed forms, and bent arms that stand where they should."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

import flexarm as fa
from flexarm.model.laws.path import PathMotion
from flexarm.model.tip_path.route import Route, exponential, logarithm
from tests.cli.conftest import call as call  # a fixture

EXAMPLES = Path(__file__).parents[2] / "examples"
WELDER = (EXAMPLES / "welder.toml").read_text("utf-8")
LINE = '{ line   = ["1.1 m", "0.2 m", 0] }'
ORIGIN = np.zeros(3)


@pytest.fixture(scope="module")
def welder() -> fa.Arm:
    return fa.read_arm(EXAMPLES / "welder.toml")


@pytest.fixture(scope="module")
def found(welder) -> fa.TipPath:
    return fa.path(welder)


def two_links(at: np.ndarray, a: float = 0.8, b: float = 0.7) -> np.ndarray:
    """The joints (…, 2) of a planar arm of two links with its tip at x, y and the elbow up, by the law of cosines."""
    x, y = at[..., 0], at[..., 1]
    elbow = -np.arccos((x**2 + y**2 - a**2 - b**2) / (2 * a * b))
    return np.stack([np.arctan2(y, x) - np.arctan2(b * np.sin(elbow), a + b * np.cos(elbow)), elbow], axis=-1)


def course(x: np.ndarray) -> np.ndarray:
    return x - np.sin(2 * np.pi * x) / (2 * np.pi)


def test_two_links_follow_a_line_by_the_law_of_cosines():
    text = (
        WELDER.split("[motion.weld]")[0]
        + """[motion.weld]
kind = "path"
start = [0.9, 0.2, 0]
through = [{ line = [1.2, 0.5, 0] }]
begin = "0.5 s"
speed = "0.6 m/s"
tolerance = "1 um"
"""
    )
    arm = fa.parse_arm(text)
    duration = 2 * 0.3 * math.sqrt(2) / 0.6  # a cycloidal law is at most twice as fast as on average
    t = np.linspace(0.0, 0.7 + duration, 701)
    way = course(np.clip((t - 0.5) / duration, 0.0, 1.0))[:, None] * np.array([0.3, 0.3])
    joints = np.stack([arm.motion_of(link.name).evaluate(t)[0] for link in arm.links], axis=-1)
    assert np.abs(joints - two_links(np.array([0.9, 0.2]) + way)).max() < 2e-6  # 1 µm by the shortest lever
    plan = arm.motions["weld"].plan
    place = np.array([0.9, 0.2]) + course((plan.time - 0.5) / duration)[:, None] * np.array([0.3, 0.3])
    assert np.abs(plan.rigid - two_links(place)).max() < 1e-10
    assert plan.deviation <= 1e-6


def test_an_arc_keeps_its_radius_and_its_length_and_a_turn_goes_evenly():
    law = PathMotion(
        through=[{"arc": [0.0, 2.0, 1.0], "via": [math.sqrt(2), math.sqrt(2), 1.0], "rotation": [0, 0, "90 deg"]}],
        duration=2.0,
    )
    route = Route(law, np.array([2.0, 0.0, 1.0]), np.eye(3))
    assert route.length == pytest.approx(math.pi, rel=1e-12)
    measure = np.linspace(0.0, route.ends[-1], 91)
    place, axes = route.poses(measure)
    angle = np.linspace(0.0, math.pi / 2, 91)
    assert np.abs(place - np.stack([2 * np.cos(angle), 2 * np.sin(angle), 1 + 0 * angle], -1)).max() < 1e-12
    assert np.abs(axes[:, :2, 0] - np.stack([np.cos(angle), np.sin(angle)], -1)).max() < 1e-12


def test_a_curve_through_points_is_measured_by_its_length():
    """A spline through points of a circle is nearly that circle; a chord of it is as long as its angle says."""
    angles = np.linspace(0.0, 1.0, 21)
    circle = np.stack([np.cos(angles), np.sin(angles), 0 * angles], -1)
    route = Route(PathMotion(through=[{"points": circle[1:].tolist()}], duration=1.0), circle[0], np.eye(3))
    assert route.length == pytest.approx(1.0, abs=2e-5)
    place, _ = route.poses(np.linspace(0.0, route.ends[-1], 4001))
    steps = np.linalg.norm(np.diff(place, axis=0), axis=1)
    assert np.ptp(steps) < 1e-6 * steps[0] and np.sum(steps) == pytest.approx(route.length, rel=1e-7)


def test_a_corner_stops_the_point_unless_it_is_rounded():
    legs = [{"line": [1.0, 0.0, 0.0]}, {"line": [1.0, 1.0, 0.0]}]
    sharp = Route(PathMotion(through=legs, duration=2.0), ORIGIN, np.eye(3))
    assert sharp.stops == pytest.approx([0.0, 1.0, 2.0]) and sharp.progress(np.array([1.0]))[0] == pytest.approx(1.0)
    round_ = Route(PathMotion(through=legs, duration=2.0, blend=0.2), ORIGIN, np.eye(3))
    assert list(round_.stops) == [0.0, 2.0]
    assert round_.length == pytest.approx(1.6 + 0.1 * math.pi, rel=1e-12)
    place, _ = round_.poses(np.linspace(0.8, 0.8 + 0.1 * math.pi, 50))
    assert np.linalg.norm(place[:, :2] - [0.8, 0.2], axis=1) == pytest.approx(0.2, rel=1e-9)


def test_rotations_and_their_vectors_are_inverse_up_to_half_a_turn():
    rng = np.random.default_rng(3)
    axes = rng.normal(size=(40, 3))
    vectors = axes / np.linalg.norm(axes, axis=1, keepdims=True) * np.linspace(0.0, np.pi - 1e-4, 40)[:, None]
    assert np.abs(logarithm(exponential(vectors)) - vectors).max() < 1e-11
    half = logarithm(exponential(np.array([[0.0, 0.0, np.pi]])))
    assert np.abs(half) == pytest.approx(np.array([[0.0, 0.0, np.pi]]), abs=1e-7)


SIX = (EXAMPLES / "six_axis.toml").read_text("utf-8").partition("[motion.turn]")[0]
for _before, _after in (
    ('motion = "turn"', 'motion = "way"'),
    ('axis = "x", gear', 'axis = "x", motion = "way", gear'),
    ('at = "20 deg", gear', 'at = "60 deg", motion = "way", gear'),
):
    SIX = SIX.replace(_before, _after)


def test_six_axes_hold_an_orientation_where_the_engine_has_the_tip():
    """The engine's own kinematics, by quaternions of observed points, know nothing of the plan's."""
    text = f"""{SIX}
[motion.way]
kind = "path"
through = [{{ line = [1.0, 0.2, 0.3] }}, {{ line = [1.0, 0.4, 0.5], rotation = [0.2, 1.4, 0.1] }}]
orientation = "held"
duration = "3 s"
"""
    arm = fa.parse_arm(text)
    plan = arm.motions["way"].plan
    engine = fa.Dynamics(arm)
    which = np.linspace(0, len(plan.time) - 1, 25).astype(int)
    q = np.zeros((25, engine.size))
    for k, joint in enumerate(plan.joints):
        q[:, engine.names.index(joint)] = plan.rigid[which, k]
    place = engine.place("tip", q)
    start = engine.place("tip", engine.coordinates({link.name: link.joint.at for link in arm.links}))
    assert np.abs(place.position[0] - start.position).max() < 1e-9
    assert np.abs(place.rotation[:8] - start.rotation).max() < 1e-9  # the first leg turns nothing
    assert place.position[-1] == pytest.approx([1.0, 0.4, 0.5], abs=1e-9)
    cx, sx, cy, sy, cz, sz = (f(a) for a in (0.2, 1.4, 0.1) for f in (math.cos, math.sin))
    last = np.array([[cz * cy, cz * sy * sx - sz * cx], [sz * cy, sz * sy * sx + cz * cx], [-sy, cy * sx]])
    assert np.abs(place.rotation[-1][:, :2] - last).max() < 1e-9


def test_a_redundant_arm_says_so_and_a_redundant_path_is_followed():
    text = WELDER.replace(
        '[[link]]\nname    = "forearm"',
        """[[link]]
name   = "middle"
joint  = { type = "revolute", at = "-20 deg", motion = "weld" }
length = "0.3 m"
rigid  = { mass = 1, inertia = 0.01 }

[[link]]
name    = "forearm\"""",
    )
    arm = fa.parse_arm(text.replace('compensate = "sag"', ""))
    assert arm.remarks == (
        'the path "weld" leaves its 3 joints one way to move without moving "tip": they move as little as they can '
        "from place to place",
    )
    assert arm.motions["weld"].plan.deviation < 1e-5


GEARED = """
planar = true
gravity = [0, -9.81, 0]
[[link]]
name = "arm"
joint = { type = "revolute", motion = "way", gear = { stiffness = "900 N m/rad" } }
length = "1.2 m"
rigid = { mass = 2, inertia = 0.3, centre = [0.5, 0, 0] }
payload = { mass = 3 }
[motion.way]
kind = "path"
through = [{ arc = [0, 1.2, 0], via = [0.84852813742385702928, 0.84852813742385702928, 0] }]
duration = "1.5 s"
tolerance = "0.1 um"
profile = "septic"
"""


@pytest.mark.parametrize("kind", ["sag", "deflection"])
def test_a_gear_is_wound_up_by_what_it_carries(kind):
    """q = θ + (m g r cos θ + J θ̈)/k, θ on the path: the link has to be there whatever the motor does."""
    found = fa.path(fa.parse_arm(GEARED), compensate=kind, interval="20 ms")
    moment, inertia = 9.81 * (2 * 0.5 + 3 * 1.2), 0.3 + 2 * 0.25 + 3 * 1.44
    x = found.time / 1.5
    theta = 0.5 * np.pi * (35 * x**4 - 84 * x**5 + 70 * x**6 - 20 * x**7)
    torque = moment * np.cos(theta)
    if kind == "deflection":
        torque = torque + inertia * 0.5 * np.pi * 420 * x**2 * (1 - x) ** 2 * (1 - 2 * x) / 1.5**2
    # between knots the spline adds what the tolerance allows
    assert np.abs(found.correction[:, 0] - torque / 900).max() < 2e-6
    # uncompensated it winds up where it hangs, lower by that twist: the lever differs by a part of its size
    assert found.before.max() == pytest.approx(1.2 * 2 * math.sin(np.max(torque) / 900 / 2), rel=1e-2)
    assert found.after.max() < 1e-6


def test_the_sag_of_the_compensated_arm_is_on_the_path_by_statics(welder, found):
    """`statics` finds its equilibrium by itself, joint by joint."""
    arm = found.commanded_arm()
    engine = fa.Dynamics(arm)
    for k in (0, len(found.time) // 2, -1):
        posture = dict(zip(found.joints, found.commanded[k].tolist(), strict=True))
        place = engine.place("tip", engine.coordinates(posture)).position
        tip = place + fa.statics(arm, posture=posture).tip_sag["tip"]
        assert tip == pytest.approx(found.target[k], abs=1e-6)
    assert found.before.max() > 5e-3 and found.after.max() < 1e-6


@pytest.mark.usefixtures("no_error_estimates")
def test_a_run_of_the_model_ends_on_its_path_and_its_target_is_there(welder):
    run = fa.simulate(welder, analysis="quasi-static")
    end = [0.8, 0.5, 0.0]
    # of the quasi-static analysis the sag is that of the rigid arm, to first order in it
    assert run.variable("point_position").values[-1, 0] == pytest.approx(end, abs=5e-5)
    assert run.variable("point_target").values[0] == pytest.approx(end, abs=1e-12)


def test_a_path_is_written_and_read_and_stays_the_same_in_changed_arms(welder):
    assert fa.parse_arm(fa.format_arm(welder)) == welder
    longer = welder.changed(links=[link.changed(length=1.01 * link.length) for link in welder.links])
    for link in welder.links:
        assert longer.motion_of(link.name).poly == pytest.approx(welder.motion_of(link.name).poly, abs=0)
    assert longer.motions["weld"].plan is welder.motions["weld"].plan


def test_samples_are_led_as_the_nominal_arm():
    text = WELDER.replace('"sag"', '"nothing"')
    study = fa.parse_study(text.replace('length  = "0.7 m"', 'length = { normal = ["0.7 m", "1 mm"] }'))
    sample = study.arm([0.702])
    for link in sample.links:
        assert np.array_equal(sample.motion_of(link.name).poly, study.nominal.motion_of(link.name).poly)
    with pytest.raises(fa.FlexarmError, match=r"motion\.weld has a random number, must have none"):
        fa.parse_study(text.replace('duration   = "3 s"', 'duration = { normal = ["3 s", "0.1 s"] }'))


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        ('["0.8 m", "0.5 m", 0]', '["1.8 m", "0.5 m", 0]', "is out of reach: the point misses it by"),
        ('"60 deg", motion = "weld"', '"60 deg"', "1 joint is too few for a path with 2 conditions"),
        (LINE, '{ line = ["-0.9 m", "-0.2 m", 0] }', "and farther on by 0.0"),  # the least reach is 0.1 m
        ('["0.9 m", "0.2 m", 0]', "[1e-3, 0, 2]", "out of reach: the point misses it by 2"),
        ('motion = "weld", gear', 'motion = "weld", scale = 2, gear', 'joint "forearm" follows it with a scale'),
        ('duration   = "3 s"', "", "has neither duration nor speed, must have one"),
        ('duration   = "3 s"', 'duration = 3\nunit = "rad"', "unit is given, must be left out"),
        (LINE, '{ line = ["1.1 m", "0.2 m", 0], via = [1, 0, 0] }', "via is given, must be given with arc"),
        (LINE, '{ arc = ["1.1 m", "0.2 m", 0], via = [1, 0.2, 0] }', "lie on a line, must lie on a circle"),
        (LINE, '{ line = ["0.9 m", "0.2 m", 0] }', "through[0] ends where it begins, at [0.9, 0.2, 0] m"),
        (LINE, '{ line = ["0.9 m", "0.2 m", 0], points = [[1, 0, 0]] }', "has line and points of line, arc and"),
        ('"sag"', '"sagg"', 'compensate is "sagg", must be "nothing", "sag" or "deflection"'),
        ('compensate = "sag"', 'point = "hand"', 'point is "hand", must be a point of the arm: "tip"'),
        ('compensate = "sag"', 'orientation = "held"', "2 joints are too few for a path with 3 conditions"),
        ('compensate = "sag"', 'blend = "0.5 m"\ncompensate = "sag"', None),
    ],
)
def test_what_cannot_be_followed_is_refused(before, after, sentence):
    text = WELDER.replace(before, after, 1)
    if sentence is None:
        text = text.replace("{ points =", "{ line = [1.1, 0.3, 0] }, { points =")
        sentence = "blend is 0.5 m, must fit into the lines on both sides of a corner: through[0] is 0.2 m long"
    with pytest.raises(fa.ModelError) as refused:
        fa.parse_arm(text)
    assert sentence in str(refused.value)


def test_a_joint_that_nobody_holds_is_no_base_for_compensation():
    text = WELDER.replace('motion = "weld", gear', 'motion = "weld", gear', 1).replace(
        '[[link]]\nname   = "upper arm"',
        """[[link]]
name = "trolley"
joint = { type = "prismatic", axis = "x", free = true }
rigid = { mass = 1, inertia = 1 }

[[link]]
name   = "upper arm\"""",
    )
    with pytest.raises(fa.FlexarmError, match='the joint "trolley" is free, must be locked or led'):
        fa.path(fa.parse_arm(text))


def test_the_command_line_writes_the_table_and_the_arm(call, tmp_path):
    (tmp_path / "arm.toml").write_text(WELDER, "utf-8")
    words = ("--compensate", "sag", "--interval", "50 ms", "--csv", "t.csv", "--out", "out.toml", "--report", "p.html")
    done = call("path", "arm.toml", *words, "--json")
    assert done.code == 0 and done.err.endswith("wrote t.csv, p.html and out.toml\n")
    told = json.loads(done.out)
    rows = (tmp_path / "t.csv").read_text().splitlines()
    assert rows[0].startswith("time [s],along [m],target x [m],target y [m],target z [m],upper arm [rad],forearm [rad]")
    assert len(rows) == 62 == len(told["time"]) + 1
    first = [float(cell) for cell in rows[1].split(",")]
    assert first[5:7] == told["commanded"][0] and first[9:] == pytest.approx(np.subtract(first[5:7], first[7:9]))
    led, model = fa.read_arm(tmp_path / "out.toml"), fa.read_arm(tmp_path / "arm.toml")
    t = np.linspace(0.0, 3.2, 77)
    for link in model.links:
        assert led.motion_of(link.name).evaluate(t)[0] == pytest.approx(model.motion_of(link.name).evaluate(t)[0])
    assert "flexarm · path" in (tmp_path / "p.html").read_text("utf-8")
    assert call("path", "arm.toml", "--motion", "wield").err.count('motion is "wield", must be "weld"') == 1
    (tmp_path / "plain.toml").write_text((EXAMPLES / "pendulum.toml").read_text("utf-8"), "utf-8")
    refused = call("path", "plain.toml")
    assert refused.code == 2 and 'no joint follows a motion with kind = "path"' in refused.err
