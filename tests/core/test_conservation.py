"""What physics keeps, the engine keeps: energy and momentum of free arms."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from flexarm.core.tree.types import Laws
from tests.oracles import lagrange

from .runs import commands, run, settings
from .swing import GRAVITY, SHAPES, START, swinging_bodies, swinging_engine
from .trees import as_oracle, planar_engine, spatial_engine

TIMES = np.linspace(0.0, 10.0, 201)


@pytest.mark.parametrize("shape", SHAPES)
def test_energy_of_an_undamped_free_arm_is_kept_over_ten_seconds(shape):
    engine, tree = swinging_engine(shape), as_oracle(swinging_bodies(shape))
    # at h = 0.25 ms the h⁴ error of the steps is 1e-10 of the energy that is exchanged
    out = run(engine.tree, settings("esdirk4", 10.0, step=2.5e-4), *START, TIMES).output
    stored = [lagrange.energy(tree, q, v, GRAVITY) for q, v in zip(out.q, out.v, strict=True)]
    total, kinetic = np.array([sum(e) for e in stored]), max(e.kinetic for e in stored)
    assert kinetic > 5.0
    assert np.ptp(total) < 1e-9 * kinetic


def momenta(bodies: list, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Linear momentum (kg m/s) and angular momentum about the base's origin (kg m²/s), body by body."""
    tree = as_oracle(bodies)
    R, p = lagrange.poses(tree, q)
    spin, speed = lagrange.velocities(tree, q, v)
    linear, angular = np.zeros(3), np.zeros(3)
    for i, body in enumerate(tree):
        r = R[i] @ body.centre
        momentum = body.mass * (speed[i] + np.cross(spin[i], r))
        linear += momentum
        angular += np.cross(p[i] + r, momentum) + R[i] @ body.inertia @ R[i].T @ spin[i]
    return linear, angular


def inner_torque() -> tuple[Laws, object]:
    """A sine on the third joint: what the arm does to itself changes no momentum."""
    return Laws(np.array([0, 1]), np.array([[0.0, 2.0, 7.0, 0.3, 0.0]])), commands(torque=[(2, 0)])


@pytest.mark.parametrize("shape", SHAPES)
def test_an_arm_free_about_its_base_axis_keeps_its_angular_momentum_about_it(shape):
    bodies = swinging_bodies(shape, damping=0.05)
    bodies[0] = replace(bodies[0], stiffness=0.0, damping=0.0)
    engine = (planar_engine if shape == "planar" else spatial_engine)(bodies, np.zeros(3))
    laws, command = inner_torque()
    out = run(engine.tree, settings("esdirk4", 3.0, step=5e-4), *START, TIMES[:61], laws=laws, command=command).output
    about = np.array([momenta(bodies, q, v)[1][2] for q, v in zip(out.q, out.v, strict=True)])
    assert np.ptp(out.q, axis=0).min() > 0.05  # every joint moves
    assert np.ptp(about) < 1e-9 * np.abs(about).max()


@pytest.mark.parametrize("shape", SHAPES)
def test_an_arm_free_along_its_base_slide_keeps_its_momentum_along_it(shape):
    bodies = swinging_bodies(shape, damping=0.05)
    along = np.array([0.8, -0.6, 0.0])
    bodies[0] = replace(bodies[0], kind="prismatic", axis=along, stiffness=0.0, damping=0.0)
    engine = (planar_engine if shape == "planar" else spatial_engine)(bodies, np.zeros(3))
    laws, command = inner_torque()
    out = run(engine.tree, settings("esdirk4", 3.0, step=5e-4), *START, TIMES[:61], laws=laws, command=command).output
    along_base = np.array([momenta(bodies, q, v)[0] @ along for q, v in zip(out.q, out.v, strict=True)])
    assert np.ptp(along_base) < 1e-9 * np.abs(along_base).max()


def test_gravity_changes_the_momentum_of_a_sliding_arm_by_its_impulse():
    bodies = swinging_bodies("planar")
    bodies[0] = replace(bodies[0], kind="prismatic", axis=np.array([0.0, 1.0, 0.0]), stiffness=0.0)
    engine = planar_engine(bodies, GRAVITY)
    out = run(engine.tree, settings("esdirk4", 3.0, step=1e-3), *START, TIMES[:61]).output
    upward = np.array([momenta(bodies, q, v)[0][1] for q, v in zip(out.q, out.v, strict=True)])
    mass = sum(body.mass for body in bodies)
    # 75 kg m/s are given in three seconds
    np.testing.assert_allclose(upward - upward[0], -9.81 * mass * TIMES[:61], atol=1e-8)
