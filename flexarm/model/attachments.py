"""Positions of attachments on a beam between its ends: the elements of the beam should have nodes there."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flexarm.model.arm import Arm
    from flexarm.model.parts.link import Link

# A place closer to another, or to an end, than this part of the length is the same.
ALIKE = 1e-9


def node_positions(arm: Arm, link: Link) -> tuple[float, ...]:
    """Distances (m) along a link between its ends, rising, at which its elements should have nodes: where it carries
    something, where its beam has a kink or a step, and where its model asks for one.
    """
    more = [] if link.beam is None else [part * link.length for part in link.beam.breaks]
    return _positions(arm, link, [*more, *link.formulation.nodes])


def attachment_positions(arm: Arm, link: Link) -> tuple[float, ...]:
    """Distances (m) along a link between its ends, rising, at which it carries a payload, a load or a joint."""
    return _positions(arm, link, [])


def _positions(arm: Arm, link: Link, more: list[float]) -> tuple[float, ...]:
    index = arm.links.index(link)
    found: list[float | None] = [*more, *(payload.at for payload in link.payloads)]
    found += [load.at for load in arm.loads if load.link == link.name]
    found += [child.parent_at for child, parent in zip(arm.links, arm.parents, strict=True) if parent == index]
    near = ALIKE * link.length
    inside = sorted(at for at in found if at is not None and near < at < link.length - near)
    return tuple(at for k, at in enumerate(inside) if k == 0 or at - inside[k - 1] > near)
