"""A linear state-space model of an arm about one operating point."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, final

import numpy as np

from flexarm.errors import AnalysisError
from flexarm.results.beam_models import reports_beams
from flexarm.results.engineering import aligned, digits, plural
from flexarm.results.jsonable import jsonable
from flexarm.results.pole import pole_cells, pole_kind, without_rounding
from flexarm.results.posture import describe_joints, posture_line
from flexarm.results.records import frozen_array, frozen_mapping, set_fields
from flexarm.results.reported import Result, made_from

if TYPE_CHECKING:
    from flexarm.model import Arm

_SHOWN_POLES = 20
_SHOWN_NAMES = 12


@final
@reports_beams
@dataclass(frozen=True, eq=False)
class LinearModel(Result):
    """ẋ = A x + B u, y = C x + D u for small departures from the operating point, SI units.

    `operating_point` holds the value of every coordinate about which the arm was linearised, `joint_states` what every
    joint does: "locked", "free" or "servo". Names have letters, digits and underscores only. `known_poles` are the
    eigenvalues of A as they were found with the arm's own matrices, which keeps the digits of the low ones.
    `mass`, `damping` and `stiffness` are those of mass q̈ + damping q̇ + stiffness q = forces, over `coordinate_names`;
    gyroscopic, geometric and gravity's terms and the gains of servos are in them. `signal_names` are the outputs in the
    spelling of the list of signals ("tip.across"), of which `output_names` ("tip_across") are made.
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
    state_units: tuple[str, ...] = ()
    input_units: tuple[str, ...] = ()
    output_units: tuple[str, ...] = ()
    joints: str | tuple[str, ...] = "free"
    joint_states: Mapping[str, str] = field(default_factory=dict)
    known_poles: np.ndarray | None = field(default=None, repr=False)
    coordinate_names: tuple[str, ...] = ()
    mass: np.ndarray | None = field(default=None, repr=False)
    damping: np.ndarray | None = field(default=None, repr=False)
    stiffness: np.ndarray | None = field(default=None, repr=False)
    signal_names: tuple[str, ...] = ()
    states_left_out: int = 0  # by `reduced`
    remarks: tuple[str, ...] = ()  # what the model leaves out of the joints
    arm_name: str = "arm"
    arm: "Arm | None" = field(default=None, repr=False)

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
            "state_units": tuple(self.state_units) or ("",) * states,
            "input_units": tuple(self.input_units) or ("",) * inputs,
            "output_units": tuple(self.output_units) or ("",) * outputs,
            "operating_point": frozen_mapping(self.operating_point),
            "operating_units": frozen_mapping(self.operating_units),
            "joint_states": frozen_mapping(self.joint_states),
            "remarks": tuple(self.remarks),
        }
        if self.known_poles is not None:
            checked["known_poles"] = frozen_array(np.asarray(self.known_poles, complex), (states,), "known_poles")
        set_fields(self, checked)

    def output(self, signal: str) -> int:
        """Which of the outputs is a signal, by its name in the list ("tip.across") or its output's ("tip_across")."""
        for names in (self.signal_names, self.output_names):
            if signal in names:
                return names.index(signal)
        raise AnalysisError(f'there is no output "{signal}", must be one of signal_names')

    def poles(self) -> np.ndarray:
        """The eigenvalues of A, 1/s, slowest first; of a conjugate pair the one with negative imaginary part first."""
        if self.known_poles is not None:
            poles = np.array(self.known_poles)
        else:
            poles = without_rounding(np.linalg.eigvals(self.A) if self.state_names else np.empty(0))
        return poles[np.lexsort((poles.imag, np.round(np.abs(poles), 9)))]

    def reduced(self, modes: int) -> "LinearModel":
        """The model with its lowest `modes` modes alone, and in D what the others do to statics.

        A mode is a conjugate pair or a real pole. Poles at zero - rigid-body motions, joints whose acceleration is an
        input - and unstable ones are kept with them. States are modal coordinates; poles, and gains at zero frequency
        where there are any, are those of the whole model.
        """
        from flexarm.results.truncation import truncated

        if modes < 1:
            raise AnalysisError(f"modes is {modes}, must be ≥ 1")
        found = truncated(self.A, self.B, self.C, self.D, self.poles(), modes)
        if found is None:
            return self
        return replace(
            self,
            A=found.A,
            B=found.B,
            C=found.C,
            D=found.D,
            state_names=found.names,
            state_units=(),
            coordinate_names=(),
            mass=None,
            damping=None,
            stiffness=None,
            known_poles=found.poles,
            states_left_out=self.states_left_out + len(self.A) - len(found.A),
        )

    def response(self, frequencies_hz: Sequence[float] | np.ndarray) -> np.ndarray:
        """C (iω − A)⁻¹ B + D (frequencies × outputs × inputs), complex, at frequencies in Hz; infinite at a pole."""
        omega = 2.0 * np.pi * np.asarray(frequencies_hz, dtype=float)
        return frequency_response((self.A, self.B, self.C, self.D), omega)

    def to_control(self) -> Any:
        """The model as a `control.StateSpace` with all its names; wants the package python-control."""
        try:
            import control
        except ImportError:
            raise AnalysisError(
                "python-control is not installed; try: pip install 'flexarm[control]', or take A, B, C, D as they are"
            ) from None
        names = {"states": self.state_names, "inputs": self.input_names, "outputs": self.output_names}
        return control.ss(self.A, self.B, self.C, self.D, **{key: list(value) for key, value in names.items()})

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
        if self.joint_states:
            parts[0] += f", {describe_joints(self.joint_states)}"
        # the joints give the posture; elastic coordinates of a fine mesh would fill the terminal
        joints = {k: x for k, x in self.operating_point.items() if k in self.joint_states}
        parts += posture_line(joints or self.operating_point, self.operating_units)
        if self.states_left_out:
            left = plural(self.states_left_out, "state")
            parts.append(f"  {left} left out: of faster modes what they do to statics is kept, in D")
        parts.append(aligned([["inputs", _listed(self.input_names)], ["outputs", _listed(self.output_names)]]))
        return "\n".join([*parts, *self._pole_lines(), *(f"  beware: {remark}" for remark in self.remarks)])

    def _pole_lines(self) -> list[str]:
        poles = self.poles()
        zeros = int(np.count_nonzero(poles == 0.0))
        poles = poles[(poles.imag >= 0.0) & (poles != 0.0)]
        rows = [["pole, 1/s", "frequency", "period", "damping ratio"]]
        if zeros:
            rows.append([f"0 ({zeros} of them)" if zeros > 1 else "0", *pole_cells(0.0, "free")])
        for pole in poles[:_SHOWN_POLES]:
            rows.append([format_pole(complex(pole)), *pole_cells(complex(pole), pole_kind(complex(pole)), 4)])
        lines = ["", aligned(rows, right=(0, 1, 2, 3))] if len(rows) > 1 else []
        if len(poles) > _SHOWN_POLES:
            lines.append(f"  and {len(poles) - _SHOWN_POLES} faster ones")
        unstable = [kind for pole in poles if (kind := pole_kind(complex(pole))) in ("flutter", "divergence")]
        if unstable:
            lines.append(f"  unstable by {' and '.join(dict.fromkeys(unstable))}")
        return lines

    def to_dict(self) -> dict[str, Any]:
        """The matrices and names in JSON's types."""
        poles = self.poles()
        return jsonable(
            {
                "arm": self.arm_name,
                "joints": self.joints,
                "joint_states": self.joint_states,
                "A": self.A,
                "B": self.B,
                "C": self.C,
                "D": self.D,
                "state_names": self.state_names,
                "input_names": self.input_names,
                "output_names": self.output_names,
                "state_units": self.state_units,
                "input_units": self.input_units,
                "output_units": self.output_units,
                "operating_point": self.operating_point,
                "operating_units": self.operating_units,
                "states_left_out": self.states_left_out,
                "remarks": list(self.remarks),
                "poles": poles,
                "kinds": [pole_kind(complex(pole)) for pole in poles],
            }
        )

    def drawn(self) -> dict[str, Any]:
        """What a page shows of it: `to_dict`, and the model file of the arm."""
        return self.to_dict() | made_from(self.arm)


def frequency_response(matrices: Sequence[np.ndarray], omega: np.ndarray) -> np.ndarray:
    """C (iω − A)⁻¹ B + D (frequencies × outputs × inputs) of A, B, C, D at frequencies in rad/s; infinite at a pole."""
    a, b, c, d = matrices
    found = np.full((len(omega), *d.shape), complex(np.inf, 0.0))
    for k, w in enumerate(omega):
        with suppress(np.linalg.LinAlgError):  # an undamped mode at its own frequency
            found[k] = c @ np.linalg.solve(1j * w * np.eye(len(a)) - a, b) + d
    return found


def format_pole(pole: complex) -> str:
    """A pole (1/s), with its conjugate where it has one."""
    return f"{digits(pole.real)} ± {digits(abs(pole.imag))} i" if pole.imag else digits(pole.real)


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _SHOWN_NAMES
    if more <= 0:
        return ", ".join(names) or "none"
    return f"{', '.join(names[:_SHOWN_NAMES])} and {more} more"
