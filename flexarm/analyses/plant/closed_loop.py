"""An arm run with sampled controllers in its loops: sampling instants and changes of torques are ends of steps."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

import numpy as np

from flexarm.analyses.equilibrium import State
from flexarm.analyses.plant.controller import Bound
from flexarm.analyses.plant.loop_record import loops_of
from flexarm.analyses.plant.measuring import Measuring
from flexarm.analyses.plant.sampled_law import FunctionLaw
from flexarm.analyses.plant.sampled_poles import poles_of
from flexarm.analyses.plant.stepper import Stepper
from flexarm.analyses.plant.torque_driven import driven_by_torque
from flexarm.analyses.run.integrate import INTERRUPTED, Progress, Run
from flexarm.assembly import compile_arm
from flexarm.core.time.hold import NOT_A_NUMBER
from flexarm.core.time.sampled import ASK, ASKS_LAW, ASKS_SIGNALS, RAISED, sampled_of
from flexarm.core.tree.types import OK, RUNNING, Floats
from flexarm.errors import AnalysisError, FlexarmError
from flexarm.model import Arm
from flexarm.model.laws.torque import TorqueTable

# Stretches between two words of progress.
_PORTION = 2000


class ClosedLoop:
    """An arm with its controllers, run once."""

    def __init__(self, arm: Arm, loops: Sequence[Bound], tolerance: float, times: Floats, end: float) -> None:
        self.given, self.bound, self.end = arm, list(loops), end
        self.links = [link for each in loops for link in each.links]
        self.arm = driven_by_torque(arm, self.links)
        signals = [name for each in loops for name in each.inputs]
        shortest = min(each.sample for each in loops)
        compiled = compile_arm(self.arm)
        periods = [each.sample for each in loops for _ in each.inputs]
        self.measuring = Measuring(arm, signals, periods)
        words = self.measuring.words
        self.stepper = Stepper(compiled, self.links, words, shortest, tolerance, times, arm.simulation.step)
        self.loops = loops_of(self.bound, end, {*self.stepper.outputs.others, *self.measuring.chains})
        self.kernel, self.record = sampled_of(self.stepper.held, self.loops)

    def run(self, start: str | Mapping[str, float], progress: Progress | None) -> tuple[Run, State]:
        """The run up to its end, or as far as it got, and the state it began with."""
        stepper, loops, end = self.stepper, self.loops, self.end
        state, loops.u[:] = stepper.begin(start)
        loops.given[:] = loops.u
        failure = ("ok", "", "")
        before, now = time.process_time(), 0.0
        try:
            status = stepper.advance(loops.u, now, loops.y)
            status = RUNNING if status == OK else status
            while status == RUNNING:
                status, now = self.kernel(self.record, now, end, _PORTION)
                if status == ASK:
                    self._answer(int(loops.tally[1]), now)
                    status = RUNNING
                elif progress is not None:
                    progress(now, end)
            if status in (NOT_A_NUMBER, RAISED):
                failure = self._refused(status)
            elif status != OK:
                failure = self._reason(stepper.reason(status))
        except _Raised as raised:
            failure = ("law failed", str(raised), "a law that has an answer at every sample")
        except KeyboardInterrupt:
            failure = stepper.reason(INTERRUPTED)
        return self._run(failure, time.process_time() - before), state

    def _answer(self, k: int, now: float) -> None:
        """Fill the signals of controller k, and what its law gives, for the kernel to go on with."""
        loops, each = self.loops, self.bound[k]
        if loops.asks[k] & ASKS_SIGNALS:
            self.stepper.outputs.fill(self.stepper.memory, now, loops.y)
            self.measuring.read(loops.y, range(loops.first_input[k], loops.first_input[k + 1]))
        if loops.asks[k] & ASKS_LAW:
            y, u, x = self._at(k)
            u[:] = 0.0
            assert isinstance(each.law, FunctionLaw)
            try:
                each.law.call(self._instant(k), y.copy(), u, x)
            except FlexarmError:
                raise
            except Exception as error:
                raise _Raised(self._sentence(k, error)) from error
        loops.tally[4] = 1

    def _at(self, k: int) -> tuple[Floats, Floats, Floats]:
        """What controller k measures, the torques it wants, and its states."""
        of = self.loops
        spans = ((of.y, of.first_input), (of.wanted, of.first_output), (of.x, of.first_state))
        y, u, x = (values[first[k] : first[k + 1]] for values, first in spans)
        return y, u, x

    def _instant(self, k: int) -> float:
        loops = self.loops
        return float(loops.instant[loops.first_instant[k] + loops.measured[k]])

    def _sentence(self, k: int, error: Exception) -> str:
        law = self.bound[k].law
        name = getattr(getattr(law, "function", None), "__name__", "the law")
        return f"{name} raised {type(error).__name__} at {self._instant(k):.6g} s: {error}"

    def _refused(self, status: int) -> tuple[str, str, str]:
        """Word, message and advice where a law failed."""
        loops, k = self.loops, int(self.loops.tally[1])
        each = self.bound[k]
        if status == RAISED:
            y, u, x = (part.copy() for part in self._at(k))
            u[:] = 0.0
            try:
                assert isinstance(each.law, FunctionLaw)
                each.law.function(self._instant(k), y, u, x)
                text = f"the compiled law of {', '.join(each.links)} raised an exception at {self._instant(k):.6g} s"
            except Exception as error:  # whatever a user's law raises
                text = self._sentence(k, error)
            return "law failed", text, "a law that has an answer at every sample"
        found = loops.given[loops.first_output[k] : loops.first_output[k + 1]].tolist()
        when = loops.instant[loops.first_instant[k] + loops.measured[k] - 1]
        text = f"the controller of {', '.join(each.links)} gave {found} at {when:.6g} s, which must be finite numbers"
        return "not a number", text, "gains the loop is stable with"

    def _reason(self, found: tuple[str, str, str]) -> tuple[str, str, str]:
        """Word, message and advice, which name the loop where it is unstable by its poles."""
        try:
            radius = float(abs(poles_of(self.given, self.bound)[0]))
        except FlexarmError:  # no linear controllers, different samples, no equilibrium: nothing can be said
            return found
        if radius <= 1.0:
            return found
        word, message, _ = found
        loop = f"the sampled loop is unstable, its largest pole has the size {radius:.4g}, which must be < 1"
        return word, f"{message}; {loop}", "smaller gains, a shorter sample or less delay"

    def _run(self, failure: tuple[str, str, str], seconds: float) -> Run:
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
            int(self.loops.tally[2]),
            int(count.rejected[0]),
            int(count.sweeps[0]),
            seconds,
            float(memory.energies.most.max()),
            float(clock.error_sum[0]),
            output.x[:kept],
        )

    def replayed(self) -> Arm:
        """The arm with the torques its controllers gave as laws of time: it moves as the loop did."""
        laws = []
        changes = int(self.loops.tally[0])
        for k, link in enumerate(self.links):
            values, times = self.loops.course[:changes, k], self.loops.changed[:changes]
            changed = np.append(True, np.diff(values) != 0.0)[: len(values)]
            times, values = times[changed], values[changed]
            if len(times) == 0:
                times, values = np.zeros(1), np.zeros(1)
            if len(times) < 2:
                times, values = np.append(times, times[-1] + 1.0), np.append(values, values[-1])
            unit = "N" if self.given.link(link).joint.unit == "m" else "N m"
            laws.append(TorqueTable(times=times.tolist(), values=values.tolist(), interpolation="steps", unit=unit))
        return driven_by_torque(self.given, self.links, laws)


class _Raised(Exception):
    """A law raised an exception."""


def check_samples(loops: Sequence[Bound], end: float) -> None:
    """Refuse a sample longer than the run."""
    for each in loops:
        if each.sample > end:
            raise AnalysisError(f"sample is {each.sample:.6g} s, must be ≤ end, {end:.6g} s")
