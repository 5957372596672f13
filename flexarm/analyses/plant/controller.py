"""What every sampled controller shares: signals in, torques out, held until the next ones (NOTATION 17)."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike

from flexarm.analyses.plant.measuring import gain_of, sensor_named
from flexarm.analyses.signals.names import canonical
from flexarm.core.tree.types import Floats, Ints
from flexarm.errors import AnalysisError
from flexarm.model import Arm
from flexarm.model.laws.pieces import Pieces
from flexarm.model.reading.given import quantity_of
from flexarm.model.reading.messages import quoted, shown

if TYPE_CHECKING:
    from flexarm.analyses.plant.state_space import StateSpace


class Law(Protocol):
    """What a controller does from sample to sample: a LinearLaw, a ScheduledLaw, or a FunctionLaw."""

    @property
    def states(self) -> int:
        """How many numbers it keeps from sample to sample."""

    @property
    def holds(self) -> Ints:
        """(states,) the torque whose limit stops a state, −1 for none."""


class Aim(NamedTuple):
    """What a signal is to be: a law over time or its derivative of this order, or a constant."""

    law: Pieces | None = None
    order: int = 0
    level: float = 0.0


@dataclass(frozen=True, eq=False)
class Bound:
    """A controller on an arm: the links it pushes, what it measures, and its law."""

    sample: float  # s
    delay: float  # samples from measuring to the torque
    inputs: tuple[str, ...]  # signals
    links: tuple[str, ...]
    law: Law
    reference: Sequence[Aim]  # (inputs,)
    limit: Floats  # (links,) greatest size of each torque
    slew: Floats  # (links,) greatest change in a second
    jitter: float = 0.0  # s, how late a sample may be at most
    seed: int = 0
    forward: Sequence[Pieces | None] = ()  # (links,) laws over time that are added

    def instants(self, end: float) -> Floats:
        """When it measures before `end` (s)."""
        times = np.arange(math.ceil(end / self.sample + 1e-9)) * self.sample
        late = np.random.default_rng(self.seed).uniform(0.0, self.jitter, len(times)) if self.jitter else 0.0
        return np.asarray(times + late)


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
        rate_limit: ArrayLike | None = None,
        jitter: float | str = 0.0,
        seed: int = 0,
    ) -> None:
        self.sample = quantity_of(sample, "s", "sample", above=0)
        self.delay = in_samples(delay, self.sample)
        for name, words in (("inputs", inputs), ("outputs", outputs)):
            if isinstance(words, str):
                raise AnalysisError(f"{name} is {quoted(words)}, must be a list of names")
        self.inputs = None if inputs is None else tuple(inputs)
        self.outputs = None if outputs is None else tuple(outputs)
        self.limit, self.rate_limit = _bounds(limit, "limit"), _bounds(rate_limit, "rate_limit")
        self.jitter = quantity_of(jitter, "s", "jitter", least=0)
        if self.jitter >= self.sample:
            raise AnalysisError(f"jitter is {self.jitter:g} s, must be < sample, {self.sample:g} s")
        self.seed = seed

    @abstractmethod
    def on(self, arm: Arm) -> Bound:
        """The controller with its signals and torques found on an arm."""

    def _bound(
        self,
        arm: Arm,
        links: Sequence[str],
        inputs: Sequence[str],
        law: Law,
        reference: Sequence[Aim] | None = None,
        forward: Sequence[Pieces | None] = (),
    ) -> Bound:
        aim = reference_of(arm, inputs) if reference is None else reference
        limit, slew = _spread(self.limit, len(links), "limit"), _spread(self.rate_limit, len(links), "rate_limit")
        timing = (self.jitter, self.seed)
        return Bound(self.sample, self.delay, tuple(inputs), tuple(links), law, aim, limit, slew, *timing, forward)

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


def reference_of(arm: Arm, inputs: Sequence[str]) -> list[Aim]:
    """What the signals are to be over time: positions and rates of joints as commanded, and what sensors read of them;
    all others zero.
    """
    links = {link.name: link for link in arm.links}
    found = []
    for word in inputs:
        sensor = sensor_named(arm, word)
        if sensor is not None:
            source, gain = gain_of(arm, sensor)
            aim = reference_of(arm, [source])[0]
            found.append(Aim(None if aim.law is None else aim.law.scaled(gain), aim.order, gain * aim.level))
            continue
        owner, _, what = canonical(word).rpartition(".")
        aim = Aim()
        if owner in links and what in ("position", "rate"):
            motion = arm.motion_of(links[owner])
            level = links[owner].joint.at if what == "position" and motion is None else 0.0
            aim = Aim(motion, ("position", "rate").index(what), level)
        found.append(aim)
    return found


def _bounds(given: ArrayLike | None, name: str) -> Floats | None:
    try:
        found = None if given is None else np.asarray(given, float)
    except (TypeError, ValueError):
        found = np.array(np.nan)
    if found is not None and not np.all(found > 0.0):
        raise AnalysisError(f"{name} is {shown(given)}, must be > 0")
    return found


def _spread(bounds: Floats | None, count: int, name: str) -> Floats:
    if bounds is not None and bounds.size not in (1, count):
        raise AnalysisError(f"{name} has {bounds.size} numbers, must have 1 or {count}")
    return np.full(count, np.inf) if bounds is None else np.broadcast_to(bounds, (count,)).copy()


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
