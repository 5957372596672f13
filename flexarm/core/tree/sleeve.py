"""A beam that slides out of a sleeve: what describes it, and how that is laid out for the kernels (NOTATION S1–S4).

Plain data in the frame of the sleeve's mouth: x out of the sleeve along the undeformed axis. The part outside, of
length d, carries shapes at fixed ξ = x/d; all that depends on d is scaled from rows at unit length.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .elastic import Attachment
from .types import Floats, Ints

# Below twice this part of the whole length the elastic part of the beam stands still in length (S2).
LEAST_PART = 1e-3
# The beam may lie beyond either end of its travel by this part of its length: rounding of commands.
BEYOND = 1e-9

# Head of the numbers of one sleeve in `tree.elastic`: how many elastic coordinates, stations, points of strain, columns
# of an element; whole length, mass per length, rotary inertia per length; 1 with foreshortening; retardation time;
# least length of the elastic part.
H_COUNT, H_STATIONS, H_POINTS, H_WIDE, H_LENGTH, H_MASS, H_JX, H_STIFFENS, H_RETARDATION, H_LEAST = (
    *range(7),
    9,
    10,
    11,
)
HEADER = 12
# Behind it stand: per coordinate its direction (0 axial, 1 bending_z, 2 bending_y, 3 torsion) and 1 if it is an angle;
# per station ξ, weight, β of both planes, first column, columns, and ten numbers of each column; per point of strain
# stiffness × weight, power of 1/d, β, first column, columns, and two numbers of each column.
STATION_HEAD, STATION_ROWS, POINT_HEAD, POINT_ROWS = 6, 10, 5, 2


@dataclass(frozen=True, eq=False)
class Sleeve:
    """A uniform beam in a sleeve. Coordinates: the length d outside, then η at nodes of fixed ξ.

    With e = d (S2), s = 1 for a displacement and s = e for a rotation among the coordinates, q = β/(β + e²) the part
    of the shear in cubic elements (β in the units of the whole outside length, 0 without it), a column of N is s (A + q
    B), of its derivative by ξ s (A' + q B'), of the section's rotation (s/e) (P + q Q), and of a strain (s/e) (a + q b)
    for stretch and shear, (s/e²) (a + q b) for curvature and twist.
    """

    length: float  # of the whole beam (m)
    mass_per_length: float
    rotary: Floats  # (3,) rotary inertia per length about x, y, z (kg m)
    directions: Ints  # (n,) 0 axial, 1 bending_z, 2 bending_y, 3 torsion
    rotations: Ints  # (n,) 1 where the coordinate is an angle
    xi: Floats  # (g,) stations
    weight: Floats  # (g,) with Σ = 1
    shear: Floats  # (g, 2) β about z and y
    first: Ints  # (g,) first coordinate that moves a station
    # per station (columns, 10): A, B, A', B', P, Q, P', Q' of the column's own direction, and a, b of the shear strain
    rows: tuple[Floats, ...]
    point_stiffness: Floats  # (p,) stiffness × weight of a strain
    point_power: Ints  # (p,) 1 or 2: power of 1/e in the strain
    point_shear: Floats  # (p,) β
    point_first: Ints  # (p,)
    point_rows: tuple[Floats, ...]  # per point (columns, 2): a, b
    tip_phi: Floats  # (3, n) displacement of the tip per coordinate
    tip_psi: Floats  # (3, n) rotation of the tip's section
    stiffening: bool = True
    retardation: float = 0.0  # (s) damping per stiffness

    @property
    def count(self) -> int:
        """Number of coordinates, d among them."""
        return 1 + len(self.directions)

    @property
    def tip(self) -> Attachment:
        """The frame at the tip but for the foreshortening, which depends on d: that is added by the kernels."""
        out = np.array([[1.0], [0.0], [0.0]])
        return Attachment(
            x=0.0,
            phi=np.hstack([out, self.tip_phi]),
            psi=np.hstack([np.zeros((3, 1)), self.tip_psi]),
            shortening=np.zeros((self.count, self.count)),
        )

    @property
    def levers(self) -> Floats:
        """Greatest displacement of a station per unit of each coordinate, the beam all out (m)."""
        lever = np.zeros(self.count)
        lever[0] = 1.0
        size = np.where(self.rotations == 1, self.length, 1.0)
        for first, rows, shear in zip(self.first, self.rows, self.shear, strict=True):
            columns = slice(int(first), int(first) + len(rows))
            share = shear / (shear + self.length**2)
            q = np.where(self.directions[columns] == 2, share[1], share[0])
            moved = np.abs(size[columns] * (rows[:, 0] + q * rows[:, 1]))
            lever[1:][columns] = np.maximum(lever[1:][columns], moved)
        return lever

    def laid_out(self) -> Floats:
        """All of it as one row of numbers."""
        wide = max(len(rows) for rows in (*self.rows, *self.point_rows))
        head = np.zeros(HEADER)
        head[H_COUNT], head[H_STATIONS] = len(self.directions), len(self.xi)
        head[H_POINTS], head[H_WIDE] = len(self.point_stiffness), wide
        head[H_LENGTH], head[H_MASS] = self.length, self.mass_per_length
        head[H_JX : H_JX + 3] = self.rotary
        head[H_STIFFENS], head[H_RETARDATION] = float(self.stiffening), self.retardation
        head[H_LEAST] = LEAST_PART * self.length
        parts = [head, np.stack([self.directions, self.rotations], axis=1).ravel().astype(float)]
        for g, rows in enumerate(self.rows):
            station = np.zeros(STATION_HEAD + STATION_ROWS * wide)
            station[:STATION_HEAD] = self.xi[g], self.weight[g], *self.shear[g], self.first[g], len(rows)
            station[STATION_HEAD : STATION_HEAD + rows.size] = rows.ravel()
            parts.append(station)
        for p, rows in enumerate(self.point_rows):
            point = np.zeros(POINT_HEAD + POINT_ROWS * wide)
            of_point = self.point_stiffness[p], self.point_power[p], self.point_shear[p], self.point_first[p], len(rows)
            point[:POINT_HEAD] = of_point
            point[POINT_HEAD : POINT_HEAD + rows.size] = rows.ravel()
            parts.append(point)
        return np.concatenate(parts)


def _points(data: Floats) -> Floats:
    """The points of strain of a sleeve laid out (points, numbers of one), as a view."""
    n, wide, points = int(data[H_COUNT]), int(data[H_WIDE]), int(data[H_POINTS])
    begin = HEADER + 2 * n + int(data[H_STATIONS]) * (STATION_HEAD + STATION_ROWS * wide)
    stride = POINT_HEAD + POINT_ROWS * wide
    return data[begin : begin + points * stride].reshape(points, stride)


def soften(data: Floats) -> None:
    """Take the stiffness, and with it the damping, out of a sleeve laid out."""
    _points(data)[:, 0] = 0.0


def elastic_length(d: float, least: float) -> tuple[float, float, float]:
    """e(d) and its two derivatives (S2): d itself from twice the least length on, smoothly held at the least below."""
    if d >= 2.0 * least:
        return d, 1.0, 0.0
    t = max(d, 0.0) / (2.0 * least)
    return least * (1.0 + t**3 * (2.0 - t)), t * t * (3.0 - 2.0 * t), 3.0 * t * (1.0 - t) / least


def stiffness_at(data: Floats, z: Floats) -> tuple[Floats, Floats]:
    """Second derivatives of the elastic energy at the coordinates z = (d, η), and the damping matrix (1 + n, 1 + n)."""
    n = int(data[H_COUNT])
    e, e1, e2 = elastic_length(float(z[0]), float(data[H_LEAST]))
    turns = data[HEADER + 1 : HEADER + 2 * n : 2]
    # per point the strain's row and its first two derivatives by e
    rows = np.zeros((3, int(data[H_POINTS]), n))
    weight = np.zeros(int(data[H_POINTS]))
    for p, point in enumerate(_points(data)):
        weight[p], power, beta = point[:3]
        first, count = int(point[3]), int(point[4])
        a, b = point[POINT_HEAD : POINT_HEAD + POINT_ROWS * count].reshape(count, POINT_ROWS).T
        columns = slice(first, first + count)
        k = power - turns[columns]
        f = e**-k * np.array([np.ones(count), -k / e, k * (k + 1.0) / e**2])
        q = beta / (beta + e * e) if beta > 0.0 else 0.0
        q1 = -2.0 * e * q * q / beta if beta > 0.0 else 0.0
        q2 = -2.0 * q * q / beta + 8.0 * e * e * q**3 / beta**2 if beta > 0.0 else 0.0
        whole = a + q * b
        rows[0, p, columns] = f[0] * whole
        rows[1, p, columns] = f[1] * whole + f[0] * q1 * b
        rows[2, p, columns] = f[2] * whole + 2.0 * f[1] * q1 * b + f[0] * q2 * b
    found = np.zeros((1 + n, 1 + n))
    s, s1, s2 = rows @ z[1:]
    stiffness = (rows[0].T * (weight * e)) @ rows[0]
    # U = ½ Σ w e s²
    by_e = 0.5 * weight @ (s * s) + weight @ (e * s * s1)
    by_ee = 2.0 * weight @ (s * s1) + e * (weight @ (s1 * s1 + s * s2))
    mixed = (weight * (s + e * s1)) @ rows[0] + (weight * e * s) @ rows[1]
    found[0, 0] = e1 * e1 * by_ee + e2 * by_e
    found[0, 1:] = found[1:, 0] = e1 * mixed
    found[1:, 1:] = stiffness
    damping = np.zeros_like(found)
    damping[1:, 1:] = data[H_RETARDATION] * stiffness
    return found, damping
