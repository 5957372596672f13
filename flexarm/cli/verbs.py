"""The verbs of the command line, put together.

Every verb's file holds one function, `command`: its docstring is the help, its return value the exit code.
"""

from __future__ import annotations

from typing import Annotated

import typer

from flexarm.cli import (
    brake,
    campbell,
    check,
    compare,
    linearise,
    modes,
    montecarlo,
    reliability,
    report,
    reproduce,
    schema,
    sensitivity,
    shape,
    simulate,
    statics,
    torques,
    view,
    warmup,
    workspace,
)
from flexarm.cli.answers import DEBUG, answering

# Rich markup stays off: it would triple the time `flexarm --help` takes.
app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)

_VERBS = {
    "check": check,
    "simulate": simulate,
    "modes": modes,
    "campbell": campbell,
    "statics": statics,
    "workspace": workspace,
    "torques": torques,
    "linearise": linearise,
    "brake": brake,
    "compare": compare,
    "montecarlo": montecarlo,
    "reliability": reliability,
    "sensitivity": sensitivity,
    "shape": shape,
    "report": report,
    "view": view,
    "reproduce": reproduce,
    "schema": schema,
    "warmup": warmup,
}
for _name, _verb in _VERBS.items():
    app.command(_name)(answering(_verb.command))


def _tell_version(wanted: bool) -> None:
    if wanted:
        from flexarm import __version__

        print(f"flexarm {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def flexarm(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_tell_version, is_eager=True, help="Print the version and exit.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show Python's traceback of an internal error.")] = False,
) -> None:
    """Dynamics of light robot arms with flexible links: how they bend, shake, err and stop.

    An arm is described in a TOML file; every verb below answers one question about it. Start with
    `flexarm check FILE`, then `flexarm simulate FILE`.
    """
    DEBUG.set(debug)
    if context.invoked_subcommand is None:
        print(context.get_help())
