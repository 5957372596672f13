"""Inertia invariants of a flexible body (NOTATION 31) and its frames, laid out in rows of numbers for the kernels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from flexarm.batched import array, filled, real

from .elastic import Attachment, Elastic, Products
from .types import Floats

# Order of the vectors (n numbers each) and matrices (n² each, by rows) of one body in `tree.elastic`; of a frame in
# `tree.attachment` after its distance x.
SPATIAL_VECTORS = ("S1x", "S1y", "S1z", "Axx", "Axy", "Axz", "C0x", "C0y", "C0z")
SPATIAL_MATRICES = ("Me", "K", "D")
# These are always needed together: their entries for one row and column stand side by side.
SPATIAL_TOGETHER = ("H0", "Gxx", "Gyy", "Gzz", "Gxy", "Gxz", "Gyz", "Γx", "Γy", "Γz")
# Behind them 1 where the body has products of its coordinates, else 0; where it has: A_yz, and side by side
SPATIAL_PRODUCTS = ("Zx", "Zy", "Zz", "H0y", "H0z")
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
    complete: bool = False  # with products of the coordinates


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
    if elastic.handed is not None:
        # borne by the frame at the far end: ½ (ω + Ψη̇)·j(ω + Ψη̇) less
        far = elastic.handed.psi
        rotary = rotary - elastic.handed.rotary
        cr = cr - elastic.handed.rotary[:, None] * far
        me = me - far.T @ (elastic.handed.rotary[:, None] * far)
    if elastic.softening is not None:
        p = filled(p.shape, [((1, 1), elastic.softening)])
    found = Invariants(
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
    return found if elastic.products is None else with_products(found, elastic, elastic.products)


# ψ~ = Σ ψ_c E_c, so that ψ~ b = ψ × b.
_CROSS = np.array([np.cross(np.eye(3)[c], np.eye(3)).T for c in range(3)])
# J of second order, ψ~ᵀjψ~ + ½(jψ~² + ψ~²j), as Σ J[abcde] j_e ψ_c ψ_d.
_ONE = np.eye(3)
_TURNED = np.einsum("cea,deb->abcde", _CROSS, _CROSS) + 0.5 * (
    np.einsum("ae,cak,dkb->abcde", _ONE, _CROSS, _CROSS) + np.einsum("cak,dkb,be->abcde", _CROSS, _CROSS, _ONE)
)


def with_products(found: Invariants, elastic: Elastic, products: Products) -> Invariants:
    """The invariants with the sections' inertia turned by ψ = Ψη and what else is of second order (31a)."""
    j, psi = elastic.rotary, elastic.psi
    turned = np.einsum("ga,gbn->abn", j, psi)  # Σ j_a Ψ_b
    squares = np.einsum("ge,gcn,gdm->ecdnm", j, psi, psi)
    second = np.einsum("abcde,ecdnm->abnm", _TURNED, squares)
    u = products.turned
    second = second + 0.5 * (np.einsum("cab,bcnm->abnm", _CROSS, u) - np.einsum("cab,acnm->abnm", _CROSS, u))
    # any symmetric J is tr(W) 1 − W of W = ½ tr(J) 1 − J
    half = 0.5 * (second[0, 0] + second[1, 1] + second[2, 2])
    vector, matrix = dict(found.vector), dict(found.matrix)
    vector["Axy"] = vector["Axy"] + turned[1, 2] - turned[0, 2]
    vector["Axz"] = vector["Axz"] + turned[0, 1] - turned[2, 1]
    vector["Ayz"] = turned[2, 0] - turned[1, 0]
    for a, b, name in ((0, 0, "Gxx"), (1, 1, "Gyy"), (2, 2, "Gzz"), (0, 1, "Gxy"), (0, 2, "Gxz"), (1, 2, "Gyz")):
        own = (half if a == b else 0.0) - 0.5 * (second[a, b] + second[b, a])
        matrix[name] = matrix[name] + 0.5 * (own + own.T)
    # C = ψ~ jΨ − ½ j ψ~Ψ + j Qη
    z = np.einsum("dce,edenm->cnm", _CROSS, squares) - 0.5 * np.einsum("dce,cdenm->cnm", _CROSS, squares)
    for c, name in enumerate("xyz"):
        own = z[c] + u[c, c]
        matrix[f"Γ{name}"] = matrix[f"Γ{name}"] + 0.5 * (own - own.T)
        matrix[f"Z{name}"] = 0.5 * (own + own.T)
    matrix["H0y"], matrix["H0z"] = products.across[0], products.across[1]
    return found._replace(vector=vector, matrix=matrix, complete=True)


def laid_out(found: Invariants, planar: bool) -> Floats:
    """The vectors and matrices of a body as one row of numbers."""
    vectors, matrices = (PLANAR_VECTORS, PLANAR_MATRICES) if planar else (SPATIAL_VECTORS, SPATIAL_MATRICES)
    rows = [found.vector[k] for k in vectors] + [found.matrix[k].ravel() for k in matrices]
    if not planar:
        rows.append(np.stack([found.matrix[k] for k in SPATIAL_TOGETHER], axis=-1).ravel())
        rows.append(np.array([float(found.complete)]))
        if found.complete:
            rows.append(found.vector["Ayz"])
            rows.append(np.stack([found.matrix[k] for k in SPATIAL_PRODUCTS], axis=-1).ravel())
    return np.concatenate(rows)


def attachment_row(attachment: Attachment, planar: bool) -> Floats:
    """A frame as one row: x; Φ_x, Φ_y, Ψ_z, H in the plane; x; Φ, Ψ (by rows), H_x in space, then 1 and H_y, H_z, Q_x,
    Q_y, Q_z side by side, or 0 where these are left out.
    """
    phi, psi = attachment.phi, attachment.psi
    shapes = [phi[0], phi[1], psi[2]] if planar else [phi.ravel(), psi.ravel()]
    h = 0.5 * (attachment.shortening + attachment.shortening.T)
    rows = [array([attachment.x]), *shapes, h.ravel()]
    if not planar:
        more = attachment.products
        rows.append(np.array([float(more is not None)]))
        if more is not None:
            rows.append(np.moveaxis(more, 0, -1).ravel())
    return np.concatenate(rows)
