"""Strains and internal forces at the stations along the links."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexarm.assembly import CompiledArm
from flexarm.assembly.bodies import Reading
from flexarm.core.tree.types import Floats
from flexarm.links.base import FORCE, STRAIN

# All that any station may read.
STATION_VALUES = tuple(dict.fromkeys((*STRAIN.values(), *FORCE.values())))


def station_names(compiled: CompiledArm) -> tuple[str, ...]:
    """The names of what is read at any station of the arm."""
    directions = dict.fromkeys(reading.direction for place in compiled.stations for reading in place.readings)
    names = [(FORCE[each], STRAIN[each]) if each in STRAIN else (FORCE[each],) for each in directions]
    return tuple(dict.fromkeys(name for pair in names for name in pair))


def station_values(compiled: CompiledArm, q: Floats, v: Floats) -> dict[str, Floats]:
    """Strains and internal forces at the stations along the links (m, stations); NaN where one is not read."""
    arrays = {name: np.full((len(q), len(compiled.stations)), np.nan) for name in station_names(compiled)}
    # readings alike in kind are read together, whichever stations they belong to
    together: dict[tuple[str, int], list[tuple[int, Reading]]] = {}
    for j, place in enumerate(compiled.stations):
        for reading in place.readings:
            if isinstance(reading, Reading):
                together.setdefault((reading.direction, len(reading.coordinates)), []).append((j, reading))
                continue
            arrays[FORCE[reading.direction]][:, j] = reading.forces(q, v)
            if reading.direction in STRAIN:
                arrays[STRAIN[reading.direction]][:, j] = reading.strains(q)
    for found in together.values():
        columns, readings = [j for j, _ in found], [reading for _, reading in found]
        direction = readings[0].direction
        where = np.array([reading.coordinates for reading in readings]).T
        force = _read(q, where, [reading.force for reading in readings])
        if any(any(reading.loss) for reading in readings):
            force += _read(v, where, [reading.loss for reading in readings])
        arrays[FORCE[direction]][:, columns] = force
        if direction in STRAIN:
            arrays[STRAIN[direction]][:, columns] = _read(q, where, [reading.strain for reading in readings])
    return arrays


def _read(q: Floats, where: np.ndarray, rows: Sequence[Sequence[float]]) -> Floats:
    """The sums of coordinates (m, nq) `where` (terms, readings) times rows (readings, terms): (m, readings)."""
    found = np.zeros((len(q), where.shape[1]))
    for coordinates, factors in zip(where, np.array(rows).T, strict=True):
        found += q[:, coordinates] * factors
    return found
