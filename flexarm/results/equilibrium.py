"""The static equilibrium of an arm."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, final

import numpy as np

from flexarm.results.beam_models import reports_beams
from flexarm.results.catalogue import AXES
from flexarm.results.engineering import aligned, column, digits, plural, quantity
from flexarm.results.jsonable import jsonable
from flexarm.results.posture import posture_line
from flexarm.results.records import frozen_array, frozen_mapping, set_fields
from flexarm.results.reported import Result, drawn_by

if TYPE_CHECKING:
    from flexarm.model import Arm


@final
@reports_beams
@dataclass(frozen=True, eq=False)
class Equilibrium(Result):
    """Elastic coordinates in equilibrium under gravity and loads, with what holds the arm, in SI units.

    `joint_torque` is what every joint's drive must give (N m or N, see `joint_torque_units`). `reactions` are the force
    (N) and moment (N m) a link receives through its joint, at the joint, in the base frame. `tip_sag` is, for every
    point, its displacement (m) from the undeformed arm on its command, in the base frame. `residual` is the largest
    unbalanced generalised force left after so many iterations. `arm` and `at`, all coordinates, are what it takes to
    draw it.
    """

    coordinates: tuple[str, ...]
    values: np.ndarray
    joint_names: tuple[str, ...] = ()
    joint_torque: np.ndarray = field(default_factory=lambda: np.empty(0))
    joint_torque_units: tuple[str, ...] = ()
    reactions: Mapping[str, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)
    tip_sag: Mapping[str, np.ndarray] = field(default_factory=dict)
    residual: float = float("nan")
    iterations: int = 0
    posture: Mapping[str, float] = field(default_factory=dict)
    posture_units: Mapping[str, str] = field(default_factory=dict)
    arm_name: str = "arm"
    arm: "Arm | None" = field(default=None, repr=False)
    at: Mapping[str, float] = field(default_factory=dict, repr=False)
    remarks: tuple[str, ...] = ()  # what is not to be trusted
    # force and moment that supports, loops and springs between points put on their links, by name
    closure_forces: Mapping[str, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)
    joint_sag: Mapping[str, float] = field(default_factory=dict)  # by how much joints under servos give way (rad, m)
    joint_friction: Mapping[str, float] = field(default_factory=dict)  # that holds joints where they stick (N m, N)
    stop_force: Mapping[str, float] = field(default_factory=dict)  # of rigid stops joints rest on (N m, N)

    def __post_init__(self) -> None:
        joints = len(self.joint_names)
        units = tuple(self.joint_torque_units) or ("N m",) * joints
        if len(units) != joints:
            raise ValueError(f"{len(units)} units for {joints} joints")
        checked: dict[str, Any] = {
            "coordinates": tuple(self.coordinates),
            "values": frozen_array(self.values, (len(self.coordinates),), "values"),
            "joint_names": tuple(self.joint_names),
            "joint_torque": frozen_array(self.joint_torque, (joints,), "joint_torque"),
            "joint_torque_units": units,
            "reactions": frozen_mapping(
                {
                    link: (_vector(force, link), _vector(moment, link))
                    for link, (force, moment) in self.reactions.items()
                }
            ),
            "closure_forces": frozen_mapping(
                {
                    name: (_vector(force, name), _vector(moment, name))
                    for name, (force, moment) in self.closure_forces.items()
                }
            ),
            "tip_sag": frozen_mapping({point: _vector(sag, point) for point, sag in self.tip_sag.items()}),
            "posture": frozen_mapping(self.posture),
            "posture_units": frozen_mapping(self.posture_units),
            "at": frozen_mapping(self.at),
            "joint_sag": frozen_mapping(self.joint_sag),
            "joint_friction": frozen_mapping(self.joint_friction),
            "stop_force": frozen_mapping(self.stop_force),
        }
        set_fields(self, checked)

    def summary(self) -> str:
        """Sag, drive torques and reactions in plain text."""
        parts = [f"{self.arm_name}: static equilibrium", *posture_line(self.posture, self.posture_units)]
        if self.tip_sag:
            rows = [["point", *(f"sag {axis}" for axis in AXES), "distance"]]
            for point, sag in self.tip_sag.items():
                rows.append([point, *column([*sag.tolist(), float(np.linalg.norm(sag))], "m")])
            parts += ["", aligned(rows, right=(1, 2, 3, 4))]
        if self.joint_names:
            rows = [["joint", "holding torque or force", *(["servo gives way by"] if self.joint_sag else [])]]
            for joint, torque, unit in zip(self.joint_names, self.joint_torque, self.joint_torque_units, strict=True):
                given = [self._given(joint)] if self.joint_sag else []
                rows.append([joint, quantity(float(torque), unit), *given])
            parts += ["", aligned(rows, right=(1, 2))]
        if self.reactions:
            rows = [["reaction on link", *(f"force {axis}" for axis in AXES), *(f"moment {axis}" for axis in AXES)]]
            for link, (force, moment) in self.reactions.items():
                rows.append([link, *column(force.tolist(), "N"), *column(moment.tolist(), "N m")])
            parts += ["", aligned(rows, right=range(1, 7))]
        if self.closure_forces:
            rows = [
                ["support, loop, spring", *(f"force {axis}" for axis in AXES), *(f"moment {axis}" for axis in AXES)]
            ]
            for name, (force, moment) in self.closure_forces.items():
                rows.append([name, *column(force.tolist(), "N"), *column(moment.tolist(), "N m")])
            parts += ["", aligned(rows, right=range(1, 7))]
        units = dict(zip(self.joint_names, self.joint_torque_units, strict=True))
        for name, forces in (("friction holds", self.joint_friction), ("stop gives", self.stop_force)):
            if forces:
                rows = [["joint", name], *([joint, quantity(x, units[joint])] for joint, x in forces.items())]
                parts += ["", aligned(rows, right=(1,))]
        unbalanced = f"largest unbalanced force {digits(self.residual, 2)} (SI)"
        footer = [f"  {plural(self.iterations, 'iteration')}, {unbalanced}"]
        return "\n".join([*parts, "", *footer, *(f"  beware: {remark}" for remark in self.remarks)])

    def _given(self, joint: str) -> str:
        """By how much a servo gives way, in words."""
        sag = self.joint_sag.get(joint)
        if sag is None:
            return ""
        return quantity(sag, self.posture_units.get(joint, "rad"), 4) if abs(sag) > 1e-12 else "nothing"

    def to_dict(self) -> dict[str, Any]:
        """The equilibrium in JSON's types."""
        return jsonable(
            {
                "arm": self.arm_name,
                "posture": self.posture,
                "posture_units": self.posture_units,
                "coordinates": dict(zip(self.coordinates, self.values.tolist(), strict=True)),
                "joint_torque": dict(zip(self.joint_names, self.joint_torque.tolist(), strict=True)),
                "joint_torque_units": dict(zip(self.joint_names, self.joint_torque_units, strict=True)),
                "reactions": {
                    link: {"force": force, "moment": moment} for link, (force, moment) in self.reactions.items()
                },
                "closure_forces": {
                    name: {"force": force, "moment": moment} for name, (force, moment) in self.closure_forces.items()
                },
                "tip_sag": self.tip_sag,
                "joint_sag": self.joint_sag,
                "joint_friction": self.joint_friction,
                "stop_force": self.stop_force,
                "residual": self.residual,
                "iterations": self.iterations,
                "remarks": list(self.remarks),
            }
        )

    def drawn(self) -> dict[str, Any]:
        """What a page shows of it: `to_dict`, the arm's line sagged and rigid, what its beams carry, the model file."""
        return self.to_dict() | drawn_by("equilibrium_lines", "equilibrium_curves", self)


def _vector(values: Any, what: str) -> np.ndarray:
    return frozen_array(values, (3,), f"a vector of {what}")
