"""Dry friction, stops and play outside the time loop: what drives give against them, what they store, who leaves them
out.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from flexarm.assembly import CompiledArm
from flexarm.core.tree.types import (
    C_COULOMB,
    C_DAMPING,
    C_GAP,
    C_LOAD,
    C_LOWER,
    C_STATIC,
    C_STIFFNESS,
    C_STRIBECK,
    C_UPPER,
    W_COORD,
    W_DRIVEN,
    Floats,
)
from flexarm.errors import AnalysisError
from flexarm.model import Arm
from flexarm.model.reading.messages import number, quoted

# What acts at once in a joint, by the key of the model file.
_WORDS = {"friction": "dry friction", "stops": "the stops", "gear.backlash": "the play"}
# Times at which a commanded motion is compared with its stops, and by how much it may overstep them by rounding.
_LOOKS, _ROUNDING = 501, 1e-9


def with_dry_friction(compiled: CompiledArm, force: Floats, v: Floats) -> Floats:
    """Forces of drives (m, nq) with what prescribed joints take against dry friction at rates v (NOTATION F5)."""
    commands = compiled.commands
    rows = [i for i, place in enumerate(commands.contact_place) if place[W_DRIVEN]]
    if not rows:
        return force
    found = force.copy()
    for i in rows:
        c, row = commands.contact_place[i, W_COORD], commands.contact[i]
        way, size = np.sign(v[:, c]), np.full(len(v), row[C_COULOMB])
        if row[C_STRIBECK] > 0.0:
            size = size + (row[C_STATIC] - row[C_COULOMB]) * np.exp(-((v[:, c] / row[C_STRIBECK]) ** 2))
        whole = force[:, c] + way * size
        found[:, c] = np.where(way == 0.0, force[:, c], whole / (1.0 - np.sign(whole) * way * row[C_LOAD]))
    return found


def stored_in_stops(compiled: CompiledArm, q: Floats, v: Floats) -> Floats:
    """Energy (m,) in J that stops which give way hold at coordinates and rates (m, nq), less what play takes from
    gears.
    """
    stored = np.zeros(len(q))
    for place, row in zip(compiled.commands.contact_place, compiled.commands.contact, strict=True):
        if row[C_STIFFNESS] > 0.0:
            at, rate = q[:, place[W_COORD]], v[:, place[W_COORD]]
            stored -= 0.5 * row[C_STIFFNESS] * row[C_GAP] * at**2
            for side, limit in ((1.0, row[C_UPPER]), (-1.0, row[C_LOWER])):
                deep = side * (at - limit)
                pushes = (deep > 0.0) & (row[C_STIFFNESS] * deep + row[C_DAMPING] * side * rate > 0.0)
                stored += np.where(pushes, 0.5 * row[C_STIFFNESS] * np.where(pushes, deep, 0.0) ** 2, 0.0)
    return stored


def meeting(arm: Arm) -> dict[str, tuple[str, ...]]:
    """What acts at once by the names of links: in joints that no motion prescribes, and play in all gears."""
    found = {}
    for link in arm.links:
        if link.joint.type != "fixed":
            words = [w for w in link.joint.meets if w == "gear.backlash" or not link.joint.prescribed]
            if words:
                found[link.name] = tuple(words)
    return found


def refuse_meeting(arm: Arm, what: str, instead: str) -> None:
    """Refuse an arm with joints in which something acts at once; `what` must do without, `instead` says what can be."""
    for name, words in meeting(arm).items():
        raise AnalysisError(f"link {quoted(name)}: joint.{words[0]} is given, must be left out {what}; {instead}")


def refuse_any_meeting(arm: Arm, what: str, instead: str) -> None:
    """The same, prescribed joints among them, whose drives have friction to overcome."""
    for link in arm.links:
        if link.joint.type != "fixed" and link.joint.meets:
            key = link.joint.meets[0]
            raise AnalysisError(f"link {quoted(link.name)}: joint.{key} is given, must be left out {what}; {instead}")


def left_out_remarks(arm: Arm, moving: Collection[str] | None = None) -> tuple[str, ...]:
    """A sentence for all that an analysis of small motions leaves out of joints; `moving`: those that are not held."""
    remarks = []
    for word, key in (("friction", "friction"), ("stops", "stops"), ("gear.backlash", "gear.backlash")):
        names = [
            link.name
            for link in arm.links
            if link.joint.type != "fixed"
            and key in link.joint.meets
            and (key == "gear.backlash" or moving is None or link.name in moving)
        ]
        if not names:
            continue
        of = f"{_WORDS[word]} of joint{'s' if len(names) > 1 else ''} {' and '.join(map(quoted, names))}"
        if key == "friction":
            remarks.append(f"{of} is left out: joints that move slide, and only their viscous friction damps")
        elif key == "stops":
            remarks.append(f"{of} are left out: the motion is taken to stay between them")
        else:
            remarks.append(f"{of} is left out: the flanks of the gears are taken to stay in touch")
    return tuple(remarks)


def refuse_overstepped_stops(compiled: CompiledArm) -> None:
    """Refuse a prescribed motion that leads a joint beyond its stops."""
    arm = compiled.arm
    for link in arm.links:
        stops = link.joint.stops
        law = arm.motion_of(link) if link.joint.prescribed else None
        if stops is None or law is None:
            continue
        switches = [float(each) for each in law.switch_times if np.isfinite(each)]
        end = arm.simulation.end if arm.simulation.end is not None else max(switches, default=1.0)
        places = law.evaluate(np.unique([*np.linspace(0.0, end, _LOOKS), *(t for t in switches if 0 <= t <= end)]))[0]
        for far, limit, side in ((np.max(places), stops.upper, 1.0), (np.min(places), stops.lower, -1.0)):
            if limit is not None and side * (far - limit) > _ROUNDING * max(abs(limit), 1.0):
                unit, bound = link.joint.unit, "≤" if side > 0.0 else "≥"
                raise AnalysisError(
                    f"link {quoted(link.name)}: the motion leads the joint to {number(far)} {unit}, beyond its stop, "
                    f"must stay {bound} {number(limit)} {unit}; a joint with a servo or a torque would meet it"
                )
