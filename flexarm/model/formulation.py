"""How a beam becomes a finite set of coordinates: the formulation, its mesh, its frames and its theory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from flexarm.model.messages import Mistake, quoted, refusal, shown
from flexarm.model.part import Part
from flexarm.model.quantity import Quantity, Reader, entries, is_number
from flexarm.model.shape import Shape, ShapesReader
from flexarm.model.words import Count, Name, Switch, Word

FREEDOMS = ("bending", "torsion", "shear", "axial")
RIGID_ELEMENTS = "rigid-fe"
CUBIC_ELEMENTS = "hermite"
BAR_CHAIN = "hencky"
ASSUMED_MODES = "modes"
# How many assumed modes there are of each direction if the model does not say, and how many elements of other kinds
# than the cubic ones, whose number is chosen for the arm (`fineness`).
_MODES, _ELEMENTS = 4, 10

# What only the finite-element formulations know; a formulation that comes from elsewhere may take them too.
_OF_FINITE_ELEMENTS = ("frames", "stiffening", "theory", "integration", "grading", "modes", "reduction")
# What of it the others know.
_ALSO_OF: dict[str, tuple[str, ...]] = {
    RIGID_ELEMENTS: (),
    BAR_CHAIN: ("theory", "grading"),
    ASSUMED_MODES: ("frames", "stiffening", "theory", "modes"),
}
# What one formulation knows and none of finite elements.
_OWN: dict[str, str] = {"shapes": ASSUMED_MODES, "order": ASSUMED_MODES, "kinematics": BAR_CHAIN}
# Those that know nothing of what is another's own; one that comes from elsewhere may.
_KNOWN = (RIGID_ELEMENTS, BAR_CHAIN, ASSUMED_MODES, "timoshenko", CUBIC_ELEMENTS, "isoparametric")


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

    formulation: Annotated[str, Name()] = Field(CUBIC_ELEMENTS, description="name of the link formulation")
    elements: Annotated[int, Count(1, 100_000)] = Field(
        0, description='number of elements along the link; default: chosen for the arm, of others than "hermite" 10'
    )
    freedoms: Annotated[tuple[str, ...] | None, FreedomsReader()] = Field(
        None, description="in which ways the beam can deform; default: bending, and torsion and shear where known"
    )
    frames: Annotated[Literal["element", "link"], Word("element", "link")] = Field(
        "element", description="what the elastic coordinates are measured from: each element's own frame, or the link's"
    )
    stiffening: Annotated[bool, Switch()] = Field(
        True, description="points move inwards as the beam bends, so that rotation stiffens it"
    )
    theory: Annotated[
        Literal["timoshenko", "rayleigh", "euler"] | None, Word("timoshenko", "rayleigh", "euler", optional=True)
    ] = Field(None, description="of bending; default: timoshenko if the shear stiffness is known, else rayleigh")
    integration: Annotated[Literal["reduced", "full"], Word("reduced", "full")] = Field(
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
    reduction: Annotated[Literal["clamped", "craig-bampton"], Word("clamped", "craig-bampton")] = Field(
        "craig-bampton", description="which modes: clamped at the base, or static tip shapes and fixed-tip modes"
    )
    shapes: Annotated[str | tuple[Shape, ...], ShapesReader()] = Field(
        "payload",
        description='of "modes": clamped at the base, carrying what the link carries, pinned, or a list of shapes',
    )
    order: Annotated[Literal["second", "printed"], Word("second", "printed")] = Field(
        "second", description='of "modes": all inertia of second order, or what the printed equation of a hub has'
    )
    kinematics: Annotated[Literal["finite", "printed"], Word("finite", "printed")] = Field(
        "finite", description='of "hencky": bars that turn by any angle, or the printed small motions on a hub'
    )

    @property
    def listed(self) -> tuple[Shape, ...]:
        """The shapes that are listed one by one; none if they are a family of modes."""
        return () if isinstance(self.shapes, str) else self.shapes

    def settle(self) -> None:
        """Assumed modes are some by their nature, and measured from the link's frame; other than cubic elements ten."""
        given = set(self.model_fields_set)
        if self.formulation == ASSUMED_MODES:
            self._become(frames="link", modes=len(self.listed) or self.modes or _MODES)
        if not self.elements and self.formulation != CUBIC_ELEMENTS:
            self._become(elements=_ELEMENTS)
        # not as if they were given: another formulation put in the place of this one must not inherit them
        self.__pydantic_fields_set__.intersection_update(given)

    def with_elements(self, chosen: int) -> Formulation:
        """The same with the number of elements that was chosen for the arm, where it names none itself."""
        if self.elements:
            return self
        found = self.model_copy()
        object.__setattr__(found, "elements", chosen)
        return found

    def refined(self, factor: int) -> Formulation:
        """So many times the elements, or the modes where these are what there is more or less of."""
        if self.formulation == ASSUMED_MODES:
            return self.changed(modes=self.modes * factor)
        return self.changed(elements=self.elements * factor)

    @classmethod
    def mistakes_in(cls, raw: Mapping[str, Any]) -> Iterable[Mistake]:
        """Keys that mean nothing beside the others."""
        given = [key for key in _OF_FINITE_ELEMENTS if raw.get(key) is not None]
        word = raw.get("formulation")
        word = CUBIC_ELEMENTS if word is None else word
        if not isinstance(word, str):
            return
        for key, owner in _OWN.items():
            if raw.get(key) is not None and word in _KNOWN and word != owner:
                yield (), f"{key} is given beside formulation {quoted(word)}, must stand beside {quoted(owner)}"
        if word in _ALSO_OF:
            for key in (key for key in given if key not in _ALSO_OF[word]):
                yield (), f"{key} is given beside formulation {quoted(word)}, must stand beside one of finite elements"
            if word == ASSUMED_MODES:
                yield from _mistakes_in_modes(raw)
            return
        if "integration" in given and word != "timoshenko":
            yield (), f'integration is given beside formulation {quoted(word)}, must stand beside "timoshenko"'
        # No modes is what there would be anyway.
        reduced = "modes" in given and not (is_number(raw["modes"]) and raw["modes"] == 0)
        frames = raw.get("frames")
        if not isinstance(frames, str) or frames != "link":
            for key in (["modes"] if reduced else []) + (["reduction"] if "reduction" in given else []):
                yield (), f'{key} is given, must stand beside frames = "link"'
        elif "reduction" in given and not reduced:
            yield (), "reduction is given, must stand beside modes > 0"

    def mistakes(self) -> Iterable[Mistake]:
        """Shear in a theory that has none."""
        if self.freedoms is not None and "shear" in self.freedoms and self.theory in ("rayleigh", "euler"):
            yield (), f'theory is {quoted(self.theory)}, must be "timoshenko" where freedoms hold "shear"'


def _mistakes_in_modes(raw: Mapping[str, Any]) -> Iterable[Mistake]:
    """What cannot be said of assumed modes."""
    frames = raw.get("frames")
    if isinstance(frames, str) and frames == "element":
        yield (), f'frames is "element" beside formulation {quoted(ASSUMED_MODES)}, must be "link"'
    if is_number(raw.get("modes")) and raw["modes"] == 0:
        yield (), f"modes is 0 beside formulation {quoted(ASSUMED_MODES)}, must be ≥ 1"
        return
    shapes = raw.get("shapes")
    listed = [shapes] if isinstance(shapes, Mapping | Shape) else entries(shapes)
    if listed is None:
        return
    for key in ("freedoms", "modes"):
        found = raw.get(key)
        if found is not None and not (key == "modes" and is_number(found) and found == len(listed)):
            yield (), f"{key} is given beside shapes that are listed, must be left to them"
