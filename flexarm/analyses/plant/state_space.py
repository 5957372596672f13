"""Controllers that are matrices: sampled state spaces and gains on what is measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike

from flexarm.analyses.plant.controller import Bound, Controller
from flexarm.analyses.plant.linear_law import linear_law, matrix_of
from flexarm.analyses.plant.torque_driven import input_links
from flexarm.errors import AnalysisError
from flexarm.model import Arm


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
    rate_limit
        Greatest change of the torques in a second, N m/s or N/s: one number, or one each.
    jitter
        How late (s) a sample may be at most; each is late by a part of it that is drawn evenly.
    seed
        Of these draws.

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
        rate_limit: ArrayLike | None = None,
        jitter: float | str = 0.0,
        seed: int = 0,
    ) -> None:
        super().__init__(sample, delay, inputs, outputs, limit, rate_limit, jitter, seed)
        self.law = linear_law(A, B, C, D)

    def on(self, arm: Arm) -> Bound:
        """The controller with its signals and torques found on an arm."""
        links = input_links(arm, self.outputs)
        inputs = self.inputs if self.inputs is not None else self._usual(arm, links)
        shape = self.law.D.shape
        if shape != (len(links), len(inputs)):
            raise AnalysisError(
                f"the gains of a controller have the shape {shape}, must have {(len(links), len(inputs))}: "
                f"torques of {', '.join(links)} from {', '.join(inputs) or 'nothing'}"
            )
        return self._bound(arm, links, inputs, self.law)

    def _usual(self, arm: Arm, links: Sequence[str]) -> tuple[str, ...]:
        """Positions and rates of the joints it pushes; of all coordinates where there are columns for them."""
        from flexarm.assembly import compile_arm

        every = compile_arm(arm).coordinate_names
        names = every if self.law.D.shape[1] == 2 * len(every) else links
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
    rate_limit
        Greatest change of the torques in a second, N m/s or N/s: one number, or one each.
    jitter
        How late (s) a sample may be at most; each is late by a part of it that is drawn evenly.
    seed
        Of these draws.

    Examples
    --------
    >>> import flexarm as fa
    >>> law = fa.StateFeedback([[40, 5]], sample="2 ms", delay="1 sample")
    >>> run = fa.simulate("flexible_link.toml", controllers=[law])
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
        rate_limit: ArrayLike | None = None,
        jitter: float | str = 0.0,
        seed: int = 0,
    ) -> None:
        common: dict[str, Any] = dict(delay=delay, limit=limit, rate_limit=rate_limit, jitter=jitter, seed=seed)
        super().__init__(None, None, None, -matrix_of(K, "K"), sample, inputs, outputs, **common)
