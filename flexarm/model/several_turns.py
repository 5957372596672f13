"""Universal and ball joints as revolute joints one behind the other, with links without mass between them.

The link NAME keeps its name and has the last turn; the turns before it are those of the links NAME.turn1 and
NAME.turn2.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from flexarm.model.link_frames import turned
from flexarm.model.parts.part import Part
from flexarm.model.reading.messages import quoted
from flexarm.model.reading.quantity import entries
from flexarm.model.reading.text import part_to_dict

AXES: dict[str, tuple[str, ...]] = {"universal": ("z", "y"), "ball": ("z", "y", "x")}
# So near (°) to the singular posture of a ball joint it is remarked.
_NEAR = 30.0
# What a joint has of its place; the rest is of its turns.
_PLACE = ("offset", "rotation")


def has_several_turns(raw: Mapping[str, Any]) -> bool:
    """True if a joint of the raw model is universal or a ball."""
    return any(_kind(link) in AXES for link in entries(raw.get("link")) or ())


def turns_written_out(raw: Mapping[str, Any]) -> tuple[list[Any], list[int]]:
    """The links with every turn a joint of its own, and the number each has in the file; whatever is wrong with such a
    joint stays in it, for its reader.
    """
    links: list[Any] = []
    origin: list[int] = []
    before: Any = None
    for i, link in enumerate(entries(raw.get("link")) or []):
        made = _turns(link, before) if _kind(link) in AXES else None
        links += [link] if made is None else made
        origin += [i] * (1 if made is None else len(made))
        before = _value(link, "name")
    return links, origin


def balls_in(raw: Mapping[str, Any]) -> tuple[str, ...]:
    """The names of the links on ball joints."""
    return tuple(str(_value(link, "name")) for link in entries(raw.get("link")) or () if _kind(link) == "ball")


def near_lock(links: Iterable[Any], balls: Iterable[str]) -> Iterable[str]:
    """A sentence for every ball joint that starts near to where its first and last turns are about one axis."""
    joints = {link.name: link.joint for link in links}
    for name in balls:
        first, middle, last = (joints.get(f"{name}{more}") for more in (".turn1", ".turn2", ""))
        if first is None or middle is None or last is None:
            continue
        # the first axis as the last joint's frame sees it
        seen = turned(np.array(middle.axis), -(middle.zero + middle.at)) @ np.array(first.axis)
        angle = math.degrees(math.acos(min(1.0, abs(float(seen @ np.array(last.axis))))))
        if angle < _NEAR:
            yield (
                f"the ball joint of {quoted(name)} starts {angle:.3g}° from the posture in which its first and last "
                "turns are about one axis: another order of axes in turns keeps away from it"
            )


def _value(part: Any, key: str) -> Any:
    return part.get(key) if isinstance(part, Mapping) else getattr(part, key, None)


def _kind(link: Any) -> str:
    kind = _value(_value(link, "joint"), "type")
    return kind if isinstance(kind, str) else ""


def _turns(link: Any, before: Any) -> list[dict[str, Any]] | None:
    raw = dict(link) if isinstance(link, Mapping) else part_to_dict(link)
    joint = raw["joint"]
    joint = part_to_dict(joint) if isinstance(joint, Part) else dict(joint)
    axes = AXES[joint.pop("type")]
    name, turns = raw.get("name"), joint.pop("turns", None)
    rows = [{}] * len(axes) if turns is None else entries(turns)
    if not isinstance(name, str) or rows is None or len(rows) != len(axes):
        return None
    if not all(isinstance(row, Mapping) for row in rows):
        return None
    place = {key: joint.pop(key) for key in _PLACE if key in joint}
    found = []
    for k, (axis, row) in enumerate(zip(axes, rows, strict=True)):
        own = {"axis": axis, **joint, **row, "type": "revolute"}
        turn: dict[str, Any] = {"name": f"{name}.turn{k + 1}", "joint": own | (place if k == 0 else {})}
        if k == 0:
            turn |= {key: raw[key] for key in ("parent", "parent_at") if key in raw}
        else:
            turn["parent"] = f"{name}.turn{k}"
        found.append(turn | {"rigid": {"mass": 0.0, "inertia": 0.0}})
    rest = {key: value for key, value in raw.items() if key not in ("joint", "parent", "parent_at")}
    found[-1] = {**rest, "parent": found[-1].get("parent"), "joint": found[-1]["joint"]}
    return found
