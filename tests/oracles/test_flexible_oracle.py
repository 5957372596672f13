"""The dense reference for flexible trees, checked against rigid trees, closed forms and its own positions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from flexarm.core.tree.build import Body
from flexarm.core.tree.elastic import Attachment, Elastic, Products
from tests.core.flexible_trees import random_flexible_state, random_flexible_tree, random_wrenches
from tests.core.trees import FLAT_GRAVITY, GRAVITY, as_oracle, random_bodies, random_state

from . import flexible, lagrange

X, Y, Z = np.eye(3)
SEEDS = range(6)
EITHER = pytest.mark.parametrize("planar", [False, True], ids=["spatial", "planar"])
# both sides are good to rounding; sums of some hundred terms lose two digits at most
ROUNDING = 1e-13
# central differences of sixth order with this step: truncation 1e-12, rounding 1e-13
SMALL = 5e-3


def close(found: np.ndarray, expected: np.ndarray, relative: float = ROUNDING) -> None:
    """Compares to a part of the largest entry."""
    np.testing.assert_allclose(found, expected, rtol=0, atol=relative * np.abs(expected).max())


def slope(f: Callable[[float], np.ndarray]) -> np.ndarray:
    """Derivative at zero by the central difference of sixth order."""
    return sum(w * (f(k * SMALL) - f(-k * SMALL)) for k, w in ((1, 45), (2, -9), (3, 1))) / (60 * SMALL)


def planar_beam(n: int, rotary: float = 0.0) -> Elastic:
    """Ten stations on a metre that bend in y, Σ dm ΦᵀΦ = 1, with frequencies 3, 4, … rad/s and no damping."""
    rng = np.random.default_rng(n)
    x = (np.arange(10) + 0.5) / 10
    mass = rng.uniform(0.1, 0.2, 10)
    rows = x[:, None] ** np.arange(2, 2 + n)
    rows = np.linalg.solve(np.linalg.cholesky(rows.T @ (mass[:, None] * rows)), rows.T).T
    turn = np.gradient(rows, x, axis=0)
    phi, psi = np.zeros((2, 10, 3, n))
    phi[:, 1], psi[:, 2] = rows, turn
    shortening = np.cumsum(turn[:, :, None] * turn[:, None, :], axis=0) / 10
    stiffness = np.diag(np.arange(3.0, 3.0 + n) ** 2)
    return Elastic(mass, x, np.full((10, 3), rotary), phi, psi, shortening, stiffness, np.zeros((n, n)))


# --- Limits ----------------------------------------------------------------------------------------------------------


@EITHER
@pytest.mark.parametrize("seed", SEEDS)
def test_a_tree_of_rigid_bodies_is_that_of_the_rigid_reference(seed, planar):
    bodies = random_bodies(seed, planar=planar, driven=0.4)
    tree, gravity = as_oracle(bodies), FLAT_GRAVITY if planar else GRAVITY
    q, v, a, tau = random_state(seed, bodies)
    M = lagrange.mass_matrix(tree, q)
    stored = lagrange.energy(tree, q, v, gravity)
    driven = flexible.driven_columns(bodies)
    expected = lagrange.hybrid(tree, q, v, prescribed=driven, acceleration=a, force=tau, gravity=gravity)
    close(flexible.mass_matrix(bodies, q), M)
    needed = M @ a + lagrange.bias(tree, q, v, gravity) - lagrange.spring_force(tree, q, v)
    close(flexible.forces(bodies, gravity, q, v, a), needed)
    close(flexible.energy(bodies, gravity, q, v), np.array([stored.kinetic, stored.elastic, stored.gravity]))
    # solving multiplies rounding by the condition of the mass matrix, up to 1e3 here
    close(flexible.accelerations(bodies, gravity, q, v, tau, driven, a), np.array(expected), 1e3 * ROUNDING)
    for found, pose in zip(flexible.poses(bodies, q), lagrange.poses(tree, q), strict=True):
        close(found, pose)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_beam_whose_shapes_are_zero_is_a_rigid_body(seed):
    rng = np.random.default_rng(seed)
    full = planar_beam(2, rotary=0.02)
    straight = replace(full, phi=0 * full.phi, psi=0 * full.psi, shortening=0 * full.shortening)
    joint = Body(-1, "revolute", axis=Rotation.random(random_state=rng).as_matrix()[0], rotor=0.1)
    at = Attachment(1.0, *np.zeros((2, 3, 2)), np.zeros((2, 2)))
    turn, offset = Rotation.random(random_state=rng).as_matrix(), rng.standard_normal(3)
    outer = Body(1, "revolute", axis=Y, rotation=turn, offset=offset, mass=0.6, centre=0.3 * X, attachment=at)
    mass, centre = full.mass.sum(), full.mass @ full.x / full.mass.sum()
    across = full.mass @ (full.x - centre) ** 2
    inertia = np.diag([0.0, across, across]) + np.diag(full.rotary.sum(axis=0))
    rigid = [
        joint,
        Body(0, mass=mass, centre=centre * X, inertia=inertia),
        replace(outer, attachment=None, offset=offset + X),
    ]
    bodies = [joint, Body(0, elastic=straight), outer]
    q, v, a = rng.standard_normal((3, 2))
    expected = flexible.forces(rigid, GRAVITY, q, v, a)
    wide = np.insert(np.array([q, v, a]), 1, np.zeros((2, 3)), axis=1)
    close(flexible.forces(bodies, GRAVITY, *wide)[[0, 3]], expected)
    close(flexible.energy(bodies, GRAVITY, *wide[:2]), flexible.energy(rigid, GRAVITY, q, v))


@pytest.mark.parametrize("n", [1, 3])
def test_a_beam_on_a_hub_obeys_its_closed_equations_of_second_order(n):
    # (J + ηᵀ(1 − D)η) θ̈ + c·η̈ + 2 θ̇ η̇ᵀ(1 − D)η = τ,   c θ̈ + η̈ + (Ω² − θ̇²) η + θ̇² D η = 0
    beam, hub = planar_beam(n), 0.3
    bodies = [Body(-1, "revolute", axis=Z, rotor=hub), Body(0, elastic=beam)]
    theta, v, a = 0.7, 1.9, -1.3
    eta, rate, second = 0.1 * np.random.default_rng(n).standard_normal((3, n))
    J, c = hub + beam.mass @ beam.x**2, (beam.mass * beam.x) @ beam.phi[:, 1]
    N = np.eye(n) - np.einsum("g,gjk->jk", beam.mass * beam.x, beam.shortening)
    torque = (J + eta @ N @ eta) * a + c @ second + 2 * v * rate @ N @ eta
    elastic = c * a + second + beam.stiffness @ eta - v**2 * N @ eta
    state = [np.concatenate(part) for part in (([theta], eta), ([v], rate), ([a], second))]
    close(flexible.forces(bodies, np.zeros(3), *state), np.array([torque, *elastic]))


def test_a_beam_sags_under_its_weight_and_a_tip_force_as_its_stiffness_says():
    # horizontal, at rest: K η = Σ dm Φᵀg + Φᵀf, what is left is of second order
    beam, down = planar_beam(3), np.array([0.0, -1e-6, 0.0])
    tip = Attachment(1.0, beam.phi[-1], beam.psi[-1], beam.shortening[-1])
    load = flexible.Wrench(body=0, force=down, attachment=tip)
    eta = np.linalg.solve(beam.stiffness, (beam.mass @ beam.phi[:, 1] + tip.phi[1]) * down[1])
    left = flexible.forces([Body(-1, elastic=beam)], down, eta, np.zeros(3), np.zeros(3), [load])
    np.testing.assert_allclose(left, 0, atol=1e-10 * np.abs(beam.stiffness @ eta).max())


# --- Energy and equations --------------------------------------------------------------------------------------------


def beam_on_two_joints(seed: int) -> tuple[list[Body], list[Attachment], np.ndarray, np.ndarray]:
    """A beam that turns and slides, its stations as frames on its axis, and a state q, v."""
    rng = np.random.default_rng(seed)
    beam = next(body.elastic for body in random_flexible_tree(seed) if body.elastic is not None)
    beam = replace(beam, products=None, handed=None)
    turn = Rotation.random(random_state=rng).as_matrix()
    bodies = [
        Body(-1, "revolute", axis=turn[0]),
        Body(0, "prismatic", axis=turn[1], offset=0.5 * Y),
        Body(1, elastic=beam, rotation=turn, offset=0.3 * X),
    ]
    stations = [Attachment(*rows) for rows in zip(beam.x, beam.phi, beam.psi, beam.shortening, strict=True)]
    q, v = rng.standard_normal((2, 2 + beam.count))
    return bodies, stations, q, v


@pytest.mark.parametrize("seed", SEEDS)
def test_a_straight_beam_has_the_energy_of_its_moving_and_turning_stations(seed):
    bodies, stations, q, v = beam_on_two_joints(seed)
    q[2:] = 0.0
    beam, kinetic = bodies[2].elastic, 0.0
    for mass, rotary, at in zip(beam.mass, beam.rotary, stations, strict=True):
        seen = flexible.point(bodies, q, v, 0 * v, 2, at)
        kinetic += 0.5 * mass * seen.velocity @ seen.velocity + 0.5 * rotary @ (seen.rotation.T @ seen.spin) ** 2
    assert flexible.energy(bodies, GRAVITY, q, v).kinetic == pytest.approx(kinetic, rel=ROUNDING)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_bent_beam_has_the_weight_of_its_stations_where_they_are(seed):
    bodies, stations, q, v = beam_on_two_joints(seed)
    places = [flexible.point(bodies, q, v, v, 2, at).position for at in stations]
    weight = -bodies[2].elastic.mass @ places @ GRAVITY
    assert flexible.energy(bodies, GRAVITY, q, v).gravity == pytest.approx(weight, rel=ROUNDING)


@pytest.mark.parametrize("seed", SEEDS)
def test_kinetic_energy_leaves_out_nothing_below_third_order(seed):
    bodies, stations, q, v = beam_on_two_joints(seed)
    beam = replace(bodies[2].elastic, rotary=0 * bodies[2].elastic.rotary)
    bodies[2] = replace(bodies[2], elastic=beam)

    def missing(size: float) -> float:
        scale = np.where(np.arange(q.size) < 2, 1.0, size)
        speeds = [flexible.point(bodies, q * scale, v * scale, 0 * v, 2, at).velocity for at in stations]
        exact = 0.5 * beam.mass @ np.sum(np.square(speeds), axis=1)
        return exact - flexible.energy(bodies, GRAVITY, q * scale, v * scale).kinetic

    # eight times smaller, and a fourth order that is a hundredth of the third at this size
    assert missing(0.02) / missing(0.01) == pytest.approx(8.0, rel=0.1)


@pytest.mark.parametrize("seed", SEEDS)
def test_products_of_coordinates_leave_out_nothing_below_third_order_of_turning_sections(seed):
    bodies, stations, q, v = beam_on_two_joints(seed)
    beam, n = bodies[2].elastic, bodies[2].elastic.count
    second = 0.2 * np.random.default_rng(seed).standard_normal((len(stations), 5, n, n))
    second = second + np.swapaxes(second, -1, -2)
    stations = [replace(at, products=own) for at, own in zip(stations, second, strict=True)]
    sums = Products(
        np.einsum("g,gajk->ajk", beam.mass, second[:, :2]), np.einsum("ga,gbjk->abjk", beam.rotary, second[:, 2:])
    )
    bodies[2] = replace(bodies[2], elastic=replace(beam, products=sums))
    places = [flexible.point(bodies, q, v, v, 2, at).position for at in stations]
    weight = -beam.mass @ places @ GRAVITY
    assert flexible.energy(bodies, GRAVITY, q, v).gravity == pytest.approx(weight, rel=ROUNDING)
    # of the inertia the sections' alone: that of the axis leaves its displacement across out
    massless = [*bodies[:2], replace(bodies[2], elastic=replace(beam, products=sums, mass=0 * beam.mass))]

    def missing(size: float) -> float:
        scale = np.where(np.arange(q.size) < 2, 1.0, size)
        seen = [flexible.point(massless, q * scale, v * scale, 0 * v, 2, at) for at in stations]
        spins = np.array([each.rotation.T @ each.spin for each in seen])
        return 0.5 * np.sum(beam.rotary * spins**2) - flexible.energy(massless, GRAVITY, q * scale, v * scale).kinetic

    assert missing(0.01) / missing(0.005) == pytest.approx(8.0, rel=0.1)


@EITHER
@pytest.mark.parametrize("seed", SEEDS)
def test_power_of_the_forces_is_the_rate_of_the_energy(seed, planar):
    bodies = random_flexible_tree(seed, planar)
    q, v, a, _ = random_flexible_state(seed, bodies)
    force = flexible.forces(bodies, GRAVITY, q, v, a) - flexible.damping_force(bodies, v)
    step = 1j * flexible.STEP
    rate = sum(flexible.energy(bodies, GRAVITY, q + step * v, v + step * a)).imag / flexible.STEP
    assert v @ force == pytest.approx(rate, abs=ROUNDING * np.abs(v * force).sum())


@EITHER
@pytest.mark.parametrize("seed", SEEDS)
def test_forces_are_those_of_lagrange_from_the_energies_alone(seed, planar):
    # momentum ∂T/∂v along the motion, differenced in time; neither mass matrix nor its rate
    bodies = random_flexible_tree(seed, planar)
    q, v, a, _ = random_flexible_state(seed, bodies)
    steps = 1j * flexible.STEP * np.eye(q.size)

    def momentum(t: float) -> np.ndarray:
        rates = v + a * t + steps
        return flexible._kinetic(bodies, q + v * t + a * t**2 / 2, rates).imag / flexible.STEP

    varied = [flexible.energy(bodies, GRAVITY, q + step, v) for step in steps]
    lagrangian = np.array([T - elastic - weight for T, elastic, weight in varied]).imag / flexible.STEP
    expected = slope(momentum) - lagrangian + flexible.damping_force(bodies, v)
    close(flexible.forces(bodies, GRAVITY, q, v, a), expected, 1e-9)


@EITHER
@pytest.mark.parametrize("seed", range(30))
def test_mass_matrix_is_symmetric_positive_and_gives_the_kinetic_energy(seed, planar):
    bodies = random_flexible_tree(seed, planar)
    q, v, _, _ = random_flexible_state(seed, bodies)
    M = flexible.mass_matrix(bodies, q)
    # to rounding: a product and its transpose may be summed in another order
    np.testing.assert_allclose(M, M.T, rtol=0.0, atol=1e-14 * np.abs(M).max())
    assert np.linalg.eigvalsh(M)[0] > 0
    assert v @ M @ v / 2 == pytest.approx(flexible.energy(bodies, GRAVITY, q, v).kinetic, rel=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_accelerations_answer_the_forces_that_cause_them(seed):
    bodies = random_flexible_tree(seed, driven=0.5)
    q, v, a, tau = random_flexible_state(seed, bodies)
    driven, loads = flexible.driven_columns(bodies), random_wrenches(seed, bodies)
    found, force = flexible.accelerations(bodies, GRAVITY, q, v, tau, driven, a, loads)
    assert np.array_equal(found[driven], a[driven])
    assert np.array_equal(force[~driven], tau[~driven])
    close(flexible.forces(bodies, GRAVITY, q, v, found, loads), force, 1e2 * ROUNDING)


# --- Points and loads ------------------------------------------------------------------------------------------------


def some_points(bodies: list[Body]) -> list[tuple[int, Attachment | None]]:
    """Every place where a body stands on a flexible one, and the last body's own frame."""
    at = [(body.parent, body.attachment) for body in bodies if body.attachment is not None]
    return [*at, (len(bodies) - 1, None)]


@pytest.mark.parametrize("seed", SEEDS)
def test_velocities_and_accelerations_of_points_are_derivatives_of_their_places(seed):
    bodies = random_flexible_tree(seed)
    q, v, a, _ = random_flexible_state(seed, bodies)
    offset = np.array([0.2, -0.1, 0.3])
    for body, at in some_points(bodies):

        def along(t: float, body: int = body, at: Attachment | None = at) -> flexible.PointMotion:
            return flexible.point(bodies, q + v * t + a * t**2 / 2, v + a * t, a, body, at, offset)

        now = along(0.0)
        np.testing.assert_allclose(now.rotation @ now.rotation.T, np.eye(3), atol=1e-14)
        close(now.velocity, slope(lambda t: along(t).position), 1e-8)
        close(np.cross(now.spin, now.rotation.T).T, slope(lambda t: along(t).rotation), 1e-8)
        close(now.acceleration, slope(lambda t: along(t).velocity), 1e-8)
        close(now.angular_acceleration, slope(lambda t: along(t).spin), 1e-8)


def test_a_tip_turns_by_its_rotation_vector():
    rng = np.random.default_rng(5)
    psi = rng.standard_normal((3, 4))
    none, square = np.zeros(0), np.zeros((4, 4))
    at = Attachment(1.0, rng.standard_normal((3, 4)), psi, square)
    beam = Elastic(none, none, np.zeros((0, 3)), *np.zeros((2, 0, 3, 4)), np.zeros((0, 4, 4)), square, square)
    for eta in (np.zeros(4), 1e-9 * np.ones(4), rng.standard_normal(4)):
        seen = flexible.point([Body(-1, elastic=beam)], eta, 0 * eta, 0 * eta, 0, at)
        np.testing.assert_allclose(seen.rotation, Rotation.from_rotvec(psi @ eta).as_matrix(), atol=1e-14)
        np.testing.assert_allclose(seen.position, X + at.phi @ eta, atol=1e-14)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_constant_force_acts_like_the_slope_of_its_potential(seed):
    bodies = random_flexible_tree(seed)
    q, direction, _, _ = random_flexible_state(seed, bodies)
    force, offset, still = np.array([1.0, -2.0, 0.5]), np.array([0.1, 0.2, -0.3]), 0 * q
    for body, at in some_points(bodies):

        def work(t: float, body: int = body, at: Attachment | None = at) -> np.ndarray:
            return force @ flexible.point(bodies, q + t * direction, still, still, body, at, offset).position

        load = flexible.Wrench(body=body, force=force, offset=offset, attachment=at)
        power = flexible.load_force(bodies, q, [load]) * direction
        assert power.sum() == pytest.approx(slope(work), abs=1e-9 * np.abs(power).sum())


@pytest.mark.parametrize("seed", SEEDS)
def test_a_following_load_is_the_turned_one_and_a_couple_of_forces_is_a_moment(seed):
    bodies = random_flexible_tree(seed)
    q, _, _, _ = random_flexible_state(seed, bodies)
    force, moment, offset = np.random.default_rng(seed).standard_normal((3, 3))
    for body, at in some_points(bodies):
        R = flexible.point(bodies, q, 0 * q, 0 * q, body, at).rotation
        here = {"body": body, "attachment": at}
        follows = flexible.Wrench(**here, force=force, moment=moment, offset=offset, follows=True)
        turned = flexible.Wrench(**here, force=R @ force, moment=R @ moment, offset=offset)
        found = flexible.load_force(bodies, q, [follows])
        close(found, flexible.load_force(bodies, q, [turned]))
        shifted = flexible.Wrench(**here, force=force, moment=moment + np.cross(offset, force), follows=True)
        close(found, flexible.load_force(bodies, q, [shifted]))


# --- The random trees ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_planar_trees_stay_in_their_plane(seed):
    bodies = random_flexible_tree(seed, planar=True)
    q, v, a, _ = random_flexible_state(seed, bodies)
    for body, at in some_points(bodies):
        seen = flexible.point(bodies, q, v, a, body, at)
        out_of_plane = [seen.position[2], seen.velocity[2], seen.acceleration[2], *seen.spin[:2], *seen.rotation[:2, 2]]
        np.testing.assert_array_equal(out_of_plane, 0.0)


def test_random_trees_have_every_kind_of_neighbour_and_every_number_of_shapes():
    seen, counts = set(), set()
    for seed in range(12):
        bodies = random_flexible_tree(seed)
        for i, body in enumerate(bodies):
            on = "base" if body.parent < 0 else "flexible" if bodies[body.parent].elastic else "rigid"
            what = body.kind if body.elastic is None else "flexible"
            seen.add((what, on))
            places = {child.attachment.x for child in bodies if child.parent == i and child.attachment is not None}
            seen |= {"several places"} if len(places) > 1 else set()
            seen |= {"massless weld"} if what == "fixed" and not body.mass else set()
            seen |= {"massless joint"} if what == "revolute" and not body.mass else set()
            counts |= {body.elastic.count} if body.elastic else set()
    kinds = ("revolute", "prismatic", "fixed", "flexible")
    assert seen >= {(what, on) for what in kinds for on in ("rigid", "flexible")} | {("flexible", "base")}
    assert seen >= {"several places", "massless weld", "massless joint"}
    assert counts == {1, 2, 3, 4, 5, 6}
