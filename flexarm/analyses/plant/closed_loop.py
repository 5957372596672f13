"""An arm run with sampled controllers in its loops: sampling instants and changes of torques are ends of steps."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from heapq import heappop, heappush

import numpy as np

from flexarm.analyses.equilibrium import State
from flexarm.analyses.plant.controller import Bound
from flexarm.analyses.plant.sampled_poles import poles_of
from flexarm.analyses.plant.stepper import Stepper
from flexarm.analyses.plant.torque_driven import driven_by_torque
from flexarm.analyses.run.integrate import INTERRUPTED, Progress, Run
from flexarm.assembly import compile_arm
from flexarm.core.tree.types import OK, Floats
from flexarm.errors import AnalysisError, FlexarmError
from flexarm.model import Arm
from flexarm.model.laws.torque import TorqueTable

# Events closer than this part of a sample are one.
SAME = 1e-9
# Stretches between two words of progress.
_PORTION = 1000


class Schedule:
    """When controllers measure and when their torques change, in order of time; the one place that knows both.

    `measure(k, t)` returns the torques that controller k finds at t, `apply(k, u)` lets them act.
    """

    def __init__(
        self,
        loops: Sequence[Bound],
        measure: Callable[[int, float], Floats],
        apply: Callable[[int, Floats], None],
    ) -> None:
        self.loops, self.measure, self.apply = loops, measure, apply
        self._same = SAME * min(each.sample for each in loops)
        self._number = 0
        # time, order (torques that come due act before anything is measured), a number, controller, sample or torques
        self._queue: list[tuple[float, int, int, int, int, Floats]] = []
        for k in range(len(loops)):
            self._put(0.0, 1, k, 0)

    def _put(self, when: float, order: int, k: int, count: int, torques: Floats | None = None) -> None:
        self._number += 1
        heappush(self._queue, (when, order, self._number, k, count, np.zeros(0) if torques is None else torques))

    @property
    def next(self) -> float:
        """When something happens next (s)."""
        return self._queue[0][0]

    def happen(self, t: float) -> None:
        """Let happen what is due at t."""
        while self.next <= t + self._same:
            _, order, _, k, count, torques = heappop(self._queue)
            if order == 0:
                self.apply(k, torques)
                continue
            loop = self.loops[k]
            found = self.measure(k, count * loop.sample)
            if loop.delay == 0.0:
                self.apply(k, found)
            else:
                self._put((count + loop.delay) * loop.sample, 0, k, 0, found)
            self._put((count + 1) * loop.sample, 1, k, count + 1)


class ClosedLoop:
    """An arm with its controllers, run once; `course` has the torques (changes, links) from `times` on."""

    def __init__(self, arm: Arm, loops: Sequence[Bound], tolerance: float, times: Floats) -> None:
        self.given, self.loops = arm, list(loops)
        self.links = [link for each in loops for link in each.links]
        self.arm = driven_by_torque(arm, self.links)
        signals = [name for each in loops for name in each.inputs]
        shortest = min(each.sample for each in loops)
        compiled = compile_arm(self.arm)
        step = arm.simulation.step
        self.stepper = Stepper(compiled, self.links, signals, shortest, tolerance, times, step)
        self.begun: list[float] = []
        self.course: list[Floats] = []

    def run(self, start: str | Mapping[str, float], end: float, progress: Progress | None) -> tuple[Run, State]:
        """The run up to its end, or as far as it got, and the state it began with."""
        stepper, loops = self.stepper, self.loops
        state, u = stepper.begin(start)
        places, torques = self._slices()
        y = np.zeros(len(stepper.outputs.names))
        memories: list[Floats | None] = [None] * len(loops)
        failure = ("ok", "", "")

        def measure(k: int, t: float) -> Floats:
            e, law, states = loops[k].departure(t, y[places[k]]), loops[k].law, memories[k]
            found, memories[k] = law.update(t, e, law.begin(e) if states is None else states, loops[k].limit)
            if found.shape != (len(loops[k].links),) or not np.isfinite(found).all():
                raise _Refused(f"the controller of {', '.join(loops[k].links)} gave {found.tolist()} at {t:.6g} s")
            return found

        def apply(k: int, found: Floats) -> None:
            u[torques[k]] = found

        before = time.process_time()
        schedule = Schedule(loops, measure, apply)
        sweeps, steps, stretches = 0, 0, 0
        try:
            status = stepper.advance(u, 0.0, y)
            now = 0.0
            while status == OK and now < end:
                schedule.happen(now)
                self._note(now, u)
                now = min(schedule.next, end)
                status = stepper.advance(u, now, y)
                steps += int(stepper.memory.counts.steps[0])
                stretches += 1
                if progress is not None and stretches % _PORTION == 0:
                    progress(now, end)
            if status != OK:
                failure = self._reason(stepper.reason(status))
        except _Refused as refused:
            failure = ("not a number", f"{refused}, which must be finite numbers", "gains the loop is stable with")
        except KeyboardInterrupt:
            failure = stepper.reason(INTERRUPTED)
        sweeps = int(stepper.memory.counts.sweeps[0])
        return self._run(failure, steps, sweeps, time.process_time() - before), state

    def _reason(self, found: tuple[str, str, str]) -> tuple[str, str, str]:
        """Word, message and advice, which name the loop where it is unstable by its poles."""
        try:
            radius = float(abs(poles_of(self.given, self.loops)[0]))
        except FlexarmError:  # no linear controllers, different samples, no equilibrium: nothing can be said
            return found
        if radius <= 1.0:
            return found
        word, message, _ = found
        loop = f"the sampled loop is unstable, its largest pole has the size {radius:.4g}, which must be < 1"
        return word, f"{message}; {loop}", "smaller gains, a shorter sample or less delay"

    def _slices(self) -> tuple[list[slice], list[slice]]:
        """Which of all signals each controller measures, and which of all torques it gives."""
        found: tuple[list[slice], list[slice]] = ([], [])
        first = [0, 0]
        for each in self.loops:
            for k, names in enumerate((each.inputs, each.links)):
                found[k].append(slice(first[k], first[k] + len(names)))
                first[k] += len(names)
        return found

    def _note(self, t: float, u: Floats) -> None:
        if not self.course or not np.array_equal(self.course[-1], u):
            self.begun.append(t)
            self.course.append(u.copy())

    def _run(self, failure: tuple[str, str, str], steps: int, sweeps: int, seconds: float) -> Run:
        stepper, memory, output = self.stepper, self.stepper.memory, self.stepper.output
        count, clock = memory.counts, memory.clocks
        kept = int(count.next_output[0])
        status, message, advice = failure
        return Run(
            output.time[:kept],
            output.q[:kept],
            output.v[:kept],
            output.a[:kept],
            output.work[:kept],
            status,
            message,
            advice,
            stepper.time,
            steps,
            int(count.rejected[0]),
            sweeps,
            seconds,
            float(memory.energies.most.max()),
            float(clock.error_sum[0]),
            output.x[:kept],
        )

    def replayed(self) -> Arm:
        """The arm with the torques its controllers gave as laws of time: it moves as the loop did."""
        laws = []
        for k, link in enumerate(self.links):
            values = np.array([u[k] for u in self.course])
            changed = np.append(True, np.diff(values) != 0.0)
            times, values = np.array(self.begun)[changed], values[changed]
            if len(times) < 2:
                times, values = np.append(times, times[-1] + 1.0), np.append(values, values[-1])
            unit = "N" if self.given.link(link).joint.unit == "m" else "N m"
            laws.append(TorqueTable(times=times.tolist(), values=values.tolist(), interpolation="steps", unit=unit))
        return driven_by_torque(self.given, self.links, laws)


class _Refused(Exception):
    """A controller gave what is no torque."""


def check_samples(loops: Sequence[Bound], end: float) -> None:
    """Refuse a sample longer than the run."""
    for each in loops:
        if each.sample > end:
            raise AnalysisError(f"sample is {each.sample:.6g} s, must be ≤ end, {end:.6g} s")
