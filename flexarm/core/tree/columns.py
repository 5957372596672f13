"""Columns of SpatialTree.body: R_T, r_T, mass, mass·centre, inertia about the origin."""

from __future__ import annotations

B_R00, B_R01, B_R02, B_R10, B_R11, B_R12, B_R20, B_R21, B_R22 = range(0, 9)
B_OX, B_OY, B_OZ = range(9, 12)
B_MASS = 12
B_MCX, B_MCY, B_MCZ = range(13, 16)
B_JXX, B_JXY, B_JXZ, B_JYY, B_JYZ, B_JZZ = range(16, 22)
B_WIDTH = 22
