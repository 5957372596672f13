"""The arm: links carried by one another, what they are commanded to do, and what is to be observed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, ValidationError

from flexarm.errors import FlexarmError, ModelError
from flexarm.model.curved import to_write_out, written_out
from flexarm.model.extent import can_move, chain_length, leaves, link_mass, tip_candidates
from flexarm.model.fineness import chosen_elements
from flexarm.model.fitting import fitting_mistakes
from flexarm.model.laws.motions import AnyMotion, motion_pieces
from flexarm.model.laws.path import PathMotion
from flexarm.model.laws.pieces import Pieces
from flexarm.model.laws.torque import AnyTorque
from flexarm.model.parts.closure import Loop, Spring, Support, closure_mistakes
from flexarm.model.parts.controller import ControllerPart, controller_mistakes
from flexarm.model.parts.frames import Triple
from flexarm.model.parts.gauge import Gauge, gauge_mistakes
from flexarm.model.parts.joint import Joint
from flexarm.model.parts.link import Link
from flexarm.model.parts.material import Material
from flexarm.model.parts.part import Catalogue, Part
from flexarm.model.parts.sensor import Sensor, sensor_mistakes
from flexarm.model.parts.simulation import Simulation
from flexarm.model.reading.hints import Hints
from flexarm.model.reading.messages import Mistake, either, meant, problems_in, quoted, shown
from flexarm.model.reading.paths import can_hold, path_of, placed
from flexarm.model.reading.quantity import Quantity, Vector
from flexarm.model.reading.readers import Name, OneOf, Switch
from flexarm.model.reading.references import BASE, reference_mistakes
from flexarm.model.reading.text import part_to_dict

if TYPE_CHECKING:
    from flexarm.model.tip_path.plan import Plan

_DISTANCE = "distance along the link; default: the tip"


class Load(Part):
    """A force and a moment on a link."""

    always_written = ("link", "force")

    link: Annotated[str, Name()]
    at: Annotated[float | None, Quantity("m", least=0, optional=True)] = Field(None, description=_DISTANCE)
    force: Annotated[Triple, Vector("N")] = (0.0, 0.0, 0.0)
    moment: Annotated[Triple, Vector("N m")] = (0.0, 0.0, 0.0)
    axes: Annotated[Literal["world", "link"], OneOf("world", "link")] = Field(
        "world", description="axes of force and moment: fixed, or turning with the link"
    )
    law: Annotated[str | None, Name(optional=True)] = Field(
        None, description="name of a torque law of plain numbers, the factor over time; default: always 1"
    )

    @classmethod
    def mistakes_in(cls, raw: Mapping[str, Any]) -> Iterable[Mistake]:
        """Neither a force nor a moment; zero is a number as any other."""
        if raw.get("force") is None and raw.get("moment") is None:
            yield (), "has neither force nor moment, must have one"


class Point(Part):
    """A point of a link whose motion is recorded."""

    name: Annotated[str, Name()]
    link: Annotated[str, Name()]
    at: Annotated[float | None, Quantity("m", least=0, optional=True)] = Field(None, description=_DISTANCE)
    offset: Annotated[Triple, Vector("m")] = Field((0.0, 0.0, 0.0), description="from that place, in its axes")


def _elements_given(link: Link) -> bool:
    """True if the link's own model gives the number of elements."""
    return link.model is not None and link.model.elements > 0


class Arm(Part):
    """An arm, its commands and its simulation, all of it checked; SI units."""

    name: Annotated[str, Name()] = "arm"
    gravity: Annotated[Triple, Vector("m/s²")] = Field((0.0, 0.0, -9.81), description="in the base frame")
    planar: Annotated[bool, Switch()] = Field(
        False, description="everything moves in the x-y plane, joints turn about z"
    )
    links: tuple[Link, ...] = Field(alias="link")
    loads: tuple[Load, ...] = Field((), alias="load")
    supports: tuple[Support, ...] = Field((), alias="support")
    loops: tuple[Loop, ...] = Field((), alias="loop")
    springs: tuple[Spring, ...] = Field((), alias="spring")
    points: tuple[Point, ...] = Field((), alias="point")
    gauges: tuple[Gauge, ...] = Field((), alias="gauge")
    sensors: tuple[Sensor, ...] = Field((), alias="sensor")
    controllers: tuple[ControllerPart, ...] = Field((), alias="controller")
    motions: Catalogue[AnyMotion] = Field(default_factory=Catalogue, alias="motion")
    torques: Catalogue[AnyTorque] = Field(default_factory=Catalogue, alias="torque")
    materials: Catalogue[Material] = Field(default_factory=Catalogue, alias="material")
    simulation: Simulation = Field(default_factory=Simulation)

    @classmethod
    def prepared(cls, raw: dict[str, Any]) -> dict[str, Any]:
        """The raw arm with curved links written out as chains."""
        if not to_write_out(raw):
            return raw

        return dict(written_out(raw))

    @cached_property
    def remarks(self) -> tuple[str, ...]:
        """What was left out of a robot's description, or taken otherwise than it stands there, in sentences; whoever
        reads one puts them here. They are no part of the arm: two arms are equal whatever was remarked on them.
        """
        return tuple(
            remark
            for law in self.motions.values()
            if isinstance(law, PathMotion) and law.plan is not None
            for remark in law.plan.remarks
        )

    @classmethod
    def mistakes_in(cls, raw: Mapping[str, Any]) -> Iterable[Mistake]:
        """Names that are used twice or lead nowhere."""
        return reference_mistakes(raw)

    def mistakes(self) -> Iterable[Mistake]:
        """Parts that do not fit together."""
        # Names once more: links from a generator could not be looked at beforehand.
        keys = {field.alias or name: getattr(self, name) for name, field in type(self).model_fields.items()}
        found = list(reference_mistakes(keys)) or [
            *fitting_mistakes(self),
            *gauge_mistakes(self),
            *closure_mistakes(self),
            *sensor_mistakes(self),
            *controller_mistakes(self),
        ]
        return found or self._paths_planned()

    def _paths_planned(self) -> list[Mistake]:
        """Find how the joints follow the paths that have no plan of this arm's joints yet; why they cannot."""
        paths = {name: law for name, law in self.motions.items() if isinstance(law, PathMotion)}
        if not paths:
            return []
        from flexarm.model.tip_path.plan import followers, planned

        found: list[Mistake] = []
        for name, law in paths.items():
            joints = followers(self, name)
            if joints and (law.plan is None or set(law.plan.joints) != set(joints)):
                try:
                    self._plans[name] = planned(self, name)
                except FlexarmError as error:
                    found.append((("motion", name), str(error)))
        return found

    @cached_property
    def _plans(self) -> dict[str, Plan]:
        """What was found for the paths while the arm was checked."""
        return {}

    def settle(self) -> None:
        """Beams bound to the arm's own materials, and those whose model gives no number cut into so many elements."""
        if self._plans:
            laws = dict(self.motions)
            for name, plan in self._plans.items():
                laws[name] = plan.law.planned(plan)
            self._become(motions=Catalogue(laws))
        self._become(links=tuple(self._bound(link) for link in self.links))
        if any(link.beam is not None and not _elements_given(link) for link in self.links):
            counts = chosen_elements(self)
            self._become(
                links=tuple(
                    link if link.beam is None or _elements_given(link) else link.meshed(counts[link.name])
                    for link in self.links
                )
            )

    def _bound(self, link: Link) -> Link:
        if link.beam is None or not isinstance(link.beam.material, str):
            return link
        own = self.materials.get(link.beam.material)
        if own == link.beam._bound:
            return link
        return link.model_copy(update={"beam": link.beam.bound_to(own)})

    @cached_property
    def parents(self) -> tuple[int, ...]:
        """For every link the index of the link that carries it, -1 for the base."""
        index = {BASE: -1} | {link.name: i for i, link in enumerate(self.links)}
        return tuple(i - 1 if link.parent is None else index[link.parent] for i, link in enumerate(self.links))

    @cached_property
    def base_to_tip(self) -> tuple[int, ...]:
        """The indices of the links in an order in which every carrier comes before what it carries."""
        order: list[int] = []
        pending = list(range(len(self.links)))
        while pending:
            ready = [i for i in pending if self.parents[i] < 0 or self.parents[i] in order]
            order.append(ready[0])
            pending.remove(ready[0])
        return tuple(order)

    @cached_property
    def _motions_made(self) -> dict[int, tuple[Joint, Pieces | None]]:
        """The motions that were asked for, by the identity of their joint."""
        return {}

    @property
    def observed(self) -> tuple[Point, ...]:
        """The points whose motion is recorded: the tip, unless a point has that name, and the arm's own points."""
        if any(point.name == "tip" for point in self.points):
            return self.points
        return (Point(name="tip", link=self.tip_links[0]), *self.points)

    @cached_property
    def tip_links(self) -> tuple[str, ...]:
        """The links at whose ends the automatic tip may be, the farthest along its chain from the base first.

        They carry no other link, and they can move if any such link can. The first of them has the tip.
        """
        return tuple(self.links[i].name for i in tip_candidates(self))

    @property
    def mass(self) -> float:
        """The mass of all links with their hubs and payloads, kg."""
        return sum(link_mass(link) for link in self.links)

    @property
    def reach(self) -> float:
        """The longest way along the links from the base to an end of the arm, m; sliding joints where they start."""
        return max(chain_length(self, i) for i in leaves(self))

    def can_move(self, link: str, at: float | None = None) -> bool:
        """Whether a place on a link (m along it; default: its tip) can move at all."""
        return can_move(self, self.index(link), at)

    def with_(self, path: str, value: Any) -> Arm:
        """A checked copy of the arm with one value of its model file replaced, or added.

        The path is written as in messages: arm.with_("link[0].beam.section.thickness", "2 mm"). A link may be named
        instead of numbered: "link[upper arm].length".
        """
        steps = path_of(self._numbered(path))
        data = {"gravity": list(self.gravity), **part_to_dict(self)}
        if steps is not None and len(steps) > 1 and all(isinstance(step, str) for step in steps):
            data.setdefault(str(steps[0]), {})  # a table that has nothing but defaults is not written
        if steps is None or not can_hold(data, steps):
            where = 'must be one of the model file such as "link[0].length" or "motion.stop.braking_time"'
            raise FlexarmError(f"the path is {shown(path)}, {where}")
        try:
            return type(self).__pydantic_validator__.validate_python(placed(data, [(steps, value)]))
        except ValidationError as error:
            raise ModelError(problems_in(error, Hints(type(self)), root="top level"), source=self.name) from None

    def _numbered(self, path: Any) -> str:
        """The path with a named link given by its number."""
        match = re.match(r"link\[(?P<name>[^\]]*)\]", path) if isinstance(path, str) else None
        if match is None or match["name"].isdigit():
            return str(path)
        return f"link[{self.index(match['name'].strip(chr(34)))}]{path[match.end() :]}"

    def link(self, name: str) -> Link:
        """The link of that name."""
        return self.links[self.index(name)]

    def index(self, name: str) -> int:
        """The index of the link of that name."""
        names = [link.name for link in self.links]
        if name not in names:
            raise FlexarmError(f"there is no link {quoted(str(name))}, must be {either(names)}{meant(name, names)}")
        return names.index(name)

    def motion_of(self, link: str | Link) -> Pieces | None:
        """The coordinate of the link's joint over time (rad or m) if it is commanded, else None.

        It is known beforehand if the joint is `prescribed`; a servo only draws the joint towards it.
        """
        joint = self._link(link).joint
        made = self._motions_made.get(id(joint))
        if made is not None and made[0] is joint:
            return made[1]
        law: Pieces | None = None
        if joint.drive == "locked":
            law = Pieces.constant(joint.at)
        elif joint.motion is not None:
            law = motion_pieces(self._laws_of(self._link(link)), joint.motion, joint.rate)
            law = law.scaled(joint.scale).shifted(joint.delay).raised(joint.at)
        self._motions_made[id(joint)] = (joint, law)
        return law

    def _laws_of(self, link: Link) -> Mapping[str, AnyMotion]:
        """The motions as the joint of a link has them: of a path it follows its own table."""
        plans = {name: law.plan for name, law in self.motions.items() if isinstance(law, PathMotion)}
        tables = {name: plan.table(link.name) for name, plan in plans.items() if plan and link.name in plan.joints}
        return {**self.motions, **tables} if tables else self.motions

    def torque_of(self, link: str | Link) -> Pieces | None:
        """The torque (N m) or force (N) over time on the link's joint if a law drives it, else None."""
        joint = self._link(link).joint
        if joint.torque is None:
            return None
        return self.torques[joint.torque].pieces().scaled(joint.scale).shifted(joint.delay)

    def factor_of(self, load: Load) -> Pieces:
        """The factor over time on a load."""
        return Pieces.constant(1.0) if load.law is None else self.torques[load.law].pieces()

    def _repr_html_(self) -> str:
        """How a notebook shows it: the package that draws lies above this one and is imported by name."""
        shown: str = import_module("flexarm.report.notebook").html_of(self)
        return shown

    def _link(self, link: str | Link) -> Link:
        return link if isinstance(link, Link) else self.link(link)
