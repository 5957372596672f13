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


def test_a_state_space_controller_and_laws_compiled_or_not_that_say_the_same_move_the_same(link):
    a, b, c, d = [[0.9]], [[0.0, 0.05]], [[-2.0]], [[-40.0, -3.0]]
    names = ["link.position", "link.rate"]
    about = dict(sample="2 ms", inputs=names, outputs=["link.torque"], states=1, delay="1 ms", limit=5.0)
    held = link.with_("link[0].joint", {"type": "revolute", "free": True})
    seen = []

    @fa.controller(**about)
    def compiled(t, y, u, x):
        u[0] = -2.0 * x[0] - 40.0 * y[0] - 3.0 * y[1]
        x[0] = 0.9 * x[0] + 0.05 * y[1]

    @fa.controller(**about)
    def python(t, y, u, x):
        seen.append(t)
        u[0] = -2.0 * x[0] - 40.0 * y[0] - 3.0 * y[1]
        x[0] = 0.9 * x[0] + 0.05 * y[1]

    space = fa.StateSpace(a, b, c, d, "2 ms", names, ["link.torque"], delay="1 ms", limit=5.0)
    with pytest.warns(fa.SlowLaw, match="python runs in Python"):
        runs = [
            fa.simulate(held, controllers=[each], end=0.4, start={"link": 0.3}) for each in (space, compiled, python)
        ]
    # sums in another order: rounding, which this loop damps
    for run in runs[1:]:
        assert np.abs(run["link.position"] - runs[0]["link.position"]).max() < 1e-12
    assert np.abs(runs[0]["link.torque"]).max() == 5.0
    assert seen == pytest.approx(2e-3 * np.arange(200), abs=1e-15)


def test_a_law_is_compiled_anew_when_a_number_it_reads_is_another_one(link):
    gain = 0.0

    @fa.controller(sample="5 ms", inputs=["link.position"], outputs=["link.torque"])
    def law(t, y, u, x):
        u[0] = gain

    ends = []
    for gain in (0.0, 1.0):  # noqa: B007
        ends.append(fa.simulate(link, controllers=[law], end=0.05)["link.torque"][-1])
    assert ends == [0.0, 1.0]


def test_a_law_that_raises_ends_the_run_with_its_words(link):
    about = dict(sample="10 ms", inputs=["link.position"], outputs=["link.torque"])

    @fa.controller(**about)
    def beyond(t, y, u, x):
        u[int(t / 0.03)] = 1.0

    def refuses(t, y, u, x):
        if t > 0.025:
            raise ValueError(f"no torque is known at {t:.2f}")

    laws = (
        (beyond, "beyond raised IndexError at 0.03 s"),
        (fa.controller(**about)(refuses), "no torque is known at 0.03"),
    )
    for law, words in laws:
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            run = fa.simulate(link, controllers=[law], end=0.1)
        assert any(words in str(each.message) for each in said)
        assert run.time[-1] == pytest.approx(0.03, abs=1e-3)


def test_torques_change_no_faster_than_their_rate_limit_and_samples_are_late_by_what_was_drawn(link):
    sample, late, seed = 5e-3, 2e-3, 7
    about = dict(sample=sample, rate_limit=400.0, limit=6.0, jitter=late, seed=seed)
    run = fa.simulate(link, controllers=[fa.StateFeedback([[80, 5]], **about)], end=0.3, start={"link": 0.3})
    law = run.arm.torques[run.arm.link("link").joint.torque]
    assert np.abs(np.diff(law.values)).max() == pytest.approx(400.0 * sample, rel=1e-9)
    assert np.abs(law.values).max() <= 6.0
    drawn = np.arange(60) * sample + np.random.default_rng(seed).uniform(0.0, late, 60)
    assert all(np.abs(drawn - when).min() < 1e-12 for when in law.times[1:-1])


def test_signals_that_are_not_linear_in_the_state_are_measured_too(carriages):
    # (x of the upper mass is the sum of the coordinates: the same loop by another signal)
    about = dict(sample=SAMPLE, outputs=["lower.torque"], delay="0.5 sample")
    given = dict(end=20 * SAMPLE, start={"lower": 0.1, "upper": -0.05}, output=SAMPLE, tolerance=1e-11)
    one, other = (
        fa.simulate(carriages, controllers=[fa.StateFeedback(gains, inputs=names, **about)], **given)
        for gains, names in (
            ([[60.0, 60.0, 9.0]], ["lower.position", "upper.position", "lower.rate"]),
            ([[60.0, 9.0]], ["tip.x", "lower.rate"]),
        )
    )
    assert np.abs(one["lower.position"] - other["lower.position"]).max() < 1e-10


def test_a_sample_costs_one_sweep_beside_the_steps(carriages):
    about = dict(end=1.0, tolerance=1e-5)
    loop = fa.StateFeedback([[1.0, 1.0]], 0.01, ["lower.position", "lower.rate"], ["lower.torque"])
    run = fa.simulate(carriages, controllers=[loop], start={"lower": 0.1}, **about)
    # one step of five stages, each solved by one sweep, in every sample
    assert run.info["steps"] <= 102 and run.info["iterations"] <= 5 * 1.1 * run.info["steps"]


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
