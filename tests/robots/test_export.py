"""An exported arm is the same mechanism: read back by flexarm, by MuJoCo, and by Pinocchio where it is there."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest
from scipy.linalg import eigh

import flexarm as fa
from tests.analyses.sleeves import telescope
from tests.cli.conftest import call as call  # a fixture

EXAMPLES = Path(__file__).parents[2] / "examples"
# relative; frequencies of the same chain differ by the rounding of the eigenproblem alone
SAME = 1e-6
# without dampers, so that frequencies are those of M and K alone, and with no hub that has an inertia about one axis
ARMS = ("two_link.toml", "flexible_link.toml", "gantry.toml")


def chained(name: str) -> fa.Arm:
    arm = fa.read_arm(EXAMPLES / name)
    model = {"formulation": "rigid-fe", "elements": 6}
    links = [link.changed(model=model, damping=None) if link.beam else link for link in arm.links]
    return arm.changed(links=links, gravity=(0.0, 0.0, 0.0))


def at_start(arm: fa.Arm, names) -> np.ndarray:
    starts = {link.joint.name or link.name: link.joint.at for link in arm.links}
    return np.array([starts.get(name, 0.0) for name in names])


def sprung(arm: fa.Arm, names) -> list[int]:
    joints = {link.joint.name or link.name for link in arm.links}
    return [k for k, name in enumerate(names) if name not in joints]


@pytest.mark.parametrize("name", ARMS)
def test_an_exported_chain_comes_back_as_the_same_mechanism(name):
    arm = chained(name)
    read = fa.parse_arm(fa.export(arm)).changed(gravity=arm.gravity)  # a URDF has none
    own, back = fa.Dynamics(arm, passive=True), fa.Dynamics(read, passive=True)
    assert set(back.names) == set(own.names)
    order = [back.names.index(each) for each in own.names]
    rng = np.random.default_rng(0)
    q, v = rng.uniform(-0.1, 0.1, (2, own.size))
    moved, rates = np.zeros((2, own.size))
    moved[order], rates[order] = q, v
    M = own.mass_matrix(q)
    assert np.allclose(back.mass_matrix(moved)[np.ix_(order, order)], M, rtol=0, atol=1e-12 * np.max(M))
    free = fa.Dynamics(arm)
    # springs of joints that are commanded are not compared: they stand where the joint starts
    elastic = sprung(arm, own.names)
    forces = [each.inverse(x, y, 0 * x) for each, x, y in ((free, q, v), (back, moved, rates))]
    size = np.max(np.abs(forces[0]))
    assert np.allclose(forces[1][order][elastic], forces[0][elastic], rtol=0, atol=1e-10 * size)


def test_a_rigid_export_moves_as_the_arm_with_nothing_that_bends():
    arm = chained("two_link.toml")
    own, back = fa.Dynamics(arm), fa.Dynamics(fa.parse_arm(fa.export(arm, rigid=True)))
    joints = [own.names.index(name) for name in back.names]
    q = np.array([0.4, -0.7])
    whole = np.zeros(own.size)
    whole[joints] = q
    assert np.allclose(back.mass_matrix(q), own.mass_matrix(whole)[np.ix_(joints, joints)], rtol=1e-12)


@pytest.mark.parametrize("name", ARMS)
def test_pinocchio_finds_the_same_frequencies(name, tmp_path):
    pin = pytest.importorskip("pinocchio")
    arm = chained(name)
    fa.export(arm, tmp_path / "arm.urdf")
    model = pin.buildModelFromUrdf(str(tmp_path / "arm.urdf"))
    names = list(model.names)[1:]
    upper = pin.crba(model, model.createData(), at_start(arm, names))
    M = np.triu(upper) + np.triu(upper, 1).T
    own = fa.Dynamics(fa.parse_arm((tmp_path / "arm.urdf").read_text()))
    stiffness = {(link.joint.name or link.name): link.joint.stiffness for link in own.arm.links}
    assert_frequencies(arm, M, names, [stiffness[name] for name in names])


@pytest.mark.parametrize("name", ARMS)
def test_mujoco_finds_the_same_frequencies(name, tmp_path):
    arm = chained(name)
    fa.export(arm, tmp_path / "arm.xml", format="mjcf")
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "arm.xml"))
    data = mujoco.MjData(model)
    names = [model.joint(k).name for k in range(model.njnt)]
    data.qpos[:] = at_start(arm, names)
    if model.nkey:
        assert np.allclose(model.key_qpos[0], data.qpos)
    mujoco.mj_forward(model, data)
    M = np.array([column(model, data, k) for k in range(model.nv)]).T
    stiffness = np.asarray(model.jnt_stiffness).reshape(model.njnt, -1)[:, 0]
    assert_frequencies(arm, M, names, stiffness)


def column(model, data, k: int) -> np.ndarray:
    out = np.zeros(model.nv)
    mujoco.mj_mulM(model, data, out, np.eye(model.nv)[k])
    return out


def assert_frequencies(arm: fa.Arm, M: np.ndarray, names, stiffness) -> None:
    elastic = sprung(arm, names)
    squares = eigh(np.diag(np.asarray(stiffness)[elastic]), M[np.ix_(elastic, elastic)], eigvals_only=True)
    wanted = np.asarray(fa.modes(arm, joints="locked").frequencies_hz)[:3]
    assert np.allclose(np.sqrt(squares[:3]) / (2 * np.pi), wanted, rtol=SAME)


def test_what_cannot_be_exported_is_refused():
    with pytest.raises(fa.FlexarmError, match='format is "sdf", must be "urdf", "mjcf"'):
        fa.export(EXAMPLES / "two_link.toml", format="sdf")
    with pytest.raises(fa.FlexarmError, match="elements is 0, must be a whole number"):
        fa.export(EXAMPLES / "two_link.toml", elements=0)
    with pytest.raises(fa.FlexarmError, match="a beam in a sleeve has no fixed chain"):
        fa.export(telescope())


def test_mujoco_swings_the_chain_as_flexarm_does(tmp_path):
    """Two free links fall; Runge and Kutta's method errs by 1e-9 m with steps of 20 µs, ours by its tolerance."""
    arm = fa.read_arm(EXAMPLES / "two_link.toml")
    model = {"formulation": "rigid-fe", "elements": 3}
    joints = [{"type": "revolute", "free": True, "at": at} for at in (0.3, 0.5)]
    links = [
        link.changed(model=model, damping=None, joint=joint) for link, joint in zip(arm.links, joints, strict=True)
    ]
    end = 0.1
    settings = {"end": end, "tolerance": 1e-9, "output": end}
    falling = arm.changed(links=links, gravity=(0.0, -9.81, 0.0), simulation=settings, motions={}, torques={})
    tip = fa.simulate(falling).tip.position.values[-1]
    fa.export(falling, tmp_path / "arm.xml", format="mjcf")
    other = mujoco.MjModel.from_xml_path(str(tmp_path / "arm.xml"))
    other.opt.timestep, other.opt.integrator = 2e-5, mujoco.mjtIntegrator.mjINT_RK4
    data = mujoco.MjData(other)
    mujoco.mj_resetDataKeyframe(other, data, 0)
    for _ in range(round(end / 2e-5)):
        mujoco.mj_step(other, data)
    mujoco.mj_forward(other, data)
    assert np.allclose(data.site("tip").xpos, tip, atol=1e-7)


def test_the_command_line_writes_both_files(call, tmp_path):
    model = str(EXAMPLES / "two_link.toml")
    done = call("export", model, "--urdf", "arm.urdf", "--mjcf", "arm.xml", "--elements", "3")
    assert (done.code, done.out, done.err) == (0, "", "wrote arm.urdf and arm.xml\n")
    assert (
        len(fa.read_arm(tmp_path / "arm.urdf").links) == 1 + 2 + 2 * 2 * 3 + 1
    )  # ground, links, springs of bending and shear, tip
    done = call("export", model)
    assert (done.code, done.err) == (
        2,
        "there is nothing to write, must be --urdf FILE, --mjcf FILE, --c FOLDER or --fmu FILE\n",
    )
