"""Frames as homogeneous transforms carried together with their time derivatives; all may be complex."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

LEAST = 1e-18  # terms of the exponential series whose second derivatives are smaller are left out


class Frame(NamedTuple):
    """A homogeneous transform into base axes (..., 4, 4) and its time derivative."""

    H: np.ndarray
    rate: np.ndarray

    def then(self, step: Frame) -> Frame:
        """The frame reached by a further step counted from this one."""
        return Frame(self.H @ step.H, self.rate @ step.H + self.H @ step.rate)

    @property
    def R(self) -> np.ndarray:
        """Rotation (..., 3, 3)."""
        return self.H[..., :3, :3]

    @property
    def p(self) -> np.ndarray:
        """Origin (..., 3)."""
        return self.H[..., :3, 3]

    @property
    def speed(self) -> np.ndarray:
        """Velocity of the origin in base axes (..., 3)."""
        return self.rate[..., :3, 3]

    @property
    def spin(self) -> np.ndarray:
        """Angular velocity in base axes (..., 3), from ω̃ = Ṙ Rᵀ."""
        return vector(self.rate[..., :3, :3] @ np.swapaxes(self.R, -1, -2))

    def in_own_axes(self, a: np.ndarray) -> np.ndarray:
        """A vector of base axes (..., 3) in the axes of the frame."""
        return np.einsum("...ji,...j->...i", self.R, a)


def cross_matrix(a: np.ndarray) -> np.ndarray:
    """The matrix ã with ã b = a × b (..., 3, 3)."""
    A = np.zeros((*a.shape, 3), dtype=a.dtype)
    A[..., 2, 1], A[..., 0, 2], A[..., 1, 0] = a[..., 0], a[..., 1], a[..., 2]
    return A - np.swapaxes(A, -1, -2)


def vector(A: np.ndarray) -> np.ndarray:
    """The vector a of an antisymmetric matrix ã (..., 3)."""
    return np.stack([A[..., 2, 1], A[..., 0, 2], A[..., 1, 0]], axis=-1)


def exponential(A: np.ndarray, dA: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """exp A and its time derivative, by the power series and its product rule; A may be zero or complex."""
    term, dterm = np.broadcast_to(np.eye(3), A.shape), np.zeros_like(A)
    total, dtotal = term.astype(A.dtype), dterm
    size = float(np.max(np.sum(np.abs(A), axis=-1), initial=0.0))
    # the term of k factors has second derivatives of size^(k − 2)/(k − 2)!
    k, second = 0, 1.0
    while k < 3 or second > LEAST:
        k += 1
        term, dterm = term @ A / k, (dterm @ A + term @ dA) / k
        total, dtotal = total + term, dtotal + dterm
        if k > 2:
            second *= size / (k - 2)
    return total, dtotal


def assembled(R: ArrayLike, p: ArrayLike, dR: ArrayLike, dp: ArrayLike) -> Frame:
    """The frame of a rotation (..., 3, 3), an origin (..., 3) and their rates."""
    parts = [np.asarray(part) for part in (R, p, dR, dp)]
    lead = np.broadcast_shapes(parts[0].shape[:-2], parts[1].shape[:-1], parts[2].shape[:-2], parts[3].shape[:-1])
    H = np.zeros((*lead, 4, 4), dtype=np.result_type(*parts, float))
    rate = np.zeros_like(H)
    H[..., :3, :3], H[..., :3, 3], rate[..., :3, :3], rate[..., :3, 3] = parts
    H[..., 3, 3] = 1.0
    return Frame(H, rate)


def still(rotation: ArrayLike, offset: ArrayLike) -> Frame:
    """A step that does not move."""
    return assembled(rotation, offset, np.zeros((3, 3)), np.zeros(3))
