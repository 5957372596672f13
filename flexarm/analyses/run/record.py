"""From the samples of an integration to a Trajectory: all observations of a run, by name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from flexarm.analyses.centreline import LEAST_TWIST, CentreLine, centre_line, frame_indices
from flexarm.analyses.drives import integrating, torques_of
from flexarm.analyses.equilibrium import Forces, State
from flexarm.analyses.points import Seen, see, undeformed
from flexarm.analyses.run.energy_balance import energies, judged
from flexarm.analyses.run.error_estimate import TOO_COARSE
from flexarm.analyses.run.integrate import Run, Settings
from flexarm.analyses.run.one_run import seen_of
from flexarm.analyses.run.rigid_reference import rigid_motion
from flexarm.analyses.run.separation import quasi_static_positions, ringing
from flexarm.analyses.run.target import Target, find_target, why_no_target
from flexarm.assembly import CompiledArm, without_servos
from flexarm.core.types import S_GAIN, S_RATE_GAIN, S_REST, Floats, Ints
from flexarm.links.base import FORCE, STRAIN
from flexarm.model import Arm, format_arm
from flexarm.results import Trajectory


def recorded(
    arm: Arm,
    compiled: CompiledArm,
    run: Run,
    settings: Settings,
    info: dict[str, Any],
    analysis: str,
    line: CentreLine | None = None,
) -> Trajectory:
    """The run with its points, torques, energies and stations; its warnings say where its energy balance is open.

    `line` is the arm's centre line, where it is known already.
    """
    q, v, a = (np.ascontiguousarray(x) for x in (run.q, run.v, run.a))
    states = State(q, v, a, q)
    seen = seen_of(compiled, run, analysis)
    command = rigid_motion(compiled, run.times, states, after=analysis == "quasi-static")
    # a servo's gains are springs to the engine; the rigid arm on its command meets none
    on_command = see(without_servos(compiled), run.times, command.q, command.v, command.a)
    if len(compiled.commands.servo_coordinate):
        unbent = see(compiled, run.times, undeformed(compiled, q), undeformed(compiled, v), undeformed(compiled, a))
    else:
        unbent = on_command
    book = energies(run, seen, analysis)
    verdict = judged(run, book, settings, compiled.reach)
    info = {**info, "energy_exchanged": verdict.exchanged, "warnings": [*info.get("warnings", ()), *verdict.doubts]}
    if verdict.lost and info.get("tip_error") is not None:
        info |= {"tip_error": None, "tip_error_remark": TOO_COARSE}
    joints, elastic = compiled.joint_coordinates, compiled.elastic_coordinates
    arrays: dict[str, Floats] = {
        "joint_position": q[:, joints],
        "joint_velocity": v[:, joints],
        "joint_acceleration": a[:, joints],
        "joint_torque": drive_forces(compiled, run, seen, states)[:, joints],
        "rigid_torque": _rigid_forces(compiled, run, command, on_command)[:, joints],
        "elastic_position": q[:, elastic],
        "elastic_velocity": v[:, elastic],
        "elastic_acceleration": a[:, elastic],
        "point_position": seen.position,
        "point_velocity": seen.velocity,
        "point_acceleration": seen.acceleration,
        "point_deflection": seen.position - unbent.position,
        "point_orientation": seen.orientation,
        **book,
        **station_values(compiled, q, v),
    }
    if len(compiled.commands.servo_coordinate):
        arrays["joint_error"] = (q - command.q)[:, joints]
        arrays["point_error"] = seen.position - on_command.position
    labels: dict[str, Any] = {
        "time": run.times,
        "joint": compiled.joint_names,
        "joint_unit": [compiled.coordinate_units[c] for c in joints],
        "coordinate": [compiled.coordinate_names[c] for c in elastic],
        "coordinate_unit": [compiled.coordinate_units[c] for c in elastic],
        "point": compiled.point_names,
        "station": [f"{place.link}@{place.position:.6g}" for place in compiled.stations],
        "station_link": [place.link for place in compiled.stations],
        "station_position": [place.position for place in compiled.stations],
    }
    info = dict(info)
    end = float(info.get("end") or run.times[-1])
    target = find_target(compiled, end, analysis)
    arrays |= {
        "point_target": target.position,
        "point_equilibrium": target.equilibrium,
        "point_sag": target.sag,
    }
    if analysis == "nonlinear":
        parts, info["ringing"] = _parts(compiled, run, target, seen.position, unbent.position)
        arrays |= parts
    reasons = {name: why_no_target(compiled, end, name) for name in compiled.point_names}
    info = info | {"command_end": target.command_end, "no_target": {k: why for k, why in reasons.items() if why}}
    drawn, drawn_labels = _centre_line(line or centre_line(arm), run, analysis)
    arrays |= drawn
    labels |= drawn_labels
    labels = {name: values for name, values in labels.items() if len(values)}
    found = Trajectory.from_arrays(arrays, labels, arm_text=format_arm(arm), info=info)
    vars(found)["arm"] = arm  # at hand: it need not be read back from its text
    return found


def _parts(
    compiled: CompiledArm, run: Run, target: Target, seen: Floats, unbent: Floats
) -> tuple[dict[str, Floats], dict[str, Any] | None]:
    """The quasi-static part of the deflection and the vibration, and the poles in which the tip settles."""
    found: dict[str, Floats] = {}
    # a loose joint reacts to the vibration: what its motion holds bent vibrates, too
    held = None if len(_loose(compiled)) else quasi_static_positions(compiled, run)
    poles = vibration = None
    if run.ok and "tip" in compiled.point_names:
        poles, vibration = ringing(compiled, run, target, compiled.point_names.index("tip"))
    if held is not None:
        found["point_quasi_static"] = held - unbent
        if not len(compiled.commands.servo_coordinate):
            vibration = seen - held
    return found | ({} if vibration is None else {"point_vibration": vibration}), poles


def _centre_line(line: CentreLine, run: Run, analysis: str) -> tuple[dict[str, Floats], dict[str, Any]]:
    """The frames of the arm's centre line: what is needed to draw the run, and its labels."""
    if not len(run.times):
        return {}, {}
    frames = frame_indices(len(run.times), len(line.spots))
    kept = replace(run, times=run.times[frames], q=run.q[frames], v=run.v[frames], a=run.a[frames])
    rigid = np.ascontiguousarray(undeformed(line.compiled, kept.q))
    still = np.zeros_like(rigid)
    unbent = see(line.compiled, kept.times, rigid, still, still)
    seen = seen_of(line.compiled, kept, analysis)
    corners = line.positions(unbent)[:, line.corners]
    arrays = {"line_deflection": line.positions(seen) - line.unbent(corners), "line_corner_position": corners}
    twist = line.twists(seen, unbent)
    if np.abs(twist).max(initial=0.0) > LEAST_TWIST:
        arrays["line_twist"] = twist
    return arrays, {"frame_time": kept.times, **line.labels}


def _torques(compiled: CompiledArm, times: Floats) -> dict[int, Floats]:
    """Commanded torques by coordinate; a sample on a switch belongs to the step that ends there, the first one to the
    step that begins.
    """
    found = {}
    for link in compiled.arm.links:
        law = compiled.arm.torque_of(link)
        if law is not None:
            before, after = law.evaluate(times, side="left")[0], law.evaluate(times)[0]
            found[compiled.coordinate_names.index(link.name)] = np.where(times > 0.0, before, after)
    return found


def _loose(compiled: CompiledArm) -> Ints:
    """The coordinates of joints that neither follow a motion nor are led by a servo."""
    held = {*np.flatnonzero(compiled.driven).tolist(), *compiled.commands.servo_coordinate.tolist()}
    return np.array([c for c in compiled.joint_coordinates if int(c) not in held], np.int64)


def _rigid_forces(compiled: CompiledArm, run: Run, command: State, seen: Seen) -> Floats:
    """Forces (m, nq) the drives of the rigid arm would give on the same command.

    Loose joints of the rigid arm do not move as those of the flexible one do, whose vibration they react to: from the
    same places and rates they go where the rigid arm lets them,  M_ll δ = τ_l − r_l,  r_d + M_dl δ.
    """
    given, loose = _torques(compiled, run.times), _loose(compiled)
    wanted = seen.force
    if len(loose) and len(loose) < len(compiled.joint_coordinates):
        wanted = wanted.copy()
        forces = Forces(without_servos(compiled))
        pushed = np.stack([given.get(int(c), np.zeros(len(run.times))) for c in loose], axis=1)
        for k, q in enumerate(command.q):
            columns = forces.mass(q)[:, loose]
            try:
                wanted[k] += columns @ np.linalg.solve(columns[loose], pushed[k] - wanted[k, loose])
            except np.linalg.LinAlgError:
                wanted[k] = np.nan  # how joints without inertia would move is undetermined
    force = np.where(compiled.driven, wanted, 0.0)
    for c, values in given.items():
        force[:, c] = values
    servo = compiled.commands.servo_coordinate
    force[:, servo] = wanted[:, servo]
    return force


def drive_forces(compiled: CompiledArm, run: Run, seen: Seen, states: State) -> Floats:
    """Forces of the drives (m, nq): by inverse dynamics where the motion is prescribed, as commanded or by the servo's
    law elsewhere.
    """
    force = np.where(compiled.driven, seen.force, 0.0)
    for c, values in _torques(compiled, run.times).items():
        force[:, c] = values
    servo = compiled.commands.servo_coordinate
    if len(servo):
        force[:, servo] = torques_of(compiled, run.times, states.q, states.v, run.x)
        if run.x is None:
            # nothing was integrated: integrators give what their joints need, besides the gains that are springs here
            spring = compiled.tree.spring
            held = spring[:, S_GAIN] * (states.q - spring[:, S_REST]) + spring[:, S_RATE_GAIN] * states.v
            for j in integrating(compiled):
                force[:, servo[j]] = (seen.force - held)[:, servo[j]]
    return force


def station_values(compiled: CompiledArm, q: Floats, v: Floats) -> dict[str, Floats]:
    """Strains and internal forces at the stations along the links (m, stations)."""
    arrays: dict[str, Floats] = {}
    for j, place in enumerate(compiled.stations):
        for reading in place.readings:
            columns = [(FORCE[reading.direction], reading.forces(q, v))]
            if reading.direction in STRAIN:
                columns.append((STRAIN[reading.direction], reading.strains(q)))
            for name, values in columns:
                arrays.setdefault(name, np.full((len(q), len(compiled.stations)), np.nan))[:, j] = values
    return arrays
