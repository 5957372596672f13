"""Doors from Python into kernels for lanes: arrays whose last axis is the lanes go in, the kernel sees lanes."""

from __future__ import annotations

from functools import cache
from typing import Any

from ._jit import inner, jit
from .dynamics import kernel_of
from .lane_numbers import in_lanes
from .laned import laned
from .laws import command
from .types import Commands, Floats, Laws, Loads, PlanarFlexTree, PlanarTree, SpatialTree, Tree

# How an argument is handed on: as it is, as lanes, or a tuple with the numbers in it as lanes.
_HANDED = {
    "plain": "{0}",
    "lanes": "in_lanes({0})",
    "tree": "lane_tree({0})",
    "loads": "Loads({0}.place, in_lanes({0}.wrench))",
    "laws": "Laws({0}.first, in_lanes({0}.piece))",
    "commands": (
        "Commands({0}.motion_coordinate, {0}.motion_law, {0}.torque_coordinate, {0}.torque_law, "
        "{0}.servo_coordinate, {0}.servo_law, in_lanes({0}.servo_gain), {0}.servo_more, {0}.switches)"
    ),
}


def whole_fields(tree: Tree) -> tuple[str, ...]:
    """The fields of a tree that are no numbers, and the same for all lanes."""
    return tuple(name for name, array in zip(tree._fields, tree, strict=True) if array.dtype.kind != "f")


@cache
def lanes_of(kind: type, whole: tuple[str, ...]) -> Any:
    """A kernel that gives a tree of this class with its numbers as lanes; the fields named in `whole` stay as they
    are.
    """
    fields = ", ".join(
        f"tree.{name}" if name in whole else f"in_lanes(tree.{name})"
        for name in kind._fields  # type: ignore[attr-defined]
    )
    place: dict[str, Any] = {"kind": kind, "in_lanes": in_lanes}
    exec(f"def lanes_of_{kind.__name__}(tree):\n    return kind({fields})", place)
    return inner(place[f"lanes_of_{kind.__name__}"])


@cache
def door(kernel: Any, name: str, handed: tuple[str, ...], kind: type | None = None, whole: tuple[str, ...] = ()) -> Any:
    """A kernel for lanes that Python may call, its arguments handed on as the words say."""
    names = [f"x{k}" for k in range(len(handed))]
    given = ", ".join(_HANDED[word].format(x) for word, x in zip(handed, names, strict=True))
    place: dict[str, Any] = {"kernel": kernel, "in_lanes": in_lanes, "Loads": Loads, "Laws": Laws, "Commands": Commands}
    if kind is not None:
        place["lane_tree"] = lanes_of(kind, whole)
    # under the name of this file: the cache keeps a kernel with the file it is from
    exec(compile(f"def {name}({', '.join(names)}):\n    return kernel({given})", __file__, "exec"), place)
    made = place[name]
    made.__module__ = __name__
    return jit(made)


def _door_of(sweep: str, tree: Tree, handed: tuple[str, ...]) -> Any:
    kind: Any = type(tree)
    kernel: Any
    if sweep == "observe" and kind is PlanarTree:
        from .planar_observe import planar_observe

        kernel = planar_observe
    elif sweep == "observe" and kind is SpatialTree:
        from .observe import observe

        kernel = observe
    else:
        kernel = kernel_of(sweep, kind)
    return door(laned(kernel), f"lane_{sweep}_{kind.__name__}", handed, kind, whole_fields(tree))


def command_lanes(
    laws: Laws, commands: Commands, t: float, left: bool, q: Floats, v: Floats, a: Floats, tau: Floats
) -> None:
    """Fill q, v, a of the driven coordinates and τ of the pushed ones with the commands at t."""
    handed = ("laws", "commands", "plain", "plain", *(("lanes",) * 4))
    door(laned(command), "lane_command", handed)(laws, commands, t, left, q, v, a, tau)


def observe_lanes(
    tree: Tree,
    loads: Loads,
    laws: Laws,
    times: Floats,
    states: tuple[Floats, Floats, Floats],
    points: tuple[Any, ...],
    seen: tuple[Floats, ...],
    scratch: tuple[Floats, ...],
    full: bool,
) -> None:
    """Fill what is seen of eight runs at the given times; points: bodies, frames on flexible trees, places."""
    if isinstance(tree, PlanarTree | PlanarFlexTree):
        scratch = scratch[-1:]
    where = ("plain",) * (len(points) - 1) + ("lanes",)
    handed = ("tree", "loads", "laws", "plain", *(("lanes",) * 3), *where, *(("lanes",) * (6 + len(scratch))), "plain")
    _door_of("observe", tree, handed)(tree, loads, laws, times, *states, *points, *seen, *scratch, full)
