"""Signals of a finished run, computed from the motion it holds: for runs that were read from a file, too."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexarm.analyses.servo import with_servo_gains
from flexarm.analyses.signals.names import signal_unit
from flexarm.analyses.signals.observed import OneObserved, States
from flexarm.assembly import CompiledArm, compile_arm
from flexarm.core.tree.types import Floats

if TYPE_CHECKING:
    from flexarm.results import Trajectory


def computed(run: Trajectory, word: str) -> Floats:
    """The values (m,) of a signal of the list; a word that names none is refused with what is allowed."""
    known = vars(run).get("_observed")
    if known is None:
        compiled = compile_arm(with_servo_gains(run.arm), closed=True)
        known = vars(run)["_observed"] = OneObserved(compiled, _states(run, compiled), "nonlinear")
    signal_unit(known.compiled, word)
    return np.asarray(known.signal(word)[:, 0])


def _states(run: Trajectory, compiled: CompiledArm) -> States:
    """The states of the run in the order of the arm's coordinates."""
    columns = []
    for kind in ("position", "velocity", "acceleration"):
        x = np.zeros((len(run.time), len(compiled.coordinate_names)))
        for owner, chosen in (("joint", compiled.joint_coordinates), ("elastic", compiled.elastic_coordinates)):
            if len(chosen):
                x[:, chosen] = run.values(f"{owner}_{kind}")
        columns.append(x)
    return States(run.time, *columns)
