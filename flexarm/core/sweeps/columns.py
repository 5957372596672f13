"""Columns of the work array of the sweeps: one row per body, and one spare row for frames that are only read."""

from __future__ import annotations

from itertools import accumulate
from typing import NamedTuple


class Sizes(NamedTuple):
    """How many numbers a quantity has in an algebra."""

    turn: int
    angular: int
    vector: int
    motion: int
    rigid: int  # inertia of a rigid body: J, first moment, mass
    whole: int  # articulated inertia: J, H, M
    solved: int  # of a coordinate in an elimination: a motion, one number, and what fills it up to a power of two


class Columns(NamedTuple):
    """Where each quantity of a body begins in its row."""

    R: int  # orientation
    W: int  # angular velocity
    D: int  # offset d of the joint from the frame it stands on
    S: int  # direction of the joint, a motion
    C: int  # bias acceleration c
    I: int  # inertia of the body itself
    G: int  # first moment the weight works on
    P: int  # bias force; after inverse dynamics the force the body takes
    A: int  # acceleration
    V: int  # velocity
    O: int  # position of the origin
    T: int  # of the frame on a flexible parent: offset r_t,
    TC: int  # bias acceleration,
    TR: int  # orientation,
    TW: int  # angular velocity
    U: int  # of the joint: Î S,
    DINV: int  # 1/D, or SᵀÎS of a driven one,
    PUSH: int  # u, or Sᵀp' of a driven one
    WHOLE: int  # articulated inertia
    # Behind the head stand, with N the greatest number of elastic coordinates of a body: Y of the frame the body stands
    # on, a motion for each coordinate of the parent; V, coupling of the body's own coordinates with its acceleration;
    # what the elimination solves for; forces on the coordinates; their inertia (N²).
    HEAD: int


def columns(size: Sizes) -> Columns:
    """The columns of an algebra."""
    body = (size.turn, size.angular, size.vector, size.motion, size.motion, size.rigid, size.vector, size.motion)
    moving = (size.motion, size.motion, size.vector)
    frame = (size.vector, size.motion, size.turn, size.angular)
    joint = (size.motion, 1, 1)
    return Columns(*accumulate((0, *body, *moving, *frame, *joint, size.whole)))


SPACE = Sizes(turn=9, angular=3, vector=3, motion=6, rigid=10, whole=21, solved=8)
PLANE = Sizes(turn=3, angular=1, vector=2, motion=3, rigid=4, whole=6, solved=4)


def width(planar: bool, most: int) -> int:
    """Columns needed where no body has more than `most` elastic coordinates."""
    size = PLANE if planar else SPACE
    return columns(size).HEAD + (2 * size.motion + size.solved + 1 + most) * most
