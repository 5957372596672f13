"""A beam in a sleeve inside the recursions: against Lagrange's equations, against its particles, verb against verb."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from flexarm.core.sweeps.dynamics import aba, new_work, solve, solver_of, spring_matrices, without_springs
from flexarm.core.tree.build import Body, build_tree
from flexarm.core.tree.sleeve import LEAST_PART, elastic_length
from flexarm.core.tree.types import (
    DRAWN_IN,
    OK,
    SLID_OUT,
    PlanarFlexTree,
    PlanarSleeveTree,
    SpatialFlexTree,
    SpatialSleeveTree,
    no_loads,
)
from tests.oracles import sleeve as oracle

from .flexible_trees import random_elastic, random_shapes
from .sleeves import CASES, LENGTH, Carried, boom, payload, sleeve
from .trees import Engine, no_laws

# Forces are sums of a few thousand rounded terms, the largest elastic ones: measured 6e-16.
ROUNDING = 1e-13
WAYS = ("plane", "plane in space", "space")
ROTOR, CARRIER_ROTOR, STIFFNESS, DAMPING, REST = 0.15, 0.1, 3.0, 0.4, 0.2


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest) -> str:
    """Planar arm in the planar kernel or in the spatial one, or spatial arm."""
    return str(request.param)


@pytest.fixture(params=list(CASES))
def case(request: pytest.FixtureRequest) -> str:
    """What kind of beam."""
    return str(request.param)


def _carried(way: str, case: str, loaded: bool, **keys) -> tuple[Carried, oracle.Boom]:
    planar = way != "space"
    load = payload(planar) if loaded else None
    beam = sleeve(case, planar=planar, **keys)
    return Carried(beam, planar, load, flat=way == "plane"), boom(case, planar=planar, payload=load, **keys)


def _expected(carried: Carried, beam: oracle.Boom, state: np.ndarray, by=oracle.forces_by_lagrange) -> np.ndarray:
    """Forces on the tree by the oracle: inertia and weight, beam, springs, dampers and rotors."""
    q, v, a, _ = state
    i = carried.carriers
    z = q[i:]
    # gravity is an acceleration of the mouth: of the carriers nothing has weight
    force = by(beam, *carried.accelerations(v, a), oracle.Jet(z, v[i:], a[i:]))
    force[6:] += oracle.elastic_forces(beam, z)
    found = carried.on_tree(force)
    found[:i] += CARRIER_ROTOR * a[:i]
    found[i] += ROTOR * a[i] + STIFFNESS * (z[0] - REST) + DAMPING * v[i]
    return found


@pytest.mark.parametrize("loaded", [False, True], ids=["bare", "loaded"])
def test_forces_are_those_of_lagrange(way, case, loaded):
    carried, beam = _carried(way, case, loaded)
    state = carried.state(1)
    expected = _expected(carried, beam, state)
    found = carried.engine.inverse(*state[:3])
    np.testing.assert_allclose(found, expected, rtol=0, atol=ROUNDING * np.abs(expected).max())


@pytest.mark.parametrize("loaded", [False, True], ids=["bare", "loaded"])
def test_the_mass_matrix_is_that_of_the_kinetic_energy(way, case, loaded):
    carried, beam = _carried(way, case, loaded)
    q = carried.state(2)[0]
    T = carried.of_mouth(np.eye(carried.nq)).T
    expected = T.T @ oracle.mass_matrix(beam, q[carried.carriers :]) @ T
    expected += np.diag([CARRIER_ROTOR] * carried.carriers + [ROTOR] + [0.0] * (carried.beam.count - 1))
    found = carried.engine.mass(q)
    np.testing.assert_allclose(found, expected, rtol=0, atol=ROUNDING * np.abs(expected).max())


def test_energies_are_those_of_the_particles(way, case):
    carried, beam = _carried(way, case, True)
    q, v, _, _ = carried.state(3)
    i = carried.carriers
    y = carried.of_mouth(v)
    rotors = 0.5 * CARRIER_ROTOR * v[:i] @ v[:i] + 0.5 * ROTOR * v[i] ** 2
    kinetic = oracle.kinetic(beam, y[:3], y[3:6], q[i:], y[6:]) + rotors
    elastic = beam.energy(q[i:]) + 0.5 * STIFFNESS * (q[i] - REST) ** 2
    found = carried.engine.energy(q, v)
    np.testing.assert_allclose(found[:2], [kinetic, elastic], rtol=1e-13)


@pytest.mark.parametrize("way", WAYS)
def test_a_smooth_beam_moves_as_its_particles_do(way):
    # deflection and slope are continuous: no impulse at nodes or at the mouth, where both vanish
    carried, beam = _carried(way, "euler", False)
    free = np.array(["twist" not in name for name in beam.names])
    state = carried.state(4)
    state[:3, carried.carriers + 1 :] *= np.tile(free, len(beam.shares))
    expected = _expected(carried, beam, state, by=oracle.forces_by_particles)
    found = carried.engine.inverse(*state[:3])
    bending = np.concatenate([np.ones(carried.carriers + 1, bool), np.tile(free, len(beam.shares))])
    np.testing.assert_allclose(found[bending], expected[bending], rtol=0, atol=ROUNDING * np.abs(expected).max())


def test_sections_that_leave_the_mouth_take_the_moment_that_sets_them_turning():
    """The one difference to particles that turn: rotary inertia j, curvature κ at the mouth, moment j ḋ²κ, force half
    of it times κ. A single element: no kink anywhere else.
    """
    carried, beam = _carried("space", "rayleigh", False, elements=1)
    state = carried.state(5)
    state[:3, carried.carriers + 1 + beam.names.index("twist")] = 0.0
    z, rate = state[0, carried.carriers :], state[1, carried.carriers]
    still = oracle.Jet(z, 0 * z, 0 * z)
    in_v, in_w = (beam.plane(0, oracle.jet(0.0), still, plane)[3].x for plane in (0, 1))
    curvature = np.array([0.0, -in_w, in_v])
    taken = np.zeros(6 + beam.count)
    taken[:3] = np.array(beam.rotary) * rate**2 * curvature
    taken[6] = 0.5 * curvature @ taken[:3]
    expected = _expected(carried, beam, state, by=oracle.forces_by_particles) + carried.on_tree(taken)
    found = carried.engine.inverse(*state[:3])
    np.testing.assert_allclose(found, expected, rtol=0, atol=ROUNDING * np.abs(expected).max())


@pytest.mark.parametrize("driven", [False, True], ids=["free", "driven"])
def test_forward_dynamics_inverts_inverse_dynamics(way, case, driven):
    carried, _ = _carried(way, case, True)
    c, engine = carried.carriers, carried.engine
    if driven:
        topology, spring = engine.tree.topology.copy(), engine.tree.spring.copy()
        topology[c + 1, 3], spring[c, 5] = 1, 1.0
        engine.tree = engine.tree._replace(topology=topology, spring=spring)
    q, v, a, _ = carried.state(6, bend=0.02)
    tau = engine.inverse(q, v, a)
    given = np.full_like(a, np.nan)
    given[c] = a[c] if driven else np.nan
    found, drive = engine.forward(q, v, given, np.where(np.isnan(given), tau, np.nan))
    # solving loses as many digits as the elastic forces, 1e4 N, exceed the smallest inertia, 1e-5 kg
    np.testing.assert_allclose(found, a, rtol=0, atol=1e-8)
    if driven:
        assert drive[c] == pytest.approx(tau[c], abs=1e-11)


def test_an_implicit_step_solves_its_system_with_the_stiffness_of_the_present_length(way, case):
    planar = way != "space"
    beam = replace(sleeve(case, planar=planar), retardation=2e-3)
    carried = Carried(beam, planar, payload(planar), flat=way == "plane")
    tree, nq, c = carried.engine.tree, carried.nq, carried.carriers
    q, v, x, tau = carried.state(7, bend=0.02)
    gh, bh2 = 3e-3, 9e-6
    start, speed = q - bh2 * x, v - gh * x
    bias = Engine(without_springs(tree)).inverse(q, v, 0 * x)
    k, d = np.zeros((2, nq, nq))
    whole = spring_matrices(tree, q)
    for matrix, found, joint in zip((k, d), whole, (STIFFNESS, DAMPING), strict=True):
        matrix[c + 1 :, c + 1 :] = found[c + 1 :, c + 1 :]
        matrix[c, c] = joint
    # the force of the elastic energy on the length is taken at the iterate, and is not in the matrix
    rest = np.zeros(nq)
    rest[c] = REST
    push = np.zeros(nq)
    push[c] = _elastic_push(tree, q, c)
    expected = np.linalg.solve(
        carried.engine.mass(q) + gh * d + bh2 * k, tau - bias - push - d @ speed - k @ (start - rest)
    )
    found = np.zeros(nq)
    status = solve(
        tree, no_loads(), no_laws(), 0.0, False, q, v, found, tau, start, speed, gh, bh2, np.zeros(nq), new_work(tree)
    )
    assert status == OK
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9 * np.abs(expected).max())


def _elastic_push(tree, q: np.ndarray, c: int) -> float:
    """½ ηᵀK'η, by what the elasticity adds to the force on d at rest, its joint's spring apart."""
    zero = np.zeros_like(q)
    soft, stiff = Engine(without_springs(tree)), Engine(tree)
    return float((stiff.inverse(q, zero, zero) - soft.inverse(q, zero, zero))[c] - STIFFNESS * (q[c] - REST))


def test_the_stiffness_matrix_is_the_second_derivative_of_the_elastic_energy(case):
    carried, beam = _carried("space", case, False)
    c = carried.carriers
    q = carried.state(8)[0]
    found = spring_matrices(carried.engine.tree, q)[0][c:, c:]
    found[0, 0] -= STIFFNESS
    h = 1e-5
    units = np.eye(beam.count)
    steps = [oracle.elastic_forces(beam, q[c:] + h * e) - oracle.elastic_forces(beam, q[c:] - h * e) for e in units]
    # central differences of exact first derivatives: h² of the third derivative, 1e-10 of the largest entry here
    np.testing.assert_allclose(found, np.array(steps) / (2 * h), rtol=0, atol=1e-8 * np.abs(found).max())


def test_both_kernels_agree_on_a_planar_arm(case):
    flat, _ = _carried("plane", case, True)
    space, _ = _carried("plane in space", case, True)
    q, v, a, tau = flat.state(9, bend=0.02)
    expected = space.engine.forward(q, v, a, tau)[0]
    np.testing.assert_allclose(
        flat.engine.forward(q, v, a, tau)[0], expected, rtol=0, atol=1e-9 * np.abs(expected).max()
    )


@pytest.mark.parametrize("planar", [True, False], ids=["plane", "space"])
def test_a_sleeve_fits_between_other_flexible_bodies(planar):
    """A beam carries the sleeve, the tip of what slides carries a hinge and a beam: every verb against another."""
    rng = np.random.default_rng(10)
    shapes = [random_shapes(rng, 3, planar) for _ in range(2)]
    beams = [random_elastic(rng, each) for each in shapes]
    boom_ = sleeve("sheared", planar=planar, elements=2)
    flat = np.array([1.0, 1.0, 0.0 if planar else 1.0])
    bodies = [
        Body(-1, "revolute", mass=0.5, inertia=0.1 * np.eye(3)),
        Body(0, elastic=beams[0]),
        Body(1, sleeve=boom_, attachment=shapes[0].attachment(shapes[0].length), offset=0.1 * flat, rotor=0.1),
        Body(2, "revolute", attachment=boom_.tip, mass=0.3, inertia=0.02 * np.eye(3), offset=0.05 * flat),
        Body(3, elastic=beams[1]),
        Body(4, attachment=shapes[1].attachment(shapes[1].length), mass=0.2, inertia=0.01 * np.eye(3)),
    ]
    built = build_tree(bodies, gravity=np.array([0.3, -9.81, 0.0]))
    engine = Engine(built.planar if planar else built.spatial)
    nq = engine.nq
    q, v, a = 0.05 * rng.standard_normal(nq), rng.standard_normal(nq), rng.standard_normal(nq)
    q[4] = 0.9
    tau = engine.inverse(q, v, a)
    M, bias = engine.mass(q), engine.inverse(q, v, 0 * a)
    np.testing.assert_allclose(M @ a + bias, tau, rtol=0, atol=ROUNDING * np.abs(tau).max())
    np.testing.assert_allclose(engine.forward(q, v, a, tau)[0], a, rtol=0, atol=1e-8)
    # the power of all forces is the rate of the energy but for what the beams' dampers take
    h = 1e-6
    states = [(q + s * h * v + 0.5 * h * h * a, v + s * h * a) for s in (1.0, -1.0)]
    rate = (engine.energy(*states[0]).sum() - engine.energy(*states[1]).sum()) / (2 * h)
    lost = v @ spring_matrices(engine.tree, q)[1] @ v
    # differences of energies of some tens of joules over a microsecond
    assert tau @ v - lost == pytest.approx(rate, rel=1e-7, abs=1e-6)


@pytest.mark.parametrize("d", [0.0, -0.5 * LEAST_PART * LENGTH, 1e-6, 0.7 * LEAST_PART * LENGTH, LENGTH])
def test_no_length_gives_anything_but_numbers(way, d):
    carried, _ = _carried(way, "sheared", True)
    q, v, a, tau = carried.state(11, bend=1e-9, outside=d)
    assert np.all(np.isfinite(carried.engine.inverse(q, v, a)))
    assert np.linalg.eigvalsh(carried.engine.mass(q))[0] > 0
    accelerations = np.zeros_like(a)
    tree, work = carried.engine.tree, new_work(carried.engine.tree)
    status = aba(tree, no_loads(), no_laws(), 0.0, q, v, accelerations, tau, np.zeros_like(a), work)
    assert np.all(np.isfinite(accelerations))
    assert status == (DRAWN_IN if d < 0 else OK)


def test_a_beam_beyond_its_whole_length_is_a_status(way):
    carried, _ = _carried(way, "sheared", True)
    q, v, a, tau = carried.state(12, bend=0.01, outside=1.01 * LENGTH)
    tree, work = carried.engine.tree, new_work(carried.engine.tree)
    assert aba(tree, no_loads(), no_laws(), 0.0, q, v, a, tau, np.zeros_like(a), work) == SLID_OUT


def test_the_elastic_length_is_the_length_but_for_the_last_thousandths_and_smooth_there():
    least = LEAST_PART * LENGTH
    for d in (2.0 * least, 0.1, LENGTH):
        assert elastic_length(d, least) == (d, 1.0, 0.0)
    assert elastic_length(0.0, least) == elastic_length(-1.0, least) == (least, 0.0, 0.0)
    for d in np.linspace(0.01, 2.2, 23) * least:
        h = 1e-6 * least
        (low, low1, _), (_, first, second), (high, high1, _) = (elastic_length(d + s * h, least) for s in (-1, 0, 1))
        assert (high - low) / (2 * h) == pytest.approx(first, abs=1e-8)
        # the second derivative has a kink at both ends: a step across it errs by the step
        assert (high1 - low1) / (2 * h) == pytest.approx(second, abs=1e-5 / least)


@pytest.mark.parametrize(
    ("tree", "answer"),
    [(PlanarFlexTree, False), (SpatialFlexTree, False), (PlanarSleeveTree, True), (SpatialSleeveTree, True)],
)
def test_arms_without_a_sleeve_compile_none_of_its_kernels(tree, answer):
    solve = solver_of(tree).py_func.__globals__
    assert solve["SLEEVES"] is answer
    assert solve["eliminate"].py_func.__globals__["SLEEVES"] is answer
