"""Positions of attachments on a beam between its ends: the elements of the beam should have nodes there."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flexarm.model.arm import Arm
    from flexarm.model.parts.link import Link

# A place closer to another, or to an end, than this part of the length is the same.
ALIKE = 1e-9


def attachment_positions(arm: Arm, link: Link) -> tuple[float, ...]:
    """Distances (m) along a link between its ends, rising, at which it carries a payload, a load or a joint."""
    index = arm.links.index(link)
    found = [payload.at for payload in link.payloads]
    found += [load.at for load in arm.loads if load.link == link.name]
    found += [child.parent_at for child, parent in zip(arm.links, arm.parents, strict=True) if parent == index]
    near = ALIKE * link.length
    inside = sorted(at for at in found if at is not None and near < at < link.length - near)
    return tuple(at for k, at in enumerate(inside) if k == 0 or at - inside[k - 1] > near)
