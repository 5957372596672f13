"""Access of study results to their samples; `flexarm.studies` is imported by name, when needed."""

from __future__ import annotations

import csv
import io
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from flexarm.results.jsonable import jsonable
from flexarm.results.reported import Result

if TYPE_CHECKING:
    from flexarm.model import Arm
    from flexarm.studies.store.store import StoredStudy


def ask_studies(module: str, function: str, *arguments: Any) -> Any:
    """What a function of a module of `flexarm.studies`, which lies above results, makes of the arguments."""
    return getattr(import_module(f"flexarm.studies.{module}"), function)(*arguments)


def page_data(work: str, *arguments: Any) -> Any:
    """What a page shows of stored samples: by a function of `flexarm.studies.store.page_data`."""
    return ask_studies("store.page_data", work, *arguments)


class RandomParameter(NamedTuple):
    """A random parameter of a study: its mean and standard deviation (SI), and its distribution in words."""

    name: str
    unit: str
    mean: float
    deviation: float
    words: str


@dataclass(frozen=True, eq=False, kw_only=True)
class StudyResult(Result):
    """A result of a study: its samples stay in the store of the study. `failed` counts failed samples by status."""

    arm_name: str
    seed: int
    method: str
    parameters: tuple[RandomParameter, ...]
    failed: Mapping[str, int]
    reasons: Mapping[str, str]
    stored: StoredStudy
    remarks: tuple[str, ...] = ()

    @property
    def failures(self) -> int:
        """How many samples could not be run."""
        return sum(self.failed.values())

    @property
    def nominal_arm(self) -> Arm | None:
        """The arm at the means of its numbers; None where its file is not understood."""
        arm: Arm | None = page_data("nominal_arm", self.stored)
        return arm

    def _failed_lines(self) -> list[str]:
        """Lines of a summary on the failed samples: how many of each status, and the first reason."""
        return [f"    {count} {word}: {self.reasons.get(word, '')}" for word, count in self.failed.items()]

    def _joined(self, parts: list[str]) -> str:
        """The parts of a summary, with the remarks at its end."""
        return "\n".join([*parts, *(f"  beware: {remark}" for remark in self.remarks)])

    def to_csv(self) -> str:
        """All samples as comma-separated values: number, parameters, outputs (SI), status and reason."""
        return "".join(self.csv_blocks())

    def csv_blocks(self) -> Iterator[str]:
        """The same block by block, for tables that do not fit into memory."""
        return csv_blocks(self.stored, getattr(self, "samples", 2**63))

    @abstractmethod
    def found_dict(self) -> dict[str, Any]:
        """What this kind of study has found."""

    def to_dict(self) -> dict[str, Any]:
        """Everything but the samples, in JSON's types."""
        return jsonable({**self._study_dict(), **self.found_dict()})

    def _study_dict(self) -> dict[str, Any]:
        """What every study has: its arm, sampling, failed samples, random parameters and folder."""
        return {
            "arm": self.arm_name,
            "seed": self.seed,
            "method": self.method,
            "failed": dict(self.failed),
            "reasons": dict(self.reasons),
            "folder": None if self.stored.temporary is not None else str(self.stored.folder),
            "parameters": [each._asdict() for each in self.parameters],
        }


def series_column(signal: str, time: float) -> str:
    """The name of a signal's column at a time."""
    return f"{signal}@{time:.9g}"


def csv_blocks(stored: StoredStudy, samples: int) -> Iterator[str]:
    """All samples of a study as comma-separated values, block by block: number, parameters, outputs (SI), status."""
    units = stored.study_json["units"]
    for first, rows in enumerate(stored.blocks(samples=samples)):
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        if first == 0:
            heads = [f"{name} [{units[name]}]" if units.get(name) else name for name in rows.columns]
            writer.writerow(["sample", *heads, "status", "reason"])
        columns = [values.tolist() for values in rows.columns.values()]
        for k in range(len(rows)):
            cells = ["" if values[k] != values[k] else repr(values[k]) for values in columns]
            writer.writerow([rows.begin + k, *cells, rows.status[k], rows.reason[k]])
        yield text.getvalue()
