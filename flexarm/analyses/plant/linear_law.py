"""Difference equations of a linear controller, with what its limits do to its states (NOTATION P2)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from flexarm.core.tree.types import Floats, Ints
from flexarm.errors import AnalysisError
from flexarm.model.reading.messages import shown


@dataclass(frozen=True, eq=False)
class LinearLaw:
    """x⁺ = A x + B e + E (u − w), w = C x + D e, with u what the limits leave of w; it begins with x = F e.

    `holds` names for every state the torque whose limit stops it, −1 for none: an integrator stands still where it
    would lead further beyond.
    """

    A: Floats
    B: Floats
    C: Floats
    D: Floats
    E: Floats = field(default_factory=lambda: np.zeros((0, 0)))
    F: Floats = field(default_factory=lambda: np.zeros((0, 0)))
    holds: Ints = field(default_factory=lambda: np.zeros(0, np.int64))

    def __post_init__(self) -> None:
        n, (rows, columns) = len(self.A), self.D.shape
        for name, shape in (("E", (n, rows)), ("F", (n, columns))):
            if getattr(self, name).size == 0:
                object.__setattr__(self, name, np.zeros(shape))
        if self.holds.size == 0:
            object.__setattr__(self, "holds", np.full(n, -1, np.int64))

    @property
    def states(self) -> int:
        """How many numbers it keeps from sample to sample."""
        return len(self.A)

    def begin(self, e: Floats) -> Floats:
        """The states (states,) before the first sample, from what is measured then."""
        return self.F @ e

    def update(self, t: float, e: Floats, x: Floats, limit: Floats) -> tuple[Floats, Floats]:
        """Torques (outputs,) within their limits, and the new states, from the departures e at t."""
        wanted = self.C @ x + self.D @ e
        u = np.clip(wanted, -limit, limit)
        new = self.A @ x + self.B @ e + self.E @ (u - wanted)
        for i in np.flatnonzero(self.holds >= 0):
            j = self.holds[i]
            if u[j] != wanted[j] and wanted[j] * self.C[j, i] * (new[i] - x[i]) > 0.0:
                new[i] = x[i]
        return u, new


def linear_law(A: Any, B: Any, C: Any, D: Any) -> LinearLaw:
    """The law of four matrices, whose shapes are checked; without states D alone, the others None."""
    found = {"D": matrix_of(D, "D")}
    rows, columns = found["D"].shape
    n = 0 if A is None else len(np.atleast_1d(A))
    for name, (given, shape) in {"A": (A, (n, n)), "B": (B, (n, columns)), "C": (C, (rows, n))}.items():
        none = given is None or np.size(given) == 0
        found[name] = np.zeros(shape) if none and 0 in shape else matrix_of(given, name)
        if found[name].shape != shape:
            raise AnalysisError(f"{name} has the shape {found[name].shape}, must have {shape} as A and D have it")
    return LinearLaw(found["A"], found["B"], found["C"], found["D"])


def matrix_of(given: Any, name: str) -> Floats:
    """A matrix of finite numbers; all else is refused."""
    try:
        found = np.array(given, float)
    except (TypeError, ValueError):
        raise AnalysisError(f"{name} is {shown(given)}, must be a matrix of numbers") from None
    found = np.atleast_2d(found) if found.size else found
    if found.ndim != 2 or not np.isfinite(found).all():
        raise AnalysisError(f"{name} must be a matrix of finite numbers")
    return found
