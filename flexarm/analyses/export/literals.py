"""Names, numbers and tables as C writes them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from flexarm.analyses.export.layout import Place
from flexarm.core._object import Part


def identifier(name: str) -> str:
    """A name as an identifier of C."""
    found = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_") or "arm"
    return f"arm_{found}" if found[0].isdigit() else found


def numbered(prefix: str, names: Sequence[str]) -> list[str]:
    """Names as constants of C, each once."""
    found: list[str] = []
    for name in names:
        word = f"{prefix}_{identifier(name)}".upper()
        while word in found:
            word += "_"
        found.append(word)
    return found


def _table(kind: str, name: str, entries: list[str]) -> str:
    rows = ["    " + ", ".join(entries[k : k + 8]) for k in range(0, len(entries), 8)]
    return f"static const {kind} {name}[] = {{\n" + ",\n".join(rows or ["    0"]) + "\n};"


def doubles(name: str, values: Sequence[float]) -> str:
    """A table of numbers, to the bit."""
    return _table("double", name, [_double(value) for value in values])


def _double(value: float) -> str:
    if value != value:
        return "NAN"
    if value in (float("inf"), float("-inf")):
        return "INFINITY" if value > 0 else "-INFINITY"
    return repr(value) if float(value).is_integer() and abs(value) < 1e6 else value.hex()


def integers(kind: str, name: str, values: Sequence[int]) -> str:
    """A table of whole numbers of a kind."""
    return _table(kind, name, [str(value) if abs(value) < 2**31 else f"INT64_C({value})" for value in values])


def record_tables(name: str, places: Sequence[Place]) -> str:
    """A record as it stands but for the addresses, and which word is to have which added."""
    words: list[int] = []
    where: list[str] = []
    for each in places:
        where.append(f"{{{len(words) + 4}, {each.kind}}}")
        words += each.words
    return integers("int64_t", f"{name}_words", words) + "\n" + _table("place", f"{name}_places", where)


def names_table(name: str, values: Sequence[str]) -> str:
    """A list of texts that all may read."""
    entries = [quoted(value) for value in values] or ["0"]
    rows = ["    " + ", ".join(entries[k : k + 4]) for k in range(0, len(entries), 4)]
    return f"const char *const {name}[] = {{\n" + ",\n".join(rows) + "\n};"


def quoted(text: str) -> str:
    """A text of C."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    return f'"{escaped}"'


def prototype(part: Part) -> str:
    """How C calls a kernel."""
    return f"int32_t {part.name}(void *, void **, {', '.join(part.arguments)});"
