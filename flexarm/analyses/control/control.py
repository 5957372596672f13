"""What does a controller gain, and which one?"""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from flexarm.analyses.control.candidates import Candidate, Designer, with_payload
from flexarm.analyses.control.loop_margins import Loop, decay_rate
from flexarm.analyses.detuned import detuned
from flexarm.analyses.plant.from_model import ModelController
from flexarm.analyses.run.simulate import simulate
from flexarm.errors import AnalysisError, FlexarmError, StoppedEarly
from flexarm.model import Arm
from flexarm.model.reading.given import quantity_of, takes_arm
from flexarm.results import Trajectory
from flexarm.results.control_study import Controlled, ControlStudy, Varied


@takes_arm
def control(
    arm: Arm,
    *,
    sample: float | str = "1 ms",
    delay: float | str = "1 sample",
    within: float | str = "1 mm",
    limit: float | str | None = None,
    payload: float = 0.2,
    stiffness: float = 0.1,
    end: float | str | None = None,
) -> ControlStudy:
    """What controllers make of the same move: residual (m), settling (s), torque, margins, and what they bear.

    None at all (joints exactly on their command), the arm's own `[[controller]]`, PD of the joints, PD with a shaped
    command, PD with the moments at the roots of the beams fed back, and LQG with an observer on encoders and these
    moments. All but the first have the torques of the rigid arm fed forward. Designs are made where the command ends.

    Parameters
    ----------
    arm
        An arm, or the path of its model file; its command must come to rest.
    sample
        Time (s) between two samples of the controllers.
    delay
        From measuring to the torque: a time (s), or samples such as "1 sample".
    within
        Distance (m) from its target within which the tip counts as settled.
    limit
        Greatest size of each torque, N m or N; default: none.
    payload, stiffness
        By which part payloads and the arm's stiffness may be off, while controllers are designed for the nominal arm.
    end
        End of the runs (s); default: that of the model file.

    Returns
    -------
    ControlStudy
        A row for each controller; `.arm_with("LQG")` is the arm with that controller in its model file.

    Examples
    --------
    >>> import flexarm as fa
    >>> found = fa.control("damped_link.toml", payload=0, stiffness=0)
    >>> [row.name for row in found.rows]
    ['none', 'model file', 'PD', 'PD, shaped', 'strain feedback', 'LQG', 'LQG, shaped']
    """
    if end is not None:
        arm = arm.changed(simulation=arm.simulation.changed(end=end))
    if arm.simulation.end is None:
        raise AnalysisError("simulation.end is missing, must be given to control: in the model file, or as end / --end")
    for name, part in (("payload", payload), ("stiffness", stiffness)):
        if not 0.0 <= part < 1.0:
            raise AnalysisError(f"{name} is {part}, must be from 0 to 1")
    distance = quantity_of(within, "m", "within", above=0)
    step = quantity_of(sample, "s", "sample", above=0)
    most = None if limit is None else quantity_of(limit, "N m", "limit", above=0)
    others = _varied(arm, payload, stiffness)
    designer = Designer(arm, step, delay, distance, most, [made(arm) for made in others.values()])
    rows = [_row(each, designer, distance, others) for each in designer.candidates()]
    return ControlStudy(
        arm_name=arm.name,
        rows=tuple(rows),
        within=distance,
        sample=step,
        delay=str(delay),
        frequency=designer.frequency,
        command_end=designer.move.end,
        varied=tuple(others),
        arm=arm.changed(controllers=()),
    )


def _varied(arm: Arm, payload: float, stiffness: float) -> dict[str, Any]:
    """Names of arms that are off → what makes them of an arm."""
    found: dict[str, Any] = {}
    if payload and any(link.payloads for link in arm.links):
        for sign in (1, -1):
            found[f"payload {sign * 100 * payload:+.0f} %"] = lambda arm, f=1 + sign * payload: with_payload(arm, f)
    if stiffness:
        for sign in (1, -1):
            factor = math.sqrt(1.0 + sign * stiffness)
            found[f"stiffness {sign * 100 * stiffness:+.0f} %"] = lambda arm, f=factor: detuned(arm, f)
    return found


def _row(each: Candidate, designer: Designer, within: float, others: dict[str, Any]) -> Controlled:
    decay = gain = late = math.nan
    loop = Loop(each.arm, designer.end)
    if each.parts:
        try:
            decay = decay_rate(loop.radius(each.parts), designer.sample)
            gain, late = loop.gain_margin(each.parts), loop.delay_margin(each.parts) * designer.sample
        except FlexarmError:  # no linear law, or samples that differ: the loop has no poles
            pass
    residual, settled, torque, failure, tip = _run(each, each.arm, within, decay)
    varied = []
    for name, made in others.items():
        off = made(each.arm)
        rate = math.nan
        if not math.isnan(decay):
            rate = decay_rate(Loop(off, designer.end).radius_of(loop.bound(each.parts)), designer.sample)
        found = _run(each, off, within, rate)
        varied.append(Varied(name, found[0], found[1], found[3]))
    return Controlled(
        each.name, each.words, residual, settled, torque, decay, gain, late, failure, tuple(varied), each.parts, *tip
    )


def _run(
    each: Candidate, arm: Arm, within: float, decay: float
) -> tuple[float, float | None, float, str, tuple[Any, Any]]:
    """Residual (m), settling time (s), peak torque, why it failed, and the tip's distance from its target over time."""
    if decay < 0.0:
        word = f"the sampled loop is unstable where the command ends, it grows by {-decay:.4g} 1/s"
        return math.nan, None, math.nan, word, (np.zeros(0), np.zeros(0))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StoppedEarly)
        try:
            laws = [ModelController(part, each.arm) for part in each.parts]
            run = simulate(arm, controllers=laws) if laws else simulate(arm)
        except FlexarmError as error:
            return math.nan, None, math.nan, str(error), (np.zeros(0), np.zeros(0))
    torque = max(float(np.abs(run[f"{name}.torque"]).max()) for name in run.labels("joint"))
    if not run.complete:
        return math.nan, None, torque, str(run.failure), (run.time, np.zeros(0))
    distance = np.linalg.norm(
        run.values("point_position")[:, _tip(run)] - run.values("point_target")[_tip(run)], axis=-1
    )
    return run.residual("tip"), run.settling_time("tip", within=within), torque, "", (run.time, distance)


def _tip(run: Trajectory) -> int:
    return run.index("point", "tip")
