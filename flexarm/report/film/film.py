"""A run as a film: the solid arm in motion, coloured and enlarged as its page shows it first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from flexarm.errors import FlexarmError
from flexarm.model.link_frames import link_frames
from flexarm.report.arm.moving import moving_arm
from flexarm.report.arm.solid import Solid
from flexarm.report.film.encode import check_film, write_film
from flexarm.report.film.picture import Studio
from flexarm.report.page import MovingArm
from flexarm.results import Trajectory

SIZE = (800, 450)
# Pictures a second, and how long a film should last (s) at a round speed.
_RATES = {".gif": 20.0, ".mp4": 30.0}
_LENGTH = 8.0
_SPEEDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)


# How many pictures of how many are drawn.
Progress = Callable[[int, int], None]


def film(run: Trajectory, path: str | Path, *, size: tuple[int, int] = SIZE, progress: Progress | None = None) -> Path:
    """The path of the film (.gif or .mp4) now showing a run, its pictures so many pixels wide and high."""
    target = Path(path)
    check_film(target)
    rate = _RATES[target.suffix.lower()]
    return write_film(pictures(run, rate, size, progress), target, rate)


def speed_of(duration: float) -> float:
    """Of the round speeds the one at which so many seconds are seen in about eight; true speed if that is not far."""
    if 4.0 < duration < 20.0:
        return 1.0
    return min(_SPEEDS, key=lambda speed: abs(np.log(speed * _LENGTH / max(duration, 1e-9))))


def pictures(
    run: Trajectory, rate: float, size: tuple[int, int], progress: Progress | None = None
) -> Iterator[np.ndarray]:
    """The pictures of a run, so many a second of the film."""
    arm = next(iter(moving_arm(run)), None)
    if arm is None or arm.solid is None:
        raise FlexarmError(f"{run.name}: the run holds no centre line or no model that could be drawn")
    solid, times = arm.solid.solid, np.asarray(arm.times, float)
    rigid, bent = _lines(arm, run)
    twist = arm.solid.turning.twist
    values = _values(arm)
    lines = rigid + arm.scale * bent
    studio = Studio(solid, np.concatenate([lines.reshape(-1, 3), np.zeros((1, 3))]), arm.planar, size)
    path = lines[:, arm.traced]
    duration = float(times[-1] - times[0])
    count = max(round(duration / speed_of(duration) * rate), 1)
    for k, moment in enumerate(np.linspace(times[0], times[-1], count, endpoint=count == 1)):
        if progress is not None:
            progress(k, count)
        i = int(np.clip(np.searchsorted(times, moment, side="right") - 1, 0, len(times) - 1))
        joints = _joints(run, float(times[i]))
        turned = None if twist is None else arm.scale * twist[i]
        axes = solid.axes(lines[i], link_frames(solid.arm, joints), turned)
        yield studio.picture(lines[i], axes, values[i], path[: i + 1])


def _joints(run: Trajectory, time: float) -> dict[str, float]:
    places = run.values("joint_position") if run.labels("joint") else None
    return {
        name: float(np.interp(time, run.time, places[:, j]))
        for j, name in enumerate(run.labels("joint"))
        if places is not None
    }


def _lines(arm: MovingArm, run: Trajectory) -> tuple[np.ndarray, np.ndarray]:
    """The rigid arm's line and the deflections from it (frames, points, 3), m."""
    assert arm.solid is not None
    solid: Solid = arm.solid.solid
    rows = [_joints(run, float(time)) for time in np.asarray(arm.times)]
    joints = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    rigid = solid.rigid_line(joints, link_frames(solid.arm, joints))
    bent = np.asarray(arm.deflections, float)
    return np.broadcast_to(rigid, bent.shape), bent


def _values(arm: MovingArm) -> np.ndarray:
    """By what beams are coloured (frames, points), 0 to 1: bending stress where it is known, else deflection."""
    assert arm.solid is not None
    stress = arm.solid.turning.stress
    if stress is not None and np.nanmax(stress) > 0.0:
        return np.asarray(stress / np.nanmax(stress))
    away = np.linalg.norm(np.asarray(arm.deflections, float), axis=-1)
    most = float(away.max(initial=0.0))
    return away / most if most > 0.0 else np.full(away.shape, np.nan)
