"""The same arm with a finer model of its beams."""

from __future__ import annotations

from flexarm.errors import AnalysisError
from flexarm.model import Arm
from flexarm.model.freedoms import with_all_freedoms


def refined(arm: Arm, factor: int, *, complete: bool = False) -> Arm:
    """The same arm with `factor` times the elements, or assumed modes, on every beam; damping given per spring keeps
    its material's meaning. `complete`: with every freedom for which a beam is given a stiffness, whatever its model
    leaves out.
    """
    links = []
    for link in arm.links:
        if link.beam is not None:
            if link.formulation.listed:
                raise AnalysisError(
                    f'check: link "{link.name}" has shapes that are listed, must have a family of modes or elements: '
                    "of these alone there are more"
                )
            model = link.formulation.refined(factor)
            if complete:
                model = with_all_freedoms(model, link.beam.properties(), arm.planar)
            changes: dict[str, object] = {"model": model}
            if link.damping is not None and link.damping.per_spring is not None:
                changes["damping"] = link.damping.changed(per_spring=link.damping.per_spring * factor)
            links.append(link.changed(**changes))
        else:
            links.append(link)
    return arm.changed(links=tuple(links))
