"""Curved and twisted beams as chains of straight ones: a link without length on the joint, and pieces behind it.

The link NAME keeps joint and hub; its beam becomes the links NAME.1 … NAME.N on fixed joints, whose x axis is a chord
of the centre line and whose y and z axes are carried along it without turning about it, but by the twist. What stands
on the link stands on the piece there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from flexarm.errors import ModelError, Problem
from flexarm.model.parts.curve import Curve
from flexarm.model.parts.frames import Array, angles_of, rotation_from_angles, rotation_onto
from flexarm.model.parts.part import Part
from flexarm.model.reading.distributions import distributions_in
from flexarm.model.reading.quantity import Quantity, entries
from flexarm.model.reading.text import part_to_dict
from flexarm.model.several_turns import balls_in, has_several_turns, near_lock, turns_written_out

# What a link keeps that becomes a chain; the rest is that of its pieces.
_KEPT = ("name", "parent", "parent_at", "joint", "hub", "direction")
_LENGTH = Quantity("m", least=0)
_STANDING = ("load", "point", "gauge", "sensor")


class CurvedTable(dict[str, Any]):
    """A raw model whose curved links are written out; messages call them by the number they have in the file."""

    origin: tuple[int, ...] = ()
    balls: tuple[str, ...] = ()

    def remarks_on(self, arm: Any) -> tuple[str, ...]:
        """Sentences on ball joints that start near to their singular posture."""
        return tuple(near_lock(arm.links, self.balls))

    def named(self, problem: Problem) -> Problem:
        """A problem with its link numbered as in the file."""
        for i, own in enumerate(self.origin):
            if problem.place == f"link[{i}]" or problem.place.startswith(f"link[{i}]."):
                return Problem(f"link[{own}]{problem.place[len(f'link[{i}]') :]}", problem.message)
        return problem


def to_write_out(raw: Mapping[str, Any]) -> bool:
    """True if a link of the raw model is curved, or its joint has several turns."""
    return has_several_turns(raw) or any(_value(link, "curve") is not None for link in entries(raw.get("link")) or ())


def written_out(raw: Mapping[str, Any]) -> CurvedTable:
    """The raw model with a chain for every curved link and a joint for every turn; links with mistakes stay, so that
    their reader finds them.
    """
    links: list[Any] = []
    origin: list[int] = []
    chains: dict[str, _Chain] = {}
    given, files = turns_written_out(raw)
    for i, link in enumerate(given):
        chain = _chain(link, i)
        if chain is None:
            links.append(link)
        else:
            links += chain.links
            chains[chain.name] = chain
        origin += [i] * (len(links) - len(origin))
    found = []
    last: Any = None
    for link, own in zip(links, origin, strict=True):
        piece = isinstance(link, dict) and link.pop(_PIECE, False)
        if not piece:
            link = _carried(link, last, chains)
            last = _value(given[own], "name")
        found.append(link)
    table = CurvedTable({**raw, "link": found})
    for key in _STANDING:
        if entries(raw.get(key)):
            table[key] = [_standing(each, chains) for each in entries(raw[key]) or ()]
    table.balls = balls_in(raw)
    table.origin = tuple(files[own] for own in origin)
    return table


_PIECE = "\0piece"


class _Chain:
    """The links that stand for one, and where they begin along its centre line (m)."""

    def __init__(self, name: str, links: list[dict[str, Any]], ends: Array, scale: float) -> None:
        self.name, self.links, self.ends, self.scale = name, links, ends, scale

    def place(self, at: Any) -> tuple[str, Any]:
        """The piece at a distance along the link and the distance along that piece; the tip frame for None."""
        last = len(self.ends) - 1
        if at is None:
            return f"{self.name}.{last}", None
        try:
            s = self.scale * _LENGTH.read_one(at, "m")
        except Exception:  # its reader says what is wrong with it
            return f"{self.name}.{last}", at
        k = int(np.clip(np.searchsorted(self.ends, s, side="right"), 1, last))
        # what is beyond the end stays so, for the message
        return f"{self.name}.{k}", float(s - self.ends[k - 1])


def _value(part: Any, key: str) -> Any:
    return part.get(key) if isinstance(part, Mapping) else getattr(part, key, None)


def _chain(given: Any, index: int) -> _Chain | None:
    if _value(given, "curve") is None:
        return None
    link: dict[str, Any] = dict(given) if isinstance(given, Mapping) else part_to_dict(given)
    name = link.get("name")
    if isinstance(given, Mapping):
        if any(True for _ in distributions_in(given, ("link", index))):
            message = "holds a distribution, must have none with curve: each of its pieces would have its own"
            raise ModelError([Problem(f"link[{index}]", message)], source="model")
        from flexarm.model.parts.link import Link

        try:
            checked = Link.__pydantic_validator__.validate_python(given)
        except Exception:  # the arm's own reader says all that is wrong with it
            return None
    else:
        checked = given
    curve: Curve = checked.curve
    places, first, final, whole = curve.nodes(checked.direction, checked.length)
    chords = np.diff(places, axis=0)
    lengths = np.linalg.norm(chords, axis=1)
    frame = rotation_onto(checked.direction if curve.points is None else tuple(first))
    tangent, own, pieces = first, frame, []
    n = len(chords)
    turned = np.eye(3)  # the frame before, in the link's axes
    for k, chord in enumerate(chords):
        own = _onto(tangent, chord / lengths[k]) @ own
        tangent = chord / lengths[k]
        R = own @ _about_x(curve.twist * (k + 0.5) / n)
        joint: dict[str, Any] = {"type": "fixed", "rotation": [*angles_of(turned.T @ R)]}
        piece: dict[str, Any] = {"name": f"{name}.{k + 1}", "joint": joint, "length": float(lengths[k]), _PIECE: True}
        piece |= {"beam": link["beam"], "model": _model(checked, n)}
        if "damping" in link:
            piece["damping"] = link["damping"]
        pieces.append(piece)
        turned = R
    # the tip frame: the link's axes carried along the centre line, turned with the twist
    end = _onto(tangent, final) @ own @ _about_x(curve.twist) @ frame.T
    tip = turned.T @ end
    pieces[-1]["tip_rotation"] = [*angles_of(tip @ rotation_from_angles(checked.tip_rotation))]
    pieces[-1]["tip_offset"] = (tip @ np.array(checked.tip_offset)).tolist()
    root = {key: link[key] for key in _KEPT if key in link} | {"rigid": {"mass": 0.0, "inertia": 0.0}}
    ends = np.concatenate([[0.0], np.cumsum(lengths)])
    # distances along the curve count on its chords
    chain = _Chain(str(name), [root, *pieces], ends, float(ends[-1]) / whole)
    for payload in entries(link.get("payload")) or ([link["payload"]] if "payload" in link else []):
        standing = part_to_dict(payload) if isinstance(payload, Part) else dict(payload)
        on, at = chain.place(standing.pop("at", None))
        target = pieces[int(on.rpartition(".")[2]) - 1]
        target.setdefault("payload", []).append(standing if at is None else {**standing, "at": at})
    return chain


def _model(link: Any, pieces: int) -> Any:
    """The model of a piece: its share of the elements, one at the least."""
    model = link.model
    share = {"elements": max(1, -(-model.elements // pieces) if model is not None and model.elements else 1)}
    return share if model is None else {**part_to_dict(model), **share}


def _carried(link: Any, before: Any, chains: Mapping[str, _Chain]) -> Any:
    """A link that stands on a curved one put on the piece there."""
    parent = _value(link, "parent")
    name = before if parent is None else parent
    if not isinstance(name, str) or name not in chains:
        return link
    raw = dict(link) if isinstance(link, Mapping) else part_to_dict(link)
    on, at = chains[name].place(raw.pop("parent_at", None))
    return {**raw, "parent": on} | ({} if at is None else {"parent_at": at})


def _standing(each: Any, chains: Mapping[str, _Chain]) -> Any:
    """A load, a point, … on a curved link put on the piece there."""
    name = _value(each, "link")
    if not isinstance(name, str) or name not in chains:
        return each
    raw = dict(each) if isinstance(each, Mapping) else part_to_dict(each)
    on, at = chains[name].place(raw.pop("at", None))
    return {**raw, "link": on} | ({} if at is None else {"at": at})


def _onto(start: Array, end: Array) -> Array:
    """The shortest turn of one unit vector onto another."""
    cross, cosine = np.cross(start, end), float(start @ end)
    skew = np.array([[0.0, -cross[2], cross[1]], [cross[2], 0.0, -cross[0]], [-cross[1], cross[0], 0.0]])
    return np.asarray(np.eye(3) + skew + skew @ skew / (1.0 + cosine))


def _about_x(angle: float) -> Array:
    return rotation_from_angles((angle, 0.0, 0.0))
