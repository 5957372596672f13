"""The mass matrix in space and in the plane (NOTATION §4), walking from every body to the root."""

from __future__ import annotations

from ._jit import jit
from .columns import DX, DY, DZ, H02, H10, H21, JXX, JXY, JXZ, JYY, JYZ, JZZ, MXX, R02, R12, R22
from .outward import outward
from .planar_geometry import DX as P_DX
from .planar_geometry import DY as P_DY
from .planar_geometry import GHX, GHY, GJ, GMXX, MCX, MCY, ZX, ZY, planar_outward
from .types import P_J, P_MASS, REVOLUTE, S_ROTOR, T_COORD, T_JOINT, T_PARENT, Floats, PlanarTree, SpatialTree


@jit
def spatial_crba(tree: SpatialTree, q: Floats, v: Floats, mass: Floats, work: Floats) -> None:
    """Fill the mass matrix (nq, nq); v is only a buffer of the right length, its values do not matter."""
    topology = tree.topology
    spring = tree.spring
    outward(tree, q, v, work)
    mass[:, :] = 0.0
    for i in range(topology.shape[0] - 1, 0, -1):
        c = topology[i, T_COORD]
        up = topology[i, T_PARENT]
        jxx = work[i, JXX]
        jxy = work[i, JXY]
        jxz = work[i, JXZ]
        jyy = work[i, JYY]
        jyz = work[i, JYZ]
        jzz = work[i, JZZ]
        # a composite rigid body: H is the cross matrix of the first moment, M the mass
        m = work[i, MXX]
        mx = work[i, H21]
        my = work[i, H02]
        mz = work[i, H10]
        if c >= 0:
            zx = work[i, R02]
            zy = work[i, R12]
            zz = work[i, R22]
            if topology[i, T_JOINT] == REVOLUTE:
                n0 = jxx * zx + jxy * zy + jxz * zz
                n1 = jxy * zx + jyy * zy + jyz * zz
                n2 = jxz * zx + jyz * zy + jzz * zz
                f0 = zy * mz - zz * my
                f1 = zz * mx - zx * mz
                f2 = zx * my - zy * mx
                mass[c, c] = zx * n0 + zy * n1 + zz * n2 + spring[c, S_ROTOR]
            else:
                n0 = my * zz - mz * zy
                n1 = mz * zx - mx * zz
                n2 = mx * zy - my * zx
                f0 = m * zx
                f1 = m * zy
                f2 = m * zz
                mass[c, c] = m * (zx * zx + zy * zy + zz * zz) + spring[c, S_ROTOR]
            k = i
            while topology[k, T_PARENT] > 0:
                dx = work[k, DX]
                dy = work[k, DY]
                dz = work[k, DZ]
                n0 = n0 + dy * f2 - dz * f1
                n1 = n1 + dz * f0 - dx * f2
                n2 = n2 + dx * f1 - dy * f0
                k = topology[k, T_PARENT]
                b = topology[k, T_COORD]
                if b >= 0:
                    zx = work[k, R02]
                    zy = work[k, R12]
                    zz = work[k, R22]
                    if topology[k, T_JOINT] == REVOLUTE:
                        entry = zx * n0 + zy * n1 + zz * n2
                    else:
                        entry = zx * f0 + zy * f1 + zz * f2
                    mass[b, c] = entry
                    mass[c, b] = entry
        dx = work[i, DX]
        dy = work[i, DY]
        dz = work[i, DZ]
        # parallel axes: J' = J + 2 sym(d·mc) 1 − … + m(d² 1 − d dᵀ), first moment mc + m d
        dd = 2.0 * (dx * mx + dy * my + dz * mz) + m * (dx * dx + dy * dy + dz * dz)
        work[up, JXX] += jxx + dd - 2.0 * dx * mx - m * dx * dx
        work[up, JXY] += jxy - dx * my - dy * mx - m * dx * dy
        work[up, JXZ] += jxz - dx * mz - dz * mx - m * dx * dz
        work[up, JYY] += jyy + dd - 2.0 * dy * my - m * dy * dy
        work[up, JYZ] += jyz - dy * mz - dz * my - m * dy * dz
        work[up, JZZ] += jzz + dd - 2.0 * dz * mz - m * dz * dz
        work[up, H21] += mx + m * dx
        work[up, H02] += my + m * dy
        work[up, H10] += mz + m * dz
        work[up, MXX] += m


@jit
def planar_crba(tree: PlanarTree, q: Floats, v: Floats, mass: Floats, work: Floats) -> None:
    """Fill the mass matrix (nq, nq) of a planar arm; v is only a buffer of the right length."""
    topology = tree.topology
    spring = tree.spring
    planar_outward(tree, q, v, work)
    mass[:, :] = 0.0
    for i in range(1, topology.shape[0]):
        work[GJ, i] = tree.plane[P_J, i]
        work[GHX, i] = -work[MCY, i]
        work[GHY, i] = work[MCX, i]
        work[GMXX, i] = tree.plane[P_MASS, i]
    for i in range(topology.shape[0] - 1, 0, -1):
        c = topology[i, T_COORD]
        up = topology[i, T_PARENT]
        jj = work[GJ, i]
        hx = work[GHX, i]
        hy = work[GHY, i]
        m = work[GMXX, i]
        if c >= 0:
            if topology[i, T_JOINT] == REVOLUTE:
                n = jj
                fx = hx
                fy = hy
                mass[c, c] = jj + spring[c, S_ROTOR]
            else:
                zx = work[ZX, i]
                zy = work[ZY, i]
                n = hx * zx + hy * zy
                fx = m * zx
                fy = m * zy
                mass[c, c] = m * (zx * zx + zy * zy) + spring[c, S_ROTOR]
            k = i
            while topology[k, T_PARENT] > 0:
                n += work[P_DX, k] * fy - work[P_DY, k] * fx
                k = topology[k, T_PARENT]
                b = topology[k, T_COORD]
                if b >= 0:
                    entry = n if topology[k, T_JOINT] == REVOLUTE else work[ZX, k] * fx + work[ZY, k] * fy
                    mass[b, c] = entry
                    mass[c, b] = entry
        dx = work[P_DX, i]
        dy = work[P_DY, i]
        # H = (−mc_y, mc_x): shift of the first moment by m d
        gx = hx - m * dy
        gy = hy + m * dx
        if up > 0:
            work[GJ, up] += jj + dx * (hy + gy) - dy * (hx + gx)
            work[GHX, up] += gx
            work[GHY, up] += gy
            work[GMXX, up] += m
