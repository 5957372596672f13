"""The direct optimum: knots of an acceleration added to a command until the arm stops without vibration.

The unknowns are the values of a continuous, piecewise linear acceleration of every joint at even knots, zero at both
ends. What leaves rate and travel at the end as they are is a plane of them, and only its directions are searched: the
end position is kept by construction. The vibration at the stop, x = (ω a, ȧ) of all modes, is brought down by
Levenberg's and Marquardt's method; its derivatives are differences between runs of the whole nonlinear arm.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from flexarm.analyses.compare_measures import StoppedEarly
from flexarm.analyses.points import see
from flexarm.analyses.shape_commands import Command
from flexarm.analyses.shape_runs import Bench, drive_torques
from flexarm.core.types import Floats
from flexarm.model import Pieces
from flexarm.model.motion import AccelerationKnots

# Knots per period of the mode that matters most, at least and at most so many for each joint.
_PER_PERIOD, _FEWEST, _MOST = 3.0, 9, 28
# Step of a difference, as part of the greatest acceleration of the command.
_DIFFERENCE = 1e-3
# A part of a bound beyond its limit counts as so many times that part of the unshaped vibration.
_WEIGHT = 100.0
# Energy of the vibration, per that of the unshaped command, at which the search ends.
_ENOUGH = 1e-7
# Knots as large as the command's own accelerations count as so much of the unshaped vibration: no more than is needed.
_RIDGE = 3e-4
_ITERATIONS, _TRIES = 12, 7
# Samples at which torques are held to their bounds, and the part of the bound that is left for what lies between.
_SAMPLES, _MARGIN = 240, 0.01


@dataclass(frozen=True)
class Bounds:
    """What a command may ask for: torques (N m, N) and rates (rad/s, m/s) by joint, and a duration (s)."""

    torque: Mapping[str, float] = field(default_factory=dict)
    rate: Mapping[str, float] = field(default_factory=dict)
    duration: float | None = None


@dataclass(frozen=True, eq=False)
class _Tried:
    """A run: the vibration at the stop, and by how much each sample is beyond its bound, as part of it."""

    p: Floats
    x: Floats
    beyond: Floats

    @property
    def cost(self) -> float:
        beyond = np.maximum(self.beyond, 0.0)
        return float(self.x @ self.x + _WEIGHT**2 * beyond @ beyond + _RIDGE**2 * self.p @ self.p)


class Optimum:
    """The search for knots, from one command on, for a stop at a given time (s)."""

    def __init__(self, bench: Bench, base: Command, stop: float, energy: float, bounds: Bounds, period: float) -> None:
        self.bench, self.base, self.stop, self.bounds = bench, base, stop, bounds
        begin = bench.move.begin
        count = int(np.clip(round(_PER_PERIOD * (stop - begin) / period), _FEWEST, _MOST))
        self.knots = np.linspace(begin, stop, count + 2)
        inner = (self.knots[1:-1] - begin) / (stop - begin)
        # neither a rate nor a travel may be left: Σ c = 0 and Σ c t = 0
        self.plane = np.linalg.svd(np.stack([np.ones_like(inner), inner]))[2][2:].T
        self.joints = list(base.laws)
        instants = np.linspace(begin, stop, 400)
        self.sizes = [float(np.max(np.abs(law.evaluate(instants)[2]))) for law in base.laws.values()]
        largest = {unit: 0.0 for unit in ("rad", "m")}
        for name, size in zip(self.joints, self.sizes, strict=True):
            unit = bench.arm.link(name).joint.unit
            largest[unit] = max(largest[unit], size)
        # a joint that hardly moves may move as much as the others to help
        self.sizes = [largest[bench.arm.link(name).joint.unit] or 1.0 for name in self.joints]
        self.scale = float(np.sqrt(2.0 * energy))
        self._pieces = {name: self._summed(name, size) for name, size in zip(self.joints, self.sizes, strict=True)}
        self.margin = _MARGIN
        self.iterations = 0

    @property
    def unknowns(self) -> int:
        """How many numbers are searched."""
        return len(self.joints) * self.plane.shape[1]

    def values(self, p: Floats) -> dict[str, Floats]:
        """Accelerations at the knots (rad/s² or m/s²), by joint."""
        parts = p.reshape(len(self.joints), -1)
        return {
            name: np.concatenate([[0.0], size * (self.plane @ part), [0.0]])
            for name, size, part in zip(self.joints, self.sizes, parts, strict=True)
        }

    def laws(self, p: Floats) -> dict[str, Pieces]:
        """The motions with the acceleration of the knots added."""
        found = {}
        for name, part in zip(self.joints, p.reshape(len(self.joints), -1), strict=True):
            law, slopes = self._pieces[name]
            found[name] = Pieces(law.start, law.poly + np.tensordot(part, slopes, 1), law.harmonic, law.switch)
        return found

    def _summed(self, name: str, size: float) -> tuple[Pieces, Floats]:
        """A joint's motion cut at the knots, and what each unknown adds to the coefficients of its pieces."""
        none = AccelerationKnots(times=self.knots, values=np.zeros_like(self.knots)).pieces()
        law = self.base.laws[name].plus(none)
        slopes = []
        for column in self.plane.T:
            values = np.concatenate([[0.0], size * column, [0.0]])
            with_knots = law.plus(AccelerationKnots(times=self.knots, values=values).pieces())
            slopes.append(with_knots.poly - law.poly)
        return law, np.array(slopes)

    def search(self, told: Callable[[str], None]) -> Floats:
        """The knots (unknowns,) that leave least within the bounds, as far as a few steps lead."""
        here = self._tried(np.zeros(self.unknowns))
        damping = 1e-6
        for self.iterations in range(1, _ITERATIONS + 1):
            if float(here.x @ here.x) <= _ENOUGH and not np.any(here.beyond > 0.0):
                break
            rows, columns = self._linear(here)
            before = here.cost
            here, damping = self._step(here, rows, columns, damping)
            told(f"optimum, step {self.iterations}")
            if here.cost > 0.8 * before:
                break
        return here.p

    def _linear(self, here: _Tried) -> tuple[Floats, Floats]:
        """What is wanted gone at a point, and its derivatives."""
        active = here.beyond > -0.05
        right = np.concatenate([here.x, _WEIGHT * np.maximum(here.beyond[active], 0.0), _RIDGE * here.p])
        slopes = np.empty((len(right), self.unknowns))
        for j in range(self.unknowns):
            p = here.p.copy()
            p[j] += _DIFFERENCE
            there = self._tried(p)
            beyond = _WEIGHT * (there.beyond[active] - here.beyond[active]) * (here.beyond[active] > 0.0)
            slopes[:, j] = np.concatenate([there.x - here.x, beyond, _RIDGE * (p - here.p)]) / _DIFFERENCE
        return right, slopes

    def _step(self, here: _Tried, right: Floats, slopes: Floats, damping: float) -> tuple[_Tried, float]:
        """A step that lowers the cost, shorter and shorter until it does."""
        square, pull = slopes.T @ slopes, slopes.T @ right
        size = float(np.max(np.diag(square))) + 1e-300
        for _ in range(_TRIES):
            step = -np.linalg.solve(square + damping * size * np.eye(len(square)), pull)
            try:
                tried = self._tried(here.p + step)
            except StoppedEarly:
                tried = None
            if tried is not None and tried.cost < here.cost:
                return tried, max(damping / 30.0, 1e-14)
            damping *= 30.0
        return here, damping

    def _tried(self, p: Floats) -> _Tried:
        """One run up to the stop."""
        laws = self.laws(p)
        compiled = self.bench.under(laws)
        times = np.array([0.0, self.stop])
        if self.bounds.torque:
            times = np.unique(
                np.append(np.linspace(0.0, self.stop, _SAMPLES), self._beside(compiled.commands.switches))
            )
        run = self.bench.run(compiled, times)
        x = self.bench.vibration(run, self.stop) / self.scale
        beyond = [np.zeros(0)]
        room = 1.0 - self.margin
        if self.bounds.torque:
            q, v, a = (np.ascontiguousarray(part) for part in (run.q, run.v, run.a))
            torques = drive_torques(compiled, laws, run.times, q, v, see(compiled, run.times, q, v, a))
            for name, bound in self.bounds.torque.items():
                beyond.append(np.abs(torques[name]) / (bound * room) - 1.0)
        instants = np.linspace(0.0, self.stop, _SAMPLES)
        for name, bound in self.bounds.rate.items():
            beyond.append(np.abs(laws[name].evaluate(instants)[1]) / (bound * room) - 1.0)
        return _Tried(p, x, np.concatenate(beyond))

    def _beside(self, switches: Floats) -> Floats:
        both = np.concatenate([switches, switches + 1e-7 * self.stop])
        return both[(both > 0.0) & (both < self.stop)]
