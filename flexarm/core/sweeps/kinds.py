"""The kernels of a sweep: its text with the operations of an algebra, for trees of one kind."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any, TypeVar

from flexarm.core._jit import bound, inner, jit, operation
from flexarm.core.tree.types import (
    PlanarElementTree,
    PlanarFlexTree,
    PlanarSleeveTree,
    PlanarTree,
    SpatialElementTree,
    SpatialFlexTree,
    SpatialSleeveTree,
    SpatialTree,
)

AnyTree = Any  # a tree of some kind: which fields it has is known where a kernel is made
# What the sweeps ask before they look at elastic coordinates and at sleeves: a kernel without them never compiles that
# part. `kernel` puts the answer of its kind of tree in their place.
FLEXIBLE = True
SLEEVES = True

_RIGID = {"FLEXIBLE": False, "SLEEVES": False}
_FLEXIBLE = {"FLEXIBLE": True, "SLEEVES": False}
_SLEEVES = {"FLEXIBLE": True, "SLEEVES": True}
_KINDS: dict[str, tuple[tuple[type, ...], dict[str, bool]]] = {
    "planar": ((PlanarTree,), _RIGID),
    "spatial": ((SpatialTree,), _RIGID),
    "planar_sleeve": ((PlanarSleeveTree,), _SLEEVES),
    "spatial_sleeve": ((SpatialSleeveTree,), _SLEEVES),
    "planar_flexible": ((PlanarFlexTree, PlanarElementTree), _FLEXIBLE),
    "spatial_flexible": ((SpatialFlexTree, SpatialElementTree), _FLEXIBLE),
}

F = TypeVar("F", bound=Callable[..., Any])
_DOORS: set[Any] = set()
_STEPS: set[Any] = set()


def sweep(function: F) -> F:
    """The function, marked as one that Python calls: its kernels are kept in the cache."""
    _DOORS.add(function)
    return function


def step(function: F) -> F:
    """The function, marked as one step of a loop: it is written into the loop that calls it."""
    _STEPS.add(function)
    return function


def kernel(function: Any, tree: type) -> Any:
    """The kernel of a sweep for a class of tree."""
    name = next(name for name, (classes, _) in _KINDS.items() if issubclass(tree, classes))
    return _made(function, name)


@cache
def _names(name: str) -> dict[str, Any]:
    """What the names of operations and of the questions above mean for a kind of tree."""
    from . import plane, plane_ends, space, space_ends

    algebra, ends = (plane, plane_ends) if name.startswith("planar") else (space, space_ends)
    found = {key: value for part in (algebra, ends) for key, value in vars(part).items() if not key.startswith("__")}
    found |= _KINDS[name][1]
    if name == "planar":
        for word in ("offset", "own_of", "jointed"):
            found[word] = operation(bound(found[word], f"rigid_{word}", number=plane.rigid_number))
    return found


@cache
def _made(function: Any, name: str) -> Any:
    names, own = _names(name), function.__globals__
    used = {}
    for word in function.__code__.co_names:
        if word in names:
            used[word] = names[word]
        elif isinstance(found := own.get(word), FunctionType) and found.__module__.startswith(f"{__package__}."):
            used[word] = _made(found, name)
    make = jit if function in _DOORS else operation if function in _STEPS else inner
    return make(bound(function, f"{name}_{function.__name__}", **used))
