"""Trees with flexible bodies that cannot be moved are reported by a status, never by a crash or a silent NaN."""

from __future__ import annotations

import numpy as np
import pytest

from flexarm.core.sweeps.dynamics import aba, solve
from flexarm.core.time.loop import advance
from flexarm.core.time.memory import new_memory, new_output
from flexarm.core.tree.build import Body
from flexarm.core.tree.elastic import Elastic
from flexarm.core.tree.types import NOT_FINITE, NOT_POSITIVE, OK
from tests.oracles import flexible

from .flexible_trees import Shapes, flexible_engine, swinging_beams, swinging_start
from .runs import begin, commands, run, settings
from .trees import Engine

EITHER = pytest.mark.parametrize("planar", [False, True], ids=["spatial", "planar"])
DOWN = np.array([0.0, -9.81, 0.0])
STATIONS = (np.arange(20) + 0.5) / 20


def pinned(n: int, rotor: float = 0.0) -> list[Body]:
    """A beam of a kilogram and a metre on a free joint, bending in n waves of the plane, the joint without inertia.

    A rich set of shapes can hold the beam still in space while the joint turns: kinetic energy of second order, which
    is no square, then falls below zero at a bend that is small.
    """
    slope, none = np.zeros((2, n, n)), np.zeros((n, n))
    slope[0] = np.eye(n)
    shapes = Shapes(1.0, slope, 0 * slope, none, none, none)
    phi, psi, shortening = (np.array(part) for part in zip(*map(shapes.rows, STATIONS), strict=True))
    stiffness = np.diag(5.0 * np.arange(1.0, n + 1) ** 4)
    beam = Elastic(np.full(20, 0.05), STATIONS, np.zeros((20, 3)), phi, psi, shortening, stiffness, none)
    return [Body(-1, "revolute", rotor=rotor), Body(0, elastic=beam)]


def forward(engine: Engine, q: np.ndarray, v: np.ndarray) -> tuple[int, np.ndarray]:
    """Status and accelerations without any push."""
    a, drive = np.zeros((2, engine.nq))
    return aba(engine.tree, engine.loads, engine.laws, 0.0, q, v, a, np.zeros(engine.nq), drive, engine.work), a


@EITHER
@pytest.mark.parametrize("rotor", [0.0, 0.01])
@pytest.mark.parametrize("n", [1, 2, 4, 6])
def test_inertia_that_is_not_positive_is_reported_just_where_lagranges_is_not(n, rotor, planar):
    bodies = pinned(n, rotor)
    engine = flexible_engine(bodies, planar, gravity=DOWN)
    answers = []
    for bend in np.linspace(0.0, 1.0, 21):
        q = np.zeros(engine.nq)
        q[1] = bend
        positive = np.linalg.eigvalsh(flexible.mass_matrix(bodies, q))[0] > 0
        status, a = forward(engine, q, np.zeros(engine.nq))
        assert status == (OK if positive else NOT_POSITIVE)
        assert np.all(np.isfinite(a)) == positive
        answers.append(positive)
    # straight it is positive; bent far enough the rich bases are not, rotor or none
    assert answers[0]
    assert n == 1 or not answers[-1]


@EITHER
@pytest.mark.parametrize("stepper", ["esdirk4", "newmark"])
def test_a_run_into_inertia_that_is_not_positive_ends_there_with_what_it_reached(stepper, planar):
    # falling from the horizontal the soft beam bends by 4 % of its length in 60 ms
    bodies, end = pinned(6), 1.0
    engine = flexible_engine(bodies, planar, gravity=DOWN)
    times = np.linspace(0.0, end, 201)
    start = np.zeros((2, engine.nq))
    motion = run(engine.tree, settings(stepper, end, step_error=1e-8), *start, times)
    reached = motion.memory.clocks.time[0]
    assert motion.status == NOT_POSITIVE
    assert 0.03 < reached < 0.1
    seen = times <= reached
    assert np.all(np.isfinite(motion.output.q[seen])) and np.all(np.isnan(motion.output.q[~seen]))
    # at the last state inertia is about to vanish, and a rotor of a hundredth of m L² has it run on
    smallest = [np.linalg.eigvalsh(flexible.mass_matrix(bodies, q))[0] for q in (start[0], motion.memory.states.q)]
    assert 0 < smallest[1] < 0.05 * smallest[0]
    saved = flexible_engine(pinned(6, rotor=0.01), planar, gravity=DOWN)
    assert run(saved.tree, settings(stepper, 0.2, step_error=1e-8), *start, np.array([0.2])).status == OK


@EITHER
def test_a_shape_without_inertia_needs_an_implicit_step(planar):
    bodies = pinned(2, rotor=0.5)
    beam = bodies[1].elastic
    assert beam is not None
    phi, psi = beam.phi.copy(), beam.psi.copy()
    phi[..., 1], psi[..., 1] = 0.0, 0.0
    still = Elastic(beam.mass, beam.x, beam.rotary, phi, psi, 0 * beam.shortening, beam.stiffness, beam.damping)
    engine = flexible_engine([bodies[0], Body(0, elastic=still)], planar, gravity=DOWN)
    zero = np.zeros(3)
    assert forward(engine, zero, zero)[0] == NOT_POSITIVE
    a, drive = np.zeros((2, 3))
    given = (engine.tree, engine.loads, engine.laws, 0.0, False)
    displaced = np.array([0.0, 0.0, 0.3])
    assert solve(*given, zero, zero, a, zero, displaced, zero, 0.01, 1e-4, drive, engine.work) == OK
    # βh² k x = −k q*: one step takes it to where its spring is at rest
    assert a[2] == pytest.approx(-0.3 / 1e-4, rel=1e-14)


@EITHER
@pytest.mark.parametrize("row", ["q", "v"], ids=["place", "rate"])
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_state_that_is_not_finite_is_reported(planar, row, value):
    engine = flexible_engine(swinging_beams(planar, 0.3), planar, gravity=DOWN)
    given = (engine.tree, engine.loads, engine.laws, commands())
    for c in range(engine.nq):
        memory = new_memory(engine.tree)
        memory.states.q[:], memory.states.v[:] = swinging_start(planar)
        getattr(memory.states, row)[c] = value
        assert begin(*given, memory) in (NOT_FINITE, NOT_POSITIVE)


@EITHER
@pytest.mark.parametrize("step", [0.0, 1e-3], ids=["adaptive", "fixed"])
@pytest.mark.parametrize("stepper", ["esdirk4", "newmark"])
def test_a_run_whose_state_is_lost_ends_at_once(planar, stepper, step):
    engine = flexible_engine(swinging_beams(planar, 0.3), planar, gravity=DOWN)
    given = (engine.tree, engine.loads, engine.laws, commands())
    for c in range(engine.nq):
        memory, output = new_memory(engine.tree), new_output(np.array([0.0, 0.1]), engine.nq)
        memory.states.q[:], memory.states.v[:] = swinging_start(planar)
        assert begin(*given, memory) == OK
        memory.states.q[c] = np.nan
        status = advance(*given, settings(stepper, 0.1, step=step), memory, output, 1000)
        assert status in (NOT_FINITE, NOT_POSITIVE)
        assert memory.clocks.time[0] == 0.0
        assert np.all(np.isnan(output.q))
