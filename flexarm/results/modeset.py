"""Natural modes of an arm in one posture, at rest or in steady rotation."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, final

import numpy as np

from flexarm.results.beam_models import reports_beams
from flexarm.results.engineering import aligned, digits, plural, quantity
from flexarm.results.jsonable import jsonable
from flexarm.results.pole import pole_cells, pole_kind
from flexarm.results.posture import describe_joints, describe_spin, posture_line
from flexarm.results.records import frozen_array, frozen_mapping, set_fields
from flexarm.results.reported import Result, drawn_by, made_from

if TYPE_CHECKING:
    from flexarm.model import Arm

# Phase differences of less than this part of the largest motion are not reported.
_OUT_OF_STEP = 0.1


@final
@reports_beams
@dataclass(frozen=True, eq=False)
class ModeSet(Result):
    """Frequencies (Hz), damping ratios and shapes, lowest frequency first.

    A shape is scaled so that the point moving most moves by one, its largest component being positive; without points,
    or where no point moves, so that the largest coordinate is one. `point_shapes` (modes × points × 3) are in the base
    frame, `shapes` (modes × coordinates) in the coordinates' own units.

    About a rotation (`spin`, rad/s by joint) Coriolis forces may let parts of the arm move out of step: both shapes are
    then complex and the motion is Re(shape · e^{iωt}), largest at t = 0 where the point moving most is concerned.
    Dampers and servos that couple the modes do the same.

    `poles` are the λ (1/s), of a conjugate pair the one with Im λ > 0: frequencies are abs λ/2π, damping ratios
    −Re λ/abs λ. `kinds` are the kinds: "oscillation", "free" (λ = 0), "flutter" (a pair that grows) or "divergence"
    (a real pole that grows, frequency 0); `growth_rates` (1/s; zero: stable) how fast. Stable real poles are no modes:
    `real_poles` (1/s, slowest first, named by `real_pole_names`) has those not faster than the last mode.

    `joint_states` has "locked", "free" or "servo" for every joint, `joints` the same in a word or by the names of the
    free ones. `remarks` are sentences about the range of the model. `arm` and `at`, the coordinates of the posture by
    name, are what it takes to draw the modes.
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
    joints: str | tuple[str, ...] = "locked"  # "locked", "free", "servo", or the names of those that are free
    arm_name: str = "arm"
    spin: Mapping[str, float] = field(default_factory=dict)
    growth_rates: np.ndarray = field(default_factory=lambda: np.empty(0))
    remarks: tuple[str, ...] = ()
    poles: np.ndarray = field(default_factory=lambda: np.empty(0))
    kinds: tuple[str, ...] = ()
    real_poles: np.ndarray = field(default_factory=lambda: np.empty(0))
    real_pole_names: tuple[str, ...] = ()
    joint_states: Mapping[str, str] = field(default_factory=dict)
    arm: "Arm | None" = field(default=None, repr=False)
    at: Mapping[str, float] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        count = len(self.names)
        shapes = frozen_array(self.shapes, (count, len(self.coordinates)), "shapes")
        points = frozen_array(self.point_shapes, (count, len(self.point_names), 3), "point_shapes")
        scales = np.array([_scale(shape, moved) for shape, moved in zip(shapes, points, strict=True)])
        growth = self.growth_rates if np.size(self.growth_rates) else np.zeros(count)
        omega, ratio = 2.0 * np.pi * np.asarray(self.frequencies_hz), np.asarray(self.damping_ratios)
        alone = omega * (-ratio + 1j * np.sqrt(np.maximum(1.0 - ratio**2, 0.0)))
        poles = self.poles if np.size(self.poles) else alone
        checked: dict[str, Any] = {
            "growth_rates": frozen_array(growth, (count,), "growth_rates"),
            "poles": frozen_array(np.asarray(poles, complex), (count,), "poles"),
            "kinds": tuple(self.kinds) or tuple(pole_kind(pole) for pole in poles),
            "real_poles": frozen_array(self.real_poles, (len(self.real_pole_names),), "real_poles"),
            "real_pole_names": tuple(self.real_pole_names),
            "joint_states": frozen_mapping(self.joint_states),
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
        set_fields(self, checked)

    def __len__(self) -> int:
        return len(self.names)

    def summary(self) -> str:
        """A table of the modes in plain text."""
        head = f"{self.arm_name}: {plural(len(self), 'mode')} with {describe_joints(self.joint_states or self.joints)}"
        lines = [head + describe_spin(self.spin), *posture_line(self.posture, self.posture_units)]
        if not len(self):
            return "\n".join([*lines, *self._real(), *self._notes()])
        rows = [["mode", "frequency", "period", "damping ratio", "moves most", "name"]]
        for index, name in enumerate(self.names):
            pole, kind = complex(self.poles[index]), self.kinds[index]
            rows.append([str(index + 1), *pole_cells(pole, kind), self._moves_most(index), name])
        return "\n".join([*lines, "", aligned(rows, right=(0, 1, 2, 3)), *self._real(), *self._notes()])

    def to_dict(self) -> dict[str, Any]:
        """The modes in JSON's types."""
        facts: dict[str, Any] = {
            "arm": self.arm_name,
            "joints": self.joints,
            "joint_states": self.joint_states,
            "posture": self.posture,
            "posture_units": self.posture_units,
            "frequencies_hz": self.frequencies_hz,
            "damping_ratios": self.damping_ratios,
            "poles": self.poles,
            "kinds": self.kinds,
            "growth_rates": self.growth_rates,
            "real_poles": self.real_poles,
            "real_pole_names": self.real_pole_names,
            "time_constants_s": -1.0 / self.real_poles,
            "names": self.names,
            "coordinates": self.coordinates,
            "shapes": self.shapes.real,
            "point_names": self.point_names,
            "point_shapes": self.point_shapes.real,
        }
        if self.spin:
            facts["spin_rad_s"] = self.spin
        if self.spin or self.remarks:
            facts["remarks"] = self.remarks
        if np.iscomplexobj(self.shapes):
            facts |= {"shapes_imaginary": self.shapes.imag, "point_shapes_imaginary": self.point_shapes.imag}
        return jsonable(facts)

    def drawn(self) -> dict[str, Any]:
        """What a page shows of them: `to_dict`, and the arm's centre line in every mode as `line`."""
        line = {"line": drawn_by("modes.lines", "mode_lines", self), "notes": self._notes()[1:]}
        return self.to_dict() | line | made_from(self.arm)

    def _real(self) -> list[str]:
        """A table of the stable real poles."""
        if not len(self.real_poles):
            return []
        rows = [["real pole, 1/s", "time constant", "name"]]
        for pole, name in zip(self.real_poles, self.real_pole_names, strict=True):
            rows.append([digits(float(pole)), quantity(-1.0 / float(pole), "s"), name])
        return ["", aligned(rows, right=(0, 1))]

    def _notes(self) -> list[str]:
        """Lines below the table: modes that leave, modes out of step, and where the model ends."""
        notes = []
        for index, growth in enumerate(self.growth_rates):
            if growth > 0.0:
                twice = quantity(np.log(2.0) / growth, "s")
                notes.append(f"  mode {index + 1} is unstable by {self.kinds[index]}: twice as large every {twice}")
        if np.iscomplexobj(self.shapes) and (self.spin or np.max(np.abs(self.shapes.imag)) > _OUT_OF_STEP):
            why = "Coriolis forces" if self.spin else "Dampers, servos or loads that follow the arm"
            notes.append(f"  {why} put parts of the arm out of step: shapes are complex, Re(shape · exp(iωt))")
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
