"""Difference equations of a linear controller, with what its limits do to its states (NOTATION L2)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from flexarm.core.tree.types import Floats, Ints
from flexarm.errors import AnalysisError
from flexarm.model.reading.messages import shown


@dataclass(frozen=True, eq=False)
class LinearLaw:
    """x⁺ = A x + B e + E (u − w), w = C x + D e, with u what the limits leave of w; it begins with x = F e.

    `holds` names for every state the torque whose limit stops it, −1 for none: an integrator stands still where it
    would lead further beyond. The time loop works it out (core.time.sampled).
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

    @property
    def numbers(self) -> Floats:
        """All matrices, one after the other, row by row."""
        return np.concatenate(
            [np.asarray(each, float).ravel() for each in (self.A, self.B, self.C, self.D, self.E, self.F)]
        )

    def with_inputs(self, count: int) -> LinearLaw:
        """The law with so many more inputs, of which it makes nothing."""
        wider = {
            name: np.hstack([m, np.zeros((len(m), count))]) for name, m in (("B", self.B), ("D", self.D), ("F", self.F))
        }
        return replace(self, **wider)


@dataclass(frozen=True, eq=False)
class ScheduledLaw:
    """Matrices that depend on a signal: linear between the nodes, constant beyond them."""

    nodes: Floats  # (nodes,) rising
    laws: tuple[LinearLaw, ...]  # one for each node, of the same shapes
    scheduled: int  # the input that is the signal

    @property
    def states(self) -> int:
        """How many numbers it keeps from sample to sample."""
        return self.laws[0].states

    @property
    def numbers(self) -> Floats:
        """All matrices of all nodes."""
        return np.concatenate([law.numbers for law in self.laws])

    @property
    def holds(self) -> Ints:
        """As of a LinearLaw."""
        return self.laws[0].holds

    def at(self, value: float) -> LinearLaw:
        """The law where the signal has this value and stays there."""
        i = int(np.clip(np.searchsorted(self.nodes, value, side="right") - 1, 0, len(self.nodes) - 2))
        part = float(np.clip((value - self.nodes[i]) / (self.nodes[i + 1] - self.nodes[i]), 0.0, 1.0))
        one, two = self.laws[i], self.laws[i + 1]
        mixed = {name: (1.0 - part) * getattr(one, name) + part * getattr(two, name) for name in "ABCDEF"}
        return LinearLaw(**mixed, holds=one.holds)


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
