"""The dynamics in public: what is inverse is inverse, work is energy, and arrays of states give what single ones do."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import flexarm as fa

EXAMPLES = Path(__file__).parents[2] / "examples"
ARMS = ("two_link.toml", "six_axis.toml", "servo_arm.toml")


@pytest.fixture(scope="module", params=ARMS)
def own(request) -> fa.Dynamics:
    arm = fa.read_arm(EXAMPLES / request.param)
    # motors behind gears need an inertia of their own where all joints are free
    links = [
        link.changed(joint=link.joint.changed(rotor_inertia=0.3)) if link.joint.gear and not link.joint.motor else link
        for link in arm.links
    ]
    return fa.Dynamics(arm.changed(links=links), passive=True)


def states(own: fa.Dynamics, count: int, seed: int = 0) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    q, v, a = rng.uniform(-0.02, 0.02, (3, count, own.size))
    joints = {each.joint.name or each.name for each in own.arm.links}
    for k, name in enumerate(own.names):
        if name in joints:
            q[:, k] = rng.uniform(-1.0, 1.0, count)
    return [q, v, a]


def test_forward_undoes_inverse(own):
    q, v, a = states(own, 5)
    back = own.forward(q, v, own.inverse(q, v, a))
    # elastic accelerations are differences of large forces over small masses
    forces = np.abs(own.inverse(q, v, a)).max() / np.linalg.eigvalsh(own.mass_matrix(q)).min()
    assert np.max(np.abs(back - a)) < 1e-11 * forces


def test_columns_of_the_mass_matrix_are_forces_of_unit_accelerations(own):
    q = states(own, 1)[0][0]
    still = np.zeros(own.size)
    columns = own.inverse(q, still, np.eye(own.size)) - own.inverse(q, still, still)
    M = own.mass_matrix(q)
    # stiff springs are in both forces: their rounding stays in the difference
    slack = 1e-13 * np.abs(own.inverse(q, still, still)).max()
    assert np.allclose(columns.T, M, rtol=1e-9, atol=slack)


def test_the_power_of_all_forces_is_the_rate_of_energy(own):
    q, v, a = (each[0] for each in states(own, 1, 3))
    tau = own.inverse(q, v, a)
    still = own.inverse(q, 0 * v, 0 * a)
    damped = own.inverse(q, v, 0 * a) - fa.Dynamics(own.arm).inverse(q, v, 0 * a)
    h = 1e-6
    ahead, behind = (own.energy(q + s * h * v + 0.5 * h * h * a, v + s * h * a).total for s in (1, -1))
    rate = (ahead - behind) / (2 * h)
    lost = tau @ v - rate
    scale = np.abs(tau * v).sum() + np.abs(still * v).sum()
    assert lost > -1e-6 * scale  # damping only takes
    if not np.any(damped) and not any(link.effective_damping for link in own.arm.links):
        assert abs(lost) < 1e-6 * scale


def test_the_jacobian_is_the_derivative_of_the_place(own):
    q = states(own, 1, 5)[0][0]
    J = own.jacobian("tip", q)
    h = 1e-6
    for c in range(own.size):
        step = np.zeros(own.size)
        step[c] = h
        one, other = own.place("tip", q + step), own.place("tip", q - step)
        assert np.allclose(J[:3, c], (one.position - other.position) / (2 * h), atol=1e-8)
        spin = (one.rotation - other.rotation) / (2 * h) @ own.place("tip", q).rotation.T
        assert np.allclose(J[3:, c], [spin[2, 1], spin[0, 2], spin[1, 0]], atol=1e-8)


def test_arrays_of_states_give_what_single_ones_do(own):
    q, v, a = (each.reshape(2, 3, own.size) for each in states(own, 6))
    forces, M, J = own.inverse(q, v, a), own.mass_matrix(q), own.jacobian("tip", q)
    back, energy, place = own.forward(q, v, forces), own.energy(q, v), own.place("tip", q)
    assert forces.shape == back.shape == q.shape and M.shape == (2, 3, own.size, own.size)
    assert J.shape == (2, 3, 6, own.size) and place.rotation.shape == (2, 3, 3, 3) and energy.kinetic.shape == (2, 3)
    i = (1, 2)
    assert np.array_equal(forces[i], own.inverse(q[i], v[i], a[i]))
    assert np.array_equal(back[i], own.forward(q[i], v[i], forces[i]))
    assert np.array_equal(M[i], own.mass_matrix(q[i]))
    assert np.array_equal(J[i], own.jacobian("tip", q[i]))
    assert np.array_equal(energy.total[i], own.energy(q[i], v[i]).total)
    # one posture goes with many rates
    assert own.inverse(q[0, 0], v, a).shape == v.shape


def test_all_joints_are_free_whatever_drives_them():
    own = fa.Dynamics(EXAMPLES / "pendulum.toml")
    q = np.array([0.3])
    a = own.forward(q, np.zeros(1), np.zeros(1))
    assert a[0] == pytest.approx(-own.inverse(q, np.zeros(1), np.zeros(1))[0] / own.mass_matrix(q)[0, 0])


def test_coordinates_are_given_by_name_and_unit():
    own = fa.Dynamics(EXAMPLES / "six_axis.toml")
    name = "forearm"
    q = own.coordinates({name: "30 deg"})
    assert q[own.names.index(name)] == pytest.approx(np.pi / 6)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda own: own.forward([0.0, 0.0], [0.0], [0.0]), "q has the shape (2,), must end with 1"),
        (lambda own: own.forward([np.nan], [0.0], [0.0]), "q holds numbers that are not finite"),
        (lambda own: own.inverse("x", [0.0], [0.0]), 'q is "x", must be an array of numbers'),
        (lambda own: own.energy(np.zeros((3, 1)), np.zeros((2, 1))), "are not the shapes of the same states"),
        (lambda own: own.jacobian("top", [0.0]), 'there is no point "top", must be "tip"'),
    ],
)
def test_what_cannot_be_right_is_refused(call, sentence):
    with pytest.raises(fa.FlexarmError) as refused:
        call(fa.Dynamics(EXAMPLES / "pendulum.toml"))
    assert sentence in str(refused.value)


def test_a_joint_that_carries_nothing_is_named_as_the_reason():
    own = fa.Dynamics(EXAMPLES / "six_axis.toml")
    still = np.zeros(own.size)
    with pytest.raises(fa.FlexarmError, match="the motor of one with a gear, must have a rotor_inertia"):
        own.forward(still, still, still)
