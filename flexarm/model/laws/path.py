"""A path of a point through space as a motion law: the joints that follow it are led by inverse kinematics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, PrivateAttr

from flexarm.errors import FlexarmError
from flexarm.model.laws.motion import MotionLaw, Time
from flexarm.model.laws.pieces import Pieces
from flexarm.model.parts.frames import Triple
from flexarm.model.parts.part import Part
from flexarm.model.reading.messages import Mistake
from flexarm.model.reading.quantity import Quantity, Vector, Vectors, entries
from flexarm.model.reading.readers import Name, OneOf

if TYPE_CHECKING:
    from flexarm.model.tip_path.plan import Plan

LEGS = ("line", "arc", "points")
COMPENSATIONS = ("nothing", "sag", "deflection")


class PathLeg(Part):
    """A leg of a path, from where the one before it ends: a straight line, an arc or a smooth curve."""

    line: Annotated[Triple | None, Vector("m", optional=True)] = Field(None, description="end of a straight line")
    arc: Annotated[Triple | None, Vector("m", optional=True)] = Field(
        None, description="end of an arc of a circle, with via"
    )
    via: Annotated[Triple | None, Vector("m", optional=True)] = Field(None, description="a point of the arc between")
    points: Annotated[tuple[Triple, ...] | None, Vectors("m")] = Field(
        None, description="points through which a smooth curve leads; the last one is its end"
    )
    rotation: Annotated[Triple | None, Vector("rad", optional=True)] = Field(
        None, description="of the point's axes at the end of the leg: turns about fixed x, y, z; default: as before it"
    )

    @classmethod
    def mistakes_in(cls, raw: Mapping[str, Any]) -> Iterable[Mistake]:
        """No curve or several, an arc without a point on it."""
        given = [key for key in LEGS if raw.get(key) is not None]
        if len(given) != 1:
            yield (), f"has {' and '.join(given) or 'none'} of line, arc and points, must have exactly one"
        if ("arc" in given) != (raw.get("via") is not None):
            yield (), "arc and via must be given together" if "arc" in given else "via is given, must be given with arc"


class PathMotion(MotionLaw):
    """A path of a point in the base frame, from rest to rest; every joint whose motion it is follows it.

    The joints' coordinates are found by inverse kinematics when the arm is made and stay what they are in arms
    that are `changed` from it, as those of a controller do.
    """

    kind: Literal["path"] = "path"
    point: Annotated[str, Name()] = Field("tip", description="which point of the arm is led")
    start: Annotated[Triple | None, Vector("m", optional=True)] = Field(
        None, description="where the path begins; default: where the rigid arm has the point with its joints at `at`"
    )
    through: tuple[PathLeg, ...] = Field(description="the legs of the path, one after the other")
    duration: Annotated[float | None, Quantity("s", above=0, optional=True)] = Field(
        None, description="of the whole path, instead of speed"
    )
    speed: Annotated[float | None, Quantity("m/s", above=0, optional=True)] = Field(
        None, description="greatest speed of the point, instead of duration"
    )
    begin: Time = 0.0
    profile: Annotated[Literal["cycloidal", "quintic", "septic"], OneOf("cycloidal", "quintic", "septic")] = Field(
        "cycloidal",
        description="of the way over time between two stops; septic begins and ends without jerk, as a compensated "
        "deflection needs",
    )
    blend: Annotated[float, Quantity("m", least=0)] = Field(
        0.0, description="corners between two lines are rounded from so far before them to so far behind"
    )
    orientation: Annotated[Literal["free", "held"], OneOf("free", "held", optional=True)] | None = Field(
        None,
        description="of the point's axes; held: led too, by the rotations of the legs; default: held if there are any",
    )
    compensate: Annotated[Literal["nothing", "sag", "deflection"], OneOf(*COMPENSATIONS)] = Field(
        "nothing",
        description="what the joints make up for, so that the bent arm has the point on the path: its sag, "
        "or the quasi-static deflection in motion",
    )
    tolerance: Annotated[float, Quantity("m", above=0)] = Field(
        1e-5, description="how far the rigid arm may leave the path between the points at which it is solved"
    )

    _plan: Plan | None = PrivateAttr(None)

    @classmethod
    def mistakes_in(cls, raw: Mapping[str, Any]) -> Iterable[Mistake]:
        """Neither a duration nor a speed, or both; a unit."""
        given = [key for key in ("duration", "speed") if raw.get(key) is not None]
        if len(given) != 1:
            yield (), f"has {'both' if given else 'neither'} duration {'and' if given else 'nor'} speed, must have one"
        if raw.get("unit") is not None:
            yield (), "unit is given, must be left out: joints that turn and joints that slide may follow a path"
        if raw.get("orientation") == "free":
            for i, leg in enumerate(entries(raw.get("through")) or ()):
                if isinstance(leg, Mapping) and leg.get("rotation") is not None:
                    yield ("through", i), 'rotation is given, must be left out with orientation = "free"'

    def mistakes(self) -> Iterable[Mistake]:
        """A path without legs; all else is seen by the arm."""
        if not self.through:
            yield (), "through is an empty list, must have at least one leg"

    @property
    def held(self) -> bool:
        """True if the orientation of the point is led, too."""
        if self.orientation is not None:
            return self.orientation == "held"
        return any(leg.rotation is not None for leg in self.through)

    @property
    def plan(self) -> Plan | None:
        """How the joints of its arm follow the path; None before it is an arm's."""
        return self._plan

    def planned(self, plan: Plan) -> PathMotion:
        """A copy that knows how the joints follow it."""
        copy = self.model_copy()
        copy._plan = plan
        return copy

    def pieces(self, rate: float | None = None) -> Pieces:
        """Refused: only an arm knows what its joints do."""
        raise FlexarmError("the path law leads several joints, must be asked for by Arm.motion_of")
