"""Rows of the arrays of planar element trees: one row per quantity and one column per body, as in `planar_geometry`.

A planar element tree is a planar flexible tree whose flexible bodies are all beam elements without stretch: two
coordinates, the deflection and the slope of the far node, and nothing stands on them but at that node. Then most of the
invariants vanish, and what is left runs over neighbouring numbers for all bodies at once.
"""

from __future__ import annotations

# Constants of the elements (zero for rigid bodies): length; S1_y, C0_z; entries 11, 12, 22 of Me, K, D, H0, N and of H
# at the far node.
E_LENGTH, E_S1, E_S2, E_C1, E_C2 = range(5)
E_M11, E_M12, E_M22, E_K11, E_K12, E_K22, E_D11, E_D12, E_D22 = range(5, 14)
E_H11, E_H12, E_H22, E_N11, E_N12, E_N22, E_T11, E_T12, E_T22 = range(14, 23)
E_WIDTH = 23

# Work: geometry; frame at the far node
SIN, COS, ANGLE, W, DX, DY, CX, CY, ZX, ZY = range(10)
TX, TY, TCX, TCY, F1X, F1Y, F2X, F2Y = range(10, 18)
# coordinates, rates, forces on them; what an implicit step makes of their inertia
Q1, Q2, V1, V2, U1, U2, M11, M12, M22 = range(18, 27)
# own inertia, coupling of the coordinates with a_x and a_y, bias
IJ, SX, SY, A1X, A1Y, A2X, A2Y, PN, PX, PY = range(27, 37)
# gathered where the tree branches
GJ, GHX, GHY, GMXX, GMXY, GMYY, GPN, GPX, GPY = range(37, 46)
# joint; elimination; accelerations at the far node
UN, UX, UY, DINV, U, ZP = range(46, 52)
X10, X11, X12, X20, X21, X22, E1, E2 = range(52, 60)
AL, AX, AY = range(60, 63)
ROWS = 63
