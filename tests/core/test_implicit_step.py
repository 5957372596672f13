"""One sweep inside an implicit step solves the dense equation (17) of NOTATION, whatever is free or driven."""

from __future__ import annotations

import numpy as np
import pytest

from flexarm.core.sweeps.dynamics import solve
from flexarm.core.time.loop import advance
from flexarm.core.time.memory import new_memory, new_output

from .runs import begin, commands, run, settings
from .swing import START, swinging_engine
from .trees import Engine, bare, planar_engine, random_bodies, random_pushes, random_state, spatial_engine

STEP = 0.03
GAMMA, BETA = 0.25, 0.0625  # of ESDIRK4


def swept(engine: Engine, kernel, state: np.ndarray, predicted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Accelerations and forces of driven coordinates by one sweep; `predicted` holds q*, v*."""
    q, v, a, tau = state.copy()
    drive = np.full(engine.nq, np.nan)
    at_predictor = (*predicted.copy(), GAMMA * STEP, BETA * STEP**2)
    status = kernel(engine.tree, engine.loads, engine.laws, 0.0, False, q, v, a, tau, *at_predictor, drive, engine.work)
    assert status == 0
    return a, drive


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("planar", [False, True], ids=["spatial", "planar"])
def test_one_sweep_is_the_dense_solve_of_the_modified_newton_step(planar, seed):
    bodies = random_bodies(seed, planar=planar, driven=0.25)
    pushes = random_pushes(seed, bodies, planar=planar)
    engine = (planar_engine if planar else spatial_engine)(bodies, pushes=pushes)
    state = random_state(seed, bodies)
    predicted = np.random.default_rng(seed).standard_normal((2, engine.nq))
    q, v, a, tau = state
    k, d, rest, _, _, is_driven, *_ = engine.tree.spring.T
    driven = is_driven == 1.0
    free = ~driven
    M, bias = engine.mass(q), Engine(bare(engine.tree), engine.loads).inverse(q, v, 0 * a)
    # (17): [ M + γhD + βh²K ] x = τ − b − D v* − K (q* − q0), the driven columns on the right
    left = (M + np.diag(GAMMA * STEP * d + BETA * STEP**2 * k))[np.ix_(free, free)]
    right = (tau - bias - d * predicted[1] - k * (predicted[0] - rest))[free] - M[np.ix_(free, driven)] @ a[driven]
    expected = a.copy()
    expected[free] = np.linalg.solve(left, right)
    found, drive = swept(engine, solve, state, predicted)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-11 * np.abs(expected).max())
    # the force of a driven joint is that of the accelerations just found, its spring at its own commanded place
    force = M @ expected + bias + d * v + k * (q - rest)
    np.testing.assert_allclose(drive[driven], force[driven], rtol=0, atol=1e-11 * np.abs(force).max())


@pytest.mark.parametrize("shape", ["planar", "spatial"])
def test_newmark_meets_equilibrium_at_the_end_of_every_step(shape):
    engine = swinging_engine(shape, 0.3)
    times = np.arange(1, 21) * 0.01
    out = run(engine.tree, settings("newmark", 0.2, step=0.01), *START, times).output
    for q, v, a in zip(out.q, out.v, out.a, strict=True):
        assert np.abs(engine.inverse(q, v, a)).max() < 1e-8  # of forces of the order of 10 N m
    # (21): average acceleration
    np.testing.assert_allclose(np.diff(out.v, axis=0), 0.005 * (out.a[1:] + out.a[:-1]), atol=1e-12)
    np.testing.assert_allclose(np.diff(out.q, axis=0), 0.005 * (out.v[1:] + out.v[:-1]), atol=1e-13)


def test_a_stiff_and_heavily_damped_joint_is_stepped_over_without_a_tremor():
    # ωh = 30 and ζ = 5: an L-stable method forgets such a mode within a step or two
    engine = swinging_engine("planar", 0.0)
    spring = engine.tree.spring.copy()
    spring[1, :2] = 1e7, 1e5
    tree = engine.tree._replace(spring=spring)
    out = run(tree, settings("esdirk4", 1.0, step=0.01), *START, np.linspace(0, 1, 101)).output
    assert np.abs(out.q[20:, 1] - 0.1).max() < 1e-4
    assert np.abs(out.v[20:, 1]).max() < 1e-3


@pytest.mark.parametrize("step", [0.01, 0.05])
def test_the_first_step_is_iterated_like_any_other(step):
    engine, ends = swinging_engine("planar"), []
    for rate_before in (None, 0.5):
        memory, output = new_memory(engine.tree), new_output(np.array([step]), engine.nq)
        memory.states.q[:], memory.states.v[:] = START
        given = (engine.tree, engine.loads, engine.laws, commands())
        begin(*given, memory)
        if rate_before is not None:
            memory.clocks.theta[:] = rate_before  # expecting slow convergence, it iterates until it sees the end
        assert advance(*given, settings("esdirk4", step, step=step), memory, output, 1) == 0
        ends.append(np.concatenate([output.q[0], output.v[0]]))
    # iterated to rounding in both cases: 1e-14 m in the stages, a step less in the rates
    np.testing.assert_allclose(ends[0], ends[1], rtol=0, atol=1e-10)
