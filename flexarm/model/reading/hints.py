"""What is known at a place of the model: the keys and the kinds a hint can offer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pydantic import BaseModel

# Marks the members of a union in pydantic's path. It never reaches a sentence, and no key or name can begin like it:
# neither a keyboard nor a text editor makes these two characters.
TAG = "\0\ue000"

Path = tuple[int | str, ...]


class Hints:
    """Looks up keys and kinds by the path of a mistake; it returns nothing when it cannot decide."""

    def __init__(self, root: Any, more: Sequence[str] = ()) -> None:
        self._root = root
        # keys of the root that somebody else reads
        self._more = more

    def keys(self, path: Path) -> list[str]:
        """The keys of the part at the path."""
        parts = self._parts(path)
        found = [field.alias or name for name, field in parts[0].model_fields.items()] if len(parts) == 1 else []
        return [*found, *(() if path else self._more)]

    def kinds(self, path: Path) -> tuple[str, list[str]]:
        """The key that gives the kind of the part at the path, and the kinds there are."""
        found = [kind for part in self._parts(path) for kind in _kind(part).items()]
        return (found[0][0], [kind for _, kind in found]) if found else ("kind", [])

    def _parts(self, path: Path) -> list[Any]:
        here: list[Any] = [self._root]
        for step in path:
            if isinstance(step, int):
                continue
            if step.startswith(TAG):
                here = [part for part in here if step[len(TAG) :] in _kind(part).values()]
                continue
            under = [found for part in here for found in _parts_under(part, step)]
            # A step that is no key is a name in a catalogue: the parts stay the same.
            here = under or here
        return here


def tagged_by(key: str) -> Callable[[Any], str | None]:
    """The tag of a part, or of the table it is read from, by the word under the key; None where there is none."""

    def tag(value: Any) -> str | None:
        word = value.get(key) if isinstance(value, dict) else getattr(value, key, None)
        return TAG + word if isinstance(word, str) else None

    return tag


def _kind(part: Any) -> dict[str, str]:
    return {name: str(field.default) for name, field in part.model_fields.items() if name in ("kind", "shape")}


def _parts_under(part: Any, key: str) -> list[Any]:
    for name, field in part.model_fields.items():
        if key in (name, field.alias):
            return _parts_in(field.annotation)
    return []


def _parts_in(annotation: Any) -> list[Any]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [part for argument in getattr(annotation, "__args__", ()) for part in _parts_in(argument)]
