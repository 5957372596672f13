"""Readers of what is not a quantity: directions, words, names, whole numbers, true and false."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from flexarm.batched import each
from flexarm.model.parts.frames import Triple
from flexarm.model.reading.messages import either, meant, refusal, shown
from flexarm.model.reading.quantity import Quantity, Reader, entries, is_number

_AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
AXES: dict[str, Triple] = {
    **_AXES,
    **{f"+{name}": axis for name, axis in _AXES.items()},
    **{f"-{name}": (0.0 - x, 0.0 - y, 0.0 - z) for name, (x, y, z) in _AXES.items()},
}
_WANTED = f"must be {either(['x', 'y', 'z', '-x', '-y', '-z'])} or three numbers"


class Axis(Reader):
    """A direction: "x", "-z", ... or three numbers, stored with length one."""

    def read(self, value: Any, siblings: Mapping[str, Any]) -> Any:
        """A unit vector."""
        if isinstance(value, str):
            if value not in AXES:
                raise refusal(f"is {shown(value)}, {_WANTED}")
            return AXES[value]
        parts = entries(value)
        if parts is None or len(parts) != 3:
            raise refusal(f"is {shown(value)}, {_WANTED}")
        plain = Quantity("")
        vector = [plain.read_one(part, "", f"[{i}]") for i, part in enumerate(parts)]
        largest = max(map(abs, vector))
        if largest == 0:
            raise refusal("is [0, 0, 0], must point somewhere")
        # What has length one already stays as it is, so that an axis comes back from a file to the bit.
        if abs(each(math.hypot, *vector) - 1) > 1e-15:
            vector = [part / largest for part in vector]
            size = each(math.hypot, *vector)
            vector = [part / size for part in vector]
        # no −0.0, which a word for the axis would not bring back
        return tuple(part + 0.0 for part in vector)

    def write(self, value: Any, owner: Any) -> Any:
        """The word for an axis, or three numbers."""
        return next((word for word, axis in AXES.items() if axis == value), list(value))

    def schema(self) -> dict[str, Any]:
        """A word or three numbers."""
        numbers = {"type": "array", "items": {"type": "number"}, "minItems": 3, "maxItems": 3}
        return {"anyOf": [{"enum": ["x", "y", "z", "-x", "-y", "-z"]}, numbers]}


class OneOf(Reader):
    """One of a few words."""

    def __init__(self, *options: str, optional: bool = False) -> None:
        self.options = options
        self.optional = optional

    def read(self, value: Any, siblings: Mapping[str, Any]) -> Any:
        """The word."""
        if value is None and self.optional:
            return None
        if not isinstance(value, str) or value not in self.options:
            raise refusal(f"is {shown(value)}, must be {either(self.options)}{meant(value, self.options)}")
        return str(value)

    def write(self, value: Any, owner: Any) -> Any:
        """The word."""
        return value

    def schema(self) -> dict[str, Any]:
        """An enumeration."""
        return {"enum": list(self.options)}


class Name(Reader):
    """A name the user gives: some printable text."""

    def __init__(self, *, optional: bool = False, longest: int = 200) -> None:
        self.optional, self.longest = optional, longest
        self.rule = f"must be 1 to {longest} printable characters with no space at either end"

    def sound(self, text: str) -> bool:
        """True if the text can be a name."""
        return 0 < len(text) <= self.longest and text.isprintable() and text == text.strip()

    def read(self, value: Any, siblings: Mapping[str, Any]) -> Any:
        """The name."""
        if value is None and self.optional:
            return None
        if not isinstance(value, str):
            raise refusal(f"is {shown(value)}, must be text")
        if not self.sound(value):
            raise refusal(f"is {shown(value)}, {self.rule}")
        return str(value)

    def write(self, value: Any, owner: Any) -> Any:
        """The name."""
        return value

    def schema(self) -> dict[str, Any]:
        """Text."""
        return {"type": "string", "minLength": 1, "maxLength": self.longest}


class Count(Reader):
    """A whole number."""

    def __init__(self, least: int, most: int) -> None:
        self.least, self.most = least, most

    def read(self, value: Any, siblings: Mapping[str, Any]) -> Any:
        """The whole number."""
        if not is_number(value) or not self.least <= value <= self.most or value != int(value):
            raise refusal(f"is {shown(value)}, must be a whole number from {self.least} to {self.most}")
        return int(value)

    def write(self, value: Any, owner: Any) -> Any:
        """The number."""
        return value

    def schema(self) -> dict[str, Any]:
        """A whole number within its limits."""
        return {"type": "integer", "minimum": self.least, "maximum": self.most}


class Switch(Reader):
    """True or false."""

    def read(self, value: Any, siblings: Mapping[str, Any]) -> Any:
        """The truth."""
        if not isinstance(value, bool):
            raise refusal(f"is {shown(value)}, must be true or false")
        return value

    def write(self, value: Any, owner: Any) -> Any:
        """The truth."""
        return value

    def schema(self) -> dict[str, Any]:
        """A boolean."""
        return {"type": "boolean"}
