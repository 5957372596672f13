"""Residual vibration after a stop versus the braking time: the curve, its best time, and what simple rules predict."""

import csv
import io
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, final

import numpy as np

from flexarm.results.beam_models import holds_beams
from flexarm.results.jsonable import jsonable
from flexarm.results.records import frozen_array, frozen_mapping
from flexarm.results.reported import Result, drawn_by, made_from

if TYPE_CHECKING:
    from flexarm.model import Arm


@final
@dataclass(frozen=True)
class BrakePoint:
    """A braking time (s), when the arm then stops (s), and the residual vibration (in the study's unit)."""

    time: float
    residual: float
    stop: float
    kind: str  # "minimum", "maximum", "end of the range", "bound", "limit" or "model"
    broken: tuple[str, ...] = ()  # bounds it breaks
    rule: str | None = None  # the whole periods next to it, in words
    rule_time: float | None = None  # s
    torques: Mapping[str, float] | None = None  # greatest drive torque or force by joint (N m, N), if known
    settled: float | None = None  # s from t = 0: when the point is within the distance of its target for good

    @property
    def allowed(self) -> bool:
        """True if no bound is broken."""
        return not self.broken


@final
@dataclass(frozen=True)
class ResidualMode:
    """A pole of the arm where it stops, servos included, and its share of the residual over the whole range.

    A real pole does not ring: its frequency is 0, its damping ratio 1, and its `decay` is how fast it creeps.
    """

    name: str
    frequency_hz: float
    damping_ratio: float
    share: float
    whole_periods: tuple[float, ...]  # braking times (s) in the range that are whole periods of it
    decay: float = 0.0  # −Re λ (1/s)


@final
@dataclass(frozen=True)
class Cause:
    """A step from the rule to the simulation: the minimum (s) with it, how far it moved (s), and the residual there."""

    what: str
    shift: float
    time: float
    residual: float


@final
@dataclass(frozen=True, eq=False)
class LinearBraking:
    """What the linear arm predicts, at equilibrium in the posture it stops in."""

    modes: tuple[ResidualMode, ...]
    even: bool  # the deceleration is constant: whole periods of a mode do not excite it
    residuals: np.ndarray  # at the times of the study
    minima: tuple[float, ...]  # s
    causes: tuple[Cause, ...] = ()  # from the rule to the simulated minimum, step by step
    explained: float | None = None  # the minimum (s) they lead to
    sentence: str = ""
    frequency_change: float | None = None  # of the leading mode while braking, as a part
    push_change: float | None = None  # of the joints' push on it, as a part
    push_turn: float | None = None  # rad


@final
@dataclass(frozen=True, eq=False)
class RobustBraking:
    """The braking time for an uncertain arm.

    The worst is that of all arms within the ranges: a bound from above, which no arm exceeds.
    """

    ranges: Mapping[str, tuple[float, float]]  # quantity → factors
    by: str  # "worst" or "mean"
    arms: tuple[str, ...]  # the grid of arms that every braking time was run with
    worst: np.ndarray  # bound over the ranges, at the times of the study
    mean: np.ndarray  # over the ranges, every factor as likely as any other
    best: BrakePoint | None  # its residual is the bound or the mean
    nominal: float | None  # residual of the arm as modelled at that time
    at_nominal_best: float | None  # worst or mean at the time that is best for the arm as modelled
    residuals: tuple[float, ...] = ()  # of every arm of the grid at the best time
    worst_arm: Mapping[str, float] | None = None  # factors of the arm that fares worst at the best time
    seen: float | None = None  # its residual there; the bound is a little above
    certain: bool = True  # False if too many arms would have been needed for a bound to three digits
    runs: int = 0  # of all arms


@final
@dataclass(frozen=True)
class IndividualBraking:
    """A braking time for every joint (s)."""

    times: Mapping[str, float]
    residual: float
    stop: float
    runs: int
    broken: tuple[str, ...] = ()


@final
@holds_beams
@dataclass(frozen=True, eq=False)
class BrakeStudy(Result):
    """Residual vibration versus the braking time; SI units, `unit` is that of every residual.

    `soonest` is at rest first: its point stays `within` a distance of its target earlier, counted from t = 0, than with
    any other braking time. `best` is the least residual within the bounds whatever it takes, `brief` the shortest brake
    that leaves as little but for noise and 3 %, `shortest` the shortest stop whose residual is at most `limit`; each is
    None if there is none, and `notes` explain why.
    """

    arm_name: str
    joints: tuple[str, ...]
    hold: str
    measure: str
    unit: str
    window: float | None  # s after the stop; None: from the state at the stop alone
    times: np.ndarray
    residuals: np.ndarray
    stops: np.ndarray
    allowed: np.ndarray  # of bools
    given: BrakePoint  # as the model file has it
    minima: tuple[BrakePoint, ...]
    maxima: tuple[BrakePoint, ...]
    best: BrakePoint | None
    worst: BrakePoint | None  # the greatest residual of all, bounds or not
    limit: float | None
    shortest: BrakePoint | None
    bounds: Mapping[str, str]
    linear: LinearBraking | None
    robust: RobustBraking | None
    individual: IndividualBraking | None
    resolution: float  # s, to which times are refined
    noise: float  # in the study's unit: what refined points err by
    curve_error: float  # the same of the curve, which is run more loosely
    tolerance: float  # m
    runs: int
    cpu_seconds: float
    curve_seconds: float  # CPU time of the curve alone
    paste: tuple[str, ...] = ()  # lines of a model file with the best time
    notes: tuple[str, ...] = ()
    interrupted: str = ""  # what was under way when Ctrl-C was pressed
    torques: Mapping[str, np.ndarray] = field(default_factory=dict)  # by joint, at the times, if bounded
    soonest: BrakePoint | None = None
    brief: BrakePoint | None = None
    settled: tuple[float | None, ...] = ()  # time to rest (s from t = 0) at the times; None: not until `watched`
    within: float = 1e-3  # m, of its target: what counts as at rest
    about: str = "target"  # "equilibrium" where the arm comes to rest farther from its target than that
    joint_states: Mapping[str, str] = field(default_factory=dict)  # "locked" (on its command), "free", "servo"
    watched: float = 0.0  # s, when all runs that are looked at for their time to rest end
    arm: "Arm | None" = field(default=None, repr=False)

    def __post_init__(self) -> None:
        count = len(self.times)
        for name in ("times", "residuals", "stops"):
            object.__setattr__(self, name, frozen_array(getattr(self, name), (count,), name))
        allowed = np.array(self.allowed, dtype=bool)
        allowed.flags.writeable = False
        object.__setattr__(self, "allowed", allowed)
        object.__setattr__(self, "bounds", frozen_mapping(self.bounds))
        object.__setattr__(self, "joint_states", frozen_mapping(self.joint_states))
        object.__setattr__(self, "torques", frozen_mapping(self.torques))

    def __repr__(self) -> str:
        found = "no best time" if self.best is None else f"best {self.best.time:.4f} s"
        return f"<BrakeStudy of {self.arm_name}: {count_of(self)}, {found}>"

    @property
    def complete(self) -> bool:
        """True if it was not interrupted."""
        return not self.interrupted

    def summary(self) -> str:
        """A readable summary in plain text."""
        from flexarm.results.braking_summary import format_summary

        return format_summary(self)

    def to_dict(self) -> dict[str, Any]:
        """Everything in JSON's types."""
        skipped = ("linear", "robust")
        table = {name: getattr(self, name) for name in self.__dataclass_fields__ if name not in (*skipped, "arm")}
        for name in ("given", "best", "worst", "shortest", "soonest", "brief", "individual"):
            table[name] = None if table[name] is None else asdict(table[name])
        for name in ("minima", "maxima"):
            table[name] = [asdict(point) for point in table[name]]
        for name in skipped:
            part = getattr(self, name)
            table[name] = None if part is None else asdict(part)
        return jsonable({**table, "complete": self.complete})

    def drawn(self) -> dict[str, Any]:
        """What a page shows of it: `to_dict`, and the arm's runs with the model's time and the best as `motions`."""
        motions = drawn_by("brake.motions", "brake_motions", self)
        return self.to_dict() | {"motions": motions} | made_from(self.arm)

    def to_csv(self) -> str:
        """The curve: braking time, stop, residual, what the linear arm leaves, bounds; SI units."""
        unit = f"_{self.unit}" if self.unit else ""  # strains have none
        columns: dict[str, Any] = {
            "braking_time_s": self.times,
            "stop_s": self.stops,
            f"residual{unit}": self.residuals,
        }
        if self.settled:
            columns["settled_s"] = np.array([np.nan if time is None else time for time in self.settled])
        if self.linear is not None:
            columns[f"linear{unit}"] = self.linear.residuals
        if self.robust is not None:
            columns[f"worst{unit}"], columns[f"mean{unit}"] = self.robust.worst, self.robust.mean
        for joint, values in self.torques.items():
            columns[f"torque {joint}"] = values
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow([*columns, "allowed"])
        for row, allowed in zip(zip(*columns.values(), strict=True), self.allowed, strict=True):
            writer.writerow([*("" if np.isnan(x) else repr(float(x)) for x in row), int(allowed)])
        return text.getvalue()


def count_of(study: BrakeStudy) -> str:
    """How many points the curve has, and where they lie."""
    return f"{len(study.times)} braking times from {study.times[0]:.6g} to {study.times[-1]:.6g} s"
