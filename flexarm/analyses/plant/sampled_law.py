"""Controllers written as functions of time, what is measured, and states of their own."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from flexarm.analyses.plant.controller import Bound, Controller
from flexarm.analyses.plant.torque_driven import input_links
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.model import Arm
from flexarm.model.reading.messages import shown

Function = Callable[[float, Floats, Floats, Floats], object]  # that it returns nothing is checked when it runs


@dataclass(frozen=True, eq=False)
class FunctionLaw:
    """A function that fills torques and states."""

    function: Function
    states: int
    outputs: int

    def begin(self, e: Floats) -> Floats:
        """Zeros (states,)."""
        return np.zeros(self.states)

    def update(self, t: float, e: Floats, x: Floats, limit: Floats) -> tuple[Floats, Floats]:
        """Torques (outputs,) within their limits, and the new states, as the function fills them."""
        u, new = np.zeros(self.outputs), x.copy()
        back = self.function(t, e, u, new)
        if back is not None:
            name = getattr(self.function, "__name__", "the law")
            raise AnalysisError(f"{name} returned {shown(back)} at {t:.6g} s, must fill u and x and return nothing")
        return np.clip(u, -limit, limit), new


class SampledLaw(Controller):
    """A controller written as a function; see `controller`."""

    def __init__(self, function: Function, states: int, **common: Any) -> None:
        super().__init__(**common)
        self.function, self.states = function, states
        self.__doc__ = function.__doc__

    def on(self, arm: Arm) -> Bound:
        """The controller with its signals and torques found on an arm."""
        links, inputs = input_links(arm, self.outputs), self.inputs or ()
        nothing = np.zeros(len(inputs))
        law = FunctionLaw(self.function, self.states, len(links))
        return self._bound(arm, links, inputs, law, reference=lambda t: nothing)


def controller(
    *,
    sample: float | str,
    inputs: Sequence[str],
    outputs: Sequence[str] | None = None,
    states: int = 0,
    delay: float | str = 0.0,
    limit: ArrayLike | None = None,
) -> Callable[[Function], SampledLaw]:
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

    def made(law: Function) -> SampledLaw:
        if not callable(law) or len(inspect.signature(law).parameters) != 4:
            raise AnalysisError("a law must be a function of t, y, u and x")
        return SampledLaw(law, states, sample=sample, delay=delay, inputs=inputs, outputs=outputs, limit=limit)

    return made
