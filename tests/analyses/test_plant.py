"""A plant holds its torques exactly over a period, and what it does can be saved and done again."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from scipy.linalg import expm

import flexarm as fa
from flexarm.analyses.plant.torque_driven import driven_by_torque
from flexarm.model.laws.torque import TorqueTable

# Two carriages on a rail, the second on the first, with springs and dampers: linear to the last bit.
MASSES, SPRINGS, DAMPERS = (2.0, 0.5), (0.0, 80.0), (0.3, 0.1)
CARRIAGES = """
name = "two carriages"
gravity = [0, 0, 0]
planar = true

[[link]]
name = "lower"
joint = { type = "prismatic", axis = [1, 0, 0], free = true, damping = 0.3 }
length = 0
rigid = { mass = 2.0, inertia = 0 }

[[link]]
name = "upper"
joint = { type = "prismatic", axis = [1, 0, 0], free = true, stiffness = 80.0, damping = 0.1 }
length = 0
rigid = { mass = 0.5, inertia = 0 }
"""


def carriages_in_state_space() -> tuple[np.ndarray, np.ndarray]:
    """A and B (force on the lower one) of the carriages, in their relative coordinates, from Lagrange's equations."""
    m1, m2 = MASSES
    mass = np.array([[m1 + m2, m2], [m2, m2]])
    a = np.zeros((4, 4))
    a[:2, 2:] = np.eye(2)
    a[2:, :2] = -np.linalg.solve(mass, np.diag(SPRINGS))
    a[2:, 2:] = -np.linalg.solve(mass, np.diag(DAMPERS))
    b = np.concatenate([np.zeros(2), np.linalg.solve(mass, [1.0, 0.0])])
    return a, b


@pytest.fixture(scope="module")
def carriages():
    return fa.parse_arm(CARRIAGES)


@pytest.fixture(scope="module")
def link():
    return fa.read_arm("examples/flexible_link.toml")


def test_a_linear_arm_is_its_exact_zero_order_hold(carriages):
    period, names = 0.02, ["lower.position", "upper.position", "lower.rate", "upper.rate"]
    plant = fa.Plant(carriages, period, inputs=["lower.torque"], outputs=names, tolerance=1e-11)
    a, b = carriages_in_state_space()
    block = np.zeros((5, 5))
    block[:4, :4], block[:4, 4] = a * period, b * period
    whole = expm(block)
    x = np.array([0.1, -0.05, 0.0, 0.3])
    y = plant.reset({"lower": 0.1, "upper": -0.05, "upper.rate": 0.3})
    assert np.array_equal(y, x)
    for u in np.random.default_rng(1).uniform(-20.0, 20.0, 100):
        x = whole[:4, :4] @ x + whole[:4, 4] * u
        y = plant.step(u)
        # 2 m and 5 m/s are reached: 1e-9 of that
        assert np.abs(y - x).max() < 1e-9
    assert plant.time == 100 * period


def test_a_plant_under_torques_in_steps_moves_as_simulate_has_it(link):
    period, torques = 2e-3, 2.0 * np.random.default_rng(2).standard_normal(60)
    law = TorqueTable(times=[*(period * np.arange(60)), 1.0], values=[*torques, 0.0], interpolation="steps", unit="N m")
    arm = driven_by_torque(link, ["link"], [law])
    run = fa.simulate(arm, end=60 * period, output=period, tolerance=1e-9)
    names = ["link.position", "link.rate", "tip.x", "tip.y_rate", "tip.across", "energy.elastic"]
    plant = fa.Plant(link, period, inputs=["link.torque"], outputs=names, tolerance=1e-9)
    seen = np.array([plant.reset(), *(plant.step([u]) for u in torques)])
    for k, name in enumerate(names):
        # the tolerance is 1e-9 m of error at the tip, rates follow by the frequencies that are excited (1e3 1/s)
        assert np.abs(seen[:, k] - run[name]).max() < (1e-8 if "rate" not in name else 1e-5), name
    assert np.abs(run["tip.across"]).max() > 1e-3


def test_what_is_saved_is_done_again_to_the_last_bit(link):
    plant = fa.Plant(link, "1 ms")
    assert plant.inputs == ("link.torque",) and plant.outputs == ("link.position", "link.rate")
    plant.reset(seed=3)
    torques = np.random.default_rng(3).standard_normal((30, 1))
    for u in torques:
        plant.step(u)
    saved = pickle.loads(pickle.dumps(plant.save()))
    after = [plant.step(u) for u in torques]
    plant.restore(saved)
    assert plant.time == saved.time == 30 * plant.period
    assert all(np.array_equal(plant.step(u), y) for u, y in zip(torques, after, strict=True))
    other = fa.Plant(link, "1 ms")
    other.restore(saved)
    assert all(np.array_equal(other.step(u), y) for u, y in zip(torques, after, strict=True))


def test_a_reset_forgets_all_that_was(link):
    plant = fa.Plant(link, "1 ms")
    first = [plant.step([1.0]) for _ in range(5)]
    plant.reset()
    assert all(np.array_equal(plant.step([1.0]), y) for y in first)
    assert plant.reset(seed=4) is not None and plant.random.random() == np.random.default_rng(4).random()


def test_torques_that_are_not_changed_cost_no_restart(carriages):
    plant = fa.Plant(carriages, 0.01, inputs=["lower.torque"])
    plant.step(0.0)
    before = int(plant._stepper.memory.counts.fresh[0])
    plant.step(0.0)
    assert before == 0 and plant._stepper.memory.counts.begun[0] == 1


def test_a_static_start_is_held_by_its_torques():
    arm = fa.read_arm("examples/boom.toml")
    driven = [each.name for each in arm.links if each.joint.drive in ("motion", "servo")]
    plant = fa.Plant(arm, "5 ms", start="static", tolerance=1e-9)
    assert plant.inputs == tuple(f"{name}.torque" for name in driven)
    y, u = plant.reset(), plant.input
    assert np.abs(u).max() > 1.0
    for _ in range(4):
        again = plant.step(u)
    # an equilibrium found to 1e-9 of its forces stays for 20 ms
    assert np.abs(again - y).max() < 1e-7


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda arm: fa.Plant(arm, 0.0), ("period", "> 0")),
        (lambda arm: fa.Plant(arm, "2 m"), ("period", "s")),
        (lambda arm: fa.Plant(arm, 1e-3, inputs=["link.position"]), ("link.position", "link.torque")),
        (lambda arm: fa.Plant(arm, 1e-3, inputs=["lonk.torque"]), ("lonk.torque", "link")),
        (lambda arm: fa.Plant(arm, 1e-3, inputs=["link.torque", "link.torque"]), ("twice",)),
        (lambda arm: fa.Plant(arm, 1e-3, inputs="link.torque"), ("must be a list",)),
        (lambda arm: fa.Plant(arm, 1e-3, outputs="link.rate"), ("must be a list",)),
        (lambda arm: fa.Plant(arm, 1e-3, outputs=["link.speeed"]), ("link.speeed", "not known")),
        (lambda arm: fa.Plant(arm, 1e-3, outputs=["tip.distance"]), ("tip.distance", "command that ends")),
        (lambda arm: fa.Plant(arm, 1e-3).step([np.nan]), ("link.torque is nan", "0 s", "finite")),
        (lambda arm: fa.Plant(arm, 1e-3).step([1.0, 2.0]), ("must be 1 numbers", "link.torque")),
        (lambda arm: fa.Plant(arm, 1e-3).step("fast"), ("fast", "must be 1 numbers")),
        (lambda arm: fa.Plant(arm, 1e-3).restore(3), ("save()",)),
        (lambda arm: fa.Plant(arm, 1e-3).reset({"lonk": 1.0}), ("lonk",)),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(link, make, words):
    with pytest.raises(fa.FlexarmError) as refused:
        make(link)
    assert "\n" not in str(refused.value)
    assert all(word in str(refused.value) for word in words), str(refused.value)


def test_a_refused_torque_changes_nothing(link):
    plant = fa.Plant(link, 1e-3)
    plant.step(1.0)
    for wrong in ([np.inf], [1.0, 2.0]):
        with pytest.raises(fa.FlexarmError):
            plant.step(wrong)
    y = plant.step(1.0)
    fresh = fa.Plant(link, 1e-3)
    fresh.step(1.0)
    assert np.array_equal(fresh.step(1.0), y) and plant.time == 2e-3


def test_a_plant_that_fails_says_when_and_why_and_can_be_reset(link):
    plant = fa.Plant(link, 1e-2)
    with pytest.raises(fa.FlexarmError, match=r"stopped at \d.* s: .*try"):
        for k in range(200):
            plant.step(1e5 * (-1) ** k)
    with pytest.raises(fa.FlexarmError, match="stopped at"):
        plant.step(0.0)
    plant.reset()
    assert np.isfinite(plant.step(0.0)).all()


def test_a_state_of_another_arm_is_refused(link, carriages):
    saved = fa.Plant(carriages, 1e-2, inputs=["lower.torque"]).save()
    with pytest.raises(fa.FlexarmError, match="another arm"):
        fa.Plant(link, 1e-2).restore(saved)


def test_gauges_and_places_are_read_by_the_kernel_as_by_simulate(link):
    arm = link.with_("gauge", [{"name": "root", "link": "link", "at": "50 mm", "face": "+y"}])
    names = ["root.strain", "link.moment_z_at_300_mm", "link.torque"]
    plant = fa.Plant(arm, "2 ms", outputs=names)
    assert not plant._stepper.outputs.others
    for u in (1.0, -2.0, 3.0):
        y = plant.step(u)
    q, v = plant.state
    from flexarm.analyses.signals.observed import OneObserved, States

    seen = OneObserved(plant._compiled, States(np.zeros(1), q[None], v[None], 0.0 * q[None]), "nonlinear")
    for k in (0, 1):
        assert y[k] == pytest.approx(seen.signal(names[k])[0, 0], rel=1e-9)
    assert y[2] == 3.0
    assert plant.observe(names) == pytest.approx(y, rel=1e-9)
