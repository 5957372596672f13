"""What a search for a design found: the free numbers, what is least, what binds and what that costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, final

import numpy as np

from flexarm.results.engineering import aligned, plural, quantity
from flexarm.results.jsonable import jsonable
from flexarm.results.reported import Result, made_from

if TYPE_CHECKING:
    from flexarm.model import Arm


@final
@dataclass(frozen=True)
class Judgement:
    """A requirement: its number before and after, and what the objective loses per unit of a tighter limit."""

    name: str
    unit: str
    limit: float
    before: float | None
    after: float | None
    met: bool
    price: float

    @property
    def binds(self) -> bool:
        """True if a looser limit would allow a better design."""
        return self.price > 0.0


@final
@dataclass(frozen=True)
class Bound:
    """A free number on a bound that holds it back, and what the objective would gain per unit beyond it."""

    where: str
    unit: str
    side: str
    price: float


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Design(Result):
    """The best arm that meets its requirements, or where none does, the one that misses them least; SI.

    `front` has the limits of a requirement and the least objective under each.
    """

    arm_name: str
    met: bool
    where: tuple[str, ...]
    units: tuple[str, ...]
    before: np.ndarray
    after: np.ndarray
    low: np.ndarray
    high: np.ndarray
    objective: Mapping[str, float]  # words and weights
    objective_before: Mapping[str, float]
    objective_after: Mapping[str, float]
    objective_units: Mapping[str, str]
    requirements: tuple[Judgement, ...]
    bounds: tuple[Bound, ...]
    front: tuple[tuple[float, float | None], ...] = ()
    evaluations: int = 0
    failure: str = ""
    arm: Arm | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        found = "meets its requirements" if self.met else "misses its requirements"
        return f"<Design {self.arm_name!r}: {plural(len(self.where), 'free number')}, {found}>"

    @property
    def verdict(self) -> str:
        """Whether the requirements are met, in a sentence; else what the nearest design misses, and by how much."""
        if self.met:
            return "all requirements are met" if self.requirements else "there are no requirements"
        if self.failure:
            return f"no design was found: {self.failure}"
        missed = [each for each in self.requirements if not each.met and each.after is not None]
        worst = max(missed, key=lambda each: (each.after or 0.0) / each.limit, default=None)
        if worst is None or worst.after is None:
            return "no design in the catalogues meets the requirements"
        by = quantity(worst.after - worst.limit, worst.unit, 3)
        return f"nothing meets the requirements: the nearest misses {worst.name} by {by}"

    def prices(self) -> list[str]:
        """What binds and what it costs, a sentence each."""
        (word, unit), *more = self.objective_units.items()
        named = word if not more else "the objective"
        unit = unit if not more else ""
        found = []
        for each in self.requirements:
            if each.binds:
                cost = quantity(0.01 * each.limit * each.price, unit, 3)
                step = quantity(0.01 * each.limit, each.unit, 3)
                found.append(f"{each.name} binds: {step} less costs {cost} of {named}")
        for bound in self.bounds:
            j = self.where.index(bound.where)
            beyond = 0.01 * (abs(float(self.after[j])) or 1.0)
            gain, shown = quantity(beyond * bound.price, unit, 3), quantity(beyond, bound.unit, 3)
            found.append(f"{bound.where} stands on its bound: {shown} beyond gains {gain} of {named}")
        return found

    def summary(self) -> str:
        """The design in plain text."""
        rows = [["free number", "before", "after", "from", "to"]]
        for j, name in enumerate(self.where):
            numbers = (self.before[j], self.after[j], self.low[j], self.high[j])
            rows.append([name, *(quantity(float(x), self.units[j]) for x in numbers)])
        judged = [["", "before", "after", "limit", ""]]
        for word, weight in self.objective.items():
            unit = self.objective_units[word]
            named = word if len(self.objective) == 1 else f"{weight:g} × {word}"
            values = (self.objective_before.get(word), self.objective_after.get(word))
            judged.append([named, *(_shown(x, unit) for x in values), "least", ""])
        for each in self.requirements:
            shown = [_shown(x, each.unit) for x in (each.before, each.after, each.limit)]
            judged.append([each.name, *shown, "binds" if each.binds else "met" if each.met else "missed"])
        lines = [f"{self.arm_name}: design of {plural(len(self.where), 'free number')}", ""]
        lines += [aligned(rows, right=(1, 2, 3, 4)), "", aligned(judged, right=(1, 2, 3)), "", f"  {self.verdict}"]
        lines += [f"  {sentence}" for sentence in self.prices()]
        if self.front:
            unit = next(iter(self.objective_units.values())) if len(self.objective) == 1 else ""
            table = [["limit", "least"]]
            table += [[f"{limit:.6g}", "none" if best is None else quantity(best, unit)] for limit, best in self.front]
            lines += ["", aligned(table, right=(0, 1))]
        return "\n".join([*lines, f"  {plural(self.evaluations, 'design')} judged"])

    def to_dict(self) -> dict[str, Any]:
        """The design in JSON's types, SI units."""
        return jsonable(
            {
                "arm": self.arm_name,
                "met": self.met,
                "verdict": self.verdict,
                "designed": list(self.where),
                "units": list(self.units),
                "before": self.before,
                "after": self.after,
                "low": self.low,
                "high": self.high,
                "objective": dict(self.objective),
                "objective_before": dict(self.objective_before),
                "objective_after": dict(self.objective_after),
                "objective_units": dict(self.objective_units),
                "requirements": [asdict(each) | {"binds": each.binds} for each in self.requirements],
                "bounds": [asdict(each) for each in self.bounds],
                "prices": self.prices(),
                "front": [{"limit": limit, "least": best} for limit, best in self.front],
                "evaluations": self.evaluations,
            }
        )

    def drawn(self) -> dict[str, Any]:
        """What a page shows of it."""
        return self.to_dict() | made_from(self.arm)


def _shown(value: float | None, unit: str) -> str:
    return "–" if value is None else quantity(value, unit)
