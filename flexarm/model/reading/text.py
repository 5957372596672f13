"""The text of a model file from an arm: parts become tables, quantities become texts in SI units."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from flexarm.model.parts.part import Part
from flexarm.model.reading.quantity import Reader

WIDTH = 100
_BARE = re.compile(r"[A-Za-z0-9_-]+")


def part_to_dict(part: Part, among: Part | None = None) -> dict[str, Any]:
    """The part as plain values with the keys of a model file; what has its default is left out.

    `among` is the part whose fields decide the units, where that is not the part itself.
    """
    table: dict[str, Any] = {}
    fields = type(part).model_fields
    for name in sorted(fields, key=lambda name: name not in part.always_written):
        field = fields[name]
        value = getattr(part, name)
        if value is None:
            continue
        optional = name not in part.always_written and not field.is_required()
        if optional and value == field.get_default(call_default_factory=True):
            continue
        reader = next((entry for entry in field.metadata if isinstance(entry, Reader)), None)
        table[field.alias or name] = _plain(value) if reader is None else reader.write(value, among or part)
    return table


def _plain(value: Any) -> Any:
    if isinstance(value, Part):
        return part_to_dict(value)
    if isinstance(value, Mapping):
        return {key: _plain(entry) for key, entry in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(entry) for entry in value]
    return value


def toml_text(table: Mapping[str, Any]) -> str:
    """The table as TOML: values first, then [[lists of tables]], then [tables] and [tables of.tables]."""
    plain = {key: value for key, value in table.items() if not _is_table(value) and not _is_list_of_tables(value)}
    blocks = [_lines(plain)]
    for key, value in table.items():
        if _is_list_of_tables(value):
            blocks += [[f"[[{_key(key)}]]", *_lines(entry)] for entry in value]
        elif _is_table(value):
            inner = {name: entry for name, entry in value.items() if _is_table(entry)}
            rest = {name: entry for name, entry in value.items() if not _is_table(entry)}
            if rest or not inner:
                blocks.append([f"[{_key(key)}]", *_lines(rest)])
            blocks += [[f"[{_key(key)}.{_key(name)}]", *_lines(entry)] for name, entry in inner.items()]
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def inline_table(table: Mapping[str, Any]) -> str:
    """The table on one line, as it may stand behind a key."""
    return _value(table)


def _is_table(value: Any) -> bool:
    return isinstance(value, Mapping)


def _is_list_of_tables(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str) and bool(value) and all(map(_is_table, value))


def _lines(table: Mapping[str, Any]) -> list[str]:
    return [f"{_key(key)} = {_value(value)}" for key, value in table.items()]


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _string(key)


def _string(text: str) -> str:
    # JSON escapes are TOML escapes; names hold printable characters only, so nothing else needs one.
    return json.dumps(text, ensure_ascii=False)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(_lines(value)) + " }" if value else "{}"
    if isinstance(value, Sequence):
        return _list(value)
    return repr(value)


def _list(values: Sequence[Any]) -> str:
    entries = [_value(value) for value in values]
    line = "[" + ", ".join(entries) + "]"
    if len(line) <= WIDTH or any(isinstance(value, list) for value in values):
        return line
    lines: list[str] = [""]
    for entry in entries:
        if lines[-1] and len(lines[-1]) + len(entry) > WIDTH - 4:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + entry + ","
    return "[\n" + "\n".join("  " + text for text in lines) + "\n]"
