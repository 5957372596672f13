"""Powers and the energy balance of trees with flexible bodies: drives, servos, loads and dampers, in beams too."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from flexarm.core.sweeps.dynamics import energy, new_work
from flexarm.core.time.loop import advance
from flexarm.core.time.memory import new_memory, new_output
from flexarm.core.tree.build import Body
from flexarm.core.tree.types import Laws
from tests.oracles import flexible

from .flexible_trees import (
    flexible_engine,
    gravity_of,
    random_flexible_state,
    random_flexible_tree,
    random_wrenches,
    swinging_beams,
    swinging_start,
)
from .runs import Motion, begin, commands, fitted_order, run, settings
from .trees import Engine

EITHER = pytest.mark.parametrize("planar", [False, True], ids=["spatial", "planar"])
ORDERS = {"esdirk4": 4.0, "newmark": 2.0, "alpha": 2.0}
DOWN = np.array([0.0, -9.81, 0.0])
SERVO = (30.0, 2.5)  # kp (N m/rad), kv (N m s/rad)


def with_servos(bodies: list[Body], which: list[int]) -> list[Body]:
    """The bodies with a servo at some joints, whose gains are springs and dampers among those of the joint."""
    kp, kv = SERVO
    return [
        replace(body, stiffness=body.stiffness + kp, damping=body.damping + kv, gains=SERVO) if i in which else body
        for i, body in enumerate(bodies)
    ]


def polynomials(*rows: tuple[float, float, float]) -> Laws:
    """Laws by value, rate and acceleration at t = 0."""
    piece = np.zeros((len(rows), 7))
    piece[:, 4:] = np.array(rows).reshape(-1, 3) * [1.0, 1.0, 0.5]
    return Laws(np.arange(len(rows) + 1), piece)


# --- Powers at one state ---------------------------------------------------------------------------------------------


@EITHER
@pytest.mark.parametrize("seed", range(12))
def test_powers_are_those_of_the_forces_of_lagrange(seed, planar):
    bodies, gravity = random_flexible_tree(seed, planar, 0.4), gravity_of(planar)
    loads = random_wrenches(seed, bodies, 8, planar)
    q, v, a, tau = random_flexible_state(seed, bodies)
    held = flexible.driven_columns(bodies)
    # free joints are pushed and served by turns
    columns = flexible.columns(bodies)
    free = [i for i, body in enumerate(bodies) if body.kind != "fixed" and not body.driven]
    pushed, served = ([columns[i].start for i in part] for part in (free[::2], free[1::2]))
    driven = np.flatnonzero(held)
    factor, wanted, wanted_rate = 1.7, 0.3 * tau, 0.3 * a  # of the loads; what a servo is commanded
    laws = polynomials(
        (factor, 0, 0),
        *zip(q[driven], v[driven], a[driven], strict=True),
        *((tau[c], 0, 0) for c in pushed),
        *((wanted[c], wanted_rate[c], 0) for c in served),
    )
    numbers = iter(range(1, 1 + len(driven) + len(pushed) + len(served)))
    command = commands(
        motion=[(c, next(numbers)) for c in driven],
        torque=[(c, next(numbers)) for c in pushed],
        servo=[(c, next(numbers)) for c in served],
        gains=[(*SERVO, bodies[i].rest) for i in free[1::2]],
    )
    engine = flexible_engine(with_servos(bodies, free[1::2]), planar, loads, law=0)
    memory = new_memory(engine.tree)
    memory.states.q[:], memory.states.v[:] = q, v
    assert begin(engine.tree, engine.loads, laws, command, memory) == 0

    push = np.zeros(q.size)
    push[pushed] = tau[pushed]
    push[served] = (SERVO[0] * (wanted - q) + SERVO[1] * (wanted_rate - v))[served]
    scaled = [replace(load, force=factor * load.force, moment=factor * load.moment) for load in loads]
    found, force = flexible.accelerations(bodies, gravity, q, v, push, held, a, scaled)
    # solving loses the digits of the condition of the mass matrix
    np.testing.assert_allclose(memory.states.a, found, rtol=0, atol=1e-10 * np.abs(found).max())
    scale = 1e-10 * np.abs(force * v).sum()
    assert memory.energies.power[0] == pytest.approx(force @ v, abs=scale)
    by_load = flexible.load_force(bodies, q, scaled) * v
    assert memory.energies.power[1] == pytest.approx(by_load.sum(), abs=1e-12 * np.abs(by_load).sum())
    assert memory.energies.power[2] == pytest.approx(flexible.damping_force(bodies, v) @ v, rel=1e-12)


@EITHER
@pytest.mark.parametrize("seed", range(4))
def test_gains_of_servos_store_nothing(seed, planar):
    bodies = random_flexible_tree(seed, planar)
    joints = [i for i, body in enumerate(bodies) if body.kind != "fixed"]
    q, v, _, _ = random_flexible_state(seed, bodies)
    found = flexible_engine(with_servos(bodies, joints), planar).energy(q, v)
    np.testing.assert_allclose(found, flexible.energy(bodies, gravity_of(planar), q, v), rtol=1e-12)


# --- The book of a run -----------------------------------------------------------------------------------------------


def everything(planar: bool, stepper: str, step: float, end: float) -> tuple[Engine, Motion]:
    """A driven hub, a torque on the elbow, dampers everywhere, loads on beams and tip in base axes and following."""
    bodies = swinging_beams(planar, damping=0.3)
    bodies[0] = replace(bodies[0], driven=True)
    flat = np.array([1, 1, 0]) if planar else np.ones(3)
    about = np.array([0, 0, 1]) if planar else np.ones(3)
    loads = [
        flexible.Wrench(body=1, attachment=bodies[2].attachment, force=np.array([1.0, -3.0, 2.0]) * flat),
        flexible.Wrench(
            body=3, attachment=bodies[4].attachment, moment=np.array([0.1, 0.2, 0.5]) * about, follows=True
        ),
        flexible.Wrench(body=4, offset=0.1 * flat, force=np.array([0.5, 2.0, -1.0]) * flat, follows=True),
    ]
    # the loads' factor, the torque, the motion: 1 + sin 9t, 2 sin(7t + 0.3), 0.4 + 0.5 t + 0.2 sin 6t
    rows = [[0, 1, 9, 0, 1, 0], [0, 2, 7, 0.3, 0, 0], [0, 0.2, 6, 0, 0.4, 0.5]]
    laws = Laws(np.arange(4), np.array(rows, float))
    elbow = 1 + bodies[1].coordinates
    command = commands(motion=[(0, 2)], torque=[(elbow, 1)])
    engine = flexible_engine(bodies, planar, loads, gravity=DOWN, laws=laws, law=0)
    times = np.linspace(0, end, 11)
    control = settings(stepper, end, step=step)
    motion = run(engine.tree, control, *swinging_start(planar), times, loads=engine.loads, laws=laws, command=command)
    return engine, motion


def served(planar: bool, stepper: str, step: float, end: float) -> tuple[Engine, Motion]:
    """A hub and an elbow led by servos, the elbow's spring at rest elsewhere than at zero."""
    bodies = with_servos(swinging_beams(planar, damping=0.1), [0, 2])
    laws = Laws(np.arange(3), np.array([[0, 0.5, 5, 0, 0.3, 0], [0, 0, 0, 0, -0.5, 1.0]], float))
    elbow = 1 + bodies[1].coordinates
    gains = [(*SERVO, bodies[i].rest) for i in (0, 2)]
    command = commands(servo=[(0, 0), (elbow, 1)], gains=gains)
    engine = flexible_engine(bodies, planar, gravity=DOWN)
    times = np.linspace(0, end, 11)
    control = settings(stepper, end, step=step)
    return engine, run(engine.tree, control, *swinging_start(planar), times, laws=laws, command=command)


def book(engine: Engine, motion: Motion) -> tuple[np.ndarray, np.ndarray]:
    """Gap of the book at every sample (J), and work of drives, of loads and what was lost (m, 3)."""
    assert motion.status == 0
    out = motion.output
    work = new_work(engine.tree)
    stored = np.array([sum(energy(engine.tree, *state, work)) for state in zip(out.q, out.v, strict=True)])
    return stored - stored[0] - out.work @ [1.0, 1.0, -1.0], out.work


@EITHER
@pytest.mark.parametrize("stepper", ORDERS)
@pytest.mark.parametrize("arm", [everything, served])
def test_the_book_closes_with_the_order_of_the_stepper(arm, stepper, planar):
    end = 0.2
    steps = end / np.array([100, 200, 400, 800])
    books = [book(*arm(planar, stepper, step, end)) for step in steps]
    gaps = [np.abs(gap).max() for gap, _ in books]
    assert fitted_order(steps, gaps) == pytest.approx(ORDERS[stepper], abs=0.1)
    # every column that is exchanged counts for much more than what is left
    exchanged = np.abs(books[-1][1]).max(axis=0)
    counted = exchanged if arm is everything else exchanged[[0, 2]]
    assert counted.min() > (1e6 if stepper == "esdirk4" else 1e2) * gaps[-1]


@EITHER
@pytest.mark.parametrize("stepper", ORDERS)
def test_runs_stay_inside_their_work_arrays(stepper, planar):
    bodies = swinging_beams(planar, damping=0.3)
    engine = flexible_engine(bodies, planar, random_wrenches(3, bodies, 5, planar), gravity=DOWN)
    memory = new_memory(engine.tree)
    rows, columns = memory.work.shape
    frames = [np.full((rows + 3, columns + 8), 7.25e77) for _ in range(2)]
    memory = memory._replace(work=frames[0], work_loads=frames[1])
    memory.states.q[:], memory.states.v[:] = swinging_start(planar)
    given = (engine.tree, engine.loads, engine.laws, commands())
    assert begin(*given, memory) == 0
    output = new_output(np.linspace(0.0, 0.02, 5), engine.nq)
    assert advance(*given, settings(stepper, 0.02, step=0.002), memory, output, 100) == 0
    for frame in frames:
        assert np.all(frame[rows:] == 7.25e77)
        assert np.all(frame[:rows, columns:] == 7.25e77)
