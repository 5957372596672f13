"""Joints: how a link is carried by its parent, and what drives it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from flexarm.model.frames import Array, Triple, rotation_from_angles
from flexarm.model.messages import Mistake
from flexarm.model.part import Part
from flexarm.model.quantity import Quantity, Vector
from flexarm.model.words import Axis, Name, Switch, Word

_COORDINATE = {"revolute": "rad", "prismatic": "m"}
_RATE = {"revolute": "rad/s", "prismatic": "m/s"}
_STIFFNESS = {"revolute": "N m/rad", "prismatic": "N/m"}
_DAMPING = {"revolute": "N m s/rad", "prismatic": "N s/m"}
_ROTOR = {"revolute": "kg m²", "prismatic": "kg"}

Drive = Literal["motion", "torque", "locked", "free", "fixed"]


class Joint(Part):
    """A joint with one coordinate, an angle (rad) or a length (m), or none if it is fixed."""

    type: Annotated[Literal["revolute", "prismatic", "fixed"], Word("revolute", "prismatic", "fixed")]
    axis: Annotated[Triple, Axis()] = Field((0.0, 0.0, 1.0), description="in the joint's own frame")
    at: Annotated[float, Quantity(_COORDINATE, by="type")] = Field(0.0, description="the coordinate at the start")
    zero: Annotated[float, Quantity(_COORDINATE, by="type")] = Field(
        0.0, description="constant added to the coordinate to place the link"
    )
    offset: Annotated[Triple, Vector("m")] = Field((0.0, 0.0, 0.0), description="of the joint from where it is carried")
    rotation: Annotated[Triple, Vector("rad")] = Field(
        (0.0, 0.0, 0.0), description="of the joint's frame: turns about the carrier's fixed x, y, z in this order"
    )
    motion: Annotated[str | None, Name(optional=True)] = Field(None, description="name of the motion law it follows")
    torque: Annotated[str | None, Name(optional=True)] = Field(
        None, description="name of the torque law that drives it"
    )
    locked: Annotated[bool, Switch()] = Field(
        False, description="held where it starts; so it is if nothing else is said"
    )
    free: Annotated[bool, Switch()] = Field(False, description="not driven at all")
    rate: Annotated[float | None, Quantity(_RATE, by="type", optional=True)] = Field(
        None, description="handed to a motion law that needs a rate"
    )
    scale: Annotated[float, Quantity("")] = Field(1.0, description="factor on the law")
    delay: Annotated[float, Quantity("s")] = Field(0.0, description="the law begins this much later")
    stiffness: Annotated[float, Quantity(_STIFFNESS, by="type", least=0)] = Field(
        0.0, description="spring on the joint"
    )
    damping: Annotated[float, Quantity(_DAMPING, by="type", least=0)] = Field(0.0, description="damper on the joint")
    rest: Annotated[float | None, Quantity(_COORDINATE, by="type", optional=True)] = Field(
        None, description="coordinate at which the spring is slack; default: at"
    )
    rotor_inertia: Annotated[float, Quantity(_ROTOR, by="type", least=0)] = Field(
        0.0, description="of the drive, as felt at the joint"
    )
    start_rate: Annotated[float, Quantity(_RATE, by="type")] = Field(
        0.0, description="rate at the start of a joint that is free or driven by a torque"
    )

    @classmethod
    def mistakes_in(cls, raw: Mapping[str, Any]) -> Iterable[Mistake]:
        """Two drives at once, or keys that mean nothing beside the others."""
        given = [key for key in cls.model_fields if raw.get(key) is not None and raw.get(key) is not False]
        drives = [key for key in ("motion", "torque", "locked", "free") if key in given]
        kind = raw.get("type") if isinstance(raw.get("type"), str) else None
        if kind == "fixed":
            for key in given:
                if key not in ("type", "offset", "rotation"):
                    yield (), f"{key} is given, a fixed joint must have only offset and rotation"
            return
        if len(drives) > 1:
            yield (), f"has {' and '.join(drives)}, must have only one of motion, torque, locked and free"
        elif kind in ("revolute", "prismatic"):
            drive = drives[0] if drives else "locked"
            needs = {"rate": ("motion",), "scale": ("motion", "torque"), "delay": ("motion", "torque")}
            needs["start_rate"] = ("torque", "free")
            for key, allowed in needs.items():
                if key in given and drive not in allowed:
                    yield (), f"{key} is given, must stand beside {' or '.join(allowed)}"

    @property
    def drive(self) -> Drive:
        """What decides the coordinate: "motion", "torque", "locked", "free", or "fixed" if there is none."""
        if self.type == "fixed":
            return "fixed"
        if self.motion is not None:
            return "motion"
        if self.torque is not None:
            return "torque"
        return "free" if self.free else "locked"

    @property
    def prescribed(self) -> bool:
        """True if the coordinate is known beforehand: it follows a motion or is locked."""
        return self.drive in ("motion", "locked")

    @property
    def spring_rest(self) -> float:
        """Coordinate at which the joint's spring is slack (rad or m)."""
        return self.at if self.rest is None else self.rest

    @property
    def unit(self) -> str:
        """Unit of the coordinate: "rad", "m", or empty for a fixed joint."""
        return _COORDINATE.get(self.type, "")

    @property
    def rotation_matrix(self) -> Array:
        """Rotation (3, 3) of the joint's frame on its carrier, before the joint turns."""
        return rotation_from_angles(self.rotation)
