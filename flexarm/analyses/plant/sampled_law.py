"""Controllers written as functions of time, what is measured, and states of their own."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from flexarm.analyses.plant.controller import Aim, Bound, Controller
from flexarm.analyses.plant.torque_driven import input_links
from flexarm.core.numbers.addresses import law_address
from flexarm.core.tree.types import Floats, Ints
from flexarm.errors import AnalysisError
from flexarm.model import Arm
from flexarm.model.reading.messages import shown

Function = Callable[[float, Floats, Floats, Floats], object]  # that it returns nothing is checked when it runs


@dataclass(frozen=True, eq=False)
class FunctionLaw:
    """A function that fills torques and states; `address` is that of its machine code, 0 where Python calls it."""

    function: Function
    states: int
    address: int
    kernel: Any  # keeps the machine code

    @property
    def holds(self) -> Ints:
        """No state stands still."""
        return np.full(self.states, -1, np.int64)

    def call(self, t: float, y: Floats, u: Floats, x: Floats) -> None:
        """Let the function fill u and x."""
        back = self.function(t, y, u, x)
        if back is not None:
            name = getattr(self.function, "__name__", "the law")
            raise AnalysisError(f"{name} returned {shown(back)} at {t:.6g} s, must fill u and x and return nothing")


class SlowLaw(UserWarning):
    """A controller runs in Python because Numba does not compile it: some 20 µs a sample in place of 0.1 µs."""


class SampledLaw(Controller):
    """A controller written as a function; see `controller`."""

    def __init__(self, function: Function, states: int, **common: Any) -> None:
        super().__init__(**common)
        self.function, self.states = function, states
        self.__doc__ = function.__doc__
        self._made: tuple[Any, int, Any] | None = None
        self._remarked = False

    def on(self, arm: Arm) -> Bound:
        """The controller with its signals and torques found on an arm."""
        links, inputs = input_links(arm, self.outputs), self.inputs or ()
        address, kernel = self._compiled()
        law = FunctionLaw(self.function, self.states, address, kernel)
        return self._bound(arm, links, inputs, law, reference=[Aim()] * len(inputs))

    def _compiled(self) -> tuple[int, Any]:
        """Address and machine code, made anew where numbers that the function reads from outside are other ones."""
        outside = _outside(self.function)
        if self._made is None or self._made[0] != outside:
            self._made = (outside, *(law_address(self.function) if outside is not None else (0, None)))
        if not self._made[1] and not self._remarked:
            self._remarked = True
            name = getattr(self.function, "__name__", "the law")
            warnings.warn(
                SlowLaw(f"{name} runs in Python, Numba does not compile it: some 20 µs a sample"), stacklevel=6
            )
        return self._made[1:]


def _outside(function: Function) -> Any:
    """What the function reads from outside, to be compared; None where it is no function that could be compiled."""
    try:
        found = inspect.getclosurevars(function)
    except TypeError:
        return None
    return [(name, _frozen(value)) for name, value in sorted({**found.globals, **found.nonlocals}.items())]


def _frozen(value: Any) -> Any:
    return (value.shape, value.tobytes()) if isinstance(value, np.ndarray) else value


def controller(
    *,
    sample: float | str,
    inputs: Sequence[str],
    outputs: Sequence[str] | None = None,
    states: int = 0,
    delay: float | str = 0.0,
    limit: ArrayLike | None = None,
    rate_limit: ArrayLike | None = None,
    jitter: float | str = 0.0,
    seed: int = 0,
) -> Callable[[Function], SampledLaw]:
    """The decorator that makes a controller of a function law(t, y, u, x), which fills u and x in place.

    It is compiled by Numba where it can be, so that no Python runs between two samples; else Python calls it, with the
    warning `SlowLaw`, once.

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
    rate_limit
        Greatest change of the torques in a second, N m/s or N/s: one number, or one each.
    jitter
        How late (s) a sample may be at most; each is late by a part of it that is drawn evenly.
    seed
        Of these draws.

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

    def made(law: Function) -> SampledLaw:
        if not callable(law) or len(inspect.signature(law).parameters) != 4:
            raise AnalysisError("a law must be a function of t, y, u and x")
        bounds: dict[str, Any] = dict(limit=limit, rate_limit=rate_limit, jitter=jitter, seed=seed)
        return SampledLaw(law, states, sample=sample, delay=delay, inputs=inputs, outputs=outputs, **bounds)

    return made
