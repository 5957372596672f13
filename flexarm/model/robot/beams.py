"""A robot's link made a beam: where it lies, and what is left of the link's mass and inertia beside the beam's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from pydantic import ValidationError

from flexarm.errors import ModelError
from flexarm.model.parts.beam import Beam
from flexarm.model.parts.frames import Array
from flexarm.model.parts.material import Material
from flexarm.model.reading.messages import number, quoted
from flexarm.model.reading.text import part_to_dict
from flexarm.model.robot.description import Inertial

# Part of the length within which what stands near an end of a beam stands at the end: no element is made so short.
NEAR = 0.02
# A change of inertia below this part is the drawing's own uncertainty and is not reported.
_SLIGHT = 0.02


class Axis(NamedTuple):
    """The axis of a beam in its link's frame: it begins in the origin."""

    direction: Array
    length: float

    def place(self, point: Array) -> tuple[float | None, Array]:
        """The distance along the axis nearest to a point (None: the tip), and what is left to it, m."""
        s = float(np.clip(point @ self.direction, 0.0, self.length))
        if s > (1.0 - NEAR) * self.length:
            return None, point - self.length * self.direction
        if s < NEAR * self.length:
            s = 0.0
        return s, point - s * self.direction


class Kept(NamedTuple):
    """A beam's raw table, what its link carries besides it, and what had to be changed."""

    beam: Any
    payload: dict[str, Any] | None
    remarks: tuple[str, ...]


def beam_with_mass(
    name: str, raw: Mapping[str, Any], axis: Axis, inertial: Inertial | None, materials: Mapping[str, Any]
) -> Kept:
    """The beam and the rest of its link, which together have the mass, mass centre and inertia of the description.

    The rest stands where its mass centre is nearest to the axis. A beam heavier than its link has its density scaled
    down to the link's mass.
    """
    beam = _beam(raw, materials)
    if beam is None:  # the model says what is wrong with it
        return Kept(raw, None, ())
    mass, centre, inertia = _moments(beam, axis)
    link = f"link {quoted(name)}"
    if inertial is None or inertial.mass == 0.0:
        return Kept(dict(raw), None, (f"{link} has no mass in the description: its beam has its own, {mass:.4g} kg",))
    if mass >= inertial.mass * (1.0 - 1e-9):
        scale = inertial.mass / mass
        remark = (
            f"{link}: the beam would weigh {number(mass)} kg, the description has {number(inertial.mass)} kg: its "
            "density is scaled to that"
        )
        return Kept(_scaled(raw, beam, scale), None, (remark,) if scale < 1.0 - _SLIGHT else ())
    rest = inertial.mass - mass
    c = np.array(inertial.centre)
    about_origin = np.array(inertial.inertia) + _steiner(inertial.mass, c)
    c_rest = (inertial.mass * c - mass * centre) / rest
    wanted = about_origin - inertia - _steiner(rest, c_rest)
    possible = _nearest_possible(wanted)
    size = float(np.max(np.abs(np.array(inertial.inertia)))) or 1.0
    off = float(np.max(np.abs(possible - wanted))) / size
    remarks: tuple[str, ...] = ()
    if off > _SLIGHT:
        remarks = (
            f"{link}: beam and description do not fit: with the beam's own inertia the link's is {100 * off:.0f} % "
            "larger than described",
        )
    at, offset = axis.place(c_rest)
    payload: dict[str, Any] = {"mass": rest, "inertia": possible.tolist(), "offset": offset.tolist()}
    if at is not None:
        payload["at"] = at
    return Kept(dict(raw), payload, remarks)


def _beam(raw: Any, materials: Mapping[str, Any]) -> Beam | None:
    try:
        beam = Beam.__pydantic_validator__.validate_python(raw)
        if isinstance(beam.material, str) and beam.material in materials:
            beam = beam.bound_to(Material.__pydantic_validator__.validate_python(materials[beam.material]))
        beam.properties()
    except (ValidationError, ModelError):
        return None
    return beam  # type: ignore[no-any-return]


def _moments(beam: Beam, axis: Axis) -> tuple[float, Array, Array]:
    """Mass (kg), mass centre (m) and inertia about the origin (kg m²) of a beam as a thin rod."""
    places, weights = beam.quadrature(4)
    along, masses = axis.length * places, []
    for place, weight in zip(places, weights, strict=True):
        masses.append(axis.length * float(weight) * beam.properties(float(place)).mass_per_length)
    m = np.array(masses)
    mass = float(np.sum(m))
    d = axis.direction
    second = float(m @ along**2)
    return mass, float(m @ along) / mass * d if mass else 0.0 * d, second * (np.eye(3) - np.outer(d, d))


def _steiner(mass: float, c: Array) -> Array:
    return np.asarray(mass * (float(c @ c) * np.eye(3) - np.outer(c, c)))


def _nearest_possible(inertia: Array) -> Array:
    """The inertia with the negative moments of its mass distribution, ∫xxᵀ dm = ½ tr(I) − I, set to zero."""
    values, vectors = np.linalg.eigh(0.5 * float(np.trace(inertia)) * np.eye(3) - inertia)
    if values[0] >= 0.0:
        return np.asarray(0.5 * (inertia + inertia.T))
    spread = (vectors * np.maximum(values, 0.0)) @ vectors.T
    found = float(np.trace(spread)) * np.eye(3) - spread
    return np.asarray(0.5 * (found + found.T))


def _scaled(raw: Mapping[str, Any], beam: Beam, scale: float) -> dict[str, Any]:
    material = beam.material_data
    if material is not None:
        return {**raw, "material": part_to_dict(material.changed(density=material.density * scale))}
    found = {**raw, "mass_per_length": (beam.mass_per_length or 0.0) * scale}
    if beam.end is not None and beam.end.mass_per_length is not None:
        found["end"] = {**raw["end"], "mass_per_length": beam.end.mass_per_length * scale}
    if beam.along:
        masses = [
            {} if s.mass_per_length is None else {"mass_per_length": s.mass_per_length * scale} for s in beam.along
        ]
        found["along"] = [part_to_dict(station) | mass for station, mass in zip(beam.along, masses, strict=True)]
    return found
