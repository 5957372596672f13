"""The torques fed forward to drives: inverse dynamics of the rigid arm along its command, as laws of time.

The drive knows the arm as it is drawn: links, payloads, rotors, joint springs and friction, gravity; no loads from
outside, and nothing that bends. Joints that nobody commands stand where they start.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np

from flexarm.batched import Batch, NotScalar
from flexarm.core.sweeps.dynamics import new_work
from flexarm.core.tree.types import Commands, Floats, Laws, Tree, no_loads
from flexarm.model import Pieces

# A part of a law is the polynomial through the torques at so many Chebyshev points.
_POINTS = 8
# Parts are halved until the torque between the points is met to this part of its greatest value.
_CLOSE = 1e-7
_MOST_PARTS = 1024
# Beyond the last break a command that goes on is followed for so long (s) where no end is given.
_GOES_ON = 10.0

_NODES = 0.5 * (1.0 - np.cos(np.pi * np.arange(_POINTS) / (_POINTS - 1)))
_BETWEEN = 0.5 * (_NODES[1:] + _NODES[:-1])
_FIT = np.linalg.inv(np.vander(_NODES, increasing=True))


def feedforward_laws(
    tree: Tree,
    commands: Commands,
    pieces: Sequence[Pieces],
    start: Floats,
    kinds: Sequence[str],
    end: float | None,
) -> list[Pieces]:
    """The torque (N m) or force (N) fed forward to each servo, as a law; `kinds`: "rigid", "gravity", or none.

    `tree` must be without the gains of servos; `end` is when a command that does not come to rest stops to matter (s).
    """
    if any(isinstance(part, Batch) for part in (*tree, start)):
        raise NotScalar("torques that are fed forward to drives are found arm by arm")
    inverse = _Inverse(tree, commands, pieces, start)
    edges = inverse.edges
    last = float(edges[-1])
    if not inverse.rests:
        edges = np.append(edges, max(last + 1e-9, end if end is not None else last + _GOES_ON))
    needed = [kind for kind in ("rigid", "gravity") if kind in kinds]
    found = {}
    for kind in needed:
        starts, rows = [float(edges[0])], []
        close = _CLOSE * inverse.greatest(kind, edges) + inverse.nothing
        for begin, until in pairwise(edges):
            parts, coefficients = inverse.fitted(kind, float(begin), float(until), close)
            starts += parts[1:].tolist()
            rows.append(coefficients)
        resting = np.zeros((1, _POINTS, len(commands.servo_coordinate)))
        resting[0, 0] = inverse.forces(kind, edges[-1:], np.zeros(1, bool))[0]
        found[kind] = np.array(starts), np.concatenate([*rows, resting])
    laws = []
    for j, kind in enumerate(kinds):
        if kind not in found:
            laws.append(Pieces.constant(0.0))
            continue
        starts_of, table = found[kind]
        count = len(starts_of)
        laws.append(Pieces(starts_of, table[:, :, j], np.zeros((count, 3)), np.zeros(count, bool)))
    return laws


class _Inverse:
    """Forces of the rigid arm on its command."""

    def __init__(self, tree: Tree, commands: Commands, pieces: Sequence[Pieces], start: Floats) -> None:
        self.tree, self.start, self.servo = tree, start, commands.servo_coordinate
        pairs = [
            *zip(commands.motion_coordinate.tolist(), commands.motion_law.tolist(), strict=True),
            *zip(commands.servo_coordinate.tolist(), commands.servo_law.tolist(), strict=True),
        ]
        self.moved = [(c, pieces[law]) for c, law in pairs]
        times = np.concatenate([np.zeros(1), *(law.break_times for _, law in self.moved)])
        times = np.unique(times[times >= 0.0])
        self.edges: Floats = times[np.append(True, np.diff(times) > 1e-12)]
        self.work = new_work(tree)
        self.laws = Laws(np.zeros(1, np.int64), np.zeros((0, 5)))

    @property
    def rests(self) -> bool:
        """True if every command stands still in the end."""
        return all(not np.any(law.poly[-1, 1:]) and not law.harmonic[-1, 0] for _, law in self.moved)

    def forces(self, kind: str, times: Floats, left: np.ndarray) -> Floats:
        """Forces (m, servos) at the times (s); `left`: where the limit from the left is meant."""
        q, v, a = (np.zeros((len(times), len(self.start))) for _ in range(3))
        q += self.start
        for c, law in self.moved:
            sides = law.evaluate(times, side="left"), law.evaluate(times)
            for part, before, after in zip((q, v, a), *sides, strict=True):
                part[:, c] = np.where(left, before, after)
        if kind == "gravity":
            v[:], a[:] = 0.0, 0.0
        return self._inverse(q, v, a)[:, self.servo]

    def _inverse(self, q: Floats, v: Floats, a: Floats) -> Floats:
        """Forces (m, nq) that move the arm so, without loads."""
        from flexarm.core.sweeps.forces_along import forces_along

        tau = np.zeros_like(q)
        forces_along(self.tree, no_loads(), self.laws, 0.0, q, v, a, tau, self.work)
        return tau

    @cached_property
    def nothing(self) -> float:
        """A force (N m, N) that is rounding: what accelerates the arm by 1e-12 1/s² in all its coordinates."""
        a = np.zeros((2, len(self.start)))
        a[1, [c for c, _ in self.moved]] = 1.0
        tau = self._inverse(np.array([self.start, self.start]), np.zeros_like(a), a)
        return 1e-12 * float(np.max(np.abs(tau[1] - tau[0]), initial=0.0)) + 1e-300

    def greatest(self, kind: str, edges: Floats) -> float:
        """The greatest force (N m, N) between the edges (s), as far as a few points show."""
        times = (edges[:-1, None] + np.diff(edges)[:, None] * _NODES).ravel()
        times = np.append(times, edges[-1])
        return float(np.max(np.abs(self.forces(kind, times, np.zeros(len(times), bool))), initial=0.0))

    def fitted(self, kind: str, begin: float, until: float, close: float) -> tuple[Floats, Floats]:
        """Edges of the parts (s), coefficients (parts, _POINTS, servos) about their starts; met to `close` (N m, N)."""
        parts = 1
        while True:
            edges = np.linspace(begin, until, parts + 1)
            size = (until - begin) / parts
            places = np.concatenate([_NODES, _BETWEEN])
            times = edges[:-1, None] + size * places
            times[:, _POINTS - 1] = edges[1:]
            left = np.broadcast_to(places > 0.0, times.shape)
            values = self.forces(kind, times.ravel(), left.ravel()).reshape(*times.shape, -1)
            fit = np.einsum("ij,pjs->pis", _FIT, values[:, :_POINTS])
            between = np.einsum("xi,pis->pxs", np.vander(_BETWEEN, _POINTS, increasing=True), fit)
            off = float(np.max(np.abs(between - values[:, _POINTS:]), initial=0.0))
            if off <= close or parts >= _MOST_PARTS:
                return edges, fit / (size ** np.arange(_POINTS))[None, :, None]
            parts *= 2
