"""Analog low-pass filters, integrated exactly for inputs that are polynomials between their nodes (NOTATION 18)."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from flexarm.core.tree.types import Floats
from flexarm.model.parts.sensor import Filter
from flexarm.results.extremes import parabolic_slopes

# Steps that differ by less, as a part of them, are one.
_SAME = 1e-9
_CUBIC = 3


class LowPass:
    """A filter as ẋ = A x + b u, y = x[-1]: its sections in series, each with unit gain at rest."""

    def __init__(self, wanted: Filter) -> None:
        w = math.tau * wanted.frequency
        count = wanted.order
        if count == 2 and wanted.ratio is not None:
            ratios = [wanted.ratio]
        else:
            # (P2) poles of a Butterworth filter
            ratios = [math.sin((2 * k + 1) * math.pi / (2 * count)) for k in range(count // 2)]
        self.A, self.b = np.zeros((count, count)), np.zeros(count)
        self.b[0] = w
        # a section of first order, then pairs: (ẋ₁, ẋ₂) = w (u − x₂ − 2ζ x₁, x₁) has x₂ = u at rest
        at = 0
        if count % 2:
            self.A[0, 0], at = -w, 1
        for ratio in ratios:
            self.A[at, at], self.A[at, at + 1], self.A[at + 1, at] = -2.0 * ratio * w, -w, w
            if at:
                self.A[at, at - 1] = w
            at += 2

    def at_rest(self, u: float) -> Floats:
        """The states (n,) that an input u held for ever leads to."""
        return np.asarray(-np.linalg.solve(self.A, self.b) * u)

    @lru_cache(maxsize=64)  # noqa: B019 - a filter lives as long as its arm is looked at
    def step(self, h: float) -> tuple[Floats, Floats]:
        """Φ (n, n) and Γ (n, 4) of a step h (s): x(h) = Φ x(0) + Γ c for the input Σ c_k (t/h)^k (P3)."""
        from scipy.linalg import expm

        n = len(self.b)
        whole = np.zeros((n + _CUBIC + 1, n + _CUBIC + 1))
        whole[:n, :n], whole[:n, n] = h * self.A, h * self.b
        for k in range(_CUBIC):
            whole[n + k, n + k + 1] = 1.0
        found = expm(whole)
        # the chain of integrators holds the derivatives of the input: c_k k!
        return found[:n, :n], found[:n, n:] * np.array([1.0, 1.0, 2.0, 6.0])

    def along(self, times: Floats, u: Floats) -> Floats:
        """The output (m,) at the times of an input that is a cubic between them, from rest at the first."""
        found = np.empty(len(u))
        x = self.at_rest(u[0])
        found[0] = x[-1]
        h = np.diff(times)
        begin = 0
        cubics = _cubics(times, u)
        while begin < len(h):
            differs = np.abs(h[begin:] - h[begin]) > _SAME * h[begin]
            end = begin + (int(np.argmax(differs)) if differs.any() else len(differs))
            Phi, Gamma = self.step(float(h[begin]))
            states = _scan(Phi, x, cubics[begin:end] @ Gamma.T)
            found[begin + 1 : end + 1] = states[:, -1]
            x, begin = states[-1], end
        return found


def _cubics(times: Floats, u: Floats) -> Floats:
    """Coefficients (m − 1, 4) of the cubics through the nodes, in t/h: slopes of parabolas through three of them."""
    h = np.diff(times)
    if len(u) < 3:
        return np.stack([u[:-1], np.diff(u), np.zeros(len(h)), np.zeros(len(h))], axis=1)
    slope = parabolic_slopes(times, u)
    left, right, rise = slope[:-1] * h, slope[1:] * h, np.diff(u)
    return np.stack([u[:-1], left, 3.0 * rise - 2.0 * left - right, left + right - 2.0 * rise], axis=1)


def _scan(Phi: Floats, first: Floats, added: Floats) -> Floats:
    """The states (m, n) x_k = Φ x_{k−1} + added_k after each step: sums over 1, 2, 4, … steps at once."""
    found = added.copy()
    found[0] += Phi @ first
    power, reach = Phi, 1
    while reach < len(found):
        found[reach:] += found[:-reach] @ power.T
        power, reach = power @ power, 2 * reach
    return found
