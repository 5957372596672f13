"""From the samples of an integration to a Trajectory: all observations of a run, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from flexarm.analyses.centreline import LEAST_TWIST, CentreLine, centre_line, frame_indices
from flexarm.analyses.points import see, undeformed
from flexarm.analyses.run.error_estimate import TOO_COARSE, Estimate
from flexarm.analyses.run.integrate import Run, Settings
from flexarm.analyses.run.observations import Observations
from flexarm.analyses.run.one_run import seen_of
from flexarm.analyses.run.target import why_no_target
from flexarm.analyses.signals.names import frame_signals, gauge_signals, sensor_signals, signal_unit
from flexarm.analyses.stations import STATION_VALUES, station_values
from flexarm.assembly import CompiledArm
from flexarm.core.tree.types import Floats
from flexarm.model import Arm, format_arm
from flexarm.results import Trajectory
from flexarm.results.catalogue import AXES, QUATERNION, named_coordinates, named_variables
from flexarm.results.derived import Derived, Group
from flexarm.results.jsonable import jsonable
from flexarm.results.table import NamedArray

_BOOK = ("energy_kinetic", "energy_elastic", "energy_gravity")
_CLOSED_BOOK = ("energy_dissipated", "work_drives", "work_loads", "energy_balance_error")
_LINE = ("frame_time", "line_link", "line_distance", "line_corner")


def recorded(
    arm: Arm,
    compiled: CompiledArm,
    run: Run,
    settings: Settings,
    info: Mapping[str, Any],
    analysis: str,
    *,
    more: Iterable[Group[Any]] = (),
    remarks: Callable[[], list[str]] = list,
    error: Callable[[], Estimate] | None = None,
    commanded: CompiledArm | None = None,
) -> Trajectory:
    """The run with all that follows from it, which is derived when it is asked for.

    Targets are where the commands of the arm `commanded` end, if it is given. `more` groups of the run's info are
    derived as well, its warnings begin with the `remarks`, and `error` estimates the error at the tip.
    """
    end = float(info.get("end") or (run.times[-1] if len(run.times) else settings.end))
    observed = Observations(compiled, run, settings, analysis, end, commanded)
    drawn = _Drawing(arm, run, analysis)
    found = Trajectory.deriving(
        Derived(_variables(observed, drawn)),
        Derived(_coordinates(observed, drawn)),
        lambda: format_arm(arm),
        Derived(_info(observed, info, more, remarks, error)),
    )
    vars(found)["arm"] = arm  # at hand: it need not be read back from its text
    return found


def _variables(observed: Observations, drawn: _Drawing) -> Iterable[Group[NamedArray]]:
    """The arrays of a run in the order of its file; those without entries are left out."""
    compiled, run = observed.compiled, observed.run
    units = _coordinate_units(compiled)

    def group(size: int, derive: Callable[[], Mapping[str, Floats]], *names: str, certain: bool = True) -> Any:
        if not size or not names:
            return ()
        return (Group(names, lambda: named_variables(derive(), units), certain),)

    def columns(kind: str, chosen: np.ndarray) -> Any:
        for word, numbers in (("position", run.q), ("velocity", run.v), ("acceleration", run.a)):
            name = f"{kind}_{word}"
            yield from group(len(run.times) * len(chosen), partial(_column, name, numbers, chosen), name)

    joints, elastic, points = compiled.joint_coordinates, compiled.elastic_coordinates, len(compiled.point_names)
    samples = len(run.times)
    yield from columns("joint", joints)
    forces = samples * len(joints)
    yield from group(forces, lambda: {"joint_torque": observed.drive_forces[:, joints]}, "joint_torque")
    yield from group(forces, lambda: {"rigid_torque": observed.rigid_forces[:, joints]}, "rigid_torque")
    yield from columns("elastic", elastic)
    seen = samples * points
    yield from group(
        seen,
        lambda: {"point_position": observed.moving.position, "point_velocity": observed.moving.velocity},
        *("point_position", "point_velocity"),
    )
    yield from group(seen, lambda: {"point_acceleration": observed.seen.acceleration}, "point_acceleration")
    yield from group(seen, lambda: {"point_deflection": observed.moving.position - observed.unbent}, "point_deflection")
    yield from group(seen, lambda: {"point_orientation": observed.moving.orientation}, "point_orientation")
    book = _BOOK + (_CLOSED_BOOK if observed.analysis == "nonlinear" else ())
    yield from group(samples, lambda: observed.energies, *book)
    yield from group(
        samples * len(compiled.station_links),
        lambda: station_values(compiled, observed.states.q, observed.states.v),
        *STATION_VALUES,
        certain=False,
    )
    if len(compiled.commands.servo_coordinate):
        yield from group(
            forces, lambda: {"joint_error": (observed.states.q - observed.command.q)[:, joints]}, "joint_error"
        )
        yield from group(
            seen,
            lambda: {"point_error": observed.moving.position - observed.on_command.position},
            "point_error",
        )
    yield from group(
        points,
        lambda: {
            "point_target": observed.target.position,
            "point_equilibrium": observed.target.equilibrium,
            "point_sag": observed.target.sag,
        },
        *("point_target", "point_equilibrium", "point_sag"),
    )
    if observed.analysis == "nonlinear":
        parts = ("point_quasi_static", "point_vibration")
        yield from group(seen, lambda: observed.separated[0], *parts, certain=False)
    names = tuple(_signals(compiled))
    yield from group(samples * len(names), lambda: {"signals": observed.signals(names)}, "signals")
    yield from group(samples, lambda: drawn.frames, "line_deflection", "line_corner_position")
    yield from group(samples, lambda: drawn.frames, "line_twist", certain=False)


def _signals(compiled: CompiledArm) -> Iterable[str]:
    """The signals that no other array of a run holds; reactions are left to those who ask for them."""
    yield from frame_signals(compiled)
    yield from gauge_signals(compiled)
    yield from sensor_signals(compiled)


def _column(name: str, numbers: Floats, chosen: np.ndarray) -> dict[str, Floats]:
    return {name: numbers[:, chosen]}


def _labelled(name: str, derive: Callable[[], Any]) -> dict[str, NamedArray]:
    return named_coordinates({name: derive()})


def _coordinate_units(compiled: CompiledArm) -> dict[str, NamedArray]:
    """The units of joints and elastic coordinates, which those of their arrays are made from."""
    units = np.array(compiled.coordinate_units)
    chosen = {"joint_unit": compiled.joint_coordinates, "coordinate_unit": compiled.elastic_coordinates}
    return named_coordinates({name: units[where] for name, where in chosen.items() if len(where)})


def _coordinates(observed: Observations, drawn: _Drawing) -> Iterable[Group[NamedArray]]:
    """What lies along the dimensions of the arrays."""
    compiled, run = observed.compiled, observed.run
    joints, elastic, read = compiled.joint_coordinates, compiled.elastic_coordinates, len(compiled.station_links)
    signals = list(_signals(compiled)) if len(run.times) else []
    labels: dict[str, tuple[int, Callable[[], Any]]] = {
        "time": (len(run.times), lambda: run.times),
        "joint": (len(joints), lambda: compiled.joint_names),
        "joint_unit": (len(joints), lambda: [compiled.coordinate_units[c] for c in joints]),
        "coordinate": (len(elastic), lambda: [compiled.coordinate_names[c] for c in elastic]),
        "coordinate_unit": (len(elastic), lambda: [compiled.coordinate_units[c] for c in elastic]),
        "point": (len(compiled.point_names), lambda: compiled.point_names),
        "signal": (len(signals), lambda: signals),
        "signal_unit": (len(signals), lambda: [signal_unit(compiled, name) for name in signals]),
        "station": (read, lambda: [f"{place.link}@{place.position:.6g}" for place in compiled.stations]),
        "station_link": (read, lambda: [place.link for place in compiled.stations]),
        "station_position": (read, lambda: [place.position for place in compiled.stations]),
    }
    for name, (size, derive) in labels.items():
        if size:
            yield Group((name,), partial(_labelled, name, derive))
    if len(run.times):
        yield Group(_LINE, lambda: named_coordinates(drawn.labels))
    if len(compiled.point_names):
        yield Group(("axis",), lambda: named_coordinates({"axis": AXES}))
        if len(run.times):
            yield Group(("quaternion",), lambda: named_coordinates({"quaternion": QUATERNION}))


def _info(
    observed: Observations,
    given: Mapping[str, Any],
    more: Iterable[Group[Any]],
    remarks: Callable[[], list[str]],
    error: Callable[[], Estimate] | None,
) -> Iterable[Group[Any]]:
    """What is known about the run besides its arrays."""

    def group(derive: Callable[[], Mapping[str, Any]], *names: str) -> Group[Any]:
        return Group(names, lambda: jsonable(derive(), "info"))

    def estimated() -> dict[str, Any]:
        assert error is not None
        found = Estimate(None, TOO_COARSE) if observed.judgement.lost else error()
        return {"tip_error": found.error, "tip_error_remark": found.remark}

    def targets() -> dict[str, Any]:
        names = observed.compiled.point_names
        reasons = {name: why_no_target(observed.commanded or observed.compiled, observed.end, name) for name in names}
        return {
            "command_end": observed.target.command_end,
            "no_target": {name: why for name, why in reasons.items() if why},
        }

    known = jsonable(dict(given), "info")
    yield Group(tuple(known), lambda: known)
    for each in more:
        yield group(each.derive, *each.names)
    yield group(lambda: {"warnings": [*remarks(), *observed.judgement.doubts]}, "warnings")
    if error is not None:
        yield group(estimated, "tip_error", "tip_error_remark")
    yield group(lambda: {"energy_exchanged": observed.judgement.exchanged}, "energy_exchanged")
    yield group(targets, "command_end", "no_target")
    if observed.analysis == "nonlinear":
        yield group(lambda: {"ringing": observed.separated[1]}, "ringing")


class _Drawing:
    """The frames of the arm's centre line: what is needed to draw the run, and its labels."""

    def __init__(self, arm: Arm, run: Run, analysis: str) -> None:
        self.arm, self.run, self.analysis = arm, run, analysis

    @cached_property
    def line(self) -> CentreLine:
        """The arm's centre line."""
        return centre_line(self.arm)

    @cached_property
    def kept(self) -> Run:
        """The samples that are drawn."""
        run, frames = self.run, frame_indices(len(self.run.times), len(self.line.spots))
        return replace(run, times=run.times[frames], q=run.q[frames], v=run.v[frames], a=run.a[frames])

    @cached_property
    def frames(self) -> dict[str, Floats]:
        """Corners of the unbent line, deflections of all its points, and rotations of sections where they turn."""
        line, kept = self.line, self.kept
        rigid = np.ascontiguousarray(undeformed(line.compiled, kept.q))
        still = np.zeros_like(rigid)
        unbent = see(line.compiled, kept.times, rigid, still, still, full=False)
        seen = seen_of(line.compiled, kept, self.analysis)
        corners = line.positions(unbent)[:, line.corners]
        found = {"line_deflection": line.positions(seen) - line.unbent(corners), "line_corner_position": corners}
        twist = line.twists(seen, unbent)
        if np.abs(twist).max(initial=0.0) > LEAST_TWIST:
            found["line_twist"] = twist
        return found

    @property
    def labels(self) -> dict[str, Any]:
        """Times of the frames (s), and what the points of the line are."""
        return {"frame_time": self.kept.times, **self.line.labels}
