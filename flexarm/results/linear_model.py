"""A linear state-space model of an arm about one operating point."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

import numpy as np

from flexarm.results.beam_models import tells_beams
from flexarm.results.displayed import displayed
from flexarm.results.engineering import aligned, digits, percent, plural
from flexarm.results.plain import plain
from flexarm.results.posture import posture_line
from flexarm.results.records import frozen_array, frozen_mapping
from flexarm.results.reported import made_from, reported

if TYPE_CHECKING:
    from flexarm.model import Arm

_SHOWN_POLES = 20


@final
@tells_beams
@dataclass(frozen=True, eq=False)
class LinearModel:
    """ẋ = A x + B u, y = C x + D u for small departures from the operating point, SI units.

    `operating_point` holds the value of every coordinate and input about which the arm was linearised.
    """

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray
    state_names: tuple[str, ...]
    input_names: tuple[str, ...]
    output_names: tuple[str, ...]
    operating_point: Mapping[str, float] = field(default_factory=dict)
    operating_units: Mapping[str, str] = field(default_factory=dict)
    arm_name: str = "arm"
    arm: "Arm | None" = field(default=None, repr=False)

    _repr_html_ = displayed  # how a notebook shows it

    def __post_init__(self) -> None:
        states, inputs, outputs = len(self.state_names), len(self.input_names), len(self.output_names)
        checked: dict[str, Any] = {
            "A": frozen_array(self.A, (states, states), "A"),
            "B": frozen_array(self.B, (states, inputs), "B"),
            "C": frozen_array(self.C, (outputs, states), "C"),
            "D": frozen_array(self.D, (outputs, inputs), "D"),
            "state_names": tuple(self.state_names),
            "input_names": tuple(self.input_names),
            "output_names": tuple(self.output_names),
            "operating_point": frozen_mapping(self.operating_point),
            "operating_units": frozen_mapping(self.operating_units),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    def poles(self) -> np.ndarray:
        """The eigenvalues of A, 1/s, slowest first; of a conjugate pair the one with negative imaginary part first."""
        found = np.linalg.eigvals(self.A) if self.state_names else np.empty(0)
        poles = np.asarray(found, dtype=complex)
        return poles[np.lexsort((poles.imag, np.round(np.abs(poles), 12)))]

    def summary(self) -> str:
        """The sizes, the names and the poles in plain text."""
        sizes = [
            plural(len(names), word)
            for names, word in (
                (self.state_names, "state"),
                (self.input_names, "input"),
                (self.output_names, "output"),
            )
        ]
        parts = [f"{self.arm_name}: linear model with {', '.join(sizes)}"]
        # the joints tell the posture; a fine link's elastic coordinates would fill the screen
        joints = {k: x for k, x in self.operating_point.items() if f"{k}.position" in self.output_names}
        parts += posture_line(joints or self.operating_point, self.operating_units)
        names = [["inputs", ", ".join(self.input_names) or "none"], ["outputs", ", ".join(self.output_names) or "none"]]
        parts.append(aligned(names))
        poles = [pole for pole in self.poles() if pole.imag >= 0.0]
        if poles:
            rows = [["pole, 1/s", "frequency", "damping ratio"]]
            for pole in poles[:_SHOWN_POLES]:
                rows.append([_pole(pole), f"{digits(abs(pole) / (2.0 * np.pi))} Hz", _ratio(pole)])
            parts += ["", aligned(rows, right=(0, 1, 2))]
        if len(poles) > _SHOWN_POLES:
            parts.append(f"  and {len(poles) - _SHOWN_POLES} faster ones")
        return "\n".join(parts)

    def to_dict(self) -> dict[str, Any]:
        """The matrices and names in JSON's types."""
        return plain(
            {
                "arm": self.arm_name,
                "A": self.A,
                "B": self.B,
                "C": self.C,
                "D": self.D,
                "state_names": self.state_names,
                "input_names": self.input_names,
                "output_names": self.output_names,
                "operating_point": self.operating_point,
                "operating_units": self.operating_units,
                "poles": self.poles(),
            }
        )

    def drawn(self) -> dict[str, Any]:
        """What a page shows of it: `to_dict`, and the model file of the arm."""
        return self.to_dict() | made_from(self.arm)

    def report(self, path: str | os.PathLike[str]) -> Path:
        """The path of the HTML page now showing it."""
        return reported(self, path)


def _pole(pole: complex) -> str:
    return f"{digits(pole.real)} ± {digits(pole.imag)} i" if pole.imag else digits(pole.real)


def _ratio(pole: complex) -> str:
    return percent(-pole.real / abs(pole)) if abs(pole) > 0.0 else "none"
