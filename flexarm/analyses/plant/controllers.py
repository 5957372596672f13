"""Sampled controllers: measured signals in, torques out, held until the next ones (NOTATION 41)."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from flexarm.analyses.plant.torque_driven import driven_joints, input_links
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.model import Arm
from flexarm.model.laws.pieces import Pieces
from flexarm.model.reading.given import quantity_of
from flexarm.model.reading.messages import quoted, shown

Law = Callable[[float, Floats, Floats, Floats], None]


@dataclass(frozen=True, eq=False)
class Bound:
    """A controller on an arm: the links it pushes, what it measures, and its course from sample to sample."""

    sample: float  # s
    delay: float  # samples from measuring to the torque
    inputs: tuple[str, ...]  # signals
    links: tuple[str, ...]
    states: int
    update: Callable[[float, Floats, Floats], tuple[Floats, Floats]]  # t, measured, states → torques, new states
    reference: Callable[[float], Floats]
    limit: Floats  # (links,) greatest size of each torque
    linear: bool

    def torques(self, t: float, measured: Floats, states: Floats) -> tuple[Floats, Floats]:
        """Torques (links,) within their limits, and the new states, from what is measured at t."""
        u, new = self.update(t, measured - self.reference(t), states)
        return np.clip(u, -self.limit, self.limit), new


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
        self.delay = _samples(delay, self.sample)
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

    def _bound(self, arm: Arm, links: Sequence[str], inputs: Sequence[str], **law: Any) -> Bound:
        limit = np.full(len(links), np.inf)
        if self.limit is not None:
            if self.limit.size not in (1, len(links)):
                raise AnalysisError(f"limit has {self.limit.size} numbers, must have 1 or {len(links)}")
            limit[:] = self.limit
        reference = law.pop("reference", None) or reference_of(arm, inputs)
        return Bound(self.sample, self.delay, tuple(inputs), tuple(links), reference=reference, limit=limit, **law)


def _samples(delay: float | str, sample: float) -> float:
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


class StateSpace(Controller):
    """A sampled linear controller: x⁺ = A x + B e, u = C x + D e, with e what is measured less its reference.

    Parameters
    ----------
    A, B, C, D
        Matrices of the difference equations; a controller without states has D alone, the others None.
    sample
        Time (s) between two samples.
    inputs
        Signals that are measured, such as ["hub.position", "root.strain"]; as many as B has columns.
    outputs
        Torques it gives, such as ["hub.torque"]; default: those of all driven joints.
    delay
        From measuring to the torque: a time (s), or samples such as "0.5 sample".
    limit
        Greatest size of the torques, N m or N: one number, or one each.

    Examples
    --------
    >>> import flexarm as fa
    >>> lead = fa.StateSpace(None, None, None, [[-40.0, -5.0]], sample="1 ms", inputs=["link.position", "link.rate"])
    >>> run = fa.simulate("flexible_link.toml", controllers=[lead])
    >>> f"{run['link.position'][-1]:.3f} rad"
    '1.047 rad'
    """

    def __init__(
        self,
        A: ArrayLike | None,
        B: ArrayLike | None,
        C: ArrayLike | None,
        D: ArrayLike,
        sample: float | str,
        inputs: Sequence[str] | None = None,
        outputs: Sequence[str] | None = None,
        *,
        delay: float | str = 0.0,
        limit: ArrayLike | None = None,
    ) -> None:
        super().__init__(sample, delay, inputs, outputs, limit)
        self.D = _matrix(D, "D")
        rows, columns = self.D.shape
        n = 0 if A is None else len(np.atleast_1d(A))
        shapes = {"A": (A, (n, n)), "B": (B, (n, columns)), "C": (C, (rows, n))}
        found = {}
        for name, (given, shape) in shapes.items():
            none = given is None or np.size(given) == 0
            found[name] = np.zeros(shape) if none and 0 in shape else _matrix(given, name)
            if found[name].shape != shape:
                raise AnalysisError(f"{name} has the shape {found[name].shape}, must have {shape} as A and D have it")
        self.A, self.B, self.C = found["A"], found["B"], found["C"]

    @classmethod
    def from_control(
        cls,
        system: Any,
        inputs: Sequence[str] | None = None,
        outputs: Sequence[str] | None = None,
        *,
        delay: float | str = 0.0,
        limit: ArrayLike | None = None,
    ) -> StateSpace:
        """The controller that a sampled system of python-control or scipy.signal is.

        Parameters
        ----------
        system
            A `control.StateSpace` or `scipy.signal.StateSpace` in discrete time: its `dt` is the sample.
        inputs, outputs, delay, limit
            As for every StateSpace.
        """
        sample = getattr(system, "dt", None)
        if not all(hasattr(system, name) for name in "ABCD"):
            raise AnalysisError(f"the system is {shown(system)}, must be one with matrices A, B, C and D")
        if sample is None or sample is True or not sample > 0:
            raise AnalysisError("the system is in continuous time, must be sampled: control.sample_system(…, T)")
        matrices = [np.asarray(getattr(system, name), float) for name in "ABCD"]
        return StateSpace(*matrices, float(sample), inputs, outputs, delay=delay, limit=limit)

    def on(self, arm: Arm) -> Bound:
        """The controller with its signals and torques found on an arm."""
        links = input_links(arm, self.outputs)
        inputs = self.inputs if self.inputs is not None else self._usual(arm, links)
        if self.D.shape != (len(links), len(inputs)):
            raise AnalysisError(
                f"the gains of a controller have the shape {self.D.shape}, must have {(len(links), len(inputs))}: "
                f"torques of {', '.join(links)} from {', '.join(inputs) or 'nothing'}"
            )

        def update(t: float, e: Floats, x: Floats) -> tuple[Floats, Floats]:
            return self.C @ x + self.D @ e, self.A @ x + self.B @ e

        return self._bound(arm, links, inputs, states=len(self.A), update=update, linear=True)

    def _usual(self, arm: Arm, links: Sequence[str]) -> tuple[str, ...]:
        """Positions and rates of the joints it pushes; of all coordinates where there are columns for them."""
        from flexarm.assembly import compile_arm

        every = compile_arm(arm).coordinate_names
        names = every if self.D.shape[1] == 2 * len(every) else links
        return tuple(f"{name}.{what}" for what in ("position", "rate") for name in names)


class StateFeedback(StateSpace):
    """u = −K e, with e the measured state less its reference.

    Parameters
    ----------
    K
        Gains (torques, signals).
    sample
        Time (s) between two samples.
    inputs
        Signals that are measured; default: positions, then rates, of the joints it pushes, or of all coordinates in
        the order of `linearise` if K has columns for them.
    outputs
        Torques it gives; default: those of all driven joints.
    delay
        From measuring to the torque: a time (s), or samples such as "1 sample".
    limit
        Greatest size of the torques, N m or N: one number, or one each.

    Examples
    --------
    >>> import flexarm as fa
    >>> run = fa.simulate("flexible_link.toml", controllers=[fa.StateFeedback([[40, 5]], sample="2 ms", delay="1 sample")])
    >>> f"{run['link.position'][-1]:.3f} rad"
    '1.047 rad'
    """

    def __init__(
        self,
        K: ArrayLike,
        sample: float | str,
        inputs: Sequence[str] | None = None,
        outputs: Sequence[str] | None = None,
        *,
        delay: float | str = 0.0,
        limit: ArrayLike | None = None,
    ) -> None:
        super().__init__(None, None, None, -_matrix(K, "K"), sample, inputs, outputs, delay=delay, limit=limit)


class PID(Controller):
    """u = kp e + ki Σ e·sample + kd ė of one signal, e the reference less what is measured.

    The derivative is the difference of two samples, smoothed by a filter of first order. On its limit the integrator
    stands still where it would lead further beyond.

    Parameters
    ----------
    kp, ki, kd
        Gains, of an angle N m/rad, N m/(rad s) and N m s/rad.
    sample
        Time (s) between two samples.
    inputs
        The signal, such as ["hub.position"]; default: the position of the joint it pushes.
    outputs
        The torque, such as ["hub.torque"]; default: that of the one driven joint.
    filter_time
        Time constant (s) of the filter of the derivative.
    delay
        From measuring to the torque: a time (s), or samples such as "1 sample".
    limit
        Greatest size of the torque, N m or N.

    Examples
    --------
    >>> import flexarm as fa
    >>> pid = fa.PID(40, 20, 5, sample="1 ms", filter_time="2 ms", limit=20)
    >>> f"{fa.simulate('flexible_link.toml', controllers=[pid])['link.position'][-1]:.3f} rad"
    '1.047 rad'
    """

    def __init__(
        self,
        kp: float,
        ki: float = 0.0,
        kd: float = 0.0,
        *,
        sample: float | str,
        inputs: Sequence[str] | None = None,
        outputs: Sequence[str] | None = None,
        filter_time: float | str = 0.0,
        delay: float | str = 0.0,
        limit: float | None = None,
    ) -> None:
        super().__init__(sample, delay, inputs, outputs, limit)
        self.kp, self.ki, self.kd = (
            quantity_of(value, "", name) for name, value in (("kp", kp), ("ki", ki), ("kd", kd))
        )
        self.filter_time = quantity_of(filter_time, "s", "filter_time", least=0)

    def on(self, arm: Arm) -> Bound:
        """The controller with its signal and torque found on an arm."""
        links = input_links(arm, self.outputs)
        if len(links) != 1:
            raise AnalysisError(f"a PID gives one torque, outputs must name one of {', '.join(driven_joints(arm))}")
        inputs = self.inputs if self.inputs is not None else (f"{links[0]}.position",)
        if len(inputs) != 1:
            raise AnalysisError(f"a PID measures one signal, inputs has {len(inputs)}")
        T, fade = self.sample, self.filter_time / (self.filter_time + self.sample)
        limit = np.inf if self.limit is None else float(self.limit)

        def update(t: float, departure: Floats, x: Floats) -> tuple[Floats, Floats]:
            # (41c): states are the integral, the error before, the derivative, and 1 once there is an error before
            e, (total, before, slope, begun) = -departure[0], x
            fresh = slope if begun == 0.0 else fade * slope + (1.0 - fade) * (e - before) / T
            u = self.kp * e + self.ki * (total + T * e) + self.kd * fresh
            winds = abs(u) > limit and u * self.ki * e > 0.0
            return np.array([u]), np.array([total if winds else total + T * e, e, fresh, 1.0])

        return self._bound(arm, links, inputs, states=4, update=update, linear=True)


class SampledLaw(Controller):
    """A controller written as a function; see `controller`."""

    def __init__(self, law: Law, states: int, **common: Any) -> None:
        super().__init__(**common)
        self.law, self.states = law, states
        self.__doc__ = law.__doc__

    def on(self, arm: Arm) -> Bound:
        """The controller with its signals and torques found on an arm."""
        links, inputs = input_links(arm, self.outputs), self.inputs or ()
        name = getattr(self.law, "__name__", "the law")

        def update(t: float, y: Floats, x: Floats) -> tuple[Floats, Floats]:
            u, new = np.zeros(len(links)), x.copy()
            back = self.law(t, y, u, new)
            if back is not None:
                raise AnalysisError(f"{name} returned {shown(back)} at {t:.6g} s, must fill u and x and return nothing")
            return u, new

        def nothing(t: float) -> Floats:
            return np.zeros(len(inputs))

        return self._bound(arm, links, inputs, states=self.states, update=update, reference=nothing, linear=False)


def controller(
    *,
    sample: float | str,
    inputs: Sequence[str],
    outputs: Sequence[str] | None = None,
    states: int = 0,
    delay: float | str = 0.0,
    limit: ArrayLike | None = None,
) -> Callable[[Law], SampledLaw]:
    """The decorator that makes a controller of a function law(t, y, u, x), which fills u and x in place.

    Parameters
    ----------
    sample
        Time (s) between two samples.
    inputs
        Signals that are measured: y, as they are, no reference is taken off.
    outputs
        Torques it gives: u, N m or N; default: those of all driven joints.
    states
        How many numbers x it keeps from sample to sample; they begin with zero.
    delay
        From measuring to the torque: a time (s), or samples such as "1 sample".
    limit
        Greatest size of the torques, N m or N: one number, or one each.

    Examples
    --------
    >>> import flexarm as fa
    >>> @fa.controller(sample="1 ms", inputs=["link.position", "link.rate"], outputs=["link.torque"])
    ... def law(t, y, u, x):
    ...     u[0] = 40 * (0.5 - y[0]) - 5 * y[1]
    >>> f"{fa.simulate('flexible_link.toml', controllers=[law])['link.position'][-1]:.3f} rad"
    '0.500 rad'
    """
    if not isinstance(states, int) or states < 0:
        raise AnalysisError(f"states is {shown(states)}, must be a whole number ≥ 0")

    def made(law: Law) -> SampledLaw:
        if not callable(law) or len(inspect.signature(law).parameters) != 4:
            raise AnalysisError("a law must be a function of t, y, u and x")
        return SampledLaw(law, states, sample=sample, delay=delay, inputs=inputs, outputs=outputs, limit=limit)

    return made


def bound_to(arm: Arm, controllers: Sequence[Controller]) -> list[Bound]:
    """The controllers on an arm; a torque that two of them give is refused."""
    found: list[Bound] = []
    taken: set[str] = set()
    for each in controllers:
        if not isinstance(each, Controller):
            raise AnalysisError(f"a controller is {shown(each)}, must be one such as StateFeedback, StateSpace or PID")
        one = each.on(arm)
        for link in one.links:
            if link in taken:
                raise AnalysisError(f'two controllers give "{link}.torque", must be one')
            taken.add(link)
        found.append(replace(one))
    if not found:
        raise AnalysisError("controllers is empty, must hold one at least")
    return found


def _matrix(given: Any, name: str) -> Floats:
    try:
        found = np.array(given, float)
    except (TypeError, ValueError):
        raise AnalysisError(f"{name} is {shown(given)}, must be a matrix of numbers") from None
    found = np.atleast_2d(found) if found.size else found
    if found.ndim != 2 or not np.isfinite(found).all():
        raise AnalysisError(f"{name} must be a matrix of finite numbers")
    return found
