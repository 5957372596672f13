"""Runs of arms whose beam slides: SciPy on Lagrange's equations, energy, slow motions, and lengths down to nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from flexarm.core.sweeps.dynamics import energy, new_work, spring_matrices
from flexarm.core.tree.build import Body, build_tree
from flexarm.core.tree.sleeve import LEAST_PART, Sleeve
from flexarm.core.tree.types import DRAWN_IN, OK, SLID_OUT, Laws, Tree
from tests.oracles import sleeve as oracle

from .runs import Motion, commands, fitted_order, run, settings
from .sleeves import BEAM, LENGTH, boom, sleeve
from .trees import Engine

EITHER = pytest.mark.parametrize("planar", [False, True], ids=["spatial", "planar"])
STEPPERS = {"esdirk4": 4.0, "newmark": 2.0, "alpha": 2.0}
DOWN = np.array([0.0, -9.81, 0.0])
WEIGHT = oracle.Payload(0.3, np.array([0.05, 0.02, 0.0]), np.diag([1e-3, 2e-3, 2e-3]))


def soft(planar: bool, elements: int = 1, case: str = "rayleigh", factor: float = 0.05) -> Sleeve:
    """A beam of a case with so much of its stiffness: its frequencies are some Hertz and all count in a run."""
    beam = sleeve(case, planar=planar, elements=elements)
    return replace(beam, point_stiffness=factor * beam.point_stiffness)


def tree_of(beam: Sleeve, planar: bool, *, driven: bool = False, gravity: np.ndarray = DOWN, hub: bool = True) -> Tree:
    """A sprung hub that carries the sleeve, and the weight on the beam's tip; coordinates: hub, d, η."""
    body = Body(0, sleeve=beam, stiffness=0.0 if driven else 40.0, rest=0.8, driven=driven)
    bodies = [
        Body(-1, "revolute" if hub else "fixed", mass=1.0, inertia=0.2 * np.eye(3), stiffness=30.0),
        body,
        Body(1, attachment=beam.tip, mass=WEIGHT.mass, centre=WEIGHT.centre, inertia=WEIGHT.inertia),
    ]
    built = build_tree(bodies, gravity=gravity)
    return built.planar if planar else built.spatial


def start(tree: Tree, hub: bool = True) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates and rates: hub turned and turning, the beam partly out and sliding, straight."""
    q, v = np.zeros((2, tree.spring.shape[0]))
    q[int(hub)], v[int(hub)] = 0.8, 0.6
    if hub:
        q[0], v[0] = 0.3, -1.0
    return q, v


def stored(tree: Tree, motion: Motion) -> np.ndarray:
    """Energy at the samples (J)."""
    work = new_work(tree)
    pairs = zip(motion.output.q, motion.output.v, strict=True)
    return np.array([sum(energy(tree, q.copy(), v.copy(), work)) for q, v in pairs])


def sliding(begin: float, travel: float, duration: float) -> Laws:
    """One law: cycloidal travel from a beginning in the given time, then rest."""
    piece = np.zeros((2, 6))
    piece[0] = 0.0, -travel / (2 * np.pi), 2 * np.pi / duration, 0.0, begin, travel / duration
    piece[1] = duration, 0.0, 0.0, 0.0, begin + travel, 0.0
    return Laws(np.array([0, 2]), piece)


# --- Against others --------------------------------------------------------------------------------------------------


def test_a_small_arm_moves_as_lagranges_equations_say():
    beam, end = soft(True), 0.06
    tree = tree_of(beam, True)
    alike = boom("rayleigh", planar=True, elements=1, payload=WEIGHT)
    alike = replace(alike, EI=tuple(0.05 * stiff for stiff in alike.EI))
    q, v = start(tree)
    n = len(q)

    def rhs(_: float, y: np.ndarray) -> np.ndarray:
        """Hub on a spring; the mouth is the hub's axis, so only its turning matters."""
        q, v = y[:n], y[n:]
        w = np.array([0.0, 0.0, v[0]])
        c, s = np.cos(q[0]), np.sin(q[0])
        up = -np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]]) @ DOWN
        still = oracle.Jet(q[1:], v[1:], np.zeros(n - 1))
        force = oracle.forces_by_lagrange(alike, w, np.zeros(3), up, still)
        M = oracle.mass_matrix(alike, q[1:])
        keep = [2, *range(6, 6 + n - 1)]
        M, force = M[np.ix_(keep, keep)], force[keep]
        M[0, 0] += 0.2
        force[1:] += oracle.elastic_forces(alike, q[1:])
        force[0] += 30.0 * q[0]
        force[1] += 40.0 * (q[1] - 0.8)
        return np.concatenate([v, -np.linalg.solve(M, force)])

    expected = solve_ivp(rhs, (0.0, end), np.concatenate([q, v]), method="DOP853", rtol=1e-9, atol=1e-10).y[:, -1]
    out = run(tree, settings("esdirk4", end, step=end / 200), q, v, np.array([end])).output
    assert abs(out.q[0, 2]) > 5e-3  # it does bend
    # at the tolerance of the reference
    np.testing.assert_allclose(out.q[0], expected[:n], rtol=0, atol=1e-9)
    np.testing.assert_allclose(out.v[0], expected[n:], rtol=0, atol=3e-8)


@pytest.mark.parametrize("stepper", list(STEPPERS))
@pytest.mark.parametrize("driven", [False, True], ids=["free", "driven"])
def test_fixed_steps_converge_with_the_order_of_the_method(stepper, driven):
    end, cuts = 0.2, 25 if stepper == "esdirk4" else 400
    tree = tree_of(soft(True), True, driven=driven)
    keys = {"laws": sliding(0.8, -0.3, 2 * end), "command": commands(motion=[(1, 0)])} if driven else {}
    steps = end / (cuts * np.array([1, 2, 4]))
    q, v = start(tree)
    exact = run(tree, settings("esdirk4", end, step=end / 4000), q, v, np.array([end]), **keys).output.q[0]
    errors = [
        np.abs(run(tree, settings(stepper, end, step=h), q, v, np.array([end]), **keys).output.q[0] - exact).max()
        for h in steps
    ]
    assert fitted_order(steps, errors) == pytest.approx(STEPPERS[stepper], abs=0.2)


def test_a_planar_arm_moves_alike_in_space():
    end = 0.3
    times = np.linspace(0.0, end, 7)
    beam = soft(True, elements=2, case="sheared")
    runs = [
        run(tree, settings("esdirk4", end, step=1e-3), *start(tree), times).output.q
        for tree in (tree_of(beam, True), tree_of(beam, False))
    ]
    np.testing.assert_allclose(runs[0], runs[1], rtol=0, atol=1e-11)


# --- Energy ----------------------------------------------------------------------------------------------------------


@EITHER
@pytest.mark.parametrize("case", ["euler", "sheared", "linear", "stretching"])
def test_a_free_beam_keeps_its_energy(case, planar):
    end = 0.3
    tree = tree_of(soft(planar, 2, case), planar)
    times = np.linspace(0.0, end, 31)
    motion = run(tree, settings("esdirk4", end, step=5e-4), *start(tree), times)
    assert motion.status == OK
    energies = stored(tree, motion)
    q = motion.output.q
    assert np.ptp(q[:, 1]) > 0.1 and np.abs(q[:, 2:]).max() > 0.1  # it does slide, and bend
    # 2.9 J: the method's own error at this step, and what the iteration leaves, are some 1e-11
    np.testing.assert_allclose(energies, energies[0], rtol=0, atol=2e-10)


@EITHER
@pytest.mark.parametrize("case", ["rayleigh", "sheared", "linear"])
def test_the_work_of_a_driven_beam_is_the_change_of_energy(case, planar):
    end = 0.4
    tree = tree_of(soft(planar, 2, case), planar, driven=True)
    q, v = start(tree)
    times = np.linspace(0.0, end, 21)
    motion = run(
        tree,
        settings("esdirk4", end, step=2.5e-4),
        q,
        v,
        times,
        laws=sliding(0.8, -0.5, end),
        command=commands(motion=[(1, 0)]),
    )
    gained = stored(tree, motion)
    gained -= gained[0]
    work = motion.output.work[:, 0]
    assert np.abs(work).max() > 0.1
    # the drive's power is integrated by the method too: some 1e-9 of the joules moved
    np.testing.assert_allclose(gained, work, rtol=0, atol=1e-7)


@EITHER
def test_a_damped_beam_loses_what_its_dampers_take(planar):
    end = 0.4
    beam = replace(soft(planar, 2, "sheared"), retardation=2e-3)
    tree = tree_of(beam, planar, driven=True)
    motion = run(
        tree,
        settings("esdirk4", end, step=2.5e-4),
        *start(tree),
        np.linspace(0.0, end, 21),
        laws=sliding(0.8, 0.3, end),
        command=commands(motion=[(1, 0)]),
    )
    gained = stored(tree, motion)
    work, lost = motion.output.work[:, 0], motion.output.work[:, 2]
    assert np.all(np.diff(lost) > 0)
    np.testing.assert_allclose(gained - gained[0], work - lost, rtol=0, atol=1e-7)


# --- Slow motions ----------------------------------------------------------------------------------------------------


def _sag(tree: Tree, d: float) -> np.ndarray:
    """Elastic coordinates in equilibrium at a length, by Newton on the engine's own forces, numerical tangent."""
    engine = Engine(tree)
    z = np.zeros(tree.spring.shape[0])
    z[0] = d
    zero = np.zeros_like(z)
    for _ in range(20):
        r = engine.inverse(z, zero, zero)[1:]
        h = 1e-6
        K = [
            (engine.inverse(z + h * e, zero, zero) - engine.inverse(z - h * e, zero, zero))[1:] / (2 * h)
            for e in np.eye(len(z))[1:]
        ]
        step = np.linalg.solve(np.array(K).T, -r)
        z[1:] += step
        if np.abs(step).max() < 1e-13:
            break
    return z


def test_a_slow_extension_follows_the_equilibrium_with_the_square_of_the_rate():
    tree = tree_of(soft(True, 2, factor=0.5), True, driven=True, hub=False)
    begin = _sag(tree, 0.4)
    apart = []
    for duration in (2.0, 4.0, 8.0):
        motion = run(
            tree,
            settings("esdirk4", duration, step_error=1e-10),
            begin,
            np.zeros_like(begin),
            np.linspace(0.0, duration, 41),
            laws=sliding(0.4, 0.6, duration),
            command=commands(motion=[(0, 0)]),
        )
        assert motion.status == OK
        # half way, where the rate is greatest and the acceleration nil
        apart.append(np.abs(motion.output.q[20] - _sag(tree, motion.output.q[20, 0])).max())
    assert apart[0] < 0.05 * np.abs(motion.output.q[20, 1:]).max()
    assert apart[0] > 3 * apart[1] > 9 * apart[2]


# --- Down to nothing and out of it -----------------------------------------------------------------------------------


@EITHER
@pytest.mark.parametrize("case", ["euler", "sheared", "linear"])
@pytest.mark.parametrize("stepper", ["esdirk4", "newmark"])
def test_a_beam_goes_out_from_nothing_and_back_without_a_stumble(stepper, case, planar):
    beam = replace(sleeve(case, planar=planar, elements=2), retardation=1e-3)
    tree = tree_of(beam, planar, driven=True, hub=False)
    z = np.zeros(tree.spring.shape[0])
    for begin, travel in ((0.0, LENGTH), (LENGTH, -LENGTH)):
        z[:] = _sag(tree, begin)
        times = np.linspace(0.0, 1.2, 241)
        motion = run(
            tree,
            settings(stepper, 1.2, step_error=1e-8, step=0.0 if stepper == "esdirk4" else 1e-3),
            z,
            np.zeros_like(z),
            times,
            laws=sliding(begin, travel, 1.0),
            command=commands(motion=[(0, 0)], switches=[1.0]),
        )
        assert motion.status == OK
        q, v = motion.output.q, motion.output.v
        assert np.all(np.isfinite(q)) and np.all(np.isfinite(v)) and np.all(np.isfinite(motion.output.work))
        tip = q[:, -2 if planar else -5]
        short = q[:, 0] < 0.05 * LENGTH
        # a stub does not bend: the weight's deflection falls with the cube of the length, what is shear with it;
        # a beam that still vibrates when it is drawn in has its energy crowded into what is left
        assert np.abs(tip[short]).max() < (1e-3 if case == "euler" else 2e-2) * np.abs(tip).max()
    end = _sag(tree, 0.0)
    np.testing.assert_allclose(q[-1], end, rtol=0, atol=1e-9)


@pytest.mark.parametrize(("travel", "status"), [(-0.9, DRAWN_IN), (0.6, SLID_OUT)])
@EITHER
def test_a_command_beyond_the_sleeve_stops_the_run_where_it_leaves(travel, status, planar):
    # damped: else ever faster vibrations would have to be followed into the sleeve
    beam = replace(sleeve("euler", planar=planar, elements=2), retardation=1e-3)
    tree = tree_of(beam, planar, driven=True, hub=False)
    z = np.zeros(tree.spring.shape[0])
    z[0] = 0.8
    motion = run(
        tree,
        settings("esdirk4", 1.0, step_error=1e-8),
        z,
        np.zeros_like(z),
        np.linspace(0.0, 1.0, 101),
        laws=sliding(0.8, travel, 1.0),
        command=commands(motion=[(0, 0)]),
    )
    assert motion.status == status
    reached = motion.output.q[~np.isnan(motion.output.q[:, 0]), 0]
    last = 0.0 if status == DRAWN_IN else LENGTH
    # samples every hundredth of a second: no more than one of them is missing
    assert abs(reached[-1] - last) < 0.02
    assert reached.min() >= 0.0 and reached.max() <= LENGTH


def test_a_free_beam_that_falls_out_of_its_sleeve_stops_the_run():
    gravity = np.array([9.81, 0.0, 0.0])
    body = Body(-1, sleeve=sleeve("euler", planar=True, elements=2))
    tree = build_tree([body], gravity=gravity).planar
    z = np.zeros(tree.spring.shape[0])
    z[0] = 0.3
    times = np.linspace(0.0, 1.0, 101)
    motion = run(tree, settings("esdirk4", 1.0, step_error=1e-9), z, np.zeros_like(z), times)
    assert motion.status == SLID_OUT
    known = ~np.isnan(motion.output.q[:, 0])
    np.testing.assert_allclose(motion.output.q[known, 0], 0.3 + 0.5 * 9.81 * times[known] ** 2, rtol=0, atol=1e-9)
    assert times[known][-1] == pytest.approx(np.sqrt(2 * (LENGTH - 0.3) / 9.81), abs=0.011)


def test_the_shortest_beam_has_the_frequency_of_a_stub():
    """Held at less than the least length the beam is as stiff as one of that length: no less, and no more."""
    beam = sleeve("euler", planar=True, elements=2)
    tree = build_tree([Body(-1, sleeve=beam, driven=True)], gravity=DOWN).planar
    z = np.zeros(tree.spring.shape[0])
    M = Engine(tree).mass(z)[1:, 1:]
    K = spring_matrices(tree, z)[0][1:, 1:]
    largest = np.linalg.eigvals(np.linalg.solve(K, M)).real.max()
    least = LEAST_PART * LENGTH
    # two cubics: 5e-4 above the beam's own 3.516
    expected = 3.516 * np.sqrt(BEAM["bending_stiffness"][1] / BEAM["mass_per_length"]) / least**2
    assert 1.0 / np.sqrt(largest) == pytest.approx(expected, rel=2e-3)
