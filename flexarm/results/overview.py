"""What an arm is made of, as `check` reports it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, final

from flexarm.results.jsonable import jsonable
from flexarm.results.records import frozen_mapping
from flexarm.results.reported import Result, made_from

if TYPE_CHECKING:
    from flexarm.model import Arm


@final
@dataclass(frozen=True, eq=False)
class Overview(Result):
    """The arm's links, joints, drives, commands and models: `facts` in JSON's types and SI units, `text` to be read."""

    arm_name: str
    facts: Mapping[str, Any]
    text: str
    arm: "Arm | None" = field(default=None, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "facts", frozen_mapping(self.facts))

    @property
    def remarks(self) -> tuple[str, ...]:
        """What may surprise."""
        return tuple(self.facts.get("remarks") or ())

    def summary(self) -> str:
        """The arm in plain text."""
        return self.text

    def to_dict(self) -> dict[str, Any]:
        """The facts in JSON's types."""
        return jsonable(dict(self.facts))

    def drawn(self) -> dict[str, Any]:
        """What a page shows of it: one sound model file, and where the numbers come from."""
        origin = made_from(self.arm)
        entry = {"model": self.arm_name, "sound": True, **self.to_dict(), "input": origin["input"]}
        return {"checked": [entry], "versions": origin["versions"]}
