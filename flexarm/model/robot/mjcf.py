"""MJCF read by MuJoCo itself, which knows all of its defaults and inferred inertias, into a description."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from flexarm.errors import ModelError, Problem
from flexarm.model.parts.frames import Array, Triple, angles_of
from flexarm.model.reading.messages import quoted
from flexarm.model.robot.description import Inertial, Pose, Robot, RobotJoint, RobotLink, turned_inertia

# MuJoCo's kinds of joints.
FREE, BALL, SLIDE = 0, 1, 2


def read_mjcf(text: str, source: str, folder: str | os.PathLike[str] | None) -> Robot:
    """The robot in an MJCF file; its root is MuJoCo's world."""
    if find_spec("mujoco") is None:
        raise _refused(source, "is MJCF, which MuJoCo reads: pip install 'flexarm[mujoco]'")
    import mujoco

    try:
        path = Path(source)
        spec = mujoco.MjSpec.from_file(str(path)) if path.is_file() else mujoco.MjSpec.from_string(text)
        model = spec.compile()
    except (ValueError, RuntimeError) as error:
        raise _refused(source, f"is refused by MuJoCo: {' '.join(str(error).split())}") from None
    return _Reader(model, source).robot(spec.modelname or "robot")


def _refused(source: str, message: str) -> ModelError:
    return ModelError([Problem("the file", message)], source=source)


class _Reader:
    """Bodies and joints of a compiled MuJoCo model as links and joints."""

    def __init__(self, model: Any, source: str) -> None:
        self.model, self.source = model, source
        self.links: dict[str, RobotLink] = {}
        self.joints: dict[str, RobotJoint] = {}
        self.remarks: list[str] = []
        bodies = [model.body(k).name or ("world" if k == 0 else f"body {k}") for k in range(model.nbody)]
        self.names = bodies

    def robot(self, name: str) -> Robot:
        """The whole model."""
        model = self.model
        self.links[self.names[0]] = RobotLink(self.names[0])
        for k in range(1, model.nbody):
            self._body(k)
        for count, what in ((model.neq, "equality constraint"), (model.ntendon, "tendon"), (model.nu, "actuator")):
            if count:
                self.remarks.append(f"{count} {what}{'s are' if count > 1 else ' is'} left out")
        carried = {joint.child: joint for joint in self.joints.values()}
        carries: dict[str, list[RobotJoint]] = {link: [] for link in self.links}
        for joint in self.joints.values():
            carries[joint.parent].append(joint)
        gravity: Triple = tuple(float(part) for part in model.opt.gravity)  # type: ignore[assignment]
        on = {link: tuple(found) for link, found in carries.items()}
        return Robot(name, self.links, self.joints, tuple(self.links), tuple(self.remarks), gravity, carried, on)

    def _body(self, k: int) -> None:
        """A body, behind massless links where it has several joints or one that does not go through its origin."""
        model, name = self.model, self.names[k]
        first, count = int(model.body_jntadr[k]), int(model.body_jntnum[k])
        parent, offset, turn = (
            self.names[int(model.body_parentid[k])],
            np.array(model.body_pos[k]),
            _matrix(model.body_quat[k]),
        )
        at = np.zeros(3)  # where the frame of `parent` is now, in the body's own frame
        inside = False
        for j in range(first, first + count):
            kind, anchor = int(model.jnt_type[j]), np.array(model.jnt_pos[j])
            called = model.joint(j).name or (f"{name} joint" if count == 1 else f"{name} joint {j - first + 1}")
            if kind == BALL:
                raise _refused(self.source, f"joint {quoted(called)} is a ball joint, must be hinges or slides")
            if kind in (FREE, SLIDE):
                anchor = at  # what slides has no anchor
            pose = self._pose(offset + turn @ anchor, turn) if not inside else self._pose(anchor - at, np.eye(3))
            last = j == first + count - 1 and not np.any(anchor)
            child = name if last else f"{name}.{called}"
            self.joints[called] = self._joint(j, called, kind, parent, child, pose)
            if not last:
                self.links[child] = RobotLink(child)
            parent, at, inside = child, anchor, True
        if parent != name:
            pose = self._pose(-at, np.eye(3)) if inside else self._pose(offset, turn)
            called = f"{name} mount"
            self.joints[called] = RobotJoint(called, "fixed", parent, name, pose)
        self.links[name] = RobotLink(name, self._inertial(k))

    def _joint(self, j: int, name: str, kind: int, parent: str, child: str, pose: Pose) -> RobotJoint:
        model = self.model
        if kind == FREE:
            return RobotJoint(name, "floating", parent, child, pose)
        dof, place = int(model.jnt_dofadr[j]), int(model.jnt_qposadr[j])
        zero = float(model.qpos0[place])
        if zero:
            self.remarks.append(f"joint {quoted(name)} has ref {zero:g}: its coordinate counts from there")
        limited = bool(model.jnt_limited[j])
        lower, upper = (float(each) - zero for each in model.jnt_range[j]) if limited else (None, None)
        stiffness = float(np.ravel(model.jnt_stiffness[j])[0])
        return RobotJoint(
            name,
            "prismatic" if kind == SLIDE else "revolute",
            parent,
            child,
            pose,
            axis=tuple(float(part) for part in model.jnt_axis[j]),  # type: ignore[arg-type]
            lower=lower,
            upper=upper,
            damping=float(np.ravel(model.dof_damping[dof])[0]),
            friction=float(model.dof_frictionloss[dof]),
            rotor_inertia=float(model.dof_armature[dof]),
            stiffness=stiffness,
            rest=float(model.qpos_spring[place]) - zero if stiffness else 0.0,
        )

    def _inertial(self, k: int) -> Inertial | None:
        model = self.model
        mass = float(model.body_mass[k])
        if mass == 0.0 and not np.any(model.body_inertia[k]):
            return None
        inertia = turned_inertia(_matrix(model.body_iquat[k]), np.diag(model.body_inertia[k]))
        return Inertial(mass, tuple(float(part) for part in model.body_ipos[k]), inertia)  # type: ignore[arg-type]

    @staticmethod
    def _pose(offset: Array, turn: Array) -> Pose:
        return Pose(tuple(float(part) for part in offset), angles_of(turn))  # type: ignore[arg-type]


def _matrix(quaternion: Any) -> Array:
    w, x, y, z = (float(part) for part in quaternion)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
