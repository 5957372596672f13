"""MJCF is read as MuJoCo reads it; where MuJoCo is not installed it is refused in a sentence."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import flexarm as fa
from flexarm.model.robot import mjcf

TEXT = """<mujoco model="crane"><compiler angle="degree"/><option gravity="0 0 -9.8"/><worldbody>
  <body name="mast" pos="0 0 1" euler="0 0 30">
    <joint name="turn" axis="0 0 2" damping="0.2" armature="0.1"/><geom type="box" size=".1 .2 .3"/>
    <body name="jib" pos="1 0 0" quat="0.9 0.1 0.3 0.2">
      <joint name="lift" axis="0 1 0" range="-90 90" pos="0.1 0 .1"/><joint name="run" type="slide" axis="1 1 0"/>
      <inertial pos="0.2 0 0.1" quat="0.8 0 0.6 0" mass="2" diaginertia="1 0.7 0.5"/>
      <body name="hook" pos="0 0.3 0"><geom size=".1"/></body>
    </body></body></worldbody></mujoco>"""


def test_without_mujoco_the_way_to_it_is_told(monkeypatch):
    monkeypatch.setattr(mjcf, "find_spec", lambda name: None)
    with pytest.raises(fa.ModelError, match="is MJCF, which MuJoCo reads: pip install"):
        fa.parse_arm(TEXT)


def test_the_dynamics_is_that_of_mujoco():
    own = fa.Dynamics(fa.parse_arm(TEXT))
    assert own.names == ("turn", "lift", "run")
    model = mujoco.MjModel.from_xml_string(TEXT)
    data = mujoco.MjData(model)
    rng = np.random.default_rng(0)
    for q, v, a in rng.uniform(-1, 1, (4, 3, 3)):
        data.qpos[:], data.qvel[:] = q, v
        mujoco.mj_forward(model, data)
        M = np.array([column(model, data, unit) for unit in np.eye(3)])
        assert np.allclose(own.mass_matrix(q), M, rtol=1e-10)
        tau = M @ a + data.qfrc_bias
        assert np.allclose(own.inverse(q, v, a), tau, rtol=1e-10)
        assert np.allclose(own.place("hook", q).position, data.body("hook").xpos, atol=1e-12)


def column(model, data, unit):
    out = np.zeros(model.nv)
    mujoco.mj_mulM(model, data, out, unit)
    return out


def test_an_exported_arm_comes_back(tmp_path):
    arm = fa.parse_arm(TEXT)
    fa.export(arm, tmp_path / "arm.xml", format="mjcf")
    own, back = fa.Dynamics(arm), fa.Dynamics(tmp_path / "arm.xml")
    assert own.names == back.names
    q = np.array([0.3, -0.4, 0.2])
    assert np.allclose(own.mass_matrix(q), back.mass_matrix(q), rtol=1e-9)


def test_what_mujoco_refuses_is_refused_in_its_words():
    with pytest.raises(fa.ModelError, match="is refused by MuJoCo"):
        fa.parse_arm("<mujoco><worldbody><body><joint/></body></worldbody></mujoco>")
    with pytest.raises(fa.ModelError, match="is a ball joint, must be hinges or slides"):
        fa.parse_arm(TEXT.replace('name="turn"', 'name="turn" type="ball"'))
