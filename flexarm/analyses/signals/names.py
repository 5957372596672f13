"""The one list of signals: their names, their units, and which arm has which (NOTATION, section 16).

A signal is OWNER.WHAT: of a point ("tip.across"), a joint or elastic coordinate ("hub.rate"), a joint ("hub.torque"), a
gauge ("root.strain"), a sensor ("encoder.measured"), a place of a link ("rod.moment_z_at_250_mm"), or the whole arm
("energy.kinetic").
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from flexarm.assembly import CompiledArm
from flexarm.errors import AnalysisError
from flexarm.model.parts.sensor import source_of, true_unit
from flexarm.model.reading.messages import either, meant, quoted
from flexarm.results.catalogue import effort_unit, unit_of

AXES = ("x", "y", "z")
# Of a point, in the axes of its link: along x, across y, above z of the beam.
LINK_AXES = ("along", "across", "above")
TURNS = ("turn", "turn_x", "turn_y", "turn_z")
_RATED = {**dict.fromkeys(AXES, "m"), **dict.fromkeys(LINK_AXES, "m"), **dict.fromkeys(TURNS, "rad")}
OF_POINTS = {
    **_RATED,
    **{f"{word}_rate": f"{unit}/s" for word, unit in _RATED.items()},
    **{f"{word}_acceleration": f"{unit}/s²" for word, unit in _RATED.items()},
    **{f"d{axis}": "m" for axis in AXES},
    "speed": "m/s",
    "deflection": "m",
    "distance": "m",
    **{f"deflection_{axis}": "m" for axis in LINK_AXES},
    **{f"deflection_{turn}": "rad" for turn in TURNS},
}
OF_COORDINATES = ("position", "rate", "acceleration")
REACTIONS = {
    **{f"reaction_force_{axis}": "N" for axis in AXES},
    **{f"reaction_moment_{axis}": "N m" for axis in AXES},
}
OF_GAUGES = {"strain": "", "stress": "Pa", "moment": "N m", "shear": "N", "torsion": "N m"}
# Of a sensor: what it would read if it were perfect, and what is read.
OF_SENSORS = ("true", "measured")
ENERGIES = ("kinetic", "elastic", "gravity")
# Other words for the same signals, kept so that nobody's outputs break.
_ALIASES = {**{f"v{axis}": f"{axis}_rate" for axis in AXES}, "drive_torque": "torque", "drive_force": "torque"}
ALONG_LINKS = (
    *("moment_y", "moment_z", "torque_x", "force_x", "shear_y", "shear_z"),
    *("curvature_y", "curvature_z", "twist"),
)
PLACE = re.compile(rf"({'|'.join(ALONG_LINKS)})_at_(\d+(?:\.\d+)?)_mm")
# What runs in lanes know: the rest is read from frames, stations or wrenches, run by run.
_IN_LANES = {
    *(f"{axis}{order}" for axis in AXES for order in ("", "_rate", "_acceleration")),
    *(f"d{axis}" for axis in AXES),
    *("speed", "deflection", "distance", "torque", *OF_COORDINATES, *ENERGIES),
}


def canonical(word: str) -> str:
    """The signal under the spelling of the list."""
    owner, dot, what = word.strip().rpartition(".")
    return f"{owner}{dot}{_ALIASES.get(what, what)}"


def in_lanes(word: str) -> bool:
    """True if runs in compiled lanes know the signal."""
    return canonical(word).rpartition(".")[2] in _IN_LANES


def rate_of(word: str) -> str | None:
    """The signal that is the rate of a signal; None if there is none in the list."""
    owner, _, what = canonical(word).rpartition(".")
    if what in _RATED:
        return f"{owner}.{what}_rate"
    if what.endswith("_rate") and what.removesuffix("_rate") in _RATED:
        return f"{owner}.{what.removesuffix('_rate')}_acceleration"
    return {"position": f"{owner}.rate", "rate": f"{owner}.acceleration"}.get(what)


def units_by_name(word: str) -> tuple[str, ...]:
    """The SI units that a signal of this name may have, whatever the arm; none if there is no such signal."""
    owner, _, what = canonical(word).rpartition(".")
    if what in OF_COORDINATES:
        per = {"position": "", "rate": "/s", "acceleration": "/s²"}[what]
        return f"rad{per}", f"m{per}"
    if match := PLACE.fullmatch(what):
        return (unit_of(match[1]),)
    if what == "torque":
        return "N m", "N"
    if what in OF_SENSORS:
        return ("",)  # bounds are plain numbers in the unit of the sensor
    known = {**OF_POINTS, **REACTIONS, **OF_GAUGES, **(dict.fromkeys(ENERGIES, "J") if owner == "energy" else {})}
    return (known[what],) if what in known else ()


def signal_unit(compiled: CompiledArm, word: str) -> str:
    """The SI unit of a signal; a word that names none is refused with what is allowed."""
    owner, _, what = canonical(word).rpartition(".")
    arm = compiled.arm
    if what in OF_POINTS:
        _known(word, owner, compiled.point_names, "point")
        return OF_POINTS[what]
    if what in OF_COORDINATES:
        _known(word, owner, compiled.coordinate_names, "coordinate")
        unit = compiled.coordinate_units[compiled.coordinate_names.index(owner)]
        return unit + {"position": "", "rate": "/s", "acceleration": "/s²"}[what]
    if what == "torque":
        _known(word, owner, compiled.joint_names, "joint")
        return effort_unit(compiled.coordinate_units[compiled.coordinate_names.index(owner)])
    if what in REACTIONS:
        _known(word, owner, tuple(compiled.joint_bodies), "joint")
        return REACTIONS[what]
    if what in OF_GAUGES:
        _known(word, owner, tuple(gauge.name for gauge in arm.gauges), "gauge")
        gauge = next(gauge for gauge in arm.gauges if gauge.name == owner)
        if what == "stress" and _youngs_modulus(compiled, gauge.link) is None:
            raise AnalysisError(f"the output {quoted(word)} needs a material, which {quoted(gauge.link)} does not have")
        return OF_GAUGES[what]
    if what in OF_SENSORS:
        _known(word, owner, tuple(sensor.name for sensor in arm.sensors), "sensor")
        sensor = next(sensor for sensor in arm.sensors if sensor.name == owner)
        source = source_of(sensor)
        unit = true_unit(arm, sensor, "" if source is None else signal_unit(compiled, source))
        return unit if what == "true" or sensor.unit is None else sensor.unit
    if match := PLACE.fullmatch(what):
        _known(word, owner, compiled.station_links, "flexible link")
        if float(match[2]) > 1e3 * arm.link(owner).length * (1.0 + 1e-9):
            raise AnalysisError(f"the output {quoted(word)} is beyond the end of {quoted(owner)}")
        return unit_of(match[1])
    if owner == "energy" and what in ENERGIES:
        return "J"
    known = (*OF_POINTS, *OF_COORDINATES, "torque", *REACTIONS, *OF_GAUGES, *OF_SENSORS)
    of_points = ", ".join((*_RATED, "dx", "dy", "dz", "speed", "deflection", "distance"))
    raise AnalysisError(
        f"the output {quoted(word)} is not known, must be POINT.{{{of_points}}}, "
        f"JOINT.{{{', '.join((*OF_COORDINATES, 'torque'))}, reaction_force_x …}}, GAUGE.{{{', '.join(OF_GAUGES)}}}, "
        f"SENSOR.{{{', '.join(OF_SENSORS)}}}, LINK.moment_z_at_250_mm or "
        f"energy.{{{', '.join(ENERGIES)}}}{meant(what, known)}"
    )


def frame_signals(compiled: CompiledArm) -> Iterator[str]:
    """The signals of points in the axes of their links, of points on beams, in the list's order."""
    links = {point.name: point.link for point in compiled.arm.observed}
    words = ("along", "across", "turn") if compiled.arm.planar else (*LINK_AXES, *TURNS)
    for point in compiled.point_names:
        if links[point] in compiled.station_links:
            for order in ("", "_rate", "_acceleration"):
                yield from (f"{point}.{word}{order}" for word in words)
            yield from (f"{point}.deflection_{word}" for word in words)


def gauge_signals(compiled: CompiledArm) -> Iterator[str]:
    """The signals of the gauges."""
    for gauge in compiled.arm.gauges:
        for what in OF_GAUGES:
            if what == "stress" and _youngs_modulus(compiled, gauge.link) is None:
                continue
            if what == "torsion" and compiled.arm.planar:
                continue
            yield f"{gauge.name}.{what}"


def sensor_signals(compiled: CompiledArm) -> Iterator[str]:
    """The signals of the sensors."""
    for sensor in compiled.arm.sensors:
        yield from sensor.words


def is_measured(word: str) -> bool:
    """True for what a sensor reads, which is held between its samples."""
    return word.endswith(".measured")


def _youngs_modulus(compiled: CompiledArm, link: str) -> float | None:
    beam = compiled.arm.link(link).beam
    material = None if beam is None else beam.material_data
    return None if material is None else material.youngs_modulus


def _known(word: str, owner: str, names: tuple[str, ...], kind: str) -> None:
    if owner not in names:
        shown = names if len(names) <= 12 else names[:12]
        allowed = f"must be of {either(shown)}{meant(owner, names)}" if names else "of which the arm has none"
        raise AnalysisError(f"the output {quoted(word)} names no {kind}, {allowed}")
