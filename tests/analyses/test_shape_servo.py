"""Shaped commands of servo arms: ranked by arrival, designed on the poles of the closed loop."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import flexarm as fa
from flexarm.analyses.shaping.choice import advice_of, chosen_of
from flexarm.analyses.shaping.plan import one_digit
from flexarm.errors import AnalysisError
from flexarm.results import ShapeStudy
from flexarm.results.shape_study import CommandRow

# gears that give way, stiff servos that creep in: real poles and two pairs
LINKS = [
    {"name": "upper arm", "length": 0.8, "inertia": 0.5, "gear": (1200.0, 6.0), "servo": {"kp": 600.0, "kv": 150.0}},
    {"name": "forearm", "length": 0.7, "inertia": 0.2, "gear": (600.0, 3.0), "servo": {"kp": 300.0, "kv": 60.0}},
]
MASSES, PAYLOAD, TRAVEL = (1.1, 0.5), 2.0, np.radians(60.0)


def servo_arm(*servos: dict[str, float]) -> fa.Arm:
    """A two-link arm of rigid links behind gears, under servos, with a payload of 2 kg."""
    links: list[dict[str, Any]] = []
    for k, (given, mass, at) in enumerate(zip(LINKS, MASSES, (0.0, 30.0), strict=True)):
        stiffness, damping = given["gear"]
        links.append(
            {
                "name": given["name"],
                "length": given["length"],
                "joint": {
                    "type": "revolute",
                    "axis": "z",
                    "at": f"{at} deg",
                    "motion": "go",
                    "rotor_inertia": given["inertia"],
                    "gear": {"stiffness": stiffness, "damping": damping},
                    "servo": servos[k] if servos else given["servo"],
                },
                "rigid": {"mass": mass, "inertia": mass * given["length"] ** 2 / 12.0},
            }
        )
    links[1]["payload"] = {"mass": PAYLOAD}
    go = {"kind": "trapezoidal-acceleration", "travel": TRAVEL, "duration": 0.8}
    return fa.Arm(name="servo arm", links=links, planar=True, gravity=(0.0, 0.0, 0.0), motions={"go": go})


@cache
def study(within: float | None = None) -> ShapeStudy:
    """The study of that arm."""
    return fa.shape(servo_arm(), shapers=["zv", "zvd"], laws=[], sensitivity=False, within=within)


def own_poles() -> np.ndarray:
    """Poles from Lagrange's equations of the planar arm, links and rotors: x = (motor 1, gear 1, motor 2, gear 2)."""
    (l1, l2), (m1, m2) = (0.8, 0.7), MASSES
    elbow = np.radians(30.0) + TRAVEL
    # inertia of both links about their joints, payload at the tip
    i1 = m1 * l1**2 / 3.0 + (m2 + PAYLOAD) * l1**2
    i2 = m2 * l2**2 / 3.0 + PAYLOAD * l2**2
    c = (0.5 * m2 + PAYLOAD) * l1 * l2 * np.cos(elbow)
    links = np.array([[i1 + i2 + 2.0 * c, i2 + c], [i2 + c, i2]])
    turns = np.array([[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]])  # joint angle = motor + gear
    rotors = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]])
    mass = turns.T @ links @ turns
    # a rotor turns about its own axis against the link before it
    for k, given in enumerate(LINKS):
        mass += given["inertia"] * np.outer(rotors[k], rotors[k])
    spring = np.diag([LINKS[0]["servo"]["kp"], LINKS[0]["gear"][0], LINKS[1]["servo"]["kp"], LINKS[1]["gear"][0]])
    damper = np.diag([LINKS[0]["servo"]["kv"], LINKS[0]["gear"][1], LINKS[1]["servo"]["kv"], LINKS[1]["gear"][1]])
    lower = -np.linalg.solve(mass, np.hstack([spring, damper]))
    return np.linalg.eigvals(np.vstack([np.eye(4, 8, 4), lower]))


def test_commands_are_shaped_for_poles_of_the_closed_loop_and_real_poles_are_reported_as_such():
    poles = own_poles()
    pairs = sorted(abs(each) / (2.0 * np.pi) for each in poles if each.imag > 1e-6)
    reals = sorted(-each.real for each in poles if abs(each.imag) <= 1e-6)
    reported = study().modes
    assert reals, "the arm is to have real poles"
    assert [mode.frequency_hz for mode in reported if mode.frequency_hz > 0.0] == pytest.approx(pairs, rel=1e-6)
    assert [mode.decay for mode in reported if mode.frequency_hz == 0.0][:2] == pytest.approx(reals[:2], rel=1e-6)
    for mode in reported:
        assert not mode.shaped or mode.frequency_hz > 0.0
        if mode.frequency_hz > 0.0:
            near = min(poles, key=lambda each: abs(abs(each) / (2.0 * np.pi) - mode.frequency_hz))
            assert mode.damping_ratio == pytest.approx(-near.real / abs(near), rel=1e-6)
        else:
            assert mode.damping_ratio == 1.0
    assert "real pole" in study().summary()
    # modes has the same
    arm = study().studied
    same = fa.modes(arm, posture={"upper arm": TRAVEL, "forearm": np.radians(30.0) + TRAVEL})
    assert [mode.frequency_hz for mode in reported if mode.frequency_hz > 0.0] == pytest.approx(
        [f for f in same.frequencies_hz if f > 0.0][: len(pairs)], rel=1e-6
    )


@pytest.mark.parametrize("within", [1e-3, 1e-4])
def test_rank_is_the_settling_time_of_a_run_and_none_is_taken_if_the_unshaped_command_arrives_first(within):
    found = study(within)
    for row in found.rows:
        run = fa.simulate(found.arm(row.name), tolerance=1e-7)
        assert row.settled == pytest.approx(run.settling_time("tip", within), abs=2e-4)
    unshaped, *others = found.rows
    assert all(unshaped.settled < row.settled for row in others)
    assert found.chosen is None
    assert found.advice.startswith("Take none of them: the unshaped command arrives first")
    assert f"from {unshaped.settled:.4g} s on" in " ".join(found.summary().split())


def test_residuals_of_all_commands_count_from_the_end_of_the_longest():
    found = study()
    stops = [found.arm(row.name).motion_of("forearm").break_times[-1] for row in found.rows]
    assert found.counted_from == pytest.approx(max(stops), abs=1e-12)
    run = fa.simulate(found.arm("unshaped"), tolerance=1e-8)
    after = (run.time >= found.counted_from) & (run.time <= found.counted_from + found.window)
    tip = run.values("point_position")[after][:, run.labels("point").index("tip")]
    # along the worst of two axes in the plane: between the range along x or y and √2 times it
    size = np.max(np.ptp(tip, axis=0))
    assert 0.7 * size <= found.rows[0].residual <= 1.5 * size
    # the servo creeps in: waiting alone leaves little, which no longer counts as the shapers' merit
    assert found.row("zvd").ratio > 0.2


def test_a_shaper_is_taken_where_it_arrives_before_the_unshaped_command():
    # slow servos of 1.4 Hz and 44 % that swing longer than a zv shaper of 1.4 Hz lasts
    arm = servo_arm({"kp": 300.0, "kv": 60.0}, {"kp": 150.0, "kv": 15.0})
    found = fa.shape(arm, shapers=["zv"], laws=[], sensitivity=False, within="1 mm")
    assert found.best is not None and found.best.name == "zv"
    times = [fa.simulate(found.arm(name), tolerance=1e-7).settling_time("tip", 1e-3) for name in ("unshaped", "zv")]
    assert times[1] < times[0] - 0.2
    assert f"Take zv: the tip stays within 1.0 mm of its target from {times[1]:.3g}"[:-1] in found.advice


def test_a_real_pole_is_not_shaped_for():
    real = next(mode.number for mode in study().modes if mode.frequency_hz == 0.0)
    with pytest.raises(AnalysisError, match=f"modes holds {real}, a real pole that does not ring"):
        fa.shape(servo_arm(), modes=[real], laws=[], sensitivity=False)


def _row(name, settled, ratio, **fields):
    kind = "unshaped" if name == "unshaped" else "shaper"
    return CommandRow(name, kind, duration=1.0, residual=1e-3 * ratio, ratio=ratio, settled=settled, **fields)


def test_the_first_to_arrive_is_taken_whatever_the_others_leave():
    rows = [_row("unshaped", 2.0, 1.0), _row("zv", 1.2, 0.1), _row("zvd", 1.4, 0.001)]
    assert chosen_of(rows, 0.01) == 1
    assert advice_of(rows, 1, 0.01).startswith(
        "Take zv: the tip stays within 1.0 mm of its target from 1.2 s on, 800 ms before the unshaped command."
    )
    # arrivals alike: what is left decides, and the unshaped command where it is among them
    assert chosen_of([_row("unshaped", 2.0, 1.0), _row("zv", 1.2, 0.1), _row("zvd", 1.2005, 0.001)], 0.01) == 2
    assert chosen_of([_row("unshaped", 1.2001, 1.0), _row("zv", 1.2, 0.1)], 0.01) is None
    # one that breaks a bound does not count
    assert chosen_of([_row("unshaped", 2.0, 1.0), _row("zv", 1.2, 0.1, beyond=("torque",))], 0.01) is None
    assert chosen_of([_row("unshaped", None, 1.0), _row("zv", None, 0.1), _row("zvd", None, 0.005)], 0.01) == 2


def test_last_arm_to_arrive_counts_where_arms_are_uncertain():
    rows = [
        _row("unshaped", 1.0, 1.0, robust=2e-3, robust_settled=None),
        _row("zv", 1.2, 0.1, robust=1e-3, robust_settled=1.9),
        _row("zvd", 1.4, 0.1, robust=1e-4, robust_settled=1.5),
    ]
    assert chosen_of(rows, 0.01) == 2


def test_default_distance_has_one_digit():
    assert [one_digit(x) for x in (2.371e-4, 1e-3, 9.99e-5)] == pytest.approx([2e-4, 1e-3, 9e-5], rel=1e-12)


def test_brake_reports_the_same_poles():
    found = fa.brake(servo_arm(), (0.7, 0.9), points=5, explain=False).linear
    assert found is not None
    poles = own_poles()
    for mode in found.modes:
        size = 2.0 * np.pi * mode.frequency_hz if mode.frequency_hz > 0.0 else mode.decay
        near = min(poles, key=lambda each: abs(abs(each) - size))
        assert size == pytest.approx(abs(near), rel=1e-6)
        assert mode.damping_ratio == pytest.approx(-near.real / abs(near), rel=1e-6)
    assert {mode.frequency_hz == 0.0 for mode in found.modes} == {True, False}


# --- Joints on their commands ----------------------------------------------------------------------------------------


def test_joints_on_their_commands_are_shaped_for_the_poles_of_the_locked_arm():
    arm = servo_arm()
    found = fa.shape(arm, joints="locked", shapers=["zv"], laws=[], sensitivity=False)
    end = {link.name: float(arm.motion_of(link).evaluate(1e9)[0]) for link in arm.links}
    there = fa.modes(arm, posture=end, joints="locked", count=1)
    assert found.modes[0].frequency_hz == pytest.approx(there.frequencies_hz[0], rel=1e-6)
    assert set(found.joint_states.values()) == {"locked"}
    assert "joints on the command" in found.summary()
    # what is written has its servos again, and the shaped command
    written = found.arm("zv")
    assert [link.joint.servo for link in written.links] == [link.joint.servo for link in arm.links]
    assert written.motion_of(written.links[0]).break_times[-1] > arm.motion_of(arm.links[0]).break_times[-1]


def test_joints_on_their_commands_are_braked_by_the_frequency_of_the_locked_arm():
    arm = servo_arm()
    found = fa.brake(arm, joints="locked", points=5, explain=False)
    end = {link.name: float(arm.motion_of(link).evaluate(1e9)[0]) for link in arm.links}
    there = fa.modes(arm, posture=end, joints="locked", count=1)
    assert found.linear is not None
    assert found.linear.modes[0].frequency_hz == pytest.approx(there.frequencies_hz[0], rel=1e-6)
    assert found.to_dict()["joint_states"] == dict.fromkeys(end, "locked")
    assert "on the command" in found.summary()


def test_joints_that_follow_no_command_cannot_be_judged():
    with pytest.raises(AnalysisError, match='joints is "free", must be "locked" or "servo": a joint that nothing hold'):
        fa.shape(servo_arm(), joints="free")
    with pytest.raises(AnalysisError, match='joints is "free", must be "locked" or "servo"'):
        fa.brake(servo_arm(), joints="free")
