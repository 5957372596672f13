"""Many runs of one arm that differ in the braking times of its joints only.

The arm is compiled once, the way to the earliest brake is run once, and every run is sampled only where it is looked
at: a run costs little more than the steps from its brake to the end of the window.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flexarm.analyses.brake.laws import Stop, others_rest
from flexarm.analyses.brake.retiming import Retiming
from flexarm.analyses.contacts import with_dry_friction
from flexarm.analyses.drives import balanced, integrating, loaded_at, torques_of
from flexarm.analyses.equilibrium import State, commanded
from flexarm.analyses.points import see
from flexarm.analyses.run.command_runs import Track
from flexarm.analyses.run.initial_state import initial_state
from flexarm.analyses.run.integrate import RunFailed, Settings
from flexarm.assembly import CompiledArm, compile_arm
from flexarm.core.time.batch import Moments
from flexarm.core.tree.types import Commands, Floats, Ints, Laws
from flexarm.model import Arm
from flexarm.results.extremes import find_extremes

# Samples per period of the highest mode that is looked at, at a tolerance of 1 µm: a cubic between them errs by less
# than a hundredth of what this mode moves.
_PER_PERIOD = 5.0
# Times at which the equilibrium an arm brakes from is found; between them it is a parabola.
_CALM = 3


@dataclass(frozen=True, eq=False)
class Start:
    """A state of the arm and of its integrator to begin from."""

    time: float
    moment: Moments


@dataclass(frozen=True, eq=False)
class Braked:
    """A run after its stop (s), sampled; `torques` (by joint) are the greatest in size of the whole run, if wanted."""

    runs: BrakeRuns
    braking: Floats  # times (s) by stop
    stop: float
    times: Floats
    q: Floats
    v: Floats
    a: Floats
    torques: Floats | None = None

    @cached_property
    def compiled(self) -> CompiledArm:
        """The arm with these braking times."""
        return self.runs.commanded(self.braking)


Prepared = tuple[Laws, Commands, Start, float]  # what a run needs, and when it stops (s)


class BrakeRuns:
    """Runs of an arm whose joints brake within given times (s), one per stop or one for all."""

    def __init__(
        self,
        arm: Arm,
        stops: Sequence[Stop],
        hold: str,
        between: tuple[float, float],
        *,
        tolerance: float,
        span: float = 0.0,
        highest: float = 0.0,
        calm: bool = False,
    ) -> None:
        self.stops, self.hold, self.between, self.span = tuple(stops), hold, between, span
        self.origin = min(stop.moves for stop in stops)
        self._others = others_rest(arm, stops)
        self.compiled = compile_arm(arm)
        self._retimed = Retiming(self.compiled, self.stops, hold, self.origin)
        self._start = arm.simulation.start
        longest = self.last_stop(np.full(len(stops), between[1])) + span
        simulation = arm.simulation
        self.settings = Settings(
            longest,
            simulation.stepper,
            tolerance,
            simulation.step,
            simulation.spectral_radius,
            simulation.max_steps,
        )
        self._track = Track(self.compiled, self.settings)
        finer = (1e-6 / tolerance) ** 0.25
        rate = _PER_PERIOD * max(finer, 0.5) * highest
        self.samples = int(np.clip(np.ceil(span * rate), 200, 20_000)) if span > 0.0 else 0
        self.interval = span / self.samples if self.samples else longest / 1000.0
        self._trunk: Start | None = None
        self._integrals: Floats = np.zeros((0, 0))  # of the drives, in the run just taken
        self._ready: dict[bytes, Prepared] = {}  # by braking times
        self._trunk_torques: Floats | None = None
        self._calm = self._calm_states() if calm and hold != "path" else None
        self.runs = 0

    # --- Times -------------------------------------------------------------------------------------------------------

    def last_stop(self, times: Floats) -> float:
        """When the last joint has come to rest (s)."""
        ends = [stop.end_of(float(t), self.hold, self.origin) for stop, t in zip(self.stops, times, strict=True)]
        return max(*ends, self._others)

    def first_begin(self, times: Floats) -> float:
        """When the first joint begins to brake (s)."""
        return min(stop.begin_of(float(t), self.hold, self.origin) for stop, t in zip(self.stops, times, strict=True))

    def commanded(self, times: Floats) -> CompiledArm:
        """The arm with these braking times."""
        return self._retimed.written_out(times)

    def calms_down(self, compiled: CompiledArm, times: Floats) -> bool:
        """True if nothing is commanded any more after the stop: no torque or load changes."""
        stop = self.last_stop(times)
        braked = set(compiled.commands.motion_law.tolist()) | set(compiled.commands.servo_law.tolist())
        others = [law for k, law in enumerate(compiled.pieces) if k not in braked]
        return all(law.start[-1] <= stop and not np.any(law.poly[-1, 1:]) and not law.harmonic[-1, 0] for law in others)

    # --- Runs --------------------------------------------------------------------------------------------------------

    def run(self, times: Floats, *, torques: bool = False) -> Braked:
        """The arm after its stop, sampled over the window; raises RunFailed with the reason."""
        self.runs += 1
        ready = self._ready.get(times.tobytes()) or self._prepared(times)
        laws, commands, start, stop = ready
        window = stop + np.linspace(0.0, self.span, self.samples + 1) if self.samples else np.array([stop])
        if not torques:
            return Braked(self, times, stop, window, *self._integrated(laws, commands, start, window))
        compiled = self.commanded(times)
        samples = self._with_switches(commands, start.time, window)
        states = self._integrated(laws, commands, start, samples)
        peaks = self._peaks(compiled, samples, *states, self._integrals)
        if self._trunk_torques is not None:
            peaks = np.maximum(peaks, self._trunk_torques)
        kept = np.isin(samples, window)
        q, v, a = (part[kept] for part in states)
        return Braked(self, times, stop, window, q, v, a, peaks)

    def run_through(self, times: Floats, end: float) -> Braked:
        """The arm from where it begins to brake until a time (s) after its stop; raises RunFailed with the reason."""
        self.runs += 1
        laws, commands, start, stop = self._ready.get(times.tobytes()) or self._prepared(times)
        parts = [
            np.linspace(begin, until, int(np.clip(np.ceil((until - begin) / self.interval), 50, 4000)) + 1)
            for begin, until in ((start.time, stop), (stop, end))
            if until > begin
        ]
        samples = np.unique(np.concatenate(parts))
        return Braked(self, times, stop, samples, *self._integrated(laws, commands, start, samples))

    def _prepared(self, times: Floats) -> Prepared:
        return (*self._retimed(times), self._start_of(times), self.last_stop(times))

    def _start_of(self, times: Floats) -> Start:
        if self._calm is not None:
            return self._calm_start(self.commanded(times), times)
        if self.hold == "path" or self._at_once:
            return self._at_rest(self.commanded(times))
        if self._trunk is None:
            self._trunk = self._way_to_the_brake()
        # a time outside the range may brake before all others
        early = self.first_begin(times) < self._trunk.time
        return self._at_rest(self.commanded(times)) if early else self._trunk

    def prepare(self, times: Floats) -> None:
        """Make ready for runs with these braking times (runs, stops): their laws, and where the arm is when each
        begins to brake, from one run.
        """
        if self.hold != "end" or self._calm is not None or self._at_once or len(integrating(self.compiled)):
            return  # integrators of drives are known only where a run was left
        if self._trunk is None:
            self._trunk = self._way_to_the_brake()
        found = np.array([self.first_begin(each) for each in times])
        times = times[found > self._trunk.time]
        begins, places = np.unique(found[found > self._trunk.time], return_inverse=True)
        if not len(begins):
            return
        laws = self._retimed.many(times)
        try:
            q, v, a = self._integrated(*laws[int(np.argmax(places))], self._trunk, begins)
        except RunFailed:
            return  # the runs themselves will show it
        for each, pair, k in zip(times, laws, places, strict=True):
            start = self._from(State(q[k], v[k], a[k], q[k]), float(begins[k]))
            self._ready[each.tobytes()] = (*pair, start, self.last_stop(each))

    @cached_property
    def _at_once(self) -> bool:
        """True if some runs brake from the first moment on: their start is theirs alone."""
        return self.first_begin(np.full(len(self.stops), self.between[1])) <= 0.0

    def _at_rest(self, compiled: CompiledArm) -> Start:
        return self._from(initial_state(compiled, self._start), 0.0)

    def _from(self, state: State, time: float) -> Start:
        return Start(time, self._track.begin(state, time))

    def _way_to_the_brake(self) -> Start:
        """Where all runs are when the first of them brakes."""
        longest = np.full(len(self.stops), self.between[1])
        compiled = self.commanded(longest)
        begin = self._at_rest(compiled)
        until = self.first_begin(longest)
        samples = self._with_switches(compiled.commands, 0.0, np.array([until]))
        q, v, a = self._integrated(compiled.laws, compiled.commands, begin, samples)
        self._trunk_torques = self._peaks(compiled, samples, q, v, a, self._integrals)
        return Start(until, self._track.reached())

    def _integrated(
        self, laws: Laws, commands: Commands, start: Start, samples: Floats
    ) -> tuple[Floats, Floats, Floats]:
        """Coordinates, rates and accelerations at the samples, the last of which is the end."""
        output = self._track.run(laws, commands, start.moment, samples)
        self._integrals = output.x
        return output.q, output.v, output.a

    def _with_switches(self, commands: Commands, begin: float, window: Floats) -> Floats:
        """Times from the begin to the window and the window itself, with the switches, seen from both sides."""
        until, end = float(window[0]), float(window[-1])
        count = max(2, int(np.ceil((until - begin) / self.interval)))
        switches = commands.switches
        inside = switches[(switches > begin) & (switches < end)]
        before = np.linspace(begin, until, count + 1)[:-1]
        if len(inside):
            near = np.abs(before[:, None] - inside).min(axis=1) < 1e-3 * self.interval
            before = before[~near]
        return np.unique(np.concatenate([before, inside, np.nextafter(inside, np.inf), window]))

    # --- Torques -----------------------------------------------------------------------------------------------------

    @property
    def driven(self) -> Ints:
        """The coordinates of joints that follow a motion, prescribed or by a servo."""
        commands = self.compiled.commands
        return np.sort(np.concatenate([commands.motion_coordinate, commands.servo_coordinate]))

    def _peaks(self, compiled: CompiledArm, times: Floats, q: Floats, v: Floats, a: Floats, x: Floats) -> Floats:
        """The greatest drive torque or force (N m, N) in size of every driven joint, between samples too."""
        force = with_dry_friction(compiled, see(compiled, times, q, v, a).force, v)
        commands = compiled.commands
        force[:, commands.servo_coordinate] = torques_of(compiled, times, q, v, x)
        edges = np.flatnonzero(np.isin(times[:-1], commands.switches))
        parts = np.split(np.arange(len(times)), edges + 1)
        peaks = np.zeros(len(self.driven))
        for part in parts:
            for j, c in enumerate(self.driven):
                if len(part) > 2:
                    found = find_extremes(times[part], force[part, c])
                    peaks[j] = max(peaks[j], abs(found.least), abs(found.greatest))
                elif len(part):
                    peaks[j] = max(peaks[j], float(np.max(np.abs(force[part, c]))))
        return peaks

    # --- A calm start ------------------------------------------------------------------------------------------------

    def _calm_states(self) -> tuple[Floats, Floats]:
        """Equilibria at the constant rates before the brake, and the times (s) they belong to."""
        longest, shortest = (np.full(len(self.stops), t) for t in (self.between[1], self.between[0]))
        ends = self.first_begin(longest), self.first_begin(shortest)
        times = np.linspace(*ends, _CALM) if ends[1] - ends[0] > 1e-6 else np.array(ends[:1])
        compiled = self.commanded(shortest)
        found: list[Floats] = []
        for t in times:
            state = commanded(compiled, float(t))
            v = self._rates(compiled, float(t))
            q = state.q.copy()
            if found:
                q[compiled.free] = found[-1][compiled.free]
            found.append(balanced(compiled, State(q, v, np.zeros_like(v), state.tau), float(t)).q)
        return times, np.array(found)

    @staticmethod
    def _rates(compiled: CompiledArm, t: float) -> Floats:
        """The commanded rates (nq,) just before t, zero where nothing is commanded."""
        rates = np.zeros(len(compiled.coordinate_names))
        commands = compiled.commands
        for c, law in (
            *zip(commands.motion_coordinate, commands.motion_law, strict=True),
            *zip(commands.servo_coordinate, commands.servo_law, strict=True),
        ):
            rates[c] = compiled.pieces[law].evaluate(t, side="left")[1]
        return rates

    def _calm_start(self, compiled: CompiledArm, times: Floats) -> Start:
        """In the equilibrium of the constant rates when the first joint begins to brake."""
        assert self._calm is not None
        nodes, states = self._calm
        begin = self.first_begin(times)
        if len(nodes) == 1:
            q, rate = states[0], self._rates(compiled, begin)
        else:
            fit = np.polynomial.polynomial.polyfit(nodes - nodes[1], states, len(nodes) - 1)
            x = begin - nodes[1]
            q = fit[0] + x * (fit[1] + x * fit[2])
            rate = fit[1] + 2.0 * x * fit[2]
        state = commanded(compiled, begin)
        q, v = q.copy(), np.where(compiled.driven, state.v, rate)
        q[compiled.driven] = state.q[compiled.driven]
        return self._from(loaded_at(compiled, State(q, v, np.zeros_like(q), state.tau), begin), begin)

    def twin(
        self,
        arm: Arm,
        between: tuple[float, float] | None = None,
        *,
        calm: bool = False,
        tolerance: float | None = None,
    ) -> BrakeRuns:
        """The same runs, sampled alike, of another arm, range or tolerance (m); `calm`: from the equilibrium before the
        brake.
        """
        tolerance = self.settings.tolerance if tolerance is None else tolerance
        other = BrakeRuns(
            arm, self.stops, self.hold, between or self.between, tolerance=tolerance, span=self.span, calm=calm
        )
        other.samples, other.interval = self.samples, self.interval
        return other
