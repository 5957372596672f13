"""The base of everything a model is made of: frozen, checked once, with mistakes raised as ModelError."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, ValidationError, model_validator
from pydantic_core import CoreSchema, core_schema

from flexarm.errors import ModelError, Problem
from flexarm.model.reading.hints import Hints
from flexarm.model.reading.messages import Mistake, either, gathered, meant, problems_in, shown

if TYPE_CHECKING:
    from pydantic._internal._model_construction import ModelMetaclass
else:
    ModelMetaclass = type(BaseModel)

Value = TypeVar("Value")
Made = TypeVar("Made")


class Catalogue(Mapping[str, Value]):
    """A frozen, ordered mapping from names to parts; it can be hashed, compared and pickled."""

    __slots__ = ("_entries",)

    def __init__(self, entries: Mapping[str, Value] | Iterable[tuple[str, Value]] = ()) -> None:
        self._entries: dict[str, Value] = dict(entries)

    def __getitem__(self, name: str) -> Value:
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __hash__(self) -> int:
        return hash(frozenset(self._entries.items()))

    def __repr__(self) -> str:
        return repr(self._entries)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        entries = core_schema.dict_schema(
            core_schema.str_schema(strict=True), handler.generate_schema(get_args(source)[0])
        )
        plain = core_schema.no_info_before_validator_function(_plain_dict, entries)
        return core_schema.no_info_after_validator_function(cls, plain)


def _plain_dict(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else value


class _CheckedCall(ModelMetaclass):
    # Calling a class is the only way in that raises ModelError. Parts nested in a call go through pydantic's own
    # validator instead, so that the mistakes of all of them are gathered before anything is raised.
    def __call__(cls: type[Made], *args: Any, **fields: Any) -> Made:  # type: ignore[misc]
        if "family" in cls.__dict__:
            made: Made = _member(cls, fields)(*args, **fields)
            return made
        try:
            return type.__call__(cls, *args, **fields)
        except ValidationError as error:
            raise ModelError(problems_in(error, Hints(cls)), source=cls.__name__) from None


class Part(BaseModel, metaclass=_CheckedCall):
    """A frozen piece of a model; its fields are its keys in the model file."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        loc_by_alias=True,
        protected_namespaces=(),
        defer_build=True,
    )

    # Keys written to a model file even if they have their default.
    always_written: ClassVar[tuple[str, ...]] = ("kind", "shape")
    # Set by a class that stands for its subclasses: the key whose value names the one meant.
    family: ClassVar[str]

    if TYPE_CHECKING:
        # Fields accept unit strings and plain tables besides their own type; a type checker should let them pass.
        def __init__(self, **fields: Any) -> None: ...

    @classmethod
    def prepared(cls, raw: dict[str, Any]) -> dict[str, Any]:
        """The raw fields with short forms written out; must cope with any rubbish."""
        return raw

    @classmethod
    def mistakes_in(cls, raw: Mapping[str, Any]) -> Iterable[Mistake]:
        """Mistakes seen in the raw fields alone (which keys stand together); must cope with any rubbish."""
        return ()

    def mistakes(self) -> Iterable[Mistake]:
        """Mistakes in how sound values fit together."""
        return ()

    def settle(self) -> None:
        """Last touch to a sound part before anyone sees it."""

    @model_validator(mode="wrap")
    @classmethod
    def _check(cls, raw: Any, handler: Any) -> Self:
        if not isinstance(raw, Mapping):
            return handler(raw)
        fields = cls.prepared(cls._by_key(raw))
        found = list(cls.mistakes_in(fields))
        try:
            part: Self = handler(fields)
        except ValidationError as error:
            if not found:
                raise
            raise gathered(cls.__name__, error, found) from None
        if not found:
            found = list(part.mistakes())
        if found:
            raise gathered(cls.__name__, None, found)
        part.settle()
        return part

    @classmethod
    def _by_key(cls, raw: Mapping[str, Any]) -> dict[str, Any]:
        # Python has links=..., a model file [[link]]; from here on, and in every message, it is the file's key.
        fields = dict(raw)
        for name, field in cls.model_fields.items():
            if field.alias is not None and name in fields and field.alias not in fields:
                fields[field.alias] = fields.pop(name)
        return fields

    def _become(self, *, without: tuple[str, ...] = (), **fields: Any) -> None:
        # Only for `settle`: the part is still in the making, so writing past the freeze is safe.
        for name, value in fields.items():
            object.__setattr__(self, name, value)
        for name in without:
            object.__setattr__(self, name, None)
        self.__pydantic_fields_set__.difference_update(without)
        self.__pydantic_fields_set__.update(fields)

    def changed(self, **fields: Any) -> Self:
        """A checked copy with the given fields replaced, named as in Python or as in a model file."""
        replaced = self._by_key(fields)
        kept = {
            name: getattr(self, name)
            for name in self.model_fields_set
            if (type(self).model_fields[name].alias or name) not in replaced
        }
        return type(self)(**kept, **fields)


def _member(base: Any, fields: Mapping[str, Any]) -> Any:
    members = {str(member.model_fields[base.family].default): member for member in base.__subclasses__()}
    found = fields.get(base.family)
    if isinstance(found, str) and found in members:
        return members[found]
    reason = f"{base.family} is {shown(found)}, must be {either(members)}{meant(found, members)}"
    raise ModelError([Problem("", reason)], source=base.__name__)
