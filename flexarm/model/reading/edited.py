"""A model file with a few numbers replaced: comments, order and units of all the others stay as they were written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flexarm.errors import FlexarmError
from flexarm.model.arm import Arm
from flexarm.model.reading.file import arm_to_dict, format_arm, parse_arm


def edited_text(text: str, before: Arm, after: Arm) -> str:
    """The text of a model file of `after`: that of `before` with what differs replaced.

    Where the text cannot be edited so that it describes `after` to the bit (it holds distributions, or keys that
    stand for several others), it is written anew.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        document = tomlkit.parse(text)
        _replace(document, arm_to_dict(before), arm_to_dict(after))
        written = tomlkit.dumps(document)
        if parse_arm(written) == after:
            return written
    except (TOMLKitError, FlexarmError, TypeError, ValueError, KeyError):
        pass
    return format_arm(after)


def _replace(node: Any, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    """Put into a table of the document what differs between two dictionaries."""
    for key in before.keys() - after.keys():
        if key in node:
            del node[key]
    for key, value in after.items():
        old: Any = before.get(key)
        if key in before and old == value:
            continue
        if isinstance(value, dict) and isinstance(old, dict) and isinstance(node.get(key), dict):
            _replace(node[key], old, value)
        elif _tables(value) and _tables(old) and _tables(node.get(key)) and len(value) == len(old) == len(node[key]):
            for each, one, two in zip(node[key], old, value, strict=True):
                _replace(each, one, two)
        else:
            node[key] = value


def _tables(value: Any) -> bool:
    """True of a list of tables."""
    return isinstance(value, list) and bool(value) and all(isinstance(each, dict) for each in value)
