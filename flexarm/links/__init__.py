"""Link formulations: how a beam becomes bodies and coordinates. One formulation per file, its traits in the table."""

from __future__ import annotations

from flexarm.errors import AnalysisError
from flexarm.formulations import FORMULATIONS
from flexarm.links.base import BeamSpan, LinkBlock

__all__ = ["FORMULATIONS", "block_of"]


def block_of(span: BeamSpan) -> LinkBlock:
    """The bodies of a beam in the formulation its link asks for."""
    word = span.formulation.formulation
    if word not in FORMULATIONS:
        known = ", ".join(f'"{name}"' for name in FORMULATIONS)
        raise AnalysisError(f'link "{span.name}": model.formulation is "{word}", must be {known}')
    traits = FORMULATIONS[word]
    if traits.planar_only and not span.planar:
        raise AnalysisError(f'link "{span.name}": model.formulation is "{word}", must stand in a planar arm')
    block: LinkBlock = traits.load()(span)
    return block
