"""What every sampled controller shares: signals in, torques out, held until the next ones (NOTATION 17)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.model import Arm
from flexarm.model.laws.pieces import Pieces
from flexarm.model.reading.given import quantity_of
from flexarm.model.reading.messages import quoted, shown

if TYPE_CHECKING:
    from flexarm.analyses.plant.state_space import StateSpace


class Law(Protocol):
    """From sample to sample: departures of what is measured and states in, torques and new states out."""

    @property
    def states(self) -> int:
        """How many numbers it keeps from sample to sample."""

    def begin(self, e: Floats) -> Floats:
        """The states (states,) before the first sample."""

    def update(self, t: float, e: Floats, x: Floats, limit: Floats) -> tuple[Floats, Floats]:
        """Torques (outputs,) within their limits, and the new states."""


@dataclass(frozen=True, eq=False)
class Bound:
    """A controller on an arm: the links it pushes, what it measures, and its law."""

    sample: float  # s
    delay: float  # samples from measuring to the torque
    inputs: tuple[str, ...]  # signals
    links: tuple[str, ...]
    law: Law
    reference: Callable[[float], Floats]
    limit: Floats  # (links,) greatest size of each torque

    def departure(self, t: float, measured: Floats) -> Floats:
        """What is measured (inputs,) at t, less what it is to be."""
        return measured - self.reference(t)


class Controller(ABC):
    """What every controller shares.

    At every sampling instant k·sample it measures the signals `inputs`; the torques it finds act from k·sample + delay
    on, and are held. What it is told of a signal is its departure from the reference: of the position and the rate of
    a joint the motion that the model file commands to it, or where it starts if there is none; zero of all else.
    """

    def __init__(
        self,
        sample: float | str,
        delay: float | str,
        inputs: Sequence[str] | None,
        outputs: Sequence[str] | None,
        limit: ArrayLike | None,
    ) -> None:
        self.sample = quantity_of(sample, "s", "sample", above=0)
        self.delay = in_samples(delay, self.sample)
        for name, words in (("inputs", inputs), ("outputs", outputs)):
            if isinstance(words, str):
                raise AnalysisError(f"{name} is {quoted(words)}, must be a list of names")
        self.inputs = None if inputs is None else tuple(inputs)
        self.outputs = None if outputs is None else tuple(outputs)
        self.limit = None if limit is None else np.asarray(limit, float)
        if self.limit is not None and not np.all(self.limit > 0.0):
            raise AnalysisError(f"limit is {shown(limit)}, must be > 0")

    @abstractmethod
    def on(self, arm: Arm) -> Bound:
        """The controller with its signals and torques found on an arm."""

    def _bound(
        self,
        arm: Arm,
        links: Sequence[str],
        inputs: Sequence[str],
        law: Law,
        reference: Callable[[float], Floats] | None = None,
    ) -> Bound:
        limit = np.full(len(links), np.inf)
        if self.limit is not None:
            if self.limit.size not in (1, len(links)):
                raise AnalysisError(f"limit has {self.limit.size} numbers, must have 1 or {len(links)}")
            limit[:] = self.limit
        aim = reference_of(arm, inputs) if reference is None else reference
        return Bound(self.sample, self.delay, tuple(inputs), tuple(links), law, aim, limit)

    @staticmethod
    def from_control(
        system: Any,
        inputs: Sequence[str] | None = None,
        outputs: Sequence[str] | None = None,
        *,
        sample: float | str | None = None,
        delay: float | str = 0.0,
        limit: ArrayLike | None = None,
    ) -> StateSpace:
        """The controller that a system of python-control or scipy.signal is: torques from departures.

        A departure is what is measured less its reference, so that a system which damps has negative gains.

        Parameters
        ----------
        system
            A state space or transfer function of `control` or `scipy.signal`. The `dt` of one in discrete time is the
            sample.
        inputs, outputs, delay, limit
            As for every StateSpace.
        sample
            Time (s) between two samples of a system in continuous time, which is made a sampled one by Tustin's rule.

        Examples
        --------
        >>> import flexarm as fa
        >>> from scipy.signal import StateSpace
        >>> lag = StateSpace([[-200.0]], [[0.0, -1000.0]], [[1.0]], [[-40.0, 0.0]])
        >>> loop = fa.Controller.from_control(lag, ["link.position", "link.rate"], sample="1 ms")
        >>> f"{fa.simulate('flexible_link.toml', controllers=[loop])['link.position'][-1]:.3f} rad"
        '1.047 rad'
        """
        from flexarm.analyses.plant.foreign_systems import sampled_matrices

        matrices, period = sampled_matrices(
            system, None if sample is None else quantity_of(sample, "s", "sample", above=0)
        )
        from flexarm.analyses.plant.state_space import StateSpace

        return StateSpace(*matrices, period, inputs, outputs, delay=delay, limit=limit)


def in_samples(delay: float | str, sample: float) -> float:
    """A delay in samples, from seconds or a text such as "0.5 sample"."""
    if isinstance(delay, str) and delay.strip().removesuffix("s").endswith("sample"):
        word = delay.strip().removesuffix("s").removesuffix("sample").strip()
        try:
            found = float(word)
        except ValueError:
            found = -1.0
        if not 0.0 <= found < np.inf:
            raise AnalysisError(f'delay is {quoted(delay)}, must be a number of samples such as "1 sample", or a time')
        return found
    share = quantity_of(delay, "s", "delay", least=0) / sample
    # a delay of whole samples is one to the last bit: torques and samples then change at the same instants
    return float(round(share)) if abs(share - round(share)) < 1e-9 * max(share, 1.0) else share


def reference_of(arm: Arm, inputs: Sequence[str]) -> Callable[[float], Floats]:
    """What the signals are to be over time: positions and rates of joints as commanded, all others zero."""
    laws: list[tuple[int, int, Pieces]] = []
    links = {link.name: link for link in arm.links}
    level = np.zeros(len(inputs))
    for k, word in enumerate(inputs):
        owner, _, what = word.rpartition(".")
        if owner not in links or what not in ("position", "rate"):
            continue
        motion = arm.motion_of(links[owner])
        if motion is not None:
            laws.append((k, ("position", "rate").index(what), motion))
        elif what == "position":
            level[k] = links[owner].joint.at

    def reference(t: float) -> Floats:
        found = level.copy()
        for k, order, motion in laws:
            found[k] = motion.evaluate(t)[order]
        return found

    return reference


def bound_to(arm: Arm, controllers: Sequence[Controller]) -> list[Bound]:
    """The controllers on an arm; a torque that two of them give is refused."""
    found: list[Bound] = []
    taken: set[str] = set()
    if isinstance(controllers, Controller):
        raise AnalysisError("controllers is one controller, must be a list of them")
    for each in controllers:
        if not isinstance(each, Controller):
            raise AnalysisError(f"a controller is {shown(each)}, must be one such as StateFeedback, StateSpace or PID")
        one = each.on(arm)
        for link in one.links:
            if link in taken:
                raise AnalysisError(f'two controllers give "{link}.torque", must be one')
            taken.add(link)
        found.append(one)
    if not found:
        raise AnalysisError("controllers is empty, must hold one at least")
    return found
