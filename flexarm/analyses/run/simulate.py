"""How does the arm move and bend under its command?"""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Unpack

from flexarm.analyses.following import followed_arm
from flexarm.analyses.run.integrate import Progress
from flexarm.analyses.run.prepare import prepare
from flexarm.errors import StoppedEarly
from flexarm.model import Arm
from flexarm.model.parts.simulation import SimulationSettings, takes_settings
from flexarm.model.reading.given import quantity_of, takes_arm
from flexarm.results import Trajectory

if TYPE_CHECKING:
    from flexarm.analyses.plant.controller import Controller
    from flexarm.results.measured import Measured


@takes_arm
@takes_settings
def simulate(
    arm: Arm,
    *,
    controllers: Sequence[Controller] | None = None,
    follow: Measured | str | os.PathLike[str] | None = None,
    bandwidth: float | str = 20.0,
    check: bool = False,
    progress: Progress | None = None,
    **settings: Unpack[SimulationSettings],
) -> Trajectory:
    """The arm's motion under its command: positions, deflections, torques and energies over time, in SI units.

    Every option overrides the setting of the same name in the model file; quantities are numbers in SI units or texts
    with a unit.

    Parameters
    ----------
    arm
        An arm, or the path of its model file.
    end
        End of the run (s).
    start
        Initial state: "rest" (undeformed), "static" (in equilibrium at rest), "steady" (in equilibrium at the commanded
        rates), or a mapping of coordinate names to values (rad, m) and of "NAME.rate" to rates, the others being zero.
    stepper
        "esdirk4" (the default), "newmark" or "alpha".
    tolerance
        Displacement error (m) that step control keeps.
    step
        Fixed step (s) instead of step control.
    spectral_radius
        Of the stepper "alpha" at infinite frequency, between 0 and 1.
    output
        Interval (s) between samples.
    max_steps
        The run stops early after this many steps.
    settling_tolerance
        Distance (m) to which the settling time of the tip is reported, in addition to 1 mm and 0.1 mm.
    analysis
        "nonlinear", "linear" (to first order along the rigid motion) or "quasi-static".
    controllers
        Sampled controllers such as `StateFeedback` that give torques of joints, in place of what drives these joints in
        the model file; default: the controllers of the model file. The run's arm has these torques as laws of time.
    follow
        A record, or the path of its file: joints follow the columns that are called after them, "hub" or
        "hub.position". The run ends with the record unless an end is given.
    bandwidth
        To which the record is smoothed (Hz).
    check
        Also runs a twin with twice the elements, half the step and all freedoms, and the other analyses, and reports
        the differences.
    progress
        Called with the time reached (s) and the end.

    Returns
    -------
    Trajectory
        The run. One that fails returns what it reached, with the warning `flexarm.StoppedEarly`, which gives when, why
        and what to try; see `.complete` and `.failure`.

    Examples
    --------
    >>> import flexarm as fa
    >>> run = fa.simulate("rod_handler.toml", end="0.2 s")
    >>> run.complete, f"{run.time[-1]:.1f} s"
    (True, '0.2 s')
    """
    if follow is not None:
        arm, length = followed_arm(arm, follow, quantity_of(bandwidth, "Hz", "bandwidth", above=0))
        if arm.simulation.end is None and settings.get("end") is None:
            settings["end"] = length
    if controllers is None and not arm.controllers:
        found = prepare(arm).followed(settings, check=check, progress=progress)
    else:
        from flexarm.analyses.plant.controlled import controlled
        from flexarm.analyses.plant.from_model import controllers_on

        found = controlled(arm, controllers_on(arm, controllers), settings, check=check, progress=progress)
    if found.failure is not None:
        # two levels up: whoever called the verb, which takes paths of files too
        warnings.warn(StoppedEarly(found.failure), stacklevel=3)
    return found
