"""`flexarm view`: arms and runs in a browser."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated

import typer

from flexarm.cli import options as opt
from flexarm.cli.options import option
from flexarm.cli.output import say, show, show_json
from flexarm.cli.progress import kernels_announced

_LOOPBACK = "127.0.0.1"


def command(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE", help="Runs (NetCDF) and model files (TOML), four at most.", show_default=False),
    ],
    host: Annotated[str, option("--host", "ADDRESS", "Listen at another address, e.g. 0.0.0.0 for all.")] = _LOOPBACK,
    port: Annotated[
        int | None, option("--port", "NUMBER", "Listen at this port. Default: any that is free.", min=1, max=65535)
    ] = None,
    browser: Annotated[bool, typer.Option("--open", help="Open the page in this machine's browser.")] = False,
    json: opt.Json = False,
) -> None:
    """Show arms and runs live in a browser: pose them and play them.

    Prints the address of a page on this machine and serves it until Ctrl-C. An arm is posed by sliders and shows its
    sag and its modes; runs are played on one clock, side by side or one over the other.
    """
    with kernels_announced():
        from flexarm.viewer.view import view

        viewer = view(*files, host=host, port=port)
    # Ctrl-C is how it is meant to end, whenever it comes from here on
    with suppress(KeyboardInterrupt), viewer:
        if json:
            show_json({"address": viewer.address, "files": files})
        else:
            show(viewer.address)
        if host not in (_LOOPBACK, "localhost", "::1"):
            say("whoever reaches this machine can open the page")
        say("Ctrl-C ends it")
        if browser:
            import webbrowser

            webbrowser.open(viewer.address)
        viewer.wait()
