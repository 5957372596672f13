"""Places in the arrays of spatial stretch trees: eight bodies to a row, every quantity of the eight side by side.

A spatial stretch tree is a spatial flexible tree whose flexible bodies are all straight beam elements with bending,
torsion and stretch: coordinates u, v, w, ψx, ψy, ψz of the far node (0 to 5), and nothing stands on them but at that
node. They are as many as the motions of that node, so the node's acceleration against the element's frame, base axes,
can stand in their place: ζ = Yη̈. What is carried then adds to the inertia of ζ as it is, and what turns coordinates
into ζ does not follow the chain: it is done for eight elements at a time. Body i is lane i % 8 of row i // 8.
"""

from __future__ import annotations

from itertools import count, islice

from . import spatial_element_rows as without
from .planar_element_rows import LANES

# Constants. Of bending and torsion, as in `spatial_element_rows`.
_constant = count(0, LANES)
E_LENGTH, E_TURNS, E_SV, E_SZ, E_SW, E_SY, E_AV, E_AZ, E_AW, E_AY = islice(_constant, 10)
E_C3X, E_C2Y, E_C4Y, E_C1Z, E_C5Z = islice(_constant, 5)
E_M11, E_M15, E_M55, E_M22, E_M24, E_M44, E_M33 = islice(_constant, 7)
E_K11, E_K15, E_K55, E_K22, E_K24, E_K44, E_K33 = islice(_constant, 7)
E_D11, E_D15, E_D55, E_D22, E_D24, E_D44, E_D33 = islice(_constant, 7)
E_H11, E_H15, E_H55, E_H22, E_H24, E_H44 = islice(_constant, 6)
E_G11, E_G15, E_G55, E_G22, E_G24, E_G44 = islice(_constant, 6)
E_T11, E_T15, E_T55, E_T22, E_T24, E_T44 = islice(_constant, 6)
E_Y11, E_Y15, E_Y55, E_Z22, E_Z24, E_Z44, E_P12, E_P14, E_P52, E_P54 = islice(_constant, 10)
# Of stretch: S1_x, A_xx; entries 00 of Me, K, D, G_xx; 01 and 05 of Γz, 02 and 04 of Γy.
E_S0, E_A0, E_M00, E_K00, E_D00, E_G00, E_GZ1, E_GZ5, E_GY2, E_GY4 = islice(_constant, 10)
# Of every body: mass, first moments, inertia.
E_MASS, E_MCX, E_MCY, E_MCZ, E_JXX, E_JXY, E_JXZ, E_JYY, E_JYZ, E_JZZ = islice(_constant, 10)
E_WIDTH = next(_constant)
CONSTANTS = E_WIDTH // LANES

# Orientation, angular velocity in base and in own axes.
_work = count(0, LANES)
R00, R01, R02, R10, R11, R12, R20, R21, R22 = islice(_work, 9)
W0, W1, W2, O0, O1, O2 = islice(_work, 6)
# Coordinates, their rates, what springs and dampers see, forces.
Q0, Q1, Q2, Q3, Q4, Q5 = islice(_work, 6)
V0, V1, V2, V3, V4, V5 = islice(_work, 6)
QS0, QS1, QS2, QS3, QS4, QS5 = islice(_work, 6)
VD0, VD1, VD2, VD3, VD4, VD5 = islice(_work, 6)
U0, U1, U2, U3, U4, U5 = islice(_work, 6)
# Turn of the far node in the body's axes: factors, exp θ~, J_l θ̇ and the rest of its derivative, J_l⁻¹.
F0, F1, F2, G1, G2 = islice(_work, 5)
X00, X01, X02, X10, X11, X12, X20, X21, X22 = islice(_work, 9)
WR0, WR1, WR2, JD0, JD1, JD2 = islice(_work, 6)
B00, B01, B02, B10, B11, B12, B20, B21, B22 = islice(_work, 9)
# Far node: r_t and its bias.
T0, T1, T2, TA0, TA1, TA2, TL0, TL1, TL2 = islice(_work, 9)
# Rows of Y⁻¹: of stretch on α and on a, of the rotations on α; those of v and w on a are columns of R.
SIGMA0, SIGMA1, SIGMA2, RHO0, RHO1, RHO2 = islice(_work, 6)
B3_0, B3_1, B3_2, B4_0, B4_1, B4_2, B5_0, B5_1, B5_2 = islice(_work, 9)
# Own inertia, first moment, bias.
JXX, JXY, JXZ, JYY, JYZ, JZZ, S0, S1, S2 = islice(_work, 9)
PN0, PN1, PN2, PF0, PF1, PF2 = islice(_work, 6)
# Inertia of ζ by rows from the diagonal on; later factors, and 1/pivots on the diagonal.
D00, D01, D02, D03, D04, D05 = islice(_work, 6)
D11, D12, D13, D14, D15 = islice(_work, 5)
D22, D23, D24, D25 = islice(_work, 4)
D33, D34, D35 = islice(_work, 3)
D44, D45 = islice(_work, 2)
D55 = next(_work)
# Force on ζ, its coupling with α and a of the frame; later L⁻¹[u, Vᵀ].
E0, E1, E2, E3, E4, E5 = islice(_work, 6)
Z00, Z01, Z02, Z03, Z04, Z05 = islice(_work, 6)
Z10, Z11, Z12, Z13, Z14, Z15 = islice(_work, 6)
Z20, Z21, Z22, Z23, Z24, Z25 = islice(_work, 6)
Z30, Z31, Z32, Z33, Z34, Z35 = islice(_work, 6)
Z40, Z41, Z42, Z43, Z44, Z45 = islice(_work, 6)
Z50, Z51, Z52, Z53, Z54, Z55 = islice(_work, 6)
# Acceleration of the frame at the far node.
AA0, AA1, AA2, AL0, AL1, AL2 = islice(_work, 6)
WIDTH = next(_work)

# Bodies with a joint and bodies that branch have a row of their own besides, laid out as in `spatial_element_rows`.
JOINT_WIDTH = without.WIDTH
# Inertia and bias of what stands on a body, in that order.
GJXX, GJXY, GJXZ, GJYY, GJYZ, GJZZ = range(6)
GH00, GH01, GH02, GH10, GH11, GH12, GH20, GH21, GH22 = range(6, 15)
GMXX, GMXY, GMXZ, GMYY, GMYZ, GMZZ = range(15, 21)
GN0, GN1, GN2, GF0, GF1, GF2 = range(21, 27)
GATHERED = 27
