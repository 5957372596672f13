"""How do sag, stiffness and frequencies change over the workspace?"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from flexarm.analyses.contacts import left_out_remarks
from flexarm.analyses.equilibrium import Forces, State, commanded
from flexarm.analyses.modes.modes import modes_about
from flexarm.analyses.modes.small_motion import resting
from flexarm.analyses.points import point_rates, positions, undeformed
from flexarm.analyses.posture_sweep import Found, PostureSweep
from flexarm.assembly import CompiledArm, compile_arm, without_servos
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError, FlexarmError
from flexarm.model import Arm
from flexarm.model.extent import check_can_move, tip_remarks
from flexarm.model.reading.given import Posture, quantity_of, takes_arm
from flexarm.model.reading.messages import either, meant, quoted, shown
from flexarm.results.workspace import Workspace

Progress = Callable[[int, int], None]
# How far a joint is turned by default, to either side of where it starts.
_TURN = math.radians(90.0)
_PORTION = 500  # postures between two signs of progress
_MOST = 10_000_000
# Sag that is none, as a part of the reach, and digits to which joints are told apart by what they change.
_ROUNDING, _DIGITS = 1e-12, 6


@takes_arm
def workspace(
    arm: Arm,
    joints: Mapping[str, Any] | None = None,
    *,
    points: int = 50,
    point: str = "tip",
    count: int = 3,
    posture: Posture | None = None,
    progress: Progress | None = None,
) -> Workspace:
    """Sag (m), least stiffness (N/m) and lowest frequencies (Hz) over a grid of postures, with the joints held.

    Parameters
    ----------
    arm
        An arm, or the path of its model file.
    joints
        By name (from, to), (from, to, how many) or a list of values, in rad, m or texts with a unit. Default: the two
        joints that change the sag and the compliance of the point most, 90° to either side of where they start.
    points
        Number of values of a joint where its own number is not given.
    point
        The point whose sag and stiffness are found.
    count
        Number of frequencies.
    posture
        Where the other joints are.
    progress
        Called with the number of postures done and wanted.

    Returns
    -------
    Workspace
        Maps over the grid.

    Examples
    --------
    >>> import flexarm as fa
    >>> found = fa.workspace("rod_handler.toml", {"rod": ("-90 deg", "90 deg", 3)}, count=1)
    >>> found.frequencies_hz.shape
    (3, 1)
    """
    if points < 2:
        raise AnalysisError(f"points is {points}, must be ≥ 2")
    if count < 1:
        raise AnalysisError(f"count is {count}, must be ≥ 1")
    compiled = without_servos(compile_arm(arm))
    if point not in compiled.point_names:
        raise AnalysisError(f"point is {quoted(point)}, must be {either(compiled.point_names)}")
    check_can_move(arm, point)
    start = commanded(compiled, 0.0, posture)
    start = State(start.q, np.zeros_like(start.q), np.zeros_like(start.q), np.zeros_like(start.q))
    sweep = PostureSweep(compiled, start, point, count)
    remarks = [*tip_remarks(arm), *left_out_remarks(arm, ())]
    if joints is None:
        names = _most_influential_joints(compiled, sweep, start.q, point)
        values = [np.linspace(*_reach_of(arm, name, start.q[_coordinate(compiled, name)]), points) for name in names]
        if len(names) < len(compiled.joint_names):
            remarks.append(f"the joints {' and '.join(map(quoted, names))} were chosen: they change the results most")
    else:
        names, values = _asked(arm, joints, points)
    grid = np.stack(np.meshgrid(*values, indexing="ij"), axis=-1)
    if grid[..., 0].size > _MOST:
        raise AnalysisError(f"that are {grid[..., 0].size} postures, must be ≤ {_MOST}: ask for fewer points")
    q = np.repeat(start.q[None], grid[..., 0].size, axis=0)
    for k, name in enumerate(names):
        q[:, _coordinate(compiled, name)] = grid[..., k].ravel()
    parts = []
    for begin in range(0, len(q), _PORTION):
        parts.append(_portion(compiled, sweep, q[begin : begin + _PORTION], point, count))
        if progress is not None:
            progress(min(begin + _PORTION, len(q)), len(q))
    found = [np.concatenate([part[k] for part in parts]) for k in range(4)]
    failed = [reason for part in parts for reason in part[4]]
    place, sag, compliance, frequencies = (array.reshape(*grid.shape[:-1], *array.shape[1:]) for array in found)
    kept = [frequencies[..., k] for k in range(frequencies.shape[-1]) if np.isfinite(frequencies[..., k]).any()]
    return Workspace(
        joints=tuple(names),
        units=tuple(arm.link(name).joint.unit for name in names),
        values=tuple(values),
        point=point,
        position=place,
        sag=sag,
        compliance=compliance,
        frequencies_hz=np.stack(kept, axis=-1) if kept else np.zeros((*grid.shape[:-1], 0)),
        failures=tuple(failed),
        posture={
            name: float(start.q[_coordinate(compiled, name)]) for name in compiled.joint_names if name not in names
        },
        posture_units={name: arm.link(name).joint.unit for name in compiled.joint_names if name not in names},
        arm_name=arm.name,
        remarks=tuple(remarks),
        arm=arm,
    )


def _portion(
    compiled: CompiledArm, sweep: PostureSweep, q: Floats, point: str, count: int
) -> tuple[Floats, Floats, Floats, Floats, list[str]]:
    """Position of the unbent point, its sag, compliance and frequencies in some postures, and why some have none."""
    found = sweep.found(q)
    failed = []
    for p in np.flatnonzero(~found.done):
        try:
            _carefully(compiled, found, int(p), q[p], point, count)
        except (FlexarmError, np.linalg.LinAlgError) as error:
            failed.append(str(error))
            for array in (found.q, found.compliance, found.frequencies_hz):
                array[p] = np.nan
    index = compiled.point_names.index(point)
    rigid = positions(compiled, undeformed(compiled, q))[:, index]
    sag = positions(compiled, np.nan_to_num(found.q))[:, index] - rigid
    sag[np.isnan(found.q).any(axis=1)] = np.nan
    return rigid, sag, found.compliance, found.frequencies_hz, failed


def _carefully(compiled: CompiledArm, found: Found, p: int, q: Floats, point: str, count: int) -> None:
    """Fill one posture in by Newton's equilibrium and the full tangent."""
    posture = {name: float(q[c]) for name, c in zip(compiled.joint_names, compiled.joint_coordinates, strict=True)}
    state = resting(compiled, posture)
    free = compiled.elastic_coordinates
    stiffness = Forces(compiled).tangent(state)[0][np.ix_(free, free)]
    rates = point_rates(compiled, state.q)[compiled.point_names.index(point)][:, free]
    found.q[p] = state.q
    found.compliance[p] = rates @ np.linalg.solve(stiffness, rates.T)
    lowest = modes_about(compiled, state, "locked", count).frequencies_hz
    found.frequencies_hz[p, : len(lowest)] = lowest


def _coordinate(compiled: CompiledArm, name: str) -> int:
    return compiled.coordinate_names.index(name)


def _asked(arm: Arm, joints: Mapping[str, Any], points: int) -> tuple[list[str], list[Floats]]:
    """The joints that are asked for and their values (rad or m), rising."""
    movable = [link.name for link in arm.links if link.joint.type != "fixed"]
    if not isinstance(joints, Mapping) or not joints:
        raise AnalysisError(
            f'joints is {shown(joints)}, must map joints to ranges such as {{"elbow": ("0 deg", "90 deg")}}'
        )
    names, values = [], []
    for name, asked in joints.items():
        if name not in movable:
            raise AnalysisError(
                f"there is no joint {quoted(str(name))}, must be {either(movable)}{meant(name, movable)}"
            )
        names.append(name)
        values.append(_values(asked, arm.link(name).joint.unit, f"joint {quoted(name)}", points))
    return names, values


def _values(asked: Any, unit: str, what: str, points: int) -> Floats:
    if isinstance(asked, str) or not isinstance(asked, Sequence | np.ndarray) or len(asked) < 2:
        raise AnalysisError(
            f"{what} is {shown(asked)}, must be from and to, from, to and how many, or a list of values"
        )
    if isinstance(asked, tuple) and len(asked) in (2, 3):
        many = asked[2] if len(asked) == 3 else points
        if isinstance(many, bool) or not isinstance(many, int | np.integer) or many < 2:
            raise AnalysisError(f"{what} has {shown(many)} values, must have a whole number ≥ 2 of them")
        first, last = (quantity_of(each, unit, what) for each in asked[:2])
        found = np.linspace(first, last, int(many))
    else:
        found = np.array([quantity_of(each, unit, what) for each in asked])
    if not np.all(np.diff(found) > 0.0):
        raise AnalysisError(f"{what} has values from {found[0]:.6g} to {found[-1]:.6g} {unit}, must be rising")
    return found


def _reach_of(arm: Arm, name: str, at: float) -> tuple[float, float]:
    """The default range of a joint (rad or m)."""
    link = arm.link(name)
    if link.joint.type == "revolute":
        return at - _TURN, at + _TURN
    return (0.2 * link.length, link.length) if link.joint.sleeve else (at, at + link.length)


def _most_influential_joints(compiled: CompiledArm, sweep: PostureSweep, start: Floats, point: str) -> list[str]:
    """The two joints, base to tip, whose motion changes sag and compliance of the point most."""
    arm, names = compiled.arm, list(compiled.joint_names)
    if not names:
        raise AnalysisError("the arm has no movable joint, so there is one posture only: try statics and modes")
    spreads = []
    for name in names:
        q = np.repeat(start[None], 5, axis=0)
        q[:, _coordinate(compiled, name)] = np.linspace(*_reach_of(arm, name, start[_coordinate(compiled, name)]), 5)
        _, sag, compliance, *_ = _portion(compiled, sweep, q, point, 1)
        known = np.isfinite(compliance).all(axis=(1, 2))
        soft = np.linalg.eigvalsh(compliance[known])[:, -1]
        bent = np.where(np.abs(sag[known]) > _ROUNDING * compiled.reach, sag[known], 0.0)
        sizes = (soft, np.linalg.norm(bent, axis=1))
        spreads.append(sum(float(np.ptp(size) / np.max(size)) for size in sizes if size.any()))
    # alike to rounding: those nearer to the base
    chosen = sorted(range(len(names)), key=lambda k: -round(spreads[k], _DIGITS))[:2]
    return [names[k] for k in sorted(chosen)]
