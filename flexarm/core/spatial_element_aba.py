"""Forward and hybrid dynamics of spatial element trees (NOTATION 34–36 for beam elements without stretch), O(n).

Written out number by number, so that an element's inertia stays in registers.
"""

from __future__ import annotations

from . import spatial_element_rows as s
from ._jit import inner, jit
from .columns import B_MASS
from .spatial_element_factor import eliminate
from .spatial_element_joint import hand_on, joint_sweep, last_sweep
from .spatial_element_outward import element_outward
from .spatial_element_stand import stand
from .types import (
    OK,
    T_COUNT,
    T_PARENT,
    Floats,
    Laws,
    Loads,
    SpatialElementTree,
)


@jit
def element_solve(
    tree: SpatialElementTree,
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
    element_outward(tree, q, v, tau, q_spring, v_damper, gh, bh2, work)
    status = OK
    for i in range(n - 1, 0, -1):
        if topology[i, T_COUNT] > 0:
            stand(tree.body[i, B_MASS], work[i])
            status = eliminate(status, work[i])
        else:
            _rigid(tree.body[i, B_MASS], work[i])
        if tree.plain[i] == 0:
            status = joint_sweep(tree, i, status, a, tau, q_spring, v_damper, gh, bh2, work[i])
        up = topology[i, T_PARENT]
        if up > 0:
            hand_on(work[i], work[up])
    last_sweep(tree, q, v, a, drive, work)
    return status


@inner
def _rigid(m: float, row: Floats) -> None:
    """Add the inertia and the bias of a rigid body to what stands on it."""
    row[s.GJXX] += row[s.JXX]
    row[s.GJXY] += row[s.JXY]
    row[s.GJXZ] += row[s.JXZ]
    row[s.GJYY] += row[s.JYY]
    row[s.GJYZ] += row[s.JYZ]
    row[s.GJZZ] += row[s.JZZ]
    row[s.GH01] -= row[s.S2]
    row[s.GH02] += row[s.S1]
    row[s.GH10] += row[s.S2]
    row[s.GH12] -= row[s.S0]
    row[s.GH20] -= row[s.S1]
    row[s.GH21] += row[s.S0]
    row[s.GMXX] += m
    row[s.GMYY] += m
    row[s.GMZZ] += m
    row[s.GN0] += row[s.PN0]
    row[s.GF0] += row[s.PF0]
    row[s.GN1] += row[s.PN1]
    row[s.GF1] += row[s.PF1]
    row[s.GN2] += row[s.PN2]
    row[s.GF2] += row[s.PF2]
