"""Sag, stiffness and frequencies of an arm over its workspace."""

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, final

import numpy as np

from flexarm.results.catalogue import AXES
from flexarm.results.engineering import aligned, plural, quantity
from flexarm.results.jsonable import jsonable
from flexarm.results.posture import posture_line
from flexarm.results.records import frozen_array, frozen_mapping
from flexarm.results.reported import Result, made_from

if TYPE_CHECKING:
    from flexarm.model import Arm


@final
@dataclass(frozen=True, eq=False)
class Workspace(Result):
    """What a point of the arm does over a grid of postures, all joints held; SI units, base frame.

    `values` are the coordinates (rad or m) of each of the `joints`; every other array begins with their grid.
    `position` (…, 3) is where the rigid arm has the point, `sag` (…, 3) its displacement from there under gravity and
    loads, `compliance` (…, 3, 3) how it moves per force on it (m/N), `frequencies_hz` (…, n) the lowest frequencies.
    NaN: no equilibrium was found; `failures` explain why.
    """

    joints: tuple[str, ...]
    units: tuple[str, ...]
    values: tuple[np.ndarray, ...]
    point: str
    position: np.ndarray
    sag: np.ndarray
    compliance: np.ndarray
    frequencies_hz: np.ndarray
    failures: tuple[str, ...] = ()
    posture: Mapping[str, float] = field(default_factory=dict)  # of the joints that were held where they are
    posture_units: Mapping[str, str] = field(default_factory=dict)
    arm_name: str = "arm"
    remarks: tuple[str, ...] = ()
    arm: "Arm | None" = field(default=None, repr=False)

    def __post_init__(self) -> None:
        grid = tuple(len(values) for values in self.values)
        shapes = {"position": (3,), "sag": (3,), "compliance": (3, 3)}
        for name, more in shapes.items():
            object.__setattr__(self, name, frozen_array(getattr(self, name), (*grid, *more), name))
        for name in ("posture", "posture_units"):
            object.__setattr__(self, name, frozen_mapping(getattr(self, name)))

    @cached_property
    def sag_distance(self) -> np.ndarray:
        """How far the point sags (m)."""
        return np.asarray(np.linalg.norm(self.sag, axis=-1))

    @cached_property
    def stiffness(self) -> np.ndarray:
        """Force per displacement of the point (N/m) in the direction in which it gives way most."""
        known = np.isfinite(self.compliance).all(axis=(-2, -1))
        softest = np.full(known.shape, np.nan)
        symmetric = 0.5 * (self.compliance + np.swapaxes(self.compliance, -1, -2))
        softest[known] = np.linalg.eigvalsh(symmetric[known])[..., -1]
        return np.asarray(1.0 / softest)

    @property
    def maps(self) -> dict[str, tuple[np.ndarray, str]]:
        """The scalar maps by title, each with its unit."""
        found = {"Least stiffness": (self.stiffness, "N/m")}
        if np.nanmax(self.sag_distance, initial=0.0) > 0.0:  # else nothing loads the arm
            found = {f"Sag of {self.point}": (self.sag_distance, "m"), **found}
        for k in range(self.frequencies_hz.shape[-1]):
            found[f"Frequency {k + 1}"] = (self.frequencies_hz[..., k], "Hz")
        return found

    def where(self, index: int) -> str:
        """The posture of an entry of a flattened map."""
        places = np.unravel_index(index, [len(values) for values in self.values])
        entries = zip(self.joints, self.units, self.values, places, strict=True)
        return ", ".join(f"{joint} {coordinate(values[k], unit)}" for joint, unit, values, k in entries)

    def summary(self) -> str:
        """The extremes of every map and where they are, in plain text."""
        count = int(np.prod([len(values) for values in self.values]))
        ranges = []
        for joint, unit, values in zip(self.joints, self.units, self.values, strict=True):
            ends = f"{coordinate(values[0], unit)} to {coordinate(values[-1], unit)}"
            ranges.append(f"  {joint}: {ends}, {plural(len(values), 'value')}")
        rows = [["", "least", "at", "greatest", "at"]]
        for title, (values, unit) in self.maps.items():
            if np.isfinite(values).any():
                low, high = int(np.nanargmin(values)), int(np.nanargmax(values))
                entries = [(quantity(float(values.flat[k]), unit), self.where(k)) for k in (low, high)]
                rows.append([title, *entries[0], *entries[1]])
        lines = [f"{self.arm_name}: {plural(count, 'posture')}, all joints held", *ranges]
        lines += posture_line(self.posture, self.posture_units)
        lines += ["", aligned(rows, right=(1, 3))]
        if self.failures:
            lines += ["", f"  without equilibrium in {plural(len(self.failures), 'posture')}: {self.failures[0]}"]
        return "\n".join([*lines, *([""] if self.remarks else []), *(f"  {remark}" for remark in self.remarks)])

    def to_dict(self) -> dict[str, Any]:
        """The maps in JSON's types."""
        return jsonable(
            {
                "arm": self.arm_name,
                "point": self.point,
                "joints": {
                    joint: {"values": values, "unit": unit}
                    for joint, unit, values in zip(self.joints, self.units, self.values, strict=True)
                },
                "posture": self.posture,
                "posture_units": self.posture_units,
                "position": self.position,
                "sag": self.sag,
                "sag_distance": self.sag_distance,
                "stiffness": self.stiffness,
                "compliance": self.compliance,
                "frequencies_hz": self.frequencies_hz,
                "failures": len(self.failures),
                "first_failure": self.failures[0] if self.failures else None,
                "remarks": list(self.remarks),
            }
        )

    def to_csv(self) -> str:
        """A line for every posture, SI units."""
        heads = [f"{joint} [{unit}]" for joint, unit in zip(self.joints, self.units, strict=True)]
        heads += [f"{name} {axis} [m]" for name in (self.point, "sag") for axis in AXES]
        heads += [f"{title} [{unit}]" for title, (_, unit) in self.maps.items()]
        grid = np.meshgrid(*self.values, indexing="ij")
        columns = [axis.ravel() for axis in grid]
        columns += [array[..., k].ravel() for array in (self.position, self.sag) for k in range(3)]
        columns += [values.ravel() for values, _ in self.maps.values()]
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(heads)
        writer.writerows(np.column_stack(columns).tolist())
        return text.getvalue()

    def drawn(self) -> dict[str, Any]:
        """What a page shows of it: `to_dict` and the model file."""
        return self.to_dict() | made_from(self.arm)


def coordinate(value: float, unit: str) -> str:
    """A joint's coordinate for the reader: degrees, or a length."""
    return f"{np.degrees(value):.4g}°" if unit == "rad" else quantity(float(value), unit)
