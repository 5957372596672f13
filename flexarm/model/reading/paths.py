"""Places of a raw model: named as in messages, found again by that name, and given other values without touching it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from flexarm.model.reading.distributions import Path

_STEP = re.compile(r'\[(?P<index>\d+)\]|(?:^|(?<=.)\.)(?:"(?P<quoted>[^"]*)"|(?P<word>[^.\[\]"]+))')


def placed(data: Mapping[str, Any], values: Iterable[tuple[Path, Any]]) -> dict[str, Any]:
    """A copy of the raw model with values put at their places; whatever is not on the way to them is shared."""
    root = dict(data)
    copies: dict[Path, Any] = {(): root}
    for path, value in values:
        here: Any = root
        for depth, step in enumerate(path[:-1], start=1):
            way = path[:depth]
            if way not in copies:
                below = here[step]
                copies[way] = here[step] = dict(below) if isinstance(below, Mapping) else list(below)
            here = copies[way]
        here[path[-1]] = value
    return root


def path_of(place: str) -> Path | None:
    """The path that messages write as `place`, such as link[0].offset[2]; None if it is not written like one."""
    path: list[int | str] = []
    at = 0
    while at < len(place):
        match = _STEP.match(place, at)
        if match is None:
            return None
        index, quoted, word = match["index"], match["quoted"], match["word"]
        path.append(int(index) if index is not None else quoted if quoted is not None else word)
        at = match.end()
    return tuple(path) or None


def can_hold(data: Any, path: Path) -> bool:
    """True if everything on the way to the last step of the path is there, and the last is a key or an entry."""
    here = data
    for step in path[:-1]:
        if isinstance(step, int):
            if not isinstance(here, list | tuple) or step >= len(here):
                return False
        elif not isinstance(here, Mapping) or step not in here:
            return False
        here = here[step]
    last = path[-1]
    if isinstance(last, int):
        return isinstance(here, list | tuple) and last < len(here)
    return isinstance(here, Mapping)
