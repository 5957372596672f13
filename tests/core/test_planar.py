"""The plane is a part of space: both kernels give the same numbers for the same planar arm."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexarm.core.tree.build import Body

from .trees import FLAT_GRAVITY, planar_engine, random_bodies, random_pushes, random_state, spatial_engine

# The same sums in another order: 1e-12 of the largest entry (a few hundred roundings of 1e-16, and the condition of M).
SAME = 1e-12


def same(found: np.ndarray, expected: np.ndarray) -> None:
    np.testing.assert_allclose(found, expected, rtol=0, atol=SAME * np.abs(expected).max())


@given(seed=st.integers(0, 10_000), count=st.integers(1, 14), driven=st.sampled_from([0.0, 0.3]))
def test_planar_and_spatial_kernels_agree_to_rounding(seed, count, driven):
    bodies = random_bodies(seed, count, planar=True, driven=driven)
    pushes = random_pushes(seed, bodies, planar=True)
    flat, full = planar_engine(bodies, pushes=pushes), spatial_engine(bodies, FLAT_GRAVITY, pushes)
    q, v, a, tau = random_state(seed, bodies)
    if not q.size:
        return
    same(flat.mass(q), full.mass(q))
    same(flat.inverse(q, v, a), full.inverse(q, v, a))
    same(flat.energy(q, v), full.energy(q, v))
    (a_flat, drive_flat), (a_full, drive_full) = flat.forward(q, v, a, tau), full.forward(q, v, a, tau)
    same(a_flat, a_full)
    is_driven = flat.tree.spring[:, 5] == 1.0
    scale = np.abs(full.mass(q)).max() * np.abs(a_full).max()
    np.testing.assert_allclose(drive_flat[is_driven], drive_full[is_driven], rtol=0, atol=SAME * scale)


@pytest.mark.parametrize("count", [1, 40, 200])
def test_a_long_chain_keeps_its_digits(count):
    # rounding may grow with the length of the chain, the mass matrix spans m L² to m l²: still ten digits
    step = 1.0 / count
    bodies = [
        Body(
            i - 1,
            "revolute",
            offset=np.array([step if i else 0.0, 0, 0]),
            mass=step,
            centre=np.array([step / 2, 0, 0]),
            inertia=np.diag([0.0, step**3 / 12, step**3 / 12]),
            stiffness=100.0 * count,
        )
        for i in range(count)
    ]
    rng = np.random.default_rng(5)
    q, v = 0.1 * rng.standard_normal((2, count)) * np.sqrt(step)
    tau = rng.standard_normal(count) * step
    for engine in (planar_engine(bodies), spatial_engine(bodies, FLAT_GRAVITY)):
        a, _ = engine.forward(q, v, 0 * q, tau)
        left = engine.inverse(q, v, a) - tau
        assert np.abs(left).max() < 1e-10 * np.abs(engine.tree.spring[:, 0] * q).max()
