"""One row of a reproduction: the paper's number compared with ours, or a claim of it judged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

# Of numbers, and of claims in words.
VERDICTS = ("agrees", "differs", "not printed", "holds", "does not hold")


@dataclass(frozen=True)
class Row:
    """A quantity of a paper's case; `paper` is None where the paper prints no number for it.

    Of a claim in words (`claim.<paper>.<name>`) `value` is the number that decides.
    """

    id: str
    value: float
    unit: str
    paper: float | None
    verdict: str
    note: str

    def to_dict(self) -> dict[str, Any]:
        """The row in JSON's types."""
        return {
            "id": self.id,
            "value": self.value,
            "unit": self.unit,
            "paper": self.paper,
            "verdict": self.verdict,
            "note": self.note,
        }


def judged(id: str, value: float, unit: str, *, paper: float | None = None, within: float = 0.0, note: str = "") -> Row:
    """A row with its verdict: "agrees" where ours is within `within` of the paper's number, "not printed" where there
    is none.
    """
    if paper is None:
        verdict = "not printed"
    else:
        verdict = "agrees" if abs(value - paper) <= within else "differs"
    return Row(id, float(value), unit, paper, verdict, note)


def claimed(id: str, value: float, unit: str, holds: bool, note: str) -> Row:
    """A row with a claim that a paper makes in words: the number that decides, "holds" or "does not hold", and why."""
    return Row(f"claim.{id}", float(value), unit, None, "holds" if holds else "does not hold", note)


def percent(part: float, digits: int) -> str:
    """A part of one as per cent with so many decimals: 0.115 is 12 %."""
    return f"{100.0 * part:.{digits}f} %"


Claims = Callable[[Mapping[str, float]], Iterable[Row]]


def with_claims(rows: Iterable[Row], claims: Claims) -> Iterator[Row]:
    """The rows, then the claims judged by their values."""
    values: dict[str, float] = {}
    for row in rows:
        values[row.id] = row.value
        yield row
    yield from claims(values)
