"""How a beam becomes a finite set of coordinates: the formulation, its mesh, its frames and its theory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from flexarm.formulations import FORMULATIONS, FREEDOMS, KEYS, Traits, traits_of
from flexarm.model.parts.part import Part
from flexarm.model.parts.shapes import ModeShape, ShapesReader
from flexarm.model.reading.messages import Mistake, quoted, refusal, shown
from flexarm.model.reading.quantity import Quantity, Reader, Series, entries, is_number
from flexarm.model.reading.readers import Count, Name, OneOf, Switch

# How many elements there are where modes are counted, and the file does not say.
_ELEMENTS = 10


class FreedomsReader(Reader):
    """Some of "bending", "torsion", "shear", "axial", or the word "classical" for all of them."""

    def read(self, value: Any, siblings: Mapping[str, Any]) -> Any:
        """The freedoms in their usual order; None if they are left to the formulation."""
        if value is None:
            return None
        if isinstance(value, str) and value == "classical":
            return FREEDOMS
        words = [value] if isinstance(value, str) else entries(value)
        wanted = 'a list of "bending", "torsion", "shear" and "axial", or "classical" for all of them'
        if not words or any(not isinstance(word, str) or word not in FREEDOMS for word in words):
            raise refusal(f"is {shown(value)}, must be {wanted}")
        return tuple(word for word in FREEDOMS if word in words)

    def write(self, value: Any, owner: Any) -> Any:
        """A list of words."""
        return list(value)

    def schema(self) -> dict[str, Any]:
        """A word or a list of words."""
        words = {"enum": list(FREEDOMS)}
        return {"anyOf": [{"enum": ["classical", *FREEDOMS]}, {"type": "array", "items": words, "minItems": 1}]}


class Formulation(Part):
    """How a beam becomes a finite set of coordinates."""

    always_written = ("formulation",)

    formulation: Annotated[str, Name()] = Field("hermite", description="name of the link formulation")
    elements: Annotated[int, Count(1, 100_000)] = Field(
        0, description='number of elements along the link; default: chosen for the arm, of others than "hermite" 10'
    )
    freedoms: Annotated[tuple[str, ...] | None, FreedomsReader()] = Field(
        None, description="in which ways the beam can deform; default: bending, and torsion and shear where known"
    )
    frames: Annotated[Literal["element", "link"], OneOf("element", "link")] = Field(
        "element", description="what the elastic coordinates are measured from: each element's own frame, or the link's"
    )
    stiffening: Annotated[bool, Switch()] = Field(
        True, description="points move inwards as the beam bends, so that rotation stiffens it"
    )
    theory: Annotated[
        Literal["timoshenko", "rayleigh", "euler"] | None, OneOf("timoshenko", "rayleigh", "euler", optional=True)
    ] = Field(None, description="of bending; default: timoshenko if the shear stiffness is known, else rayleigh")
    integration: Annotated[Literal["reduced", "full"], OneOf("reduced", "full")] = Field(
        "reduced", description="of the shear energy of timoshenko elements"
    )
    grading: Annotated[float, Quantity("", least=0.01, most=100)] = Field(
        1.0, description="length of the last element over that of the first, in a geometric series"
    )
    modes: Annotated[int, Count(0, 10_000)] = Field(
        0,
        description='so many modes stand for the elastic coordinates of a link\'s frame; 0: no reduction; of "modes", '
        "so many of each direction, default 4",
    )
    reduction: Annotated[Literal["clamped", "craig-bampton"], OneOf("clamped", "craig-bampton")] = Field(
        "craig-bampton", description="which modes: clamped at the base, or static tip shapes and fixed-tip modes"
    )
    shapes: Annotated[str | tuple[ModeShape, ...], ShapesReader()] = Field(
        "payload",
        description='of "modes": clamped at the base, carrying what the link carries, pinned, or a list of shapes',
    )
    order: Annotated[Literal["second", "printed"], OneOf("second", "printed")] = Field(
        "second", description='of "modes": all inertia of second order, or what the printed equation of a hub has'
    )
    kinematics: Annotated[Literal["finite", "printed"], OneOf("finite", "printed")] = Field(
        "finite", description='of "hencky": bars that turn by any angle, or the printed small motions on a hub'
    )

    nodes: Annotated[tuple[float, ...], Series("m")] = Field(
        (), description="distances along the link at which elements meet, besides where it carries something"
    )

    @property
    def listed(self) -> tuple[ModeShape, ...]:
        """The shapes that are listed one by one; none if they are a family of modes."""
        return () if isinstance(self.shapes, str) else self.shapes

    @property
    def traits(self) -> Traits:
        """What the formulation is like."""
        return traits_of(self.formulation)

    def settle(self) -> None:
        """Assumed modes are some by their nature, and measured from the link's frame; elements are as many as the
        formulation has where nobody says.
        """
        given = set(self.model_fields_set)
        traits = self.traits
        if traits.mesh == "modes":
            self._become(frames="link", modes=len(self.listed) or self.modes or traits.count)
        if not self.elements and traits.count and traits.mesh:
            self._become(elements=traits.count if traits.mesh == "elements" else _ELEMENTS)
        # not as if they were given: another formulation put in the place of this one must not inherit them
        self.__pydantic_fields_set__.intersection_update(given)

    def with_elements(self, chosen: int) -> Formulation:
        """The same with the number of elements that was chosen for the arm, where it names none itself."""
        if self.elements or not self.traits.mesh:
            return self
        found = self.model_copy()
        object.__setattr__(found, "elements", chosen)
        return found

    def refined(self, factor: int) -> Formulation:
        """So many times the elements, or the modes where these are what there is more or less of."""
        mesh = self.traits.mesh
        return self.changed(**{mesh: getattr(self, mesh) * factor}) if mesh else self

    @classmethod
    def mistakes_in(cls, raw: Mapping[str, Any]) -> Iterable[Mistake]:
        """Keys that mean nothing with the others."""
        word = raw.get("formulation")
        word = "hermite" if word is None else word
        if not isinstance(word, str):
            return
        traits = traits_of(word)
        given = [key for key in KEYS if raw.get(key) is not None]
        for key in given:
            if key not in traits.keys:
                owners = [name for name, each in FORMULATIONS.items() if key in each.keys]
                own = len(owners) == 1 and (key != "integration" or "frames" in traits.keys)
                owner = quoted(owners[0]) if own else "a finite-element formulation"
                yield (), f"{key} is given with formulation {quoted(word)}, must be given with {owner}"
        if not traits.mesh and raw.get("elements") is not None:
            yield (), f"elements is given with formulation {quoted(word)}, which has none"
        if traits.mesh == "modes":
            yield from _mistakes_in_modes(raw)
        if traits.link_frame != "option":
            return
        # No modes is what there would be anyway.
        reduced = "modes" in given and not (is_number(raw["modes"]) and raw["modes"] == 0)
        frames = raw.get("frames")
        if not isinstance(frames, str) or frames != "link":
            for key in (["modes"] if reduced else []) + (["reduction"] if "reduction" in given else []):
                yield (), f'{key} is given, must be given with frames = "link"'
        elif "reduction" in given and not reduced:
            yield (), "reduction is given, must be given with modes > 0"

    def mistakes(self) -> Iterable[Mistake]:
        """Shear in a theory that has none."""
        if self.freedoms is not None and "shear" in self.freedoms and self.theory in ("rayleigh", "euler"):
            yield (), f'theory is {quoted(self.theory)}, must be "timoshenko" where freedoms hold "shear"'


def _mistakes_in_modes(raw: Mapping[str, Any]) -> Iterable[Mistake]:
    """What cannot be asked of assumed modes."""
    frames = raw.get("frames")
    if isinstance(frames, str) and frames == "element":
        yield (), 'frames is "element" with formulation "modes", must be "link"'
    if is_number(raw.get("modes")) and raw["modes"] == 0:
        yield (), 'modes is 0 with formulation "modes", must be ≥ 1'
        return
    shapes = raw.get("shapes")
    listed = [shapes] if isinstance(shapes, Mapping | ModeShape) else entries(shapes)
    if listed is None:
        return
    for key in ("freedoms", "modes"):
        found = raw.get(key)
        if found is not None and not (key == "modes" and is_number(found) and found == len(listed)):
            yield (), f"{key} is given with shapes that are listed, must be left to them"
