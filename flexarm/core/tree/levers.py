"""How far the points that a coordinate moves go per unit of it: what its errors are measured by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from flexarm.batched import larger

from .elastic import Attachment
from .types import Floats

if TYPE_CHECKING:
    from .build import Body


def levers_of(
    bodies: Sequence[Body], up: Sequence[int], extents: Sequence[float], away: Sequence[float]
) -> list[float]:
    """For each body the distance from its origin to the farthest point it carries, the arm stretched out (m).

    `up`: the body that carries each (−1: the base); `away`: how far each stands from the origin, or the frame, of what
    carries it (m).
    """
    reach = list(extents)
    for i in range(len(bodies) - 1, -1, -1):
        body, parent = bodies[i], up[i]
        if parent >= 0:
            far = reach[i] + away[i]
            if body.kind == "prismatic":
                far = far + abs(body.rest)
            if body.attachment is not None:
                far = far + body.attachment.x
            sleeve = bodies[parent].sleeve
            if sleeve is not None:
                far = far + sleeve.length
            reach[parent] = larger(reach[parent], far)
    return reach


class ElasticLevers:
    """Displacements of the points that elastic coordinates move; elements that are alike are looked at once."""

    def __init__(self) -> None:
        self.own: dict[int, Floats] = {}
        self.frames: dict[int, tuple[Floats, Floats]] = {}

    def of(self, body: Body, reach: float, carried: Sequence[tuple[Attachment, float]]) -> Floats:
        """Per elastic coordinate of a body the displacement of any point it moves, per unit (m); `carried`: the frames
        on it, each with the distance to the farthest point that is carried there.
        """
        if body.sleeve is not None:
            lever = body.sleeve.levers
        else:
            assert body.elastic is not None
            name = id(body.elastic)
            if name not in self.own:
                self.own[name] = np.max(np.linalg.norm(body.elastic.phi, axis=1), axis=0)
            lever = self.own[name]
        for frame, outside in carried:
            if id(frame) not in self.frames:
                self.frames[id(frame)] = np.linalg.norm(frame.phi, axis=0), np.linalg.norm(frame.psi, axis=0)
            shifts, turns = self.frames[id(frame)]
            lever = np.maximum(lever, shifts + turns * outside)
        return np.maximum(lever, 1e-3 * larger(reach, 1e-3))
