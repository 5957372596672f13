"""Loops closed by sampled controllers are what their difference equations say, with any delay."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy.linalg import expm

import flexarm as fa
from tests.analyses.test_plant import CARRIAGES, carriages_in_state_space

SIGNALS = ["lower.position", "upper.position", "lower.rate", "upper.rate"]
K = np.array([[60.0, -5.0, 12.0, -1.0]])
SAMPLE = 0.02


@pytest.fixture(scope="module")
def carriages():
    return fa.parse_arm(CARRIAGES)


@pytest.fixture(scope="module")
def link():
    return fa.read_arm("examples/flexible_link.toml")


def held(span: float) -> tuple[np.ndarray, np.ndarray]:
    """Φ and Γ over a time with the force held."""
    a, b = carriages_in_state_space()
    block = np.zeros((5, 5))
    block[:4, :4], block[:4, 4] = a * span, b * span
    whole = expm(block)
    return whole[:4, :4], whole[:4, 4]


def step_by_step(delay: float, samples: int, start: np.ndarray, law) -> np.ndarray:
    """States at the sampling instants; forces found at k act from (k + delay) samples on."""
    x, acting = start, 0.0
    found, states = [0.0] * (int(np.ceil(delay)) + 1), [start]
    late = delay % 1.0
    for _ in range(samples):
        found.append(law(x))
        if late == 0.0:
            acting = found[-1 - int(delay)]
            phi, gamma = held(SAMPLE)
            x = phi @ x + gamma * acting
        else:
            phi, gamma = held(late * SAMPLE)
            x = phi @ x + gamma * acting
            acting = found[-1 - int(delay)]
            phi, gamma = held((1.0 - late) * SAMPLE)
            x = phi @ x + gamma * acting
        states.append(x)
    return np.array(states)


@pytest.mark.parametrize("delay", [0.0, 0.35, 1.0, 1.6])
def test_a_linear_arm_in_a_sampled_loop_is_its_exact_discrete_loop(carriages, delay):
    start = np.array([0.1, -0.05, 0.0, 0.3])
    feedback = fa.StateFeedback(K, SAMPLE, SIGNALS, ["lower.torque"], delay=f"{delay} sample")
    given = {"lower": 0.1, "upper": -0.05, "upper.rate": 0.3}
    run = fa.simulate(carriages, controllers=[feedback], end=40 * SAMPLE, output=SAMPLE, start=given, tolerance=1e-12)
    exact = step_by_step(delay, 40, start, lambda x: float(-K[0] @ x))
    seen = np.column_stack([run[name] for name in SIGNALS])
    assert np.abs(seen - exact).max() < 1e-9
    assert run.complete


def test_the_poles_of_a_sampled_loop_are_those_of_its_difference_equations(carriages):
    feedback = fa.StateFeedback(K, SAMPLE, SIGNALS, ["lower.torque"], delay="0.35 sample")
    (one, other), (two, further) = held(0.35 * SAMPLE), held(0.65 * SAMPLE)
    # x⁺ = Φ₂(Φ₁ x + Γ₁ u⁻) + Γ₂ u with u = −K x
    matrix = np.zeros((5, 5))
    matrix[:4, :4] = two @ one - np.outer(further, K[0])
    matrix[:4, 4] = two @ other
    matrix[4, :4] = -K[0]
    exact = np.linalg.eigvals(matrix)
    found = fa.sampled_poles(carriages, [feedback])
    for pole in exact:
        assert np.abs(found - pole).min() < 1e-9
    assert np.sort(np.abs(found))[-5:] == pytest.approx(np.sort(np.abs(exact)), abs=1e-9)


def test_poles_with_whole_samples_of_delay_and_without_any(carriages):
    for delay in (0, 2):
        feedback = fa.StateFeedback(K, SAMPLE, SIGNALS, ["lower.torque"], delay=f"{delay} samples")
        phi, gamma = held(SAMPLE)
        matrix = np.zeros((4 + delay, 4 + delay))
        matrix[:4, :4] = phi
        if delay == 0:
            matrix -= np.outer(gamma, K[0])
        else:
            matrix[:4, 4] = gamma
            matrix[4, 5] = 1.0
            matrix[5, :4] = -K[0]
        found = fa.sampled_poles(carriages, [feedback])
        for pole in np.linalg.eigvals(matrix):
            assert np.abs(found - pole).min() < 1e-8


def test_a_state_space_controller_and_a_law_that_says_the_same_give_the_same_bits(link):
    a, b, c, d = [[0.9]], [[0.0, 0.05]], [[-2.0]], [[-40.0, -3.0]]
    names = ["link.position", "link.rate"]
    motion = link.motion_of("link")

    @fa.controller(sample="2 ms", inputs=names, outputs=["link.torque"], states=1, delay="1 ms", limit=5.0)
    def law(t, y, u, x):
        e = y - np.array([motion.evaluate(t)[0], motion.evaluate(t)[1]])
        u[:] = np.array(c) @ x + np.array(d) @ e
        x[:] = np.array(a) @ x + np.array(b) @ e

    space = fa.StateSpace(a, b, c, d, "2 ms", names, ["link.torque"], delay="1 ms", limit=5.0)
    one, other = (fa.simulate(link, controllers=[each], end=0.4) for each in (space, law))
    assert np.array_equal(one["link.position"], other["link.position"])
    assert np.abs(one["link.torque"]).max() <= 5.0


def test_the_arm_of_a_run_has_the_torques_of_its_controllers_and_moves_the_same(link):
    run = fa.simulate(link, controllers=[fa.StateFeedback([[40, 5]], sample="2 ms", delay="0.5 sample")], end=0.3)
    again = fa.simulate(run.arm)
    # two runs within the default tolerance of 1 µm at the tip
    assert np.abs(run["tip.x"] - again["tip.x"]).max() < 1e-6
    assert np.array_equal(run["link.torque"], again["link.torque"])


def test_a_pid_follows_the_commanded_motion_and_its_integrator_does_not_wind_up(link):
    pid = fa.PID(40.0, 60.0, 5.0, sample="1 ms", filter_time="1 ms", limit=8.0)
    run = fa.simulate(link, controllers=[pid], end=2.0)
    assert run["link.position"][-1] == pytest.approx(np.pi / 3, abs=5e-3)
    assert np.abs(run["link.torque"]).max() <= 8.0


def test_two_controllers_with_samples_of_their_own_close_two_loops():
    arm = fa.read_arm("examples/servo_arm.toml")
    names = [each.name for each in arm.links if each.joint.drive == "servo"][:2]
    loops = [
        fa.PID(300.0, 0.0, 30.0, sample=sample, outputs=[f"{name}.torque"], filter_time="5 ms")
        for name, sample in zip(names, ("2 ms", "3 ms"), strict=True)
    ]
    run = fa.simulate(arm, controllers=loops, end=0.02)
    assert run.complete
    changes = [np.flatnonzero(np.diff(run[f"{name}.torque"])) for name in names]
    assert len(changes[0]) > len(changes[1]) > 0


def test_a_law_that_gives_no_number_ends_the_run_with_a_sentence(link):
    @fa.controller(sample="10 ms", inputs=["link.position"], outputs=["link.torque"])
    def law(t, y, u, x):
        u[0] = np.nan if t > 0.045 else 1.0

    with pytest.warns(fa.StoppedEarly, match=r"gave \[nan\] at 0.05 s"):
        run = fa.simulate(link, controllers=[law], end=0.2)
    assert not run.complete and run.time[-1] == pytest.approx(0.05, abs=1e-3)


def test_an_unstable_loop_ends_the_run_with_a_sentence(link):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        run = fa.simulate(link, controllers=[fa.StateFeedback([[4000, 500]], sample="20 ms")])
    assert not run.complete
    assert any(issubclass(each.category, fa.StoppedEarly) for each in said)


@pytest.mark.parametrize(
    ("controllers", "words"),
    [
        ([], ("empty",)),
        ([3], ("controller is 3",)),
        ([fa.StateFeedback([[1, 2, 3]], sample="1 ms")], ("(1, 3)", "(1, 2)")),
        ([fa.StateFeedback([[1, 2]], sample="30 s")], ("sample", "end")),
        ([fa.PID(1, sample=1e-3), fa.PID(1, sample=1e-3)], ("two controllers", "link.torque")),
        ([fa.PID(1, sample=1e-3, inputs=["link.spede"])], ("link.spede",)),
        ([fa.PID(1, sample=1e-3, outputs=["lonk.torque"])], ("lonk.torque",)),
    ],
)
def test_controllers_that_make_no_sense_are_refused(link, controllers, words):
    with pytest.raises(fa.FlexarmError) as refused:
        fa.simulate(link, controllers=controllers)
    assert all(word in str(refused.value) for word in words), str(refused.value)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: fa.StateFeedback([[np.nan]], sample=1e-3), ("K", "finite")),
        (lambda: fa.StateFeedback([[1.0]], sample=0.0), ("sample", "> 0")),
        (lambda: fa.StateFeedback([[1.0]], sample=1e-3, delay="-1 sample"), ("delay",)),
        (lambda: fa.StateFeedback([[1.0]], sample=1e-3, limit=-1.0), ("limit",)),
        (lambda: fa.StateSpace([[1.0]], [[1.0]], [[1.0, 2.0]], [[1.0]], sample=1e-3), ("C", "(1, 1)")),
        (lambda: fa.controller(sample=1e-3, inputs=["a.position"], states=-1), ("states",)),
        (lambda: fa.controller(sample=1e-3, inputs=["a.position"])(lambda t: None), ("t, y, u and x",)),
    ],
)
def test_a_controller_that_makes_no_sense_is_refused_when_it_is_made(make, words):
    with pytest.raises(fa.FlexarmError) as refused:
        make()
    assert all(word in str(refused.value) for word in words), str(refused.value)
