"""The same arm with all its frequencies off by a part."""

from __future__ import annotations

from typing import Any

from flexarm.model import Arm, Beam, Link

_STIFF = ("bending_stiffness", "torsional_stiffness", "axial_stiffness", "shear_stiffness")


def detuned(arm: Arm, factor: float) -> Arm:
    """The arm with what bends, twists, stretches or gives way factor² times as stiff: its frequencies times the factor.

    Damping ratios stay as they are. Gravity and servos stay too, and with them what they add to the frequencies.
    """
    return arm.changed(links=tuple(_link(link, factor) for link in arm.links))


def _link(link: Link, factor: float) -> Link:
    joint, changes = link.joint, dict[str, Any]()
    if joint.gear is not None:
        gear = joint.gear.changed(stiffness=joint.gear.stiffness * factor**2, damping=joint.gear.damping * factor)
        changes["gear"] = gear
    if joint.stiffness > 0.0 and not joint.prescribed:
        changes |= {"stiffness": joint.stiffness * factor**2, "damping": joint.damping * factor}
    fields: dict[str, Any] = {"joint": joint.changed(**changes)} if changes else {}
    if link.beam is not None:
        fields["beam"] = _beam(link.beam, factor)
        damping = link.damping
        if damping is not None and damping.retardation is not None:
            fields["damping"] = damping.changed(retardation=damping.retardation / factor)
        elif damping is not None and damping.per_spring is not None:
            fields["damping"] = damping.changed(per_spring=damping.per_spring * factor)
    return link.changed(**fields) if fields else link


def _beam(beam: Beam, factor: float) -> Beam:
    material = beam.material_data
    if material is not None:
        scaled: dict[str, Any] = {"youngs_modulus": material.youngs_modulus * factor**2}
        if material.shear_modulus is not None:
            scaled["shear_modulus"] = material.shear_modulus * factor**2
        if material.retardation is not None:
            scaled["retardation"] = material.retardation / factor
        return beam.changed(material=material.changed(**scaled))
    changes = _stiffer(beam, factor)
    if beam.end is not None:
        changes["end"] = beam.end.changed(**_stiffer(beam.end, factor))
    if beam.along:
        changes["along"] = [station.changed(**_stiffer(station, factor)) for station in beam.along]
    return beam.changed(**changes)


def _stiffer(part: Any, factor: float) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in _STIFF:
        value = getattr(part, name)
        if isinstance(value, tuple):
            found[name] = tuple(one * factor**2 for one in value)
        elif value is not None:
            found[name] = value * factor**2
    return found
