"""Controllers of one arm, side by side."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, final

import numpy as np

from flexarm.errors import AnalysisError
from flexarm.results.engineering import aligned, column, digits, quantity
from flexarm.results.jsonable import jsonable
from flexarm.results.reported import Result, made_from

if TYPE_CHECKING:
    from flexarm.model import Arm


@final
@dataclass(frozen=True)
class Varied:
    """The same controller on an arm that is off: residual (m) and settling time (s), or why the run failed."""

    name: str
    residual: float
    settled: float | None
    failure: str = ""


@final
@dataclass(frozen=True, eq=False)
class Controlled:
    """One controller: residual (m), settling time (s; None: not within the run), greatest torque (N m or N) of a joint.

    `decay` is how fast (1/s) the slowest part of the loop dies away, negative where it grows; `gain_margin` the factor
    on all torques, `delay_margin` the further delay (s) at which the loop becomes unstable. They are NaN where there is
    no loop. `parts` are the controllers; `time` (s) and `distance` (m) are those of the tip from its target.
    """

    name: str
    words: str
    residual: float
    settled: float | None
    torque: float
    decay: float
    gain_margin: float
    delay_margin: float
    failure: str = ""
    varied: tuple[Varied, ...] = ()
    parts: tuple[Any, ...] = field(default=(), repr=False)
    time: np.ndarray = field(default_factory=lambda: np.zeros(0), repr=False)
    distance: np.ndarray = field(default_factory=lambda: np.zeros(0), repr=False)

    @property
    def worst(self) -> float:
        """The greatest residual (m) of all arms that are off; infinite if a run of them fails."""
        return max((np.inf if each.failure else each.residual for each in self.varied), default=self.residual)


@final
@dataclass(frozen=True, eq=False)
class ControlStudy(Result):
    """Controllers side by side; `within` (m) is where the tip counts as settled, `frequency` (Hz) that of the arm's
    first mode where the command ends, at `command_end` (s).
    """

    arm_name: str
    rows: tuple[Controlled, ...]
    within: float
    sample: float
    delay: str
    frequency: float
    command_end: float
    varied: tuple[str, ...] = ()
    arm: "Arm | None" = field(default=None, repr=False)

    def row(self, name: str) -> Controlled:
        """The row of a controller by its name."""
        for each in self.rows:
            if each.name == name:
                return each
        names = ", ".join(f'"{each.name}"' for each in self.rows)
        raise AnalysisError(f'there is no controller "{name}", must be one of {names}')

    def arm_with(self, name: str) -> "Arm":
        """The arm with that controller in its model file."""
        assert self.arm is not None
        return self.arm.changed(controllers=self.row(name).parts)

    def table(self) -> list[list[str]]:
        """A row of texts for each controller."""
        rows = self.rows
        columns = [
            [each.name for each in rows],
            _texts([each.residual for each in rows], "m"),
            [_settled(each.settled, each.failure) for each in rows],
            _texts([each.torque for each in rows], ""),
            _texts([each.decay for each in rows], ""),
            _texts([each.gain_margin for each in rows], ""),
            _texts([each.delay_margin for each in rows], "s"),
        ]
        if self.varied:
            columns.append(_texts([each.worst for each in rows], "m"))
        return [list(cells) for cells in zip(*columns, strict=True)]

    @property
    def heads(self) -> list[str]:
        """The heads of the table."""
        worst = ["worst residual"] if self.varied else []
        return ["controller", "residual", "settled", "torque", "decay 1/s", "gain margin", "delay margin", *worst]

    def summary(self) -> str:
        """The controllers in plain text."""
        lines = [
            f"{self.arm_name}: controllers with a sample of {quantity(self.sample, 's')} and a delay of {self.delay}",
            f"  the command ends at {quantity(self.command_end, 's')}; settled is within {quantity(self.within, 'm')}; "
            f"the first frequency is {quantity(self.frequency, 'Hz')}",
            "",
            aligned([self.heads, *self.table()], right=tuple(range(1, len(self.heads)))),
            "",
            *(f"  {each.name}: {each.words}" for each in self.rows),
        ]
        if self.varied:
            lines.append(f"  worst of: {', '.join(self.varied)}, designs for the nominal arm")
        lines += [f"  beware: {each.name}: {each.failure}" for each in self.rows if each.failure]
        failed = [(each.name, v) for each in self.rows for v in each.varied if v.failure]
        return "\n".join([*lines, *(f"  beware: {name}, {v.name}: {v.failure}" for name, v in failed)])

    def to_dict(self) -> dict[str, Any]:
        """The controllers in JSON's types, SI units."""
        return jsonable(
            {
                "arm": self.arm_name,
                "within_m": self.within,
                "sample_s": self.sample,
                "delay": self.delay,
                "frequency_hz": self.frequency,
                "command_end_s": self.command_end,
                "controlled": [
                    {
                        "name": each.name,
                        "words": each.words,
                        "residual_m": each.residual,
                        "settled_s": each.settled,
                        "torque": each.torque,
                        "decay": each.decay,
                        "gain_margin": each.gain_margin,
                        "delay_margin_s": each.delay_margin,
                        "failure": each.failure or None,
                        "varied": [
                            {
                                "name": v.name,
                                "residual_m": v.residual,
                                "settled_s": v.settled,
                                "failure": v.failure or None,
                            }
                            for v in each.varied
                        ],
                    }
                    for each in self.rows
                ],
            }
        )

    def drawn(self) -> dict[str, Any]:
        """What a page shows of it."""
        curves = [{"name": e.name, "time": e.time.tolist(), "distance": e.distance.tolist()} for e in self.rows]
        return self.to_dict() | {"curves": curves} | made_from(self.arm)


def _settled(value: float | None, failure: str) -> str:
    return quantity(value, "s") if value is not None else ("failed" if failure else "not in the run")


def _texts(values: list[float], unit: str) -> list[str]:
    sound = [value for value in values if np.isfinite(value)]
    written = iter(column(sound, unit) if unit else [digits(value, 4) for value in sound])
    return [next(written) if np.isfinite(x) else ("–" if np.isnan(x) else "∞") for x in values]
