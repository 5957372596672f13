"""A small nonlinear arm that swings freely under gravity, and its motion by SciPy on Lagrange's equations."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.integrate import solve_ivp

from flexarm.core.tree.build import Body
from tests.oracles import lagrange

from .trees import Engine, as_oracle, planar_engine, spatial_engine

X = np.array([1.0, 0.0, 0.0])
GRAVITY = np.array([0.0, -9.81, 0.0])
START = np.array([0.3, 0.1, -0.4, 0.5]), np.array([1.0, 0.0, 0.5, -1.0])
SHAPES = ("planar", "spatial")


def swinging_bodies(shape: str, damping: float = 0.0) -> list[Body]:
    """Two turning joints, a slide and a turn again, all with springs; in space the third axis is skew."""
    skew = np.array([0.0, 0.6, 0.8]) if shape == "spatial" else np.array([0.0, 0.0, 1.0])
    slide = np.array([0.6, 0.8, 0.0])
    thin = np.array([0.03, 1.0, 1.0])
    return [
        Body(-1, "revolute", mass=1.0, centre=0.3 * X, inertia=np.diag(0.03 * thin), stiffness=20.0, damping=damping),
        Body(
            0,
            "prismatic",
            axis=slide,
            offset=0.5 * X,
            mass=0.7,
            inertia=np.diag([0.02, 0.01, 0.02]),
            stiffness=300.0,
            rest=0.1,
            damping=damping,
        ),
        Body(
            1,
            "revolute",
            axis=skew,
            offset=0.2 * X,
            mass=0.5,
            centre=0.2 * X,
            inertia=np.diag(0.01 * thin),
            stiffness=5.0,
            damping=damping,
        ),
        Body(
            2,
            "revolute",
            offset=0.4 * X,
            mass=0.3,
            centre=np.array([0.17, 0.02, 0.0]),
            inertia=np.diag(0.004 * thin),
            stiffness=3.0,
            damping=damping,
        ),
    ]


def swinging_engine(shape: str, damping: float = 0.0) -> Engine:
    """The engine on the swinging arm."""
    return (planar_engine if shape == "planar" else spatial_engine)(swinging_bodies(shape, damping), GRAVITY)


@lru_cache(maxsize=4)
def reference(shape: str, end: float, damping: float = 0.0) -> np.ndarray:
    """Coordinates and rates (2, 4) at the end, by an explicit method of order eight at 1e-11."""
    tree = as_oracle(swinging_bodies(shape, damping))

    def rhs(_: float, y: np.ndarray) -> np.ndarray:
        return np.concatenate([y[4:], lagrange.hybrid(tree, y[:4], y[4:], gravity=GRAVITY)[0]])

    answer = solve_ivp(rhs, (0.0, end), np.concatenate(START), method="DOP853", rtol=1e-11, atol=1e-12)
    return np.reshape(answer.y[:, -1], (2, 4))
