"""An arm as rigid pieces behind joints of one coordinate, which every multibody system knows; springs on some."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from flexarm.assembly.bodies import Assembly
from flexarm.core.tree.build import parents_of
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.links.base import RigidPiece
from flexarm.model import Arm, Link
from flexarm.model.reading.messages import quoted

# How many rigid finite elements a beam is cut into unless its own model is a chain or another number is asked for.
ELEMENTS = 10


@dataclass(frozen=True, eq=False)
class Piece:
    """A rigid body and the joint that carries it: `rotation` and `offset` lead from the parent's frame to the joint."""

    name: str
    parent: int  # −1: the ground
    kind: str  # "revolute", "prismatic" or "fixed"
    joint: str
    axis: Floats
    rotation: Floats
    offset: Floats
    body: RigidPiece
    stiffness: float = 0.0
    damping: float = 0.0
    rest: float = 0.0
    rotor: float = 0.0
    start: float = 0.0
    elastic: bool = False  # the joint is a spring of a beam or a gear


@dataclass(frozen=True, eq=False)
class Spot:
    """A point of the arm: the piece it stands on, and where."""

    name: str
    piece: int
    rotation: Floats
    offset: Floats


@dataclass(frozen=True, eq=False)
class Pieces:
    """The whole arm, parents before children."""

    arm: Arm
    pieces: tuple[Piece, ...]
    spots: tuple[Spot, ...]


def pieces_of(arm: Arm, *, rigid: bool = False, elements: int | None = None) -> Pieces:
    """The arm in pieces; rigid: with nothing in it that bends. Beams become chains of so many rigid elements."""
    chained = arm.changed(links=[_chained(link, elements) for link in arm.links])
    assembly = Assembly(chained)
    for index in chained.base_to_tip:
        assembly.add_link(index)
    own = {link.name: link.joint.name or link.name for link in arm.links}
    ends = {row: name for name, row in assembly.carrier.items()}
    names = iter(zip(assembly.names, assembly.directions, assembly.owner, strict=True))
    found: list[Piece] = []
    taken = {link.name for link in arm.links}
    owner = ""
    for row, (body, parent) in enumerate(zip(assembly.bodies, parents_of(assembly.bodies), strict=True)):
        if body.flexible:
            raise AnalysisError("the arm has a body that is no chain of rigid pieces, which cannot be exported")
        coordinate, direction = "", None
        if body.coordinates:
            coordinate, direction, owner = next(names)
        kind = "fixed" if rigid and direction is not None else body.kind
        name = ends.get(row) or _unused(f"{coordinate or owner or 'part'} piece", taken)
        link = arm.link(coordinate) if coordinate in own else None
        # what a servo adds is no spring of the arm
        found.append(
            Piece(
                name=name,
                parent=parent,
                kind=kind,
                joint=own.get(coordinate, coordinate) or _fixed_name(arm, name),
                axis=np.asarray(body.axis, float),
                rotation=np.asarray(body.rotation, float),
                offset=np.asarray(body.offset, float),
                body=RigidPiece(body.mass, np.asarray(body.centre), np.asarray(body.inertia)),
                stiffness=body.stiffness - body.gains[0],
                damping=body.damping - body.gains[1],
                rest=body.rest,
                rotor=body.rotor,
                start=link.joint.at if link is not None else 0.0,
                elastic=direction is not None,
            )
        )
    spots = []
    for point in arm.observed:
        stands = assembly.frame_at(chained.link(point.link), point.at)
        offset = stands.offset + stands.rotation @ np.array(point.offset)
        spots.append(Spot(point.name, stands.body, stands.rotation, offset))
    return _merged(Pieces(arm, tuple(found), tuple(spots)), taken)


def _chained(link: Link, elements: int | None) -> Link:
    """The link with its beam as a chain of rigid pieces; one that is such a chain already stays as it is."""
    if link.beam is None:
        return link
    if link.joint.sleeve:
        raise AnalysisError(f"link {quoted(link.name)}: a beam in a sleeve has no fixed chain, it cannot be exported")
    if link.formulation.traits.lumped and link.formulation.kinematics != "printed" and elements is None:
        return link
    asked = link.model.freedoms if link.model is not None else None
    model = {"formulation": "rigid-fe", "elements": elements or ELEMENTS}
    return link.changed(model=model if asked is None else {**model, "freedoms": asked})


def _merged(whole: Pieces, links: set[str]) -> Pieces:
    """The same without pieces that are fixed to another and are no link of the arm: their mass joins what carries
    them.
    """
    place: dict[int, tuple[int, Floats, Floats]] = {-1: (-1, np.eye(3), np.zeros(3))}
    kept: list[Piece] = []
    for row, piece in enumerate(whole.pieces):
        parent, turn, shift = place[piece.parent]
        rotation, offset = turn @ piece.rotation, shift + turn @ piece.offset
        own = {link.name for link in whole.arm.links}
        if piece.kind == "fixed" and parent >= 0 and piece.name not in own:
            held = kept[parent]
            kept[parent] = replace(held, body=held.body.joined(piece.body.placed(rotation, offset)))
            place[row] = (parent, rotation, offset)
            continue
        place[row] = (len(kept), np.eye(3), np.zeros(3))
        kept.append(replace(piece, parent=parent, rotation=rotation, offset=offset))
    spots = []
    for spot in whole.spots:
        parent, turn, shift = place[spot.piece]
        spots.append(replace(spot, piece=parent, rotation=turn @ spot.rotation, offset=shift + turn @ spot.offset))
    return Pieces(whole.arm, tuple(_possible(whole.arm, piece) for piece in kept), tuple(spots))


def _possible(arm: Arm, piece: Piece) -> Piece:
    """In a planar arm only the moment about z counts; the others are given values that some body has."""
    if not arm.planar:
        return piece
    inertia = float(piece.body.inertia[2, 2])
    return replace(piece, body=replace(piece.body, inertia=inertia * np.eye(3)))


def _fixed_name(arm: Arm, name: str) -> str:
    link = next((link for link in arm.links if link.name == name), None)
    return (link.joint.name if link is not None else None) or f"{name} mount"


def _unused(name: str, taken: set[str]) -> str:
    found, k = name, 1
    while found in taken:
        k += 1
        found = f"{name} {k}"
    taken.add(found)
    return found
