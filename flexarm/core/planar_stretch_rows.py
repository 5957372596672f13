"""Places in the arrays of planar stretch trees: those of planar element trees and what stretch adds to them.

A planar stretch tree is a planar flexible tree whose flexible bodies are all beam elements that stretch: three
coordinates, the displacements and the slope of the far node (0 along the axis, 1 across it, 2 the slope). They are as
many as the motions of that node, so the node's acceleration against the element's frame, base axes, can stand in their
place: ζ = Yη̈. What is carried then adds to the inertia of ζ as it is, and everything that turns the coordinates into ζ
is done for eight elements at a time.
"""

from __future__ import annotations

from .planar_element_rows import CONSTANTS as WITHOUT_STRETCH
from .planar_element_rows import LANES, WIDTH

_OWN = WIDTH // LANES


def _places(count: int, after: int) -> range:
    """So many places behind `after` others."""
    return range(LANES * after, LANES * (after + count), LANES)


# Constants of stretch: S1_x, A_xx; entries 00 of Me, K, D, N; entries 01 and 02 of Γ.
E_S0, E_A0, E_M00, E_K00, E_D00, E_N00, E_G01, E_G02 = _places(8, WITHOUT_STRETCH)
CONSTANTS = WITHOUT_STRETCH + 8
E_WIDTH = CONSTANTS * LANES

# Stretch, its rate, force, what its spring and its damper see
Q0, V0, U0, QS0, VD0 = _places(5, _OWN)
# the row of Y⁻¹ that gives stretch: σ on α, ρ on a
SIGMA, RHO_X, RHO_Y = _places(3, _OWN + 5)
# of ζ: inertia, coupling with the motion of the frame (by rows of the frame; later Δ⁻¹Vᵀ), force (later Δ⁻¹u)
D00, D01, D02, D11, D12, D22 = _places(6, _OWN + 8)
V00, V01, V02, V10, V11, V12, V20, V21, V22 = _places(9, _OWN + 14)
E0, E1, E2 = _places(3, _OWN + 23)
STRETCH_WIDTH = (_OWN + 26) * LANES
