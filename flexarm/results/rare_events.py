"""What methods for rare events found: failure probabilities, design points, and which tolerance is to blame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

from flexarm.results import engineering
from flexarm.results.beam_models import reports_beams
from flexarm.results.engineering import aligned, plural, quantity
from flexarm.results.reliability import amount, percent
from flexarm.results.stored_samples import StudyResult, ask_studies, page_data

if TYPE_CHECKING:
    from flexarm.core.tree.types import Floats
    from flexarm.studies.reliability.design_points import DesignPoint
    from flexarm.studies.reliability.requirements import Requirement

METHOD_WORDS = {
    "form": "FORM",
    "sorm": "SORM",
    "importance": "importance sampling",
    "subset": "subset sampling",
}


@final
@dataclass(frozen=True, eq=False)
class RareEstimate:
    """The failure probability of one requirement, or of all together (`requirement` None); None where it is not known.

    `low` and `high` are the 95 % interval of sampling, and Ditlevsen's bounds of FORM and SORM, whose `probability` is
    the greater of them. `shares` are the importance factors by parameter. `levels` are those of subset sampling: number
    over limit, and the probability of a greater one; `runs` the probabilities of its runs. `trouble`: what failed.
    """

    requirement: Requirement | None
    nominal: float | None
    probability: float | None
    low: float | None = None
    high: float | None = None
    cov: float | None = None
    points: tuple[DesignPoint, ...] = ()
    shares: Floats | None = None
    levels: tuple[tuple[float, float], ...] = ()
    runs: tuple[float, ...] = ()
    trouble: str = ""

    @property
    def name(self) -> str:
        """The requirement's name, or "all"."""
        return "all" if self.requirement is None else self.requirement.name

    @property
    def reliability(self) -> float | None:
        """The probability that it is met."""
        return None if self.probability is None else 1.0 - self.probability

    @property
    def index(self) -> float | None:
        """The reliability index β: the probability is Φ(−β)."""
        known = self.probability is not None and 0.0 < self.probability < 1.0
        return float(ask_studies("reliability.series_systems", "normal_index", self.probability)) if known else None


@final
@reports_beams
@dataclass(frozen=True, eq=False, kw_only=True)
class RareReliability(StudyResult):
    """Requirements that are rarely missed: failure probabilities by FORM, SORM, importance or subset sampling.

    `evaluations` are the different samples that were needed; those that failed count as missing every requirement.
    `complete` is False if it was interrupted or had no evaluations left before it was done. `regions` has for every
    requirement the columns of its point's coordinates and the region's centre (m), empty where there is no region.
    Probabilities are parts of one, design points in SI units.
    """

    joint: RareEstimate
    each: tuple[RareEstimate, ...]
    evaluations: int
    most: int
    complete: bool
    interrupted: bool
    regions: tuple[tuple[tuple[str, ...], tuple[float, ...]], ...] = ()

    def __repr__(self) -> str:
        known = "unknown" if self.failure is None else f"{self.failure:.3g}"
        evaluations = plural(self.evaluations, "evaluation")
        return f"<RareReliability of {self.arm_name}: failure probability {known} from {evaluations}>"

    @property
    def failure(self) -> float | None:
        """The probability that at least one requirement is missed; None if it was not found."""
        return self.joint.probability

    @property
    def reliability(self) -> float | None:
        """The probability that all requirements are met; None if it was not found."""
        return self.joint.reliability

    @property
    def points(self) -> tuple[DesignPoint, ...]:
        """The design points of all requirements."""
        return tuple(point for each in self.each for point in each.points)

    @property
    def blame(self) -> dict[str, float]:
        """The importance factor of every parameter, greatest first; empty where they are not known."""
        if self.joint.shares is None:
            return {}
        pairs = zip((each.name for each in self.parameters), self.joint.shares.tolist(), strict=True)
        return dict(sorted(pairs, key=lambda pair: -pair[1]))

    # --- Summary -----------------------------------------------------------------------------------------------------

    def summary(self) -> str:
        """A readable summary in plain text."""
        parts = [*self._head(), "", self._table()]
        for each in self.each:
            if each.points:
                parts += ["", *self._design(each)]
        if self.joint.levels:
            parts += ["", self._levels()]
        if self.blame:
            parts += ["", f"  which tolerance is to blame: {self._blamed()}"]
        parts += [f'  "{each.name}": {each.trouble}' for each in self.each if each.trouble]
        if self.failed:
            count = sum(self.failed.values())
            parts.append(f"  {plural(count, 'evaluation')} failed, which count as missing every requirement:")
            parts += self._failed_lines()
        return self._joined(parts)

    def found_dict(self) -> dict[str, Any]:
        """What was found, with its units."""
        return {
            "evaluations": self.evaluations,
            "complete": self.complete,
            "failure": self.failure,
            "reliability": self.reliability,
            "all": self._estimate(self.joint),
            "requirements": [
                self._estimate(each) | {"places": places, "centre": centre}
                for each, (places, centre) in zip(self.each, self.regions or (((), ()),) * len(self.each), strict=True)
            ],
            "blame": self.blame,
            "remarks": self.remarks,
        }

    def drawn(self) -> dict[str, Any]:
        """What a page shows of it: `to_dict`, and what it takes to draw samples."""
        study_json = self.stored.study_json
        return self.to_dict() | page_data(
            "drawn_samples", self.stored, [*study_json["parameters"], *study_json["columns"]]
        )

    def _estimate(self, each: RareEstimate) -> dict[str, Any]:
        wanted = each.requirement
        entries: dict[str, Any] = {}
        if wanted is not None:
            entries = {"requirement": wanted.to_dict(), "unit": wanted.unit, "words": wanted.words}
        return {
            "name": each.name,
            **entries,
            "nominal": each.nominal,
            "failure": each.probability,
            "interval": [each.low, each.high],
            "cov": each.cov,
            "index": each.index,
            "blame": None if each.shares is None else self._by_name(each.shares),
            "design_points": [
                {
                    "index": point.index,
                    "failure": point.probability,
                    "curved": point.curved,
                    "own": self._by_name(point.own),
                    "standard": self._by_name(point.standard),
                    "blame": self._by_name(point.shares),
                    "kink": point.kink,
                }
                for point in each.points
            ],
            "levels": [{"of_limit": ratio, "probability": chance} for ratio, chance in each.levels],
            "runs": each.runs,
            "trouble": each.trouble,
        }

    def _by_name(self, values: Floats) -> dict[str, float]:
        return dict(zip((each.name for each in self.parameters), np.asarray(values).tolist(), strict=True))

    def _head(self) -> list[str]:
        joint, what = self.joint, "a requirement is" if len(self.each) > 1 else "the requirement is"
        words = METHOD_WORDS[self.method]
        cost = f"{plural(self.evaluations, 'evaluation')}, seed {self.seed}"
        if joint.probability is None:
            head = f"{self.arm_name}: how often {what} missed is not known yet ({words}, {cost})"
            return [head, *([f"  {joint.trouble}"] if joint.trouble and len(self.each) > 1 else [])]
        if joint.probability == 0.0:
            reason = joint.trouble or "no sample missed one"
            return [f"{self.arm_name}: {reason} ({words}, {cost})"]
        index = "" if joint.index is None else f", reliability index {joint.index:.3f}"
        head = f"{self.arm_name}: {what} missed with probability {joint.probability:.3g} by {words}"
        parts = [head, f"  reliability {_reliability(joint.probability)}{index}; {cost}"]
        if joint.cov is not None and joint.low is not None and joint.high is not None:
            runs = f" of {plural(len(joint.runs), 'run')}" if joint.runs else ""
            spread = f"coefficient of variation{runs} {engineering.percent(joint.cov, 2)}"
            parts.append(f"  95 % interval {joint.low:.3g} to {joint.high:.3g}, {spread}")
        elif joint.low is not None and joint.high is not None:
            count = plural(len(joint.points), "design point")
            if len(joint.points) > 2:
                bounds = f"between {joint.low:.4g} and {joint.high:.4g} (Ditlevsen's bounds), the greater is reported"
                parts.append(f"  a series system of {count}: {bounds}")
            else:
                parts.append(f"  {count}, taken as flat" if self.method == "form" else f"  {count}, with curvatures")
        return parts

    def _table(self) -> str:
        sampled = self.method not in ("form", "sorm")
        rows = [["requirement", "what", "missed", "95 % interval" if sampled else "bounds", "index", "nominal"]]
        for each in self.each:
            assert each.requirement is not None
            known = each.low is not None and each.high is not None
            rows.append(
                [
                    each.name,
                    each.requirement.words,
                    "unknown" if each.probability is None else f"{each.probability:.3g}",
                    f"{each.low:.3g} … {each.high:.3g}" if known else "unknown",
                    "unknown" if each.index is None else f"{each.index:.3f}",
                    amount(each.nominal, each.requirement.unit),
                ]
            )
        return aligned(rows)

    def _design(self, each: RareEstimate) -> list[str]:
        parts = []
        for number, point in enumerate(each.points, 1):
            curved = f", with curvatures {point.curved:.3g}" if point.curved is not None else ""
            count = f" {number} of {len(each.points)}" if len(each.points) > 1 else ""
            parts.append(
                f'  "{each.name}": design point{count}, index {point.index:.3f}, missed {point.probability:.3g}{curved}'
            )
            rows = [["parameter", "there", "mean", "score", "importance"]]
            for parameter, value, score, share in zip(
                self.parameters, point.own.tolist(), point.standard.tolist(), point.shares.tolist(), strict=True
            ):
                entries = [quantity(value, parameter.unit, 6), quantity(parameter.mean, parameter.unit, 6)]
                rows.append([parameter.name, *entries, f"{score + 0.0:+.3f}", _part(share)])
            parts.append(aligned(rows, right=(3, 4), indent="    "))
        return parts

    def _levels(self) -> str:
        rows = [["level", "probability", "number over limit"]]
        for number, (ratio, chance) in enumerate(self.joint.levels, 1):
            rows.append([str(number), f"{chance:.3g}", f"{ratio:.4g}"])
        return aligned(rows)

    def _blamed(self) -> str:
        entries = [f"{name} ({_part(share)})" for name, share in self.blame.items() if share >= 0.005]
        return ", ".join(entries) or "none more than others"


def mixed_shares(points: Sequence[DesignPoint]) -> Floats | None:
    """The importance factors of several design points, each with its probability."""
    weights = np.array([point.probability for point in points])
    if not len(points) or not weights.sum() > 0.0:
        return None
    return np.asarray(
        np.sum([w * point.shares for w, point in zip(weights, points, strict=True)], axis=0) / weights.sum()
    )


def _reliability(failure: float) -> str:
    return percent(1.0 - failure) if failure >= 1e-6 else f"1 − {failure:.3g}"


def _part(share: float) -> str:
    return f"{100.0 * share:.0f} %" if share >= 0.1 or share < 0.0005 else f"{100.0 * share:.1f} %"
