"""Signals of a run by name: from its arrays where they hold them, else computed from its motion."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np

from flexarm.results.catalogue import AXES
from flexarm.results.extremes import Extremes, find_extremes

if TYPE_CHECKING:
    from flexarm.results.trajectory import Trajectory

_ORDERS = {"": "position", "_rate": "velocity", "_acceleration": "acceleration"}
_OF_COORDINATES = {"position": "position", "rate": "velocity", "acceleration": "acceleration"}


def signal_names(run: Trajectory) -> tuple[str, ...]:
    """The signals that the arrays of the run hold, in the spelling of the list."""
    points, joints, coordinates = run.labels("point"), run.labels("joint"), run.labels("coordinate")
    found = [f"{point}.{axis}{order}" for order in _ORDERS for point in points for axis in AXES]
    found += [f"{point}.{word}" for point in points for word in ("dx", "dy", "dz", "deflection", "distance", "speed")]
    found += [f"{name}.{word}" for word in _OF_COORDINATES for name in (*joints, *coordinates)]
    found += [f"{joint}.torque" for joint in joints]
    found += [f"energy.{word}" for word in ("kinetic", "elastic", "gravity")]
    return tuple(name for name in [*found, *run.labels("signal")] if name in run.labels("signal") or _known(run, name))


def signal_values(run: Trajectory, word: str) -> np.ndarray:
    """The values (m,) of a signal, SI; one that is not in the list is refused with what is."""
    names = import_module("flexarm.analyses.signals.names") if not _plain(run, word) else None
    word = word if names is None else names.canonical(word)
    if word in run.labels("signal"):
        return run.values("signals")[:, run.labels("signal").index(word)]
    found = _stored(run, word)
    if found is None:
        # what no array holds is computed by the package that does so, imported by name when it is needed
        found = import_module("flexarm.analyses.signals.of_run").computed(run, word)
    return np.asarray(found)


def signal_extremes(run: Trajectory, word: str) -> dict[str, float | None]:
    """A signal at the end of the run, its least and its greatest value and when (s) they are reached; SI."""
    values = signal_values(run, word)
    if not np.isfinite(values).any():
        return dict.fromkeys(("end", "least", "least_at_s", "greatest", "greatest_at_s"))
    if word.endswith(".measured"):
        # held between samples: the extremes are among them
        finite = np.where(np.isfinite(values), values, 0.5 * (np.nanmin(values) + np.nanmax(values)))
        least, greatest = int(finite.argmin()), int(finite.argmax())
        found = Extremes(finite[least], run.time[least], finite[greatest], run.time[greatest])
    else:
        found = find_extremes(run.time, values)
    return {
        "end": float(values[-1]) if np.isfinite(values[-1]) else None,
        "least": found.least,
        "least_at_s": found.least_time,
        "greatest": found.greatest,
        "greatest_at_s": found.greatest_time,
    }


def _plain(run: Trajectory, word: str) -> bool:
    return word in run.labels("signal") or _known(run, word)


def _known(run: Trajectory, word: str) -> bool:
    return _stored(run, word) is not None


def _stored(run: Trajectory, word: str) -> np.ndarray | None:
    """The signal from the arrays of the run; None if they do not hold it."""
    owner, _, what = word.rpartition(".")
    if owner in run.labels("point"):
        j = run.labels("point").index(owner)
        stem = what.partition("_")[0]
        if stem in AXES and what.removeprefix(stem) in _ORDERS:
            return _column(run, f"point_{_ORDERS[what.removeprefix(stem)]}", j, AXES.index(stem))
        if what in ("dx", "dy", "dz"):
            return _column(run, "point_deflection", j, AXES.index(what[1]))
        if what in ("deflection", "speed"):
            name = "point_deflection" if what == "deflection" else "point_velocity"
            return np.linalg.norm(run.values(name)[:, j], axis=-1) if name in run.variables else None
        if what == "distance" and {"point_position", "point_target"} <= set(run.variables):
            return np.linalg.norm(run.values("point_position")[:, j] - run.values("point_target")[j], axis=-1)
    for kind, dim in (("joint", "joint"), ("elastic", "coordinate")):
        if owner in run.labels(dim):
            j = run.labels(dim).index(owner)
            if what in _OF_COORDINATES:
                return _column(run, f"{kind}_{_OF_COORDINATES[what]}", j)
            if what == "torque" and kind == "joint":
                return _column(run, "joint_torque", j)
    if owner == "energy":
        return _column(run, f"energy_{what}")
    return None


def _column(run: Trajectory, name: str, *place: int) -> np.ndarray | None:
    index: tuple[slice | int, ...] = (slice(None), *place)
    return np.asarray(run.values(name)[index]) if name in run.variables else None
