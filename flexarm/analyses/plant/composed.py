"""Laws of matrices put together: filters before or behind a law, laws of several postures with one another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from flexarm.analyses.plant.linear_law import LinearLaw
from flexarm.core.tree.types import Floats
from flexarm.model.parts.controller import SignalFilter


def filter_law(wanted: SignalFilter, sample: float) -> LinearLaw:
    """The sampled filter (L5) of one signal; it begins at rest with its first value."""
    w = math.tan(math.pi * wanted.frequency * sample)
    middle = 2.0 * wanted.ratio * w
    below = 1.0 + middle + w * w
    a1, a2 = 2.0 * (w * w - 1.0) / below, (1.0 - middle + w * w) / below
    if wanted.kind == "low-pass":
        b = np.array([w * w, 2.0 * w * w, w * w]) / below
    else:
        b = np.array([1.0 + wanted.depth * middle + w * w, 2.0 * (w * w - 1.0), 1.0 - wanted.depth * middle + w * w])
        b /= below
    A = np.array([[-a1, 1.0], [-a2, 0.0]])
    B = np.array([[b[1] - a1 * b[0]], [b[2] - a2 * b[0]]])
    return LinearLaw(A, B, np.array([[1.0, 0.0]]), b[:1, None], F=np.linalg.solve(np.eye(2) - A, B))


def beside(parts: Sequence[LinearLaw]) -> LinearLaw:
    """Laws side by side, each with inputs and outputs of its own."""

    def joined(name: str) -> Floats:
        blocks = [getattr(each, name) for each in parts]
        found = np.zeros((sum(len(each) for each in blocks), sum(each.shape[1] for each in blocks)))
        row = column = 0
        for each in blocks:
            found[row : row + len(each), column : column + each.shape[1]] = each
            row, column = row + len(each), column + each.shape[1]
        return found

    A, B, C, D, E, F = (joined(name) for name in "ABCDEF")
    return LinearLaw(A, B, C, D, E, F)


def passed(count: int) -> LinearLaw:
    """Signals as they are."""
    return LinearLaw(np.zeros((0, 0)), np.zeros((0, count)), np.zeros((count, 0)), np.eye(count))


def in_series(first: LinearLaw, second: LinearLaw) -> LinearLaw:
    """What `second` makes of what `first` gives; limits work back on the one of the two that has integrators."""
    n, m = first.states, second.states
    A = np.block([[first.A, np.zeros((n, m))], [second.B @ first.C, second.A]])
    B = np.vstack([first.B, second.B @ first.D])
    C = np.hstack([second.D @ first.C, second.C])
    D = second.D @ first.D
    F = np.vstack([first.F, second.F @ (first.C @ first.F + first.D)])
    E = np.vstack([first.E if first.E.shape[1] == len(D) else np.zeros((n, len(D))), second.E])
    return LinearLaw(A, B, C, D, E, F, np.concatenate([first.holds, second.holds]))


def filtered(law: LinearLaw, filters: Sequence[SignalFilter], inputs: Sequence[str], sample: float) -> LinearLaw:
    """The law with filters of its inputs, or of its torques where they name none."""
    for one in filters:
        each = filter_law(one, sample)
        if one.of is None:
            law = in_series(law, beside([each] * len(law.D)))
        else:
            law = in_series(beside([each if name == one.of else passed(1) for name in inputs]), law)
    return law


def scaled(law: LinearLaw, factor: float) -> LinearLaw:
    """The law with all its gains times a factor."""
    return replace(law, C=factor * law.C, D=factor * law.D)
