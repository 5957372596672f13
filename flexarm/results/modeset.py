"""Natural modes of an arm in one posture."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, final

import numpy as np

from flexarm.results.engineering import aligned, digits, plural, quantity
from flexarm.results.plain import plain
from flexarm.results.posture import posture_line
from flexarm.results.records import frozen_array, frozen_mapping


@final
@dataclass(frozen=True, eq=False)
class ModeSet:
    """Frequencies (Hz), damping ratios and shapes, lowest frequency first.

    A shape is scaled so that the point moving most moves by one, its largest component being positive; without points,
    or where no point moves, so that the largest coordinate is one. `point_shapes` (modes × points × 3) are in the base
    frame, `shapes` (modes × coordinates) in the coordinates' own units.
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
    joints: Literal["locked", "free"] = "locked"
    arm_name: str = "arm"

    def __post_init__(self) -> None:
        count = len(self.names)
        shapes = frozen_array(self.shapes, (count, len(self.coordinates)), "shapes")
        points = frozen_array(self.point_shapes, (count, len(self.point_names), 3), "point_shapes")
        scales = np.array([_scale(shape, moved) for shape, moved in zip(shapes, points, strict=True)])
        checked: dict[str, Any] = {
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
        head = f"{self.arm_name}: {plural(len(self), 'mode')} with the joints {self.joints}"
        lines = [head, *posture_line(self.posture, self.posture_units)]
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
        return "\n".join([*lines, "", aligned(rows, right=(0, 1, 2, 3))])

    def to_dict(self) -> dict[str, Any]:
        """The modes in JSON's types."""
        return plain(
            {
                "arm": self.arm_name,
                "joints": self.joints,
                "posture": self.posture,
                "frequencies_hz": self.frequencies_hz,
                "damping_ratios": self.damping_ratios,
                "names": self.names,
                "coordinates": self.coordinates,
                "shapes": self.shapes,
                "point_names": self.point_names,
                "point_shapes": self.point_shapes,
            }
        )

    def _moves_most(self, index: int) -> str:
        shape = np.abs(self.shapes[index])
        return self.coordinates[int(shape.argmax())] if shape.size else ""


def _scale(shape: np.ndarray, moved: np.ndarray) -> float:
    """The factor by which a mode is too large, with the sign that makes its largest component positive."""
    turned = shape[np.abs(shape).argmax()] if shape.size else 0.0
    lengths = np.linalg.norm(moved, axis=1) if moved.size else np.zeros(1)
    # A twisting link moves points on its axis by rounding errors only: they are no measure of the mode.
    if lengths.max() > 1e-9 * abs(turned):
        farthest = moved[lengths.argmax()]
        return float(np.copysign(lengths.max(), farthest[np.abs(farthest).argmax()]))
    return float(turned) if turned != 0.0 else 1.0
