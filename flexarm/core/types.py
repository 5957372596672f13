"""What the kernels are given: named tuples of arrays, and the codes they answer with."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FIXED, REVOLUTE, PRISMATIC = 0, 1, 2

# Status of a kernel. Everything but OK and RUNNING is a failure with advice (see analyses.simulate).
OK = 0
RUNNING = 1
NOT_POSITIVE = 2
NOT_FINITE = 3
NOT_CONVERGED = 4
STEP_UNDERFLOW = 5
TOO_MANY_STEPS = 6

# Columns of the arrays of a Tree.
T_PARENT, T_JOINT, T_COORD, T_DRIVEN, T_BRANCH, T_WIDTH = 0, 1, 2, 3, 4, 5
S_K, S_D, S_REST, S_ROTOR, S_LEVER, S_DRIVEN, S_WIDTH = 0, 1, 2, 3, 4, 5, 6
P_ANGLE, P_RX, P_RY, P_UX, P_UY, P_MASS, P_MCX, P_MCY, P_J, P_WIDTH = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9


class SpatialTree(NamedTuple):
    """A tree of bodies in space. Row 0 is the base, rows 1…n the bodies, parents before children.

    Few arrays on purpose: each costs at every call. Planar and spatial trees are different classes so that a
    kernel is compiled for what it is given.
    """

    # (n+1, T_WIDTH) row of the parent, kind of joint, index of the joint coordinate in q (−1: none), 1 if driven,
    # 1 if a child stands elsewhere than in the next row
    topology: Ints
    # (n+1, columns.B_WIDTH) rotation R_T, offset r_T, mass, mass·centre, inertia about the origin (xx xy xz yy yz
    # zz)
    body: Floats
    spring: Floats  # (nq, S_WIDTH) per coordinate: spring, damper, spring's rest, rotor inertia, lever, 1 if driven
    gravity: Floats  # (3,)


class PlanarTree(NamedTuple):
    """A tree of bodies in the x-y plane."""

    topology: Ints
    plane: (
        Floats  # (P_WIDTH, n+1) angle of R_T, offset, direction of a slide, mass, mass·centre, inertia about the origin
    )
    spring: Floats
    gravity: Floats  # (3,)


Tree = SpatialTree | PlanarTree


class Loads(NamedTuple):
    """External forces and moments on bodies."""

    place: Ints  # (m, 3) row of the body; 1 if the wrench is given in body axes; law that scales it (−1: constant)
    wrench: Floats  # (m, 9) point (body axes), force, moment


class Laws(NamedTuple):
    """Command laws as pieces (NOTATION 23): piece = start, amplitude, angular frequency, phase, c0, c1, …"""

    first: Ints  # (laws + 1,) first piece of each law
    piece: Floats  # (pieces, 4 + degree + 1)


class Commands(NamedTuple):
    """Which law moves or pushes which coordinate, and when the command switches."""

    motion_coordinate: Ints
    motion_law: Ints
    torque_coordinate: Ints
    torque_law: Ints
    switches: Floats  # sorted times at which a commanded acceleration or force jumps


def no_loads() -> Loads:
    """An empty list of loads."""
    return Loads(np.zeros((0, 3), np.int64), np.zeros((0, 9)))
