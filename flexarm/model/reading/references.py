"""Names that point at one another in an arm: duplicates, dangling references, loops.

These checks read the raw fields, so that they are reported together with mistakes in the values and not after them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from flexarm.model.parts.material import Material, library_material, library_names
from flexarm.model.reading.messages import Mistake, meant, quoted
from flexarm.model.reading.quantity import entries
from flexarm.model.reading.readers import Name

BASE = "base"


def raw(part: Any, key: str) -> Any:
    """The value under a key of a table or part; None if there is none."""
    return part.get(key) if isinstance(part, Mapping) else getattr(part, key, None)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def reference_mistakes(arm: Mapping[str, Any]) -> Iterable[Mistake]:
    """Every name that is used twice or leads nowhere."""
    links = entries(raw(arm, "link")) or []
    names = [_text(raw(link, "name")) for link in links]
    if not links and entries(raw(arm, "link")) is not None:
        yield (), "link is an empty list, must have at least one link"
    yield from _names_once("link", names)
    yield from _ground(links, names)
    yield from _tree(links, names)
    catalogues = {key: raw(arm, key) for key in ("motion", "torque", "material")}
    for key, catalogue in catalogues.items():
        yield from _names_in_catalogue(key, catalogue)
    known = {key: list(value) if isinstance(value, Mapping) else [] for key, value in catalogues.items()}
    for i, link in enumerate(links):
        joint, beam = raw(link, "joint"), raw(link, "beam")
        for key in ("motion", "torque"):
            yield from _dangling(("link", i, "joint"), key, raw(joint, key), known[key], f"a [{key}.NAME]")
        material = raw(beam, "material")
        if not (isinstance(material, str) and library_material(material)) and not isinstance(material, Material):
            options = [*known["material"], *library_names()]
            what = f"a [material.NAME] or of the library ({', '.join(library_names())})"
            yield from _dangling(("link", i, "beam"), "material", material, options, what)
    yield from _laws_of_laws(catalogues["motion"], known["motion"])
    yield from _places(arm, names, known["torque"])


def _places(arm: Mapping[str, Any], names: Sequence[str | None], torques: list[str]) -> Iterable[Mistake]:
    loads = entries(raw(arm, "load")) or []
    points = entries(raw(arm, "point")) or []
    gauges = entries(raw(arm, "gauge")) or []
    for key, places in (("load", loads), ("point", points), ("gauge", gauges)):
        for i, place in enumerate(places):
            yield from _dangling((key, i), "link", raw(place, "link"), names, "a link")
    yield from _closures(arm, names)
    for i, load in enumerate(loads):
        yield from _dangling(("load", i), "law", raw(load, "law"), torques, "a [torque.NAME]")
    sensors = entries(raw(arm, "sensor")) or []
    controllers = entries(raw(arm, "controller")) or []
    for key, named in (("point", points), ("gauge", gauges), ("sensor", sensors), ("controller", controllers)):
        yield from _names_once(key, [_text(raw(each, "name")) for each in named])


def _closures(arm: Mapping[str, Any], names: Sequence[str | None]) -> Iterable[Mistake]:
    """Links that supports, loops and springs name; springs may name the base."""
    taken: list[str | None] = []
    for key in ("support", "loop", "spring"):
        parts = entries(raw(arm, key)) or []
        for i, part in enumerate(parts):
            yield from _dangling((key, i), "link", raw(part, "link"), names, "a link")
            known, what = ([*names, BASE], 'a link or "base"') if key == "spring" else (names, "a link")
            if key != "support":
                yield from _dangling((key, i), "to", raw(part, "to"), known, what)
            name = _text(raw(part, "name"))
            if name is not None and name in taken:
                yield (key, i), f"name is {quoted(name)} as that of another support, loop or spring, must be unique"
            taken.append(name)


def _laws_of_laws(motions: Any, known: list[str]) -> Iterable[Mistake]:
    """Laws made of others that name what is not there, or lead back to themselves."""
    if not isinstance(motions, Mapping):
        return
    made_of = {}
    for name, law in motions.items():
        named = raw(law, "of")
        made_of[name] = [named] if isinstance(named, str) else [each for each in entries(named) or [] if _text(each)]
        for each in made_of[name]:
            yield from _dangling(("motion", name), "of", each, known, "a [motion.NAME]")
    for name in made_of:
        seen, pending = set(), list(made_of[name])
        while pending:
            here = pending.pop()
            if here == name:
                yield ("motion", name), "of leads back to this law, must lead to others"
                break
            if here not in seen:
                seen.add(here)
                pending += made_of.get(here, [])


def _names_once(key: str, names: Sequence[str | None]) -> Iterable[Mistake]:
    first: dict[str, int] = {}
    for i, name in enumerate(names):
        if not isinstance(name, str):
            continue
        if name in first:
            yield (key, i), f"name is {quoted(name)} as that of {key}[{first[name]}], must be unique"
        first.setdefault(name, i)


def _ground(links: Sequence[Any], names: Sequence[str | None]) -> Iterable[Mistake]:
    """A link called as the ground is; those of a robot's description may be, for their joints have names of their own
    and every link but the root names its parent.
    """
    for i, (link, name) in enumerate(zip(links, names, strict=True)):
        if name == BASE and raw(raw(link, "joint"), "name") is None:
            yield ("link", i), f"name is {quoted(BASE)}, which is taken by the ground, must be another"


def _names_in_catalogue(key: str, catalogue: Any) -> Iterable[Mistake]:
    if not isinstance(catalogue, Mapping):
        return
    reader = Name()
    for name in catalogue:
        if isinstance(name, str) and not reader.sound(name):
            yield (key,), f"a name is {quoted(name)}, {reader.rule}"


def _dangling(path: tuple[int | str, ...], key: str, name: Any, known: Sequence[Any], what: str) -> Iterable[Mistake]:
    if isinstance(name, str) and name not in known:
        options = [option for option in known if isinstance(option, str)]
        yield path, f"{key} is {quoted(name)}, must be the name of {what}{meant(name, options)}"


def _tree(links: Sequence[Any], names: Sequence[str | None]) -> Iterable[Mistake]:
    carrier: dict[str, str] = {}
    for i, link in enumerate(links):
        parent = raw(link, "parent")
        if parent is None:
            parent = names[i - 1] if i else BASE
        elif isinstance(parent, str) and parent != BASE and parent not in names:
            hint = meant(parent, [BASE, *filter(None, names)])
            yield ("link", i), f'parent is {quoted(parent)}, must be "base" or the name of a link{hint}'
        name = names[i]
        if name is not None and isinstance(parent, str):
            carrier.setdefault(name, parent)
    grounded: set[str] = {BASE}
    for name in names:
        way: list[str] = []
        here = name or BASE
        while here not in grounded and here not in way:
            way.append(here)
            # A carrier that is not known has its own sentence already.
            here = carrier.get(here, BASE)
        if here in way:
            reason = f"parent is {quoted(carrier[here])}, which leads back to this link, must lead to the base"
            yield ("link", names.index(here)), reason
        grounded.update(way)
