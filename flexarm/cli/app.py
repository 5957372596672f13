"""The verbs of the command line, put together.

Every verb of `flexarm.verbs` has a file in `flexarm.cli.verbs` with one function, `command`: its docstring is the help,
its return value the exit code.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Annotated

import typer

from flexarm.cli.output import DEBUG, with_exit_code
from flexarm.verbs import VERBS


def application(*wanted: str) -> typer.Typer:
    """The command line with the verbs of these names, or with all."""
    # Rich markup stays off: it would triple the time `flexarm --help` takes.
    app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)
    for verb in VERBS:
        if not wanted or verb.name in wanted:
            app.command(verb.name)(with_exit_code(import_module(verb.command).command))
    app.callback(invoke_without_command=True)(flexarm)
    return app


def asked_for(arguments: Sequence[str]) -> tuple[str, ...]:
    """The verb that the arguments begin with, so that the others need not be loaded; none where that is not clear."""
    words = [word for word in arguments if word != "--debug"]
    return tuple(words[:1]) if words and any(verb.name == words[0] for verb in VERBS) else ()


def _print_version(wanted: bool) -> None:
    if wanted:
        from flexarm import __version__

        print(f"flexarm {__version__}")
        raise typer.Exit


def flexarm(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show Python's traceback of an internal error.")] = False,
) -> None:
    """Dynamics of light robot arms with flexible links: how they bend, shake, err and stop.

    An arm is described in a TOML file; every verb below answers a question about it. Start with
    `flexarm new arm.toml`, then `flexarm simulate arm.toml`.
    """
    DEBUG.set(debug)
    if context.invoked_subcommand is None:
        print(context.get_help())
