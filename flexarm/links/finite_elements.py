"""A beam of finite elements as bodies: one frame per element, or one for the link, all nodal values or a few shapes."""

from __future__ import annotations

from flexarm.errors import AnalysisError
from flexarm.links.base import BeamSpan, LinkBlock
from flexarm.links.element import ElementKind
from flexarm.links.element_frames import element_frames
from flexarm.links.link_frame import link_frame
from flexarm.links.mesh import mesh_of
from flexarm.links.reduction import nodal_shapes, reduced_shapes
from flexarm.links.small_motion import small_motion


def finite_elements(span: BeamSpan, kind: ElementKind) -> LinkBlock:
    """The bodies of a beam of elements of one kind."""
    mesh, model = mesh_of(span, kind), span.formulation
    if model.frames == "element":
        if model.modes:
            raise AnalysisError(f'link "{span.name}": model.modes is {model.modes}, must be given with frames = "link"')
        return element_frames(mesh)
    if not model.modes:
        return link_frame(mesh, nodal_shapes(mesh))
    return link_frame(mesh, reduced_shapes(mesh, *small_motion(element_frames(mesh, classical=True).bodies)))
