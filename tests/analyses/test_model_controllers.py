"""Controllers of a model file: designs are optimal, filters and feed-forward exact, and studies keep the design."""

from __future__ import annotations

import shutil
import subprocess
import warnings

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.signal import bilinear, freqz

import flexarm as fa
from flexarm.analyses.plant.composed import filter_law
from flexarm.analyses.plant.controller import bound_to
from flexarm.analyses.plant.from_model import controllers_of
from flexarm.model.parts.controller import SignalFilter
from tests.analyses.test_plant import CARRIAGES, carriages_in_state_space

SAMPLE = 0.02
SIGNALS = '["lower.position", "upper.position", "lower.rate", "upper.rate"]'
RAIL = CARRIAGES + "[simulation]\nend = 0.8\noutput = 0.02\ntolerance = 1e-11\nstart = { lower = 0.1, upper = -0.05 }\n"


def with_controller(text: str, keys: str) -> fa.Arm:
    return fa.parse_arm(f'{text}\n[[controller]]\nname = "loop"\nsample = {SAMPLE}\noutputs = ["lower.torque"]\n{keys}')


def held(span: float) -> tuple[np.ndarray, np.ndarray]:
    a, b = carriages_in_state_space()
    block = np.zeros((5, 5))
    block[:4, :4], block[:4, 4] = a * span, b * span
    whole = expm(block)
    return whole[:4, :4], whole[:4, 4:]


def fixed_point(phi, gamma, Q, R):
    """K and P by the recursion itself, from the end of time backwards."""
    P = Q.copy()
    for _ in range(20_000):
        K = np.linalg.solve(R + gamma.T @ P @ gamma, gamma.T @ P @ phi)
        P = Q + phi.T @ P @ (phi - gamma @ K)
    return K, P


@pytest.fixture(scope="module")
def damped():
    return fa.read_arm("examples/damped_link.toml")


def test_gains_in_the_file_are_those_of_state_feedback():
    arm = with_controller(
        RAIL, f'kind = "feedback"\ninputs = {SIGNALS}\ngains = [60, -5, 12, -1]\ndelay = "0.35 sample"'
    )
    plain = arm.changed(controllers=())
    names = ["lower.position", "upper.position", "lower.rate", "upper.rate"]
    loop = fa.StateFeedback([[60, -5, 12, -1]], SAMPLE, names, ["lower.torque"], delay="0.35 sample")
    one, other = fa.simulate(arm), fa.simulate(plain, controllers=[loop])
    assert np.array_equal(one["upper.position"], other["upper.position"])
    assert fa.parse_arm(fa.format_arm(arm)) == arm
    assert fa.prepare(arm).run()["upper.position"][-1] == one["upper.position"][-1]


def test_matrices_of_a_numpy_file_are_those_written_out(tmp_path):
    matrices = {"A": [[0.9]], "B": [[0.1, 0.0]], "C": [[-2.0]], "D": [[-30.0, -4.0]]}
    np.savez(tmp_path / "law.npz", **{name: np.array(each) for name, each in matrices.items()})
    keys = 'kind = "state-space"\ninputs = ["lower.position", "lower.rate"]\n'
    written = "\n".join(f"{name} = {each}" for name, each in matrices.items())
    head = f'[[controller]]\nname = "loop"\nsample = {SAMPLE}\noutputs = ["lower.torque"]\n'
    (tmp_path / "arm.toml").write_text(f'{RAIL}\n{head}{keys}file = "law.npz"')
    assert fa.read_arm(tmp_path / "arm.toml") == with_controller(RAIL, keys + written)


@pytest.mark.parametrize("delay", [0, 1, 2])
def test_a_regulator_makes_its_cost_least(delay):
    arm = with_controller(
        RAIL,
        f'kind = "lqr"\nweights = {{ "tip.x" = 50, "lower.rate" = 0.5 }}\neffort = 0.01\ndelay = "{delay} samples"',
    )
    phi, gamma = held(SAMPLE)
    # x and the forces that are on their way
    a, b = np.zeros((4 + delay, 4 + delay)), np.zeros((4 + delay, 1))
    a[:4, :4] = phi
    if delay:
        a[:4, 4:5], b[-1] = gamma, 1.0
        for k in range(delay - 1):
            a[4 + k, 5 + k] = 1.0
    else:
        b[:4] = gamma
    seen = np.zeros((2, 4 + delay))
    seen[0, :2] = 1.0  # the tip is at the sum of both coordinates
    seen[1, 2] = 1.0
    K, _ = fixed_point(a, b, seen.T @ np.diag([50.0, 0.5]) @ seen, np.array([[0.01]]))
    exact = np.linalg.eigvals(a - b @ K)
    found = fa.sampled_poles(arm)
    for pole in exact:
        assert np.abs(found - pole).min() < 1e-7
    # what else there is remembers forces and forgets them at once: zeros of order three, which rounding spreads
    assert np.sort(np.abs(found))[: len(found) - len(exact)] == pytest.approx(0.0, abs=1e-3)


def test_an_observer_and_its_regulator_are_separate():
    keys = """kind = "lqg"
inputs = ["lower.position", "upper.rate"]
weights = { "tip.x" = 50 }
effort = 0.01
noise = { "lower.position" = 1e-3, "upper.rate" = 2e-2 }
disturbance = 0.5
"""
    arm = with_controller(RAIL, keys)
    phi, gamma = held(SAMPLE)
    seen = np.array([[1.0, 1.0, 0.0, 0.0]])
    K, _ = fixed_point(phi, gamma, 50.0 * seen.T @ seen, np.array([[0.01]]))
    C = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
    # the rest of a force that the rigid arm's motion leaves: M⁻¹ b − 1/M₁₁ of the lower coordinate, held over a sample
    a, b = carriages_in_state_space()
    apart = b - np.array([0.0, 0.0, 1.0 / 2.5, 0.0])
    block = np.zeros((5, 5))
    block[:4, :4], block[:4, 4] = a * SAMPLE, apart * SAMPLE
    other = expm(block)[:4, 4:]
    L, _ = fixed_point(phi.T, C.T, 0.25 * (gamma @ gamma.T + other @ other.T), np.diag([1e-6, 4e-4]))
    found = fa.sampled_poles(arm)
    for pole in [*np.linalg.eigvals(phi - gamma @ K), *np.linalg.eigvals(phi - L.T @ C)]:
        assert np.abs(found - pole).min() < 1e-6
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = fa.simulate(arm, end=4.0)
    assert np.abs(run["tip.x"][-1]) < 0.05 * np.abs(run["tip.x"]).max()


@pytest.mark.parametrize("kind", ["low-pass", "notch"])
def test_filters_have_the_response_of_their_analog_originals(kind):
    frequency, ratio, depth, sample = 20.0, 0.4, 0.2, 2e-3
    law = filter_law(SignalFilter(kind=kind, frequency=frequency, ratio=ratio, depth=depth), sample)
    # prewarped: the frequency itself is kept
    w = 2.0 / sample * np.tan(np.pi * frequency * sample)
    top = [w * w] if kind == "low-pass" else [1.0, 2.0 * ratio * depth * w, w * w]
    b, a = bilinear(top, [1.0, 2.0 * ratio * w, w * w], 1.0 / sample)
    z = np.exp(2j * np.pi * sample * np.array([0.0, 3.0, 20.0, 90.0]))
    exact = freqz(b, a, worN=np.angle(z))[1]
    ours = [(law.C @ np.linalg.solve(each * np.eye(2) - law.A, law.B) + law.D)[0, 0] for each in z]
    assert np.abs(np.array(ours) - exact).max() < 1e-10
    if kind == "notch":
        assert abs(ours[2]) == pytest.approx(depth, rel=1e-9)
    # at rest with its first value
    assert law.A @ law.F + law.B == pytest.approx(law.F)


def test_feedforward_is_the_torque_of_the_rigid_arm():
    text = """
planar = true
gravity = [0, -9.81, 0]
[[link]]
name = "rod"
joint = { type = "revolute", motion = "turn" }
length = 1
rigid = { mass = 3, inertia = 0.25, centre = [0.5, 0, 0] }
[motion.turn]
kind = "cycloidal"
travel = "90 deg"
duration = "1 s"
[simulation]
end = "1.2 s"
[[controller]]
name = "loop"
kind = "feedback"
sample = "5 ms"
gains = [0, 0]
feedforward = "KIND"
"""
    motion = fa.parse_arm(text.replace("KIND", "rigid")).motion_of("rod")
    times = 5e-3 * np.arange(240)
    q, _, a = motion.evaluate(times)
    weight = 3.0 * 9.81 * 0.5 * np.cos(q)
    for kind, exact in (("gravity", weight), ("rigid", weight + (0.25 + 3.0 * 0.25) * a)):
        arm = fa.parse_arm(text.replace("KIND", kind))
        run = fa.simulate(arm)
        law = run.arm.torques[run.arm.link("rod").joint.torque]
        given = np.array(law.values)[np.searchsorted(law.times, times + 1e-9) - 1]
        # fitted to 1e-7 of its greatest value
        assert np.abs(given - exact).max() < 1e-5


def test_a_schedule_mixes_its_gains(damped):
    keys = f"""kind = "feedback"
inputs = {SIGNALS}
gains = [60, -5, 12, -1]
schedule = {{ signal = "upper.position", at = ["-0.1 m", "0.1 m"], factors = [1, 2] }}
"""
    arm = with_controller(RAIL, keys)
    for at, factor in ((0.0, 1.5), (0.05, 1.75), (0.4, 2.0)):
        loop = fa.StateFeedback(
            factor * np.array([[60, -5, 12, -1]]),
            SAMPLE,
            ["lower.position", "upper.position", "lower.rate", "upper.rate"],
            ["lower.torque"],
        )
        plain = arm.changed(controllers=())
        assert fa.sampled_poles(arm, posture={"upper": at}) == pytest.approx(
            fa.sampled_poles(plain, [loop], posture={"upper": at}), abs=1e-12
        )
    run = fa.simulate(arm)
    law = run.arm.torques[run.arm.link("lower").joint.torque]
    first = np.array([0.1, -0.05, 0.0, 0.0]) @ np.array([60, -5, 12, -1])
    assert law.values[0] == pytest.approx(-1.25 * first)


def test_a_function_of_a_c_library_is_a_law(tmp_path):
    source, library = tmp_path / "law.c", tmp_path / "law.so"
    source.write_text(
        "void law(double t, const double *y, double *u, double *x)"
        "{ u[0] = -60*y[0] - 12*y[1] + x[0]; x[0] += 0.1*y[1]; }"
    )
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    subprocess.run([str(compiler), "-shared", "-fPIC", "-o", str(library), str(source)], check=True)
    common = 'inputs = ["lower.position", "lower.rate"]\n'
    one = with_controller(RAIL, f'kind = "c"\nstates = 1\nlibrary = "{library}"\n{common}')
    other = with_controller(
        RAIL, f'kind = "state-space"\nA = [[1]]\nB = [[0, 0.1]]\nC = [[1]]\nD = [[-60, -12]]\n{common}'
    )
    # the coordinates start at zero in the model: nothing is taken off them
    assert np.abs(fa.simulate(one)["lower.position"] - fa.simulate(other)["lower.position"]).max() < 1e-12
    missing = with_controller(RAIL, f'kind = "c"\nlibrary = "{library}"\nsymbol = "lost"\n{common}')
    with pytest.raises(fa.FlexarmError, match="lost"):
        fa.simulate(missing)


def test_sensors_are_read_in_the_loop_and_targets_are_those_of_the_command(damped):
    run = fa.simulate(damped)
    torque = run["link.torque"]
    assert run.complete and np.abs(torque).max() < 20.0
    assert run.settling_time("tip", within="2 mm") < 1.5
    # an encoder of four counts alone: proportional torques have their quantum
    coarse = damped.with_("sensor[0].lines", 100)
    gain, quantum = 3.0, 2.0 * np.pi / 400
    keys = {"name": "p", "kind": "feedback", "sample": "1 ms", "inputs": ["encoder.measured"], "gains": [gain]}
    keys["outputs"] = ["link.torque"]
    free = coarse.with_("link[0].joint", {"type": "revolute", "free": True, "at": 0.05})
    run = fa.simulate(free.with_("controller", [keys]), end=0.2, start={"link": 0.5})
    steps = (run["link.torque"] - gain * 0.05) / (gain * quantum)
    assert np.abs(steps - np.round(steps)).max() < 1e-9
    assert len(np.unique(np.round(steps))) > 3
    with pytest.raises(fa.FlexarmError, match="rate of 1000 Hz"):
        fa.simulate(damped.with_("controller[0].sample", "2 ms"))


def test_noise_of_a_plant_is_that_of_its_seed(damped):
    plant = fa.Plant(damped, "1 ms", outputs=["bridge.measured", "link.position"])
    one = [plant.reset(seed=5), plant.step([1.0])]
    other, again = [plant.reset(seed=6), plant.step([1.0])], [plant.reset(seed=5), plant.step([1.0])]
    assert np.array_equal(one, again) and one[0][0] != other[0][0] and one[1][1] == other[1][1]
    saved = plant.save()
    further = plant.step([0.0])
    plant.restore(saved)
    assert np.array_equal(plant.step([0.0]), further)


def test_controllers_of_a_study_are_designed_for_the_nominal_arm(damped):
    text = fa.format_arm(damped.changed(simulation=damped.simulation.changed(end=0.2)))
    drawn = text.replace('mass = "0.2 kg"', 'mass = { uniform = ["0.16 kg", "0.24 kg"] }', 1)
    assert drawn != text
    model = fa.parse_study(drawn)
    rows = fa.montecarlo(model, samples=2, seed=1, outputs=("tip.x@end",), workers=1).table().some(0, 2)
    nominal = fa.parse_arm(text)
    for k, values in enumerate(model.draw(1, 0, 2)):
        arm = model.arm(values)
        run = fa.simulate(arm, controllers=controllers_of(arm, nominal))
        # sampled at other times, so dense output differs in its last digits
        assert next(v for n, v in rows.columns.items() if n.startswith("tip.x"))[k] == pytest.approx(
            run["tip.x"][-1], rel=1e-9
        )
    heavy = nominal.with_("link[0].payload[0].mass", "0.24 kg")
    own, known = bound_to(heavy, controllers_of(heavy)), bound_to(heavy, controllers_of(heavy, nominal))
    exact = bound_to(nominal, controllers_of(nominal))
    assert np.array_equal(known[0].law.numbers, exact[0].law.numbers)
    assert np.abs(own[0].law.numbers - exact[0].law.numbers).max() > 1e-6


@pytest.mark.parametrize("verb", [fa.modes, fa.linearise, fa.statics, fa.brake, fa.shape, fa.compare])
def test_verbs_in_which_controllers_take_no_part_say_so(damped, verb):
    with pytest.raises(fa.FlexarmError, match="the arm has controllers"):
        verb(damped)


def test_verbs_take_the_arm_with_its_joints_locked(damped):
    assert fa.modes(damped, joints="locked", count=1).frequencies_hz[0] > 1.0
    assert fa.linearise(damped, joints="driven").A.shape[0] > 2
    assert fa.check(damped) is not None


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ('kind = "pid"', ("kp is missing",)),
        ('kind = "pdi"\nkp = 1', ("kind", "pid")),
        ('kind = "pid"\nkp = 1\ngains = [1]', ("gains", "feedback")),
        ('kind = "feedback"\ngains = [[1, 2], [3]]', ("gains", "rows")),
        ('kind = "feedback"\ngains = [1, 2]\noutputs = ["loer.torque"]', ("outputs[0]", "lower.torque")),
        ('kind = "feedback"\ngains = [1, 2]\njitter = 1', ("jitter", "sample")),
        ('kind = "feedback"\ngains = [1, 2]\ndelay = "one sample"', ("delay", "1 sample")),
        ('kind = "lqg"\nweights = { "tip.x" = 1 }', ("inputs is missing",)),
        ('kind = "state-space"', ("D is missing",)),
        ('kind = "state-space"\nfile = "none.npz"', ("none.npz", "cannot be read")),
        (
            'kind = "feedback"\ngains = [1, 2]\nfilter = [{ kind = "notch", frequency = "600 Hz" }]',
            ("half the samples",),
        ),
        (
            'kind = "feedback"\ngains = [1, 2]\nfilter = [{ kind = "notch", frequency = 1, of = "a" }]',
            ("of is", "inputs"),
        ),
        ('kind = "feedback"\ngains = [1, 2]\nschedule = { signal = "upper.position", at = [1, 2] }', ("factors",)),
    ],
)
def test_what_makes_no_sense_is_refused_where_it_stands(keys, words):
    outputs = "" if "outputs" in keys else 'outputs = ["lower.torque"]\n'
    with pytest.raises(fa.ModelError) as refused:
        fa.parse_arm(f'{CARRIAGES}\n[[controller]]\nname = "loop"\nsample = "1 ms"\n{outputs}{keys}')
    text = str(refused.value)
    assert "controller[0]" in text and all(word in text for word in words), text


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ('kind = "feedback"\ngains = [1, 2, 3]', ("loop", "(1, 3)", "(1, 2)")),
        ('kind = "feedback"\ngains = [1]\ninputs = ["tipp.x"]', ("tipp.x",)),
        ('kind = "lqr"\nweights = { "tip.speed" = 1 }', ("loop", "tip.speed", "not linear")),
        ('kind = "feedback"\ngains = [1, 1]\nsample = "9 s"', ("sample", "end")),
    ],
)
def test_what_does_not_fit_the_arm_is_refused_when_it_is_run(keys, words):
    sample = "" if "sample" in keys else "sample = 0.02\n"
    arm = fa.parse_arm(f'{RAIL}\n[[controller]]\nname = "loop"\n{sample}outputs = ["lower.torque"]\n{keys}')
    with pytest.raises(fa.FlexarmError) as refused:
        fa.simulate(arm)
    assert all(word in str(refused.value) for word in words), str(refused.value)
