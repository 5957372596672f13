"""Runs of one move under many commands: the arm is compiled once, only its laws change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from flexarm.analyses.contacts import with_dry_friction
from flexarm.analyses.detuned import detuned
from flexarm.analyses.drives import torques_of
from flexarm.analyses.points import Seen, positions, see, undeformed
from flexarm.analyses.run.arrival import Destination, destination_of
from flexarm.analyses.run.initial_state import initial_state
from flexarm.analyses.run.integrate import Run, RunFailed, Settings, integrate
from flexarm.analyses.shaping.commands import Command
from flexarm.analyses.shaping.move import EndOfMove, Move
from flexarm.assembly import CompiledArm, compile_arm, with_motions
from flexarm.core.tree.types import Floats
from flexarm.model import Arm, Pieces
from flexarm.results.extremes import find_extremes

# Samples of a run: so many per period of the fastest mode that matters, and at least and at most so many in all.
_PER_PERIOD, _FEWEST, _MOST = 24, 400, 6000
# Residuals count over so many periods of the slowest mode that matters.
_PERIODS = 3.0
# How long after a switch (s, per second of the move) the other side of a jump is looked at.
_BESIDE = 1e-7


@dataclass(frozen=True, eq=False)
class Measures:
    """What one command does; SI."""

    ranges: Floats  # (3,) of the tip after the longest command, along its axes there
    swings: Floats  # of the tip by every pole, at the stop
    energy: float  # of the vibration at the stop
    peak_deflection: float
    torque: dict[str, float]  # greatest, by joint
    rate: dict[str, float]
    end: Floats  # (joints,) where the motions end
    settled: float | None = None  # when the tip comes within the tolerance of its target for good (s)


class Bench:
    """Runs of an arm's move."""

    def __init__(self, arm: Arm, move: Move) -> None:
        self.arm, self.move = arm, move
        self.compiled = compile_arm(arm)
        self.rest = EndOfMove(self.compiled, move)
        # adaptive steps, whatever the file has: a fixed step would cost much and hide a small residual
        self.settings = Settings(move.end, tolerance=arm.simulation.tolerance, max_steps=arm.simulation.max_steps)
        self.window = _PERIODS / self.rest.slowest
        self.fastest = self.rest.slowest
        # residuals of all commands count from the same time (s), that of the longest
        self.counted_from = move.end
        self.within = arm.simulation.tolerance
        self._others: dict[float, CompiledArm] = {}
        self._destinations: dict[int, Destination] = {}
        self.runs = 0

    def watch(self, slowest: float, fastest: float) -> None:
        """Look at three periods of the slowest mode (Hz) after the stop, finely enough for the fastest."""
        self.window, self.fastest = _PERIODS / slowest, fastest

    def count_from(self, time: float, within: float) -> None:
        """Count residuals from a time (s) on, the same for all commands, and settling to within a distance (m)."""
        self.counted_from, self.within = max(time, self.move.end), within
        self._destinations.clear()

    def destination(self, compiled: CompiledArm | None = None) -> Destination:
        """Where the tip of the arm, or of another one, is to be: the same for all commands."""
        arm = self.compiled if compiled is None else compiled
        if id(arm) not in self._destinations:
            tip = arm.point_names.index("tip")
            self._destinations[id(arm)] = destination_of(arm, self.move.end + 1.0, tip, self.within)
        return self._destinations[id(arm)]

    def tighten(self, tolerance: float) -> None:
        """Let the tip err by no more than this (m)."""
        self.settings = replace(self.settings, tolerance=min(tolerance, self.settings.tolerance))

    def under(self, laws: Mapping[str, Pieces], factor: float = 1.0) -> CompiledArm:
        """The arm, its frequencies times a factor, with these motions."""
        if factor == 1.0:
            return with_motions(self.compiled, laws)
        if factor not in self._others:
            self._others[factor] = compile_arm(detuned(self.arm, factor))
        return with_motions(self._others[factor], laws)

    def run(self, compiled: CompiledArm, times: Floats) -> Run:
        """One run, sampled; Ctrl-C and a run that stops early are raised."""
        self.runs += 1
        settings = replace(self.settings, end=float(times[-1]))
        run = integrate(compiled, initial_state(compiled, self.arm.simulation.start), settings, times)
        if run.status == "interrupted":
            raise KeyboardInterrupt
        if not run.ok:
            raise RunFailed(f"the run stopped at t = {run.reached:.4g} s: {run.message}")
        return run

    def times(self, compiled: CompiledArm, stop: float, after: float) -> Floats:
        """Sampling times from 0 to some time (s) after residuals count, and one period more in which a tip that has
        settled must stay so; the stop and both sides of all switches among them.
        """
        begin = max(stop, self.counted_from)
        end = begin + after * (1.0 + 1.0 / _PERIODS)
        count = int(np.clip(end * self.fastest * _PER_PERIOD, _FEWEST, _MOST))
        switches = compiled.commands.switches
        beside = np.concatenate([switches, switches + _BESIDE * end])
        whole = np.unique(np.concatenate([np.linspace(0.0, end, count), beside, [stop, begin]]))
        return whole[(whole >= 0.0) & (whole <= end)]

    def measure(self, command: Command) -> Measures:
        """What a command does to the arm."""
        compiled = self.under(command.laws)
        times = self.times(compiled, command.stop, self.window)
        run = self.run(compiled, times)
        q, v, a = (np.ascontiguousarray(x) for x in (run.q, run.v, run.a))
        seen = see(compiled, run.times, q, v, a)
        tip = compiled.point_names.index("tip")
        bent = seen.position[:, tip] - positions(compiled, undeformed(compiled, q))[:, tip]
        x = self.vibration(run, command.stop)
        at = int(np.searchsorted(run.times, command.stop))
        torques = drive_torques(compiled, command.laws, run.times, (q, v, run.x), seen)
        return Measures(
            ranges=self._ranges(run.times, seen.position[:, tip], command, self.window),
            swings=self.rest.swings(q[at], v[at]),
            energy=0.5 * float(x @ x),
            peak_deflection=find_extremes(run.times, np.linalg.norm(bent, axis=1)).greatest,
            torque={name: float(np.max(np.abs(values))) for name, values in torques.items()},
            rate={name: float(np.max(np.abs(law.evaluate(times)[1]))) for name, law in command.laws.items()},
            end=np.array([float(law.evaluate(command.stop + 1.0)[0]) for law in command.laws.values()]),
            settled=self.destination().arrival(
                run.times, seen.position[:, tip], seen.velocity[:, tip], self.within, self.window / _PERIODS
            ),
        )

    def energy(self, command: Command) -> float:
        """Energy of the vibration at the stop (J)."""
        x = self.vibration(self.run(self.under(command.laws), np.array([0.0, command.stop])), command.stop)
        return 0.5 * float(x @ x)

    def detuned_range(self, command: Command, factor: float) -> float:
        """The residual (m) if all frequencies of the arm are off by a factor."""
        return self._left(self.under(command.laws, factor), command, self.window / min(factor, 1.0))[0]

    def residual_of(self, other: CompiledArm, command: Command) -> tuple[float, float | None]:
        """The residual (m) and the settling time (s) if the arm is another; looked for a quarter longer, it may be
        slower.
        """
        return self._left(with_motions(other, command.laws), command, 1.25 * self.window, self.destination(other))

    def _left(
        self, compiled: CompiledArm, command: Command, window: float, there: Destination | None = None
    ) -> tuple[float, float | None]:
        """The range of the tip (m) along its worst axis within a window (s), and when it is there for good (s)."""
        times = self.times(compiled, command.stop, window)
        run = self.run(compiled, times)
        tip = compiled.point_names.index("tip")
        kept = slice(None) if there is not None else run.times >= max(command.stop, self.counted_from)
        q, v, a = (np.ascontiguousarray(x[kept]) for x in (run.q, run.v, run.a))
        seen = see(compiled, run.times[kept], q, v, a, full=False)
        where, rates = seen.position[:, tip], seen.velocity[:, tip]
        left = float(np.max(self._ranges(run.times[kept], where, command, window)))
        return left, None if there is None else there.arrival(run.times, where, rates, self.within, window / _PERIODS)

    def vibration(self, run: Run, stop: float) -> Floats:
        """The state of all modes at the stop."""
        at = int(np.searchsorted(run.times, stop))
        return self.rest.vibration(run.q[at], run.v[at])

    def _ranges(self, times: Floats, tip: Floats, command: Command, window: float) -> Floats:
        along = self.rest.along(tip)
        begin = max(command.stop, self.counted_from)
        return np.array([find_extremes(times, column, after=begin, until=begin + window).span for column in along.T])


def beside(switches: Floats, end: float) -> Floats:
    """Both sides of switches (s) before an end (s), at which what is commanded jumps."""
    both = np.concatenate([switches, switches + _BESIDE * end])
    return both[(both > 0.0) & (both < end)]


def drive_torques(
    compiled: CompiledArm,
    names: Iterable[str],
    times: Floats,
    states: tuple[Floats, Floats, Floats | None],
    seen: Seen,
) -> dict[str, Floats]:
    """Torques (N m) or forces (N) of the named drives over time: by inverse dynamics, or by the servo's law at the
    states q, v and x of the integrators.
    """
    found = {}
    servo = compiled.commands.servo_coordinate.tolist()
    given = torques_of(compiled, times, *states)
    force = with_dry_friction(compiled, seen.force, states[1])
    for name in names:
        c = compiled.coordinate_names.index(name)
        found[name] = given[:, servo.index(c)] if c in servo else force[:, c]
    return found
