"""A run of an arm over time: every array by name, the model that made it, and how far it can be trusted."""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

import numpy as np

from flexarm.errors import AnalysisError
from flexarm.results.catalogue import named_coordinates, named_variables, with_axes
from flexarm.results.extremes import Extremes, find_extremes
from flexarm.results.jsonable import jsonable
from flexarm.results.netcdf import RunContents, write_run
from flexarm.results.reported import Result
from flexarm.results.run_csv import run_csv
from flexarm.results.table import NamedArray, check_sizes, frozen_table, labels_of, listed, same_tables
from flexarm.results.xarray_view import xarray_view

if TYPE_CHECKING:
    import xarray

    from flexarm.model import Arm


@final
@dataclass(frozen=True, eq=False, repr=False)
class Trajectory(Result):
    """Everything known about one run, in SI units.

    `variables` and `coordinates` hold the arrays; arrays without entries are left out, so a rigid arm has no elastic
    coordinates and an arm without points no point positions. `arm_text` is the complete model file. `info` holds data
    in JSON's types, each of which may be missing or None (not known). What `simulate` returns holds the motion; points,
    torques, energies, the error estimate and all else that follows from it are derived when they are first asked for.

    name             the arm's name
    status           "ok", or a word for why the run stopped early; message and advice then explain it
    reached, end     time reached and time asked for, s
    stepper, step    the integrator and its fixed step, s; tolerance: the error allowed at the tip, m
    steps, rejected, iterations, cpu_seconds
    real_time_factor simulated time over CPU time
    last_switch      when the command last switched or came to rest, s
    command_end      when every motion, torque and load has become constant, s: what follows is residual
    settling_tolerance  a distance to which settling times are reported, m
    no_target        point → why there is no place it is to end at
    tip_error        the integrator's own estimate of its error at the tip, m; None if that is not known
    tip_error_remark why it is not known, such as "not known: the step is too coarse"; else None
    energy_exchanged the largest energy given, lost or moved between two kinds, J
    check            differences to a twin with twice the elements, half the step, all freedoms, m: tip, peak, residual
    beside           differences to the other analyses: tip (m), of_peak (as part of the peak deflection), good_enough
    beams            how every beam was modelled, and what that leaves out
    warnings         sentences about links that left the range of their model
    servo_gains      kp and kv of every servo
    servos           by joint: its loops, feed-forward, limit and part of the time on it, what it was tuned for
    servo_tuning     why servos that were left to the system were tuned so
    analysis, versions, options
    """

    variables: Mapping[str, NamedArray]
    coordinates: Mapping[str, NamedArray]
    arm_text: str
    info: Mapping[str, Any]

    def __post_init__(self) -> None:
        variables = frozen_table(self.variables)
        coordinates = frozen_table(with_axes(self.coordinates, variables))
        for name, array in coordinates.items():
            if array.values.ndim != 1:
                raise ValueError(f"the coordinate {name} must have one dimension")
        if "time" not in coordinates and variables:
            raise ValueError("a run needs the coordinate time")
        check_sizes(coordinates, variables)
        object.__setattr__(self, "variables", variables)
        object.__setattr__(self, "coordinates", coordinates)
        object.__setattr__(self, "info", jsonable(self.info, "info"))

    @classmethod
    def from_arrays(
        cls, arrays: Mapping[str, Any], labels: Mapping[str, Any], *, arm_text: str, info: Mapping[str, Any]
    ) -> "Trajectory":
        """A run from bare arrays under the names of the catalogue, which knows their dimensions and units.

        `labels` holds time, joint, joint_unit, coordinate, coordinate_unit, point, station, station_link,
        station_position, frame_time, line_link, line_distance and line_corner, as far as the arm has them.
        """
        coordinates = named_coordinates(labels)
        return cls(named_variables(arrays, coordinates), coordinates, arm_text, dict(info))

    @classmethod
    def deriving(
        cls,
        variables: Mapping[str, NamedArray],
        coordinates: Mapping[str, NamedArray],
        write_arm_text: Callable[[], str],
        info: Mapping[str, Any],
    ) -> "Trajectory":
        """A run of read-only tables, checked already, that derive their entries; so is the text of the model file."""
        found = object.__new__(cls)
        vars(found).update(variables=variables, coordinates=coordinates, info=info, _write_arm_text=write_arm_text)
        return found

    def __getattr__(self, name: str) -> Any:
        # Only called for what is not there yet.
        if name == "arm_text" and "_write_arm_text" in vars(self):
            vars(self)["arm_text"] = vars(self)["_write_arm_text"]()
            return vars(self)["arm_text"]
        raise AttributeError(f"a run has no {name!r}", name=name, obj=self)

    def __reduce__(self) -> tuple[Any, ...]:
        # Built anew in the other process: what was only remembered (the dataset, the arm) need not travel.
        return Trajectory, (dict(self.variables), dict(self.coordinates), self.arm_text, dict(self.info))

    def __repr__(self) -> str:
        sizes = ", ".join(f"{size} {what}" for what, size in self._sizes().items())
        return f"<Trajectory {self.name!r}: {sizes}, {'complete' if self.complete else 'stopped early'}>"

    @property
    def name(self) -> str:
        """The arm's name."""
        return str(self.info.get("name") or "arm")

    @property
    def complete(self) -> bool:
        """True where the run reached its end."""
        return self.info.get("status", "ok") == "ok"

    @property
    def failure(self) -> str | None:
        """Where and why the run stopped and what to try, None where it did not."""
        if self.complete:
            return None
        reached = self.info.get("reached")
        if reached is None and self.time.size:
            reached = float(self.time[-1])
        message = str(self.info.get("message") or self.info["status"])
        if not message.startswith("stopped at"):
            message = f"stopped at t = {reached:.6g} s: {message}" if reached is not None else f"stopped: {message}"
        advice = self.info.get("advice")
        return f"{message}; try {advice}" if advice else message

    @property
    def time(self) -> np.ndarray:
        """Times of the samples, s."""
        return self.coordinates["time"].values if "time" in self.coordinates else np.empty(0)

    def values(self, name: str) -> np.ndarray:
        """The array of a variable or coordinate in SI units, read-only and without xarray."""
        return self.variable(name).values

    def labels(self, dim: str) -> tuple[str, ...]:
        """The labels along a dimension ("joint", "coordinate", "point", "station"), none if the arm has none."""
        return labels_of(self.coordinates, dim)

    def __getitem__(self, name: str) -> np.ndarray:
        """A signal over time by its name in the list of signals: run["tip.across"], SI."""
        return self.signal(name)

    @property
    def signals(self) -> tuple[str, ...]:
        """The names of the signals the run has by itself; `signal` also takes any other of the list."""
        from flexarm.results.run_signals import signal_names

        return signal_names(self)

    def signal(self, name: str, **labels: str) -> np.ndarray:
        """A signal over time, signal("tip.x"), or a column: signal("point_position", point="tip", axis="y"); SI."""
        if not labels and "." in name:
            from flexarm.results.run_signals import signal_values

            return signal_values(self, name)
        array = self.variable(name)
        if set(labels) != set(array.dims[1:]):
            raise AnalysisError(f"one column of {name} needs the labels {listed(array.dims[1:])}")
        place: tuple[Any, ...] = tuple(self.index(dim, labels[dim]) for dim in array.dims[1:])
        return array.values[:, *place]

    @cached_property
    def dataset(self) -> "xarray.Dataset":
        """The whole run as an xarray Dataset with units and descriptions."""
        return xarray_view(self.coordinates, self.variables, facts={"title": self.name})

    @property
    def tip(self) -> "xarray.Dataset":
        """Position, velocity, acceleration, orientation and deflection of the point called tip, base frame, SI."""
        return self.point("tip")

    def point(self, name: str) -> "xarray.Dataset":
        """Position, velocity, acceleration, orientation and deflection of a point, base frame, SI."""
        index = self.index("point", name)
        columns = {
            called.removeprefix("point_"): NamedArray(
                tuple(dim for dim in array.dims if dim != "point"),
                array.values.take(index, array.dims.index("point")),
                array.unit,
                array.description,
            )
            for called, array in self.variables.items()
            if "point" in array.dims
        }
        return xarray_view(self.coordinates, columns, facts={"point": name})

    @property
    def joints(self) -> "xarray.Dataset":
        """Position, velocity and acceleration of every joint, rad or m (see joint_unit) and s."""
        return self._selected("joint_", but="joint_torque")

    @property
    def elastic(self) -> "xarray.Dataset":
        """Position, velocity and acceleration of every elastic coordinate, SI; empty for a rigid arm."""
        return self._selected("elastic_")

    @property
    def torque(self) -> "xarray.DataArray":
        """Torque or force of every joint's drive, N m or N."""
        return self._data_array("joint_torque")

    @property
    def rigid_torque(self) -> "xarray.DataArray":
        """Torque or force the same motion would need if no link could bend, N m or N."""
        return self._data_array("rigid_torque")

    @property
    def energy(self) -> "xarray.Dataset":
        """Energies and work since the start over time, J."""
        kept = [name for name in self.variables if name.startswith(("energy_", "work_"))]
        return xarray_view(self.coordinates, {name.removeprefix("energy_"): self.variables[name] for name in kept})

    @property
    def stations(self) -> "xarray.Dataset":
        """Curvatures, moments and forces at the stations along the links, SI."""
        found = {name: array for name, array in self.variables.items() if "station" in array.dims}
        return xarray_view(self.coordinates, found)

    @cached_property
    def arm(self) -> "Arm":
        """The arm that was run."""
        from flexarm.model import parse_arm

        return parse_arm(self.arm_text, name="model of the run")

    def extremes(
        self,
        point: str = "tip",
        axis: str = "y",
        *,
        coordinate: str | None = None,
        after: float | None = None,
        until: float | None = None,
    ) -> Extremes:
        """The least and greatest position of a point along an axis (m), or of a joint or elastic coordinate.

        Peaks between samples are found from the rates at the samples; after and until bound the time, s.
        """
        if coordinate is None:
            kind, labels = "point", {"point": point, "axis": axis}
        else:
            kind, labels = self._kind_of(coordinate)
        values = self.signal(f"{kind}_position", **labels)
        rates = self.signal(f"{kind}_velocity", **labels) if f"{kind}_velocity" in self.variables else None
        try:
            return find_extremes(self.time, values, rates, after=after, until=until)
        except ValueError:
            begin, end = (self.time[0], self.time[-1]) if self.time.size else (np.nan, np.nan)
            asked = f"{begin if after is None else after:g} s to {end if until is None else until:g} s"
            raise AnalysisError(f"the run holds no samples from {asked}, it covers {begin:g} s to {end:g} s") from None

    def range(
        self,
        point: str = "tip",
        axis: str = "y",
        *,
        coordinate: str | None = None,
        after: float | None = None,
        until: float | None = None,
    ) -> float:
        """Greatest minus least position of a point along an axis (m), or of a joint or elastic coordinate (rad, m)."""
        return self.extremes(point, axis, coordinate=coordinate, after=after, until=until).span

    def settling_time(
        self, point: str = "tip", within: float | str = 1e-3, *, of: str = "point", about: str = "target"
    ) -> float | None:
        """When the point comes within a distance (m, or "1 mm") of its target for good, s from t = 0; None if never.

        The target is where the rigid arm has the point at the end of the command. `about` = "equilibrium" counts from
        where the arm comes to rest instead, `of` = "elastic" looks at the elastic deflection alone.
        """
        from flexarm.results.run_settling import settled_at

        return settled_at(self, point, within, of, about)

    def settling(self, point: str = "tip") -> dict[str, Any] | None:
        """All that is known of a point's settling, SI: target, residual, distance at rest and its parts, and for every
        tolerance the settling time; None if there is no such point.
        """
        from flexarm.results.run_settling import settling_summary

        return settling_summary(self, point)

    def parts(self, point: str = "tip") -> dict[str, np.ndarray]:
        """How far a point is from the rigid arm on its command, in parts (m, 3), m: drive error, quasi-static and
        vibration, as far as the run knows them.
        """
        from flexarm.results.separation import parts_of

        return parts_of(self, point)

    def residual(
        self,
        point: str = "tip",
        axis: str | None = None,
        *,
        coordinate: str | None = None,
        window: float | None = None,
        of: str = "point",
        about: str = "target",
    ) -> float:
        """The greatest distance (m) of a point from its target after the command's end, or for `window` seconds.

        `of` and `about` as in `settling_time`. With an axis, or a joint's or elastic coordinate, its range (m, rad):
        greatest less least place after the command's end or last switch.
        """
        if axis is None and coordinate is None:
            from flexarm.results.run_settling import residual_distance

            return residual_distance(self, point, of, about, window)
        begin = self.info.get("last_switch")
        if begin is None:
            raise AnalysisError(
                "the residual vibration is what follows the last switch of a command, here is no switch and no rest"
            )
        until = None if window is None else begin + window
        return self.range(point, axis or "y", coordinate=coordinate, after=begin, until=until)

    def summary(self) -> str:
        """A readable summary of the run in a few lines of plain text."""
        from flexarm.results.run_summary import format_summary

        return format_summary(self)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """The path of the NetCDF file now holding the complete run; an existing file is replaced in one step."""
        target = Path(path)
        write_run(RunContents(self.coordinates, self.variables, self.arm_text, dict(self.info)), target)
        return target

    def csv_blocks(self) -> Iterator[str]:
        """Comma-separated values block by block: every sample, a column for every signal with its unit in the head."""
        return run_csv(self.coordinates, self.variables)

    def to_csv(self) -> str:
        """The same in one text."""
        return "".join(self.csv_blocks())

    def identical(self, other: "Trajectory") -> bool:
        """True where every array agrees to the last bit, and model and info are the same."""
        return (
            same_tables(self.coordinates, other.coordinates)
            and same_tables(self.variables, other.variables)
            and (self.arm_text, dict(self.info)) == (other.arm_text, dict(other.info))
        )

    def variable(self, name: str) -> NamedArray:
        """A variable or coordinate with its dimensions and unit; a name the run does not have is refused."""
        for table in (self.variables, self.coordinates):
            if name in table:
                return table[name]
        raise AnalysisError(f"the run holds no {name}, it holds {listed(self.variables, most=40)}")

    def index(self, dim: str, label: str) -> int:
        """Where a label stands along a dimension."""
        known = self.labels(dim)
        if label not in known:
            raise AnalysisError(f"the run has no {dim} '{label}', it has {listed(known)}")
        return known.index(label)

    def _kind_of(self, coordinate: str) -> tuple[str, dict[str, str]]:
        """Which family a coordinate's name belongs to, with the label that picks it."""
        for kind, dim in (("elastic", "coordinate"), ("joint", "joint")):
            if coordinate in self.labels(dim):
                return kind, {dim: coordinate}
        known = [*self.labels("joint"), *self.labels("coordinate")]
        raise AnalysisError(f"the run has no coordinate '{coordinate}', it has {listed(known, most=20)}")

    def _selected(self, prefix: str, *, but: str = "") -> "xarray.Dataset":
        kept = [name for name in self.variables if name.startswith(prefix) and name != but]
        return xarray_view(self.coordinates, {name.removeprefix(prefix): self.variables[name] for name in kept})

    def _data_array(self, name: str) -> "xarray.DataArray":
        return xarray_view(self.coordinates, {name: self.variable(name)})[name]

    def _sizes(self) -> dict[str, int]:
        labels = {"joints": "joint", "elastic coordinates": "coordinate"}
        return {"samples": self.time.size} | {what: len(self.labels(dim)) for what, dim in labels.items()}
