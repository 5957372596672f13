"""Steps end on the switches of a command and begin anew behind them."""

from __future__ import annotations

import numpy as np
import pytest

from flexarm.core.time.loop import advance
from flexarm.core.time.memory import new_memory, new_output
from flexarm.core.tree.build import Body, build_tree
from flexarm.core.tree.types import RUNNING, Laws, no_loads

from .runs import STEPPERS, commands, fitted_order, run, settings
from .swing import START, swinging_engine

INERTIA, TORQUE = 0.8, 2.0
SWITCHES = (0.0, 0.2371, 0.6133)  # no whole number of any step used below
END = 1.0


def bang_bang() -> Laws:
    """Torque on, reversed, off."""
    piece = np.zeros((3, 5))
    piece[:, 0], piece[:, 4] = SWITCHES, (TORQUE, -TORQUE, 0.0)
    return Laws(np.array([0, 3]), piece)


def exact(t: np.ndarray) -> np.ndarray:
    """Angle, rate and (right) acceleration (3, len(t)) of a rotor under the torque."""
    q = v = 0.0
    out = np.zeros((3, len(t)))
    for begin, end, torque in zip(SWITCHES, (*SWITCHES[1:], np.inf), (TORQUE, -TORQUE, 0.0), strict=True):
        a = torque / INERTIA
        inside = (t >= begin) & (t < end)
        s = t[inside] - begin
        out[:, inside] = q + v * s + 0.5 * a * s**2, v + a * s, a + 0 * s
        if np.isfinite(end):
            q, v = q + v * (end - begin) + 0.5 * a * (end - begin) ** 2, v + a * (end - begin)
    return out


def rotor():
    """One body that turns against nothing."""
    return build_tree([Body(-1, "revolute", inertia=INERTIA * np.eye(3))], gravity=np.zeros(3))[0]


TIMES = np.linspace(0.0, END, 1001)


@pytest.mark.parametrize("stepper", STEPPERS)
@pytest.mark.parametrize("step", [0.0, 0.3, 0.0171])
def test_piecewise_constant_torques_are_integrated_exactly(stepper, step):
    command = commands(torque=[(0, 0)], switches=SWITCHES)
    control = settings(stepper, END, step=step, step_error=1e-6)
    out = run(rotor(), control, np.zeros(1), np.zeros(1), TIMES, laws=bang_bang(), command=command).output
    # every method integrates a parabola without error
    np.testing.assert_allclose(np.transpose([out.q[:, 0], out.v[:, 0]]), exact(TIMES)[:2].T, atol=1e-13)


def test_a_switch_inside_a_step_would_cost_seven_digits():
    found = {}
    for name, switches in (("hit", SWITCHES), ("missed", ())):
        command = commands(torque=[(0, 0)], switches=switches)
        control = settings("esdirk4", END, step=0.0171)
        out = run(rotor(), control, np.zeros(1), np.zeros(1), TIMES, laws=bang_bang(), command=command).output
        found[name] = np.abs(out.q[:, 0] - exact(TIMES)[0]).max()
    assert found["missed"] > 1e-4
    assert found["hit"] < 1e-7 * found["missed"]


def test_a_sample_on_a_switch_is_the_end_of_the_step_before_it():
    eps = 1e-9
    times = np.sort([s + d for s in SWITCHES[1:] for d in (-eps, 0.0, eps)])
    command = commands(torque=[(0, 0)], switches=SWITCHES)
    control = settings("esdirk4", END, step=0.0171)
    out = run(rotor(), control, np.zeros(1), np.zeros(1), times, laws=bang_bang(), command=command).output
    a = TORQUE / INERTIA
    np.testing.assert_allclose(out.a[:, 0], [a, a, -a, -a, -a, 0.0], atol=1e-9)
    # position and rate do not jump
    np.testing.assert_allclose(np.diff(out.v[:, 0].reshape(2, 3), axis=1), 0.0, atol=3 * eps * a)


def driven_swing():
    """The swinging arm with its base joint driven by a bang-bang motion (methods' order must survive its switches)."""
    engine = swinging_engine("planar")
    spring, topology = engine.tree.spring.copy(), engine.tree.topology.copy()
    spring[0, 5], topology[1, 3] = 1.0, 1
    begin, turn = 0.0937, 0.2811
    rate = 20.0 * (turn - begin)
    piece = np.zeros((3, 7))
    piece[:, 0] = 0.0, begin, turn
    piece[0, 4] = piece[1, 4] = START[0][0]
    piece[1, 6] = 10.0
    piece[2, 4:] = START[0][0] + 10.0 * (turn - begin) ** 2, rate, -10.0
    laws = Laws(np.array([0, 3]), piece)
    return engine.tree._replace(spring=spring, topology=topology), laws, (begin, turn)


@pytest.mark.parametrize(("stepper", "order"), [("esdirk4", 4.0), ("newmark", 2.0), ("alpha", 2.0)])
def test_jumps_of_a_driven_acceleration_do_not_cost_the_order(stepper, order):
    tree, laws, switches = driven_swing()
    command = commands(motion=[(0, 0)], switches=switches)
    q, v = START[0].copy(), START[1].copy()
    v[0] = 0.0

    def end_state(method: str, step: float) -> np.ndarray:
        out = run(tree, settings(method, 0.5, step=step), q, v, np.array([0.5]), laws=laws, command=command).output
        return np.concatenate([out.q[0], out.v[0]])

    steps = 0.5 / np.array([64, 128, 256, 512])
    fine = end_state("esdirk4", 0.5 / 8192)
    errors = [np.abs(end_state(stepper, step) - fine).max() for step in steps]
    # the last step before each switch is cut, so the fit wavers a little more than on an even grid
    assert fitted_order(steps, errors) == pytest.approx(order, abs=0.25)


def test_a_run_taken_up_again_after_every_step_is_the_same_run():
    tree, laws, switches = driven_swing()
    command = commands(motion=[(0, 0)], switches=switches)
    control = settings("esdirk4", 0.5, step_error=1e-8)
    times = np.linspace(0.001, 0.5, 50)
    ends = []
    for portion in (1, 7, 10**6):
        memory, output = new_memory(tree), new_output(times, 4)
        memory.states.q[:], memory.states.v[:] = START
        memory.states.v[0] = 0.0
        while advance(tree, no_loads(), laws, command, control, memory, output, portion) == RUNNING:
            pass
        ends.append(np.concatenate([output.q, output.v, output.a], axis=1))
    np.testing.assert_array_equal(ends[0], ends[2])
    np.testing.assert_array_equal(ends[1], ends[2])
