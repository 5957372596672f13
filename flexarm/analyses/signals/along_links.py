"""Internal forces, strains and stresses at any place of a beam, from what its stations read (NOTATION O5 to O8)."""

from __future__ import annotations

import numpy as np

from flexarm.analyses.stations import station_values
from flexarm.assembly import CompiledArm
from flexarm.core.tree.types import Floats
from flexarm.links.element import interpolated
from flexarm.model.attachments import attachment_positions
from flexarm.model.parts.gauge import FACES, face_distance

# A moment changes along a beam by the shear force: M_z' = −Q_y, M_y' = Q_z.
_SLOPES = {"moment_z": ("shear_y", -1.0), "moment_y": ("shear_z", 1.0)}
_STRAIN_OF = {"curvature_z": ("moment_z", "EIz"), "curvature_y": ("moment_y", "EIy"), "twist": ("torque_x", "GJ")}


class AlongLinks:
    """What the stations of a compiled arm read in states q (m, nq) with rates v."""

    def __init__(self, compiled: CompiledArm, q: Floats, v: Floats) -> None:
        self.compiled = compiled
        self.forces = station_values(compiled, q, v)
        # strains follow what is elastic alone: without the share of damping
        self.elastic = station_values(compiled, q, np.zeros_like(v))

    def at(self, link: str, what: str, place: float) -> Floats:
        """A force, moment or strain (m,) at a distance along a link (m)."""
        if what in _STRAIN_OF:
            force, stiffness = _STRAIN_OF[what]
            return self._between(self.elastic, link, force, place) / self._stiffness(link, stiffness, place)
        return self._between(self.forces, link, what, place)

    def gauge(self, name: str, what: str) -> Floats:
        """What a gauge reads (m,)."""
        arm = self.compiled.arm
        gauge = next(each for each in arm.gauges if each.name == name)
        axis, sign = FACES[gauge.face]
        if what in ("moment", "shear", "torsion"):
            word = {"moment": ("moment_z", "moment_y"), "shear": ("shear_y", "shear_z"), "torsion": ("torque_x",) * 2}
            return self.at(gauge.link, word[what][axis], gauge.at)
        reach = face_distance(arm, gauge)
        assert reach is not None
        # ε = −y κ_z + z κ_y + ε_0
        bent = self.at(gauge.link, "curvature_z" if axis == 0 else "curvature_y", gauge.at)
        strain = (-1.0 if axis == 0 else 1.0) * sign * reach * bent
        if self._read(self.elastic, gauge.link, "force_x"):
            stretch = self._between(self.elastic, gauge.link, "force_x", gauge.at)
            strain = strain + stretch / self._stiffness(gauge.link, "EA", gauge.at)
        if what == "strain":
            return strain
        beam = arm.link(gauge.link).beam
        assert beam is not None and beam.material_data is not None
        return np.asarray(beam.material_data.youngs_modulus * strain)

    def _stiffness(self, link: str, name: str, place: float) -> float:
        beam, length = self.compiled.arm.link(link).beam, self.compiled.arm.link(link).length
        assert beam is not None
        return float(getattr(beam.properties(place / length), name))

    def _read(self, values: dict[str, Floats], link: str, what: str) -> list[int]:
        """The stations of a link that read something, base to tip."""
        if what not in values:
            return []
        stations = self.compiled.stations
        here = [j for j, each in enumerate(stations) if each.link == link and np.isfinite(values[what][:, j]).all()]
        sharp = [j for j in here if not stations[j].rough]
        return sorted(sharp or here, key=lambda j: stations[j].position)

    def _between(self, values: dict[str, Floats], link: str, what: str, place: float) -> Floats:
        """A force at a place: on the parabola through the three nearest stations that no payload, load or joint parts
        from it. Where loads act on nodes alone, moments go straight beyond the outermost station, by the shear force.
        """
        here = self._read(values, link, what)
        if not here:
            return np.zeros(len(next(iter(values.values()))) if values else 0)
        here = self._on_one_side(link, here, place)
        places = np.array([self.compiled.stations[j].position for j in here])
        straight = self._loaded_at_nodes(link) and not places[0] <= place <= places[-1]
        if straight:
            end = 0 if place <= places[0] else len(here) - 1
            shear, sign = _SLOPES.get(what, ("", 0.0))
            own = values[what][:, here[end]]
            slope = sign * values[shear][:, here[end]] if shear in values else np.zeros_like(own)
            return np.asarray(own + (place - places[end]) * np.nan_to_num(slope))
        nearest = np.argsort(np.abs(places - place), kind="stable")[: 3 if what in _SLOPES else 2]
        weights = interpolated(np.array([place]), places[nearest])[0]
        return np.asarray(values[what][:, [here[k] for k in nearest]] @ weights)

    def _loaded_at_nodes(self, link: str) -> bool:
        """True of linear elements and of bar-chains: what is distributed along them acts on their nodes."""
        return self.compiled.arm.link(link).formulation.formulation in ("timoshenko", "hencky")

    def _on_one_side(self, link: str, here: list[int], place: float) -> list[int]:
        """The stations between the same two places where something stands on the beam; all of them if there is none."""
        arm = self.compiled.arm
        edges = [-np.inf, *attachment_positions(arm, arm.link(link)), np.inf]
        k = int(np.searchsorted(edges, place, side="right")) - 1
        stations = self.compiled.stations
        near = [j for j in here if edges[k] <= stations[j].position <= edges[k + 1]]
        return near or here
