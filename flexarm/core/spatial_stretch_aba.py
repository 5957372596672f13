"""Forward and hybrid dynamics of spatial stretch trees (NOTATION 34–36 in ζ, the far nodes' accelerations), O(n)."""

from __future__ import annotations

from . import spatial_element_rows as joint
from . import spatial_stretch_rows as s
from ._jit import inner, jit
from .spatial_element_joint import joint_acceleration, joint_sweep
from .spatial_stretch_eliminate import eliminate
from .spatial_stretch_factor import factorise
from .spatial_stretch_outward import stretch_outward
from .types import (
    OK,
    T_BRANCH,
    T_COORD,
    T_COUNT,
    T_PARENT,
    Floats,
    Laws,
    Loads,
    SpatialStretchTree,
)


@jit
def stretch_solve(
    tree: SpatialStretchTree,
    loads: Loads,
    laws: Laws,
    t: float,
    left: bool,
    q: Floats,
    v: Floats,
    a: Floats,
    tau: Floats,
    q_spring: Floats,
    v_damper: Floats,
    gh: float,
    bh2: float,
    drive: Floats,
    work: Floats,
) -> int:
    """Accelerations of the free coordinates into `a`, forces of the driven ones into `drive`; see `planar_solve`."""
    topology = tree.topology
    n = topology.shape[0]
    # the work array in one piece: rows of eight bodies, then those of bodies with joints, the base's first
    whole = work.reshape(work.size)
    count = tree.element.shape[0]
    begin = count * s.WIDTH
    rows = whole[:begin].reshape(count, s.WIDTH)
    joints = whole[begin : begin + tree.place[0] * s.JOINT_WIDTH].reshape(tree.place[0], s.JOINT_WIDTH)
    stretch_outward(tree, q, v, tau, q_spring, v_damper, gh, bh2, rows, joints)
    # inertia and bias of what stands on the frame of body i: in the row of the base, where nothing else is kept
    g = joints[0, : s.GATHERED]
    for k in range(s.GATHERED):
        g[k] = 0.0
    for i in range(1, n):
        if topology[i, T_BRANCH] == 1:
            for k in range(s.GATHERED):
                joints[tree.place[i], joint.GJXX + k] = 0.0
    status = OK
    for i in range(n - 1, 0, -1):
        row = rows[i >> 3]
        k = i & 7
        m = tree.element[i >> 3, s.E_MASS + k]
        if topology[i, T_BRANCH] == 1:
            _add(joints[tree.place[i], joint.GJXX :], g)
        if topology[i, T_COUNT] > 0:
            found = factorise(m, row, k, g)
            if status == OK:
                status = found
            eliminate(row, k, g)
        else:
            _rigid(m, row, k, g)
        if tree.plain[i] == 0:
            at = joints[tree.place[i]]
            for r in range(s.GATHERED):
                at[joint.GJXX + r] = g[r]
            status = joint_sweep(tree, i, status, a, tau, q_spring, v_damper, gh, bh2, at)
            for r in range(s.GATHERED):
                g[r] = at[joint.GJXX + r]
        up = topology[i, T_PARENT]
        if up != i - 1:
            if up > 0:
                _add(g, joints[tree.place[up], joint.GJXX :])
            for r in range(s.GATHERED):
                g[r] = 0.0
    _last_sweep(tree, q, v, a, drive, rows, joints)
    return status


@inner
def _add(given: Floats, to: Floats) -> None:
    """Add inertia and bias to those of another body."""
    for r in range(s.GATHERED):
        to[r] += given[r]


@inner
def _rigid(m: float, row: Floats, k: int, g: Floats) -> None:
    """Add the inertia and the bias of a rigid body to what stands on it."""
    for r in range(6):
        g[s.GJXX + r] += row[s.JXX + r * s.LANES + k]
    g[s.GH01] -= row[s.S2 + k]
    g[s.GH02] += row[s.S1 + k]
    g[s.GH10] += row[s.S2 + k]
    g[s.GH12] -= row[s.S0 + k]
    g[s.GH20] -= row[s.S1 + k]
    g[s.GH21] += row[s.S0 + k]
    g[s.GMXX] += m
    g[s.GMYY] += m
    g[s.GMZZ] += m
    for r in range(6):
        g[s.GN0 + r] += row[s.PN0 + r * s.LANES + k]


@inner
def _last_sweep(
    tree: SpatialStretchTree, q: Floats, v: Floats, a: Floats, drive: Floats, rows: Floats, joints: Floats
) -> None:
    """Accelerations (14, 36) and forces of the driven joints (15); kept are those of the frames at the far nodes."""
    topology = tree.topology
    for r in range(3):
        rows[0, s.AA0 + r * s.LANES] = 0.0
        rows[0, s.AL0 + r * s.LANES] = -tree.gravity[r]
    base = joints[0]
    for i in range(1, topology.shape[0]):
        up = topology[i, T_PARENT]
        above = rows[up >> 3]
        j = up & 7
        row = rows[i >> 3]
        k = i & 7
        a0 = above[s.AA0 + j]
        a1 = above[s.AA1 + j]
        a2 = above[s.AA2 + j]
        l0 = above[s.AL0 + j]
        l1 = above[s.AL1 + j]
        l2 = above[s.AL2 + j]
        if tree.plain[i] == 0:
            at = joints[tree.place[i]]
            base[joint.AA0], base[joint.AA1], base[joint.AA2] = a0, a1, a2
            base[joint.AL0], base[joint.AL1], base[joint.AL2] = l0, l1, l2
            joint_acceleration(tree, i, q, v, a, drive, at, base)
            a0, a1, a2 = at[joint.AA0], at[joint.AA1], at[joint.AA2]
            l0, l1, l2 = at[joint.AL0], at[joint.AL1], at[joint.AL2]
        if topology[i, T_COUNT] > 0:
            c = topology[i, T_COORD]
            # ζ = L⁻ᵀ D⁻¹ (z_u − z A)
            z5 = row[s.E5 + k] - row[s.Z50 + k] * a0 - row[s.Z51 + k] * a1 - row[s.Z52 + k] * a2
            z5 -= row[s.Z53 + k] * l0 + row[s.Z54 + k] * l1 + row[s.Z55 + k] * l2
            z5 *= row[s.D55 + k]
            z4 = row[s.E4 + k] - row[s.Z40 + k] * a0 - row[s.Z41 + k] * a1 - row[s.Z42 + k] * a2
            z4 -= row[s.Z43 + k] * l0 + row[s.Z44 + k] * l1 + row[s.Z45 + k] * l2
            z4 *= row[s.D44 + k]
            z4 -= row[s.D45 + k] * z5
            z3 = row[s.E3 + k] - row[s.Z30 + k] * a0 - row[s.Z31 + k] * a1 - row[s.Z32 + k] * a2
            z3 -= row[s.Z33 + k] * l0 + row[s.Z34 + k] * l1 + row[s.Z35 + k] * l2
            z3 *= row[s.D33 + k]
            z3 -= row[s.D34 + k] * z4 + row[s.D35 + k] * z5
            z2 = row[s.E2 + k] - row[s.Z20 + k] * a0 - row[s.Z21 + k] * a1 - row[s.Z22 + k] * a2
            z2 -= row[s.Z23 + k] * l0 + row[s.Z24 + k] * l1 + row[s.Z25 + k] * l2
            z2 *= row[s.D22 + k]
            z2 -= row[s.D23 + k] * z3 + row[s.D24 + k] * z4 + row[s.D25 + k] * z5
            z1 = row[s.E1 + k] - row[s.Z10 + k] * a0 - row[s.Z11 + k] * a1 - row[s.Z12 + k] * a2
            z1 -= row[s.Z13 + k] * l0 + row[s.Z14 + k] * l1 + row[s.Z15 + k] * l2
            z1 *= row[s.D11 + k]
            z1 -= row[s.D12 + k] * z2 + row[s.D13 + k] * z3 + row[s.D14 + k] * z4 + row[s.D15 + k] * z5
            z0 = row[s.E0 + k] - row[s.Z00 + k] * a0 - row[s.Z01 + k] * a1 - row[s.Z02 + k] * a2
            z0 -= row[s.Z03 + k] * l0 + row[s.Z04 + k] * l1 + row[s.Z05 + k] * l2
            z0 *= row[s.D00 + k]
            z0 -= (
                row[s.D01 + k] * z1
                + row[s.D02 + k] * z2
                + row[s.D03 + k] * z3
                + row[s.D04 + k] * z4
                + row[s.D05 + k] * z5
            )
            # A_t = X A + ζ + c_t
            l0 += row[s.TL0 + k] + z3 + a1 * row[s.T2 + k] - a2 * row[s.T1 + k]
            l1 += row[s.TL1 + k] + z4 + a2 * row[s.T0 + k] - a0 * row[s.T2 + k]
            l2 += row[s.TL2 + k] + z5 + a0 * row[s.T1 + k] - a1 * row[s.T0 + k]
            a0 += row[s.TA0 + k] + z0
            a1 += row[s.TA1 + k] + z1
            a2 += row[s.TA2 + k] + z2
            # η̈ = Y⁻¹ζ
            a[c] = row[s.SIGMA0 + k] * z0 + row[s.SIGMA1 + k] * z1 + row[s.SIGMA2 + k] * z2
            a[c] += row[s.RHO0 + k] * z3 + row[s.RHO1 + k] * z4 + row[s.RHO2 + k] * z5
            a[c + 1] = row[s.R01 + k] * z3 + row[s.R11 + k] * z4 + row[s.R21 + k] * z5
            a[c + 2] = row[s.R02 + k] * z3 + row[s.R12 + k] * z4 + row[s.R22 + k] * z5
            a[c + 3] = row[s.B3_0 + k] * z0 + row[s.B3_1 + k] * z1 + row[s.B3_2 + k] * z2
            a[c + 4] = row[s.B4_0 + k] * z0 + row[s.B4_1 + k] * z1 + row[s.B4_2 + k] * z2
            a[c + 5] = row[s.B5_0 + k] * z0 + row[s.B5_1 + k] * z1 + row[s.B5_2 + k] * z2
        row[s.AA0 + k] = a0
        row[s.AA1 + k] = a1
        row[s.AA2 + k] = a2
        row[s.AL0 + k] = l0
        row[s.AL1 + k] = l1
        row[s.AL2 + k] = l2
