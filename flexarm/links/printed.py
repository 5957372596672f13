"""Models as they are printed, of a beam on a hub: refusals where they do not hold, and payloads among the stations.

The printed equations know one motion of the frame, a turn about a fixed axis. A payload on a body of its own would move
by the exact kinematics of the place it stands on, and bring in what the equations leave out.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from flexarm.batched import array, filled, real
from flexarm.core.tree.elastic import Attachment
from flexarm.core.tree.types import Floats
from flexarm.links.base import BeamSpan, Carried, RigidPiece
from flexarm.links.mesh import refused

# A mass centre closer to the axis than this part of the beam's length is on it.
_ON_AXIS = 1e-9


def check_printed(span: BeamSpan, key: str, otherwise: str) -> None:
    """Refuses a beam that is not on a hub, and payloads off its axis."""
    found = f'model.{key} is "printed" and {{}}'
    cure = f'be "{otherwise}": what is printed is a beam on a hub that turns in the plane about a fixed axis'
    if span.off_hub:
        raise refused(span, found.format(span.off_hub), cure)
    for each in span.payloads:
        offset = real(np.hypot(each.piece.centre[1], each.piece.centre[2]))
        if offset > _ON_AXIS * span.length:
            raise refused(
                span,
                found.format(f"a payload has its mass centre {offset:.6g} m off the beam's axis"),
                f'be "{otherwise}", or all payloads must be on the axis',
            )


def payload_stations(
    payloads: tuple[Carried, ...], frame: Callable[[float], Attachment]
) -> list[tuple[float, float, Floats, Floats, Floats, Floats]]:
    """Of each payload mass, distance x, rotary inertia (3,), Φ (3, n), Ψ (3, n) and H (n, n), in the plane.

    A lever along the axis turns with the section: it moves across by lever × ψ and draws in by ½ lever × ψ².
    """
    found = []
    for each in payloads:
        at, lever = frame(each.at), real(each.piece.centre[0])
        turn = at.psi[2]
        phi = at.phi + filled(at.phi.shape, [(1, lever * turn)])
        shortening = at.shortening + lever * np.outer(turn, turn) if np.any(at.shortening) else at.shortening
        rotary = array([0.0, 0.0, each.piece.inertia[2, 2]])
        found.append((each.piece.mass, at.x + lever, rotary, phi, at.psi, shortening))
    return found


def at_the_clamp(payloads: tuple[Carried, ...]) -> RigidPiece:
    """Payloads on the rigid base of a beam as one piece."""
    whole = RigidPiece()
    for each in payloads:
        whole = whole.joined(each.piece.placed(np.eye(3), array([each.at, 0.0, 0.0])))
    return whole
