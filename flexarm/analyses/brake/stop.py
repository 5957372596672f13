"""The arm where it stops: its equilibrium, its modes there, and how braking excites them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import numpy as np

from flexarm.analyses.brake.laws import Stop
from flexarm.analyses.end_state import end_state
from flexarm.analyses.modes.eigen import real_modes
from flexarm.analyses.modes.names import holders, numbered
from flexarm.assembly import CompiledArm
from flexarm.core.sweeps.dynamics import spring_matrices
from flexarm.core.tree.types import Floats, Ints
from flexarm.errors import AnalysisError
from flexarm.model import Pieces

# Modes whose frequencies differ by less than this part swing as one.
_ONE = 1e-6


@dataclass(frozen=True, eq=False)
class StopMotion:
    """Equilibrium and small motion M ẍ + D ẋ + K x = 0 of the coordinates no motion prescribes; modes ascending.

    Loads that follow the arm make K unsymmetric: `rows` are then the left modes, `shapes` the right ones.
    """

    q: Floats  # all coordinates
    moving: Ints  # which of them may move
    mass: Floats
    stiffness: Floats
    omega: Floats  # rad/s
    damping: Floats  # (modes, modes) by which dampers couple the modes
    shapes: Floats  # (moving, modes), mass-normalised
    rows: Floats  # (modes, moving) that give the modal coordinates: shapesᵀ M where K is symmetric
    names: tuple[str, ...]
    pushed: Floats  # (modes, stops) of each mode by a unit acceleration of each braked joint

    @property
    def ratios(self) -> Floats:
        """Damping ratios of the modes by themselves."""
        return np.diag(self.damping) / (2.0 * self.omega)

    @property
    def period(self) -> float:
        """The longest period (s)."""
        return float(2.0 * np.pi / self.omega[0])

    def modal(self, q: Floats, v: Floats) -> tuple[Floats, Floats]:
        """Modal coordinates and rates (…, modes) of states (…, nq)."""
        return (q - self.q)[..., self.moving] @ self.rows.T, v[..., self.moving] @ self.rows.T

    def energy(self, q: Floats, v: Floats) -> Floats:
        """Energy (J) of the small motion: ½ ẋᵀMẋ + ½ xᵀKx."""
        return self._energy((q - self.q)[..., self.moving], v[..., self.moving])

    def modal_energy(self, x: Floats, rate: Floats) -> Floats:
        """The same of modal coordinates and rates (…, modes)."""
        return self._energy(x @ self.shapes.T, rate @ self.shapes.T)

    def _energy(self, x: Floats, rate: Floats) -> Floats:
        return np.asarray(0.5 * (np.sum(rate @ self.mass * rate, axis=-1) + np.sum(x @ self.stiffness * x, axis=-1)))

    def together(self) -> list[Ints]:
        """Indices of the modes, those of one frequency together."""
        splits = np.flatnonzero(np.diff(self.omega) > _ONE * self.omega[1:]) + 1
        return list(np.split(np.arange(len(self.omega)), splits))


def motion_at_stop(compiled: CompiledArm, stops: Sequence[Stop], after: float) -> StopMotion:
    """The arm at rest under the commands of the time `after` (s)."""
    if len(compiled.free) == 0:
        raise AnalysisError(
            "the arm has no flexible link, servo or free joint: there is no residual vibration when it stops"
        )
    end = end_state(compiled, after)
    squares, shapes, rows, scale = real_modes(end.stiffness, end.mass)
    swings = squares > 1e-9 * scale
    if not swings.any():
        raise AnalysisError("nothing swings where the arm stops: no mode has a frequency")
    squares, shapes, rows = squares[swings], shapes[:, swings], rows[swings]
    forced = np.linalg.solve(end.mass, np.column_stack([end.damping, end.coupling[:, _braked(compiled, stops)]]))
    omega = np.sqrt(squares)
    moving = end.free
    springs = spring_matrices(compiled.tree, end.state.q)[0][np.ix_(moving, moving)]
    kinds = [holders(compiled, moving, shape, springs @ shape) or "swing under gravity" for shape in shapes.T]
    return StopMotion(
        q=end.state.q,
        moving=moving,
        mass=end.mass,
        stiffness=end.stiffness,
        omega=omega,
        damping=np.asarray(rows @ forced[:, : len(moving)] @ shapes),
        shapes=shapes,
        rows=rows,
        names=tuple(numbered(kinds)),
        pushed=np.asarray(rows @ forced[:, len(moving) :]),
    )


def _braked(compiled: CompiledArm, stops: Sequence[Stop]) -> list[int]:
    """The coordinates of the braked joints."""
    return [compiled.coordinate_names.index(stop.joint) for stop in stops]


@dataclass(frozen=True, eq=False)
class Swing:
    """The modes in motion: (x, ẋ)(u) = right e^{roots u} left (x, ẋ)(0)."""

    roots: np.ndarray  # (2 modes,)
    right: np.ndarray  # (2 modes, 2 modes)
    left: np.ndarray

    def groups(self) -> list[Ints]:
        """Places of the poles, slowest first, those that are one: a pair, and pairs of one frequency and damping."""
        order = np.lexsort((np.abs(self.roots.imag), np.abs(self.roots)))
        roots = self.roots[order].real + 1j * np.abs(self.roots[order].imag)
        splits = np.flatnonzero(np.abs(np.diff(roots)) > 10.0 * _ONE * np.abs(roots[1:])) + 1
        return [np.asarray(group, np.int64) for group in np.split(order, splits)]

    def history(self, row: Floats, times: Floats) -> Floats:
        """What a sum of modes does at the times (2 modes, times), by the coordinates and rates it begins with."""
        parts = self.left.T * (row @ self.right[: len(row)])
        return np.ascontiguousarray((parts @ np.exp(np.outer(self.roots, times))).real)


def swing_of(rest: StopMotion, *, damped: bool) -> Swing:
    """The motion of the modes, with the dampers that couple them or without any."""
    count = len(rest.omega)
    if damped and np.any(rest.damping):
        zero, unit = np.zeros((count, count)), np.eye(count)
        roots, right = np.linalg.eig(np.block([[zero, unit], [-np.diag(rest.omega**2), -rest.damping]]))
        return Swing(roots.astype(complex), right, np.linalg.inv(right))
    roots = np.concatenate([1j * rest.omega, -1j * rest.omega])
    unit = np.eye(count)
    right = np.vstack([np.hstack([unit, unit]), np.hstack([np.diag(1j * rest.omega), np.diag(-1j * rest.omega)])])
    half = np.diag(0.5j / rest.omega)
    left = np.vstack([np.hstack([0.5 * unit, -half]), np.hstack([0.5 * unit, half])])
    return Swing(roots, right, left)


def frozen_response(
    rest: StopMotion,
    swing: Swing,
    stops: Sequence[Stop],
    times: Floats,
    hold: str,
    origin: float,
    only: Ints | None = None,
) -> tuple[Floats, Floats]:
    """Modal coordinates and rates (runs, modes) at the last stop, for braking times (runs, stops), of the arm at rest
    in the posture it stops in, to first order in the accelerations of its joints: ẍ + C ẋ + Ω² x = −Σ p_j a_j(t).
    Of some poles `only`, by their places among the roots.
    """
    ends = np.array([[s.end_of(float(t), hold, origin) for s, t in zip(stops, row, strict=True)] for row in times])
    last = ends.max(axis=1)
    count = len(rest.omega)
    total = np.zeros((len(times), 2 * count), complex)
    for j, stop in enumerate(stops):
        law = stop.law
        s = times[:, j] / stop.duration
        first = origin if hold == "path" else stop.begin
        share = swing.left[:, count:] @ -rest.pushed[:, j]
        for k in range(len(law.start) - 1):
            left, right = max(float(law.start[k]) if k else first, first), float(law.start[k + 1])
            if left >= right:
                continue
            # stretched by s: braking alone has accelerations 1/s, the whole path 1/s²; times are s in both
            factor = 1.0 / s**2 if hold == "path" else 1.0 / s
            late = (last - ends[:, j]) + s * (stop.end - right)
            pull = _pulled(law, k, right, s, s * (right - left), swing.roots)
            total += share * factor[:, None] * pull * np.exp(np.outer(late, swing.roots))
    if only is not None:
        total *= np.isin(np.arange(total.shape[1]), only)
    state = (total @ swing.right.T).real
    return state[:, :count], state[:, count:]


def _pulled(law: Pieces, k: int, right: float, s: Floats, length: Floats, roots: np.ndarray) -> np.ndarray:
    """∫ a(right − u/s) e^{λu} du over 0 … length (runs, modes), of the acceleration of piece k."""
    shift = right - float(law.start[k])
    degree = law.poly.shape[1]
    tail = np.exp(np.outer(length, roots))
    total, part = np.zeros_like(tail), np.zeros_like(tail)
    for i in range(degree - 2):
        # Taylor coefficient of the acceleration about `right`
        c = sum(
            n * (n - 1) * float(law.poly[k, n]) * comb(n - 2, i) * shift ** (n - 2 - i) for n in range(i + 2, degree)
        )
        part = (tail - 1.0) / roots if i == 0 else ((length**i)[:, None] * tail - i * part) / roots
        total += c * ((-1.0 / s) ** i)[:, None] * part
    amplitude, w, phase = (float(x) for x in law.harmonic[k])
    if amplitude:
        for sign in (1.0, -1.0):
            whole = (roots - sign * 1j * (w / s)[:, None]) * length[:, None]
            safe = np.where(np.abs(whole) > 1e-9, whole, 1.0)
            mean = np.where(np.abs(whole) > 1e-9, np.expm1(safe) / safe, 1.0)
            turned = np.exp(sign * 1j * (w * shift + phase)) / (sign * 2j)
            total += -amplitude * w * w * turned * length[:, None] * mean
    return total
