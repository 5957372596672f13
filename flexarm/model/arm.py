"""The arm: links carried by one another, what they are commanded to do, and what is to be observed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from importlib import import_module
from typing import Annotated, Any, Literal

from pydantic import Field

from flexarm.errors import FlexarmError
from flexarm.model.fitting import fitting_mistakes
from flexarm.model.frames import Triple
from flexarm.model.joint import Joint
from flexarm.model.link import Link
from flexarm.model.material import Material
from flexarm.model.messages import Mistake, either, meant, quoted
from flexarm.model.motions import AnyMotion, motion_pieces
from flexarm.model.part import Catalogue, Part
from flexarm.model.pieces import Pieces
from flexarm.model.quantity import Quantity, Vector
from flexarm.model.references import BASE, reference_mistakes
from flexarm.model.simulation import Simulation
from flexarm.model.torque import AnyTorque
from flexarm.model.words import Name, Switch, Word

_DISTANCE = "distance along the link; default: the tip"


class Load(Part):
    """A force and a moment on a link."""

    always_written = ("link", "force")

    link: Annotated[str, Name()]
    at: Annotated[float | None, Quantity("m", least=0, optional=True)] = Field(None, description=_DISTANCE)
    force: Annotated[Triple, Vector("N")] = (0.0, 0.0, 0.0)
    moment: Annotated[Triple, Vector("N m")] = (0.0, 0.0, 0.0)
    axes: Annotated[Literal["world", "link"], Word("world", "link")] = Field(
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


class Arm(Part):
    """An arm, its commands and its simulation, all of it checked; SI units."""

    name: Annotated[str, Name()] = "arm"
    gravity: Annotated[Triple, Vector("m/s²")] = Field((0.0, 0.0, -9.81), description="in the base frame")
    planar: Annotated[bool, Switch()] = Field(
        False, description="everything moves in the x-y plane, joints turn about z"
    )
    links: tuple[Link, ...] = Field(alias="link")
    loads: tuple[Load, ...] = Field((), alias="load")
    points: tuple[Point, ...] = Field((), alias="point")
    motions: Catalogue[AnyMotion] = Field(default_factory=Catalogue, alias="motion")
    torques: Catalogue[AnyTorque] = Field(default_factory=Catalogue, alias="torque")
    materials: Catalogue[Material] = Field(default_factory=Catalogue, alias="material")
    simulation: Simulation = Field(default_factory=Simulation)

    @classmethod
    def mistakes_in(cls, raw: Mapping[str, Any]) -> Iterable[Mistake]:
        """Names that are used twice or lead nowhere."""
        return reference_mistakes(raw)

    def mistakes(self) -> Iterable[Mistake]:
        """Parts that do not fit together."""
        # Names once more: links from a generator could not be looked at beforehand.
        keys = {field.alias or name: getattr(self, name) for name, field in type(self).model_fields.items()}
        return list(reference_mistakes(keys)) or fitting_mistakes(self)

    def settle(self) -> None:
        """Beams bound to the arm's own materials."""
        self._become(links=tuple(self._bound(link) for link in self.links))

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
        index = {link.name: i for i, link in enumerate(self.links)} | {BASE: -1}
        return tuple(i - 1 if link.parent is None else index[link.parent] for i, link in enumerate(self.links))

    @cached_property
    def base_to_tip(self) -> tuple[int, ...]:
        """The indices of the links in an order in which every carrier comes before what it carries."""
        order: list[int] = []
        waiting = list(range(len(self.links)))
        while waiting:
            ready = [i for i in waiting if self.parents[i] < 0 or self.parents[i] in order]
            order.append(ready[0])
            waiting.remove(ready[0])
        return tuple(order)

    @cached_property
    def _motions_made(self) -> dict[int, tuple[Joint, Pieces | None]]:
        """The motions that were asked for, by the identity of their joint."""
        return {}

    @property
    def observed(self) -> tuple[Point, ...]:
        """The points whose motion is recorded: the tip of the last link that carries no other, and the arm's own."""
        if any(point.name == "tip" for point in self.points):
            return self.points
        last = max(i for i in range(len(self.links)) if i not in self.parents)
        return (Point(name="tip", link=self.links[last].name), *self.points)

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
            law = motion_pieces(self.motions, joint.motion, joint.rate)
            law = law.scaled(joint.scale).shifted(joint.delay).raised(joint.at)
        self._motions_made[id(joint)] = (joint, law)
        return law

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
        """How a notebook shows it: asked of the room that draws, which stands above this one, by its name."""
        shown: str = import_module("flexarm.report.notebook").html_of(self)
        return shown

    def _link(self, link: str | Link) -> Link:
        return link if isinstance(link, Link) else self.link(link)
