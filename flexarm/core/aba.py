"""Forward and hybrid dynamics in space (NOTATION 10–17), O(n), unrolled by hand with symmetric storage."""

from __future__ import annotations

from ._jit import jit
from .acceleration import accelerations
from .columns import (
    B_JXX,
    B_JXY,
    B_JXZ,
    B_JYY,
    B_JYZ,
    B_JZZ,
    B_MASS,
    B_MCX,
    B_MCY,
    B_MCZ,
    CA0,
    CA1,
    CA2,
    CL0,
    CL1,
    CL2,
    DX,
    DY,
    DZ,
    H00,
    H01,
    H02,
    H10,
    H11,
    H12,
    H20,
    H21,
    H22,
    JXX,
    JXY,
    JXZ,
    JYY,
    JYZ,
    JZZ,
    MXX,
    MXY,
    MXZ,
    MYY,
    MYZ,
    MZZ,
    PF0,
    PF1,
    PF2,
    PN0,
    PN1,
    PN2,
    R00,
    R01,
    R02,
    R10,
    R11,
    R12,
    R20,
    R21,
    R22,
    UF0,
    UF1,
    UF2,
    UN0,
    UN1,
    UN2,
    W0,
    W1,
    W2,
    ZIZ,
    U,
)
from .loads import apply_loads
from .outward import geometry
from .questions import is_zero, positive
from .types import (
    OK,
    REVOLUTE,
    S_D,
    S_K,
    S_REST,
    S_ROTOR,
    T_BRANCH,
    T_COORD,
    T_DRIVEN,
    T_JOINT,
    T_PARENT,
    Floats,
    Laws,
    Loads,
    SpatialTree,
)


@jit
def spatial_solve(
    tree: SpatialTree,
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
    topology, spring, body = tree.topology, tree.spring, tree.body
    n = topology.shape[0]
    geometry(tree, q, v, work)
    loaded = loads.place.shape[0] > 0
    for i in range(1, n):
        if loaded or topology[i, T_BRANCH] == 1:
            for j in range(JXX, PF2 + 1):
                work[i, j] = 0.0
    if loaded:
        apply_loads(loads, laws, t, left, work)
    status = OK
    # what a body hands to the row before it stays in these; where the tree branches it goes through memory
    jxx = jxy = jxz = jyy = jyz = jzz = 0.0
    h00 = h01 = h02 = h10 = h11 = h12 = h20 = h21 = h22 = 0.0
    mxx = mxy = mxz = myy = myz = mzz = 0.0
    pn0 = pn1 = pn2 = pf0 = pf1 = pf2 = 0.0
    for i in range(n - 1, 0, -1):
        c = topology[i, T_COORD]
        kind = topology[i, T_JOINT]
        up = topology[i, T_PARENT]
        if loaded or topology[i, T_BRANCH] == 1:
            jxx += work[i, JXX]
            jxy += work[i, JXY]
            jxz += work[i, JXZ]
            jyy += work[i, JYY]
            jyz += work[i, JYZ]
            jzz += work[i, JZZ]
            h00 += work[i, H00]
            h01 += work[i, H01]
            h02 += work[i, H02]
            h10 += work[i, H10]
            h11 += work[i, H11]
            h12 += work[i, H12]
            h20 += work[i, H20]
            h21 += work[i, H21]
            h22 += work[i, H22]
            mxx += work[i, MXX]
            mxy += work[i, MXY]
            mxz += work[i, MXZ]
            myy += work[i, MYY]
            myz += work[i, MYZ]
            mzz += work[i, MZZ]
            pn0 += work[i, PN0]
            pn1 += work[i, PN1]
            pn2 += work[i, PN2]
            pf0 += work[i, PF0]
            pf1 += work[i, PF1]
            pf2 += work[i, PF2]
        m = body[i, B_MASS]
        bxx = body[i, B_JXX]
        byy = body[i, B_JYY]
        bzz = body[i, B_JZZ]
        # (6), (7); massless bodies have nothing of their own
        if not (is_zero(m) and is_zero(bxx) and is_zero(byy) and is_zero(bzz)):
            bxy = body[i, B_JXY]
            bxz = body[i, B_JXZ]
            byz = body[i, B_JYZ]
            r00 = work[i, R00]
            r01 = work[i, R01]
            r02 = work[i, R02]
            r10 = work[i, R10]
            r11 = work[i, R11]
            r12 = work[i, R12]
            r20 = work[i, R20]
            r21 = work[i, R21]
            r22 = work[i, R22]
            w0 = work[i, W0]
            w1 = work[i, W1]
            w2 = work[i, W2]
            k00 = r00 * bxx + r01 * bxy + r02 * bxz
            k01 = r00 * bxy + r01 * byy + r02 * byz
            k02 = r00 * bxz + r01 * byz + r02 * bzz
            k10 = r10 * bxx + r11 * bxy + r12 * bxz
            k11 = r10 * bxy + r11 * byy + r12 * byz
            k12 = r10 * bxz + r11 * byz + r12 * bzz
            k20 = r20 * bxx + r21 * bxy + r22 * bxz
            k21 = r20 * bxy + r21 * byy + r22 * byz
            k22 = r20 * bxz + r21 * byz + r22 * bzz
            oxx = k00 * r00 + k01 * r01 + k02 * r02
            oxy = k00 * r10 + k01 * r11 + k02 * r12
            oxz = k00 * r20 + k01 * r21 + k02 * r22
            oyy = k10 * r10 + k11 * r11 + k12 * r12
            oyz = k10 * r20 + k11 * r21 + k12 * r22
            ozz = k20 * r20 + k21 * r21 + k22 * r22
            c0 = body[i, B_MCX]
            c1 = body[i, B_MCY]
            c2 = body[i, B_MCZ]
            mx = r00 * c0 + r01 * c1 + r02 * c2
            my = r10 * c0 + r11 * c1 + r12 * c2
            mz = r20 * c0 + r21 * c1 + r22 * c2
            l0 = oxx * w0 + oxy * w1 + oxz * w2
            l1 = oxy * w0 + oyy * w1 + oyz * w2
            l2 = oxz * w0 + oyz * w1 + ozz * w2
            e0 = w1 * mz - w2 * my
            e1 = w2 * mx - w0 * mz
            e2 = w0 * my - w1 * mx
            pn0 += w1 * l2 - w2 * l1
            pn1 += w2 * l0 - w0 * l2
            pn2 += w0 * l1 - w1 * l0
            pf0 += w1 * e2 - w2 * e1
            pf1 += w2 * e0 - w0 * e2
            pf2 += w0 * e1 - w1 * e0
            jxx += oxx
            jxy += oxy
            jxz += oxz
            jyy += oyy
            jyz += oyz
            jzz += ozz
            h01 -= mz
            h02 += my
            h10 += mz
            h12 -= mx
            h20 -= my
            h21 += mx
            mxx += m
            myy += m
            mzz += m
        # (10)
        ca0 = work[i, CA0]
        ca1 = work[i, CA1]
        ca2 = work[i, CA2]
        cl0 = work[i, CL0]
        cl1 = work[i, CL1]
        cl2 = work[i, CL2]
        pn0 += jxx * ca0 + jxy * ca1 + jxz * ca2 + h00 * cl0 + h01 * cl1 + h02 * cl2
        pn1 += jxy * ca0 + jyy * ca1 + jyz * ca2 + h10 * cl0 + h11 * cl1 + h12 * cl2
        pn2 += jxz * ca0 + jyz * ca1 + jzz * ca2 + h20 * cl0 + h21 * cl1 + h22 * cl2
        pf0 += h00 * ca0 + h10 * ca1 + h20 * ca2 + mxx * cl0 + mxy * cl1 + mxz * cl2
        pf1 += h01 * ca0 + h11 * ca1 + h21 * ca2 + mxy * cl0 + myy * cl1 + myz * cl2
        pf2 += h02 * ca0 + h12 * ca1 + h22 * ca2 + mxz * cl0 + myz * cl1 + mzz * cl2
        dx = work[i, DX]
        dy = work[i, DY]
        dz = work[i, DZ]
        if kind != 0:
            zx = work[i, R02]
            zy = work[i, R12]
            zz = work[i, R22]
            # (11)
            if kind == REVOLUTE:
                un0 = jxx * zx + jxy * zy + jxz * zz
                un1 = jxy * zx + jyy * zy + jyz * zz
                un2 = jxz * zx + jyz * zy + jzz * zz
                uf0 = h00 * zx + h10 * zy + h20 * zz
                uf1 = h01 * zx + h11 * zy + h21 * zz
                uf2 = h02 * zx + h12 * zy + h22 * zz
                ziz = zx * un0 + zy * un1 + zz * un2
                zp = zx * pn0 + zy * pn1 + zz * pn2
            else:
                un0 = h00 * zx + h01 * zy + h02 * zz
                un1 = h10 * zx + h11 * zy + h12 * zz
                un2 = h20 * zx + h21 * zy + h22 * zz
                uf0 = mxx * zx + mxy * zy + mxz * zz
                uf1 = mxy * zx + myy * zy + myz * zz
                uf2 = mxz * zx + myz * zy + mzz * zz
                ziz = zx * uf0 + zy * uf1 + zz * uf2
                zp = zx * pf0 + zy * pf1 + zz * pf2
            if topology[i, T_DRIVEN] == 1:
                work[i, UN0] = un0
                work[i, UN1] = un1
                work[i, UN2] = un2
                work[i, UF0] = uf0
                work[i, UF1] = uf1
                work[i, UF2] = uf2
                work[i, U] = zp
                work[i, ZIZ] = ziz
                acc = a[c]
            else:
                pivot = ziz + spring[c, S_ROTOR] + gh * spring[c, S_D] + bh2 * spring[c, S_K]
                pivot, status = positive(pivot, status)
                inv = 1.0 / pivot
                u = tau[c] - spring[c, S_K] * (q_spring[c] - spring[c, S_REST]) - spring[c, S_D] * v_damper[c] - zp
                acc = u * inv
                # (12)
                s0 = un0 * inv
                s1 = un1 * inv
                s2 = un2 * inv
                jxx -= un0 * s0
                jxy -= un0 * s1
                jxz -= un0 * s2
                jyy -= un1 * s1
                jyz -= un1 * s2
                jzz -= un2 * s2
                h00 -= s0 * uf0
                h01 -= s0 * uf1
                h02 -= s0 * uf2
                h10 -= s1 * uf0
                h11 -= s1 * uf1
                h12 -= s1 * uf2
                h20 -= s2 * uf0
                h21 -= s2 * uf1
                h22 -= s2 * uf2
                t0 = uf0 * inv
                t1 = uf1 * inv
                t2 = uf2 * inv
                mxx -= uf0 * t0
                mxy -= uf0 * t1
                mxz -= uf0 * t2
                myy -= uf1 * t1
                myz -= uf1 * t2
                mzz -= uf2 * t2
                # (14b): u/D and U/D, shifted to the parent
                work[i, U] = acc
                work[i, UN0] = s0 + dy * t2 - dz * t1
                work[i, UN1] = s1 + dz * t0 - dx * t2
                work[i, UN2] = s2 + dx * t1 - dy * t0
                work[i, UF0] = t0
                work[i, UF1] = t1
                work[i, UF2] = t2
            pn0 += un0 * acc
            pn1 += un1 * acc
            pn2 += un2 * acc
            pf0 += uf0 * acc
            pf1 += uf1 * acc
            pf2 += uf2 * acc
        # (13); bodies of a multi-degree joint share their origin: nothing to shift
        if not (is_zero(dx) and is_zero(dy) and is_zero(dz)):
            g00 = h00 - dz * mxy + dy * mxz
            g01 = h01 - dz * myy + dy * myz
            g02 = h02 - dz * myz + dy * mzz
            g10 = h10 + dz * mxx - dx * mxz
            g11 = h11 + dz * mxy - dx * myz
            g12 = h12 + dz * mxz - dx * mzz
            g20 = h20 - dy * mxx + dx * mxy
            g21 = h21 - dy * mxy + dx * myy
            g22 = h22 - dy * mxz + dx * myz
            jxx += dy * (h02 + g02) - dz * (h01 + g01)
            jxy += dy * h12 - dz * h11 + dz * g00 - dx * g02
            jxz += dy * h22 - dz * h21 - dy * g00 + dx * g01
            jyy += dz * (h10 + g10) - dx * (h12 + g12)
            jyz += dz * h20 - dx * h22 - dy * g10 + dx * g11
            jzz += dx * (h21 + g21) - dy * (h20 + g20)
            h00 = g00
            h01 = g01
            h02 = g02
            h10 = g10
            h11 = g11
            h12 = g12
            h20 = g20
            h21 = g21
            h22 = g22
            pn0 += dy * pf2 - dz * pf1
            pn1 += dz * pf0 - dx * pf2
            pn2 += dx * pf1 - dy * pf0
        if up != i - 1:
            if up > 0:
                work[up, JXX] += jxx
                work[up, JXY] += jxy
                work[up, JXZ] += jxz
                work[up, JYY] += jyy
                work[up, JYZ] += jyz
                work[up, JZZ] += jzz
                work[up, H00] += h00
                work[up, H01] += h01
                work[up, H02] += h02
                work[up, H10] += h10
                work[up, H11] += h11
                work[up, H12] += h12
                work[up, H20] += h20
                work[up, H21] += h21
                work[up, H22] += h22
                work[up, MXX] += mxx
                work[up, MXY] += mxy
                work[up, MXZ] += mxz
                work[up, MYY] += myy
                work[up, MYZ] += myz
                work[up, MZZ] += mzz
                work[up, PN0] += pn0
                work[up, PN1] += pn1
                work[up, PN2] += pn2
                work[up, PF0] += pf0
                work[up, PF1] += pf1
                work[up, PF2] += pf2
            jxx = jxy = jxz = jyy = jyz = jzz = 0.0
            h00 = h01 = h02 = h10 = h11 = h12 = h20 = h21 = h22 = 0.0
            mxx = mxy = mxz = myy = myz = mzz = 0.0
            pn0 = pn1 = pn2 = pf0 = pf1 = pf2 = 0.0
    accelerations(tree, q, v, a, drive, work)
    return status
