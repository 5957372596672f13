"""Supports, loops and springs between points against closed forms and against equations of motion of another kind."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import flexarm as fa
from tests.analyses.closed_arms import (
    AREA,
    BEARING,
    BEGIN,
    CRANK,
    DENSITY,
    INERTIAS,
    LENGTHS,
    LONG,
    MASSES,
    ROD,
    E,
    I,
    four_bar,
    four_bar_angles,
    held_beam,
    parallelogram,
    slider_crank,
    swept_boom,
)

SPRING = """
[[spring]]
link = "rocker"
at   = 0.4
to   = "crank"
to_at = 0.1
stiffness = 300
damping   = 2
"""


def turned(angle: np.ndarray) -> np.ndarray:
    """An angle between −π and π."""
    return np.asarray(np.angle(np.exp(1j * angle)))


@pytest.mark.usefixtures("no_error_estimates")
def test_a_four_bar_linkage_stays_closed_over_ten_thousand_steps() -> None:
    run = fa.simulate(four_bar('motion = "turn"'), end=10.0, step=1e-3, output=0.05)
    assert run.complete and run.info["steps"] == 10_000
    q = run.values("joint_position")
    angles = np.array([four_bar_angles(x) for x in q[:, 0]])
    assert np.max(np.abs(q[:, 0] - BEGIN - 3.0 * run.time)) < 1e-12
    assert np.max(np.abs(turned(q[:, 0] + q[:, 1] - angles[:, 0]))) < 1e-10
    assert np.max(np.abs(turned(q.sum(axis=1) - angles[:, 1]))) < 1e-10
    # the last samples are as good as the first: nothing drifts
    assert np.max(np.linalg.norm(run.values("point_position")[-50:, 0] - [BEARING, 0, 0], axis=1)) < 1e-11


@pytest.mark.usefixtures("no_error_estimates")
def test_a_slider_crank_moves_as_its_closed_form() -> None:
    run = fa.simulate(slider_crank(), end=10.0, step=1e-3, output=0.05)
    angle = BEGIN + 5.0 * run.time
    place = CRANK * np.cos(angle) + np.sqrt(ROD**2 - (CRANK * np.sin(angle)) ** 2)
    end = run.values("point_position")[:, 0]
    assert np.max(np.abs(end[:, 0] - place)) < 1e-10
    assert np.max(np.abs(end[:, 1])) < 1e-11


def _four_bar_energy(angle: float) -> tuple[np.ndarray, float, float]:
    """Places and angles of the three mass centres, distance of the spring's ends, potential of the weights."""
    coupler, rocker = four_bar_angles(angle)
    along = [np.array([np.cos(x), np.sin(x)]) for x in (angle, coupler, rocker)]
    second = LENGTHS[0] * along[0]
    third = second + LENGTHS[1] * along[1]
    centres = (LENGTHS[0] / 2 * along[0], second + LENGTHS[1] / 2 * along[1], third + LENGTHS[2] / 2 * along[2])
    distance = float(np.linalg.norm(third + 0.4 * along[2] - 0.1 * along[0]))
    height = sum(m * centre[1] for m, centre in zip(MASSES, centres, strict=True))
    return np.array([*np.concatenate(centres), angle, coupler, rocker]), distance, 9.81 * height


_WEIGHTS = np.array([m for m in MASSES for _ in range(2)] + list(INERTIAS))


def _slope(f, x: float, h: float = 1e-3):  # type: ignore[no-untyped-def]
    return (f(x - 2 * h) - 8 * f(x - h) + 8 * f(x + h) - f(x + 2 * h)) / (12 * h)


def _inertia(angle: float) -> float:
    places = _slope(lambda x: _four_bar_energy(x)[0], angle)
    return float(np.sum(_WEIGHTS * places**2))


def _one_coordinate(t: float, state: np.ndarray) -> list[float]:
    """Lagrange's equation of the linkage in the angle of its crank alone, with a spring and damper between two bars."""
    angle, rate = state
    length = _four_bar_energy(angle)[1] - _four_bar_energy(BEGIN)[1]
    pull = _slope(lambda x: _four_bar_energy(x)[1], angle)
    weight = _slope(lambda x: _four_bar_energy(x)[2], angle)
    force = -0.5 * _slope(_inertia, angle) * rate**2 - weight - 300.0 * length * pull - 2.0 * pull * rate * pull
    return [rate, force / _inertia(angle)]


@pytest.mark.usefixtures("no_error_estimates")
def test_a_falling_linkage_with_a_spring_is_that_of_lagranges_equation_with_order_four() -> None:
    arm, end = four_bar("free = true", SPRING), 0.5
    found = solve_ivp(_one_coordinate, (0.0, end), [BEGIN, 0.0], method="DOP853", rtol=1e-12, atol=1e-13).y[:, -1]
    errors = []
    for step in (0.02, 0.01, 0.005):
        run = fa.simulate(arm, end=end, step=step, output=end)
        errors.append(abs(run.values("joint_position")[-1, 0] - found[0]))
    assert errors[2] < 1e-8
    # halving the step: 16 for order four
    assert 3.5 < np.log2(errors[0] / errors[2]) / 2 < 4.6


def test_energy_closes_and_the_drive_gives_the_power_of_the_linkage() -> None:
    run = fa.simulate(four_bar('motion = "swing"', SPRING), end=4.5, tolerance=1e-8, output=0.005)
    balance = np.abs(run.values("energy_balance_error"))
    assert np.max(balance) < 5e-5 * np.max(run.values("energy_kinetic"))
    q, v, a = (run.values(f"joint_{word}")[:, 0] for word in ("position", "velocity", "acceleration"))
    wanted = []
    for angle, rate, gain in list(zip(q, v, a, strict=True))[100:800:70]:
        drag = _one_coordinate(0.0, np.array([angle, rate]))[1]
        wanted.append(_inertia(angle) * (gain - drag))
    torque = run.values("joint_torque")[100:800:70, 0]
    assert torque == pytest.approx(wanted, abs=2e-5 * max(map(abs, wanted)))
    # all of it is rigid: the rigid arm's drive gives the same
    assert run.values("rigid_torque")[100:800:70, 0] == pytest.approx(wanted, abs=2e-5 * max(map(abs, wanted)))


@pytest.mark.usefixtures("no_error_estimates")
@pytest.mark.parametrize("holds", ['"pin"', '"weld"'])
def test_the_bar_of_a_parallelogram_stays_level(holds: str) -> None:
    if holds == '"weld"':
        with pytest.raises(fa.FlexarmError, match=r'"pin" cannot (stay closed|close)|not closed'):
            run = fa.simulate(parallelogram(holds), end=1.2)
            assert run.complete, run.failure
            raise AssertionError("a welded parallelogram cannot move")
        return
    run = fa.simulate(parallelogram(holds), end=1.2, output=0.1)
    q = run.values("joint_position")
    assert np.max(np.abs(q[:, 0] + q[:, 1])) < 1e-9
    assert np.max(np.abs(q[:, 0] - q[:, 2])) < 1e-9
    assert q[-1, 0] == pytest.approx(np.radians(20.0), abs=1e-12)


def test_a_propped_beam_rests_on_three_eighths_of_its_weight() -> None:
    weight = DENSITY * AREA * 9.81
    found = fa.statics(held_beam('[[support]]\nname = "prop"\nlink = "boom"\nholds = ["y"]', gravity=9.81))
    assert found.closure_forces["prop"][0] == pytest.approx([0.0, 3 * weight * LONG / 8, 0.0], rel=1e-9, abs=1e-9)
    assert found.joint_torque[0] == pytest.approx(weight * LONG**2 / 8, rel=1e-8)
    assert found.reactions["boom"][0][1] == pytest.approx(5 * weight * LONG / 8, rel=1e-9)
    assert '"prop"' not in found.summary() and "prop" in found.summary()


@pytest.mark.parametrize(("holds", "root"), [('["y"]', 3.926602312), ('"pin"', 3.926602312), ('"clamp"', 4.730040745)])
def test_supports_give_the_frequencies_of_held_beams(holds: str, root: float) -> None:
    """Cubic elements err with order four: 2.5·10⁻⁶ of the first frequency with 16."""
    found = fa.modes(held_beam(f'[[support]]\nlink = "boom"\nholds = {holds}', elements=16), count=2)
    exact = root**2 / (2 * np.pi) * np.sqrt(E * I / (DENSITY * AREA)) / LONG**2
    assert found.frequencies_hz[0] == pytest.approx(exact, rel=6e-6)


def test_a_beam_on_a_spring_sags_as_both_together() -> None:
    stiffness, weight = 4000.0, DENSITY * AREA * 9.81
    spring = f'[[support]]\nname = "prop"\nlink = "boom"\nholds = ["y"]\nstiffness = {stiffness}'
    found = fa.statics(held_beam(spring, gravity=9.81))
    # sag of the tip by the weight and by what the spring carries: w L⁴/8EI − F L³/3EI = F/k
    force = weight * LONG**4 / (8 * E * I) / (1 / stiffness + LONG**3 / (3 * E * I))
    assert found.closure_forces["prop"][0][1] == pytest.approx(force, rel=1e-6)
    assert found.tip_sag["tip"][1] == pytest.approx(-force / stiffness, rel=1e-6)


def test_a_mass_between_two_springs_swings_at_their_sum() -> None:
    arm = fa.parse_arm(
        """
planar = true
[[link]]
name  = "mass"
joint = { type = "prismatic", axis = "x", free = true, at = 1 }
rigid = { mass = 2, inertia = 0.1 }

[[spring]]
link = "mass"
stiffness = 300

[[spring]]
link = "mass"
to_offset = [2.5, 0, 0]
stiffness = 500
damping = 4
"""
    )
    found = fa.modes(arm, count=1)
    rate = np.sqrt(800.0 / 2.0)
    assert found.frequencies_hz[0] == pytest.approx(rate / (2 * np.pi), rel=1e-9)
    assert found.damping_ratios[0] == pytest.approx(4.0 / (2 * 2.0 * rate), rel=1e-9)


@pytest.mark.usefixtures("no_error_estimates")
def test_a_driven_boom_on_a_prop_keeps_it_and_its_energy() -> None:
    """Swept up from a stiff prop that lets go of nothing: beam, spring and damper under one drive."""
    arm = held_beam(
        '[[support]]\nlink = "boom"\nat = 0.6\nholds = ["y"]\n\n'
        '[[support]]\nlink = "boom"\nholds = ["y"]\nstiffness = 1e5\ndamping = 20',
        gravity=9.81,
    )
    run = fa.simulate(arm, end=0.2, start="rest", output=0.001)
    assert run.complete
    q = fa.statics(arm).at
    assert np.max(np.abs(run.values("energy_balance_error"))) < 1e-3 * np.max(np.abs(run.values("energy_gravity")))
    # it swings about where it rests
    middle = run.values("elastic_position")[:, 3].mean()
    assert middle == pytest.approx(list(q.values())[4], rel=0.2)


def test_loops_that_cannot_close_are_refused_in_a_sentence() -> None:
    far = four_bar("free = true").with_("support[0].place", [3.0, 0.0, 0.0])
    with pytest.raises(fa.FlexarmError, match=r'"bearing" cannot close: what it holds together stays .* mm apart at'):
        fa.simulate(far, end=1.0)
    with pytest.raises(fa.FlexarmError, match="holds what cannot give way there"):
        fa.statics(held_beam('[[support]]\nname = "prop"\nlink = "boom"', gravity=9.81))
    tight = held_beam('[[support]]\nlink = "boom"\nholds = ["y"]\nplace = [1, 0.01, 0]')
    with pytest.raises(fa.FlexarmError, match=r'must be free .* or start be "static"'):
        fa.simulate(tight, end=0.1)
    assert fa.statics(tight).tip_sag["tip"][1] == pytest.approx(0.01, abs=1e-9)


def test_rates_that_contradict_a_loop_are_refused() -> None:
    text = fa.format_arm(parallelogram())
    text = text.replace("[motion.swing]", '[motion.turn]\nkind = "constant-rate"\nrate = 1\n\n[motion.swing]')
    both = fa.parse_arm(text).with_(
        "link[2].joint", {"type": "revolute", "offset": [0.8, 0, 0], "at": "60 deg", "motion": "turn"}
    )
    with pytest.raises(fa.FlexarmError, match='"pin" cannot stay closed: the rates that joints are commanded'):
        fa.simulate(both, end=0.5)


def test_more_supports_than_needed_are_reported() -> None:
    support = '[[support]]\nname = "{}"\nlink = "boom"\nholds = ["y"]\n'
    twice = support.format("one") + support.format("two")
    found = fa.statics(held_beam(twice, gravity=9.81))
    assert any("hold more than is needed" in remark for remark in found.remarks)
    share = DENSITY * AREA * 9.81 * LONG * 3 / 16
    assert [found.closure_forces[name][0][1] for name in ("one", "two")] == pytest.approx([share, share], rel=1e-9)


@pytest.mark.parametrize(
    "ask",
    [
        lambda arm: fa.linearise(arm),
        lambda arm: fa.compare(arm, ["hermite"]),
        lambda arm: fa.brake(arm),
        lambda arm: fa.montecarlo(fa.study_of(arm, {"link[0].length": {"normal": ["1 m", "1 mm"]}}), samples=2),
        lambda arm: fa.sweep(arm, vary={"link[0].length": [1.0, 1.1]}, outputs=["tip.across"]),
        lambda arm: fa.workspace(arm),
        lambda arm: fa.Dynamics(arm),
        lambda arm: fa.export(arm),
        lambda arm: fa.campbell(arm, spins=["0 rpm", "10 rpm"]),
        lambda arm: fa.modes(arm, spin="10 rpm"),
        lambda arm: fa.simulate(arm, end=0.1, analysis="linear"),
        lambda arm: fa.simulate(arm, end=0.1, stepper="newmark"),
        lambda arm: fa.simulate(arm, end=0.1, start="steady"),
        lambda arm: fa.shape(arm),
        lambda arm: fa.Plant(arm, 0.01),
    ],
)
def test_what_takes_no_closures_refuses_them(ask) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(fa.FlexarmError, match=r"\[\[support\]\]"):
        ask(swept_boom())
