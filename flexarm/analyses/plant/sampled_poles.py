"""Poles of an arm in loops closed by sampled controllers, delays included (NOTATION L4)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from flexarm.analyses.linearise import linearise
from flexarm.analyses.plant.controller import Bound, Controller, bound_to
from flexarm.analyses.plant.from_model import controllers_on
from flexarm.analyses.plant.linear_law import LinearLaw, ScheduledLaw
from flexarm.analyses.plant.linear_plant import SAME, Seen, flow, seen_of
from flexarm.analyses.plant.torque_driven import driven_by_torque
from flexarm.analyses.signals.names import canonical
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.model import Arm
from flexarm.model.reading.given import ArmLike, Posture, arm_of
from flexarm.results import LinearModel


def sampled_poles(
    arm: ArmLike, controllers: Sequence[Controller] | None = None, posture: Posture | None = None
) -> np.ndarray:
    """Poles z of the sampled loop, largest first: it is stable where all are within the unit circle.

    The arm is linearised at rest at a posture and taken from sample to sample exactly, torques held, delays of any
    length included: eigenvalues of the map of arm, controllers and torques on their way over one sample. A pole z is
    the pole ln(z)/sample in continuous time. Limits of torques do not count.

    Parameters
    ----------
    arm
        An arm, or the path of its model file.
    controllers
        Linear ones (StateFeedback, StateSpace, PID), all with the same sample; default: those of the model file.
    posture
        Joints by name (numbers or texts with a unit); default: where the arm starts.

    Returns
    -------
    numpy.ndarray
        Complex poles.

    Examples
    --------
    >>> import flexarm as fa
    >>> poles = fa.sampled_poles("flexible_link.toml", [fa.StateFeedback([[40, 5]], sample="2 ms", delay="1 sample")])
    >>> bool(abs(poles[0]) < 1)
    True
    """
    given = arm_of(arm)
    return poles_of(given, bound_to(given, controllers_on(given, controllers)), posture)


def poles_of(
    arm: Arm, loops: Sequence[Bound], posture: Posture | None = None, model: LinearModel | None = None
) -> np.ndarray:
    """The same of controllers that are on the arm, whose linear model may be at hand."""
    poles = np.linalg.eigvals(SampledLoop(arm, loops, posture, model).map())
    return np.asarray(poles[np.argsort(-np.abs(poles), kind="stable")])


def loop_model(arm: Arm, links: Sequence[str], posture: Posture | None) -> LinearModel:
    """The arm linearised at rest at a posture, with torques of these links as inputs."""
    return linearise(driven_by_torque(arm, links), joints="driven", posture=posture)


class SampledLoop:
    """An arm linearised in the loops of linear controllers that share their sample."""

    def __init__(
        self, arm: Arm, loops: Sequence[Bound], posture: Posture | None = None, model: LinearModel | None = None
    ) -> None:
        self.sample, self.loops = loops[0].sample, loops
        for each in loops:
            if not isinstance(each.law, LinearLaw | ScheduledLaw):
                raise AnalysisError(
                    "a controller is a function, must be linear for its poles: StateFeedback, StateSpace, PID"
                )
            if abs(each.sample - self.sample) > SAME * self.sample:
                raise AnalysisError(
                    "controllers have different samples, must have the same for the poles of their loop"
                )
        links = [link for each in loops for link in each.links]
        model = loop_model(arm, links, posture) if model is None else model
        columns = [Seen.column(model, link) for link in links]
        self.A, self.B = model.A, model.B[:, columns]
        self.seen = [seen_of(model, each.inputs, columns) for each in loops]
        self.laws = [_linear(each, model) for each in loops]

    def flow(self, span: float) -> tuple[Floats, Floats]:
        """Φ and Γ over a time (s) in which the torques are held (L1)."""
        return flow(self.A, self.B, span)

    def map(self) -> Floats:
        """What a sample makes of the arm's states, the torques that act, the controllers' states, and the torques on
        their way: one matrix (L4).
        """
        loops, laws = self.loops, self.laws
        waiting = [math.floor(each.delay + SAME) for each in loops]
        late = [max(each.delay - count, 0.0) for each, count in zip(loops, waiting, strict=True)]
        sizes = [len(self.A), self.B.shape[1], *(law.states for law in laws)]
        sizes += [count * len(each.links) for count, each in zip(waiting, loops, strict=True)]
        ends = np.cumsum(sizes)
        # each part of the state in terms of all of it, before the sample
        parts = [np.eye(ends[-1])[end - size : end] for end, size in zip(ends, sizes, strict=True)]
        x, u = parts[0], parts[1].copy()
        first = np.concatenate([[0], np.cumsum([len(each.links) for each in loops])])
        departures = [C @ x + D @ u for C, D in self.seen]
        states, queues, events = [], [], []
        for k, (law, e) in enumerate(zip(laws, departures, strict=True)):
            before = parts[2 + k]
            queue = [*np.split(parts[2 + len(loops) + k], waiting[k])] if waiting[k] else []
            queue.append(law.C @ before + law.D @ e)
            states.append(law.A @ before + law.B @ e)
            events.append((late[k] if late[k] > SAME else 0.0, k, queue.pop(0)))
            queues += queue
        now = 0.0
        for when, k, torques in sorted(events, key=lambda event: event[:2]):
            if when > now:
                phi, gamma = self.flow((when - now) * self.sample)
                x, now = phi @ x + gamma @ u, when
            u[first[k] : first[k + 1]] = torques
        phi, gamma = self.flow((1.0 - now) * self.sample)
        return np.vstack([phi @ x + gamma @ u, u, *states, *queues])


def _linear(each: Bound, model: LinearModel) -> LinearLaw:
    """The law where the arm stands; of a schedule the gains of that posture."""
    if isinstance(each.law, ScheduledLaw):
        owner = canonical(each.inputs[each.law.scheduled]).rpartition(".")[0]
        return each.law.at(model.operating_point.get(owner, 0.0))
    assert isinstance(each.law, LinearLaw)
    return each.law
