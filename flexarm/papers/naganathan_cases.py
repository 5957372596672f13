"""Naganathan: the arms of the thesis and their runs, each made once."""

from __future__ import annotations

from functools import cache

import numpy as np

from flexarm.analyses.modes.modes import modes
from flexarm.analyses.run.simulate import simulate
from flexarm.model import Arm, Damping, Servo
from flexarm.papers.files import paper_arm
from flexarm.results import Trajectory

WEIGHTLESS = (0.0, 0.0, 0.0)
# Inertia (kg m²) of the straight rigid arm beyond a joint and first frequency (Hz) of that part clamped there, for the
# thesis's bounds of the gains; it prints neither, nor the gains.
SERVOS = ((2.520054, 3.80728), (0.315027, 15.22610))


@cache
def case_run(name: str, analysis: str) -> Trajectory:
    """The run of a named arm by an analysis."""
    return simulate(case(name), analysis=analysis)


@cache
def case(name: str) -> Arm:
    """An arm of the thesis: "2r", the same with servos ("servo"), "tube", "3r" or "rp" in motion."""
    if name == "servo":
        arm = case("2r")
        links = tuple(
            link.changed(joint=link.joint.changed(servo=Servo(frequency=f, inertia=j)))
            for link, (j, f) in zip(arm.links, SERVOS, strict=True)
        )
        return arm.changed(links=links)
    if name in ("3r", "rp"):
        arm = paper_arm(f"naganathan_{name}_motion.toml")
    else:
        arm = paper_arm(f"naganathan_{name}.toml")
    return _damped(arm) if name in ("tube", "3r") else arm


def _damped(arm: Arm) -> Arm:
    """The arm with stiffness-proportional damping of 5 % at its first frequency, straight and clamped."""
    damping = Damping(retardation=2.0 * 0.05 / (2.0 * np.pi * first_frequency(arm)))
    return arm.changed(links=tuple(link.changed(damping=damping) for link in arm.links))


def first_frequency(arm: Arm) -> float:
    """First frequency (Hz) with the joints locked, straight, without gravity."""
    return float(modes(arm.changed(gravity=WEIGHTLESS), joints="locked", count=1).frequencies_hz[0])


def spun_link(acceleration: float = 1.0, rate: float = 0.0) -> Arm:
    """One link of the flexible arm, turned with a constant angular acceleration (rad/s²) from a rate (rad/s)."""
    arm = paper_arm("naganathan_2r.toml")
    link = arm.links[0]
    return arm.changed(
        links=(link.changed(joint=link.joint.changed(motion="turn")),),
        motions={"turn": {"kind": "polynomial", "coefficients": [0.0, rate, 0.5 * acceleration]}},
    )
