"""Link formulations: how a beam becomes bodies and coordinates. One formulation per file, one line here for each."""

from __future__ import annotations

from collections.abc import Callable

from flexarm.errors import AnalysisError
from flexarm.links.base import BeamSpan, LinkBlock
from flexarm.links.hencky import hencky
from flexarm.links.hermite import hermite
from flexarm.links.isoparametric import isoparametric
from flexarm.links.modes import modes
from flexarm.links.rigid_fe import rigid_fe
from flexarm.links.timoshenko import timoshenko

FORMULATIONS: dict[str, Callable[[BeamSpan], LinkBlock]] = {
    "rigid-fe": rigid_fe,
    "hencky": hencky,
    "timoshenko": timoshenko,
    "hermite": hermite,
    "isoparametric": isoparametric,
    "modes": modes,
}


def block_of(span: BeamSpan) -> LinkBlock:
    """The bodies of a beam in the formulation its link asks for."""
    word = span.formulation.formulation
    if word not in FORMULATIONS:
        known = ", ".join(f'"{name}"' for name in FORMULATIONS)
        raise AnalysisError(f'link "{span.name}": model.formulation is "{word}", must be {known}')
    return FORMULATIONS[word](span)
