"""The last sweep of forward dynamics in space: accelerations outward (NOTATION 14), forces of driven joints (15)."""

from __future__ import annotations

from ._jit import inner
from .columns import (
    AF0,
    AF1,
    AF2,
    AL0,
    AL1,
    AL2,
    CA0,
    CA1,
    CA2,
    CL0,
    CL1,
    CL2,
    DX,
    DY,
    DZ,
    R02,
    R12,
    R22,
    UF0,
    UF1,
    UF2,
    UN0,
    UN1,
    UN2,
    ZIZ,
    U,
)
from .types import PRISMATIC, S_D, S_K, S_REST, S_ROTOR, T_COORD, T_DRIVEN, T_JOINT, T_PARENT, Floats, SpatialTree


@inner
def accelerations(tree: SpatialTree, q: Floats, v: Floats, a: Floats, drive: Floats, work: Floats) -> None:
    """Fill a for the free coordinates and `drive` for the driven ones, after the inward sweep."""
    topology = tree.topology
    spring = tree.spring
    n = topology.shape[0]
    al0 = al1 = al2 = 0.0
    af0 = -tree.gravity[0]
    af1 = -tree.gravity[1]
    af2 = -tree.gravity[2]
    work[0, AL0] = al0
    work[0, AL1] = al1
    work[0, AL2] = al2
    work[0, AF0] = af0
    work[0, AF1] = af1
    work[0, AF2] = af2
    for i in range(1, n):
        up = topology[i, T_PARENT]
        if up != i - 1:
            al0 = work[up, AL0]
            al1 = work[up, AL1]
            al2 = work[up, AL2]
            af0 = work[up, AF0]
            af1 = work[up, AF1]
            af2 = work[up, AF2]
        c = topology[i, T_COORD]
        kind = topology[i, T_JOINT]
        dx = work[i, DX]
        dy = work[i, DY]
        dz = work[i, DZ]
        b0 = af0 + al1 * dz - al2 * dy
        b1 = af1 + al2 * dx - al0 * dz
        b2 = af2 + al0 * dy - al1 * dx
        if kind != 0:
            turned = work[i, UN0] * al0 + work[i, UN1] * al1 + work[i, UN2] * al2
            if topology[i, T_DRIVEN] == 1:
                # (15)
                acc = a[c]
                drive[c] = (
                    turned
                    + work[i, UF0] * b0
                    + work[i, UF1] * b1
                    + work[i, UF2] * b2
                    + work[i, U]
                    + (work[i, ZIZ] + spring[c, S_ROTOR]) * acc
                    + spring[c, S_K] * (q[c] - spring[c, S_REST])
                    + spring[c, S_D] * v[c]
                )
            else:
                # (14b)
                acc = work[i, U] - turned - work[i, UF0] * af0 - work[i, UF1] * af1 - work[i, UF2] * af2
                a[c] = acc
            if kind == PRISMATIC:
                b0 += work[i, R02] * acc
                b1 += work[i, R12] * acc
                b2 += work[i, R22] * acc
            else:
                al0 += work[i, R02] * acc
                al1 += work[i, R12] * acc
                al2 += work[i, R22] * acc
        al0 += work[i, CA0]
        al1 += work[i, CA1]
        al2 += work[i, CA2]
        af0 = b0 + work[i, CL0]
        af1 = b1 + work[i, CL1]
        af2 = b2 + work[i, CL2]
        work[i, AL0] = al0
        work[i, AL1] = al1
        work[i, AL2] = al2
        work[i, AF0] = af0
        work[i, AF1] = af1
        work[i, AF2] = af2
