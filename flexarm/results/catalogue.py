"""What the arrays of a run are called, which way they lie, and in which unit they are."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from flexarm.results.table import NamedArray

AXES = ("x", "y", "z")
QUATERNION = ("w", "x", "y", "z")

# Joints and elastic coordinates turn or slide; the unit of each is in joint_unit and coordinate_unit. Words in
# braces are filled in where all of them agree and left empty where they do not.
_RATE, _ACCELERATION = "{coordinate}/s", "{coordinate}/s²"
_JOINT, _ELASTIC, _POINT, _STATION = (
    ("time", "joint"),
    ("time", "coordinate"),
    ("time", "point", "axis"),
    (
        "time",
        "station",
    ),
)
_VARIABLES: dict[str, tuple[tuple[str, ...], str, str]] = {
    "joint_position": (_JOINT, "{coordinate}", "joint coordinate"),
    "joint_velocity": (_JOINT, _RATE, "rate of the joint coordinate"),
    "joint_acceleration": (_JOINT, _ACCELERATION, "acceleration of the joint coordinate"),
    "joint_torque": (_JOINT, "{effort}", "torque or force of the joint's drive"),
    "rigid_torque": (_JOINT, "{effort}", "torque or force the drive of the rigid arm would need"),
    "joint_error": (_JOINT, "{coordinate}", "joint coordinate less the commanded one"),
    "elastic_position": (_ELASTIC, "{coordinate}", "elastic coordinate"),
    "elastic_velocity": (_ELASTIC, _RATE, "rate of the elastic coordinate"),
    "elastic_acceleration": (_ELASTIC, _ACCELERATION, "acceleration of the elastic coordinate"),
    "point_position": (_POINT, "m", "position in the base frame"),
    "point_velocity": (_POINT, "m/s", "velocity in the base frame"),
    "point_acceleration": (_POINT, "m/s²", "acceleration in the base frame"),
    "point_deflection": (_POINT, "m", "displacement from the rigid arm, in the base frame"),
    "point_quasi_static": (
        _POINT,
        "m",
        "static part of the deflection: in equilibrium with the motion of the joints at every instant, base frame",
    ),
    "point_vibration": (
        _POINT,
        "m",
        "deflection less its quasi-static part, or with servos the motion in lightly damped poles after the command",
    ),
    "point_error": (_POINT, "m", "displacement from the rigid arm on its command, in the base frame"),
    "point_target": (("point", "axis"), "m", "position of the rigid arm at the end of its command, in the base frame"),
    "point_equilibrium": (("point", "axis"), "m", "position at rest after the end of the command, in the base frame"),
    "point_sag": (("point", "axis"), "m", "static deflection at rest after the end of the command, in the base frame"),
    "point_orientation": (("time", "point", "quaternion"), "", "orientation in the base frame, unit quaternion"),
    "curvature_y": (_STATION, "1/m", "curvature about the link's y axis"),
    "curvature_z": (_STATION, "1/m", "curvature about the link's z axis"),
    "moment_y": (_STATION, "N m", "bending moment about the link's y axis"),
    "moment_z": (_STATION, "N m", "bending moment about the link's z axis"),
    "twist": (_STATION, "rad/m", "twist per length"),
    "torque_x": (_STATION, "N m", "torsional moment about the link's axis"),
    "force_x": (_STATION, "N", "axial force"),
    "shear_y": (_STATION, "N", "shear force along the link's y axis"),
    "shear_z": (_STATION, "N", "shear force along the link's z axis"),
    "signals": (("time", "signal"), "", "signals in the axes of links, of gauges and of sensors; units in signal_unit"),
    "energy_kinetic": (("time",), "J", "kinetic energy"),
    "energy_elastic": (("time",), "J", "elastic energy"),
    "energy_gravity": (("time",), "J", "potential energy of gravity"),
    "energy_dissipated": (("time",), "J", "energy dissipated since the start"),
    "work_drives": (("time",), "J", "work of the drives since the start"),
    "work_loads": (("time",), "J", "work of the loads since the start"),
    "energy_balance_error": (("time",), "J", "energy gained or lost by the integration since the start"),
    "line_corner_position": (("frame", "corner", "axis"), "m", "corners of the unbent centre line, in the base frame"),
    "line_deflection": (("frame", "line_point", "axis"), "m", "bent less unbent centre line, in the base frame"),
    "line_twist": (("frame", "line_point"), "rad", "rotation of the section about the centre line, from the rigid arm"),
}
# Only drawn, never computed with.
_SINGLE_PRECISION = ("line_corner_position", "line_deflection", "line_twist")
_NUMBERS: dict[str, type] = {
    "time": float,
    "station_position": float,
    "frame_time": float,
    "line_distance": float,
    "line_corner": int,
}
_COORDINATES: dict[str, tuple[str, str, str]] = {
    "time": ("time", "s", "time"),
    "joint": ("joint", "", "joint, called after its link"),
    "joint_unit": ("joint", "", "unit of the joint coordinate"),
    "coordinate": ("coordinate", "", "elastic coordinate"),
    "coordinate_unit": ("coordinate", "", "unit of the elastic coordinate"),
    "point": ("point", "", "point of the arm"),
    "axis": ("axis", "", "axis of the base frame"),
    "quaternion": ("quaternion", "", "component of the quaternion"),
    "station": ("station", "", "station along a link"),
    "station_link": ("station", "", "link of the station"),
    "station_position": ("station", "m", "distance from the start of the link"),
    "signal": ("signal", "", "name of the signal"),
    "signal_unit": ("signal", "", "unit of the signal"),
    "frame_time": ("frame", "s", "time of a frame of the centre line"),
    "line_link": ("line_point", "", "link of the point of the centre line"),
    "line_distance": ("line_point", "m", "distance from the start of the link"),
    "line_corner": ("line_point", "", "1 at corners of the unbent centre line, 0 where it is straight"),
}


def effort_unit(coordinate_unit: str) -> str:
    """The unit of the torque or force that works on a coordinate in rad or m."""
    return {"rad": "N m", "m": "N"}.get(coordinate_unit, "")


def unit_of(variable: str) -> str:
    """The SI unit of a variable of a run that has one unit for all it holds, such as "moment_z"."""
    return _VARIABLES[variable][1]


def named_coordinates(labels: Mapping[str, Any]) -> dict[str, NamedArray]:
    """The known coordinates of a run ("time", "joint", …), each with its unit; unknown names raise ValueError."""
    named = {}
    for name, values in labels.items():
        if name not in _COORDINATES:
            raise ValueError(f"{name} is not a coordinate of a run")
        dim, unit, description = _COORDINATES[name]
        kind: type = _NUMBERS.get(name, str)
        named[name] = NamedArray((dim,), np.asarray(values, dtype=kind), unit, description)
    return named


def named_variables(arrays: Mapping[str, Any], coordinates: Mapping[str, NamedArray]) -> dict[str, NamedArray]:
    """The known variables of a run, each with its unit; unknown names raise ValueError."""
    named = {}
    for name, values in arrays.items():
        if name not in _VARIABLES:
            raise ValueError(f"{name} is not a variable of a run")
        dims, unit, description = _VARIABLES[name]
        numbers = np.asarray(values, dtype=np.float32 if name in _SINGLE_PRECISION else float)
        named[name] = NamedArray(dims, numbers, _filled(unit, dims, coordinates), description)
    return named


def with_axes(coordinates: Mapping[str, NamedArray], variables: Mapping[str, NamedArray]) -> dict[str, NamedArray]:
    """The coordinates, completed by the labels of axes and quaternions where variables lie along them."""
    used = {dim for array in variables.values() for dim in array.dims}
    completed = dict(coordinates)
    defaults: dict[str, Sequence[str]] = {"axis": AXES, "quaternion": QUATERNION}
    for name, labels in defaults.items():
        if name in used and name not in completed:
            completed.update(named_coordinates({name: labels}))
    return completed


def _filled(unit: str, dims: tuple[str, ...], coordinates: Mapping[str, NamedArray]) -> str:
    if "{" not in unit:
        return unit
    units = coordinates.get(f"{dims[-1]}_unit")
    kinds = {"rad"} if units is None else {str(word) for word in units.values}
    if len(kinds) != 1:
        return ""
    kind = kinds.pop()
    return unit.format(coordinate=kind, effort=effort_unit(kind))
