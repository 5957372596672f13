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
DRAWN_IN = 7
SLID_OUT = 8
NOT_CLOSED = 9

# Columns of the arrays of a Tree.
T_PARENT, T_JOINT, T_COORD, T_DRIVEN, T_BRANCH, T_WIDTH = 0, 1, 2, 3, 4, 5
# A flexible tree has four columns more: number of elastic coordinates of the body (T_COORD is the first of them),
# where its invariants begin in `elastic`, where the frame it stands on begins in `attachment` (−1: the parent's own),
# 1 if the body slides out of a sleeve: its first coordinate is then the length outside, which may be driven.
T_COUNT, T_DATA, T_STANDS, T_SLEEVE, F_WIDTH = 5, 6, 7, 8, 9
S_K, S_D, S_REST, S_ROTOR, S_LEVER, S_DRIVEN, S_GAIN, S_RATE_GAIN, S_WIDTH = 0, 1, 2, 3, 4, 5, 6, 7, 8
# Columns of Commands.servo_gain (NOTATION 40): gains of position and rate, rest of the joint's spring, gain of the
# integrator, gain of the position loop (1/s), share of the commanded rate that is fed forward, limit (inf: none).
G_KP, G_KV, G_REST, G_KI, G_LOOP, G_RATE, G_LIMIT, G_WIDTH = 0, 1, 2, 3, 4, 5, 6, 7
# Columns of Commands.contact (NOTATION F1–F6): dry friction of the sliding joint and of one that sticks, rate over
# which it falls (0: at once), part of the drive's torque; stops (±inf: none), part of the rate behind a blow, spring
# and damper of stops that give way (0: rigid), 1 for the gap of a gear; rotor inertia of the coordinate, travel.
C_COULOMB, C_STATIC, C_STRIBECK, C_LOAD, C_LOWER, C_UPPER, C_RESTITUTION, C_STIFFNESS, C_DAMPING, C_GAP = range(10)
C_ROTOR, C_SPAN, C_WIDTH = 10, 11, 12
# Columns of Commands.contact_place: coordinate, law of its torque (−1: none), 1 if a servo drives it, 1 if a motion
# does.
W_COORD, W_LAW, W_SERVO, W_DRIVEN, W_WIDTH = 0, 1, 2, 3, 4
P_ANGLE, P_RX, P_RY, P_UX, P_UY, P_MASS, P_MCX, P_MCY, P_J, P_FELT, P_WIDTH = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10


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
    # (nq, S_WIDTH) per coordinate: spring, damper, spring's rest, rotor inertia, lever, 1 if driven; a servo's gains
    # are springs and dampers too, their part of the first two stands in the last two columns
    spring: Floats
    gravity: Floats  # (3,)


class PlanarTree(NamedTuple):
    """A tree of bodies in the x-y plane."""

    topology: Ints
    # (P_WIDTH, n+1) angle of R_T, offset, direction of a slide, mass, mass·centre, inertia about the origin; of a
    # flexible body the part of its second-order inertia that its frame feels
    plane: Floats
    spring: Floats
    gravity: Floats  # (3,)


class SpatialFlexTree(NamedTuple):
    """A tree in space with flexible bodies among its bodies."""

    topology: Ints  # (n+1, F_WIDTH)
    body: Floats  # as in SpatialTree, one row per body
    spring: Floats
    gravity: Floats
    elastic: Floats  # invariants of the flexible bodies, one after the other (invariants.laid_out)
    attachment: Floats  # frames on flexible bodies, one after the other (invariants.attachment_row)


class PlanarFlexTree(NamedTuple):
    """A tree in the x-y plane with flexible bodies among its bodies."""

    topology: Ints  # (n+1, F_WIDTH)
    plane: Floats  # (n+1, P_WIDTH): the numbers of PlanarTree, one row per body
    spring: Floats
    gravity: Floats
    elastic: Floats  # as in SpatialFlexTree
    attachment: Floats


class SpatialSleeveTree(SpatialFlexTree):
    """A tree in space in which a beam slides out of a sleeve: a class of its own, so that no other pays for it."""


class PlanarSleeveTree(PlanarFlexTree):
    """A tree in the x-y plane in which a beam slides out of a sleeve."""


class PlanarElementTree(NamedTuple):
    """A planar flexible tree whose flexible bodies are beam elements that bend; see `tree.elements`."""

    topology: Ints
    plane: Floats
    spring: Floats
    gravity: Floats
    elastic: Floats
    attachment: Floats
    element: Floats  # (rows, constants · 8) constants of the bodies, eight to a row (emit.patterns.columns)
    jointed: Ints  # (n+1,) 0 where a body is fixed on the very frame it stands on


class PlanarStretchTree(PlanarElementTree):
    """The same, of elements that bend and stretch."""


class SpatialElementTree(NamedTuple):
    """A spatial flexible tree whose flexible bodies are beam elements that bend; see `tree.elements`."""

    topology: Ints
    body: Floats
    spring: Floats
    gravity: Floats
    elastic: Floats
    attachment: Floats
    element: Floats  # as in PlanarElementTree
    jointed: Ints


class SpatialTorsionTree(SpatialElementTree):
    """The same, of elements that bend and twist."""


class SpatialMixedTree(SpatialElementTree):
    """The same, of elements that bend, some of which twist."""


class SpatialStretchTree(SpatialElementTree):
    """The same, of elements that bend, twist and stretch."""


# By the name of their pattern (emit.patterns): numba tells trees apart by their classes.
ELEMENT_TREES: dict[str, type[PlanarElementTree] | type[SpatialElementTree]] = {
    "plane_vz": PlanarElementTree,
    "plane_uvz": PlanarStretchTree,
    "space_vwyz": SpatialElementTree,
    "space_vwxyz": SpatialTorsionTree,
    "space_vwxyz_mixed": SpatialMixedTree,
    "space_uvwxyz": SpatialStretchTree,
}


class Loads(NamedTuple):
    """External forces and moments on bodies."""

    # (m, 4) row of the body; 1 if the wrench follows the body; law that scales it (−1: constant); where the frame on a
    # flexible body that carries it begins (−1: the body's own frame)
    place: Ints
    wrench: Floats  # (m, 9) point in that frame, force, moment


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
    servo_coordinate: Ints
    servo_law: Ints
    servo_gain: Floats  # (servos, G_WIDTH); gains count from the rest of the joint's spring too
    # (servos, 2) coordinate of the gear whose far side the position loop sees (−1: the motor's side), and the law of
    # the torque that is fed forward (−1: none)
    servo_more: Ints
    switches: Floats  # sorted times at which a commanded acceleration or force jumps
    # (joints with dry friction, stops or backlash, W_WIDTH) and (…, C_WIDTH)
    contact_place: Ints = np.zeros((0, W_WIDTH), np.int64)
    contact: Floats = np.zeros((0, C_WIDTH))


class LinearTree(NamedTuple):
    """A tree and what its linearisation needs; `spring` is the tree's own, for the steppers."""

    bare: Tree  # the tree itself, seen on its rigid motion
    spring: Floats
    commands: Commands
    free: Ints  # (nf,) coordinates that depart from the rigid motion
    size: Floats  # (nf,) what a large departure is: a radian, or the arm's size
    reference: Floats  # (9, nq) q, v, a of the rigid motion, and room
    kept: Floats  # (3,) time and side the rigid motion is of, γh of the forces kept beside it


class Closures(NamedTuple):
    """What holds points of bodies together or on the ground beside the tree of joints (NOTATION §22)."""

    # (pairs, 6) first row and number of rows of a pair; body of its first end and where the frame on a flexible body
    # begins (−1: the body's own); the same of its second end. Body 0 is the ground.
    pair: Ints
    # (pairs, 2, 12) of both ends the offset in that frame; then, of the first, the rotation (9) from the axes of the
    # first end to those of the second where they are closed (in the plane: its angle)
    place: Floats
    # (rows, R_DIRECTION + 6) kind; spring, damper, length at rest or zero; direction as a motion, base axes
    row: Floats


# Kinds of rows of closures: rigid, a spring and damper along a fixed direction, one along the line between the points.
HELD, SPRUNG, DRAWN = 0, 1, 2
R_KIND, R_K, R_D, R_REST, R_DIRECTION = 0, 1, 2, 3, 4


class ClosedTree(NamedTuple):
    """A tree and what closes it; `spring` is the tree's own, for the steppers."""

    bare: Tree
    still: Tree  # the same without gravity, springs shared: what it answers to forces alone
    spring: Floats
    closures: Closures
    size: Floats  # (rows,) what a gap of each row is measured by: the arm's size, or a radian
    vectors: Floats  # (V_COUNT, nq) room
    jacobian: Floats  # (3, rows, nq) J; responses of accelerations and of forces of driven coordinates to rows of it
    seen: Floats  # (Q_COUNT, rows)
    matrix: Floats  # (2, rows, rows) A with the compliance of springs, its factors
    order: Ints  # (rows + 1,) order of the pivots, and how many there are
    # (8,) time and γh of the responses, 1 if there are any; time of the forces of rows at hand, and of how many earlier
    # stages there are forces, and their times
    kept: Floats


# Rows of ClosedTree.vectors and of ClosedTree.seen.
V_GUESS, V_TAU, V_STILL, V_COUNT = 0, 1, 2, 3
Q_GAP, Q_RATE, Q_ACCELERATION, Q_FORCE, Q_FLEX, Q_PUSH, Q_SCALE, Q_RIGHT, Q_EARLIER = range(9)
Q_COUNT = 11
K_TIME, K_STEP, K_ANY, K_FORCES, K_STAGES, K_EARLIER, K_COUNT = 0, 1, 2, 3, 4, 5, 8

Tree = SpatialTree | PlanarTree | SpatialFlexTree | PlanarFlexTree | PlanarElementTree | SpatialElementTree


def no_loads() -> Loads:
    """An empty list of loads."""
    return Loads(np.zeros((0, 4), np.int64), np.zeros((0, 9)))
