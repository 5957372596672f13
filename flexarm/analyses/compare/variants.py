"""Variants of the same arm: a formulation with its options becomes a model on every link that can have it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from flexarm.errors import AnalysisError, ModelError
from flexarm.formulations import FORMULATIONS, traits_of
from flexarm.model import Arm, Damping, Formulation, Link
from flexarm.model.freedoms import freedoms_of
from flexarm.model.reading.messages import either, meant, quoted

# The models of the file itself, in addition to the others.
AS_IN_FILE = "file"
# Compared by default, in addition to every formulation as it comes: one frame for the whole link.
ONE_FRAME = "hermite:link"
# An option behind the colon → keys of the model. Formulations have more of their own, which come first.
OPTIONS: dict[str, dict[str, Any]] = {
    "link": {"frames": "link"},
    "element": {"frames": "element"},
    "plain": {"stiffening": False},
    "timoshenko": {"theory": "timoshenko"},
    "rayleigh": {"theory": "rayleigh"},
    "euler": {"theory": "euler"},
    "full": {"integration": "full"},
    "bending": {"freedoms": ("bending",)},
    "shear": {"freedoms": ("bending", "shear")},
    "torsion": {"freedoms": ("bending", "torsion")},
    "classical": {"freedoms": ("bending", "torsion", "shear", "axial")},
}
# One frame for a link is dense in its coordinates, and its second order gains nothing from so many.
_MOST_MODES, _MOST_IN_A_FRAME = 12, 16


@dataclass(frozen=True)
class Variant:
    """A formulation with the keys of its options."""

    word: str
    formulation: str
    keys: dict[str, Any] = field(default_factory=dict)
    takes_theory: bool = True  # of the file's model, where it names one

    @property
    def in_link_frame(self) -> bool:
        """True if the coordinates count from one frame for the whole link."""
        always = traits_of(self.formulation).link_frame == "always"
        return always or self.keys.get("frames") == "link" or self.keys.get("kinematics") == "printed"

    def meshes(self, elements: Sequence[int]) -> tuple[int | None, ...]:
        """The numbers of elements (of "modes": modes) this variant is run with; None: as the file has it."""
        if self.formulation == AS_IN_FILE:
            return (None,)
        mesh = traits_of(self.formulation).mesh
        if not mesh:
            return (1,)
        if not self.in_link_frame:
            return tuple(elements)
        most = _MOST_MODES if mesh == "modes" else _MOST_IN_A_FRAME
        return tuple(dict.fromkeys(min(count, most) for count in elements))

    def of_whole_beam(self) -> Variant:
        """The same with whatever theory the beam's own data allow, unless an option names one."""
        return replace(self, takes_theory=False)

    def model(self, link: Link, count: int | None) -> Formulation:
        """The model of a link with so many elements."""
        if count is None:
            return link.formulation
        own, keys = link.formulation, dict(self.keys)
        traits = traits_of(self.formulation)
        if len(traits.theories) > 1 and self.takes_theory and own.theory is not None:
            keys.setdefault("theory", own.theory)
        if "grading" in traits.keys and own.grading != 1.0:
            keys.setdefault("grading", own.grading)
        if own.freedoms is not None and "freedoms" not in keys:
            without = ("shear",) if keys.get("theory") in ("rayleigh", "euler") else ()
            keys["freedoms"] = tuple(freedom for freedom in own.freedoms if freedom not in without)
        elif not traits.theories and self.takes_theory and own.theory in ("rayleigh", "euler"):
            # the file's theory of bending, in the words of a chain that has none
            assert link.beam is not None
            all_known = freedoms_of(Formulation(formulation=self.formulation), link.beam.properties(), planar=False)
            keys.setdefault("freedoms", tuple(freedom for freedom in all_known if freedom != "shear"))
        return Formulation(formulation=self.formulation, **({traits.mesh: count} if traits.mesh else {}), **keys)

    def arm(self, arm: Arm, count: int | None) -> Arm:
        """The arm with every flexible link so modelled; rigid links and beams in sleeves stay as they are."""
        if count is None:
            return arm
        links = []
        for link in arm.links:
            if can_vary(link):
                model = self.model(link, count)
                link = link.changed(model=model, **_damping(link, arm.planar, model))
            links.append(link)
        return arm.changed(links=tuple(links))


def _counted(formulation: str) -> str:
    """The key that sets how fine a model is."""
    return traits_of(formulation).mesh or "elements"


def can_vary(link: Link) -> bool:
    """True for a beam that any formulation may model."""
    return link.beam is not None and not link.joint.sleeve


def own_elements(arm: Arm) -> int | None:
    """The number of elements, or modes, of the file's own models if it is the same on every link."""
    counts = {getattr(link.formulation, _counted(link.formulation.formulation)) for link in arm.links if can_vary(link)}
    return counts.pop() if len(counts) == 1 else None


def variant(word: str) -> Variant:
    """The variant of a word: a formulation, with options behind a colon ("hermite:link,plain")."""
    name, _, rest = (part.strip() for part in word.partition(":"))
    known = [*FORMULATIONS, AS_IN_FILE]
    if name not in known:
        raise AnalysisError(f"formulations: {quoted(word)} is not known, must be {either(known)}{meant(name, known)}")
    known_options = {**OPTIONS, **traits_of(name).options}
    keys: dict[str, Any] = {}
    words = [part.strip() for part in re.split("[,+]", rest) if part.strip()]
    for option in words:
        if name == AS_IN_FILE or (found := known_options.get(option)) is None:
            allowed = [] if name == AS_IN_FILE else list(known_options)
            advice = f"must be {either(allowed)}{meant(option, allowed)}" if allowed else "takes none"
            raise AnalysisError(f"formulations: {quoted(word)}: the option {quoted(option)} is not known, {advice}")
        for key, value in found.items():
            # freedoms add up, of anything else there is one
            keys[key] = tuple(dict.fromkeys((*keys.get(key, ()), *value))) if key == "freedoms" else value
    made = Variant(":".join([name, ",".join(words)]) if words else name, name, keys)
    if name != AS_IN_FILE:
        try:
            Formulation(formulation=name, **({"modes": 1} if traits_of(name).mesh == "modes" else {}), **keys)
        except ModelError as error:
            raise AnalysisError(f"formulations: {quoted(word)}: {error.problems[0].message}") from None
    return made


def variants(words: Iterable[str] | None, *, planar: bool = True) -> list[Variant]:
    """The variants of some words, each once; if there are none every formulation an arm can have, and one frame."""
    if words is None:
        words = [name for name, traits in FORMULATIONS.items() if planar or not traits.planar_only] + [ONE_FRAME]
    found = [variant(word) for word in words]
    if not found:
        raise AnalysisError("formulations: there is none, must be at least one")
    return list({each.word: each for each in found}.values())


def split_words(text: str) -> list[str]:
    """The words of a comma-separated list; an option behind a comma stays with its formulation."""
    found: list[str] = []
    for part in (part.strip() for part in text.split(",")):
        if found and ":" in found[-1] and ":" not in part and part not in (*FORMULATIONS, AS_IN_FILE):
            found[-1] += f",{part}"
        elif part:
            found.append(part)
    return found


def _damping(link: Link, planar: bool, model: Formulation) -> dict[str, Any]:
    """Damping given per spring of the file's chain as the retardation time it amounts to, c Δ/EI (NOTATION 24).

    Where it amounts to none - a tapered beam, two planes of different stiffness - another chain has it on its springs
    in proportion to their number; finite elements refuse it themselves.
    """
    damping = link.damping
    if damping is None or damping.per_spring is None or link.beam is None:
        return {}
    beam, springs = link.beam.properties(), _springs(link.formulation)
    if link.beam.uniform and beam.EIz is not None and (planar or beam.EIy == beam.EIz):
        return {"damping": Damping(retardation=damping.per_spring * link.length / springs / beam.EIz)}
    return {"damping": Damping(per_spring=damping.per_spring * _springs(model) / springs)}


def _springs(model: Formulation) -> int:
    """The number of springs in a plane of a chain."""
    return max(model.elements, 1) * model.traits.springs
