"""What holds an arm beside its joints: supports, loops and springs between points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from flexarm.model.parts.frames import Triple
from flexarm.model.parts.link import BEYOND, Link
from flexarm.model.parts.part import Part
from flexarm.model.reading.messages import Mistake, number, quoted, refusal, shown
from flexarm.model.reading.quantity import Quantity, Reader, Vector, entries
from flexarm.model.reading.readers import Name
from flexarm.model.reading.references import BASE

if TYPE_CHECKING:
    from flexarm.model.arm import Arm

_DISTANCE = "distance along the link; default: the tip"
DIRECTIONS = ("x", "y", "z")
PIN, CLAMP, WELD = "pin", "clamp", "weld"


class Holds(Reader):
    """A word for all directions, or a list of some."""

    def __init__(self, whole: str) -> None:
        self.whole = whole  # the word for displacements and rotations

    @property
    def _wanted(self) -> str:
        return f'must be "{PIN}", "{self.whole}" or a list of some of "x", "y" and "z"'

    def read(self, value: Any, siblings: Mapping[str, Any]) -> Any:
        """The word, or the directions in the order of the axes."""
        if isinstance(value, str) and value in (PIN, self.whole):
            return str(value)
        parts = None if isinstance(value, str) else entries(value)
        if not parts or any(part not in DIRECTIONS for part in parts) or len(set(parts)) < len(parts):
            raise refusal(f"is {shown(value)}, {self._wanted}")
        return tuple(axis for axis in DIRECTIONS if axis in parts)

    def write(self, value: Any, owner: Any) -> Any:
        """The word or the list."""
        return value if isinstance(value, str) else list(value)

    def schema(self) -> dict[str, Any]:
        """A word or a list."""
        few = {"type": "array", "items": {"enum": list(DIRECTIONS)}, "minItems": 1, "maxItems": 3, "uniqueItems": True}
        return {"anyOf": [{"enum": [PIN, self.whole]}, few]}


class Support(Part):
    """A point of a link held on the ground, rigidly or by springs and dampers."""

    always_written = ("link",)

    name: Annotated[str | None, Name(optional=True)] = Field(None, description="default: its number")
    link: Annotated[str, Name()]
    at: Annotated[float | None, Quantity("m", least=0, optional=True)] = Field(None, description=_DISTANCE)
    offset: Annotated[Triple, Vector("m")] = Field((0.0, 0.0, 0.0), description="from that place, in its axes")
    holds: Annotated[str | tuple[str, ...], Holds(CLAMP)] = Field(
        PIN,
        description="displacements (pin), displacements and rotations (clamp), or directions in the base frame",
    )
    place: Annotated[Triple | None, Vector("m", optional=True)] = Field(
        None, description="in the base frame where it is held; default: where the unbent arm has it at the start"
    )
    stiffness: Annotated[float | None, Quantity("N/m", above=0, optional=True)] = Field(
        None, description="of a spring in each of the directions; default: rigid"
    )
    damping: Annotated[float | None, Quantity("N s/m", least=0, optional=True)] = Field(
        None, description="of a damper in each of the directions"
    )

    @property
    def rigid(self) -> bool:
        """True where the point cannot move in the held directions."""
        return self.stiffness is None and self.damping is None

    def mistakes(self) -> Iterable[Mistake]:
        """Springs that would have to hold rotations."""
        if not self.rigid and self.holds == CLAMP:
            yield (), f'holds is "{CLAMP}", must be "{PIN}" or a list of directions with stiffness or damping'


class Loop(Part):
    """A point of a link held on a point of another, which closes a loop of links."""

    always_written = ("link", "to")

    name: Annotated[str | None, Name(optional=True)] = Field(None, description="default: its number")
    link: Annotated[str, Name()]
    at: Annotated[float | None, Quantity("m", least=0, optional=True)] = Field(None, description=_DISTANCE)
    offset: Annotated[Triple, Vector("m")] = Field((0.0, 0.0, 0.0), description="from that place, in its axes")
    to: Annotated[str, Name()]
    to_at: Annotated[float | None, Quantity("m", least=0, optional=True)] = Field(None, description=_DISTANCE)
    to_offset: Annotated[Triple, Vector("m")] = Field((0.0, 0.0, 0.0), description="from that place, in its axes")
    holds: Annotated[str | tuple[str, ...], Holds(WELD)] = Field(
        PIN,
        description="displacements (pin), displacements and rotations as at the start (weld), or directions in the "
        "base frame",
    )


class Spring(Part):
    """A spring and damper along the line between two points."""

    always_written = ("link", "to")

    name: Annotated[str | None, Name(optional=True)] = Field(None, description="default: its number")
    link: Annotated[str, Name()]
    at: Annotated[float | None, Quantity("m", least=0, optional=True)] = Field(None, description=_DISTANCE)
    offset: Annotated[Triple, Vector("m")] = Field((0.0, 0.0, 0.0), description="from that place, in its axes")
    to: Annotated[str, Name()] = Field(BASE, description='the other link, or "base"')
    to_at: Annotated[float | None, Quantity("m", least=0, optional=True)] = Field(None, description=_DISTANCE)
    to_offset: Annotated[Triple, Vector("m")] = Field(
        (0.0, 0.0, 0.0), description="from that place, in its axes; of the base: the point in the base frame"
    )
    stiffness: Annotated[float, Quantity("N/m", least=0)] = 0.0
    damping: Annotated[float, Quantity("N s/m", least=0)] = 0.0
    rest_length: Annotated[float | None, Quantity("m", least=0, optional=True)] = Field(
        None, description="length at which the spring is slack; default: that of the unbent arm at the start"
    )

    def mistakes(self) -> Iterable[Mistake]:
        """Neither a spring nor a damper."""
        if self.stiffness == 0.0 and self.damping == 0.0:
            yield (), "stiffness and damping are 0, one of them must be > 0"


Closure = Support | Loop | Spring


def closures_of(arm: Arm) -> list[tuple[str, Closure]]:
    """Supports, loops and springs, each by its name or else its number."""
    found: list[tuple[str, Closure]] = []
    lists: dict[str, tuple[Closure, ...]] = {"support": arm.supports, "loop": arm.loops, "spring": arm.springs}
    for key, parts in lists.items():
        found += [(part.name or f"{key}[{i}]", part) for i, part in enumerate(parts)]
    return found


def closure_mistakes(arm: Arm) -> Iterable[Mistake]:
    """Places beyond the ends of links, links held on themselves, directions out of a plane."""
    lists: dict[str, tuple[Closure, ...]] = {"support": arm.supports, "loop": arm.loops, "spring": arm.springs}
    for key, parts in lists.items():
        for i, part in enumerate(parts):
            place = (key, i)
            yield from _beyond(place, "at", part.at, arm.link(part.link))
            vectors = [("offset", part.offset)]
            if isinstance(part, Support):
                vectors.append(("place", part.place or (0.0, 0.0, 0.0)))
            else:
                vectors.append(("to_offset", part.to_offset))
                if part.to == part.link:
                    yield place, f"to is {quoted(part.to)}, must be another link than {quoted(part.link)}"
                elif part.to == BASE and not any(link.name == BASE for link in arm.links):
                    if part.to_at is not None:
                        yield place, "to_at is given on the base, must be left out: to_offset is the point there"
                else:
                    yield from _beyond(place, "to_at", part.to_at, arm.link(part.to))
            if any(link.joint.sleeve for link in _links(arm, part)):
                yield place, "is on a link that slides out of a sleeve, must be on another"
            if not arm.planar:
                continue
            for name, vector in vectors:
                if vector[2] != 0.0:
                    yield place, f"{name} has z = {number(vector[2])} m, must lie in the x-y plane of a planar arm"
            if not isinstance(part, Spring) and "z" in part.holds and not isinstance(part.holds, str):
                yield place, 'holds has "z", must have "x" and "y" alone in a planar arm'


def _links(arm: Arm, part: Closure) -> list[Link]:
    names = {part.link} if isinstance(part, Support) else {part.link, part.to}
    return [link for link in arm.links if link.name in names]


def _beyond(path: tuple[int | str, ...], key: str, at: float | None, link: Link) -> Iterable[Mistake]:
    if at is not None and at > link.length * (1 + BEYOND):
        yield path, f"{key} is {number(at)} m, must be ≤ the length of {quoted(link.name)}, {number(link.length)} m"


def closure_words(arm: Arm) -> str:
    """Which of them the arm has, such as "[[support]] and [[loop]]"; empty if none."""
    kinds = (("support", arm.supports), ("loop", arm.loops), ("spring", arm.springs))
    words = [f"[[{kind}]]" for kind, parts in kinds if parts]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
