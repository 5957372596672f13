"""Natural modes of an arm in one posture, at rest or in steady rotation."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

import numpy as np

from flexarm.results.beam_models import tells_beams
from flexarm.results.displayed import displayed
from flexarm.results.engineering import aligned, digits, plural, quantity
from flexarm.results.plain import plain
from flexarm.results.posture import joints_told, posture_line, spin_told
from flexarm.results.records import frozen_array, frozen_mapping
from flexarm.results.reported import drawn_by, made_from, reported

if TYPE_CHECKING:
    from flexarm.model import Arm


@final
@tells_beams
@dataclass(frozen=True, eq=False)
class ModeSet:
    """Frequencies (Hz), damping ratios and shapes, lowest frequency first.

    A shape is scaled so that the point moving most moves by one, its largest component being positive; without points,
    or where no point moves, so that the largest coordinate is one. `point_shapes` (modes × points × 3) are in the base
    frame, `shapes` (modes × coordinates) in the coordinates' own units.

    About a rotation (`spin`, rad/s by joint) Coriolis forces may let parts of the arm move out of step: both shapes are
    then complex and the motion is Re(shape · e^{iωt}), largest at t = 0 where the point moving most is concerned.
    Frequencies are those without dampers; one that diverges has the frequency 0, and `growth_rates` tells how fast an
    unstable mode grows (1/s; zero: stable). `remarks` are sentences about the range of the model. `arm` and `at`, the
    coordinates of the posture by name, are what it takes to draw the modes.
    """

    frequencies_hz: np.ndarray
    damping_ratios: np.ndarray
    names: tuple[str, ...]
    coordinates: tuple[str, ...]
    shapes: np.ndarray
    point_names: tuple[str, ...] = ()
    point_shapes: np.ndarray = field(default_factory=lambda: np.empty(0))
    posture: Mapping[str, float] = field(default_factory=dict)
    posture_units: Mapping[str, str] = field(default_factory=dict)
    joints: str | tuple[str, ...] = "locked"  # "locked", "free", or the names of those that are free
    arm_name: str = "arm"
    spin: Mapping[str, float] = field(default_factory=dict)
    growth_rates: np.ndarray = field(default_factory=lambda: np.empty(0))
    remarks: tuple[str, ...] = ()
    arm: "Arm | None" = field(default=None, repr=False)
    at: Mapping[str, float] = field(default_factory=dict, repr=False)

    _repr_html_ = displayed  # how a notebook shows it

    def __post_init__(self) -> None:
        count = len(self.names)
        shapes = frozen_array(self.shapes, (count, len(self.coordinates)), "shapes")
        points = frozen_array(self.point_shapes, (count, len(self.point_names), 3), "point_shapes")
        scales = np.array([_scale(shape, moved) for shape, moved in zip(shapes, points, strict=True)])
        growth = self.growth_rates if np.size(self.growth_rates) else np.zeros(count)
        checked: dict[str, Any] = {
            "growth_rates": frozen_array(growth, (count,), "growth_rates"),
            "spin": frozen_mapping(self.spin),
            "remarks": tuple(self.remarks),
            "at": frozen_mapping(self.at),
            "frequencies_hz": frozen_array(self.frequencies_hz, (count,), "frequencies_hz"),
            "damping_ratios": frozen_array(self.damping_ratios, (count,), "damping_ratios"),
            "shapes": frozen_array(shapes / scales[:, None], shapes.shape, "shapes"),
            "point_shapes": frozen_array(points / scales[:, None, None], points.shape, "point_shapes"),
            "names": tuple(self.names),
            "coordinates": tuple(self.coordinates),
            "point_names": tuple(self.point_names),
            "posture": frozen_mapping(self.posture),
            "posture_units": frozen_mapping(self.posture_units),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    def __len__(self) -> int:
        return len(self.names)

    def summary(self) -> str:
        """A table of the modes in plain text."""
        head = f"{self.arm_name}: {plural(len(self), 'mode')} with {joints_told(self.joints)}"
        lines = [head + spin_told(self.spin), *posture_line(self.posture, self.posture_units)]
        if not len(self):
            return "\n".join(lines)
        rows = [["mode", "frequency", "period", "damping ratio", "moves most", "name"]]
        for index, name in enumerate(self.names):
            frequency, ratio = float(self.frequencies_hz[index]), float(self.damping_ratios[index])
            rows.append(
                [
                    str(index + 1),
                    f"{digits(frequency, 5)} Hz",
                    quantity(1.0 / frequency, "s") if frequency > 0.0 else "none",
                    f"{digits(100.0 * ratio, 3)} %",
                    self._moves_most(index),
                    name,
                ]
            )
        return "\n".join([*lines, "", aligned(rows, right=(0, 1, 2, 3)), *self._notes()])

    def to_dict(self) -> dict[str, Any]:
        """The modes in JSON's types."""
        facts: dict[str, Any] = {
            "arm": self.arm_name,
            "joints": self.joints,
            "posture": self.posture,
            "posture_units": self.posture_units,
            "frequencies_hz": self.frequencies_hz,
            "damping_ratios": self.damping_ratios,
            "names": self.names,
            "coordinates": self.coordinates,
            "shapes": self.shapes.real,
            "point_names": self.point_names,
            "point_shapes": self.point_shapes.real,
            "remarks": self.remarks,
        }
        if self.spin:
            facts |= {"spin_rad_s": self.spin, "growth_rates": self.growth_rates}
        if np.iscomplexobj(self.shapes):
            facts |= {"shapes_imaginary": self.shapes.imag, "point_shapes_imaginary": self.point_shapes.imag}
        return plain(facts)

    def drawn(self) -> dict[str, Any]:
        """What a page shows of them: `to_dict`, and the arm's centre line in every mode as `line`."""
        line = {"line": drawn_by("mode_lines", "mode_lines", self), "notes": self._notes()[1:]}
        return self.to_dict() | line | made_from(self.arm)

    def report(self, path: str | os.PathLike[str]) -> Path:
        """The path of the HTML page now showing them."""
        return reported(self, path)

    def _notes(self) -> list[str]:
        """Lines below the table: modes that leave, modes out of step, and where the model ends."""
        notes = []
        for index, growth in enumerate(self.growth_rates):
            if growth > 0.0:
                word = "grows" if self.frequencies_hz[index] > 0.0 else "diverges"
                notes.append(f"  mode {index + 1} {word}: twice as large every {quantity(np.log(2.0) / growth, 's')}")
        if np.iscomplexobj(self.shapes):
            notes.append("  Coriolis forces put parts of the arm out of step: shapes are complex, Re(shape · exp(iωt))")
        notes += [f"  beware: {remark}" for remark in self.remarks]
        return ["", *notes] if notes else []

    def _moves_most(self, index: int) -> str:
        shape = np.abs(self.shapes[index])
        return self.coordinates[int(shape.argmax())] if shape.size else ""


def _scale(shape: np.ndarray, moved: np.ndarray) -> complex:
    """The factor by which a mode is too large, with the sign that makes its largest component positive; of a complex
    mode with the phase at which its farthest point is farthest.
    """
    if np.iscomplexobj(shape):
        return _complex_scale(shape, moved)
    turned = shape[np.abs(shape).argmax()] if shape.size else 0.0
    lengths = np.linalg.norm(moved, axis=1) if moved.size else np.zeros(1)
    # A twisting link moves points on its axis by rounding errors only: they are no measure of the mode.
    if lengths.max() > 1e-9 * abs(turned):
        farthest = moved[lengths.argmax()]
        return float(np.copysign(lengths.max(), farthest[np.abs(farthest).argmax()]))
    return float(turned) if turned != 0.0 else 1.0


def _complex_scale(shape: np.ndarray, moved: np.ndarray) -> complex:
    turned = complex(shape[np.abs(shape).argmax()]) if shape.size else 0.0
    # p moves on an ellipse, Re(p e^{iφ}); it is farthest at the phase that makes p·p positive
    squares = np.sum(moved**2, axis=-1) if moved.size else np.zeros(1)
    far = np.sqrt(0.5 * (np.sum(np.abs(moved) ** 2, axis=-1) + np.abs(squares))) if moved.size else np.zeros(1)
    best = int(far.argmax())
    if far[best] > 1e-9 * abs(turned):
        phase = np.exp(0.5j * np.angle(squares[best]))
        farthest = (moved[best] / phase).real
        return complex(phase * np.copysign(far[best], farthest[np.abs(farthest).argmax()]))
    return turned if turned != 0.0 else 1.0
