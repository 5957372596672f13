"""Probabilities of samples: plain, Latin hypercube or scrambled Sobol', each row a function of seed and index alone."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from flexarm.errors import AnalysisError
from flexarm.model.reading.messages import either, meant, shown
from flexarm.model.reading.quantity import is_number
from flexarm.studies.parameters.dependence import Dependence
from flexarm.studies.sampling.sobol import MOST_AXES, sobol
from flexarm.studies.sampling.streams import uniforms

Array = npt.NDArray[np.float64]
METHODS = ("plain", "lhs", "sobol")
# Every index and every size of a study is below this; sums of them stay exact.
MOST_SAMPLES = 2**48
# A hypercube is sorted as a whole, 8 bytes for each of its numbers.
MOST_STRATA = 2**27


class Sampler:
    """Draws dependent probabilities of parameters by their names."""

    def __init__(self, names: tuple[str, ...], dependence: Dependence) -> None:
        self.names, self.dependence = names, dependence
        self._strata = lru_cache(maxsize=1)(self._ranked)

    def draw(self, seed: int, begin: int, end: int, method: str, total: int | None) -> tuple[Array, dict[int, Array]]:
        """Probabilities (end - begin, p) inside (0, 1), and the normal scores of correlated parameters if known."""
        _checked(seed, begin, end, method, total)
        seed, begin, end = int(seed), int(begin), int(end)
        if begin == end:
            return np.empty((0, len(self.names))), {}
        if method == "lhs":
            assert total is not None
            return self._hypercube(seed, begin, end, int(total)), {}
        if method == "sobol":
            if len(self.names) > MOST_AXES:
                raise AnalysisError(f"method is sobol with {len(self.names)} parameters, must be ≤ {MOST_AXES}")
            return self.dependence.apply(sobol(seed, self.names, begin, end))
        return self.dependence.apply(self._plain(seed, begin, end))

    def _plain(self, seed: int, begin: int, end: int, prefix: str = "") -> Array:
        drawn = np.empty((end - begin, len(self.names)), order="F")
        for j, name in enumerate(self.names):
            drawn[:, j] = uniforms(seed, prefix + name, begin, end)
        return drawn

    def _hypercube(self, seed: int, begin: int, end: int, total: int) -> Array:
        within = self._plain(seed, begin, end, "within:")
        strata = self._strata(seed, total)[begin:end]
        return np.minimum((strata + within) / total, 1 - 2.0**-53)

    def _ranked(self, seed: int, total: int) -> npt.NDArray[np.int64]:
        # The rank of every number in a plain sample of the whole size, dependent as it is (Stein, Technometrics 29,
        # 1987): one sample in each stratum of every parameter, whether or not it depends on others.
        whole, _ = self.dependence.apply(self._plain(seed, 0, total, "strata:"))
        ranks = np.empty(whole.shape, dtype=np.int64)
        for j in range(whole.shape[1]):
            ranks[np.argsort(whole[:, j], kind="stable"), j] = np.arange(total)
        return ranks


def _checked(seed: Any, begin: Any, end: Any, method: Any, total: Any) -> None:
    if method not in METHODS:
        raise AnalysisError(f"method is {shown(method)}, must be {either(METHODS)}{meant(method, METHODS)}")
    _whole("seed", seed, 0, 2**64 - 1)
    _whole("begin", begin, 0, MOST_SAMPLES)
    _whole("end", end, begin, MOST_SAMPLES)
    if method == "lhs":
        if total is None:
            raise AnalysisError("total is missing, must be given for lhs: the number of samples fixes the strata")
        _whole("total", total, max(1, end), MOST_STRATA)


def _whole(name: str, value: Any, least: int, most: int) -> None:
    if not is_number(value) or not least <= value <= most or value != int(value):
        raise AnalysisError(f"{name} is {shown(value)}, must be a whole number from {least} to {most}")
