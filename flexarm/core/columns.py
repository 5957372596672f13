"""Columns of the work array of the spatial sweeps, one row per body.

Every column has a name of its own: a sum like `R + 2` in an index costs compile time at each of some hundred places.
"""

from __future__ import annotations

R00, R01, R02, R10, R11, R12, R20, R21, R22 = range(0, 9)  # orientation R_i, row by row
DX, DY, DZ = range(9, 12)  # d_i
W0, W1, W2 = range(12, 15)  # angular velocity
CA0, CA1, CA2 = range(15, 18)  # bias acceleration c_i, angular
CL0, CL1, CL2 = range(18, 21)  # and linear
JXX, JXY, JXZ, JYY, JYZ, JZZ = range(21, 27)  # inertia J
H00, H01, H02, H10, H11, H12, H20, H21, H22 = range(27, 36)  # H
MXX, MXY, MXZ, MYY, MYZ, MZZ = range(36, 42)  # M
PN0, PN1, PN2 = range(42, 45)  # bias moment
PF0, PF1, PF2 = range(45, 48)  # and force
UN0, UN1, UN2 = range(48, 51)  # U = Î S, angular (free joints: U/D, shifted to the parent)
UF0, UF1, UF2 = range(51, 54)  # and linear
U, ZIZ = range(54, 56)  # Sᵀp' and SᵀÎS of a driven joint; u/D of a free one
AL0, AL1, AL2 = range(56, 59)  # angular acceleration
AF0, AF1, AF2 = range(59, 62)  # acceleration of the origin
P0, P1, P2 = range(62, 65)  # position of the origin
V0, V1, V2 = range(65, 68)  # velocity of the origin
SPATIAL_WORK = 72

# Columns of SpatialTree.body: R_T, r_T, mass, mass·centre, inertia about the origin.
B_R00, B_R01, B_R02, B_R10, B_R11, B_R12, B_R20, B_R21, B_R22 = range(0, 9)
B_OX, B_OY, B_OZ = range(9, 12)
B_MASS = 12
B_MCX, B_MCY, B_MCZ = range(13, 16)
B_JXX, B_JXY, B_JXZ, B_JYY, B_JYZ, B_JZZ = range(16, 22)
B_WIDTH = 22
