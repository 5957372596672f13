"""Assumed modes: the link's frame, and in it shapes of the beam: modes clamped at its base, loaded, pinned, or listed.

The modes of each direction are found by themselves, as many for one as for another, each 1 m (or 1 rad) where it moves
(or turns) most. All inertia is there up to the second order in their coordinates; what is printed for a beam on a hub
that turns by θ, with modes of unit mass, c = ∫xφ dm and D = ∫xH dm,

    J θ̈ + cᵀq̈ = τ,      q̈ + c θ̈ + (ω² − θ̇²)q + θ̇² D q = 0

lacks that order in its first row (`order = "printed"`): its momentum Jθ̇ + cᵀq̇ is the torque's integral, its energy is
not kept. There the frame stands on the joint's axis, so that x counts from it and the axis bears all else.
"""

from __future__ import annotations

from dataclasses import replace

from flexarm.batched import array
from flexarm.core.tree.build import Body
from flexarm.errors import AnalysisError
from flexarm.links.base import BeamSpan, LinkBlock, Place, RigidPiece
from flexarm.links.listed_shapes import check_listed, listed_families
from flexarm.links.mesh import check_beam, free_directions, theory_of
from flexarm.links.mode_families import ModesOfBeam
from flexarm.links.printed import at_the_clamp, check_printed
from flexarm.links.shape_rows import Family, Grid, ShapedBeam

_WORD = "modes"
_THEORIES = ("timoshenko", "rayleigh", "euler")
# Far beyond what one frame for the link is good for.
_MOST = 100
# A point closer to the clamp than this part of the beam's length stands on it.
_ON_CLAMP = 1e-12


def _families(span: BeamSpan, theory: str) -> tuple[Grid, list[Family]]:
    """The shapes of every direction that is free, and the points they are summed over."""
    model, base = span.formulation, span.properties(0.0)
    if model.listed:
        check_beam(span, _WORD, _THEORIES, check_listed(span, theory), theory)
        return listed_families(span, theory)
    free = free_directions(span, base)
    check_beam(span, _WORD, _THEORIES, free, theory)
    assert isinstance(model.shapes, str)
    beam = ModesOfBeam(span, model.modes, theory, model.shapes)
    return beam.grid, [beam.family(direction) for direction in free]


def modes(span: BeamSpan) -> LinkBlock:
    """The beam as one flexible body whose coordinates are shapes of each direction."""
    model = span.formulation
    if not 1 <= model.modes <= _MOST:
        raise AnalysisError(f'link "{span.name}": model.modes is {model.modes}, must be from 1 to {_MOST}')
    printed = model.order == "printed"
    if printed:
        check_printed(span, "order", "second")
    theory = theory_of(span, _WORD, _THEORIES, span.properties(0.0))
    grid, families = _families(span, theory)
    before = span.radius if printed else 0.0
    shaped = ShapedBeam(grid, families, sheared=theory == "timoshenko", rotary=theory != "euler", before=before)
    labels = [(family.direction, k + 1) for family in families for k in range(family.count)]

    def on_clamp(s: float) -> bool:
        return s <= _ON_CLAMP * span.length

    def place(s: float) -> Place:
        """The frame at a point of the axis."""
        return Place(-1, s) if on_clamp(s) else Place(0, s, shaped.attachment(s))

    carried, elastic = RigidPiece(), shaped.elastic()
    if printed:
        carried = at_the_clamp(tuple(each for each in span.payloads if on_clamp(each.at)))
        elastic = shaped.elastic(tuple(each for each in span.payloads if not on_clamp(each.at)))
        elastic = replace(elastic, felt=False)
    return LinkBlock(
        carried=carried,
        bodies=(Body(parent=-1, offset=array([-before, 0.0, 0.0]), elastic=elastic),),
        names=tuple(f"{direction}{k}" for direction, k in labels),
        directions=tuple(direction for direction, _ in labels),
        units=tuple("rad" if direction == "torsion" else "m" for direction, _ in labels),
        reads=shaped.stations,
        place=place,
        extents=(before + span.length,),
        holds=printed,
    )
