"""One row of a reproduction: the paper's number compared with ours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Row:
    """A quantity of a paper's case; `paper` is None where the paper prints no number for it."""

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
