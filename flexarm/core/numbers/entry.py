"""Kernels for lanes that Python may call: arrays whose last axis is the lanes go in, the kernel sees lanes."""

from __future__ import annotations

from functools import cache
from typing import Any

from .._jit import jit
from ..sweeps.dynamics import kernel_of
from ..tree.types import Commands, Floats, Laws, Loads, Tree
from .laned import laned
from .lanes import in_lanes


@cache
def entry(kernel: Any, name: str, plain: tuple[bool, ...]) -> Any:
    """A kernel for lanes that Python may call, all arguments handed on as lanes but those marked as plain."""
    names = [f"x{k}" for k in range(len(plain))]
    given = ", ".join(x if same else f"in_lanes({x})" for x, same in zip(names, plain, strict=True))
    place: dict[str, Any] = {"kernel": kernel, "in_lanes": in_lanes}
    # under the name of this file: the cache keeps a kernel with the file it is from
    exec(compile(f"def {name}({', '.join(names)}):\n    return kernel({given})", __file__, "exec"), place)
    made = place[name]
    made.__module__ = __name__
    return jit(made)


def command_lanes(
    laws: Laws, commands: Commands, t: float, left: bool, q: Floats, v: Floats, a: Floats, tau: Floats
) -> None:
    """Fill q, v, a of the driven coordinates and τ of the pushed ones with the commands at t."""
    from ..time.commands import command

    plain = (False, False, True, True, *((False,) * 4))
    entry(laned(command), "lane_command", plain)(laws, commands, t, left, q, v, a, tau)


def observe_lanes(
    tree: Tree,
    loads: Loads,
    laws: Laws,
    times: Floats,
    states: tuple[Floats, Floats, Floats],
    points: tuple[Any, ...],
    seen: tuple[Floats, ...],
    work: Floats,
    full: bool,
) -> None:
    """Fill what is seen of eight runs at the given times; points: bodies, frames on them, places."""
    plain = (False, False, False, True, *((False,) * 3), True, True, *((False,) * 8), True)
    kind: Any = type(tree)
    call = entry(laned(kernel_of("observe", kind)), f"lane_observe_{kind.__name__}", plain)
    call(tree, loads, laws, times, *states, *points, *seen, work, full)
