"""The outward sweep of spatial stretch trees (NOTATION 27–33 and Y⁻¹ of 35)."""

from __future__ import annotations

from . import spatial_element_rows as joint
from . import spatial_stretch_rows as s
from ._jit import inner
from .spatial_element_outward import joint_frame
from .spatial_stretch_bodies import bodies
from .spatial_stretch_turns import NEAR, turns
from .spatial_stretch_zeta import zeta
from .types import T_COORD, T_COUNT, T_PARENT, Floats, SpatialStretchTree


@inner
def stretch_outward(
    tree: SpatialStretchTree,
    q: Floats,
    v: Floats,
    tau: Floats,
    q_spring: Floats,
    v_damper: Floats,
    gh: float,
    bh2: float,
    rows: Floats,
    joints: Floats,
) -> None:
    """Fill geometry, own inertia and bias of every body; of the elements forces and inertia of ζ with what a step adds
    to them.
    """
    # eight, but a number the compiler does not know: loops of few turns it would leave to single numbers
    lanes = tree.element.shape[1] // s.CONSTANTS
    # row by row, so that it stays in the nearest cache
    for m in range(tree.element.shape[0]):
        near = _coordinates(tree, m, q, v, tau, q_spring, v_damper, rows[m])
        turns(near, rows[m], lanes)
        _frames(tree, m, q, v, rows, joints)
        bodies(tree.element[m], rows[m], lanes)
        zeta(tree.element[m], gh, bh2, rows[m], lanes)


@inner
def _coordinates(
    tree: SpatialStretchTree,
    m: int,
    q: Floats,
    v: Floats,
    tau: Floats,
    q_spring: Floats,
    v_damper: Floats,
    row: Floats,
) -> bool:
    """True if all elements of row m turn little; fills their coordinates, rates and forces."""
    near = True
    for i in range(8 * m, min(8 * m + 8, tree.topology.shape[0])):
        k = i & 7
        if i > 0 and tree.topology[i, T_COUNT] > 0:
            c = tree.topology[i, T_COORD]
            for r in range(6):
                row[s.Q0 + 8 * r + k] = q[c + r]
                row[s.V0 + 8 * r + k] = v[c + r]
                row[s.QS0 + 8 * r + k] = q_spring[c + r]
                row[s.VD0 + 8 * r + k] = v_damper[c + r]
                row[s.U0 + 8 * r + k] = tau[c + r]
            near = near and q[c + 3] * q[c + 3] + q[c + 4] * q[c + 4] + q[c + 5] * q[c + 5] < NEAR
        else:
            for r in range(12):
                row[s.Q0 + 8 * r + k] = 0.0
    return near


@inner
def _frames(tree: SpatialStretchTree, m: int, q: Floats, v: Floats, rows: Floats, joints: Floats) -> None:
    """Fill orientations and angular velocities of the bodies of row m from the far nodes of their parents (1–5)."""
    row = rows[m]
    r00 = r11 = r22 = 1.0
    r01 = r02 = r10 = r12 = r20 = r21 = w0 = w1 = w2 = 0.0
    for i in range(8 * m, min(8 * m + 8, tree.topology.shape[0])):
        k = i & 7
        up = tree.topology[i, T_PARENT]
        if i > 0:
            above = rows[up >> 3]
            j = up & 7
            # where the chain goes straight on, the frame of the parent is at hand
            if up != i - 1 or k == 0:
                r00 = above[s.R00 + j]
                r01 = above[s.R01 + j]
                r02 = above[s.R02 + j]
                r10 = above[s.R10 + j]
                r11 = above[s.R11 + j]
                r12 = above[s.R12 + j]
                r20 = above[s.R20 + j]
                r21 = above[s.R21 + j]
                r22 = above[s.R22 + j]
                w0 = above[s.W0 + j]
                w1 = above[s.W1 + j]
                w2 = above[s.W2 + j]
            if up > 0 and tree.topology[up, T_COUNT] > 0:
                g0 = above[s.WR0 + j]
                g1 = above[s.WR1 + j]
                g2 = above[s.WR2 + j]
                w0 += r00 * g0 + r01 * g1 + r02 * g2
                w1 += r10 * g0 + r11 * g1 + r12 * g2
                w2 += r20 * g0 + r21 * g1 + r22 * g2
                x0 = above[s.X00 + j]
                x1 = above[s.X10 + j]
                x2 = above[s.X20 + j]
                y0 = above[s.X01 + j]
                y1 = above[s.X11 + j]
                y2 = above[s.X21 + j]
                z0 = above[s.X02 + j]
                z1 = above[s.X12 + j]
                z2 = above[s.X22 + j]
                g0, g1, g2 = r00, r01, r02
                r00 = g0 * x0 + g1 * x1 + g2 * x2
                r01 = g0 * y0 + g1 * y1 + g2 * y2
                r02 = g0 * z0 + g1 * z1 + g2 * z2
                g0, g1, g2 = r10, r11, r12
                r10 = g0 * x0 + g1 * x1 + g2 * x2
                r11 = g0 * y0 + g1 * y1 + g2 * y2
                r12 = g0 * z0 + g1 * z1 + g2 * z2
                g0, g1, g2 = r20, r21, r22
                r20 = g0 * x0 + g1 * x1 + g2 * x2
                r21 = g0 * y0 + g1 * y1 + g2 * y2
                r22 = g0 * z0 + g1 * z1 + g2 * z2
            if tree.plain[i] == 0:
                at = joints[tree.place[i]]
                at[joint.R00], at[joint.R01], at[joint.R02] = r00, r01, r02
                at[joint.R10], at[joint.R11], at[joint.R12] = r10, r11, r12
                at[joint.R20], at[joint.R21], at[joint.R22] = r20, r21, r22
                at[joint.W0], at[joint.W1], at[joint.W2] = w0, w1, w2
                joint_frame(tree, i, q, v, at)
                r00, r01, r02 = at[joint.R00], at[joint.R01], at[joint.R02]
                r10, r11, r12 = at[joint.R10], at[joint.R11], at[joint.R12]
                r20, r21, r22 = at[joint.R20], at[joint.R21], at[joint.R22]
                w0, w1, w2 = at[joint.W0], at[joint.W1], at[joint.W2]
        row[s.R00 + k] = r00
        row[s.R01 + k] = r01
        row[s.R02 + k] = r02
        row[s.R10 + k] = r10
        row[s.R11 + k] = r11
        row[s.R12 + k] = r12
        row[s.R20 + k] = r20
        row[s.R21 + k] = r21
        row[s.R22 + k] = r22
        row[s.W0 + k] = w0
        row[s.W1 + k] = w1
        row[s.W2 + k] = w2
