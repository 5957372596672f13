"""In which ways the beams of an arm deform, and which they leave out: nothing a beam is given is dropped unsaid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flexarm.model.parts.formulation import Formulation
from flexarm.model.reading.messages import quoted

if TYPE_CHECKING:
    from flexarm.model.arm import Arm
    from flexarm.model.parts.beam import BeamProperties
    from flexarm.model.parts.link import Link

# In the words of engineers.
WORDS = {"torsion": "torsion", "shear": "shear", "axial": "stretch"}
_KEYS = {"torsion": "torsional_stiffness", "shear": "shear_stiffness", "axial": "axial_stiffness"}


def shear_known(beam: BeamProperties, planar: bool) -> bool:
    """True if the beam's shear stiffness is known in every plane in which the arm can bend."""
    return beam.GAy is not None and (planar or beam.GAz is not None)


def freedoms_of(model: Formulation, beam: BeamProperties, planar: bool) -> tuple[str, ...]:
    """The freedoms a beam has, of "bending", "torsion", "shear", "axial": those its model asks for, else all it is
    given a stiffness for but stretch.
    """
    asked = model.freedoms
    if model.listed:
        named = {shape.direction for shape in model.listed}
        twists, stretches = "torsion" in named, "axial" in named
    elif asked is None:
        twists, stretches = beam.GJ is not None, False
    else:
        twists, stretches = "torsion" in asked, "axial" in asked
    traits = model.traits
    if not traits.theories:
        shears = shear_known(beam, planar) if asked is None else "shear" in asked
    elif traits.always_shears:
        shears = True
    elif model.theory is not None:
        shears = model.theory == "timoshenko"
    else:
        # the section of a beam that bends shears too, unless the theory of bending excludes it
        shears = shear_known(beam, planar) or "shear" in (asked or ())
    bends = asked is None or "bending" in asked
    wanted = (("bending", bends), ("torsion", twists and not planar), ("shear", shears), ("axial", stretches))
    return tuple(freedom for freedom, free in wanted if free and freedom in traits.freedoms)


def with_all_freedoms(model: Formulation, beam: BeamProperties, planar: bool) -> Formulation:
    """The model with every freedom for which the beam is given a stiffness; one that is printed stays as it is."""
    if "printed" in (model.order, model.kinematics) or model.listed:
        return model
    known = {"bending": True, "torsion": beam.GJ is not None, "shear": shear_known(beam, planar), "axial": beam.EA}
    changes: dict[str, Any] = {
        "freedoms": tuple(word for word, has in known.items() if has and word in model.traits.freedoms)
    }
    if known["shear"] and model.theory is not None:
        changes["theory"] = "timoshenko"
    if model.modes and model.traits.mesh != "modes":
        # static shapes of the tip come first: one more for each direction that joins the others
        more = set(changes["freedoms"]) - set(freedoms_of(model, beam, planar)) - ({"torsion"} if planar else set())
        changes["modes"] = model.modes + len(more - {"shear"})
    return model.changed(**changes)


@dataclass(frozen=True)
class LeftOut:
    """A way to deform that a link's model leaves out.

    `part` is what it would add, of what bending does: to the deflection under a force at the tip (shear, stretch), or
    the twist by a moment of what that moment bends (torsion). None: not known.
    """

    link: str
    freedom: str  # "torsion", "shear" or "axial"
    reason: str
    part: float | None = None


def left_out_of(link: Link, planar: bool) -> tuple[LeftOut, ...]:
    """What the model of one link leaves out; nothing of a rigid one."""
    if link.beam is None:
        return ()
    model, beam = link.formulation, link.beam.properties()
    free = freedoms_of(model, beam, planar)
    asked = [word for word in ("torsion", "shear", "axial") if word not in free and not (planar and word == "torsion")]
    return tuple(LeftOut(link.name, word, _reason(model, beam, word, planar), _part(link, word)) for word in asked)


def left_out(arm: Arm) -> tuple[LeftOut, ...]:
    """What the models of an arm's links leave out, base to tip."""
    return tuple(each for link in arm.links for each in left_out_of(link, arm.planar))


def _reason(model: Formulation, beam: BeamProperties, word: str, planar: bool) -> str:
    """Why it is left out."""
    known = {"torsion": beam.GJ is not None, "shear": shear_known(beam, planar), "axial": beam.EA is not None}
    if not known[word]:
        return f"{_KEYS[word]} not known"
    if model.listed and word != "shear":
        return "none of the listed shapes"
    if word not in model.traits.freedoms:
        return f"{quoted(model.formulation)} has none"
    if word == "shear" and model.traits.theories:
        return f"theory is {quoted(str(model.theory))}"
    if model.freedoms is None:
        return 'freedoms do not ask for "axial"'
    return f"freedoms are {', '.join(model.freedoms)}"


def _part(link: Link, word: str) -> float | None:
    """What a freedom would add where the beam begins, of what bending does."""
    assert link.beam is not None
    beam, length = link.beam.properties(), link.length
    bending = [value for value in (beam.EIy, beam.EIz) if value is not None]
    if not bending:
        return None
    if word == "torsion":
        return None if beam.GJ is None else float(max(bending) / beam.GJ)
    if word == "axial":
        return None if beam.EA is None else float(3.0 * max(bending) / (beam.EA * length * length))
    pairs = [(EI, GA) for EI, GA in ((beam.EIz, beam.GAy), (beam.EIy, beam.GAz)) if EI is not None and GA is not None]
    return float(max(3.0 * EI / (GA * length * length) for EI, GA in pairs)) if pairs else None
