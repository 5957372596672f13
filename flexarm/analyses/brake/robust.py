"""Uncertain arms: the same arm with other payloads, stiffnesses and lengths."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from flexarm.analyses.detuned import detuned
from flexarm.errors import AnalysisError
from flexarm.model import Arm, Beam, BeamEnd, Link
from flexarm.model.reading.messages import either, meant, quoted

QUANTITIES = ("payload", "stiffness", "length")
_STIFFNESSES = ("bending_stiffness", "torsional_stiffness", "axial_stiffness", "shear_stiffness")


def read_ranges(uncertain: Mapping[str, Any], quantities: Sequence[str] = QUANTITIES) -> dict[str, tuple[float, float]]:
    """Factors between which each quantity may lie: from a part (0.1 or "10 %" means ±10 %) or a pair of factors."""
    ranges = {}
    for name, given in uncertain.items():
        if name not in quantities:
            raise AnalysisError(
                f"uncertain: {quoted(str(name))} is not known, must be {either(quantities)}{meant(name, quantities)}"
            )
        pair = _pair(given)
        if pair is None or not 0.0 < pair[0] < pair[1]:
            raise AnalysisError(
                f'uncertain: {name} is {given!r}, must be a part such as 0.1 or "10 %" for ±10 %, or two rising '
                "positive factors such as (0.9, 1.2)"
            )
        ranges[name] = pair
    if not ranges:
        raise AnalysisError(f"uncertain is empty, must name any of {either(quantities)}")
    return ranges


def _pair(given: Any) -> tuple[float, float] | None:
    try:
        if isinstance(given, str) and given.strip().endswith("%"):
            part = float(given.strip().lstrip("±").removesuffix("%")) / 100.0
        elif isinstance(given, tuple | list):
            low, high = (float(x) for x in given)
            return low, high
        else:
            part = float(given)
    except (TypeError, ValueError):
        return None
    return (1.0 - part, 1.0 + part)


def variants(arm: Arm, ranges: Mapping[str, tuple[float, float]], levels: int = 3) -> Iterator[tuple[str, Arm]]:
    """Every arm with each quantity at even levels from end to end of its range, and what it is in words."""
    last = levels - 1
    factors_of = [[(low * (last - k) + high * k) / last for k in range(levels)] for low, high in ranges.values()]
    for factors in product(*factors_of):
        changed = arm
        for name, factor in zip(ranges, factors, strict=True):
            changed = varied(changed, name, factor)
        yield ", ".join(f"{name} × {f:.4g}" for name, f in zip(ranges, factors, strict=True)), changed


def varied(arm: Arm, quantity: str, factor: float) -> Arm:
    """The arm with all payloads, all stiffnesses or lengths of its beams, or all its frequencies, times a factor."""
    if quantity == "frequency":
        return arm if factor == 1.0 else detuned(arm, factor)
    if quantity == "payload":
        if not any(link.payloads for link in arm.links):
            raise AnalysisError("uncertain: payload is given, but the arm carries none")
        return arm.changed(links=tuple(_loaded(link, factor) for link in arm.links))
    if not any(link.beam is not None for link in arm.links):
        raise AnalysisError(f"uncertain: {quantity} is given, but the arm has no beam")
    if factor == 1.0:
        return arm
    if quantity == "stiffness":
        return arm.changed(
            links=tuple(
                link if link.beam is None else link.changed(beam=_stiffened(link.beam, factor)) for link in arm.links
            )
        )
    return _lengthened(arm, factor)


def _loaded(link: Link, factor: float) -> Link:
    if not link.payloads:
        return link
    return link.changed(
        payloads=tuple(
            load.changed(mass=load.mass * factor, inertia=_times(load.inertia, factor)) for load in link.payloads
        )
    )


def _times(value: Any, factor: float) -> Any:
    """Numbers, however nested, times a factor."""
    if value is None:
        return None
    if isinstance(value, tuple):
        return tuple(_times(part, factor) for part in value)
    if isinstance(value, int | float):
        return value * factor
    return value.changed(along=value.along * factor, across=value.across * factor)


def _stiffened(beam: Beam, factor: float) -> Beam:
    material = beam.material_data
    if material is not None:
        moduli = {"youngs_modulus": material.youngs_modulus * factor}
        if material.shear_modulus is not None:
            moduli["shear_modulus"] = material.shear_modulus * factor
        return beam.changed(material=material.changed(**moduli))
    changes: dict[str, Any] = {name: _times(getattr(beam, name), factor) for name in _STIFFNESSES}
    changes = {name: value for name, value in changes.items() if value is not None}
    if beam.end is not None:
        far: BeamEnd = beam.end
        ends = {name: _times(getattr(far, name), factor) for name in _STIFFNESSES}
        changes["end"] = far.changed(**{name: value for name, value in ends.items() if value is not None})
    stations = []
    for station in beam.along:
        ends = {name: _times(getattr(station, name), factor) for name in _STIFFNESSES}
        stations.append(station.changed(**{name: value for name, value in ends.items() if value is not None}))
    if stations:
        changes["along"] = stations
    return beam.changed(**changes)


def _lengthened(arm: Arm, factor: float) -> Arm:
    """The arm with longer or shorter beams; attachments keep their place as a part of the length."""
    longer = {link.name for link in arm.links if link.beam is not None}

    def moved(place: Any, link: str | None) -> Any:
        return place.changed(at=place.at * factor) if place.at is not None and link in longer else place

    links = []
    for index, link in enumerate(arm.links):
        changes: dict[str, Any] = {}
        if link.name in longer:
            changes["length"] = link.length * factor
            changes["payloads"] = tuple(moved(load, link.name) for load in link.payloads)
        carrier = arm.parents[index]
        if link.parent_at is not None and carrier >= 0 and arm.links[carrier].name in longer:
            changes["parent_at"] = link.parent_at * factor
        links.append(link.changed(**changes) if changes else link)
    return arm.changed(
        links=tuple(links),
        points=tuple(moved(point, point.link) for point in arm.points),
        loads=tuple(moved(load, load.link) for load in arm.loads),
    )
