"""Equilibrium, compliance and lowest modes of one arm in a batch of postures, by the compiled loop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from flexarm.analyses.equilibrium import Forces, State
from flexarm.assembly import CompiledArm
from flexarm.core.sweeps.dynamics import new_work, spring_matrices, without_springs
from flexarm.core.sweeps.posture_map import map_postures
from flexarm.core.tree.types import Floats, Loads
from flexarm.errors import AnalysisError

# Shapes in addition to the modes wanted: their distance from the true modes shrinks with the ratio of squares.
_MORE = 4


@final
@dataclass(frozen=True, eq=False)
class Found:
    """What is known of every posture; SI."""

    q: Floats  # (p, nq) in equilibrium
    compliance: Floats  # (p, 3, 3), m/N
    frequencies_hz: Floats  # (p, count)
    done: np.ndarray  # (p,) False where the quick way failed


class PostureSweep:
    """The quick way for one arm and one of its points, all joints held."""

    def __init__(self, compiled: CompiledArm, start: State, point: str, count: int) -> None:
        free = compiled.elastic_coordinates
        if len(free) == 0:
            raise AnalysisError("the arm has no flexible link and no gear that gives way: nothing sags")
        self._compiled, self._count = compiled, count
        self.index = compiled.point_names.index(point)
        block = np.ix_(free, free)
        self._stiffness = np.ascontiguousarray(spring_matrices(compiled.tree, start.q)[0][block])
        loads = compiled.loads
        # beams in sleeves have another stiffness at every length, and follower loads a tangent that is not symmetric
        self._quick = not compiled.sleeves and not np.any(loads.place[:, 1]) and self._definite()
        mass = Forces(compiled).mass(start.q)[block]
        self._shapes = self._first_shapes(mass, count + _MORE) if self._quick else np.zeros((0, len(free)))
        units = [compiled.coordinate_units[c] for c in free]
        self._size = np.array([1.0 if unit == "rad" else compiled.reach for unit in units])
        self._pulls = self._with_pull(loads)
        self._bare = without_springs(compiled.tree)

    def found(self, q: Floats) -> Found:
        """Equilibrium, compliance and lowest frequencies at the joints' coordinates q (p, nq)."""
        compiled = self._compiled
        at = q.copy()
        at[:, compiled.elastic_coordinates] = 0.0
        frequencies = np.full((len(q), self._count), np.nan)
        if not self._quick:
            return Found(at, np.full((len(q), 3, 3), np.nan), frequencies, np.zeros(len(q), bool))
        compliance, stiffness, mass, done = map_postures(
            (compiled.tree, self._bare),
            (compiled.loads, self._pulls),
            compiled.laws,
            at,
            np.zeros(q.shape[1]),
            compiled.elastic_coordinates,
            self._size,
            self._stiffness,
            self._shapes,
            compiled.reach,
            new_work(compiled.tree),
        )
        lowest = _frequencies(stiffness[done], mass[done])[:, : self._count]
        frequencies[done, : lowest.shape[1]] = lowest
        return Found(at, compliance, frequencies, done)

    def _definite(self) -> bool:
        return bool(np.linalg.eigvalsh(0.5 * (self._stiffness + self._stiffness.T))[0] > 0.0)

    def _first_shapes(self, mass: Floats, count: int) -> Floats:
        """The lowest modes (count, nf) at the start, of springs and beams alone."""
        inverse = np.linalg.inv(np.linalg.cholesky(self._stiffness))
        _, vectors = np.linalg.eigh(inverse @ mass @ inverse.T)
        return np.ascontiguousarray((inverse.T @ vectors[:, ::-1]).T[:count])

    def _with_pull(self, loads: Loads) -> Loads:
        """The loads and one more on the point, its force still zero."""
        compiled, j = self._compiled, self.index
        planar = compiled.tree is not compiled.spatial
        offset = np.append(compiled.point_in_plane[j, :2], 0.0) if planar else compiled.point_place[j, :3]
        place = [compiled.point_body[j], 0, -1, compiled.point_frame[j]]
        return Loads(
            np.ascontiguousarray(np.vstack([loads.place, place]), np.int64),
            np.vstack([loads.wrench, np.concatenate([offset, np.zeros(6)])]),
        )


def _frequencies(stiffness: Floats, mass: Floats) -> Floats:
    """Frequencies (p, m), Hz, rising, of a batch of small pairs of matrices; 0 where the arm falls over."""
    factor = np.linalg.cholesky(mass)
    half = np.linalg.solve(factor, 0.5 * (stiffness + np.swapaxes(stiffness, 1, 2)))
    whole = np.linalg.solve(factor, np.swapaxes(half, 1, 2))
    squares = np.linalg.eigvalsh(0.5 * (whole + np.swapaxes(whole, 1, 2)))
    return np.asarray(np.sqrt(np.maximum(squares, 0.0)) / (2.0 * np.pi))
