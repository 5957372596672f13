"""A tree as the time loop sees it: its springs, its record, and the addresses of its sweeps."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from numba.core import types
from numba.core.types import containers

from .._jit import inner, jit
from ..numbers.addresses import address_of, caller, layout_of, read_as, record_of
from ..numbers.laned import laned
from ..numbers.lanes import in_lanes, lane
from ..sweeps.dynamics import kernel_of, solver_of
from ..tree.types import ClosedTree, Floats, Ints, Laws, LinearTree, Loads, PlanarTree, SpatialTree, Tree


class Mechanism(NamedTuple):
    """What a time loop is given in place of a tree; the record is valid as long as the tree's arrays are."""

    spring: Floats  # the tree's own
    record: Ints
    # addresses, under names of their own: kernels for lanes are found by the names a kernel uses
    solve_at: int
    energy_at: int
    load_power_at: int
    elastic_form_at: int
    project_at: int  # of trees with closures


def _number(args: Any) -> Any:
    """The type of the numbers in the first vector handed on: a number, or lanes."""
    return next(ty.dtype for ty in args if isinstance(ty, types.Array) and ty.ndim == 1 and ty.dtype != types.int64)


_call_solve = caller("solve", lambda args: types.int64)
_call_energy = caller("energy", lambda args: containers.UniTuple(_number(args), 3))
_call_load_power = caller("load_power", _number)
_call_elastic_form = caller("elastic_form", _number)
_call_project = caller("project", lambda args: types.int64)


@inner
def solve(tree, loads, laws, t, left, q, v, a, tau, q_spring, v_damper, gh, bh2, drive, work):  # type: ignore[no-untyped-def]
    """Hybrid dynamics, plain or inside an implicit step; see `sweeps.solve`."""
    given = (tree.record, loads, laws, t, left, q, v, a, tau, q_spring, v_damper, gh, bh2, drive, work)
    return _call_solve(tree.solve_at, given)


@inner
def energies(tree, q, v, work):  # type: ignore[no-untyped-def]
    """Kinetic, elastic and gravity energy (J); see `sweeps.energy`."""
    return _call_energy(tree.energy_at, (tree.record, q, v, work))


@inner
def load_power(tree, loads, laws, t, left, q, v, work):  # type: ignore[no-untyped-def]
    """Power of the external loads (W); see `sweeps.loads`."""
    if loads.place.shape[0] == 0:
        return 0.0 * t
    return _call_load_power(tree.load_power_at, (tree.record, loads, laws, t, left, q, v, work))


@inner
def elastic_form(tree, q, x, rate, stiff):  # type: ignore[no-untyped-def]
    """xᵀ (rate·D + stiff·K) x over the flexible bodies at the coordinates q; see `sweeps.forms`."""
    if tree.elastic_form_at == 0:
        return 0.0 * rate
    return _call_elastic_form(tree.elastic_form_at, (tree.record, q, x, rate, stiff))


@inner
def project(tree, q, v, work):  # type: ignore[no-untyped-def]
    """Status after the coordinates and rates are brought back to where closures are closed; see `sweeps.closed`."""
    return _call_project(tree.project_at, (tree.record, q, v, work))


_SWEEPS = {
    "solve": solve,
    "energy": energies,
    "load_power": load_power,
    "elastic_form": elastic_form,
    "project": project,
}
# What the sweeps take besides vectors of coordinates.
_NUMBERS, _MATRICES = ("t", "gh", "bh2", "rate", "stiff"), ("work",)


# What the numbers of a tree are: one each, those of eight arms, or one with its derivatives.
ONE, LANED, DERIVED = "", "_lanes", "_derived"


def _types(names: tuple[str, ...], numbers: str) -> tuple[Any, ...]:
    """The types of what a sweep is given behind the tree."""
    number: Any = types.float64
    entry: Any = types.float64
    if numbers == LANED:
        number = entry = lane
    if numbers == DERIVED:
        # times and steps have no derivatives
        from ..numbers.derivatives import derived_number

        entry = derived_number
    floats = [types.Array(entry, ndim, "C", aligned=numbers == ONE) for ndim in (1, 2)]
    ints = [types.Array(types.int64, ndim, "C") for ndim in (1, 2)]
    known = dict.fromkeys(_NUMBERS, number) | dict.fromkeys(_MATRICES, floats[1]) | {"left": types.boolean}
    known["loads"] = containers.NamedTuple([ints[1], floats[1]], Loads)
    known["laws"] = containers.NamedTuple([ints[0], floats[1]], Laws)
    return (types.Array(types.int64, 1, "C"), *(known.get(name, floats[0]) for name in names))


def _name_of(tree: Any) -> str:
    """The name of a kind of tree: the cache on disk tells kernels by their names."""
    kind = type(tree).__name__
    return f"{kind}_{type(tree.bare).__name__}" if isinstance(tree, LinearTree | ClosedTree) else kind


class _Entries:
    """The sweeps of a kind of tree by their addresses, each compiled when it is first asked for."""

    def __init__(self, tree: Tree | LinearTree | ClosedTree, numbers: str) -> None:
        self.kind: Any = type(tree)
        self.name, self.layout = _name_of(tree), layout_of(tree)
        self.numbers = numbers
        self._kernels: dict[str, Any] = {}
        self._addresses: dict[str, int] = {}

    def kernel(self, name: str) -> Any:
        """The sweep over the tree in a record."""
        if name not in self._kernels:
            names = _names(name)
            given = ", ".join(names)
            called = f"{name}_{self.name}{self.numbers}"
            sweep = solver_of(self.kind) if name == "solve" else kernel_of(name, self.kind)
            place: dict[str, Any] = {"sweep": sweep, "read": read_as(self.layout, called)}
            tree = "read(record)"
            if self.numbers == LANED:
                place |= {"sweep": laned(sweep), "seen": in_lanes}
            if self.numbers == DERIVED:
                from ..numbers.derivatives import in_derivatives
                from ..numbers.derived import derived

                place |= {"sweep": derived(sweep), "seen": in_derivatives}
            if self.numbers:
                tree = "seen(read(record))"
            # under the name of this file: the cache keeps a kernel with the file it is from
            text = f"def {called}(record, {given}):\n    return sweep({tree}, {given})"
            exec(compile(text, __file__, "exec"), place)
            place[called].__module__ = __name__
            self._kernels[name] = jit(place[called])
        return self._kernels[name]

    def address(self, name: str) -> int:
        """Where its machine code lies."""
        if name not in self._addresses:
            self._addresses[name] = address_of(self.kernel(name), _types(_names(name), self.numbers))
        return self._addresses[name]


@cache
def _names(name: str) -> tuple[str, ...]:
    code = _SWEEPS[name].py_func.__code__  # type: ignore[attr-defined]
    return tuple(code.co_varnames[1 : code.co_argcount])


_ENTRIES: dict[tuple[str, str], _Entries] = {}


def _entries(tree: Tree | LinearTree | ClosedTree, numbers: str) -> _Entries:
    key = _name_of(tree), numbers
    if key not in _ENTRIES:
        _ENTRIES[key] = _Entries(tree, numbers)
    return _ENTRIES[key]


def numbers_of(tree: Tree | LinearTree | ClosedTree) -> str:
    """What the numbers of a tree are, one or eight: ONE or LANED."""
    return LANED if tree.spring.ndim == 3 else ONE


def _used(found: _Entries, tree: Tree | LinearTree | ClosedTree, loads: Loads, whole: bool) -> list[str]:
    """The names of the sweeps that the time loop needs."""
    used = ["solve"]
    if found.numbers == ONE and loads.place.shape[0]:
        used.append("load_power")
    if (whole or found.numbers == ONE) and not isinstance(tree, PlanarTree | SpatialTree):
        used.append("elastic_form")
    if whole:
        used.append("energy")
    if isinstance(tree, ClosedTree):
        used.append("project")
    return used


def mechanism_of(
    tree: Tree | LinearTree | ClosedTree, loads: Loads, *, whole: bool = False, numbers: str | None = None
) -> Mechanism:
    """A tree for the time loop under these loads; whole: with its energies, which the generalised-α family asks for.

    `numbers`: DERIVED where the last axis has values and derivatives; else the tree tells.
    """
    found = _entries(tree, numbers_of(tree) if numbers is None else numbers)
    used = _used(found, tree, loads, whole)
    addresses = {f"{name}_at": found.address(name) if name in used else 0 for name in _SWEEPS}
    return Mechanism(tree.spring, record_of(tree), **addresses)


def sweeps_of(tree: Tree, loads: Loads) -> dict[str, tuple[Any, tuple[Any, ...]] | None]:
    """The sweeps of a tree in the order of their addresses: kernels and the types of their arguments, None where the
    time loop needs none.
    """
    found = _entries(tree, ONE)
    used = _used(found, tree, loads, False)
    return {name: (found.kernel(name), _types(_names(name), ONE)) if name in used else None for name in _SWEEPS}


def sweep_of(name: str, tree: Tree | LinearTree | ClosedTree) -> Any:
    """The sweep over a tree as Python calls it: behind the tree's record come the arguments of the kernel."""
    return _entries(tree, numbers_of(tree)).kernel(name)
