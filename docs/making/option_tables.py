"""The options of a verb as a Markdown table, read off the command line itself."""

from __future__ import annotations

import re
from typing import Any

_DEFAULT = re.compile(r"\s*Default: (?P<words>.+)$")


def option_table(verb: str) -> str:
    """A Markdown table of the verb's arguments and options."""
    rows = ["| option | meaning | default |", "|---|---|---|"]
    rows += [_row(parameter) for parameter in verb_command(verb).params]
    return "\n".join(rows)


def verb_command(verb: str) -> Any:
    """The command behind a verb, as the command line has it."""
    return all_verbs()[verb]


def all_verbs() -> dict[str, Any]:
    """Every verb of the command line by its name."""
    import typer.main

    from flexarm.cli.app import application

    group: Any = typer.main.get_command(application())
    return dict(group.commands)


def _row(parameter: Any) -> str:
    meaning, default = _told(parameter)
    return f"| {_name(parameter)} | {_escaped(meaning)} | {_escaped(default)} |"


def _name(parameter: Any) -> str:
    metavar = (parameter.metavar or "").strip()
    if parameter.param_type_name == "argument":
        return f"`{metavar or parameter.name.upper()}`"
    words = [*parameter.opts, *parameter.secondary_opts]
    shown = ", ".join(f"`{word}`" for word in words)
    return f"{shown[:-1]} {metavar}`" if metavar and not parameter.is_flag else shown


def _told(parameter: Any) -> tuple[str, str]:
    """Meaning and default, the latter taken out of the words that tell the former where it stands there."""
    meaning = " ".join((getattr(parameter, "help", None) or "").split())
    stated = _DEFAULT.search(meaning)
    if stated is not None:
        return meaning[: stated.start()], stated["words"].removesuffix(".")
    if parameter.required:
        return meaning, "must be given"
    value = parameter.default
    if parameter.is_flag if hasattr(parameter, "is_flag") else False:
        return meaning, (parameter.opts[0] if value else "") if parameter.secondary_opts else ""
    if value is None or value == () or not isinstance(value, str | int | float):
        return meaning, ""
    return meaning, f"`{value}`"


def _escaped(words: str) -> str:
    # Words of the command line are plain text: what Markdown would take for markup is not meant.
    return re.sub(r"([|*_<>\[\]])", r"\\\1", words) if "`" not in words else words
