"""Drive torques of the flexible arm compared with those of the same arm with rigid links."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from flexarm.results.beam_models import beam_rows
from flexarm.results.engineering import aligned, column, digits, is_number
from flexarm.results.jsonable import jsonable
from flexarm.results.mean import root_mean_square
from flexarm.results.records import frozen_array, frozen_mapping, set_fields
from flexarm.results.reported import Result


@final
@dataclass(frozen=True, eq=False)
class DriveTorques(Result):
    """Torque or force of every drive over time (time × joint), in the joint's unit, N m or N.

    `arm_text` and `info` are the model file and the information of the run they were found in.
    """

    time: np.ndarray
    joints: tuple[str, ...]
    flexible: np.ndarray
    rigid: np.ndarray
    units: tuple[str, ...] = ()
    arm_name: str = "arm"
    arm_text: str = field(default="", repr=False)
    info: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        joints = tuple(self.joints)
        units = tuple(self.units) or ("N m",) * len(joints)
        if len(units) != len(joints):
            raise ValueError(f"{len(units)} units for {len(joints)} joints")
        time = frozen_array(self.time, np.shape(self.time)[:1], "time")
        checked: dict[str, Any] = {
            "time": time,
            "joints": joints,
            "flexible": frozen_array(self.flexible, (time.size, len(joints)), "flexible"),
            "rigid": frozen_array(self.rigid, (time.size, len(joints)), "rigid"),
            "units": units,
            "info": frozen_mapping(self.info),
        }
        set_fields(self, checked)

    def peaks(self) -> np.ndarray:
        """The largest magnitudes among the samples (joint × [flexible, rigid]); jumps are not interpolated."""
        return np.array(
            [[_peak(table[:, j]) for table in (self.flexible, self.rigid)] for j in range(len(self.joints))]
        )

    def rms(self) -> np.ndarray:
        """Root mean squares over time (joint × [flexible, rigid])."""
        return np.array(
            [
                [root_mean_square(self.time, table[:, j]) for table in (self.flexible, self.rigid)]
                for j in range(len(self.joints))
            ]
        )

    def summary(self) -> str:
        """Peaks and root mean squares, flexible compared with rigid, in plain text."""
        head = f"{self.arm_name}: drive torques of the flexible arm compared with the rigid one"
        if not self.joints or not self.time.size:
            return f"{head}\n  no driven joint"
        rows = [["joint", "peak flexible", "rigid", "ratio", "rms flexible", "rigid", "ratio"]]
        for joint, unit, peak, rms in zip(self.joints, self.units, self.peaks(), self.rms(), strict=True):
            shown = [[*column(pair.tolist(), unit), _ratio(*pair.tolist())] for pair in (peak, rms)]
            rows.append([joint, *shown[0], *shown[1]])
        begin, end = (digits(float(instant)) for instant in self.time[[0, -1]])
        remarks = "".join(f"\n  beware: {remark}" for remark in self.info.get("warnings") or ())
        beams = "".join(f"\n  {word}: {text}" for word, text in beam_rows(self.info.get("beams") or ()))
        return f"{head}\n  {begin} s to {end} s\n\n{aligned(rows, right=range(1, 7))}{remarks}{beams}"

    def to_dict(self) -> dict[str, Any]:
        """Torques over time with their peaks and root mean squares in JSON's types."""
        sides = ("flexible", "rigid")
        return jsonable(
            {
                "arm": self.arm_name,
                "remarks": list(self.info.get("warnings") or ()),
                "beams": self.info.get("beams") or [],
                "time": self.time,
                "joints": self.joints,
                "units": self.units,
                "flexible": self.flexible,
                "rigid": self.rigid,
                "peak": {
                    joint: dict(zip(sides, pair.tolist(), strict=True))
                    for joint, pair in zip(self.joints, self.peaks(), strict=True)
                },
                "rms": {
                    joint: dict(zip(sides, pair.tolist(), strict=True))
                    for joint, pair in zip(self.joints, self.rms(), strict=True)
                },
            }
        )

    def drawn(self) -> dict[str, Any]:
        """What a page shows of them: `to_dict`, the model file, and the information of the run."""
        facts = {key: self.info.get(key) for key in ("status", "message", "last_switch", "options", "versions")}
        return self.to_dict() | jsonable({"input": self.arm_text} | facts)


def _peak(values: np.ndarray) -> float:
    known = np.abs(values[np.isfinite(values)])
    return float(known.max()) if known.size else float("nan")


def _ratio(flexible: float, rigid: float) -> str:
    return digits(flexible / rigid, 3) if is_number(flexible) and is_number(rigid) and rigid > 0.0 else "-"
