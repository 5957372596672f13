"""The parts of `brake`: stops of every kind of law, other braking times, the linear arm, searches, uncertain arms."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest

import flexarm as fa
from flexarm.analyses.brake.laws import chosen_hold, stop_of, stops_of
from flexarm.analyses.brake.options import braked_arm
from flexarm.analyses.brake.retiming import Retiming
from flexarm.analyses.brake.robust import varied
from flexarm.analyses.brake.search import border, simplex, turning_points
from flexarm.analyses.brake.stop import frozen_response, swing_of
from flexarm.analyses.golden_section import golden_section
from flexarm.assembly import compile_arm
from flexarm.errors import FlexarmError
from flexarm.model import MotionLaw
from tests.analyses.flexible_arms import STILL, swinging

# law → its fields; the braking time and whether it brakes from a constant rate, by the law's own definition
LAWS = {
    "brake": ({"rate": 0.8, "travel_time": 1.25, "braking_time": 0.5}, 0.5, True),
    "accelerate": (
        {"travel": 1.0, "acceleration_time": 0.3, "constant_time": 0.5, "deceleration_time": 0.4},
        0.4,
        True,
    ),
    "cycloidal": ({"travel": -1.0, "duration": 0.8}, 0.4, False),
    "trapezoidal-acceleration": ({"travel": 1.0, "duration": 0.8}, 0.4, False),
    "bang-bang": ({"acceleration": 3.0, "duration": 0.8}, 0.4, False),
    "polynomial": ({"coefficients": (0.0, 1.0, -0.5), "end": 1.0, "unit": "rad"}, 1.0, True),
    "table": ({"times": (0, 0.2, 0.5, 0.8, 1), "values": (0, 0.1, 0.5, 0.9, 1), "unit": "rad"}, 0.5, False),
}
CASES = [
    (kind, hold)
    for kind, (_, _, cruises) in LAWS.items()
    for hold in ("end", "begin", "path")
    if cruises or hold != "end"
]
LATE = 0.3  # s, by which every law is delayed


def _pieces(kind):
    return MotionLaw(kind=kind, **LAWS[kind][0]).pieces().shifted(LATE)


# --- Laws ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", LAWS)
def test_stop_begins_where_the_rate_begins_to_fall(kind):
    stop = stop_of("joint", "rad", _pieces(kind))
    assert stop.duration == pytest.approx(LAWS[kind][1], rel=1e-9)
    assert (stop.cruise < stop.begin) == LAWS[kind][2]
    times = np.linspace(stop.begin, stop.end, 101)[1:-1]
    _, rate, change = stop.law.evaluate(times)
    assert np.all(rate * change < 0.0)
    assert stop.hardest == pytest.approx(
        float(np.max(np.abs(stop.law.evaluate(np.linspace(stop.begin, stop.end, 10_001))[2]))), rel=1e-3
    )


@pytest.mark.parametrize(("kind", "hold"), CASES)
@pytest.mark.parametrize("part", [0.7, 1.0, 1.2])
def test_another_braking_time_leaves_a_continuous_law_that_stops_in_it(kind, hold, part):
    law = _pieces(kind)
    stop = stop_of("joint", "rad", law)
    time = min(part * stop.duration, stop.longest(hold))
    braked = stop.braked(time, hold, stop.moves)
    assert not braked.jumps(1).any()
    # rates are the derivatives of positions, so what is said of one holds for the other
    t = np.linspace(0.0, 3.0, 30_001)
    q, v, _ = braked.evaluate(t)
    assert np.max(np.abs(np.gradient(q, t)[1:-1] - v[1:-1])) < 1e-3
    again = stop_of("joint", "rad", braked)
    assert again.duration == pytest.approx(time, rel=1e-9)
    assert again.begin == pytest.approx(stop.begin_of(time, hold, stop.moves), abs=1e-9)
    assert again.hardest == pytest.approx(stop.deceleration(time, hold), rel=1e-3)
    if hold != "path":
        assert again.rate == pytest.approx(stop.rate, rel=1e-12)


@pytest.mark.parametrize(("kind", "hold"), CASES)
def test_what_is_held_stays(kind, hold):
    law = _pieces(kind)
    stop = stop_of("joint", "rad", law)
    for part in (0.5, 0.8, 1.0):
        braked = stop.braked(part * stop.duration, hold, stop.moves)
        if hold == "begin":
            before = np.linspace(0.0, stop.begin, 50)
            assert braked.evaluate(before)[0] == pytest.approx(law.evaluate(before)[0], abs=1e-13)
        else:
            assert float(braked.evaluate(9.0)[0]) == pytest.approx(float(law.evaluate(9.0)[0]), abs=1e-14)


def test_the_last_stop_counts_and_earlier_ones_stay():
    law = MotionLaw(
        kind="accelerate",
        travel=1.0,
        acceleration_time=0.3,
        constant_time=0.5,
        deceleration_time=0.4,
        dwell=0.2,
        back=True,
    ).pieces()
    stop = stop_of("joint", "rad", law)
    assert (stop.begin, stop.end) == pytest.approx((2.2, 2.6))
    braked = stop.braked(0.6, "end")
    before = np.linspace(0.0, 2.1 - 1e-9, 200)  # it begins to brake 0.1 s earlier
    assert braked.evaluate(before)[0] == pytest.approx(law.evaluate(before)[0], abs=1e-12)
    assert float(braked.evaluate(5.0)[0]) == pytest.approx(0.0, abs=1e-14)


def test_laws_that_stand_or_never_rest_have_no_stop():
    assert stop_of("joint", "rad", MotionLaw(kind="hold").pieces()) is None
    with pytest.raises(FlexarmError, match='joint "spin" never comes to rest'):
        stop_of("spin", "rad", MotionLaw(kind="spin-up", rate=1.0, duration=1.0).pieces())


def test_end_cannot_be_held_without_a_constant_rate():
    stops = (stop_of("joint", "rad", _pieces("cycloidal")),)
    assert chosen_hold(stops, None) == "path"
    with pytest.raises(FlexarmError, match='hold is "end", but joint "joint" does not move at a constant rate'):
        chosen_hold(stops, "end")
    assert chosen_hold((stop_of("joint", "rad", _pieces("brake")),), None) == "end"


@pytest.mark.parametrize(("kind", "hold"), [case for case in CASES if case[0] not in ("polynomial", "table")])
def test_model_file_with_another_braking_time_has_the_same_law(kind, hold):
    fields = {key: value for key, value in LAWS[kind][0].items() if key != "rate"}
    joint = {"motion": "go", "delay": LATE} | ({"rate": 0.8} if kind == "brake" else {})
    arm = swinging({"formulation": "hermite"}, joint, motions={"go": {"kind": kind, **fields}})
    stops = stops_of(arm, None)
    time = 0.8 * stops[0].duration
    changed = braked_arm(arm, stops, hold, stops[0].moves, time)
    if changed is None:
        assert (kind, hold) not in {
            ("brake", "end"),
            ("accelerate", "end"),
            ("cycloidal", "path"),
            ("bang-bang", "path"),
        }
        return
    t = np.linspace(0.0, 3.0, 601)
    wanted = stops[0].braked(time, hold, stops[0].moves)
    for found, exact in zip(changed.motion_of("beam").evaluate(t)[:2], wanted.evaluate(t)[:2], strict=True):
        assert found == pytest.approx(exact, abs=1e-12)


# --- The linear arm --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "hold"), CASES)
def test_linear_response_is_the_convolution_with_the_acceleration(kind, hold):
    omega, ratios = np.array([5.0, 31.0, 200.0]), np.array([0.02, 0.1, 0.0])
    rest = SimpleNamespace(omega=omega, damping=np.diag(2.0 * ratios * omega), pushed=np.array([[1.0], [0.5], [2.0]]))
    stop = stop_of("joint", "rad", _pieces(kind))
    times = np.array([[0.7 * stop.duration], [stop.duration]])
    x, rate = frozen_response(rest, swing_of(rest, damped=True), [stop], times, hold, stop.moves)
    nodes, weights = np.polynomial.legendre.leggauss(200)
    for row, time in enumerate(times[:, 0]):
        law, end = stop.braked(time, hold, stop.moves), stop.end_of(time, hold, stop.moves)
        begin = stop.moves if hold == "path" else stop.begin_of(time, hold)
        inside = law.break_times[(law.break_times > begin + 1e-9) & (law.break_times < end - 1e-9)]
        for k in range(3):
            root = omega[k] * complex(-ratios[k], np.sqrt(1.0 - ratios[k] ** 2))
            total = 0.0j
            for a, b in pairwise([begin, *inside, end]):
                at = 0.5 * (a + b) + 0.5 * (b - a) * nodes
                total += 0.5 * (b - a) * np.sum(weights * law.evaluate(at)[2] * np.exp(root * (end - at)))
            total *= rest.pushed[k, 0]
            # ẍ + 2ζω ẋ + ω² x = −p a: x = −Im(Z)/ω_d, ẋ = −Im(λZ)/ω_d
            size = abs(total) + 1e-6
            assert x[row, k] == pytest.approx(-total.imag / root.imag, abs=1e-9 * size / root.imag)
            assert rate[row, k] == pytest.approx(-(root * total).imag / root.imag, abs=1e-9 * size)


def test_coupled_dampers_swing_as_the_matrix_exponential():
    from scipy.linalg import expm

    omega = np.array([4.0, 9.0])
    damping = np.array([[0.5, 0.9], [0.9, 3.0]])
    rest = SimpleNamespace(omega=omega, damping=damping)
    matrix = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.diag(omega**2), -damping]])
    x, rate, row = np.array([[0.3, -0.2]]), np.array([[1.0, 2.0]]), np.array([1.0, -0.5])
    for damped in (True, False):
        exact = expm((matrix if damped else np.where(np.eye(4, k=2) + np.eye(4, k=-2), matrix, 0.0)) * 0.37)
        begin = np.concatenate([x, rate], axis=1)
        found = (begin @ swing_of(rest, damped=damped).history(row, np.array([0.37])))[0, 0]
        assert found == pytest.approx(float(row @ (exact @ np.concatenate([x[0], rate[0]]))[:2]), rel=1e-12)


# --- Searches --------------------------------------------------------------------------------------------------------


def test_turning_points_come_in_turn_and_ignore_noise():
    x = np.linspace(0.0, 4.0 * np.pi, 401)
    rng = np.random.default_rng(1)
    noisy = np.cos(x) + 1e-4 * rng.standard_normal(len(x))
    found = turning_points(noisy, 1e-3)
    assert [sign for _, sign in found] == [-1, 1, -1]
    assert [x[k] for k, _ in found] == pytest.approx([np.pi, 2 * np.pi, 3 * np.pi], abs=0.05)
    assert turning_points(np.ones(50), 1e-3) == [] and turning_points(x, 1e-3) == []
    noisy[200] = np.nan  # a run that failed
    assert [sign for _, sign in turning_points(noisy, 1e-3)] == [-1, 1, -1]


def test_golden_section_border_and_simplex_find_what_is_known():
    assert golden_section(lambda t: abs(t - 0.3), 0.0, 1.0, 1e-6) == pytest.approx(0.3, abs=1e-6)
    assert border(lambda t: t <= 0.7, 0.0, 1.0, 1e-6) == pytest.approx(0.7, abs=1e-6)

    def valley(x):
        return (x[0] - 0.4) ** 2 + 5.0 * (x[1] - x[0]) ** 2 + abs(x[2] - 0.6)

    found = simplex(valley, np.array([0.9, 0.1, 0.2]), (0.0, 1.0), 0.1, 1e-6)
    assert found == pytest.approx([0.4, 0.4, 0.6], abs=1e-4)


# --- Uncertain arms --------------------------------------------------------------------------------------------------


def _frequency(arm):
    return fa.modes(arm, count=1).frequencies_hz[0]


@pytest.mark.parametrize(
    "beam",
    [
        {"bending_stiffness": 200.0, "mass_per_length": 0.5},
        {"section": {"shape": "circle", "diameter": 0.01}, "material": "steel"},
    ],
)
def test_stiffness_and_length_change_the_frequency_as_a_beam_s(beam):
    arm = swinging({"formulation": "hermite"}, {}, 4, gravity=STILL, link={"beam": beam})
    assert _frequency(varied(arm, "stiffness", 1.21)) == pytest.approx(1.1 * _frequency(arm), rel=1e-9)
    # f ∝ 1/L² of a slender beam; its rotary inertia and shear, if it has them, count for 1e-4
    assert _frequency(varied(arm, "length", 1.1)) == pytest.approx(_frequency(arm) / 1.21, rel=2e-4)
    assert varied(arm, "stiffness", 1.0) is arm


def test_payload_changes_with_its_inertia_and_what_stands_on_a_beam_moves_with_it():
    arm = swinging(
        {"formulation": "hermite"},
        {},
        gravity=STILL,
        link={"payload": [{"mass": 2.0, "inertia": 0.1}, {"mass": 1.0, "at": 0.5}]},
        points=[{"name": "middle", "link": "beam", "at": 0.5}],
        loads=[{"link": "beam", "at": 0.25, "force": (0, 1, 0)}],
    )
    heavier = varied(arm, "payload", 1.5).links[0].payloads
    assert [(load.mass, load.inertia) for load in heavier] == [(3.0, pytest.approx(0.15)), (1.5, 0.0)]
    longer = varied(arm, "length", 1.2)
    assert longer.links[0].length == pytest.approx(1.2) and longer.links[0].payloads[1].at == pytest.approx(0.6)
    assert longer.points[0].at == pytest.approx(0.6) and longer.loads[0].at == pytest.approx(0.3)


@pytest.mark.parametrize("hold", ["end", "begin", "path"])
def test_laws_changed_in_place_are_those_written_out(hold):
    links = [
        {
            "name": name,
            "joint": {"type": "revolute", "motion": name, **more},
            "length": 0.5,
            "rigid": {"mass": 1, "inertia": 0},
        }
        for name, more in (("a", {"rate": 0.7}), ("b", {"delay": 0.1, "scale": 2.0}), ("c", {"rate": -0.3}))
    ]
    motions = {
        "a": {"kind": "brake", "travel_time": 1.25, "braking_time": 0.5},
        "b": {
            "kind": "accelerate",
            "travel": 1.0,
            "acceleration_time": 0.3,
            "constant_time": 0.7,
            "deceleration_time": 0.4,
        },
        "c": {"kind": "brake", "travel_time": 1.0, "braking_time": 1.0},
    }
    arm = fa.Arm(planar=True, gravity=STILL, links=links, motions=motions)
    stops = stops_of(arm, ("a", "b", "c"))
    retiming = Retiming(compile_arm(arm), stops, hold, 0.0)
    for times in ([0.5, 0.4, 1.0], [0.31, 0.52, 0.7], [0.9, 0.2, 1.8]):
        quick, whole = retiming(np.array(times)), retiming.written_out(np.array(times))
        laws, commands = quick
        assert commands.switches == pytest.approx(whole.commands.switches, abs=1e-14)
        assert laws.first.tolist() == whole.laws.first.tolist()
        assert laws.piece == pytest.approx(whole.laws.piece, abs=1e-13)
