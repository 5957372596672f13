"""The controllers of a model file on its arm."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexarm.analyses.plant.composed import filtered, scaled
from flexarm.analyses.plant.controller import Aim, Bound, Controller
from flexarm.analyses.plant.forward import forward_torques
from flexarm.analyses.plant.library_law import library_law
from flexarm.analyses.plant.linear_law import LinearLaw, ScheduledLaw, linear_law
from flexarm.analyses.plant.optimal import Design, observer_law, regulator_law, state_names
from flexarm.analyses.plant.pid import pid_law
from flexarm.analyses.plant.torque_driven import input_links
from flexarm.errors import AnalysisError
from flexarm.model import Arm
from flexarm.model.parts.controller import ControllerPart
from flexarm.model.reading.messages import quoted


class ModelController(Controller):
    """A controller of a model file; `known`: the arm that it is designed for, if that is another one."""

    def __init__(self, part: ControllerPart, known: Arm | None = None) -> None:
        delay = part.delay
        super().__init__(
            part.sample, delay, part.inputs, part.outputs, part.limit, part.rate_limit, part.jitter, part.seed
        )
        self.part, self.known = part, known

    def on(self, arm: Arm) -> Bound:
        """The controller with its signals and torques found on an arm."""
        part = self.part
        try:
            links = input_links(arm, self.outputs)
            own = arm if self.known is None else self.known.changed(motions=arm.motions)
            if part.kind == "c":
                return self._function(arm, links)
            inputs, laws = self._laws(own, links)
        except AnalysisError as error:
            name = f"controller {quoted(part.name)}"
            raise AnalysisError(str(error) if name in str(error) else f"{name}: {error}") from None
        shape = laws[0].D.shape
        if shape != (len(links), len(inputs)):
            raise AnalysisError(
                f"controller {quoted(part.name)}: its gains have the shape {shape}, must have "
                f"{(len(links), len(inputs))}: torques of {', '.join(links)} from {', '.join(inputs)}"
            )
        laws = [filtered(law, part.filters, inputs, part.sample) for law in laws]
        forward = forward_torques(own, links, part.feedforward)
        if part.schedule is None:
            return self._bound(arm, links, inputs, laws[0], forward=forward)
        signal = part.schedule.signal
        if signal not in inputs:
            inputs, laws = (*inputs, signal), [law.with_inputs(1) for law in laws]
        law = ScheduledLaw(np.array(part.schedule.at), tuple(laws), inputs.index(signal))
        return self._bound(arm, links, inputs, law, forward=forward)

    def _function(self, arm: Arm, links: Sequence[str]) -> Bound:
        part = self.part
        assert part.library is not None
        inputs = self.inputs if self.inputs is not None else _usual(links)
        law = library_law(part.library, part.symbol, part.states)
        return self._bound(arm, links, inputs, law, reference=[Aim()] * len(inputs))

    def _laws(self, arm: Arm, links: Sequence[str]) -> tuple[tuple[str, ...], list[LinearLaw]]:
        """What is measured, and the law at every node of the schedule."""
        part = self.part
        nodes = () if part.schedule is None else part.schedule.at
        if part.kind in ("lqr", "lqg"):
            joint = "" if part.schedule is None else part.schedule.signal.rpartition(".")[0]
            postures = [dict(part.posture) | ({joint: at} if joint else {}) for at in nodes or (0.0,)]
            designs = [Design(arm, links, part, self.delay, posture) for posture in postures]
            if part.kind == "lqr":
                return state_names(designs[0]), [regulator_law(each) for each in designs]
            assert self.inputs is not None
            return self.inputs, [observer_law(each, self.inputs) for each in designs]
        inputs = self.inputs if self.inputs is not None else _usual(links, rates=part.kind != "pid")
        law = self._given(inputs, links)
        factors = None if part.schedule is None else part.schedule.factors
        return inputs, [law] if factors is None else [scaled(law, factor) for factor in factors]

    def _given(self, inputs: Sequence[str], links: Sequence[str]) -> LinearLaw:
        part = self.part
        if part.kind == "pid":
            if len(inputs) != 1 or len(links) != 1:
                raise AnalysisError(
                    f"a pid measures one signal and gives one torque, not {len(inputs)} and {len(links)}; "
                    "outputs must name one"
                )
            assert part.kp is not None
            return pid_law(part.kp, part.ki, part.kd, part.sample, part.filter_time)
        if part.kind == "feedback":
            assert part.gains is not None
            return linear_law(None, None, None, -np.array(part.gains))
        return linear_law(part.A, part.B, part.C, part.D)


def controllers_of(arm: Arm, known: Arm | None = None) -> list[Controller]:
    """The controllers of an arm's model file, designed for the arm `known` if that is another one."""
    return [ModelController(part, known) for part in arm.controllers]


def controllers_on(arm: Arm, given: Sequence[Controller] | None) -> Sequence[Controller]:
    """The controllers that are given, else those of the model file."""
    if given is None and not arm.controllers:
        raise AnalysisError(
            "the arm has no controllers, must have a [[controller]] in its model file, or be given some"
        )
    return controllers_of(arm) if given is None else given


def _usual(links: Sequence[str], *, rates: bool = True) -> tuple[str, ...]:
    words = ("position", "rate") if rates else ("position",)
    return tuple(f"{name}.{what}" for what in words for name in links)
