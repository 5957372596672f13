"""Which link or gear of a robot costs most at its tip."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, final

from flexarm.results.engineering import aligned, column, digits, percent, quantity
from flexarm.results.jsonable import jsonable
from flexarm.results.records import frozen_mapping
from flexarm.results.reported import Result, made_from

if TYPE_CHECKING:
    from flexarm.model import Arm


@final
@dataclass(frozen=True)
class Cost:
    """One link or gear that gives way alone: the sag (m) it costs at the tip, and the first frequency (Hz) it leaves.

    `source` is what its stiffness was found from: "shapes", "inertia", "effort limit", …, or "given" in the table.
    """

    kind: str
    name: str
    stiffness: str
    source: str
    sag: float
    frequency: float


@final
@dataclass(frozen=True, eq=False)
class Audit(Result):
    """Costs at the tip, the greatest sag (m) first; `sag` and `frequency` (Hz) are those of all together."""

    arm_name: str
    tip: str
    costs: tuple[Cost, ...]
    sag: float
    frequency: float
    posture: Mapping[str, float]
    units: Mapping[str, str]
    payload: float = 0.0
    assumed: str = ""
    tables: Mapping[str, Any] = field(default_factory=dict, repr=False)
    remarks: tuple[str, ...] = ()
    arm: "Arm | None" = field(default=None, repr=False)

    def __post_init__(self) -> None:
        for name in ("posture", "units", "tables"):
            object.__setattr__(self, name, frozen_mapping(getattr(self, name)))

    @property
    def whole(self) -> float:
        """The sum of the sags of all that give way alone, m."""
        return sum(cost.sag for cost in self.costs)

    def rows(self) -> list[list[str]]:
        """A row of texts for each cost."""
        sags = column([cost.sag for cost in self.costs], "m")
        frequencies = column([cost.frequency for cost in self.costs], "Hz")
        whole = self.whole or 1.0
        return [
            [cost.name, cost.kind, sag, percent(cost.sag / whole, 2), frequency, cost.stiffness, cost.source]
            for cost, sag, frequency in zip(self.costs, sags, frequencies, strict=True)
        ]

    def summary(self) -> str:
        """The costs in plain text."""
        heads = ["gives way", "", "sag of the tip", "part", "first frequency", "stiffness", "from"]
        words = [f"{name} {_shown(value, self.units[name])}" for name, value in self.posture.items()]
        carried = f" with {quantity(self.payload, 'kg')} there" if self.payload else ""
        lines = [
            f"{self.arm_name}: what would cost most at {self.tip}{carried}",
            f"  posture: {', '.join(words)}",
            "",
            aligned([heads, *self.rows()], right=(2, 3, 4)),
            "",
            f"  all together: the tip sags by {quantity(self.sag, 'm')}, the first frequency is "
            f"{quantity(self.frequency, 'Hz')}",
            f"  assumed: {self.assumed}",
        ]
        return "\n".join([*lines, *(f"  beware: {remark}" for remark in self.remarks)])

    def to_dict(self) -> dict[str, Any]:
        """The costs in JSON's types, SI units."""
        return jsonable(
            {
                "arm": self.arm_name,
                "audited_tip": self.tip,
                "payload_kg": self.payload,
                "posture": dict(self.posture),
                "costs": [
                    {
                        "kind": cost.kind,
                        "name": cost.name,
                        "stiffness": cost.stiffness,
                        "source": cost.source,
                        "sag_m": cost.sag,
                        "frequency_hz": cost.frequency,
                    }
                    for cost in self.costs
                ],
                "sag_m": self.sag,
                "frequency_hz": self.frequency,
                "assumed": self.assumed,
                "remarks": list(self.remarks),
            }
        )

    def drawn(self) -> dict[str, Any]:
        """What a page shows of it."""
        return self.to_dict() | made_from(self.arm)


def _shown(value: float, unit: str) -> str:
    return f"{digits(value * 57.29577951308232, 4)}°" if unit == "rad" else quantity(value, unit)
