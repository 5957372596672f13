"""Places in the arrays of planar element trees: eight bodies to a row, every quantity of the eight side by side.

A planar element tree is a planar flexible tree whose flexible bodies are all beam elements without stretch: two
coordinates, the deflection and the slope of the far node, and nothing stands on them but at that node. Then most of the
invariants vanish, and what is left is done for eight bodies at a time: within a row all places are constants, so that
the compiler sees that they do not overlap and takes vector registers. Body i is lane i % 8 of row i // 8.
"""

from __future__ import annotations

LANES = 8


def _places(count: int, after: int = 0) -> range:
    """So many places behind `after` others."""
    return range(LANES * after, LANES * (after + count), LANES)


# Constants: of the elements (zero for rigid bodies) length; S1_y, C0_z; entries 11, 12, 22 of Me, K, D, H0, N and of H
# at the far node; of every body mass, first moments, inertia.
E_LENGTH, E_S1, E_S2, E_C1, E_C2 = _places(5)
E_M11, E_M12, E_M22, E_K11, E_K12, E_K22, E_D11, E_D12, E_D22 = _places(9, 5)
E_H11, E_H12, E_H22, E_N11, E_N12, E_N22, E_T11, E_T12, E_T22 = _places(9, 14)
E_MASS, E_MCX, E_MCY, E_J = _places(4, 23)
CONSTANTS = 27
E_WIDTH = CONSTANTS * LANES

# Work: geometry; frame at the far node
SIN, COS, ANGLE, W, DX, DY, CX, CY, ZX, ZY = _places(10)
TX, TY, TCX, TCY, F1X, F1Y, F2X, F2Y = _places(8, 10)
# coordinates, rates, forces on them; what an implicit step makes of their inertia
Q1, Q2, V1, V2, U1, U2, M11, M12, M22 = _places(9, 18)
# own inertia, coupling of the coordinates with a_x and a_y, bias
IJ, SX, SY, A1X, A1Y, A2X, A2Y, PN, PX, PY = _places(10, 27)
# coordinates that springs see, rates that dampers see
QS1, QS2, VD1, VD2 = _places(4, 37)
# joint; elimination; accelerations at the far node
UN, UX, UY, DINV, U, ZP = _places(6, 41)
X10, X11, X12, X20, X21, X22, E1, E2 = _places(8, 47)
AL, AX, AY = _places(3, 55)
# gathered where the tree branches
GJ, GHX, GHY, GMXX, GMXY, GMYY, GPN, GPX, GPY = _places(9, 58)
WIDTH = 67 * LANES


def rows(bodies: int) -> int:
    """Rows that so many bodies take."""
    return -(-bodies // LANES)
