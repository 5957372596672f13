"""How does the arm move and bend under its command?"""

from __future__ import annotations

import platform
from collections.abc import Mapping
from typing import Any

import numpy as np

from flexarm.analyses.integrate import Progress, Run, Settings, integrate, sample_times
from flexarm.analyses.points import Seen, see, undeformed
from flexarm.analyses.posture import State, commanded, equilibrium
from flexarm.compiled import CompiledArm, compile_arm, refined
from flexarm.core.types import Floats
from flexarm.errors import AnalysisError
from flexarm.links.base import FORCE, STRAIN
from flexarm.model import Arm, format_arm, part_to_dict
from flexarm.results import Trajectory

# A run is held in memory: numbers it may have in all (about 4 GB with everything derived from them).
MOST_NUMBERS = 5e7


def simulate(
    arm: Arm,
    *,
    end: float | None = None,
    start: str | Mapping[str, float] | None = None,
    stepper: str | None = None,
    tolerance: float | None = None,
    step: float | None = None,
    spectral_radius: float | None = None,
    output: float | None = None,
    max_steps: int | None = None,
    check: bool = False,
    progress: Progress | None = None,
) -> Trajectory:
    """The arm's motion under its command, SI; options override those of the model file.

    `start` is "rest", "static", "steady", or a mapping of coordinate names to values (rad, m) and "NAME.rate" to rates,
    the others zero. `check` also runs a twin with twice the elements and half the step and reports the differences. A
    run that fails returns what it reached: see `.complete` and `.failure`.
    """
    given = {
        "end": end,
        "stepper": stepper,
        "tolerance": tolerance,
        "step": step,
        "spectral_radius": spectral_radius,
        "output": output,
        "max_steps": max_steps,
        "start": start,
    }
    chosen = {key: value for key, value in given.items() if value is not None}
    if chosen:
        arm = arm.changed(simulation=arm.simulation.changed(**chosen))
    wanted = arm.simulation
    if wanted.end is None or wanted.output_interval is None:
        raise AnalysisError(
            "simulation.end is missing, must be given to simulate: in the model file, or as end / --end"
        )
    settings = Settings(
        wanted.end, wanted.stepper, wanted.tolerance, wanted.step, wanted.spectral_radius, wanted.max_steps
    )
    compiled = compile_arm(arm)
    _check_size(compiled, wanted.end, wanted.output_interval)
    times = sample_times(wanted.end, wanted.output_interval)
    begin = initial_state(compiled, wanted.start)
    run = integrate(compiled, begin, settings, times, progress)
    info = _info(arm, compiled, settings, run)
    if run.ok:
        info["tip_error"] = _tip_error(compiled, begin, settings, run)
        if check:
            info["check"] = _check(arm, settings, compiled, run)
    return _trajectory(arm, compiled, run, info)


def _check_size(compiled: CompiledArm, end: float, interval: float) -> None:
    """Refuse a sampling interval whose samples would not fit into memory."""
    columns = len(compiled.coordinate_names) + 3 * len(compiled.point_names)
    if end / interval * columns > MOST_NUMBERS:
        raise AnalysisError(
            f"simulation.output is {interval:.3g} s, which makes {end / interval:.3g} samples of {columns} numbers, "
            f"must be ≥ {end * columns / MOST_NUMBERS:.3g} s"
        )


def initial_state(compiled: CompiledArm, start: str | Mapping[str, float]) -> State:
    """The state at t = 0: undeformed, in static or steady equilibrium, or as given by coordinate names."""
    state = commanded(compiled)
    if isinstance(start, Mapping):
        return _given_state(compiled, state, start)
    if start == "rest":
        return state
    q, v, a, tau = state.q, state.v.copy(), state.a.copy(), state.tau
    free = compiled.free
    v[free], a[free] = 0.0, 0.0
    if start == "static":
        v[:], a[:] = 0.0, 0.0
    balanced, _, _ = equilibrium(compiled, State(q, v, a, tau))
    return State(balanced.q, np.where(compiled.driven, state.v, 0.0), state.a, tau)


def _given_state(compiled: CompiledArm, state: State, given: Mapping[str, float]) -> State:
    q, v = state.q.copy(), state.v.copy()
    for name, value in given.items():
        target, key = (v, name.removesuffix(".rate")) if name.endswith(".rate") else (q, name)
        if key not in compiled.coordinate_names:
            raise AnalysisError(
                f'start: there is no coordinate "{key}", the arm has {_listed(compiled.coordinate_names)}'
            )
        c = compiled.coordinate_names.index(key)
        if compiled.driven[c]:
            raise AnalysisError(f'start: "{key}" is driven by its command, must be a free coordinate')
        target[c] = value
    return State(q, v, state.a, state.tau)


def _listed(names: tuple[str, ...]) -> str:
    shown = ", ".join(f'"{name}"' for name in names[:8])
    return shown if len(names) <= 8 else f"{shown} and {len(names) - 8} more"


def _info(arm: Arm, compiled: CompiledArm, settings: Settings, run: Run) -> dict[str, Any]:
    switches = compiled.commands.switches
    inside = switches[(switches > 0.0) & (switches < settings.end)]
    simulation = arm.simulation
    return {
        "name": arm.name,
        "status": run.status,
        "message": run.message or None,
        "advice": run.advice or None,
        "reached": run.reached,
        "end": settings.end,
        "stepper": settings.stepper,
        "step": settings.step,
        "tolerance": settings.tolerance,
        "steps": run.steps,
        "rejected": run.rejected,
        "iterations": run.sweeps,
        "cpu_seconds": run.cpu_seconds,
        "real_time_factor": run.reached / run.cpu_seconds if run.cpu_seconds > 0.0 else None,
        "last_switch": float(inside[-1]) if len(inside) else None,
        "versions": _versions(),
        "options": part_to_dict(simulation),
    }


def _versions() -> dict[str, str]:
    from flexarm import __version__
    from flexarm.core._jit import COMPILER_VERSION

    return {
        "flexarm": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": COMPILER_VERSION,
    }


def _tip(compiled: CompiledArm, run: Run, every: int = 1) -> Floats:
    """Positions (m, 3) of the first observed point, the tip."""
    q = np.ascontiguousarray(run.q[::every])
    zero = np.zeros_like(q)
    return see(compiled, run.times[::every], q, zero, zero).position[:, 0]


def _tip_error(compiled: CompiledArm, begin: State, settings: Settings, run: Run) -> float | None:
    """The integrator's error at the tip (m), from a looser companion run and the order of the method."""
    every = max(1, len(run.times) // 200)
    companion = integrate(compiled, begin, settings.loosened(), np.ascontiguousarray(run.times[::every]))
    if not companion.ok:
        return None
    apart = np.linalg.norm(_tip(compiled, companion) - _tip(compiled, run, every), axis=1)
    return float(np.max(apart)) / (settings.companion_ratio - 1.0)


def _check(arm: Arm, settings: Settings, compiled: CompiledArm, run: Run) -> dict[str, Any]:
    """Differences (m) to a twin with twice the elements and half the step.

    Of the tip's path, its peak deflection and its residual range.
    """
    start = arm.simulation.start
    elastic = {compiled.coordinate_names[c] for c in compiled.elastic_coordinates}
    if isinstance(start, Mapping) and any(name.removesuffix(".rate") in elastic for name in start):
        raise AnalysisError("check: a start given by elastic coordinates has no twin with other elements")
    twin_arm = compile_arm(refined(arm, 2))
    twin = integrate(twin_arm, initial_state(twin_arm, start), settings.tightened(), run.times)
    if not twin.ok:
        return {"failure": f"the twin failed: {twin.message}"}
    rough, fine = _tip(compiled, run), _tip(twin_arm, twin)
    found = {"tip": float(np.max(np.linalg.norm(fine - rough, axis=1)))}
    peaks = []
    for arm_, run_, tip in ((compiled, run, rough), (twin_arm, twin, fine)):
        rigid = undeformed(arm_, np.ascontiguousarray(run_.q))
        zero = np.zeros_like(rigid)
        away = tip - see(arm_, run_.times, rigid, zero, zero).position[:, 0]
        peaks.append(float(np.max(np.linalg.norm(away, axis=1))))
    found["peak"] = abs(peaks[1] - peaks[0])
    switches = compiled.commands.switches
    after = run.times >= (switches[-1] if len(switches) else 0.0)
    if len(switches) and np.count_nonzero(after) > 2:
        spans = [np.ptp(tip[after], axis=0) for tip in (rough, fine)]
        found["residual"] = float(np.max(np.abs(spans[1] - spans[0])))
    return found


def _trajectory(arm: Arm, compiled: CompiledArm, run: Run, info: dict[str, Any]) -> Trajectory:
    """Everything that can be seen of the run, by name."""
    q, v, a = (np.ascontiguousarray(x) for x in (run.q, run.v, run.a))
    seen = see(compiled, run.times, q, v, a)
    rigid = see(compiled, run.times, undeformed(compiled, q), undeformed(compiled, v), undeformed(compiled, a))
    joints, elastic = compiled.joint_coordinates, compiled.elastic_coordinates
    stored = seen.energy.sum(axis=1)
    arrays: dict[str, Floats] = {
        "joint_position": q[:, joints],
        "joint_velocity": v[:, joints],
        "joint_acceleration": a[:, joints],
        "joint_torque": _drive_forces(compiled, run.times, seen)[:, joints],
        "rigid_torque": _drive_forces(compiled, run.times, rigid)[:, joints],
        "elastic_position": q[:, elastic],
        "elastic_velocity": v[:, elastic],
        "elastic_acceleration": a[:, elastic],
        "point_position": seen.position,
        "point_velocity": seen.velocity,
        "point_acceleration": seen.acceleration,
        "point_deflection": seen.position - rigid.position,
        "point_orientation": seen.orientation,
        "energy_kinetic": seen.energy[:, 0],
        "energy_elastic": seen.energy[:, 1],
        "energy_gravity": seen.energy[:, 2],
        "energy_dissipated": run.work[:, 2],
        "work_drives": run.work[:, 0],
        "work_loads": run.work[:, 1],
        "energy_balance_error": stored - stored[:1] - run.work[:, 0] - run.work[:, 1] + run.work[:, 2],
        **_stations(compiled, q, v),
    }
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
    return Trajectory.from_arrays(
        arrays, {name: values for name, values in labels.items() if len(values)}, arm_text=format_arm(arm), info=info
    )


def _drive_forces(compiled: CompiledArm, times: Floats, seen: Seen) -> Floats:
    """Forces of the drives (m, nq): by inverse dynamics where the motion is prescribed, as commanded elsewhere."""
    force = np.where(compiled.driven, seen.force, 0.0)
    for link in compiled.arm.links:
        law = compiled.arm.torque_of(link)
        if law is not None:
            # a sample on a switch belongs to the step that ends there, the first one to the step that begins
            before, after = law.evaluate(times, side="left")[0], law.evaluate(times)[0]
            force[:, compiled.coordinate_names.index(link.name)] = np.where(times > 0.0, before, after)
    return force


def _stations(compiled: CompiledArm, q: Floats, v: Floats) -> dict[str, Floats]:
    """Strains and internal forces at the stations along the links (m, stations)."""
    spring = compiled.tree.spring
    arrays: dict[str, Floats] = {}
    for j, place in enumerate(compiled.stations):
        for direction, c, per_unit in place.coordinates:
            force = spring[c, 0] * (q[:, c] - spring[c, 2]) + spring[c, 1] * v[:, c]
            columns = [(FORCE[direction], force)]
            if direction in STRAIN:
                columns.append((STRAIN[direction], q[:, c] * per_unit))
            for name, values in columns:
                arrays.setdefault(name, np.full((len(q), len(compiled.stations)), np.nan))[:, j] = values
    return arrays
