"""The dense references of mechanics, each checked against a second, unrelated form."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from . import beams, lagrange, planar_chain, spatial_rod
from .brake import Brake
from .integration import History, Segment, integrate, spread
from .lagrange import Body
from .oscillator import Oscillator

GRAVITY = (0.3, -1.2, -9.81)
X, Y, Z = np.eye(3)


def random_tree(seed: int, count: int = 7) -> list[Body]:
    """A branched tree of every joint kind with skew frames, springs, rotors and one massless body."""
    rng = np.random.default_rng(seed)
    tree = []
    for i in range(count):
        spread = rng.standard_normal((3, 3))
        cloud = spread @ spread.T
        axis = rng.standard_normal(3)
        massless = i == 2
        tree.append(
            Body(
                parent=int(rng.integers(-1, i)) if i else -1,
                kind=("revolute", "prismatic", "revolute", "fixed")[i % 4],
                axis=axis / np.linalg.norm(axis),
                rotation=Rotation.random(random_state=rng).as_matrix(),
                offset=rng.standard_normal(3),
                mass=0.0 if massless else rng.uniform(0.5, 2.0),
                centre=rng.standard_normal(3),
                inertia=np.zeros((3, 3)) if massless else np.trace(cloud) * np.eye(3) - cloud,
                stiffness=rng.uniform(1, 5),
                damping=rng.uniform(0.1, 0.5),
                rest=rng.standard_normal(),
                rotor=rng.uniform(0, 0.1),
            )
        )
    return tree


# --- Lagrange --------------------------------------------------------------------------------------------------------


def test_mass_matrix_and_bias_equal_the_double_pendulum_in_closed_form() -> None:
    m1, m2, l1, c1, c2, j1, j2, g = 1.3, 0.7, 0.9, 0.4, 0.25, 0.11, 0.05, 9.81
    tree = [
        Body(mass=m1, centre=c1 * X, inertia=np.diag([0, 0, j1])),
        Body(parent=0, offset=l1 * X, mass=m2, centre=c2 * X, inertia=np.diag([0, 0, j2])),
    ]
    (q1, q2), (v1, v2) = (0.7, -1.1), (1.9, -2.3)
    couple = m2 * l1 * c2
    m22 = j2 + m2 * c2**2
    m12 = m22 + couple * np.cos(q2)
    m11 = j1 + m1 * c1**2 + m2 * l1**2 + m22 + 2 * couple * np.cos(q2)
    outer = m2 * c2 * g * np.cos(q1 + q2)
    h1 = -couple * np.sin(q2) * (2 * v1 * v2 + v2**2) + (m1 * c1 + m2 * l1) * g * np.cos(q1) + outer
    h2 = couple * np.sin(q2) * v1**2 + outer
    np.testing.assert_allclose(lagrange.mass_matrix(tree, [q1, q2]), [[m11, m12], [m12, m22]], rtol=1e-14)
    np.testing.assert_allclose(lagrange.bias(tree, [q1, q2], [v1, v2], (0, -g, 0)), [h1, h2], rtol=1e-13)


@pytest.mark.parametrize("seed", range(4))
def test_power_of_the_forces_equals_the_rate_of_the_energy(seed: int) -> None:
    # dT/dt + dV/dt = v·force along any motion; the left side by a difference of sixth order, good to 1e-10
    tree, rng = random_tree(seed), np.random.default_rng(100 + seed)
    n = lagrange.freedoms(tree)
    q, v, a = rng.standard_normal((3, n))
    inertial = lagrange.mass_matrix(tree, q) @ a + lagrange.bias(tree, q, v, GRAVITY)
    force = inertial - lagrange.spring_force(tree, q, 0 * v)

    def total(t: float) -> float:
        return sum(lagrange.energy(tree, q + v * t + 0.5 * a * t**2, v + a * t, GRAVITY))

    h = 2e-3
    rate = sum(w * (total(k * h) - total(-k * h)) for k, w in ((1, 45), (2, -9), (3, 1))) / (60 * h)
    assert rate == pytest.approx(v @ force, rel=1e-9, abs=1e-9 * np.abs(force).max())


@pytest.mark.parametrize("seed", range(4))
def test_bias_equals_christoffel_symbols_by_differences(seed: int) -> None:
    # h_i = Σ (∂M_ij/∂q_k − ½ ∂M_jk/∂q_i) v_j v_k + ∂V/∂q_i, differences of fourth order: 1e-9
    tree, rng = random_tree(seed), np.random.default_rng(200 + seed)
    n = lagrange.freedoms(tree)
    q, v = rng.standard_normal((2, n))
    h = 1e-3

    def slope(f, k):
        e = h * np.eye(n)[k]
        return (8 * (f(q + e) - f(q - e)) - (f(q + 2 * e) - f(q - 2 * e))) / (12 * h)

    dM = np.array([slope(lambda x: lagrange.mass_matrix(tree, x), k) for k in range(n)])
    dV = np.array([slope(lambda x: lagrange.energy(tree, x, 0 * x, GRAVITY).gravity, k) for k in range(n)])
    expected = np.einsum("kij,j,k->i", dM, v, v) - 0.5 * np.einsum("ijk,j,k->i", dM, v, v) + dV
    np.testing.assert_allclose(lagrange.bias(tree, q, v, GRAVITY), expected, atol=1e-9 * np.abs(expected).max())


def test_kinetic_energy_is_half_the_mass_matrix_form() -> None:
    tree, rng = random_tree(5), np.random.default_rng(5)
    q, v = rng.standard_normal((2, lagrange.freedoms(tree)))
    assert lagrange.energy(tree, q, v).kinetic == pytest.approx(0.5 * v @ lagrange.mass_matrix(tree, q) @ v, rel=1e-13)


def test_spinning_top_precesses_as_euler_says() -> None:
    # a free symmetric body on three gimbals: body-axis spin obeys I ω̇ + ω × Iω = 0
    inertia = np.diag([0.4, 0.4, 0.7])
    tree = [Body(axis=X), Body(parent=0, axis=Y), Body(parent=1, axis=Z, mass=2.0, inertia=inertia)]
    q, v = np.array([0.3, -0.5, 0.9]), np.array([1.1, 0.7, -2.0])
    a, _ = lagrange.hybrid(tree, q, v)

    def body_spin(t: float) -> np.ndarray:
        at, rate = q + v * t + 0.5 * a * t**2, v + a * t
        return lagrange.poses(tree, at)[0][2].T @ lagrange.velocities(tree, at, rate)[0][2]

    w, h = body_spin(0.0), 1e-4
    spin_rate = (8 * (body_spin(h) - body_spin(-h)) - body_spin(2 * h) + body_spin(-2 * h)) / (12 * h)
    np.testing.assert_allclose(inertia @ spin_rate + np.cross(w, inertia @ w), 0, atol=1e-9)


def test_hybrid_returns_the_force_that_makes_the_prescribed_motion() -> None:
    tree, rng = random_tree(6), np.random.default_rng(6)
    n = lagrange.freedoms(tree)
    q, v, a = rng.standard_normal((3, n))
    driven = np.arange(n) % 2 == 0
    a_mixed, force = lagrange.hybrid(tree, q, v, prescribed=driven, acceleration=a, gravity=GRAVITY)
    a_free, _ = lagrange.hybrid(tree, q, v, force=force, gravity=GRAVITY)
    np.testing.assert_allclose(a_mixed[driven], a[driven])
    np.testing.assert_allclose(a_free, a_mixed, rtol=1e-9, atol=1e-9)


# --- Integration -----------------------------------------------------------------------------------------------------


def test_history_reproduces_a_quintic_exactly_and_spread_finds_its_extremes() -> None:
    p = np.polynomial.Polynomial([0.3, -1.0, 0.5, 2.0, -1.5, 0.7])
    t = np.linspace(0, 1, 4)
    history = History((Segment(t, *(f(t)[:, None] for f in (p, p.deriv(), p.deriv(2)))),))
    at = np.linspace(0, 1, 57)
    q, v = history(at)
    np.testing.assert_allclose(q[:, 0], p(at), atol=1e-14)
    np.testing.assert_allclose(v[:, 0], p.deriv()(at), atol=1e-13)
    assert spread(lambda t: np.sin(7 * t), 0, 2) == pytest.approx(2.0, abs=1e-12)


def test_integration_restarts_at_the_switches_of_a_braked_base() -> None:
    # one oscillator on a base that cruises, brakes and rests: the closed forms piece by piece
    brake, o = Brake((0.0,), (2.0,), 1.0, 0.4), Oscillator(31.0, 0.03)
    history = integrate(
        lambda t, q, v, phase: -brake.motion(t, phase)[2] - 2 * o.zeta * o.omega * v - o.omega**2 * q,
        brake.switches(2.0),
        np.array([0.0]),
        np.array([0.0]),
        method="DOP853",
        max_step=0.01,
    )
    since = np.linspace(0, 0.7, 11)
    expected = o.after_pulse(since, -2.0 / 0.4, 0.4)
    for got, want in zip(history(brake.stop + since), expected, strict=True):
        np.testing.assert_allclose(got[:, 0], want, atol=1e-9)


# --- Planar chain ----------------------------------------------------------------------------------------------------


def planar_tree(chain: planar_chain.Chain) -> list[Body]:
    """The same arm as a tree with relative coordinates."""
    return [
        Body(
            parent=i - 1,
            offset=chain.lengths[i - 1] * X if i else 0 * X,
            mass=m,
            centre=length / 2 * X,
            inertia=np.diag([0, 0, j]),
            stiffness=chain.stiffness if i >= planar_chain.DRIVEN else 0.0,
            damping=chain.damping if i >= planar_chain.DRIVEN else 0.0,
        )
        for i, (length, m, j) in enumerate(zip(chain.lengths, chain.masses, chain.inertias, strict=True))
    ]


def test_planar_chain_has_the_printed_elements() -> None:
    chain = planar_chain.Chain(10, 5.0)
    assert (chain.stiffness, chain.damping) == (pytest.approx(1.5865e4), 5.0)
    np.testing.assert_allclose(chain.inertias[[2, 3, -1]], [3.28125e-5, 2.625e-4, 3.28125e-5], rtol=1e-12)
    np.testing.assert_allclose(chain.masses[[2, 3, -1]], [0.1575, 0.315, 0.1575])
    assert chain.lengths.sum() == pytest.approx(1.5)


def test_planar_chain_equals_lagrange_in_relative_coordinates() -> None:
    chain, rng = planar_chain.Chain(6, 2.0), np.random.default_rng(3)
    joints, bends, rates = rng.standard_normal((3, 3)), 0.4 * rng.standard_normal(6), rng.standard_normal(6)
    driven = np.arange(9) < 3
    a, force = lagrange.hybrid(
        planar_tree(chain),
        np.concatenate([joints[0], bends]),
        np.concatenate([joints[1], rates]),
        prescribed=driven,
        acceleration=np.concatenate([joints[2], np.zeros(6)]),
    )
    motion = (joints[0], joints[1], joints[2])
    got = chain.bend_acceleration(motion, bends, rates)
    np.testing.assert_allclose(got, a[3:], rtol=1e-9, atol=1e-10 * np.abs(a).max())
    np.testing.assert_allclose(chain.joint_torques(motion, bends, rates), force[:3], rtol=1e-9)


def test_planar_chain_conserves_energy_without_damping_when_the_joints_stand() -> None:
    chain = planar_chain.Chain(4, 0.0)
    joints = (np.array(planar_chain.START), np.zeros(3), np.zeros(3))
    history = integrate(
        lambda t, q, v, phase: chain.bend_acceleration(joints, q, v),
        (0.0, 0.05),
        np.full(4, 0.05),
        np.zeros(4),
        method="DOP853",
    )
    q, v = history(np.linspace(0, 0.05, 20))
    energy = [chain.energy(chain.angles(joints[0], x), chain.angles(joints[1], y)) for x, y in zip(q, v, strict=True)]
    np.testing.assert_allclose(energy, energy[0], rtol=1e-7)


def test_planar_frequencies_converge_to_the_cantilever_at_second_order() -> None:
    exact = beams.euler(1, EI=1586.5, rhoA=3.15, L=1.0)[0] / (2 * np.pi)
    errors = np.array([planar_chain.frequencies(n)[0] - exact for n in (10, 20, 40)])
    np.testing.assert_allclose(errors[:-1] / errors[1:], 4.0, rtol=0.01)


def test_planar_steady_start_balances_the_centripetal_acceleration_of_the_rod_joint() -> None:
    # arms up: the rod joint is pulled down at Σ l ω², and spring j carries ρA a (ℓ − s_j)²/2; the rod's own spin
    # straightens it by up to a part in a thousand
    chain, joints = planar_chain.Chain(10), planar_chain.stop(1.0).motion(0.0, 0)
    bends = planar_chain.steady_start(10)
    np.testing.assert_allclose(chain.bend_acceleration(joints, bends, np.zeros(10)), 0, atol=1e-7)
    pull = 0.2 * (np.pi / 4) ** 2 + 0.3 * (np.pi / 2) ** 2
    outboard = 1.0 - np.arange(0.05, 1.0, 0.1)
    linear = 3.15 * pull * outboard**2 / 2 / chain.stiffness
    np.testing.assert_allclose(bends, linear, rtol=2e-3)
    assert np.all(bends < linear)


def test_planar_stop_by_two_integrators_agrees_to_1e_9() -> None:
    # implicit of order five beside explicit of order eight; two elements keep the latter quick; braking begins at 0.1 s
    times, tolerances = np.linspace(0, 0.2, 9), ((1e-8, 1e-11, "Radau"), (1e-10, 1e-13, "DOP853"))
    tips = [planar_chain.tip_history(times, 2, 1.0, 2.3, to=planar_chain.Tolerance(*t)) for t in tolerances]
    np.testing.assert_allclose(tips[0], tips[1], atol=1e-9)


def test_planar_ranges_from_the_shared_cruise_equal_those_of_one_run() -> None:
    loose = planar_chain.LOOSE
    height, first = planar_chain.residual_ranges(1, 1.0, 0.4, window=0.2, to=loose)
    history = planar_chain.simulate(1, 1.0, 0.4, 1.65, to=loose)
    assert spread(lambda t: planar_chain.tip_of(history, t, 1, 0.4)[:, 1], 1.45, 1.65) == pytest.approx(
        height, rel=1e-6
    )
    assert spread(lambda t: history(t)[0][:, 0], 1.45, 1.65) == pytest.approx(first, rel=1e-6)


# --- Spatial rod -----------------------------------------------------------------------------------------------------


def spatial_tree(rod: spatial_rod.Rod) -> list[Body]:
    """The same arm as a tree; column, arms and wrist without mass, since their motion is prescribed."""
    tree = [
        Body(axis=Z),
        Body(parent=0, axis=X, offset=0.7 * Z),
        Body(parent=1, axis=X, offset=1.5 * Y),
    ]
    offset = 1.58 * Y + rod.first_half * X
    for length, mass, along, across in zip(rod.lengths, rod.masses, rod.along, rod.across, strict=True):
        spring = {"stiffness": rod.stiffness, "damping": rod.damping}
        tree.append(Body(parent=len(tree) - 1, axis=Y, offset=offset, **spring))
        inertia = np.diag([along, across, across])
        tree.append(Body(parent=len(tree) - 1, axis=Z, mass=mass, centre=length / 2 * X, inertia=inertia, **spring))
        offset = length * X
    return tree


def test_spatial_rod_has_the_printed_elements() -> None:
    rod = spatial_rod.Rod()
    assert (rod.stiffness, rod.damping) == (pytest.approx(7.93252e3), 10.0)
    printed = [0.49071, 1.6357e-3, 2.45355e-5]
    np.testing.assert_allclose([rod.masses[0], rod.across[0], rod.along[0]], printed, rtol=1e-12)


def test_spatial_rod_equals_lagrange() -> None:
    rod, rng = spatial_rod.Rod(), np.random.default_rng(1)
    joints = rng.standard_normal((3, 3))
    q, v = 0.3 * rng.standard_normal(20), rng.standard_normal(20)
    tree, full_q, full_v = spatial_tree(rod), np.concatenate([joints[0], q]), np.concatenate([joints[1], v])
    base = spatial_rod.carrier(*joints)
    M, bias = rod.equations(base, q, v)
    M_full = lagrange.mass_matrix(tree, full_q)
    expected = (M_full[:, :3] @ joints[2] + lagrange.bias(tree, full_q, full_v))[3:]
    np.testing.assert_allclose(M, M_full[3:, 3:], atol=1e-13 * M.max())
    np.testing.assert_allclose(bias, expected, atol=1e-12 * np.abs(bias).max())
    R, p = lagrange.poses(tree, full_q)
    np.testing.assert_allclose(rod.tip(base, q), p[-1] + R[-1] @ (rod.lengths[-1] * X), atol=1e-13)


def test_spatial_frequencies_come_in_pairs_near_the_cantilever() -> None:
    exact = beams.euler(2, EI=spatial_rod.BENDING_STIFFNESS, rhoA=2.45355, L=2.0) / (2 * np.pi)
    got = spatial_rod.frequencies(10)
    np.testing.assert_allclose(got[0:4:2], got[1:4:2], rtol=1e-12)
    np.testing.assert_allclose(got[0], exact[0], rtol=3e-3)  # second order: 0.2 % at ten elements
    finer = spatial_rod.frequencies(40)[[0, 2]]
    np.testing.assert_allclose(finer, exact, rtol=1e-3)


def test_spatial_stop_by_two_integrators_agrees_to_1e_8() -> None:
    times = np.linspace(0, 0.3, 9)  # braking begins at 0.1 s
    (q1, _), (q2, _) = (
        spatial_rod.simulate(2, 10.0, 3.8, 0.3, method=method, rtol=1e-9, atol=1e-11)(times)
        for method in ("Radau", "DOP853")
    )
    np.testing.assert_allclose(q1, q2, atol=1e-8 * np.abs(q1).max())
