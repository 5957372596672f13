"""A raw model in which every part without a random number is read already: a sample then costs only its own parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from flexarm.errors import AnalysisError
from flexarm.model.arm import Arm
from flexarm.model.parts.link import Link
from flexarm.model.parts.part import Part
from flexarm.model.reading.distributions import OF_STUDIES, Path
from flexarm.studies.parameters.reading import Found

# Parts of a link that are read without looking at the others; a Denavit-Hartenberg row changes the joint.
_OF_A_LINK = ("joint", "rigid", "beam", "hub", "model", "damping")


def prevalidated(found: Found) -> dict[str, Any]:
    """The raw model without the tables of a study, its constant parts replaced by those of the nominal arm.

    Every sample has as many elements as the nominal arm, so that all are arms of one shape.
    """
    body = {key: value for key, value in found.data.items() if key not in OF_STUDIES}
    random = [path for parameter in found.parameters for path in parameter.paths]
    _refuse_random_paths(found, random)
    for key, value in body.items():
        field = next((name for name, f in Arm.model_fields.items() if key in (name, f.alias)), None)
        read = getattr(found.nominal, field) if field is not None else None
        if isinstance(read, Part):
            body[key] = value if _touched((key,), random) else read
        elif isinstance(read, Mapping) and isinstance(value, Mapping):
            body[key] = {name: v if _touched((key, name), random) else read[name] for name, v in value.items()}
        elif isinstance(read, tuple) and isinstance(value, list) and read and isinstance(read[0], Part):
            body[key] = [v if _touched((key, i), random) else read[i] for i, v in enumerate(value)]
    links = body["link"]
    body["link"] = [
        _meshed(_link(link, i, found.nominal, random), found.nominal.links[i]) for i, link in enumerate(links)
    ]
    return body


def _refuse_random_paths(found: Found, random: Iterable[Path]) -> None:
    """A controller leads the joints along one path, solved for the nominal arm."""
    for path in random:
        if path[0] == "motion" and getattr(found.nominal.motions.get(str(path[1])), "kind", "") == "path":
            raise AnalysisError(
                f"motion.{path[1]} has a random number, must have none: every arm is led along one path"
            )


def _link(link: Any, i: int, nominal: Arm, random: Iterable[Path]) -> Any:
    if not isinstance(link, Mapping):
        return link
    if "dh" in link:
        return dict(link)
    constant = [key for key in _OF_A_LINK if link.get(key) is not None and not _touched(("link", i, key), random)]
    return {**link, **{key: getattr(nominal.links[i], key) for key in constant}}


def _meshed(link: Any, nominal: Link) -> Any:
    """The link, raw or read, with the number of elements that was chosen for the nominal arm."""
    if nominal.beam is None or (nominal.model is not None and nominal.model.elements):
        return link
    count = nominal.formulation.elements
    if isinstance(link, Link):
        return link.changed(model=nominal.formulation.changed(elements=count))
    model = link.get("model")
    if isinstance(model, Mapping):
        return {**link, "model": {**model, "elements": count}}
    return {**link, "model": nominal.formulation.changed(elements=count)}


def _touched(path: Path, random: Iterable[Path]) -> bool:
    return any(other[: len(path)] == path for other in random)
