"""The environment is one by Gymnasium's own checks, and what it reports is the arm's."""

from __future__ import annotations

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import flexarm as fa
from flexarm.analyses.gym.reach import Reach

NAME = "flexarm.analyses.gym.reach:flexarm/Reach-v0"
ARM = "examples/flexible_link.toml"


def test_gymnasium_accepts_it():
    env = gymnasium.make(NAME, arm=ARM, limit=5.0, steps=20)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # unbounded observations are remarked on
        check_env(env.unwrapped, skip_render_check=True)


def test_observations_are_those_of_the_plant_and_targets_where_the_rigid_arm_has_its_tip():
    env = Reach(ARM, "5 ms", limit=4.0, steps=3)
    seen, info = env.reset(seed=2)
    plant = fa.Plant(ARM, "5 ms", tolerance=1e-5)
    assert seen[:2] == pytest.approx(plant.reset())
    # a link of 1 m
    assert np.linalg.norm(info["target"]) == pytest.approx(1.0)
    assert seen[2:] == pytest.approx(info["target"] - [1.0, 0.0, 0.0])
    for k in range(3):
        seen, reward, ended, cut, info = env.step(np.array([0.5]))
        assert seen[:2] == pytest.approx(plant.step([2.0]), abs=1e-12)
        assert reward == pytest.approx(-info["distance"] - 0.01 * 0.25)
        assert (ended, cut) == (False, k == 2)
    assert np.array_equal(env.reset(seed=2)[1]["target"], Reach(ARM, "5 ms").reset(seed=2)[1]["target"])


def test_an_arm_that_diverges_ends_its_episode():
    env = Reach(ARM, "10 ms", limit=1e5)
    env.reset(seed=1)
    for k in range(200):
        _, reward, ended, _, info = env.step(np.array([(-1.0) ** k]))
        if ended:
            break
    assert ended and reward <= -10.0 and ("failure" in info or info["distance"] > 100.0)


def test_limits_that_make_no_sense_are_refused():
    with pytest.raises(fa.FlexarmError, match="limit"):
        Reach(ARM, limit=-1.0)
