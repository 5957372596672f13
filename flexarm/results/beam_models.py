"""How the beams of a result's arm were modelled: elements, freedoms, what was left out and what was assumed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

from flexarm.results.engineering import digits, plural

if TYPE_CHECKING:
    from flexarm.model import Arm, Link

Result = TypeVar("Result")
Beams = Sequence[Mapping[str, Any]]


def beams_of(arm: Arm | None) -> list[dict[str, Any]]:
    """Of every beam its model in JSON's types: `formulation`, `elements` or `modes`, `chosen` (for the arm, because the
    file names no number), `freedoms`, `left_out` (freedom, reason, part of what bending does) and `assumed`.
    """
    if arm is None:
        return []
    from flexarm.model.freedoms import freedoms_of, left_out_of

    found = []
    for link in arm.links:
        if link.beam is None:
            continue
        model = link.formulation
        counted = "modes" if model.traits.mesh == "modes" else "elements"
        gone = left_out_of(link, arm.planar)
        found.append(
            {
                "link": link.name,
                "formulation": model.formulation,
                counted: getattr(model, counted),
                "chosen": counted not in (() if link.model is None else link.model.model_fields_set),
                "freedoms": list(freedoms_of(model, link.beam.properties(), arm.planar)),
                "left_out": [{"freedom": each.freedom, "reason": each.reason, "part": each.part} for each in gone],
                "assumed": _assumed(link, arm),
            }
        )
    return found


def _assumed(link: Link, arm: Arm) -> list[str]:
    """What the model needs and the file does not give."""
    assert link.beam is not None
    source = link.beam.polar_inertia_source
    if not source or arm.planar:
        return []
    return [f"polar_inertia is {digits(float(link.beam.properties().jx), 3)} kg m, from {source}"]


def beam_rows(beams: Beams) -> list[tuple[str, str]]:
    """Rows of a summary on the beams: their elements, what they leave out, what is assumed."""
    if not beams:
        return []
    rows = [("beams", "; ".join(f"{names} {words}" for words, names in _grouped(beams).items()))]
    gone: dict[tuple[str, str], list[tuple[str, float | None]]] = {}
    for beam in beams:
        for each in beam["left_out"]:
            gone.setdefault((each["freedom"], each["reason"]), []).append((beam["link"], each["part"]))
    if gone:
        rows.append(("left out", "; ".join(_left(word, why, of, len(beams)) for (word, why), of in gone.items())))
    rows += [("assumed", f"{beam['link']}: {each}") for beam in beams for each in beam["assumed"]]
    return rows


def beam_lines(arm: Arm | None) -> list[str]:
    """The rows of `beam_rows` as lines of a summary."""
    return [f"  {word}: {text}" for word, text in beam_rows(beams_of(arm))]


def _grouped(beams: Beams) -> dict[str, str]:
    """Links by the words for their models."""
    found: dict[str, list[str]] = {}
    for beam in beams:
        count = beam.get("elements")
        word = str(beam["formulation"])
        size = plural(beam["modes"], "assumed mode") if count is None else f"{count} {word} element{'s' * (count != 1)}"
        size = word if count == 0 else size
        found.setdefault(f"{size} ({', '.join(beam['freedoms'])})", []).append(str(beam["link"]))
    return {words: ", ".join(names) for words, names in found.items()}


def _left(word: str, why: str, of: Sequence[tuple[str, float | None]], count: int) -> str:
    """One freedom some beams leave out, with the size of the worst."""
    from flexarm.model.freedoms import WORDS

    names = "" if len(of) == count else f" of {', '.join(name for name, _ in of)}"
    sizes = [part for _, part in of if part is not None]
    size = f"; {digits(100.0 * max(sizes), 2)} % of what bending does" if sizes else ""
    return f"{WORDS[word]}{names} ({why}{size})"


def reports_beams(result: type[Result]) -> type[Result]:
    """The class of a result with the models of its arm's beams at the end of its summary and as `beams` in its data.

    The arm is the result's `arm`, or `studied`, or the `nominal_arm` of a study.
    """
    found: Any = holds_beams(result)
    own_summary = found.summary

    @wraps(own_summary)
    def summary(self: Any) -> str:
        return "\n".join([own_summary(self), *beam_lines(_arm(self))])

    found.summary = summary
    return result


def holds_beams(result: type[Result]) -> type[Result]:
    """The class of a result with the models of its arm's beams as `beams` in its data alone.

    For summaries that end in lines to be pasted into a model file: these describe the beams before them.
    """
    found: Any = result
    own_data = found.to_dict

    @wraps(own_data)
    def to_dict(self: Any) -> dict[str, Any]:
        return {**own_data(self), "beams": beams_of(_arm(self))}

    found.to_dict = to_dict
    return result


def _arm(result: Any) -> Arm | None:
    # a study of commands has a method `arm`, which gives the arm under one of them
    found = (getattr(result, name, None) for name in ("arm", "studied", "nominal_arm"))
    return next((each for each in found if each is not None and not callable(each)), None)
