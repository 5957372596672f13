"""Joints: how a link is carried by its parent, and what drives it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from flexarm.model.parts.contact import Friction, Stops
from flexarm.model.parts.drive import DriveTable, Gear, Motor
from flexarm.model.parts.frames import Array, Triple, rotation_from_angles
from flexarm.model.parts.part import Part
from flexarm.model.parts.servo import AUTO, DAMPING, INERTIA, STIFFNESS, Loops, Servo
from flexarm.model.reading.messages import Mistake, quoted, refusal
from flexarm.model.reading.quantity import Quantity, Reader, Vector
from flexarm.model.reading.readers import Axis, Name, OneOf, Switch

_COORDINATE = {"revolute": "rad", "prismatic": "m"}
_RATE = {"revolute": "rad/s", "prismatic": "m/s"}

Drive = Literal["motion", "servo", "torque", "locked", "free", "fixed"]


class JointKind(OneOf):
    """The kind of a joint; those of several turns are written out before it is read."""

    _several: ClassVar[dict[str, int]] = {"universal": 2, "ball": 3}

    def read(self, value: Any, siblings: Mapping[str, Any]) -> Any:
        """The word."""
        if isinstance(value, str) and value in self._several:
            count = self._several[value]
            raise refusal(
                f"is {quoted(value)}, must stand on a named link of an arm, turns, if given, a list of {count} tables"
            )
        return super().read(value, siblings)

    def schema(self) -> dict[str, Any]:
        """One of the words."""
        return {"enum": [*super().schema()["enum"], *self._several]}


class Turns(Reader):
    """The turns of a joint that has several: never read here, for such joints are written out before."""

    def read(self, value: Any, siblings: Mapping[str, Any]) -> Any:
        """None."""
        if value is not None and siblings.get("type") is not None:
            raise refusal('is given, must be given with type = "universal" or "ball"')

    def write(self, value: Any, owner: Any) -> Any:
        """Never asked for."""
        return value

    def schema(self) -> dict[str, Any]:
        """A list of tables."""
        return {"type": "array", "items": {"type": "object"}, "minItems": 2, "maxItems": 3}


class Joint(Part):
    """A joint with one coordinate, an angle (rad) or a length (m), or none if it is fixed."""

    type: Annotated[Literal["revolute", "prismatic", "fixed"], JointKind("revolute", "prismatic", "fixed")] = Field(
        description="universal and ball are written out as two and three revolute joints when an arm is read"
    )
    turns: Annotated[None, Turns()] = Field(
        None, description="of a universal or ball joint: a table of joint keys for every turn"
    )
    name: Annotated[str | None, Name(optional=True)] = Field(None, description="default: the name of its link")
    axis: Annotated[Triple, Axis()] = Field((0.0, 0.0, 1.0), description="in the joint's own frame")
    at: Annotated[float, Quantity(_COORDINATE, by="type")] = Field(0.0, description="the coordinate at the start")
    zero: Annotated[float, Quantity(_COORDINATE, by="type")] = Field(
        0.0, description="constant added to the coordinate to place the link"
    )
    offset: Annotated[Triple, Vector("m")] = Field((0.0, 0.0, 0.0), description="of the joint from where it is carried")
    rotation: Annotated[Triple, Vector("rad")] = Field(
        (0.0, 0.0, 0.0), description="of the joint's frame: turns about the carrier's fixed x, y, z in this order"
    )
    sleeve: Annotated[bool, Switch()] = Field(
        False, description="the beam slides out of a sleeve with its mouth here; the coordinate is the length outside"
    )
    motion: Annotated[str | None, Name(optional=True)] = Field(None, description="name of the motion law it follows")
    servo: Annotated[Servo | Literal["auto"] | None, DriveTable(Servo, AUTO)] = Field(
        None, description="that draws it towards its motion, instead of the motion being prescribed; auto: gains found"
    )
    torque: Annotated[str | None, Name(optional=True)] = Field(
        None, description="name of the torque law that drives it"
    )
    locked: Annotated[bool, Switch()] = Field(
        False, description="held where it starts; the default if nothing drives the joint"
    )
    free: Annotated[bool, Switch()] = Field(False, description="not driven at all")
    rate: Annotated[float | None, Quantity(_RATE, by="type", optional=True)] = Field(
        None, description="handed to a motion law that needs a rate"
    )
    scale: Annotated[float, Quantity("")] = Field(1.0, description="factor on the law")
    delay: Annotated[float, Quantity("s")] = Field(0.0, description="the law begins this much later")
    stiffness: Annotated[float, Quantity(STIFFNESS, by="type", least=0)] = Field(0.0, description="spring on the joint")
    damping: Annotated[float, Quantity(DAMPING, by="type", least=0)] = Field(0.0, description="damper on the joint")
    rest: Annotated[float | None, Quantity(_COORDINATE, by="type", optional=True)] = Field(
        None, description="coordinate at which the spring is slack; default: at"
    )
    rotor_inertia: Annotated[float, Quantity(INERTIA, by="type", least=0)] = Field(
        0.0, description="of the drive, as felt at the joint"
    )
    motor: Annotated[Motor | None, DriveTable(Motor)] = Field(
        None, description="of the drive, instead of rotor_inertia"
    )
    gear: Annotated[Gear | None, DriveTable(Gear)] = Field(None, description="what gives way between motor and link")
    friction: Annotated[Friction | None, DriveTable(Friction)] = Field(
        None, description="in the joint, dry and viscous"
    )
    stops: Annotated[Stops | None, DriveTable(Stops)] = Field(None, description="where its travel ends")
    start_rate: Annotated[float, Quantity(_RATE, by="type")] = Field(
        0.0, description="rate at the start of a joint that is free or driven by a torque"
    )

    @classmethod
    def mistakes_in(cls, raw: Mapping[str, Any]) -> Iterable[Mistake]:
        """Two drives at once, or keys that mean nothing with the others."""
        given = [key for key in cls.model_fields if raw.get(key) is not None and raw.get(key) is not False]
        drives = [key for key in ("motion", "torque", "locked", "free") if key in given]
        kind = raw.get("type") if isinstance(raw.get("type"), str) else None
        if kind == "fixed":
            for key in given:
                if key not in ("type", "name", "offset", "rotation"):
                    yield (), f"{key} is given, a fixed joint must have only offset and rotation"
            return
        if len(drives) > 1:
            yield (), f"has {' and '.join(drives)}, must have only one of motion, torque, locked and free"
        elif kind in ("revolute", "prismatic"):
            drive = drives[0] if drives else "locked"
            needs: dict[str, tuple[str, ...]] = {"servo": ("motion",), "rate": ("motion",)}
            needs |= {"scale": ("motion", "torque"), "delay": ("motion", "torque")}
            needs["start_rate"] = ("torque", "free")
            for key, allowed in needs.items():
                if key in given and drive not in allowed:
                    yield (), f"{key} is given, must be given with {' or '.join(allowed)}"
        servo = raw.get("servo")
        side = servo.get("encoder") if isinstance(servo, Mapping) else getattr(servo, "encoder", None)
        if side == "link" and "gear" not in given:
            yield ("servo",), 'encoder is "link", must be "motor" where no gear gives way between motor and link'
        if "motor" in given and "rotor_inertia" in given:
            yield (), "rotor_inertia is given with motor, must be left to its inertia"
        motor = raw.get("motor")
        motor_keys: Any = motor.model_fields_set if isinstance(motor, Motor) else motor
        if kind == "prismatic" and isinstance(motor_keys, Mapping | Set) and "gear_ratio" not in motor_keys:
            # Without one the motor would turn by a radian for a metre, which nobody means.
            yield ("motor",), 'gear_ratio is missing, must be given for a prismatic joint, such as "628 rad/m"'
        if raw.get("sleeve") is True:
            if kind == "revolute":
                yield (), 'sleeve is given, must be given with type = "prismatic"'
            elif "zero" in given:
                yield (), "zero is given with sleeve, must be left out: the coordinate is the length outside"

    def mistakes(self) -> Iterable[Mistake]:
        """A start beyond a stop."""
        lower, upper = (None, None) if self.stops is None else (self.stops.lower, self.stops.upper)
        if upper is not None and self.at > upper:
            yield (), f"at is {self.at:g}, must be ≤ stops.upper, {upper:g}"
        if lower is not None and self.at < lower:
            yield (), f"at is {self.at:g}, must be ≥ stops.lower, {lower:g}"

    @property
    def drive(self) -> Drive:
        """What decides the coordinate: "motion", "servo", "torque", "locked", "free", or "fixed" if there is none."""
        if self.type == "fixed":
            return "fixed"
        if self.motion is not None:
            return "motion" if self.servo is None else "servo"
        if self.torque is not None:
            return "torque"
        return "free" if self.free else "locked"

    @property
    def prescribed(self) -> bool:
        """True if the coordinate is known beforehand: it follows a motion or is locked."""
        return self.drive in ("motion", "locked")

    @property
    def automatic_servo(self) -> bool:
        """True if there is a servo whose loops are left to the arm's own inertia and frequencies."""
        return self.servo == AUTO or (isinstance(self.servo, Servo) and self.servo.automatic)

    def servo_loops(self) -> Loops | None:
        """The gains of the servo's loops; None if there is none or they are left to the arm."""
        return self.servo.loops() if isinstance(self.servo, Servo) and not self.servo.automatic else None

    def servo_gains(self) -> tuple[float, float] | None:
        """The servo's kp (N m/rad, N/m) and kv (N m s/rad, N s/m); None if none are known."""
        loops = self.servo_loops()
        return None if loops is None else (loops.kp, loops.kv)

    @property
    def felt_inertia(self) -> float:
        """Inertia of the drive as felt at the joint (kg m², kg)."""
        return self.rotor_inertia if self.motor is None else self.motor.felt(self.motor.inertia)

    @property
    def felt_friction(self) -> float:
        """Viscous friction of the joint, and of the motor as felt there (N m s/rad, N s/m)."""
        own = 0.0 if self.friction is None else self.friction.viscous
        return own if self.motor is None else own + self.motor.felt(self.motor.friction)

    @property
    def dry(self) -> bool:
        """True if there is dry friction in the joint."""
        return self.friction is not None and self.friction.dry

    @property
    def meets(self) -> tuple[str, ...]:
        """What makes the joint's motion end or begin at once: "friction", "stops", "gear.backlash"."""
        found = ["friction"] if self.dry else []
        found += ["stops"] if self.stops is not None else []
        return (*found, *(["gear.backlash"] if self.gear is not None and self.gear.backlash > 0.0 else []))

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
