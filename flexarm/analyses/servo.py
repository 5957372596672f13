"""Gains of servos left to the system: from the inertia a joint moves and the first frequency of what it carries."""

from __future__ import annotations

import numpy as np

from flexarm.analyses.posture import Forces, commanded
from flexarm.compiled import compile_arm
from flexarm.core.dynamics import spring_matrices
from flexarm.errors import AnalysisError
from flexarm.model import Arm, Servo


def with_servo_gains(arm: Arm) -> Arm:
    """The arm with every servo = "auto" replaced by kp = π² f0² J, kv = 2 √(J kp) (NOTATION 40).

    J is the inertia the joint moves and f0 the first frequency of what it carries, clamped at the joint, both in the
    start posture, undeformed, all other joints locked.
    """
    if not any(link.joint.servo == "auto" for link in arm.links):
        return arm
    compiled = compile_arm(arm)
    state = commanded(compiled)
    mass = Forces(compiled).mass(state.q)
    springs = spring_matrices(compiled.tree, state.q)[0]
    links = []
    for index, link in enumerate(arm.links):
        if link.joint.servo != "auto":
            links.append(link)
            continue
        carried = {arm.links[k].name for k in range(len(arm.links)) if index in _upward(arm, k)}
        moving = [
            int(c)
            for c, owner in zip(compiled.elastic_coordinates, compiled.elastic_links, strict=True)
            if owner in carried
        ]
        if not moving:
            raise AnalysisError(
                f'link "{link.name}": joint.servo is "auto", must be given by its gains where the joint carries '
                "nothing flexible"
            )
        block = np.ix_(moving, moving)
        # the smallest ω² is the inverse of the largest eigenvalue of K⁻¹M
        largest = float(np.max(np.linalg.eigvals(np.linalg.solve(springs[block], mass[block])).real))
        c = compiled.coordinate_names.index(link.name)
        servo = Servo(frequency=1.0 / (2.0 * np.pi * np.sqrt(largest)), inertia=float(mass[c, c]))
        links.append(link.changed(joint=link.joint.changed(servo=servo)))
    return arm.changed(links=tuple(links))


def _upward(arm: Arm, index: int) -> list[int]:
    """The link itself and all that carry it."""
    chain = []
    while index >= 0:
        chain.append(index)
        index = arm.parents[index]
    return chain
