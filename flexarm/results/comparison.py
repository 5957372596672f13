"""The same arm through several formulations: what each of them errs by and costs, and which one to take."""

import csv
import io
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Any, final

import numpy as np

from flexarm.results.beam_models import holds_beams
from flexarm.results.jsonable import jsonable
from flexarm.results.reported import Result, made_from

if TYPE_CHECKING:
    from flexarm.model import Arm


@final
@dataclass(frozen=True)
class Assumption:
    """An assumption of a model that a run did not keep: which kind it is of, and a sentence."""

    kind: str  # "deflection", "shear", "speed", "inertia" or "energy"
    sentence: str


@final
@dataclass(frozen=True)
class ModelRun:
    """One model with one mesh compared with the reference; None for what is not known.

    Errors of the tip's path are in m, the others are relative to the reference's values.
    """

    model: str
    elements: int | None  # per link; of assumed modes: modes of each direction
    status: str = "ok"  # or "refused": it cannot model the arm; "stopped": its run did not reach the end
    reason: str | None = None  # of a status that is not "ok"
    coordinates: int | None = None  # elastic ones of the whole arm
    tip_error: float | None = None  # greatest distance of the tip from the reference's
    tip_error_rms: float | None = None
    peak_deflection: float | None = None  # m
    peak_error: float | None = None
    residual: float | None = None  # m, half the range of the tip's deflection after the command has come to rest
    residual_error: float | None = None
    frequencies_hz: tuple[float, ...] | None = None
    frequency_error: float | None = None  # the largest of them
    cpu_seconds: float | None = None
    outside: tuple[Assumption, ...] = ()
    keeps: bool = False  # the tolerance, and its own assumptions
    toml: tuple[str, ...] = ()  # its lines in a model file


@final
@dataclass(frozen=True)
class ModelTrend:
    """What all meshes of one model show together."""

    model: str
    order: float | None = None  # of the tip's error in the number of elements
    levels_off: float | None = None  # m: more elements no longer help, the model's own limit is another
    error_at_equal_cost: float | None = None  # m
    cheapest: int | None = None  # row of the cheapest mesh that keeps the tolerance


@final
@dataclass(frozen=True)
class ReferenceRun:
    """The reference of all models: a chain of finite rotations, refined until it has converged."""

    model: str
    elements: tuple[int, ...]  # of the chains it was made of
    order: float | None  # in which they converged and were extrapolated; None: the finest as it is
    error: float  # m, of the tip's path
    stands: bool  # this is small compared with the tolerance
    peak_deflection: float  # m
    residual: float | None  # m
    rest: float | None  # s, when the command has come to rest
    frequencies_hz: tuple[float, ...] | None
    coordinates: int
    cpu_seconds: float  # of the finest chain
    agrees: str | None = None  # the other model that comes closest to it
    agrees_elements: int | None = None
    agrees_to: float | None = None  # m


@final
@dataclass(frozen=True, eq=False)
class Histories:
    """Over time (s): how far the reference's tip is from the rigid arm's (m, axes of that tip), and how far every
    row's tip from the reference's (m); None for a row that did not run.
    """

    times: np.ndarray
    deflection: np.ndarray  # (times, 3)
    apart: tuple[np.ndarray | None, ...]


@final
@holds_beams
@dataclass(frozen=True)
class Comparison(Result):
    """Runs of one arm through several models, sorted by model and mesh, and what follows from them; SI units."""

    arm_name: str
    analysis: str
    end: float  # s
    tolerance: float  # m, of the tip's path
    tolerance_given: bool
    integration_tolerance: float  # m, of every run
    integration_error: float  # m, what it amounts to at the tip
    reference: ReferenceRun
    rows: tuple[ModelRun, ...]
    trends: tuple[ModelTrend, ...]
    equal_cost: float | None  # s of CPU time at which errors are compared
    recommended: int | None  # row
    advice: str
    notes: tuple[str, ...] = ()
    wanted: int = 0  # rows there would be if it had not been interrupted
    histories: Histories | None = field(default=None, repr=False, compare=False)
    arm: "Arm | None" = field(default=None, repr=False, compare=False)

    def __repr__(self) -> str:
        chosen = self.best
        entry = "none recommended" if chosen is None else f"{chosen.model} {chosen.elements} recommended"
        return f"<Comparison {self.arm_name!r}: {len(self.rows)} runs, {entry}>"

    @property
    def complete(self) -> bool:
        """True if it was not interrupted."""
        return len(self.rows) >= self.wanted

    @property
    def best(self) -> ModelRun | None:
        """The cheapest model that keeps the tolerance and its own assumptions, None if there is none."""
        return None if self.recommended is None else self.rows[self.recommended]

    def of(self, model: str) -> list[ModelRun]:
        """The rows of one model, coarse to fine."""
        return [row for row in self.rows if row.model == model]

    def summary(self) -> str:
        """Tables and a recommendation in plain text, 100 columns wide."""
        from flexarm.results.comparison_summary import format_summary

        return format_summary(self)

    def to_dict(self) -> dict[str, Any]:
        """Everything in JSON's types."""
        table = {each.name: getattr(self, each.name) for each in fields(self) if each.name not in ("histories", "arm")}
        table["reference"] = asdict(self.reference)
        table |= {name: [asdict(each) for each in table[name]] for name in ("rows", "trends")}
        return jsonable({**table, "complete": self.complete, "plot": self.plot_data()})

    def drawn(self) -> dict[str, Any]:
        """What a page shows of it: `to_dict`, and the histories over time."""
        return self.to_dict() | {"histories": self.histories and vars(self.histories)} | made_from(self.arm)

    def plot_data(self) -> dict[str, dict[str, list[Any]]]:
        """For every model: elements, coordinates, error (m) and cpu (s) of the meshes that ran, coarse to fine."""
        found: dict[str, dict[str, list[Any]]] = {}
        for row in self.rows:
            if row.status == "ok":
                columns = found.setdefault(row.model, {"elements": [], "coordinates": [], "error": [], "cpu": []})
                values: Sequence[Any] = (row.elements, row.coordinates, row.tip_error, row.cpu_seconds)
                for column, value in zip(columns.values(), values, strict=True):
                    column.append(value)
        return found

    def to_csv(self) -> str:
        """One line per row, SI units; empty where nothing is known."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(_COLUMNS)
        for row in self.rows:
            entry = asdict(row)
            entry["outside"] = " ".join(each.kind for each in row.outside)
            frequencies = [*(row.frequencies_hz or ()), None, None, None][:3]
            entry |= {f"frequency_{index + 1}": value for index, value in enumerate(frequencies)}
            writer.writerow(["" if entry[key] is None else entry[key] for key in _COLUMNS.values()])
        return text.getvalue()


# Headings of the CSV file → fields of a row.
_COLUMNS = {
    "model": "model",
    "elements": "elements",
    "coordinates": "coordinates",
    "tip_error_m": "tip_error",
    "tip_error_rms_m": "tip_error_rms",
    "peak_deflection_m": "peak_deflection",
    "peak_error": "peak_error",
    "residual_m": "residual",
    "residual_error": "residual_error",
    "frequency_1_hz": "frequency_1",
    "frequency_2_hz": "frequency_2",
    "frequency_3_hz": "frequency_3",
    "frequency_error": "frequency_error",
    "cpu_s": "cpu_seconds",
    "keeps": "keeps",
    "outside": "outside",
    "status": "status",
    "reason": "reason",
}
