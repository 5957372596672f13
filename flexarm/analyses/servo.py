"""Gains of servos left to the system: from the inertia a joint moves and the first frequency of what it carries."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from flexarm.analyses.posture import Forces, commanded
from flexarm.compiled import CompiledArm, compile_arm
from flexarm.core.dynamics import spring_matrices
from flexarm.errors import AnalysisError
from flexarm.many import Many, among, sample_of
from flexarm.model import Arm, Servo


def with_servo_gains(arm: Arm) -> Arm:
    """The arm with every servo = "auto" replaced by kp = π² f0² J, kv = 2 √(J kp) (NOTATION 40).

    J is the inertia the joint moves and f0 the first frequency of what it carries, clamped at the joint, both in the
    start posture, undeformed, all other joints locked.
    """
    if not any(link.joint.servo == "auto" for link in arm.links):
        return arm
    compiled = compile_arm(arm)
    like = among([*compiled.tree, *compiled.laws, compiled.start, compiled.start_rate])
    designs: Any = _designs(compiled) if like is None else _of_many(compiled, like)
    links = []
    for link in arm.links:
        if link.joint.servo == "auto":
            frequency, inertia = designs[link.name]
            joint = link.joint.changed(servo=Servo(frequency=frequency, inertia=inertia))
            links.append(link.changed(joint=joint))
        else:
            links.append(link)
    return arm.changed(links=tuple(links))


def _of_many(compiled: CompiledArm, like: Many) -> dict[str, list[Many]]:
    """Frequency and inertia for each servo, in samples that are found one after the other."""
    found: list[dict[str, tuple[float, float]]] = []
    for k, fine in enumerate(like.chunk.fine):
        found.append(_designs(_sample(compiled, k)) if fine else found[0])
    return {name: [like.like(np.array([one[name][i] for one in found])) for i in (0, 1)] for name in found[0]}


def _sample(compiled: CompiledArm, k: int) -> CompiledArm:
    """What a design needs of the arm of one sample."""
    return replace(
        compiled,
        tree=type(compiled.tree)(*(sample_of(array, k) for array in compiled.tree)),
        laws=type(compiled.laws)(*(sample_of(array, k) for array in compiled.laws)),
        commands=type(compiled.commands)(*(sample_of(array, k) for array in compiled.commands)),
        start=sample_of(compiled.start, k),
        start_rate=sample_of(compiled.start_rate, k),
    )


def _designs(compiled: CompiledArm) -> dict[str, tuple[float, float]]:
    """First frequency (Hz) and inertia for each servo that is left to the system, by the name of its link."""
    arm, found = compiled.arm, {}
    state = commanded(compiled)
    mass = Forces(compiled).mass(state.q)
    springs = spring_matrices(compiled.tree, state.q)[0]
    for index, link in enumerate(arm.links):
        if link.joint.servo != "auto":
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
        found[link.name] = (float(1.0 / (2.0 * np.pi * np.sqrt(largest))), float(mass[c, c]))
    return found


def _upward(arm: Arm, index: int) -> list[int]:
    """The link itself and all that carry it."""
    chain = []
    while index >= 0:
        chain.append(index)
        index = arm.parents[index]
    return chain
