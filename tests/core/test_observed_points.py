"""What is seen of an arm: places by products of transforms, velocities and accelerations as their derivatives."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import flexarm as fa
from flexarm.analyses.points import see
from flexarm.assembly import compile_arm

EXAMPLES = Path(__file__).parents[2] / "examples"
BODY = {"mass": 0.8, "inertia": (0.01, 0.02, 0.025)}
# a, alpha, d, theta of a six-axis arm with a slide for its third joint (Stanford type)
ROWS = [
    (0.0, -1.2, 0.4, 0.3),
    (0.1, np.pi / 2, 0.15, -0.2),
    (-0.05, 0.0, 0.2, -np.pi / 2),
    (0.0, -np.pi / 2, 0.1, 0.1),
    (0.02, np.pi / 2, 0.0, 0.0),
    (0.03, 0.4, 0.26, 1.0),
]
KINDS = ["revolute", "revolute", "prismatic", "revolute", "revolute", "revolute"]


def transform(a: float, alpha: float, d: float, theta: float) -> np.ndarray:
    """Rz(theta) Tz(d) Tx(a) Rx(alpha) as a 4 × 4 matrix."""
    H = np.eye(4)
    H[:3, :3] = (Rotation.from_euler("z", theta) * Rotation.from_euler("x", alpha)).as_matrix()
    H[:3, 3] = a * np.cos(theta), a * np.sin(theta), d
    return H


@pytest.mark.parametrize("seed", range(5))
def test_an_arm_given_by_denavit_and_hartenberg_stands_where_their_matrices_say(seed):
    keys = ("a", "alpha", "d", "theta")
    links = [
        {"name": f"l{i}", "joint": {"type": kind}, "dh": dict(zip(keys, row, strict=True)), "rigid": BODY}
        for i, (kind, row) in enumerate(zip(KINDS, ROWS, strict=True))
    ]
    compiled = compile_arm(fa.Arm(links=links))
    q = np.random.default_rng(seed).uniform(-2, 2, 6)
    H = np.eye(4)
    for kind, (a, alpha, d, theta), x in zip(KINDS, ROWS, q, strict=True):
        H = H @ (transform(a, alpha, d, theta + x) if kind == "revolute" else transform(a, alpha, d + x, theta))
    zero = np.zeros((1, 6))
    seen = see(compiled, np.zeros(1), q[None, :], zero, zero)
    np.testing.assert_allclose(seen.position[0, 0], H[:3, 3], atol=1e-14)
    w, x, y, z = seen.orientation[0, 0]
    np.testing.assert_allclose(Rotation.from_quat([x, y, z, w]).as_matrix(), H[:3, :3], atol=1e-14)


@pytest.mark.parametrize("name", ["rod_handler", "spatial_rod"])
def test_velocity_and_acceleration_of_every_point_are_derivatives_of_its_position(name):
    arm = fa.read_arm(EXAMPLES / f"{name}.toml")
    points = [{"name": f"p{i}", "link": "rod", "at": s, "offset": (0, 0.01, 0)} for i, s in enumerate((0.0, 0.33, 0.8))]
    compiled = compile_arm(arm.changed(points=points))
    rng = np.random.default_rng(2)
    nq, d = len(compiled.coordinate_names), 1e-3
    q, v, a = rng.standard_normal((3, nq)) * 0.3
    # along q + v t + a t²/2; the five-point formulas leave d⁴
    t = d * np.arange(-2, 3)[:, None]
    path = np.ascontiguousarray(q + v * t + 0.5 * a * t**2)
    seen = see(compiled, np.zeros(5), path, np.ascontiguousarray(v + a * t), np.tile(a, (5, 1)))
    p = seen.position
    velocity = (p[0] - 8 * p[1] + 8 * p[3] - p[4]) / (12 * d)
    acceleration = (-p[0] + 16 * p[1] - 30 * p[2] + 16 * p[3] - p[4]) / (12 * d * d)
    np.testing.assert_allclose(seen.velocity[2], velocity, atol=1e-9)
    np.testing.assert_allclose(seen.acceleration[2], acceleration, atol=1e-6)


@pytest.mark.parametrize("name", ["rod_handler", "spatial_rod"])
def test_deflection_is_the_way_from_the_rigid_arm(name):
    run = fa.simulate(fa.read_arm(EXAMPLES / f"{name}.toml"), output=0.1)
    arm = run.arm
    stiff = [
        link.changed(beam=None, model=None, damping=None, rigid={"mass": 1.0, "inertia": (0.1, 0.1, 0.1)})
        if link.beam is not None
        else link
        for link in arm.links
    ]
    rigid = fa.simulate(arm.changed(links=tuple(stiff)), output=0.1)
    away = run.values("point_position") - rigid.values("point_position")
    np.testing.assert_allclose(run.values("point_deflection"), away, atol=1e-12)
    assert np.abs(away).max() > 1e-4
