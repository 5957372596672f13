"""Columns that a sleeve adds to its row of the work array, behind those of the flexible tree itself."""

from __future__ import annotations

# Vectors of a station, three numbers each. Of the displacement u = Nη: u, ∂u/∂d, Gη, ∂(Gη)/∂d, Nη̇, Gη̇, ∂(Nη̇)/∂d, where
# ḋG is the material rate of N; of the rotation Ψη the last five of these; of the slope: value, first and second
# derivative by d; of its rate Tη̇: value and derivative by d; the same five of the shear strain times the length.
U, UD, UG, UGD, UN, UNG, UND = 0, 3, 6, 9, 12, 15, 18
PG, PGD, PN, PNG, PND = 21, 24, 27, 30, 33
SG, SD, SDD, SN, SND = 36, 39, 42, 45, 48
RG, RD, RDD, RN, RND = 51, 54, 57, 60, 63
# velocity of the station and its derivative but for accelerations, the section's angular velocity and the same of it
VE, FO, OM, CO = 66, 69, 72, 75
VECTORS = 78

# Numbers of a sleeve: moment of inertia (6), first moment (3) and its second derivative but for accelerations (3),
# moment and force of the bias (6), angular momentum still to be turned (3).
J, S, SB, B, L = 0, 6, 9, 12, 18
# Sums over the squares of the slopes less those of the shear strains, weighted for the first moment, the moment of
# inertia and the tip: value, derivative by d, rate, second derivative but for accelerations.
CHI, DEL, TIP = 21, 25, 29
# Foreshortening of the tip: value, rate, second derivative but for accelerations; length outside; acceleration of a
# driven one.
H, HR, HB, PLACE, KNOWN = 33, 34, 35, 36, 37
NUMBERS = 40

# Numbers of each column of a station: N, G, ∂N/∂d, Ψ, its G, ∂Ψ/∂d, slope, shear.
CN, CG, CD, CP, CPG, CPD, CS, CR, COLUMNS = range(9)


# Behind vectors and numbers stand, with N the greatest number of coordinates of a body: gradients of the three sums
# over slopes (3N); coupling of the coordinates with (α, a) in the body's axes (6N); columns of a station (8N);
# stiffness of the elastic coordinates (N²)
LISTS = VECTORS + NUMBERS


def width(most: int) -> int:
    """Columns added where no body has more than `most` coordinates."""
    return LISTS + 17 * most + most * most
