"""Torques that a controller adds along the command: those of the rigid arm, as laws of time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexarm.assembly import compile_arm
from flexarm.model import Arm
from flexarm.model.laws.motion import Hold
from flexarm.model.laws.pieces import Pieces

_HOLD = "held where it starts"


def forward_torques(arm: Arm, links: Sequence[str], kind: str) -> list[Pieces | None]:
    """The torques of the links' joints: "gravity" alone, or "rigid", all that moves the rigid arm along its command.

    The drives of the engine find them (assembly.feedforward): the links are given one for the purpose.
    """
    if kind == "none":
        return [None] * len(links)
    motions = dict(arm.motions) | {_HOLD: Hold()}
    changed = []
    for link in arm.links:
        joint = link.joint
        if link.name in links:
            stiffness, damping = ("N m/rad", "N m s/rad") if joint.unit == "rad" else ("N/m", "N s/m")
            servo = {"kp": f"1 {stiffness}", "kv": f"1 {damping}", "feedforward": kind}
            none = {"torque": None, "locked": False, "free": False, "rate": joint.rate}
            joint = joint.changed(**none, motion=joint.motion or _HOLD, servo=servo)
        changed.append(link.changed(joint=joint))
    compiled = compile_arm(arm.changed(links=tuple(changed), motions=motions, controllers=()))
    commands, laws = compiled.commands, compiled.laws
    found: list[Pieces | None] = []
    for name in links:
        c = compiled.coordinate_names.index(name)
        j = int(np.flatnonzero(commands.servo_coordinate == c)[0])
        law = int(commands.servo_more[j, 1])
        if law < 0:
            found.append(None)
            continue
        rows = np.asarray(laws.piece[laws.first[law] : laws.first[law + 1]])
        found.append(Pieces(rows[:, 0], rows[:, 4:], rows[:, 1:4], np.zeros(len(rows), bool)))
    return found
