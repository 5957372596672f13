"""The requirements in the [[requirement]] tables of a model file; every mistake is told with its place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.analyses.signals.names import units_by_name
from flexarm.errors import FlexarmError, ModelError, Problem
from flexarm.model.reading.distributions import REQUIREMENT, distributions_in
from flexarm.model.reading.messages import either, meant, place_of, quoted, shown
from flexarm.results.settling import ABOUT, OF
from flexarm.studies.parameters.quantities import read_quantity, read_vector
from flexarm.studies.reliability.requirements import KINDS, NOMINAL, Requirement

if TYPE_CHECKING:
    from flexarm.studies.parameters.study_model import StudyModel

# Keys of the table behind a kind's word.
_KEYS = {
    "circle": ("centre", "radius", "plane"),
    "sphere": ("centre", "radius"),
    "box": ("centre", "size"),
    "ellipse": ("centre", "semi_axes", "angle", "plane"),
    "orientation": ("angle", "quaternion", "within"),
    "speed": ("below",),
    "deflection": ("below",),
    "settled": ("by", "within", "of", "about"),
    "settling_time": ("within", "below", "of", "about"),
}


def requirements_from(entries: Any, *, source: str = "model") -> tuple[Requirement, ...]:
    """The requirements in the [[requirement]] tables of a model file; every mistake is reported with its path."""
    if not isinstance(entries, list):
        raise ModelError(
            [Problem("requirement", f"is {shown(entries)}, must be [[requirement]] tables")], source=source
        )
    found: list[Requirement] = []
    problems = []
    for k, entry in enumerate(entries):
        try:
            each = _requirement(entry, f"{k + 1}")
            if each.name in {other.name for other in found}:
                raise FlexarmError(f"name is {quoted(each.name)}, which another has already")
            found.append(each)
        except FlexarmError as error:
            message = str(error)
            if message.startswith("requirement "):
                message = message.partition(": ")[2]
            problems.append(Problem(f"requirement[{k}]", message))
    if problems:
        raise ModelError(problems, source=source)
    return tuple(found)


def requirements_of(model: StudyModel) -> tuple[Requirement, ...]:
    """The requirements in the model file of a study."""
    entries = model.data.get(REQUIREMENT, [])
    return requirements_from(entries, source=model.name)


def _requirement(entry: Any, number: str) -> Requirement:
    """One requirement from its table."""
    if not isinstance(entry, Mapping):
        raise FlexarmError(f"is {shown(entry)}, must be a table")
    kinds = [key for key in entry if key in KINDS and ("signal" not in entry or key == "signal")]
    for path, _ in distributions_in(entry, (0,)):
        raise FlexarmError(
            f"{place_of(path[1:])} is a distribution, must be given plainly: numbers of requirements are not random"
        )
    if "signal" in entry:
        return _of_signal(entry, number)
    _refuse_others(entry, ("name", "point", "at", "during", *KINDS))
    if len(kinds) != 1:
        found = "none" if not kinds else " and ".join(kinds)
        raise FlexarmError(f"has {found} of {', '.join(KINDS)}, must have one")
    kind, table = kinds[0], entry[kinds[0]]
    if not isinstance(table, Mapping):
        raise FlexarmError(f"{kind} is {shown(table)}, must be a table with {', '.join(_KEYS[kind])}")
    _refuse_others(table, _KEYS[kind], kind)
    fields: dict[str, Any] = {"name": str(entry.get("name", number)), "kind": kind}
    if "point" in entry:
        fields["point"] = str(entry["point"])
    fields |= _times_in(entry)
    if kind == "settled" and ("at" in fields or "during" in fields):
        raise FlexarmError("has at or during together with settled, must give the time as settled.by")
    if kind in ("settled", "settling_time"):
        for key, allowed in (("of", OF), ("about", ABOUT)):
            if key in table and table[key] not in allowed:
                raise FlexarmError(f"{kind}.{key} is {shown(table[key])}, must be {either(allowed)}")
            fields |= {key: table[key]} if key in table else {}
    return Requirement(**fields, **_details(kind, table))


def _of_signal(entry: Mapping[str, Any], number: str) -> Requirement:
    """A requirement on any signal: below, above, within, or settled by a time; bounds have the unit of the signal."""
    bounds = [key for key in ("below", "above", "within", "settled") if key in entry]
    _refuse_others(entry, ("name", "signal", "at", "during", "below", "above", "within", "settled"))
    word, fields = str(entry["signal"]), {"name": str(entry.get("name", number)), "kind": "signal"}
    if bounds not in (["below"], ["above"], ["below", "above"], ["within"], ["settled"]):
        found = " and ".join(bounds) or "none"
        raise FlexarmError(f"has {found} of below, above, within and settled, must have one, or below and above")
    times = _times_in(entry)
    if "settled" in entry:
        table = entry["settled"]
        if not isinstance(table, Mapping) or times:
            raise FlexarmError("settled must be a table with by and within, without at or during")
        _refuse_others(table, ("by", "within"), "settled")
        times = {"during": (_need("settled", table, "by", "s", least=0.0), np.inf)}
        band = _band(word, table.get("within"), "settled.within")
    elif "within" in entry:
        band = _band(word, entry["within"], "within")
    else:
        ends = [_bound(word, key, entry.get(key)) for key in ("above", "below")]
        band = (-np.inf if ends[0] is None else ends[0], np.inf if ends[1] is None else ends[1])
    return Requirement(**fields, **times, signal=word, band=band)  # type: ignore[arg-type]


def _times_in(entry: Mapping[str, Any]) -> dict[str, Any]:
    """The times of a requirement: at, or during."""
    fields = {}
    for key in ("at", "during"):
        if key in entry and entry[key] != "end":
            times = entry[key] if isinstance(entry[key], list) else [entry[key]]
            if not times:
                raise FlexarmError(f"{key} is [], must hold a time{', or be left out for the end' * (key == 'at')}")
            fields[key] = tuple(_read(key, time, "s", least=0.0) for time in times)
    return fields


def _band(word: str, value: Any, place: str) -> tuple[float, float]:
    """Two bounds, or one about zero."""
    if isinstance(value, list | tuple) and len(value) == 2:
        low, high = (_bound(word, place, each) for each in value)
    else:
        high = _bound(word, place, value)
        low = None if high is None else -high
    if low is None or high is None or not low < high:
        raise FlexarmError(f"{place} is {shown(value)}, must be a number > 0, or [least, greatest]")
    return low, high


def _bound(word: str, place: str, value: Any) -> float | None:
    """A bound of a signal in SI units; its text may have any unit that the signal can have."""
    if value is None:
        return None
    units = units_by_name(word)
    if not units:
        raise FlexarmError(
            f'signal is {quoted(word)}, must be a signal such as "tip.across", "hub.torque" or "root.strain"'
        )
    try:
        return read_quantity(value, *units)
    except FlexarmError as error:
        raise FlexarmError(f"{place} {error}") from None


def _details(kind: str, table: Mapping[str, Any]) -> dict[str, Any]:
    """The fields a kind's table decides."""
    if kind in ("speed", "deflection"):
        return {"limit": _need(kind, table, "below", KINDS[kind])}
    if kind == "settled":
        by = _need(kind, table, "by", "s", least=0.0)
        return {"limit": _need(kind, table, "within", "m"), "at": (by,)}
    if kind == "settling_time":
        return {"limit": _need(kind, table, "below", "s"), "within": _need(kind, table, "within", "m")}
    if kind == "orientation":
        fields: dict[str, Any] = {"limit": _need(kind, table, "within", "rad")}
        if "angle" in table and "quaternion" in table:
            raise FlexarmError("orientation has angle and quaternion, must have one of them")
        if "angle" in table:
            from math import cos, sin

            half = _read("orientation.angle", table["angle"], "rad") / 2.0
            fields["target"] = (cos(half), 0.0, 0.0, sin(half))
        elif "quaternion" in table:
            fields["target"] = _vector("orientation.quaternion", table["quaternion"], "", (4,))
        return fields
    fields = {}
    if "plane" in table:
        fields["plane"] = str(table["plane"])
    if table.get("centre", NOMINAL) != NOMINAL:
        fields["centre"] = _vector(f"{kind}.centre", table["centre"], "m", (2, 3))
    if kind in ("circle", "sphere"):
        fields["limit"] = _need(kind, table, "radius", "m")
    else:
        key = "size" if kind == "box" else "semi_axes"
        fields["size"] = _vector(f"{kind}.{key}", table.get(key), "m", (2, 3))
    if "angle" in table:
        fields["angle"] = _read(f"{kind}.angle", table["angle"], "rad")
    return fields


def _refuse_others(table: Mapping[str, Any], known: Sequence[str], place: str = "") -> None:
    for key in table:
        if key not in known:
            where = f"{place}." if place else ""
            raise FlexarmError(f"{where}{key} is not known, must be {either(known)}{meant(key, tuple(known))}")


def _need(kind: str, table: Mapping[str, Any], key: str, unit: str, *, least: float | None = None) -> float:
    if key not in table:
        raise FlexarmError(f"{kind}.{key} is missing, must be given")
    return _read(f"{kind}.{key}", table[key], unit, least=least, above=0.0 if least is None else None)


def _read(place: str, value: Any, unit: str, **bounds: float | None) -> float:
    try:
        return read_quantity(value, unit, **bounds)
    except FlexarmError as error:
        raise FlexarmError(f"{place} {error}") from None


def _vector(place: str, value: Any, unit: str, lengths: tuple[int, ...]) -> tuple[float, ...]:
    try:
        return read_vector(value, unit, lengths)
    except FlexarmError as error:
        raise FlexarmError(f"{place} {error}") from None
