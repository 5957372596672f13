"""Inertia invariants of a flexible body (NOTATION 31) and its frames, laid out in rows of numbers for the kernels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from flexarm.many import array, filled, real

from .elastic import Attachment, Elastic
from .types import Floats

# Order of the vectors (n numbers each) and matrices (n² each, by rows) of one body in `tree.elastic`; of a frame in
# `tree.attachment` after its distance x.
SPATIAL_VECTORS = ("S1x", "S1y", "S1z", "Axx", "Axy", "Axz", "C0x", "C0y", "C0z")
SPATIAL_MATRICES = ("Me", "K", "D")
# These are always needed together: their entries for one row and column stand side by side.
SPATIAL_TOGETHER = ("H0", "Gxx", "Gyy", "Gzz", "Gxy", "Gxz", "Gyz", "Γx", "Γy", "Γz")
PLANAR_VECTORS = ("S1x", "S1y", "Axx", "C0z")
PLANAR_MATRICES = ("Me", "K", "D", "H0", "N", "Γz")


class Invariants(NamedTuple):
    """Sums over the stations of one body."""

    mass: float
    first: float  # S0 along x (kg m)
    inertia: Floats  # (3,) about the origin, along the axes (kg m²)
    vector: dict[str, Floats]
    matrix: dict[str, Floats]
    felt: float  # part of the second-order inertia that the frame feels


def invariants_of(elastic: Elastic) -> Invariants:
    """The invariants of a beam on its x axis."""
    m, x, phi, psi = elastic.mass, elastic.x, elastic.phi, elastic.psi
    first, second = real(m @ x), real(m @ (x * x))
    rotary = elastic.rotary.sum(axis=0)
    s1 = np.einsum("g,gan->an", m, phi)
    a = np.einsum("g,g,gan->an", m, x, phi)
    p = np.einsum("g,gan,gbm->abnm", m, phi, phi)
    cr = np.einsum("ga,gan->an", elastic.rotary, psi)
    h0 = np.einsum("g,gnm->nm", m, elastic.shortening)
    d = np.einsum("g,g,gnm->nm", m, x, elastic.shortening)

    def sym(b: Floats) -> Floats:
        return 0.5 * (b + b.T)

    me = p[0, 0] + p[1, 1] + p[2, 2] + np.einsum("gan,ga,gam->nm", psi, elastic.rotary, psi)
    if elastic.added is not None:
        me = me + elastic.added
    if elastic.softening is not None:
        p = filled(p.shape, [((1, 1), elastic.softening)])
    return Invariants(
        mass=real(m.sum()),
        first=first,
        inertia=rotary + array([0.0, second, second]),
        vector={
            "S1x": s1[0],
            "S1y": s1[1],
            "S1z": s1[2],
            "Axx": a[0],
            "Axy": a[1],
            "Axz": a[2],
            "C0x": cr[0],
            "C0y": cr[1] - a[2],
            "C0z": cr[2] + a[1],
        },
        matrix={
            "Me": sym(me),
            "K": sym(elastic.stiffness),
            "D": sym(elastic.damping),
            "H0": sym(h0),
            "Gxx": sym(p[0, 0] - d),
            "Gyy": sym(p[1, 1]),
            "Gzz": sym(p[2, 2]),
            "Gxy": sym(0.5 * (p[0, 1] + p[1, 0])),
            "Gxz": sym(0.5 * (p[0, 2] + p[2, 0])),
            "Gyz": sym(0.5 * (p[1, 2] + p[2, 1])),
            "Γx": p[1, 2] - p[2, 1],
            "Γy": p[2, 0] - p[0, 2],
            "Γz": p[0, 1] - p[1, 0],
            # Σ dm (Φ_xᵀΦ_x + Φ_yᵀΦ_y) − D: what J gains by bending in the plane
            "N": sym(p[0, 0] + p[1, 1] - d),
        },
        felt=float(elastic.felt),
    )


def laid_out(found: Invariants, planar: bool) -> Floats:
    """The vectors and matrices of a body as one row of numbers."""
    vectors, matrices = (PLANAR_VECTORS, PLANAR_MATRICES) if planar else (SPATIAL_VECTORS, SPATIAL_MATRICES)
    rows = [found.vector[k] for k in vectors] + [found.matrix[k].ravel() for k in matrices]
    if not planar:
        rows.append(np.stack([found.matrix[k] for k in SPATIAL_TOGETHER], axis=-1).ravel())
    return np.concatenate(rows)


def attachment_row(attachment: Attachment, planar: bool) -> Floats:
    """A frame as one row: x; Φ_x, Φ_y, Ψ_z, H in the plane; x; Φ, Ψ (by rows), H in space."""
    phi, psi = attachment.phi, attachment.psi
    shapes = [phi[0], phi[1], psi[2]] if planar else [phi.ravel(), psi.ravel()]
    h = 0.5 * (attachment.shortening + attachment.shortening.T)
    return np.concatenate([array([attachment.x]), *shapes, h.ravel()])
