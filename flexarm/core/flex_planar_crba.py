"""The mass matrix of planar trees with flexible bodies (NOTATION 38), walking from every body to the root."""

from __future__ import annotations

from ._jit import inner, jit
from .flex_planar_columns import DX, DY, HEAD, IHX, IHY, IJ, IMXX, IMXY, IMYY, TX, TY, ZX, ZY
from .flex_planar_outward import flex_planar_outward
from .types import REVOLUTE, S_ROTOR, T_COORD, T_COUNT, T_JOINT, T_PARENT, T_STANDS, Floats, PlanarFlexTree


@inner
def _to_root(tree: PlanarFlexTree, i: int, c: int, n: float, fx: float, fy: float, mass: Floats, work: Floats) -> None:
    """Fill what column c, whose unit acceleration takes the wrench n, f at the origin of body i, has further in."""
    topology = tree.topology
    most = topology[0, T_COUNT]
    k = i
    while k > 0:
        row = work[k]
        up = topology[k, T_PARENT]
        n += row[DX] * fy - row[DY] * fx
        if topology[k, T_STANDS] >= 0:
            b = topology[up, T_COORD]
            y = row[HEAD : HEAD + 3 * most]
            for j in range(topology[up, T_COUNT]):
                entry = y[j] * n + y[most + j] * fx + y[2 * most + j] * fy
                mass[b + j, c] = entry
                mass[c, b + j] = entry
            n += row[TX] * fy - row[TY] * fx
        k = up
        kind = topology[k, T_JOINT]
        if kind != 0:
            b = topology[k, T_COORD]
            entry = n if kind == REVOLUTE else work[k, ZX] * fx + work[k, ZY] * fy
            mass[b, c] = entry
            mass[c, b] = entry


@jit
def flex_planar_crba(tree: PlanarFlexTree, q: Floats, v: Floats, mass: Floats, work: Floats) -> None:
    """Fill the mass matrix (nq, nq); v is only a buffer of the right length."""
    topology = tree.topology
    most = topology[0, T_COUNT]
    flex_planar_outward(tree, q, v, work)
    mass[:, :] = 0.0
    for i in range(topology.shape[0] - 1, 0, -1):
        row = work[i]
        c = topology[i, T_COORD]
        kind = topology[i, T_JOINT]
        n = topology[i, T_COUNT]
        jj = row[IJ]
        hx = row[IHX]
        hy = row[IHY]
        mxx = row[IMXX]
        mxy = row[IMXY]
        myy = row[IMYY]
        if kind == REVOLUTE:
            mass[c, c] = jj + tree.spring[c, S_ROTOR]
            _to_root(tree, i, c, jj, hx, hy, mass, work)
        elif kind != 0:
            zx = row[ZX]
            zy = row[ZY]
            fx = mxx * zx + mxy * zy
            fy = mxy * zx + myy * zy
            mass[c, c] = fx * zx + fy * zy + tree.spring[c, S_ROTOR]
            _to_root(tree, i, c, hx * zx + hy * zy, fx, fy, mass, work)
        coupling = row[HEAD + 3 * most : HEAD + 6 * most]
        inertia = row[HEAD + 11 * most : HEAD + 11 * most + n * n]
        for j in range(n):
            for k in range(j, n):
                mass[c + j, c + k] = inertia[j * n + k]
                mass[c + k, c + j] = inertia[j * n + k]
            _to_root(tree, i, c + j, coupling[j], coupling[most + j], coupling[2 * most + j], mass, work)
        up = topology[i, T_PARENT]
        above = work[up]
        dx = row[DX]
        dy = row[DY]
        gx = hx + dx * mxy - dy * mxx
        gy = hy + dx * myy - dy * mxy
        jj += dx * (hy + gy) - dy * (hx + gx)
        hx = gx
        hy = gy
        if topology[i, T_STANDS] >= 0:
            m = topology[up, T_COUNT]
            y = row[HEAD : HEAD + 3 * most]
            coupling = above[HEAD + 3 * most : HEAD + 6 * most]
            inertia = above[HEAD + 11 * most : HEAD + 11 * most + m * m]
            tx = row[TX]
            ty = row[TY]
            for k in range(m):
                p0 = jj * y[k] + hx * y[most + k] + hy * y[2 * most + k]
                p1 = hx * y[k] + mxx * y[most + k] + mxy * y[2 * most + k]
                p2 = hy * y[k] + mxy * y[most + k] + myy * y[2 * most + k]
                for b in range(k, m):
                    inertia[k * m + b] += p0 * y[b] + p1 * y[most + b] + p2 * y[2 * most + b]
                coupling[k] += p0 + tx * p2 - ty * p1
                coupling[most + k] += p1
                coupling[2 * most + k] += p2
            gx = hx + tx * mxy - ty * mxx
            gy = hy + tx * myy - ty * mxy
            jj += tx * (hy + gy) - ty * (hx + gx)
            hx = gx
            hy = gy
        above[IJ] += jj
        above[IHX] += hx
        above[IHY] += hy
        above[IMXX] += mxx
        above[IMXY] += mxy
        above[IMYY] += myy
