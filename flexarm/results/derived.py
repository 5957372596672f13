"""A mapping whose values are derived when they are first asked for: nobody pays for what is not looked at."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, final

Value = TypeVar("Value")


@final
@dataclass(frozen=True)
class Group(Generic[Value]):
    """Values that are derived together, under these names; those that are not `certain` may turn out not to exist."""

    names: tuple[str, ...]
    derive: Callable[[], Mapping[str, Value]]
    certain: bool = True


@final
class Derived(Mapping[str, Value]):
    """A read-only mapping of groups in the order given. Looking up a name derives its group, once."""

    __slots__ = ("_groups", "_known", "_pending")

    def __init__(self, groups: Iterable[Group[Value]]) -> None:
        self._groups = tuple(groups)
        self._pending = {name: group for group in self._groups for name in group.names}
        self._known: dict[str, Value] = {}

    def _derived(self, group: Group[Value]) -> None:
        found = group.derive()
        # values before names: another thread sees either both or neither
        self._known.update({name: found[name] for name in group.names if name in found})
        for name in group.names:
            self._pending.pop(name, None)

    def __getitem__(self, name: str) -> Value:
        group = self._pending.get(name)
        if group is not None:
            self._derived(group)
        return self._known[name]

    def __contains__(self, name: object) -> bool:
        group = self._pending.get(name) if isinstance(name, str) else None
        if group is not None and not group.certain:
            self._derived(group)
        return name in self._known or name in self._pending

    def __iter__(self) -> Iterator[str]:
        for group in self._groups:
            yield from (name for name in group.names if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        return repr(dict(self))

    def __reduce__(self) -> tuple[Any, ...]:
        # another process has no use for the means of deriving them
        return dict, (dict(self),)
