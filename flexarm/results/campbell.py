"""Frequencies of an arm over the speed at which it spins."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, final

import numpy as np

from flexarm.results.beam_models import reports_beams
from flexarm.results.engineering import aligned, digits, plural
from flexarm.results.jsonable import jsonable
from flexarm.results.posture import describe_joints, posture_line, rpm
from flexarm.results.records import frozen_array, frozen_mapping, set_fields
from flexarm.results.reported import Result, made_from

if TYPE_CHECKING:
    from flexarm.model import Arm

_ROWS_SHOWN = 25
_COLUMNS_SHOWN = 8


class Crossing(NamedTuple):
    """A speed (rad/s) at which the frequency (Hz) of a mode, counted from 0, is `order` times the speed."""

    mode: int
    order: int
    spin: float
    frequency_hz: float


@final
@reports_beams
@dataclass(frozen=True, eq=False)
class Campbell(Result):
    """Frequencies (Hz, speeds × modes) over the speed (rad/s) of a joint; a column is one mode, followed by its shape.

    Frequencies are those of the poles, abs λ/2π. NaN: the mode was lost, or swings no more; zero: it is a rigid-body
    motion or diverges, as `growth_rates` (1/s) shows. To each mode
    ω² = ω0² + a Ω² is fitted: `rest_hz` is ω0, `coefficients` a, `misfits_hz` the largest error of the fit.
    `crossings` are the critical speeds, where a frequency is one of the first `orders` multiples of the speed.
    """

    spins: np.ndarray
    frequencies_hz: np.ndarray
    damping_ratios: np.ndarray
    growth_rates: np.ndarray
    names: tuple[str, ...]
    rest_hz: np.ndarray
    coefficients: np.ndarray
    misfits_hz: np.ndarray
    joint: str
    crossings: tuple[Crossing, ...] = ()
    orders: int = 4
    joints: str | tuple[str, ...] = "locked"
    joint_states: Mapping[str, str] = field(default_factory=dict)
    posture: Mapping[str, float] = field(default_factory=dict)
    posture_units: Mapping[str, str] = field(default_factory=dict)
    arm_name: str = "arm"
    remarks: tuple[str, ...] = ()
    arm: "Arm | None" = field(default=None, repr=False)

    def __post_init__(self) -> None:
        speeds, count = len(self.spins), len(self.names)
        checked: dict[str, Any] = {"spins": frozen_array(self.spins, (speeds,), "spins")}
        for name in ("frequencies_hz", "damping_ratios", "growth_rates"):
            checked[name] = frozen_array(getattr(self, name), (speeds, count), name)
        for name in ("rest_hz", "coefficients", "misfits_hz"):
            checked[name] = frozen_array(getattr(self, name), (count,), name)
        checked |= {name: tuple(getattr(self, name)) for name in ("names", "crossings", "remarks")}
        checked |= {name: frozen_mapping(getattr(self, name)) for name in ("posture", "posture_units", "joint_states")}
        set_fields(self, checked)

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"<Campbell of {self.arm_name}: {plural(len(self), 'mode')} at {plural(len(self.spins), 'speed')}>"

    def lines_hz(self) -> np.ndarray:
        """The multiples of the speed (Hz, speeds × orders), to be drawn with the frequencies."""
        return np.outer(self.spins, np.arange(1, self.orders + 1)) / (2.0 * np.pi)

    def summary(self) -> str:
        """Three tables in plain text: frequencies over speed, how they rise, and the critical speeds."""
        low, high = float(self.spins[0]), float(self.spins[-1])
        head = (
            f"{self.arm_name}: {plural(len(self), 'mode')} with {describe_joints(self.joint_states or self.joints)}, "
            f"{self.joint} spins at {digits(low)} to {digits(high)} rad/s ({rpm(high)})"
        )
        parts = [head, *posture_line(self.posture, self.posture_units)]
        for first in range(0, len(self), _COLUMNS_SHOWN):
            parts += ["", self._table(range(first, min(first + _COLUMNS_SHOWN, len(self))))]
        step = self._thinning()
        if step > 1:
            word = {2: "second", 3: "third"}.get(step, f"{step}th")
            parts.append(f"  every {word} of {len(self.spins)} speeds is shown; --csv and to_csv() have them all")
        parts += ["", self._rises(), "", *self._critical()]
        return "\n".join([*parts, *(f"  beware: {remark}" for remark in self.remarks)])

    def to_dict(self) -> dict[str, Any]:
        """The diagram in JSON's types, ready to be plotted."""
        modes = [
            {
                "name": name,
                "frequencies_hz": self.frequencies_hz[:, k],
                "damping_ratios": self.damping_ratios[:, k],
                "growth_rates": self.growth_rates[:, k],
                "southwell": {
                    "rest_hz": self.rest_hz[k],
                    "coefficient": self.coefficients[k],
                    "misfit_hz": self.misfits_hz[k],
                },
            }
            for k, name in enumerate(self.names)
        ]
        return jsonable(
            {
                "arm": self.arm_name,
                "joint": self.joint,
                "joints": self.joints,
                "joint_states": self.joint_states,
                "posture": self.posture,
                "posture_units": self.posture_units,
                "spins_rad_s": self.spins,
                "spins_rpm": self.spins * 30.0 / np.pi,
                "modes": modes,
                "lines": [{"order": order + 1, "frequencies_hz": line} for order, line in enumerate(self.lines_hz().T)],
                "crossings": [crossing._asdict() for crossing in self.crossings],
                "remarks": self.remarks,
            }
        )

    def drawn(self) -> dict[str, Any]:
        """What a page shows of it: `to_dict`, the model file and the versions."""
        return self.to_dict() | made_from(self.arm)

    def to_csv(self) -> str:
        """The diagram as comma-separated values: speed in rad/s and rpm, every mode and every multiple in Hz."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        multiples = [f"{order}/rev [Hz]" for order in range(1, self.orders + 1)]
        writer.writerow(["spin [rad/s]", "spin [rpm]", *(f"{name} [Hz]" for name in self.names), *multiples])
        for spin, found, lines in zip(self.spins, self.frequencies_hz, self.lines_hz(), strict=True):
            cells = ["" if np.isnan(value) else repr(float(value)) for value in found]
            writer.writerow([repr(float(spin)), repr(float(spin * 30.0 / np.pi)), *cells, *map(repr, lines.tolist())])
        return text.getvalue()

    # --- Tables ------------------------------------------------------------------------------------------------------

    def _thinning(self) -> int:
        return -(-len(self.spins) // _ROWS_SHOWN)

    def _table(self, columns: Sequence[int]) -> str:
        rows = [["rad/s", "rpm", *(f"mode {k + 1}" for k in columns)], ["", "", *("Hz" for _ in columns)]]
        for j in range(0, len(self.spins), self._thinning()):
            speed = float(self.spins[j])
            rows.append([digits(speed), digits(speed * 30.0 / np.pi), *(self._cell(j, k) for k in columns)])
        return aligned(rows, right=range(len(rows[0])))

    def _cell(self, j: int, k: int) -> str:
        frequency, growth = float(self.frequencies_hz[j, k]), float(self.growth_rates[j, k])
        if np.isnan(frequency):
            return "lost"
        if growth > 0.0:
            return "divergence" if frequency == 0.0 else f"{digits(frequency, 5)} flutter"
        return digits(frequency, 5)

    def _rises(self) -> str:
        rows = [["mode", "ω0", "a", "fit errs by", "name"]]
        for k, name in enumerate(self.names):
            numbers = [_hz(self.rest_hz[k]), digits(float(self.coefficients[k])), _hz(self.misfits_hz[k], 2)]
            rows.append([str(k + 1), *numbers, name])
        return "  ω² = ω0² + a Ω² fitted to every mode\n" + aligned(rows, right=(0, 1, 2, 3))

    def _critical(self) -> list[str]:
        if not self.crossings:
            return [f"  no critical speed: no frequency is 1 to {self.orders} times the speed in this range"]
        rows = [["critical speed", "", "frequency", "which is", "mode", "name"]]
        for mode, order, spin, frequency in self.crossings:
            rows.append(
                [f"{digits(spin)} rad/s", rpm(spin), _hz(frequency), f"{order}/rev", str(mode + 1), self.names[mode]]
            )
        return [aligned(rows, right=(0, 1, 2, 3, 4))]


def _hz(value: float, significant: int = 5) -> str:
    return f"{digits(float(value), significant)} Hz" if np.isfinite(value) else "unknown"
