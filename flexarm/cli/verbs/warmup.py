"""`flexarm warmup`: compile all kernels now, so that nobody waits for them later."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from flexarm.cli.output import QUIET, show_remark
from flexarm.cli.progress import kernel_files

if TYPE_CHECKING:
    from flexarm.model import Arm

# The smallest arms that need every kernel: a joint with a motion, one with a torque, a beam, gravity and a load.
_ARM = """
name = "warm-up"
planar = {planar}
gravity = [0, -9.81, 0]

[[link]]
name = "arm"
joint = {{ type = "revolute", motion = "turn" }}
length = "1 m"
beam = {{ bending_stiffness = 100, mass_per_length = 1, polar_inertia = 1e-4, torsional_stiffness = 100 }}
model = {{ {model} }}
damping = {{ retardation = "1 ms" }}

[[link]]
name = "hand"
joint = {{ type = "revolute", torque = "push", stiffness = "100 N m/rad" }}
length = "0.1 m"
rigid = {{ mass = "1 kg", inertia = {inertia} }}

[[load]]
link = "hand"
force = ["1 N", 0, 0]

[motion.turn]
kind = "brake"
rate = "1 rad/s"
travel_time = "5 ms"
braking_time = "2 ms"

[torque.push]
kind = "constant"
value = "1 N m"

[simulation]
end = "10 ms"
start = "steady"
"""
_PLANAR = {"planar": "true", "inertia": "0.01"}
_SPATIAL = {"planar": "false", "inertia": "[0.01, 0.01, 0.01]"}
_LUMPED, _ELEMENTS = 'formulation = "rigid-fe", elements = 2', 'formulation = "hermite", elements = 2'
_MODAL = 'formulation = "modes", modes = 2'
_KINDS = {
    "planar": {**_PLANAR, "model": _LUMPED},
    "spatial": {**_SPATIAL, "model": _LUMPED},
    "planar finite-element": {**_PLANAR, "model": _ELEMENTS},
    "spatial finite-element": {**_SPATIAL, "model": _ELEMENTS},
    "planar modal": {**_PLANAR, "model": _MODAL},
    "spatial modal": {**_SPATIAL, "model": _MODAL},
}


def command() -> None:
    """Compile all kernels now, so that nobody waits for them later.

    flexarm compiles its kernels when they are first needed and keeps them. This runs tiny models through
    every verb; give it a few minutes on a fresh machine. FLEXARM_CACHE_DIR moves the folder they are kept in.
    """
    from flexarm.core._jit import CACHE
    from flexarm.model import parse_arm

    begun, found = time.monotonic(), kernel_files(CACHE)
    for kind, words in _KINDS.items():
        arm = parse_arm(_ARM.format(**words), name="warm-up model")
        for what, work in _WORK.items():
            _timed(f"{kind} arm, {what}", work, arm)
    seconds = time.monotonic() - begun
    if CACHE is None:
        kept = "but no folder can be written to keep the kernels; set FLEXARM_CACHE_DIR"
        show_remark(f"compiled in {seconds:.1f} s, {kept}")
        return
    new = kernel_files(CACHE) - found
    outcome = f"{new} kernels compiled" if new else "all kernels were there already"
    show_remark(f"{outcome}, in {seconds:.1f} s; they are kept in {CACHE}")


def _timed(what: str, work: Callable[[Arm], None], arm: Arm) -> None:
    if not QUIET.get():
        print(f"  {what + ' ':.<44} ", end="", flush=True)
    begun = time.monotonic()
    work(arm)
    show_remark(f"{time.monotonic() - begun:5.1f} s")


def _adaptive(arm: Arm) -> None:
    from flexarm.analyses.run.simulate import simulate

    simulate(arm)


def _of_second_order(arm: Arm) -> None:
    from flexarm.analyses.run.simulate import simulate

    simulate(arm, stepper="newmark")
    simulate(arm, stepper="alpha")


def _held(arm: Arm) -> Arm:
    """The arm with the joint held that a torque drives."""
    hand = arm.links[1].changed(joint={"type": "revolute", "locked": True, "stiffness": 100.0})
    return arm.changed(links=(arm.links[0], hand), torques={})


def _cheap(arm: Arm) -> None:
    from flexarm.analyses.run.simulate import simulate

    # the linear analysis needs a rigid motion
    simulate(_held(arm), analysis="linear")
    # without a load elements have a faster kernel
    simulate(_held(arm).changed(loads=()))


def _lanes(arm: Arm) -> None:
    import numpy as np

    from flexarm.analyses.run.command_runs import Track, runs_of
    from flexarm.analyses.run.integrate import settings_of
    from flexarm.assembly import compile_arm

    for each in (arm, _held(arm).changed(loads=())):
        track = Track(compile_arm(each), settings_of(each.simulation))
        runs_of(track, [{}], np.array([[settings_of(each.simulation).end]]), np.zeros((1, 0)))


def _static_and_modal(arm: Arm) -> None:
    from flexarm.analyses.linearise import linearise
    from flexarm.analyses.modes.modes import modes
    from flexarm.analyses.statics import statics

    statics(arm)
    modes(arm)
    linearise(arm)


_WORK: dict[str, Callable[[Arm], None]] = {
    "stepper esdirk4": _adaptive,
    "steppers newmark and alpha": _of_second_order,
    "statics, modes, linearise": _static_and_modal,
    "linear analysis": _cheap,
    "optimum of shape": _lanes,
}
