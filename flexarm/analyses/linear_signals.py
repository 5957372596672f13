"""Signals of an arm in small motion: each as rows over coordinates, rates and accelerations."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from flexarm.analyses.points import point_rates
from flexarm.analyses.signals.names import frame_signals, gauge_signals, signal_unit
from flexarm.analyses.signals.observed import OneObserved, States
from flexarm.analyses.stations import station_values
from flexarm.assembly import CompiledArm
from flexarm.core.tree.types import Floats
from flexarm.results.catalogue import unit_of

# Step of central differences: readings of beams are linear but for those in sleeves.
_STEP = 1e-3


@dataclass(frozen=True, eq=False)
class Signal:
    """y = position · q + rate · v + acceleration · a; of the torque of a drive its coordinate instead.

    Of an input: the coordinate it acts on, and the force it gives there at once.
    """

    name: str
    unit: str
    position: Floats | float = 0.0
    rate: Floats | float = 0.0
    acceleration: Floats = field(default_factory=lambda: np.zeros(0))
    coordinate: int = -1
    direct: float = 0.0


def outputs_of(compiled: CompiledArm, q: Floats) -> list[Signal]:
    """Every signal of the arm at the coordinates q: points, joints, drives, stations of the links."""
    nq = len(q)
    none, one = np.zeros(nq), np.eye(nq)
    found: list[Signal] = []
    moved = point_rates(compiled, q)
    axes = "xy" if compiled.arm.planar else "xyz"
    # at equilibrium a point's velocity is J v and its acceleration J a: what depends on J̇ is of second order
    for suffix, per, order in (("", "m", 0), ("_rate", "m/s", 1), ("_acceleration", "m/s²", 2)):
        for p, point in enumerate(compiled.point_names):
            for k, axis in enumerate(axes):
                rows = [none, none, none]
                rows[order] = moved[p, k]
                found.append(Signal(f"{point}.{axis}{suffix}", per, rows[0], rows[1], rows[2]))
    for suffix, slash, order in (("position", "", 0), ("rate", "/s", 1), ("acceleration", "/s²", 2)):
        for c, joint in zip(compiled.joint_coordinates, compiled.joint_names, strict=True):
            rows = [none, none, none]
            rows[order] = one[c]
            unit = compiled.coordinate_units[c] + slash
            found.append(Signal(f"{joint}.{suffix}", unit, rows[0], rows[1], rows[2]))
    for c, joint in zip(compiled.joint_coordinates, compiled.joint_names, strict=True):
        slides = compiled.coordinate_units[c] == "m"
        name, per = ("drive_force", "N") if slides else ("drive_torque", "N m")
        found.append(Signal(f"{joint}.{name}", per, none, none, none, coordinate=int(c)))
    return [*found, *_stations(compiled, q), *_in_link_axes(compiled, q), *_gauges(compiled, q)]


def _in_link_axes(compiled: CompiledArm, q: Floats) -> list[Signal]:
    """Displacement and rotation of the points in the axes of their links, with rates and accelerations."""
    nq = len(q)
    none = np.zeros(nq)
    # the rate of a signal in the state q with the rates e_c is its derivative by the coordinate c
    states = States(np.zeros(nq), np.repeat(q[None], nq, axis=0), np.eye(nq), np.zeros((nq, nq)))
    observed = OneObserved(compiled, states, "nonlinear")
    found = []
    for name in frame_signals(compiled):
        owner, _, what = name.rpartition(".")
        stem = what.removesuffix("_rate").removesuffix("_acceleration")
        # |θ| of a rotation in space has no derivative where it vanishes
        if what.startswith("deflection_") or (stem == "turn" and not compiled.arm.planar):
            continue
        rows = [none, none, none]
        rows[("", "_rate", "_acceleration").index(what.removeprefix(stem))] = observed.signal(f"{owner}.{stem}_rate")[
            :, 0
        ]
        found.append(Signal(name, signal_unit(compiled, name), rows[0], rows[1], rows[2]))
    return found


def _gauges(compiled: CompiledArm, q: Floats) -> list[Signal]:
    """What gauges read, which is linear in coordinates and rates."""
    names = list(gauge_signals(compiled))
    if not names:
        return []
    nq = len(q)
    zero = np.zeros((nq, nq))
    about = OneObserved(compiled, States(np.zeros(1), q[None], zero[:1], zero[:1]), "nonlinear")
    moved = OneObserved(compiled, States(np.zeros(nq), q + np.eye(nq), zero, zero), "nonlinear")
    rated = OneObserved(compiled, States(np.zeros(nq), zero + q, np.eye(nq), zero), "nonlinear")
    found = []
    for name in names:
        still = about.signal(name)[0, 0]
        rows = moved.signal(name)[:, 0] - still, rated.signal(name)[:, 0] - still
        found.append(Signal(name, signal_unit(compiled, name), *rows, np.zeros(nq)))
    return found


def _stations(compiled: CompiledArm, q: Floats) -> list[Signal]:
    """Curvatures, twists and internal forces at the stations of the links."""
    if not compiled.station_links:
        return []
    nq = len(q)
    step = np.array([_STEP if unit == "rad" else _STEP * compiled.reach for unit in compiled.coordinate_units])
    still = np.repeat(q[None, :], 4 * nq, axis=0)
    rates = np.zeros((4 * nq, nq))
    for sign, begin in ((1.0, 0), (-1.0, nq)):
        still[begin : begin + nq] += sign * np.diag(step)
        rates[2 * nq + begin : 3 * nq + begin] = sign * np.diag(step)
    found = []
    for name, values in station_values(compiled, still, rates).items():
        slope = (values[:nq] - values[nq : 2 * nq]) / (2.0 * step[:, None])
        swift = (values[2 * nq : 3 * nq] - values[3 * nq :]) / (2.0 * step[:, None])
        for j, place in enumerate(compiled.stations):
            if np.all(np.isfinite(slope[:, j])):
                where = f"{place.link}.{name}_at_{1e3 * place.position:.0f}_mm"
                found.append(Signal(where, unit_of(name), slope[:, j], swift[:, j], np.zeros(nq)))
    return found


def acceptable(names: Sequence[str]) -> tuple[str, ...]:
    """The names as programs take them (python-control allows no dots): letters, digits and underscores, none twice."""
    plain = [re.sub(r"\W+", "_", name).strip("_") or "signal" for name in names]
    often, seen = Counter(plain), Counter[str]()
    made = []
    for name in plain:
        seen[name] += 1
        made.append(name if often[name] == 1 else f"{name}_{seen[name]}")
    return tuple(made)
