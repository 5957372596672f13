"""Links: a rigid body or a beam behind a joint, with what it carries and how a beam is to be modelled."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, GetCoreSchemaHandler, GetJsonSchemaHandler, PrivateAttr
from pydantic_core import CoreSchema, core_schema

from flexarm.batched import array
from flexarm.model.parts.beam import Beam
from flexarm.model.parts.curve import Curve
from flexarm.model.parts.formulation import Formulation
from flexarm.model.parts.frames import Array, Triple, rotation_from_angles, rotation_onto
from flexarm.model.parts.inertia import Hub, Payload, Rigid, inertia_matrix
from flexarm.model.parts.joint import Joint
from flexarm.model.parts.part import Part
from flexarm.model.reading.messages import Mistake, shown
from flexarm.model.reading.quantity import Quantity, Vector
from flexarm.model.reading.readers import Axis, Count, Name, OneOf

# A place may lie beyond the end of its link by this much, relative to the length: rounding of unit strings.
BEYOND = 1e-9
# Of a beam, m: the stiffness of shorter ones, EI/L³, leaves the range of numbers.
SHORTEST = 1e-9


class Damping(Part):
    """Damping of a beam, in one of three ways."""

    retardation: Annotated[float | None, Quantity("s", least=0, optional=True)] = Field(
        None, description="Kelvin-Voigt retardation time: damping = retardation × stiffness"
    )
    ratio: Annotated[float | None, Quantity("", least=0, most=10, optional=True)] = Field(
        None, description="damping ratio of one mode of the link clamped at its base, or of the whole arm"
    )
    mode: Annotated[int, Count(1, 1000)] = Field(1, description="that mode")
    of: Annotated[Literal["link", "arm"], OneOf("link", "arm")] = Field(
        "link", description="whose mode: the link clamped at its base, or the arm with its joints held where they start"
    )
    per_spring: Annotated[float | None, Quantity("N m s/rad", least=0, optional=True)] = Field(
        None, description="on every bending spring of a lumped formulation"
    )

    @classmethod
    def mistakes_in(cls, raw: Mapping[str, Any]) -> Iterable[Mistake]:
        """None or several of the three ways."""
        ways = [key for key in ("retardation", "ratio", "per_spring") if raw.get(key) is not None]
        if len(ways) != 1:
            found = " and ".join(ways) or "none"
            yield (), f"has {found} of retardation, ratio and per_spring, must have exactly one"
        for key in ("mode", "of"):
            if len(ways) == 1 and raw.get(key) not in (None, "link") and ways != ["ratio"]:
                yield (), f"{key} is given with {ways[0]}, must be given with ratio"


class DenavitHartenberg(Part):
    """One row of standard Denavit-Hartenberg parameters: Rz(theta) Tz(d) Tx(a) Rx(alpha)."""

    a: Annotated[float, Quantity("m")] = 0.0
    alpha: Annotated[float, Quantity("rad")] = 0.0
    d: Annotated[float, Quantity("m")] = 0.0
    theta: Annotated[float, Quantity("rad")] = 0.0


def _mistakes_in_curved(raw: Mapping[str, Any], curve: Any) -> Iterable[Mistake]:
    """Keys that mean nothing on a curved link."""

    def of(part: Any, key: str) -> Any:
        return part.get(key) if isinstance(part, Mapping) else getattr(part, key, None)

    if raw.get("beam") is None:
        yield (), "curve is given, must be given with beam"
    straight = of(curve, "radius") is None and of(curve, "points") is None
    for key, wrong in (("length", not straight), ("direction", of(curve, "points") is not None), ("dh", True)):
        if key in raw and raw[key] is not None and wrong:
            yield (), f"{key} is given with curve, must be left to it"
    for key in ("end", "along"):
        if of(raw.get("beam"), key):
            yield ("beam",), f"{key} is given with the link's curve, must be left out: its pieces are uniform"
    if of(raw.get("joint"), "sleeve"):
        yield ("joint",), "sleeve is given with the link's curve, must be left out: a curved beam slides out of none"
    if of(raw.get("model"), "formulation") == "modes":
        yield ("model",), 'formulation is "modes", must have elements: a curved link is a chain of straight beams'
    damping = raw.get("damping")
    if of(damping, "ratio") is not None and of(damping, "of") != "arm":
        yield ("damping",), 'ratio is that of the link, must be of = "arm", or a retardation, with curve'
    if of(damping, "per_spring") is not None:
        yield ("damping",), "per_spring is given with the link's curve, must be a retardation"


class OneOrMany:
    """In an annotation: one table may stand for a list of one."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_before_validator_function(self._listed, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        many = handler(schema)
        return {"anyOf": [many["items"], many]}

    @staticmethod
    def _listed(value: Any) -> Any:
        return (value,) if isinstance(value, Mapping | Part) else () if value is None else value


class Link(Part):
    """A link of the arm: joint first, then a rigid body or a beam along its direction."""

    name: Annotated[str, Name()]
    parent: Annotated[str | None, Name(optional=True)] = Field(
        None, description='name of the link that carries it, or "base"; default: the link before it'
    )
    parent_at: Annotated[float | None, Quantity("m", least=0, optional=True)] = Field(
        None, description="distance along the parent to where the joint sits; default: the parent's tip"
    )
    joint: Joint
    length: Annotated[float, Quantity("m", least=0)] = 0.0
    direction: Annotated[Triple, Axis()] = Field((1.0, 0.0, 0.0), description="of the link in its own frame")
    rigid: Rigid | None = None
    beam: Beam | None = None
    tip_offset: Annotated[Triple, Vector("m")] = Field(
        (0.0, 0.0, 0.0), description="rigid piece from the end of the link to its tip frame, in the link's axes there"
    )
    tip_rotation: Annotated[Triple, Vector("rad")] = Field(
        (0.0, 0.0, 0.0), description="of the tip frame: turns about fixed x, y, z in this order"
    )
    payloads: Annotated[tuple[Payload, ...], OneOrMany()] = Field(
        (), alias="payload", description="one payload or a list of them"
    )
    hub: Hub | None = None
    model: Formulation | None = Field(None, description="how the beam is modelled")
    damping: Damping | None = Field(None, description="of the beam")
    curve: Curve | None = Field(
        None, description="centre line of a curved beam, or the twist of its section; written out as a chain of links"
    )
    dh: DenavitHartenberg | None = Field(
        None, description="Denavit-Hartenberg row, instead of length, direction, tip_rotation and the joint's frame"
    )

    # the whole of `model` for the arm the link stands in, its number of elements chosen if it names none
    _modelled: Formulation | None = PrivateAttr(None)

    @classmethod
    def mistakes_in(cls, raw: Mapping[str, Any]) -> Iterable[Mistake]:
        """Both bodies or none, a beam's keys on a rigid link, Denavit-Hartenberg together with what it replaces."""
        bodies = [key for key in ("rigid", "beam") if raw.get(key) is not None]
        if len(bodies) != 1:
            yield (
                (),
                f"has {'both' if bodies else 'neither'} rigid {'and' if bodies else 'nor'} beam, must have exactly one",
            )
        elif bodies == ["rigid"]:
            for key in ("model", "damping"):
                if raw.get(key) is not None:
                    yield (), f"{key} is given for a rigid link, must be given with beam"
        curve = raw.get("curve")
        if curve is not None:
            yield from _mistakes_in_curved(raw, curve)
        if raw.get("dh") is not None:
            joint = raw.get("joint")
            sleeve = joint.sleeve if isinstance(joint, Joint) else isinstance(joint, Mapping) and joint.get("sleeve")
            for key in ("length", "direction", "tip_rotation"):
                if key in raw and not (key == "length" and sleeve):
                    yield (), f"{key} is given with dh, must be left to it"
            if isinstance(joint, Joint):
                given: Any = joint.model_fields_set
            else:
                given = joint if isinstance(joint, Mapping) else ()
            for key in ("axis", "offset", "rotation", "zero"):
                if key in given:
                    yield ("joint",), f"{key} is given with the link's dh, must be left to it"

    def mistakes(self) -> Iterable[Mistake]:
        """A beam without length, payloads beyond the end, a sleeve along which nothing can slide."""
        length, key = (self.length, "length") if self.dh is None else self._length_of_row()
        if self.curve is not None:
            yield from self.curve.mistakes_with(self.direction)
        if self.beam is not None and not length >= SHORTEST and (self.curve is None or self.curve.straight):
            yield (), f"{key} is {length:.6g} m, must be {'> 0' if length == 0 else f'≥ {SHORTEST:g} m'} for a beam"
        for i, payload in enumerate(self.payloads):
            if payload.at is not None and payload.at > length * (1 + BEYOND) and self.curve is None:
                yield ("payload", i), f"at is {payload.at:.6g} m, must be ≤ the link's length, {length:.6g} m"
        for at in self.formulation.nodes:
            if not 0 <= at <= length * (1 + BEYOND):
                yield ("model",), f"nodes has {at:.6g} m, must be from 0 m to the link's length, {length:.6g} m"
        if self.formulation.nodes and self.joint.sleeve:
            yield (
                ("model",),
                "nodes is given with joint.sleeve, must be left out: elements are stretched as the link slides",
            )
        for i, shape in enumerate(self.formulation.listed):
            if shape.end is not None and abs(shape.end - length) > length * BEYOND:
                ends = f"at ends with {shape.end:.6g} m"
                yield ("model", "shapes", i), f"{ends}, must end with the link's length, {length:.6g} m"
        if self.joint.sleeve:
            yield from self._sleeve_mistakes()

    def _sleeve_mistakes(self) -> Iterable[Mistake]:
        joint = self.joint
        if self.beam is None:
            yield ("joint",), "sleeve is given for a rigid link, must be given with beam"
            return
        if self.dh is not None and self.dh.a != 0.0:
            # A row has the joint slide along z and the link lie along x.
            yield ("joint",), "sleeve is given with the link's dh, whose a is not 0 m, must be given with a = 0"
            return
        if self.dh is None and math.dist(joint.axis, self.direction) > BEYOND:
            axis, direction = (shown(list(vector)) for vector in (joint.axis, self.direction))
            yield ("joint",), f"axis is {axis}, must be the link's direction, {direction}, with sleeve"
        if not 0 <= joint.at <= self.length * (1 + BEYOND):  # of a row with a sleeve length is the beam's own, too
            yield (
                ("joint",),
                f"at is {joint.at:.6g} m, must be from 0 m to the link's length, {self.length:.6g} m, with sleeve",
            )
        if self.hub is not None:
            yield (), "hub is given with joint.sleeve, must be part of the link that carries the sleeve"
        for i, payload in enumerate(self.payloads):
            if payload.at is not None and payload.at < self.length * (1 - BEYOND):
                yield (
                    ("payload", i),
                    f"at is {payload.at:.6g} m, must be left out: only the tip stays outside joint.sleeve",
                )

    def _length_of_row(self) -> tuple[float, str]:
        """The length of a link given by a row (m), and the key that has it: a beam with a = 0 lies along d."""
        assert self.dh is not None
        if self.beam is None or self.dh.a != 0.0:
            return abs(self.dh.a), "dh.a"
        if self.joint.sleeve:
            return self.length, "length"
        return (abs(self.dh.d), "dh.d") if self.joint.type != "prismatic" else (0.0, "dh.a")

    def _lie_along_d(self, row: DenavitHartenberg, joint: Joint) -> None:
        """The beam of a row with a = 0 put along its joint's axis, over the length d or out of a sleeve."""
        up = (0.0, 0.0, 1.0)
        frame: dict[str, Any] = {"zero": row.theta} if joint.type == "revolute" else {"rotation": (0.0, 0.0, row.theta)}
        if joint.sleeve:
            frame |= {"axis": up, "offset": (0.0, 0.0, row.d)}
        self._become(
            length=self.length if joint.sleeve else abs(row.d),
            direction=up if joint.sleeve or row.d >= 0 else (0.0, 0.0, -1.0),
            tip_rotation=(row.alpha, 0.0, 0.0),
            joint=joint.changed(**frame),
            without=("dh",),
        )

    def settle(self) -> None:
        """A Denavit-Hartenberg row turned into the link's own fields."""
        if self.dh is None:
            return
        row, joint = self.dh, self.joint
        if self.beam is not None and row.a == 0.0:
            self._lie_along_d(row, joint)
            return
        frame: dict[str, Any] = {"offset": (0.0, 0.0, row.d)}
        if joint.type == "revolute":
            frame["zero"] = row.theta
        else:
            frame["rotation"] = (0.0, 0.0, row.theta)
        self._become(
            length=abs(row.a),
            direction=(1.0, 0.0, 0.0) if row.a >= 0 else (-1.0, 0.0, 0.0),
            tip_rotation=(row.alpha, 0.0, 0.0),
            joint=joint.changed(**frame),
            without=("dh",),
        )

    @property
    def body(self) -> Literal["rigid", "beam"]:
        """Which of the two the link is."""
        return "rigid" if self.beam is None else "beam"

    @property
    def formulation(self) -> Formulation:
        """How the beam is modelled: what is not given has its default, the number of elements that of the arm.

        A link in no arm has 0 elements where its model names none.
        """
        if self._modelled is not None:
            return self._modelled
        return self.model if self.model is not None else Formulation()

    def meshed(self, elements: int) -> Link:
        """A copy whose beam has so many elements if its model names none."""
        copy = self.model_copy()
        copy._modelled = (self.model if self.model is not None else Formulation()).with_elements(elements)
        return copy

    @property
    def effective_damping(self) -> Damping | None:
        """The beam's damping: as given, else from its material; None if neither is given."""
        if self.damping is not None or self.beam is None:
            return self.damping
        material = self.beam.material_data
        if material is None or material.retardation is None:
            return None
        return Damping(retardation=material.retardation)

    @property
    def axis(self) -> Array:
        """Unit vector (3,) along the link in its own frame."""
        return array(self.direction)

    @property
    def axis_rotation(self) -> Array:
        """Rotation (3, 3) from the beam's axes (x along it) to the link's."""
        return rotation_onto(self.direction)

    @property
    def radius(self) -> float:
        """Distance (m) from the joint to where the link begins."""
        return 0.0 if self.hub is None else self.hub.radius

    def point_at(self, distance: float) -> Array:
        """Point (3,) on the undeformed axis in the link's frame (m), `distance` from where the link begins."""
        return (self.radius + distance) * self.axis

    @property
    def tip_position(self) -> Array:
        """Origin (3,) of the undeformed tip frame in the link's frame (m)."""
        return self.point_at(self.length) + array(self.tip_offset)

    @property
    def tip_rotation_matrix(self) -> Array:
        """Rotation (3, 3) from the undeformed tip frame to the link's."""
        return rotation_from_angles(self.tip_rotation)

    @property
    def mass_centre(self) -> Array:
        """Mass centre (3,) of a rigid link's body in the link's frame (m)."""
        if self.rigid is not None and self.rigid.centre is not None:
            return array(self.rigid.centre)
        return self.point_at(self.length / 2)

    @property
    def inertia_matrix(self) -> Array:
        """Inertia (3, 3) of a rigid link's body about its mass centre, in the link's axes (kg m²)."""
        return inertia_matrix(self.rigid.inertia if self.rigid is not None else 0.0, self.direction)
