"""What a study of reliability found: how often requirements are met, which fails most, what tolerance is needed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, final

from flexarm.results.beam_models import reports_beams
from flexarm.results.engineering import aligned, plural, quantity
from flexarm.results.stored_samples import StudyResult, page_data

if TYPE_CHECKING:
    from flexarm.studies.reliability.requirements import Requirement


class Needed(NamedTuple):
    """The limit that gives the wanted reliability, and its 95 % interval; None where the samples cannot decide."""

    limit: float | None
    low: float | None
    high: float | None


@final
@dataclass(frozen=True)
class Verdict:
    """How often one requirement is met; `alone`: samples in which it is the only one that is not.

    Of a region that is looked at once, `places` are the columns of the point's coordinates and `centre` its middle (m).
    """

    requirement: Requirement
    met: int
    samples: int
    low: float
    high: float
    alone: int
    nominal: float
    places: tuple[str, ...] = ()
    centre: tuple[float, ...] = ()

    @property
    def reliability(self) -> float:
        """The part of the samples that meet it."""
        return self.met / self.samples


@final
@reports_beams
@dataclass(frozen=True, eq=False, kw_only=True)
class Reliability(StudyResult):
    """The requirements of an arm over random samples; failed samples count as not meeting them.

    Reliabilities are parts of one, `joint_interval` is that of 95 % confidence; `needed` are the limits, in SI units,
    at which each requirement is met with the `wanted` reliability.
    """

    samples: int
    joint_met: int
    joint_interval: tuple[float, float]
    verdicts: tuple[Verdict, ...]
    wanted: float
    needed: tuple[Needed, ...]
    common_factor: Needed
    convergence: tuple[tuple[int, float, float, float], ...]

    def __repr__(self) -> str:
        return f"<Reliability of {self.arm_name}: {self.reliability:.6g} from {plural(self.samples, 'sample')}>"

    @property
    def reliability(self) -> float:
        """The part of the samples that meet all requirements."""
        return self.joint_met / self.samples

    @property
    def worst(self) -> Verdict:
        """The requirement that is missed most."""
        return min(self.verdicts, key=lambda each: each.met)

    def summary(self) -> str:
        """A readable summary in plain text."""
        low, high = self.joint_interval
        several = "all requirements are met" if len(self.verdicts) > 1 else "the requirement is met"
        head = f"{self.arm_name}: {several} in {percent(self.reliability)} of {plural(self.samples, 'sample')}"
        parts = [
            head,
            f"  95 % interval {percent(low)} to {percent(high)} ({self.method} sampling, seed {self.seed})",
        ]
        if self.failures:
            parts.append(f"  {plural(self.failures, 'sample')} failed, which count as not meeting them:")
            parts += self._failed_lines()
        parts += ["", self._table()]
        if len(self.verdicts) > 1 and self.worst.met < self.samples:
            worst = self.worst
            message = f"missed in {percent(1.0 - worst.reliability)} of the samples, alone in {worst.alone} of them"
            parts += ["", f'  "{worst.requirement.name}" fails most: {message}']
        parts += ["", *self._tolerances()]
        return self._joined(parts)

    def found_dict(self) -> dict[str, Any]:
        """What was found, with its units."""
        return {
            "samples": self.samples,
            "reliability": self.reliability,
            "interval": self.joint_interval,
            "met": self.joint_met,
            "requirements": [
                {
                    "name": each.requirement.name,
                    "requirement": each.requirement.to_dict(),
                    "unit": each.requirement.unit,
                    "words": each.requirement.words,
                    "met": each.met,
                    "reliability": each.reliability,
                    "interval": [each.low, each.high],
                    "missed_alone": each.alone,
                    "nominal": each.nominal,
                    "needed": need._asdict(),
                    "places": each.places,
                    "centre": each.centre,
                }
                for each, need in zip(self.verdicts, self.needed, strict=True)
            ],
            "worst": self.worst.requirement.name,
            "wanted": self.wanted,
            "common_factor": self.common_factor._asdict(),
            "convergence": [
                dict(zip(("samples", "reliability", "low", "high"), step, strict=True)) for step in self.convergence
            ],
            "remarks": self.remarks,
        }

    def drawn(self) -> dict[str, Any]:
        """What a page shows of it: `to_dict`, and what it takes to draw samples."""
        study_json = self.stored.study_json
        samples = page_data(
            "drawn_samples", self.stored, [*study_json["parameters"], *study_json["columns"]], self.samples
        )
        bands = {"signal_bands": page_data("drawn_bands", self.stored, self.samples)}
        return self.to_dict() | samples | bands | page_data("drawn_model", self.stored)

    def _table(self) -> str:
        rows = [["requirement", "what", "met", "95 % interval", "nominal", f"needed for {percent(self.wanted)}"]]
        for each, need in zip(self.verdicts, self.needed, strict=True):
            unit = each.requirement.unit
            rows.append(
                [
                    each.requirement.name,
                    each.requirement.words,
                    percent(each.reliability),
                    f"{percent(each.low)} … {percent(each.high)}",
                    amount(each.nominal, unit),
                    amount(need.limit, unit) + f" ({amount(need.low, unit)} … {amount(need.high, unit)})",
                ]
            )
        return aligned(rows, right=(2,))

    def _tolerances(self) -> list[str]:
        factor = self.common_factor
        if factor.limit is None:
            return [f"  no tolerance gives {percent(self.wanted)}: too many samples failed"]
        bounds = f"({amount(factor.low, '')} … {amount(factor.high, '')})"
        word = "all limits" if len(self.verdicts) > 1 else "the limit"
        message = [f"  {percent(self.wanted)} of the samples are kept by {factor.limit:.4g} times {word} {bounds}"]
        if factor.high is None:
            message.append("  more samples are needed for an upper bound on that")
        return message


def percent(share: float) -> str:
    """A part in per cent, with digits enough to distinguish it from 0 and 100 %."""
    missing = min(share, 1.0 - share)
    if missing <= 0.0:
        return f"{100.0 * share:.0f} %"
    decimals = 1 if missing > 0.05 else 2 if missing > 0.005 else 3 if missing > 0.0005 else 5
    return f"{100.0 * share:.{decimals}f} %"


def amount(value: float | None, unit: str) -> str:
    """A requirement's number with its unit, or the factor that it is."""
    if value is None:
        return "unknown"
    if unit in ("", "rad"):
        return f"{value:.4g} {unit}".strip() if unit else f"{value:.4g} ×"
    return quantity(value, unit)
