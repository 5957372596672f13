"""Runs of arms with flexible bodies: SciPy on Lagrange's equations, orders, and what physics keeps."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from flexarm.core.sweeps.dynamics import spring_matrices
from flexarm.core.time.loop import advance
from flexarm.core.time.memory import new_memory, new_output
from flexarm.core.tree.build import Body
from flexarm.core.tree.elastic import Attachment
from flexarm.core.tree.types import S_REST, Laws
from tests.oracles import flexible

from .flexible_trees import X, Y, flexible_engine, swinging_beams, swinging_start
from .runs import begin, commands, fitted_order, run, settings

EITHER = pytest.mark.parametrize("planar", [False, True], ids=["spatial", "planar"])
ORDERS = {"esdirk4": 4.0, "newmark": 2.0, "alpha": 2.0}
DOWN = np.array([0.0, -9.81, 0.0])


# --- Against SciPy and against itself --------------------------------------------------------------------------------


@EITHER
def test_a_small_arm_moves_as_lagranges_equations_say(planar):
    # hub, beam and elbow; in 50 ms the elbow turns by a quarter and the beam bends to and fro
    bodies, end = swinging_beams(planar, damping=1.0)[:3], 0.05
    n = flexible.freedoms(bodies)
    q, v = (part[:n] for part in swinging_start(planar))

    def rhs(_: float, y: np.ndarray) -> np.ndarray:
        return np.concatenate([y[n:], flexible.accelerations(bodies, DOWN, y[:n], y[n:], np.zeros(n))[0]])

    expected = solve_ivp(rhs, (0.0, end), np.concatenate([q, v]), method="DOP853", rtol=1e-9, atol=1e-10).y[:, -1]
    tree = flexible_engine(bodies, planar, gravity=DOWN).tree
    out = run(tree, settings("esdirk4", end, step=end / 400), q, v, np.array([end])).output
    # coordinates of a few tenths and rates of ten, at the tolerance of the reference and h⁴ of the steps
    np.testing.assert_allclose(out.q[0], expected[:n], rtol=0, atol=2e-11)
    np.testing.assert_allclose(out.v[0], expected[n:], rtol=0, atol=5e-9)


@lru_cache(maxsize=4)
def exact(planar: bool, end: float) -> np.ndarray:
    """Coordinates and rates (2, nq) at the end, by fourth order at steps of 20 µs: 1e-12."""
    tree = flexible_engine(swinging_beams(planar, 0.3), planar, gravity=DOWN).tree
    out = run(tree, settings("esdirk4", end, step=2e-5), *swinging_start(planar), np.array([end])).output
    return np.array([out.q[0], out.v[0]])


@EITHER
@pytest.mark.parametrize(("stepper", "cuts"), [("esdirk4", 100), ("newmark", 800), ("alpha", 800)])
def test_fixed_steps_converge_with_the_order_of_the_method(stepper, cuts, planar):
    end = 0.15
    tree = flexible_engine(swinging_beams(planar, 0.3), planar, gravity=DOWN).tree
    # the fastest bending turns by half a radian in the longest step, by a sixteenth for those of second order
    steps = end / (cuts * np.array([1, 2, 4, 8]))
    errors = []
    for step in steps:
        motion = run(tree, settings(stepper, end, step=step), *swinging_start(planar), np.array([end]))
        assert (motion.status, motion.steps) == (0, round(end / step))
        errors.append([np.abs(motion.output[k][0] - exact(planar, end)[k - 1]).max() for k in (1, 2)])
    for what in np.transpose(errors):
        assert fitted_order(steps, what) == pytest.approx(ORDERS[stepper], abs=0.15)


@EITHER
def test_an_adaptive_run_keeps_its_tolerance(planar):
    end = 0.15
    tree = flexible_engine(swinging_beams(planar, 0.3), planar, gravity=DOWN).tree
    for tolerance in (1e-6, 1e-8, 1e-10):
        motion = run(tree, settings("esdirk4", end, step_error=tolerance), *swinging_start(planar), np.array([end]))
        assert motion.status == 0
        # what is controlled is the error of a step, and errors of some hundred steps add up
        assert np.abs(motion.output.q[0] - exact(planar, end)[0]).max() < 50 * tolerance


# --- The inner iteration of the second-order family ------------------------------------------------------------------


@EITHER
def test_newmarks_iteration_ends_when_the_unbalanced_work_has_fallen(planar):
    bodies, h = swinging_beams(planar, damping=2.0), 0.02
    engine = flexible_engine(bodies, planar, gravity=DOWN)
    q, v = swinging_start(planar)
    memory = new_memory(engine.tree)
    memory.states.q[:], memory.states.v[:] = q, v
    assert begin(engine.tree, engine.loads, engine.laws, commands(), memory) == 0
    a = memory.states.a.copy()
    ratios = work_ratios(bodies, *spring_matrices(engine.tree), engine.tree.spring[:, S_REST], q, v, a, h)
    assert ratios[3] < 1e-3 * ratios[2] < 1e-6 * ratios[1]
    for k in (1, 2):
        for factor, passes in ((1.001, k + 1), (0.999, k + 2)):
            again = memory._replace(state=memory.state.copy(), clock=memory.clock.copy(), counter=memory.counter.copy())
            control = settings("newmark", h, step=h)._replace(iteration_tolerance=factor * ratios[k])
            output = new_output(np.array([h]), engine.nq)
            assert advance(engine.tree, engine.loads, engine.laws, commands(), control, again, output, 1) == 0
            assert again.counts.sweeps[0] == passes


def work_ratios(
    bodies: list[Body],
    K: np.ndarray,
    D: np.ndarray,
    rest: np.ndarray,
    q: np.ndarray,
    v: np.ndarray,
    a: np.ndarray,
    h: float,
) -> np.ndarray:
    """Work δxᵀ(M + γhD + βh²K)δx of each iteration of a step by (17), as a part of the first's, from dense matrices."""
    gh, bh2 = 0.5 * h, 0.25 * h * h
    speed, at, x, works = v + gh * a, q + h * v + bh2 * a, a, []
    for _ in range(6):
        qi, vi = at + bh2 * x, speed + gh * x
        J = flexible.mass_matrix(bodies, qi) + gh * D + bh2 * K
        bias = flexible.bias(bodies, DOWN, qi, vi) - K @ (qi - rest) - D @ vi
        new = np.linalg.solve(J, -bias - D @ speed - K @ (at - rest))
        works.append((new - x) @ J @ (new - x))
        x = new
    return np.array(works) / works[0]


@EITHER
def test_newmark_meets_equilibrium_at_the_end_of_every_step(planar):
    engine = flexible_engine(swinging_beams(planar, 0.5), planar, gravity=DOWN)
    times = np.arange(1, 21) * 0.005
    out = run(engine.tree, settings("newmark", 0.1, step=0.005), *swinging_start(planar), times).output
    for q, v, a in zip(out.q, out.v, out.a, strict=True):
        assert np.abs(engine.inverse(q, v, a)).max() < 1e-8  # of forces of the order of 10 N m


# --- What physics keeps ----------------------------------------------------------------------------------------------


@EITHER
def test_energy_of_an_undamped_arm_is_kept(planar):
    bodies = swinging_beams(planar)
    tree = flexible_engine(bodies, planar, gravity=DOWN).tree
    # at h = 0.25 ms the h⁴ error of the steps is some 1e-11 of the energy that is exchanged
    times = np.linspace(0.0, 1.5, 31)
    out = run(tree, settings("esdirk4", 1.5, step=2.5e-4), *swinging_start(planar), times).output
    stored = np.array([flexible.energy(bodies, DOWN, q, v) for q, v in zip(out.q, out.v, strict=True)])
    assert np.ptp(stored[:, 0]) > 5.0 and np.ptp(stored[:, 1]) > 1.0
    assert np.ptp(stored.sum(axis=1)) < 1e-9 * stored[:, 0].max()


def free_flyer() -> list[Body]:
    """The planar arm on a hub that slides along x and y and turns freely; its elbow and its beams are damped."""
    slides = [Body(-1, "prismatic", axis=X), Body(0, "prismatic", axis=Y)]
    hub = Body(1, "revolute", mass=0.5, inertia=0.05 * np.eye(3))
    arm = [replace(body, parent=body.parent + 2) for body in swinging_beams(True, damping=0.3)[1:]]
    return [*slides, hub, *arm]


def momentum(bodies: list[Body], q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Linear momentum (3,) (kg m/s), summed over rigid bodies and the stations of beams."""
    total = np.zeros(3)
    for i, body in enumerate(bodies):
        total += body.mass * flexible.point(bodies, q, v, 0 * v, i, None, body.centre).velocity
        if body.elastic is not None:
            beam = body.elastic
            for mass, *rows in zip(beam.mass, beam.x, beam.phi, beam.psi, beam.shortening, strict=True):
                total += mass * flexible.point(bodies, q, v, 0 * v, i, Attachment(*rows)).velocity
    return total


@EITHER
def test_an_arm_that_flies_freely_keeps_its_momentum(planar):
    bodies = free_flyer()
    tree = flexible_engine(bodies, planar, gravity=np.zeros(3)).tree
    q, v = swinging_start(True)
    q, v = np.concatenate([[0.2, -0.1], q]), np.concatenate([[0.5, 0.3], v])
    # what the arm does to itself at its elbow changes no momentum
    laws = Laws(np.array([0, 1]), np.array([[0.0, 2.0, 7.0, 0.3, 0.0]]))
    elbow = 3 + bodies[3].coordinates
    times = np.linspace(0.0, 1.0, 6)
    control, command = settings("esdirk4", 1.0, step=2.5e-4), commands(torque=[(elbow, 0)])
    out = run(tree, control, q, v, times, laws=laws, command=command).output
    linear = np.array([momentum(bodies, *state)[:2] for state in zip(out.q, out.v, strict=True)])
    # about the base's origin: that of the hub's angle and that of its place
    generalised = [flexible.mass_matrix(bodies, q) @ v for q, v in zip(out.q, out.v, strict=True)]
    angular = [p[2] + q[0] * p[1] - q[1] * p[0] for p, q in zip(generalised, out.q, strict=True)]
    assert np.ptp(out.q, axis=0)[[0, 1, 2, elbow]].min() > 0.2
    assert np.ptp(linear, axis=0).max() < 1e-9 * np.abs(linear).max()
    assert np.ptp(angular) < 1e-9 * np.abs(angular).max()
