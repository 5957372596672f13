"""Damping of a beam: by retardation time, by the ratio of a clamped mode, or per spring."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from flexarm.batched import real
from flexarm.core.tree.build import Body
from flexarm.core.tree.elastic import Elastic
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.links.base import BeamSpan, LinkBlock, Station, changed_body
from flexarm.links.small_motion import frequencies, small_motion
from flexarm.model import Link

_FAMILIES = (("axial",), ("torsion",), ("bending_z", "shear_y"), ("bending_y", "shear_z"))


def clamped_frequencies(block: LinkBlock) -> np.ndarray:
    """Angular frequencies (rad/s) of the beam alone, clamped at its base, ascending."""
    mass, stiffness = small_motion(block.bodies)
    # a straight beam's stretch, torsion and two planes of bending do not mix at rest: four small problems
    found = []
    for family in _FAMILIES:
        own = [c for c, direction in enumerate(block.directions) if direction in family]
        if own:
            found.append(frequencies(mass[np.ix_(own, own)], stiffness[np.ix_(own, own)]))
    return np.sort(np.concatenate(found))


def damped(block: LinkBlock, span: BeamSpan, link: Link) -> LinkBlock:
    """The block with its dampers."""
    damping = link.effective_damping
    if damping is None:
        return block
    if damping.per_spring is not None:
        return _per_spring(block, link.name, damping.per_spring)
    retardation = damping.retardation
    if damping.ratio is not None:
        clamped = clamped_frequencies(block)
        mode = damping.mode or 1
        if mode > len(clamped):
            raise AnalysisError(
                f'link "{link.name}": damping.mode is {mode}, must be ≤ the number of elastic coordinates, '
                f"{len(clamped)}"
            )
        retardation = 2.0 * damping.ratio / real(clamped[mode - 1])
    assert retardation is not None
    return _retarded(block, retardation)


def _retarded(block: LinkBlock, time: float) -> LinkBlock:
    """Kelvin-Voigt material: every force is joined by its retardation time × rate."""
    # bodies that are alike stay one object
    distinct = {id(each): each for each in _elastic_of(block)}
    elastic = {key: replace(each, damping=time * each.stiffness) for key, each in distinct.items()}

    def damped_body(body: Body) -> Body:
        """The body with its damping."""
        if body.elastic is not None:
            return changed_body(body, elastic=elastic[id(body.elastic)])
        return changed_body(body, damping=time * body.stiffness)

    def stations() -> list[Station]:
        """The stations with theirs."""
        return [replace(each, loss=tuple([time * force for force in each.force])) for each in block.stations]

    return replace(block, bodies=_each(block, damped_body), reads=stations)


def _each(block: LinkBlock, changed: Callable[[Body], Body]) -> tuple[Body, ...]:
    """The bodies changed; those that are one stay one."""
    made = {id(body): changed(body) for body in {id(body): body for body in block.bodies}.values()}
    return tuple([made[id(body)] for body in block.bodies])


def _elastic_of(block: LinkBlock) -> list[Elastic]:
    """What is elastic in the flexible bodies of a block."""
    return [body.elastic for body in block.bodies if body.elastic is not None]


def _per_spring(block: LinkBlock, name: str, value: float) -> LinkBlock:
    """A damper on every bending spring."""
    if block.turns is not None:
        return _on_turns(block, block.turns, value)
    if _elastic_of(block):
        raise AnalysisError(
            f'link "{name}": damping has per_spring, must have retardation or ratio: finite elements have no springs'
        )
    bending = {
        id(body)
        for body, direction in zip(block.bodies, block.directions, strict=True)
        if direction.startswith("bending")
    }

    def stations() -> list[Station]:
        """The stations with the dampers."""
        return [
            replace(station, loss=(value,)) if station.direction.startswith("bending") else station
            for station in block.stations
        ]

    bodies = _each(block, lambda body: changed_body(body, damping=value) if id(body) in bending else body)
    return replace(block, bodies=bodies, reads=stations)


def _on_turns(block: LinkBlock, turns: Floats, value: float) -> LinkBlock:
    """A damper on every bending spring of a chain in one body."""
    (body,) = block.bodies
    assert body.elastic is not None
    elastic = replace(body.elastic, damping=value * turns.T @ turns)

    def stations() -> list[Station]:
        """The stations with the dampers."""
        bending = iter(turns)
        return [
            replace(station, loss=tuple(real(value * each) for each in next(bending)))
            if station.direction.startswith("bending")
            else station
            for station in block.stations
        ]

    return replace(block, bodies=(replace(body, elastic=elastic),), reads=stations)
