"""Serial revolute chains with random inertias from a fixed seed, for forward dynamics."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

BODY_COUNTS = (13, 53, 203)
GRAVITY = (0.0, 0.0, -9.81)  # m/s²
SEED = 20260


@dataclass(frozen=True)
class Chain:
    """A chain and one state of it. Body i hangs on body i − 1, the first on the ground; all frames parallel at q = 0.

    `axis[i]` is 0, 1 or 2 for a joint about its own x, y or z; `offset[i]` (m) leads from the parent's frame to the
    joint; `centre[i]` (m) and `inertia[i]` (kg m², about the mass centre) are in the body's own frame, on its
    joint.
    """

    axis: NDArray[np.int64]
    offset: Vector
    mass: Vector
    centre: Vector
    inertia: Vector
    q: Vector
    v: Vector
    tau: Vector

    @property
    def bodies(self) -> int:
        """Number of bodies, which is the number of joints."""
        return int(self.mass.size)


def flat_chain(bodies: int) -> Chain:
    """The same bodies in a plane: every joint about z, offsets and mass centres in x and y."""
    chain = random_chain(bodies)
    flat = np.array([1.0, 1.0, 0.0])
    return replace(chain, axis=np.full(bodies, 2), offset=chain.offset * flat, centre=chain.centre * flat)


def random_chain(bodies: int) -> Chain:
    """A chain whose axes go round x, y, z, with inertias that real bodies could have."""
    rng = np.random.default_rng(SEED)
    # an inertia built from a positive definite second-moment matrix W as tr(W) 1 − W meets the triangle inequality
    root = rng.normal(scale=0.02, size=(bodies, 3, 3))
    moment = root @ root.transpose(0, 2, 1) + 1e-4 * np.eye(3)
    inertia = np.trace(moment, axis1=1, axis2=2)[:, None, None] * np.eye(3) - moment
    offset = np.tile((0.1, 0.02, 0.03), (bodies, 1))
    offset[0] = 0.0
    return Chain(
        axis=np.arange(bodies) % 3,
        offset=offset,
        mass=rng.uniform(0.5, 1.5, bodies),
        centre=rng.normal(scale=0.05, size=(bodies, 3)),
        inertia=inertia,
        q=rng.uniform(-1.0, 1.0, bodies),
        v=rng.uniform(-1.0, 1.0, bodies),
        tau=rng.uniform(-1.0, 1.0, bodies),
    )
