"""An overview of an arm: what it is made of, what drives it, when its commands switch."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.assembly.loaded_shapes import shape_remarks
from flexarm.model.extent import link_mass, tip_remarks
from flexarm.model.parts.closure import Spring, Support, closure_words, closures_of
from flexarm.results.beam_models import beam_rows, beams_of
from flexarm.results.engineering import aligned, digits, plural, quantity
from flexarm.results.servo_summary import servo_rows

if TYPE_CHECKING:
    from flexarm.assembly import CompiledArm
    from flexarm.model import Arm, Joint, Link, Load, Pieces

_AXES = {(1.0, 0.0, 0.0): "x", (0.0, 1.0, 0.0): "y", (0.0, 0.0, 1.0): "z"}
_SWITCHES_SHOWN = 6


def arm_summary(compiled: CompiledArm) -> dict[str, Any]:
    """The arm in JSON's types, SI units."""
    arm = compiled.arm
    servos, tuning = _servos(arm)
    parents = ["base" if index < 0 else arm.links[index].name for index in arm.parents]
    return {
        "name": arm.name,
        "planar": arm.planar,
        "gravity_m_s2": arm.gravity,
        "mass_kg": arm.mass,
        "joints": list(compiled.joint_names),
        "elastic_coordinates": len(compiled.elastic_coordinates),
        "free_coordinates": len(compiled.free),
        "points": list(compiled.point_names),
        "remarks": [*arm.remarks, *tip_remarks(arm), *shape_remarks(arm)],
        "links": [
            _link_facts(link, parent, arm, servos.get(link.name))
            for link, parent in zip(arm.links, parents, strict=True)
        ],
        "servo_tuning": tuning,
        "beams": beams_of(arm),
        "commands": [
            {"law": law, "kind": kind, "drives": driven, "switches_s": times}
            for driven, law, kind, times in _all_commands(arm)
        ],
        "loads": [{"link": load.link, "force_n": load.force, "moment_n_m": load.moment} for load in arm.loads],
        **({"closures": _closures(arm)} if closure_words(arm) else {}),
        "simulation": arm.simulation.model_dump(exclude_none=True),
    }


def arm_overview(compiled: CompiledArm) -> str:
    """The arm in plain text."""
    arm = compiled.arm
    facts = [
        ["kind", f"{'planar' if arm.planar else 'spatial'}, {_gravity(arm)}"],
        ["coordinates", _coordinates(compiled)],
        ["mass", quantity(arm.mass, "kg")],
        ["points", ", ".join(compiled.point_names)],
        *([["loads", ", ".join(_load(load) for load in arm.loads)]] if arm.loads else []),
        *([["held together by", "; ".join(_closures(arm))]] if closure_words(arm) else []),
        ["simulation", _simulation(arm)],
    ]
    remarks = [f"  {remark}" for remark in (*arm.remarks, *tip_remarks(arm), *shape_remarks(arm))]
    servos = [list(row) for row in servo_rows(*_servos(arm))]
    shown = ["", aligned(servos)] if servos else []
    return "\n".join(
        [
            *(arm.name, aligned(facts), "", _links(arm), *_beams(arm), *_commands(arm), *shown),
            *([""] if remarks else []),
            *remarks,
        ]
    )


def _closures(arm: Arm) -> list[str]:
    """Supports, loops and springs between points, a few words for each."""
    found = []
    for name, part in closures_of(arm):
        if isinstance(part, Spring):
            words = f"spring {name} from {part.link} to {part.to}, {quantity(part.stiffness, 'N/m', 3)}"
        else:
            held = part.holds if isinstance(part.holds, str) else ", ".join(part.holds)
            words = (
                f"support {name} of {part.link} ({held}"
                if isinstance(part, Support)
                else (f"loop {name} of {part.link} on {part.to} ({held}")
            )
            soft = isinstance(part, Support) and not part.rigid
            words += ", on a spring)" if soft else ")"
        found.append(words)
    return found


def _beams(arm: Arm) -> list[str]:
    """How the beams are modelled, what that leaves out, and what it assumes."""
    rows = [[word, text] for word, text in beam_rows(beams_of(arm))]
    return ["", aligned(rows)] if rows else []


def _servos(arm: Arm) -> tuple[dict[str, dict[str, Any]], str | None]:
    """The servos by link, those left to the system tuned for the arm, and why so."""
    if not any(link.joint.servo for link in arm.links):
        return {}, None
    from flexarm.analyses.servo import servo_summary, with_tuning

    arm, tuning = with_tuning(arm)
    return servo_summary(arm, tuning), None if tuning is None else tuning.reason()


def _link_facts(link: Link, parent: str, arm: Arm, servo: Mapping[str, Any] | None) -> dict[str, Any]:
    joint = link.joint
    facts: dict[str, Any] = {"name": link.name, "on": parent, "joint": joint.type, "drive": joint.drive}
    if joint.type != "fixed":
        facts |= {"axis": list(joint.axis), "at": joint.at, "at_unit": joint.unit}
    facts |= _drive_facts(joint, servo)
    facts |= {"body": link.body, "length_m": link.length, "mass_kg": link_mass(link)}
    if link.beam is not None:
        from flexarm.model.freedoms import freedoms_of

        model = link.formulation
        facts["formulation"] = model.formulation
        facts |= {"modes": model.modes} if model.traits.mesh == "modes" else {"elements": model.elements}
        facts["freedoms"] = list(freedoms_of(model, link.beam.properties(), arm.planar))
        shown = ("frames", "theory", "modes", "order", "kinematics")
        facts |= {key: getattr(model, key) for key in shown if key in model.model_fields_set}
        if "shapes" in model.model_fields_set:
            from flexarm.model import part_to_dict

            facts["shapes"] = part_to_dict(model).get("shapes", model.shapes)
    return facts


def _drive_facts(joint: Joint, servo: Mapping[str, Any] | None) -> dict[str, Any]:
    """What lies between law and link, as far as there is anything; gains of None are found by the arm's own."""
    facts: dict[str, Any] = {"sleeve": True} if joint.sleeve else {}
    if joint.servo is not None:
        kp, kv = joint.servo_gains() or (None, None)
        facts["servo"] = {"kp": kp, "kv": kv} if servo is None else servo
    if joint.motor is not None:
        facts |= {"felt_inertia": joint.felt_inertia, "felt_friction": joint.felt_friction}
    if joint.gear is not None:
        facts["gear"] = {"stiffness": joint.gear.stiffness, "damping": joint.gear.damping}
        facts["gear"] |= {"backlash": joint.gear.backlash} if joint.gear.backlash else {}
    for word, part in (("friction", joint.friction), ("stops", joint.stops)):
        if part is not None:
            facts[word] = {name: value for name, value in part if value is not None}
    return facts


def _links(arm: Arm) -> str:
    rows = [["link", "on", "joint", "at", "drive", "body", "length", "mass"]]
    for link, parent in zip(arm.links, arm.parents, strict=True):
        rows.append(
            [
                link.name,
                "base" if parent < 0 else arm.links[parent].name,
                _joint(link.joint),
                "" if link.joint.type == "fixed" else _coordinate(link.joint.at, link.joint.unit),
                _drive(link.joint),
                _body(link),
                quantity(link.length, "m", 3),
                quantity(link_mass(link), "kg", 3),
            ]
        )
    return aligned(rows, right=(3, 6, 7))


def _joint(joint: Joint) -> str:
    if joint.type == "fixed":
        return "fixed"
    return f"{joint.type} {_direction(joint.axis)}" + (", sleeve" if joint.sleeve else "")


def _drive(joint: Joint) -> str:
    if joint.type == "fixed":
        return ""
    law = joint.motion if joint.motion is not None else joint.torque
    words = [joint.drive if law is None else law]
    words += [] if joint.rate is None else [f"{_coordinate(joint.rate, joint.unit)}/s"]
    words += [word for word in ("servo", "motor", "gear", "friction", "stops") if getattr(joint, word) is not None]
    words += ["play"] if joint.gear is not None and joint.gear.backlash else []
    return ", ".join(words)


def _body(link: Link) -> str:
    extra = [plural(len(link.payloads), "payload")] if link.payloads else []
    extra += ["hub"] if link.hub is not None else []
    if link.beam is None:
        return ", ".join(["rigid", *extra])
    model = link.formulation
    word = f"beam, {model.elements} {model.formulation} element{'' if model.elements == 1 else 's'}"
    if not model.traits.mesh:
        word = f"beam, {model.formulation}"
    printed = ["as printed"] if "printed" in (model.order, model.kinematics) else []
    if model.traits.mesh == "modes":
        count = f"{plural(model.modes, 'assumed mode')} of each direction"
        if model.listed:
            count = f"{plural(model.modes, 'assumed shape')} as listed"
        shapes = [str(model.shapes)] if not model.listed and model.shapes != "payload" else []
        return ", ".join([f"beam, {count}", *shapes, *printed, *extra])
    frames = ["in the link's frame"] if model.frames == "link" else []
    modes = [f"reduced to {plural(model.modes, 'mode')}"] if model.modes else []
    return ", ".join([word, *printed, *frames, *modes, *extra])


def _commands(arm: Arm) -> list[str]:
    """Laws with what they drive; joints under one law that switch at the same times share a line."""
    lines: dict[tuple[str, str, tuple[float, ...]], list[str]] = {}
    for driven, law, kind, times in _all_commands(arm):
        lines.setdefault((law, kind, tuple(times)), []).append(driven)
    if not lines:
        return []
    rows = [["command", "kind", "drives", "switches at"]]
    for (law, kind, moments), several in lines.items():
        shown = ", ".join(f"{time:.6g} s" for time in moments[:_SWITCHES_SHOWN]) or "never"
        more = f" and {len(moments) - _SWITCHES_SHOWN} times more" if len(moments) > _SWITCHES_SHOWN else ""
        rows.append([law, kind, ", ".join(several), shown + more])
    return ["", aligned(rows)]


def _all_commands(arm: Arm) -> list[tuple[str, str, str, list[float]]]:
    """What is driven, the name and kind of the law that drives it, and when that switches (s)."""
    found = []
    for link in arm.links:
        motion, torque = link.joint.motion, link.joint.torque
        if motion is not None:
            found.append((link.name, motion, f"{arm.motions[motion].kind} motion", _switches(arm.motion_of(link))))
        elif torque is not None:
            found.append((link.name, torque, f"{arm.torques[torque].kind} torque", _switches(arm.torque_of(link))))
    for load in arm.loads:
        if load.law is not None:
            kind = f"{arm.torques[load.law].kind} factor"
            found.append((f"load on {load.link}", load.law, kind, _switches(arm.factor_of(load))))
    return found


def _switches(pieces: Pieces | None) -> list[float]:
    # Rounded, so that joints under one law appear to switch together.
    return [] if pieces is None else [float(f"{time:.12g}") for time in pieces.switch_times]


def _gravity(arm: Arm) -> str:
    size = math.hypot(*arm.gravity)
    if size == 0.0:
        return "no gravity"
    return f"gravity {digits(size)} m/s² along {_direction(tuple(part / size for part in arm.gravity))}"


def _coordinates(compiled: CompiledArm) -> str:
    driven = int(np.count_nonzero(compiled.driven))
    joints = plural(len(compiled.joint_names), "joint")
    elastic = plural(len(compiled.elastic_coordinates), "elastic coordinate")
    return f"{joints} and {elastic}; {driven} prescribed, {len(compiled.free)} free"


def _simulation(arm: Arm) -> str:
    wanted = arm.simulation
    if wanted.end is None:
        return "no end time given"
    how = f"tolerance {quantity(wanted.tolerance, 'm', 2)}"
    if wanted.step is not None:
        how = f"fixed step {quantity(wanted.step, 's')}"
    kind = "" if wanted.analysis == "nonlinear" else f"{wanted.analysis}, "
    return f"{kind}0 s to {wanted.end:.6g} s, {wanted.start} start, {wanted.stepper}, {how}"


def _load(load: Load) -> str:
    parts = [("force", load.force, "N"), ("moment", load.moment, "N m")]
    shown = [f"{word} {quantity(math.hypot(*vector), unit)}" for word, vector, unit in parts if any(vector)]
    return f"{' and '.join(shown)} on {load.link}"


def _direction(axis: tuple[float, ...]) -> str:
    for known, word in _AXES.items():
        if math.dist(axis, known) < 1e-12:
            return word
        if math.dist(axis, [-part for part in known]) < 1e-12:
            return f"-{word}"
    return f"({', '.join(f'{part:.4g}' for part in axis)})"


def _coordinate(value: float, unit: str) -> str:
    return f"{math.degrees(value):.6g}°" if unit == "rad" else quantity(value, unit)
