"""The mass matrix in space and in the plane (NOTATION §4), walking from every body to the root."""

from __future__ import annotations

from ._jit import jit
from .outward import DX, DY, DZ, H, J, M, R, outward
from .planar_aba import DX as P_DX
from .planar_aba import DY as P_DY
from .planar_aba import HX, HY, MXX, MXY, MYY, ZX, ZY, planar_outward
from .planar_aba import J as P_JJ
from .types import REVOLUTE, S_ROTOR, T_COORD, T_JOINT, T_PARENT, Floats, PlanarTree, SpatialTree


@jit
def spatial_crba(tree: SpatialTree, q: Floats, v: Floats, mass: Floats, work: Floats) -> None:
    """Fill the mass matrix (nq, nq); v is only a buffer of the right length, its values do not matter."""
    topology, spring = tree.topology, tree.spring
    outward(tree, q, v, work)
    mass[:, :] = 0.0
    for i in range(topology.shape[0] - 1, 0, -1):
        c = topology[i, T_COORD]
        up = topology[i, T_PARENT]
        jxx, jxy, jxz = work[i, J], work[i, J + 1], work[i, J + 2]
        jyy, jyz, jzz = work[i, J + 3], work[i, J + 4], work[i, J + 5]
        # a composite rigid body: H is the cross matrix of the first moment, M the mass
        m = work[i, M]
        mx, my, mz = work[i, H + 7], work[i, H + 2], work[i, H + 3]
        if c >= 0:
            zx, zy, zz = work[i, R + 2], work[i, R + 5], work[i, R + 8]
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
                f0, f1, f2 = m * zx, m * zy, m * zz
                mass[c, c] = m * (zx * zx + zy * zy + zz * zz) + spring[c, S_ROTOR]
            k = i
            while topology[k, T_PARENT] > 0:
                dx, dy, dz = work[k, DX], work[k, DY], work[k, DZ]
                n0, n1, n2 = n0 + dy * f2 - dz * f1, n1 + dz * f0 - dx * f2, n2 + dx * f1 - dy * f0
                k = topology[k, T_PARENT]
                b = topology[k, T_COORD]
                if b >= 0:
                    zx, zy, zz = work[k, R + 2], work[k, R + 5], work[k, R + 8]
                    if topology[k, T_JOINT] == REVOLUTE:
                        entry = zx * n0 + zy * n1 + zz * n2
                    else:
                        entry = zx * f0 + zy * f1 + zz * f2
                    mass[b, c] = entry
                    mass[c, b] = entry
        dx, dy, dz = work[i, DX], work[i, DY], work[i, DZ]
        # parallel axes: J' = J + 2 sym(d·mc) 1 − … + m(d² 1 − d dᵀ), first moment mc + m d
        dd = 2.0 * (dx * mx + dy * my + dz * mz) + m * (dx * dx + dy * dy + dz * dz)
        work[up, J] += jxx + dd - 2.0 * dx * mx - m * dx * dx
        work[up, J + 1] += jxy - dx * my - dy * mx - m * dx * dy
        work[up, J + 2] += jxz - dx * mz - dz * mx - m * dx * dz
        work[up, J + 3] += jyy + dd - 2.0 * dy * my - m * dy * dy
        work[up, J + 4] += jyz - dy * mz - dz * my - m * dy * dz
        work[up, J + 5] += jzz + dd - 2.0 * dz * mz - m * dz * dz
        work[up, H + 7] += mx + m * dx
        work[up, H + 2] += my + m * dy
        work[up, H + 3] += mz + m * dz
        work[up, M] += m


@jit
def planar_crba(tree: PlanarTree, q: Floats, v: Floats, mass: Floats, work: Floats) -> None:
    """Fill the mass matrix (nq, nq) of a planar arm; v is only a buffer of the right length."""
    topology, spring = tree.topology, tree.spring
    planar_outward(tree, q, v, work)
    mass[:, :] = 0.0
    for i in range(topology.shape[0] - 1, 0, -1):
        c = topology[i, T_COORD]
        up = topology[i, T_PARENT]
        jj, hx, hy, m = work[i, P_JJ], work[i, HX], work[i, HY], work[i, MXX]
        if c >= 0:
            if topology[i, T_JOINT] == REVOLUTE:
                n, fx, fy = jj, hx, hy
                mass[c, c] = jj + spring[c, S_ROTOR]
            else:
                zx, zy = work[i, ZX], work[i, ZY]
                n, fx, fy = hx * zx + hy * zy, m * zx, m * zy
                mass[c, c] = m * (zx * zx + zy * zy) + spring[c, S_ROTOR]
            k = i
            while topology[k, T_PARENT] > 0:
                n += work[k, P_DX] * fy - work[k, P_DY] * fx
                k = topology[k, T_PARENT]
                b = topology[k, T_COORD]
                if b >= 0:
                    entry = n if topology[k, T_JOINT] == REVOLUTE else work[k, ZX] * fx + work[k, ZY] * fy
                    mass[b, c] = entry
                    mass[c, b] = entry
        dx, dy = work[i, P_DX], work[i, P_DY]
        # H = (−mc_y, mc_x): shift of the first moment by m d
        gx, gy = hx - m * dy, hy + m * dx
        if up > 0:
            work[up, P_JJ] += jj + dx * (hy + gy) - dy * (hx + gx)
            work[up, HX] += gx
            work[up, HY] += gy
            work[up, MXX] += m
            work[up, MXY] += 0.0
            work[up, MYY] += m
