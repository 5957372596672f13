"""Numbers that remember how they were computed; zeros and ones are folded away, and equal numbers are one.

A formula written for arrays of floats is given arrays of such numbers; `statements` then writes it out for the
compiler, one number to a statement, each with the equation it is from.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flexarm.core.formulas.equations import current

_made: dict[tuple[Any, ...], Num] = {}


class Num:
    """A number to be computed: what is done with which others. Equal ones are one object."""

    __slots__ = ("args", "op", "order", "source")
    op: str
    args: tuple[Any, ...]
    order: int
    source: str

    def __new__(cls, op: str, *args: Any) -> Num:
        """The number of that operation, made once."""
        found = _made.get((op, args))
        if found is None:
            found = object.__new__(cls)
            found.op, found.args, found.order, found.source = op, args, len(_made), current()
            _made[op, args] = found
        return found

    def __add__(self, other: Any) -> Any:
        return NotImplemented if isinstance(other, np.ndarray) else _plus(self, other)

    def __radd__(self, other: Any) -> Any:
        return NotImplemented if isinstance(other, np.ndarray) else _plus(other, self)

    def __sub__(self, other: Any) -> Any:
        return NotImplemented if isinstance(other, np.ndarray) else _minus(self, other)

    def __rsub__(self, other: Any) -> Any:
        return NotImplemented if isinstance(other, np.ndarray) else _minus(other, self)

    def __mul__(self, other: Any) -> Any:
        return NotImplemented if isinstance(other, np.ndarray) else _times(self, other)

    def __rmul__(self, other: Any) -> Any:
        return NotImplemented if isinstance(other, np.ndarray) else _times(other, self)

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return NotImplemented
        return _times(self, Num("inverse", other) if isinstance(other, Num) else 1.0 / other)

    def __rtruediv__(self, other: Any) -> Any:
        return NotImplemented if isinstance(other, np.ndarray) else _times(other, Num("inverse", self))

    def __neg__(self) -> Num:
        return self.args[0] if self.op == "negative" else Num("negative", self)


def forget() -> None:
    """Begin anew: numbers made before are not met again."""
    _made.clear()


def _plus(a: Any, b: Any) -> Any:
    if not isinstance(a, Num):
        a, b = b, a
    if not isinstance(b, Num):
        return a + b if not isinstance(a, Num) else a if b == 0 else Num("+", a, float(b))
    if b.op == "negative":
        return _minus(a, b.args[0])
    if a.op == "negative":
        return _minus(b, a.args[0])
    return Num("+", a, b)


def _minus(a: Any, b: Any) -> Any:
    if not isinstance(b, Num):
        return a - b if not isinstance(a, Num) else a if b == 0 else Num("-", a, float(b))
    if not isinstance(a, Num):
        return -b if a == 0 else Num("-", float(a), b)
    if a is b:
        return 0.0
    if b.op == "negative":
        return _plus(a, b.args[0])
    return Num("-", a, b)


def _times(a: Any, b: Any) -> Any:
    if not isinstance(b, Num):
        a, b = b, a
    if not isinstance(a, Num):
        if not isinstance(b, Num):
            return a * b
        return 0.0 if a == 0 else b if a == 1 else -b if a == -1 else Num("*", float(a), b)
    if a.op == "negative" or b.op == "negative":
        bare = [x.args[0] if x.op == "negative" else x for x in (a, b)]
        return _times(*bare) if a.op == b.op else -_times(*bare)
    return Num("*", a, b) if a.order <= b.order else Num("*", b, a)


def given(text: str) -> Num:
    """A number that is there already: a local name, or a place in an array."""
    return Num("given", text)


def called(function: str, count: int, *args: Any) -> list[Num]:
    """The numbers that a kernel returns."""
    whole = Num("call", function, count, *args)
    return [Num("part", whole, k) for k in range(count)]


# How strongly the parts of an expression hold together: sums, products, everything else.
_SUM, _PRODUCT, _WHOLE = 0, 1, 2
_Texts = dict[Num, tuple[str, int]]


def _text(x: Any, names: _Texts, holds: int) -> str:
    """The text of a number, in brackets if it holds less than what is around it."""
    if not isinstance(x, Num):
        return repr(float(x))
    text, strength = names[x]
    return text if strength >= holds else f"({text})"


def _expression(x: Num, names: _Texts) -> tuple[str, int]:
    """The text of an operation, and how it holds; products and sums are done from the left, as they stand."""
    if x.op in "+-":
        return f"{_text(x.args[0], names, _SUM)} {x.op} {_text(x.args[1], names, _PRODUCT)}", _SUM
    if x.op == "*":
        return f"{_text(x.args[0], names, _PRODUCT)} * {_text(x.args[1], names, _WHOLE)}", _PRODUCT
    text = _text(x.args[0], names, _WHOLE)
    return (f"-{text}", _SUM) if x.op == "negative" else (f"1.0 / {text}", _PRODUCT)


def _in_order(wanted: list[Any]) -> tuple[list[Num], dict[Num, int]]:
    """What has to be computed, arguments first, and how often each is used."""
    order: list[Num] = []
    uses: dict[Num, int] = {}

    def visit(x: Any) -> None:
        if not isinstance(x, Num):
            return
        uses[x] = uses.get(x, 0) + 1
        if uses[x] == 1:
            for a in x.args:
                visit(a)
            order.append(x)

    for x in wanted:
        visit(x)
    return order, uses


LONGEST = 88  # characters of an expression that is written into the next one


def statements(stores: dict[str, Any], notes: dict[str, str], returned: list[Any]) -> tuple[list[str], list[str]]:
    """Lines that compute numbers and store them (text of a place → number), and the texts of what is returned."""
    order, uses = _in_order([*stores.values(), *returned])
    names: _Texts = {}
    lines: list[str] = []
    count = 0
    for x in order:
        if x.op == "part":
            continue
        note = f"  # {x.source}" if x.source else ""
        if x.op == "call":
            function, parts, *args = x.args
            made = [Num("part", x, k) for k in range(parts)]
            for part in made:
                names[part] = (f"t{count}" if part in uses else "_", _WHOLE)
                count += part in uses
            call = f"{function}({', '.join(_text(a, names, _SUM) for a in args)})"
            lines.append(f"{', '.join(names[part][0] for part in made)} = {call}{note}")
            continue
        text, strength = (x.args[0], _WHOLE) if x.op == "given" else _expression(x, names)
        inside = x.op in ("given", "*", "negative") or (x.op in "+-" and len(text) < LONGEST)
        if (uses[x] == 1 and inside) or (x.op == "given" and text.isidentifier()):
            names[x] = text, strength
            continue
        names[x] = f"t{count}", _WHOLE
        count += 1
        lines.append(f"{names[x][0]} = {text}{note}")
    for place, x in stores.items():
        source = f" {x.source}" if isinstance(x, Num) and x.source else ""
        lines.append(f"{place} = {_text(x, names, _SUM)}  # {notes[place]}{source}")
    said = [f"  # {x.source}" if isinstance(x, Num) and x.source else "" for x in returned]
    return lines, [_text(x, names, _SUM) + note for x, note in zip(returned, said, strict=True)]
