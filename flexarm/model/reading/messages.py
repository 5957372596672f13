"""Error messages: every error pydantic finds becomes one sentence with its path in the model."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic import ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

from flexarm.errors import Problem
from flexarm.model.reading.distributions import Placeholder
from flexarm.model.reading.hints import TAG, Hints, Path

# Our own two kinds of error: a refusal is about the value of a key ("is -3 m, must be > 0") and the key's name goes in
# front; a mistake is a whole sentence about the part it stands in ("has both rigid and beam, ...").
REFUSAL = "refusal"
MISTAKE = "mistake"

Mistake = tuple[Path, str]


def refusal(reason: str, suffix: str = "") -> PydanticCustomError:
    """The exception a reader raises to explain why the value of a key is refused; `suffix` points inside it ("[1]")."""
    return PydanticCustomError(REFUSAL, "{reason}", {"reason": reason, "suffix": suffix})


def gathered(title: str, found: ValidationError | None, mistakes: Iterable[Mistake]) -> ValidationError:
    """One error holding everything pydantic found and our mistakes about the same part."""
    lines = [_line_again(dict(error)) for error in found.errors(include_url=False)] if found is not None else []
    for path, sentence in mistakes:
        kind = PydanticCustomError(MISTAKE, "{reason}", {"reason": sentence})
        lines.append(InitErrorDetails(type=kind, loc=path, input=None))
    return ValidationError.from_exception_data(title, lines)


def _line_again(error: dict[str, Any]) -> InitErrorDetails:
    context = error.get("ctx", {})
    kind: Any = error["type"]
    if kind in (REFUSAL, MISTAKE):
        kind = PydanticCustomError(kind, "{reason}", context)
    return InitErrorDetails(type=kind, loc=tuple(error["loc"]), input=error["input"], ctx=context)


def problems_in(error: ValidationError, known: Hints, *, root: str = "") -> tuple[Problem, ...]:
    """The problems of a pydantic error in the order of the model; `root` is the place of the outermost keys."""
    problems: dict[Problem, None] = {}
    for line in error.errors(include_url=False):
        problem = _problem(dict(line), known)
        problems[problem if problem.place else Problem(root, problem.message)] = None
    return tuple(problems)


def _problem(line: dict[str, Any], known: Hints) -> Problem:
    tagged: Path = line["loc"]
    path = tuple(step for step in tagged if not str(step).startswith(TAG))
    kind, context = line["type"], line.get("ctx", {})
    if kind == MISTAKE:
        return Problem(place_of(path), context["reason"])
    if kind in ("union_tag_invalid", "union_tag_not_found") and isinstance(line["input"], Mapping):
        return _wrong_kind(path, line["input"], known)
    if path and path[-1] == "[key]":
        return Problem(place_of(path[:-2]), f"a name is {shown(line['input'])}, must be text")
    if kind == "invalid_key":
        return Problem(place_of(path[:-1]), f"a key is {shown(path[-1])}, must be text")
    place, name = _split(path)
    if kind == REFUSAL:
        return Problem(place, f"{name}{context.get('suffix', '')} {context['reason']}")
    if kind == "missing":
        return Problem(place, f"{name} is missing, must be given")
    if kind == "extra_forbidden" and path:
        return Problem(place, f"{name} is not a key known here{_hint(str(path[-1]), known.keys(tagged[:-1]))}")
    return Problem(place, f"{name} is {shown(line['input'])}, {_must_be(kind, line)}")


_EXPECTED = {
    "model_type": "must be a table",
    "model_attributes_type": "must be a table",
    "mapping_type": "must be a table",
    "dict_type": "must be a table",
    "tuple_type": "must be a list",
    "list_type": "must be a list",
    "string_type": "must be text",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "union_tag_not_found": "must be a table",
}


def _must_be(kind: str, line: Mapping[str, Any]) -> str:
    return _EXPECTED.get(kind) or "which is refused: " + " ".join(str(line.get("msg", "")).lower().split())


def _wrong_kind(path: Path, value: Mapping[str, Any], known: Hints) -> Problem:
    key, kinds = known.kinds(path)
    found = f"is {shown(value[key])}" if key in value else "is missing"
    return Problem(place_of(path), f"{key} {found}, must be {either(kinds)}{meant(value.get(key), kinds)}")


def place_of(path: Sequence[int | str]) -> str:
    """A path written as in the model file: link[1].beam."""
    place = ""
    for step in path:
        if isinstance(step, int):
            place += f"[{step}]"
        else:
            place += ("." if place else "") + _plain(step)
    return place


def _split(path: Path) -> tuple[str, str]:
    # link[1].offset[2] stands in link[1] and is called offset[2].
    cut = len(path)
    while cut > 0:
        cut -= 1
        if isinstance(path[cut], str):
            break
    return place_of(path[:cut]), place_of(path[cut:]) or "the model"


def _plain(step: str) -> str:
    text = step if len(step) <= 40 else step[:37] + "..."
    return text if text and all(mark.isalnum() or mark in "_-" for mark in text) else quoted(text)


def quoted(text: str, longest: int = 40) -> str:
    """Text in quotes, on one line and not too long."""
    if len(text) > longest:
        text = text[: longest - 3] + "..."
    return '"' + printable(text) + '"'


def printable(text: str) -> str:
    """The text with whatever would break the line or the terminal written as its code."""
    return "".join(mark if mark.isprintable() else f"\\x{ord(mark):02x}" for mark in text)


def shown(value: Any) -> str:
    """A value as the user may recognise it, in a few words on one line."""
    if isinstance(value, Placeholder):
        return value.words()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return number(value)
    if isinstance(value, str):
        return quoted(value)
    if value is None:
        return "nothing"
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        if len(value) <= 4 and all(isinstance(entry, int | float | str) for entry in value):
            return "[" + ", ".join(shown(entry) for entry in value) + "]"
        return f"a list of {len(value)}"
    kind = type(value).__name__
    return f"{'an' if kind[0].lower() in 'aeiou' else 'a'} {kind}"


def number(value: float) -> str:
    """A number in the digits a reader needs to recognise it."""
    try:
        return f"{value:.6g}" if math.isfinite(value) else str(float(value))
    except OverflowError:
        return "a number too large to hold"


def either(options: Iterable[str]) -> str:
    """The options in quotes, joined for reading: "a", "b" or "c"."""
    words = [quoted(option) for option in options]
    return "another" if not words else words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]


def meant(found: Any, options: Iterable[str]) -> str:
    """A hint at the option the user may have meant, or nothing."""
    from difflib import get_close_matches

    close = get_close_matches(found.lower(), list(options), n=1) if isinstance(found, str) and len(found) < 60 else []
    return f" (did you mean {quoted(close[0])}?)" if close else ""


def _hint(found: str, allowed: Iterable[str]) -> str:
    """The rest of the sentence about an unknown key: the likely one, else all that are known."""
    names = list(allowed)
    if not names:
        return ""
    from difflib import get_close_matches

    close = get_close_matches(found.lower(), names, n=1) if len(found) < 60 else []
    return f", did you mean {close[0]}?" if close else f", allowed are {', '.join(names)}"
