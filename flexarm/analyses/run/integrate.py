"""One integration of a compiled arm: settings in, samples and an honest status out."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from flexarm.analyses.equilibrium import State
from flexarm.analyses.run.link_frames import lost, nearly_lost
from flexarm.assembly import CompiledArm
from flexarm.core.sweeps.closed import closed_tree
from flexarm.core.time.contacts import NOTHING
from flexarm.core.time.loop import advance
from flexarm.core.time.memory import Alpha, Control, Esdirk4, Memory, Output, alpha_constants, new_memory, new_output
from flexarm.core.tree.elements import own_tree
from flexarm.core.tree.types import (
    DRAWN_IN,
    NOT_CLOSED,
    NOT_CONVERGED,
    NOT_FINITE,
    NOT_POSITIVE,
    OK,
    RUNNING,
    SLID_OUT,
    STEP_UNDERFLOW,
    TOO_MANY_STEPS,
    ClosedTree,
    Floats,
    LinearTree,
    Tree,
)
from flexarm.errors import AnalysisError
from flexarm.model import Simulation

Progress = Callable[[float, float], None]  # time reached and end (s)

# A run of a few hundred steps gathers more than a hundred times the error of one step: so much is left to a step.
STEP_SHARE = 0.006
# Newmark's and the generalised-α method take thousands of steps: theirs may err by a share of the tolerance for each
# share of the run's time. Of a vibration the error at the end is π/2 times the sum of those.
TIME_SHARE = 0.4
# Part of the arm's size to which the stages of a fixed step of an arm with closures are iterated, times the above.
CLOSED_DIGITS = 1e-13
# Where nothing bends nothing limits the step, but the work of the drives still has to be integrated.
GREATEST_SHARE = 1.0 / 64.0
# Part of what a step may err that is left to the iteration of a stage.
ITERATION_SHARE = 0.003
INTERRUPTED = -1
# Part of its length (an element's, in frames of their own) up to which a link may bend in a second-order model before
# that is to blame for a step that fails.
BENT_FAR = 0.15
# The same before it is to blame for inertia that is not positive.
BENT = 0.01

REASONS = {
    NOT_POSITIVE: (
        "singular",
        "the inertia behind a free joint is not positive",
        "giving the joint a rotor_inertia, the motor before a gear some inertia, or the link more mass",
    ),
    NOT_FINITE: (
        "diverged",
        "the motion diverged, its accelerations are no longer finite numbers",
        "a smaller step or tolerance, more damping, or a command and loads the arm can follow",
    ),
    NOT_CONVERGED: (
        "no convergence",
        "the equilibrium iteration of a step did not converge",
        "a smaller step or tolerance, the adaptive esdirk4 stepper where another is chosen, or a gentler command",
    ),
    STEP_UNDERFLOW: (
        "step underflow",
        "the step needed for the tolerance became too small to go on",
        "a larger tolerance, or a look for a command that jumps or a load that grows without bound",
    ),
    TOO_MANY_STEPS: (
        "too many steps",
        "the allowed number of steps is used up",
        "a larger max_steps, a larger tolerance, or fewer elements",
    ),
    DRAWN_IN: (
        "drawn in",
        "a link is drawn in beyond its sleeve's mouth",
        "a command or loads that keep its length outside at 0 m or more, or a stiffer servo",
    ),
    SLID_OUT: (
        "slid out",
        "a link has slid out of its sleeve, its length outside is more than its whole length",
        "a command or loads that keep it in, a longer link, or a stiffer servo",
    ),
    NOT_CLOSED: (
        "not closed",
        "a loop or support cannot stay closed: driven joints move it where it does not close, or to a dead centre",
        "a command that its links can follow, fewer driven joints in the loop, or links that give way",
    ),
    INTERRUPTED: ("interrupted", "interrupted by the user", "running it again with an earlier end"),
}


class RunFailed(AnalysisError):
    """A run did not reach its end; the message has the reason in a sentence."""


@dataclass(frozen=True)
class Settings:
    """How to integrate: times in s, tolerance in m."""

    end: float
    stepper: str = "esdirk4"
    tolerance: float = 1e-6
    step: float | None = None
    spectral_radius: float = 0.8
    max_steps: int = 1_000_000
    greatest_share: float = GREATEST_SHARE

    @property
    def order(self) -> int:
        """The order of the method: halving its steps divides its error by two to that power."""
        return 4 if self.stepper == "esdirk4" else 2

    def tightened(self) -> Settings:
        """Settings of half the step: fixed, or by the part of the tolerance that a method of its order needs."""
        if self.step is not None:
            return replace(self, step=0.5 * self.step, greatest_share=0.5 * self.greatest_share)
        tolerance = self.tolerance / 2.0**self.order
        return replace(self, tolerance=tolerance, greatest_share=0.5 * self.greatest_share)

    def coarsened(self) -> Settings:
        """Settings of twice the step."""
        greatest = 2.0 * self.greatest_share
        if self.step is not None:
            return replace(self, step=2.0 * self.step, greatest_share=greatest)
        return replace(self, tolerance=self.tolerance * 2.0**self.order, greatest_share=greatest)

    def control(self, reach: float) -> Control:
        """The kernel's form of the settings."""
        allowed = STEP_SHARE * self.tolerance
        if self.step is not None:
            # a fixed step is chosen for its own error: the iteration must not add to it
            allowed = min(allowed, 1e-15 * reach)
        common = (
            self.end,
            allowed,
            self.step or 0.0,
            1e-12 * self.end,
            self.greatest_share * self.end,
        )
        if self.stepper == "esdirk4":
            return Esdirk4(*common, ITERATION_SHARE, 12, self.max_steps)
        # Newmark: average acceleration, work of the unbalanced force down to 1e-10 of the first iteration's
        constants = (0.0, 0.0, 0.25, 0.5) if self.stepper == "newmark" else alpha_constants(self.spectral_radius)
        error_time = self.end * STEP_SHARE / TIME_SHARE
        return Alpha(*common, 1e-10, 30, self.max_steps, error_time, 2.0, *constants)


def settings_of(wanted: Simulation) -> Settings:
    """How the model file wants its arm integrated; its end must be given."""
    if wanted.end is None:
        raise AnalysisError(
            "simulation.end is missing, must be given to simulate: in the model file, or as end / --end"
        )
    return Settings(wanted.end, wanted.stepper, wanted.tolerance, wanted.step, wanted.spectral_radius, wanted.max_steps)


@dataclass(frozen=True, eq=False)
class Run:
    """What an integration produced, up to the time it reached."""

    times: Floats
    q: Floats
    v: Floats
    a: Floats
    work: Floats  # drives, loads, dissipated
    status: str
    message: str
    advice: str
    reached: float
    steps: int
    rejected: int
    sweeps: int
    cpu_seconds: float
    most_work: float  # J, greatest of what drives and loads gave and dampers took, at any step
    error_sum: float  # m, errors of all steps as the step control sees them
    x: Floats | None = None  # integrators of the drives (m, servos)
    dense: Run | None = None  # with more samples than are kept, for sensors

    @property
    def ok(self) -> bool:
        """True where the end was reached."""
        return self.status == "ok"


def integrate(
    compiled: CompiledArm,
    start: State,
    settings: Settings,
    times: Floats,
    progress: Progress | None = None,
    *,
    tree: Tree | LinearTree | ClosedTree | None = None,
) -> Run:
    """The arm's motion from a start, sampled at the given times (s, rising, within 0 and the end); `tree` may stand for
    the arm's own.
    """
    if tree is None:
        tree = own_tree(compiled.tree, compiled.loads)
        if compiled.closures is not None:
            tree = closed_tree(tree, compiled.closures.closures, compiled.reach)
    memory = new_memory(tree, compiled.reach)
    state = memory.states
    state.q[:], state.v[:], state.a[:] = start.q, start.v, start.a
    servo = compiled.commands.servo_coordinate
    if start.integral is not None:
        state.x[servo] = start.integral
    output = new_output(times, len(compiled.coordinate_names), len(servo))
    control = settings.control(compiled.reach)
    if compiled.closures is not None and settings.step is not None:
        # responses of closures are those of a step's first stage: its last digits would take too many iterations
        control = control._replace(step_error=max(control.step_error, CLOSED_DIGITS * compiled.reach))
    # no step at all: whatever has to be compiled is compiled here, outside the clock
    advance(tree, compiled.loads, compiled.laws, compiled.commands, control, memory, output, 0)
    before = time.process_time()
    status = _advance(compiled, tree, control, memory, output, progress)
    seconds = time.process_time() - before
    if len(compiled.commands.contact_place):
        # a joint that is held creeps by what is nothing
        for held in (output.q, output.v, output.a):
            held[np.abs(held) < NOTHING] = 0.0
    reached = state.q if np.isfinite(state.q).all() else start.q
    word, message, advice = ("ok", "", "") if status == OK else reason_of(status, compiled, reached)
    count, clock = memory.counts, memory.clocks
    kept = int(count.next_output[0])
    if kept and not np.isfinite(output.q[0]).all():
        # where a run begins is known even if not even its first acceleration is
        output.q[0], output.v[0] = start.q, start.v
    return Run(
        output.time[:kept],
        output.q[:kept],
        output.v[:kept],
        output.a[:kept],
        output.work[:kept],
        word,
        message,
        advice,
        float(clock.time[0]),
        int(count.steps[0]),
        int(count.rejected[0]),
        int(count.sweeps[0]),
        seconds,
        float(memory.energies.most.max()),
        float(clock.error_sum[0]),
        output.x[:kept],
    )


def reason_of(status: int, compiled: CompiledArm, q: Floats) -> tuple[str, str, str]:
    """Word, message and advice for a failure at the coordinates q."""
    if status not in (NOT_POSITIVE, NOT_CONVERGED, NOT_FINITE) or not compiled.spans:
        return REASONS[status]
    reason = lost(compiled, q) if status == NOT_POSITIVE or nearly_lost(compiled, q) else None
    if reason is not None:
        return REASONS[NOT_POSITIVE][0], *reason
    if status == NOT_FINITE:
        return REASONS[status]
    share, span = max(((each.bend(q[None, :]), each) for each in compiled.spans), key=lambda found: found[0])
    if not share > (BENT_FAR if status == NOT_CONVERGED else BENT):
        return REASONS[status]
    whole = "an element's length" if span.frames == "element" else "its length"
    remedy = "more elements" if span.frames == "element" else 'frames = "element" or fewer modes'
    word, message, _ = REASONS[status]
    if status == NOT_POSITIVE:
        message = "the inertia is no longer positive"
    return (
        word,
        f'{message}: link "{span.link}" bends by {share:.2g} of {whole}, beyond the range of its second-order model',
        f"{remedy}, a rotor_inertia or hub at the joint that carries it, or a gentler command",
    )


def _advance(
    compiled: CompiledArm,
    tree: Tree | LinearTree | ClosedTree,
    control: Control,
    memory: Memory,
    output: Output,
    progress: Progress | None,
) -> int:
    """Steps in portions, so that progress is seen and Ctrl-C is heard."""
    portion = max(100, 200_000 // max(len(compiled.coordinate_names), 1))
    try:
        while True:
            status = advance(tree, compiled.loads, compiled.laws, compiled.commands, control, memory, output, portion)
            if progress is not None:
                progress(float(memory.clocks.time[0]), control.t_end)
            if status != RUNNING:
                return int(status)
    except KeyboardInterrupt:
        return INTERRUPTED


def sample_times(end: float, interval: float) -> Floats:
    """Sampling times (s): an even grid from 0 to the end, the end itself included."""
    count = max(1, round(end / interval))
    if abs(count * interval - end) <= 1e-9 * end:
        return np.linspace(0.0, end, count + 1)
    return np.append(np.arange(0.0, end, interval), end)
