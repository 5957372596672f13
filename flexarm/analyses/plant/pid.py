"""The controller of one signal by its error, its integral and its slope."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexarm.analyses.plant.controller import Bound, Controller
from flexarm.analyses.plant.linear_law import LinearLaw
from flexarm.analyses.plant.torque_driven import driven_joints, input_links
from flexarm.errors import AnalysisError
from flexarm.model import Arm
from flexarm.model.reading.given import quantity_of


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
    rate_limit
        Greatest change of the torques in a second, N m/s or N/s: one number, or one each.
    jitter
        How late (s) a sample may be at most; each is late by a part of it that is drawn evenly.
    seed
        Of these draws.

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
        rate_limit: float | None = None,
        jitter: float | str = 0.0,
        seed: int = 0,
    ) -> None:
        super().__init__(sample, delay, inputs, outputs, limit, rate_limit, jitter, seed)
        p, i, d = (quantity_of(value, "", name) for name, value in (("kp", kp), ("ki", ki), ("kd", kd)))
        self.law = pid_law(p, i, d, self.sample, quantity_of(filter_time, "s", "filter_time", least=0))

    def on(self, arm: Arm) -> Bound:
        """The controller with its signal and torque found on an arm."""
        links = input_links(arm, self.outputs)
        if len(links) != 1:
            raise AnalysisError(f"a PID gives one torque, outputs must name one of {', '.join(driven_joints(arm))}")
        inputs = self.inputs if self.inputs is not None else (f"{links[0]}.position",)
        if len(inputs) != 1:
            raise AnalysisError(f"a PID measures one signal, inputs has {len(inputs)}")
        return self._bound(arm, links, inputs, self.law)


def pid_law(kp: float, ki: float, kd: float, sample: float, filter_time: float) -> LinearLaw:
    """The difference equations (L3) of a PID; states are the integral, the error before, and the smoothed slope."""
    fade = filter_time / (filter_time + sample)
    g = (1.0 - fade) / sample
    return LinearLaw(
        A=np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, -g, fade]]),
        B=np.array([[-sample], [-1.0], [-g]]),
        C=np.array([[ki, -kd * g, kd * fade]]),
        D=np.array([[-kp - ki * sample - kd * g]]),
        F=np.array([[0.0], [-1.0], [0.0]]),  # no slope before the first sample
        holds=np.array([0, -1, -1]),
    )
