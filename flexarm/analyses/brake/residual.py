"""Measures of residual vibration: the range of a point or coordinate, over a window or as envelope, or the energy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from flexarm.analyses.brake.runs import Braked
from flexarm.analyses.brake.shape_signals import ShapeSignal
from flexarm.analyses.brake.stop import StopMotion, Swing
from flexarm.analyses.brake.worst_case import Sample
from flexarm.analyses.points import point_rates, positions, see, undeformed
from flexarm.assembly import CompiledArm, compile_arm
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.model import Arm, Point
from flexarm.model.extent import check_can_move
from flexarm.model.reading.messages import either, meant, quoted
from flexarm.results.extremes import extremes_of_batch

Pair = tuple[Floats, Floats]
KINDS = ("across", "x", "y", "z", "energy", "coordinate:NAME", "SIGNAL")
_LOOKS = 2000  # samples of the linear motion over a window


class FreeSwing:
    """What an arm at rest in its commands does after its stop, to first order: no run is needed for it."""

    def __init__(self, rest: StopMotion, histories: Sequence[Floats]) -> None:
        self._rest, self._histories = rest, tuple(histories)

    def of(self, q: Floats, v: Floats) -> float:
        """The range from the state (nq,) at the stop; of several signals the root of the sum of squares."""
        return float(self.ranges(np.concatenate(self._rest.modal(q, v))[None, :])[0])

    def ranges(self, states: Floats) -> Floats:
        """The same (runs,) from modal coordinates and rates (runs, 2 modes)."""
        return np.sqrt(sum(np.ptp(states @ history, axis=1) ** 2 for history in self._histories))


class Measure:
    """The residual (m, rad or J) of a motion."""

    def __init__(self, arm: Arm, compiled: CompiledArm, kind: Any, point: str, envelope: bool) -> None:
        self.envelope = envelope
        self._asked = kind, point
        self._coordinate: int | None = None
        self._link: _LinkAxes | None = None
        self._axes: Floats | None = None
        self._signal: ShapeSignal | None = None
        self.unit = "m"
        if point not in compiled.point_names:
            raise AnalysisError(
                f"point is {quoted(point)}, must be {either(compiled.point_names)}{meant(point, compiled.point_names)}"
            )
        check_can_move(arm, point)
        self._index = compiled.point_names.index(point)
        if not isinstance(kind, str):
            self._axes = _direction(kind)
            self.name = f"range of {point} along ({', '.join(f'{x:.4g}' for x in self._axes[0])})"
        elif kind == "across":
            self._link = _LinkAxes(arm, compiled, point)
            self.name = f"range of {point} across {self._link.name}"
        elif kind in ("x", "y", "z"):
            self._axes = np.eye(3)["xyz".index(kind)][None, :]
            self.name = f"range of {point} along {kind}"
        elif kind == "energy":
            self.unit, self.name = "J", "energy left"
        elif kind.startswith("coordinate:"):
            wanted = kind.removeprefix("coordinate:").strip()
            names = compiled.coordinate_names
            if wanted not in names:
                raise AnalysisError(
                    f"residual: there is no coordinate {quoted(wanted)}, the arm has {either(names)}"
                    f"{meant(wanted, names)}"
                )
            self._coordinate = names.index(wanted)
            self.unit, self.name = compiled.coordinate_units[self._coordinate], f"range of {wanted}"
        elif "." in kind:
            self._signal = ShapeSignal(compiled, kind)
            self.unit, self.name = self._signal.unit, f"range of {self._signal.name}"
        else:
            raise AnalysisError(f"residual is {quoted(kind)}, must be {either(KINDS)}, or three numbers: a direction")
        if self.unit != "J" and envelope:
            self.name = self.name.replace("range", "envelope of the range", 1)

    @property
    def of_a_point(self) -> bool:
        """True if the point's path is needed."""
        return not self.at_once and self._coordinate is None and self._signal is None

    @property
    def index(self) -> int:
        """The index of the point that is measured."""
        return self._index

    def distance(self, compiled: CompiledArm, rest: StopMotion) -> float:
        """How far (m) the point moves for one unit of the residual, roughly."""
        if self._signal is not None and self.unit != "m":
            return self._signal.distance(compiled, rest, self._index)
        return 1.0 if self.unit == "m" else compiled.reach

    def of_arm(self, arm: Arm, compiled: CompiledArm) -> Measure:
        """The same measure of another arm."""
        return Measure(arm, compiled, *self._asked, self.envelope)

    @property
    def at_once(self) -> bool:
        """True if the state at the stop suffices: no window has to be run."""
        return self.envelope or self.unit == "J"

    def of(self, run: Braked, rest: StopMotion) -> float:
        """The residual after a run's stop."""
        return self.sample(run, rest).residual

    def sample(self, run: Braked, rest: StopMotion) -> Sample:
        """The same with the motion it is left in."""
        if self.at_once:
            return self.at_the_stop(run.compiled, rest, run.q[0], run.v[0])
        seen = see(run.runs.compiled, run.times, run.q, run.v, run.a, full=False) if self.of_a_point else None
        points = None if seen is None else (seen.position[:, self._index], seen.velocity[:, self._index])
        return ranges_of(run.times, [self.signals(run.runs.compiled, run.q, run.v, points)])[0]

    def at_the_stop(self, compiled: CompiledArm, rest: StopMotion, q: Floats, v: Floats) -> Sample:
        """Energy or envelope from the state (nq,) at the stop."""
        if self.unit == "J":
            energy = float(rest.energy(q, v))
            return Sample(energy, np.array([[energy]]))
        parts = self._parts(compiled, rest, *rest.modal(q, v))
        return Sample(float(self.seminorm(parts)), parts)

    def signals(self, compiled: CompiledArm, q: Floats, v: Floats, points: Pair | None) -> Pair:
        """Values and rates (m, signals) whose ranges count, in states (m, nq) from the stop on; `points`: where the
        point is and how fast it moves (m, 3).
        """
        if self._coordinate is not None:
            return q[:, [self._coordinate]], v[:, [self._coordinate]]
        if self._signal is not None:
            return self._signal.swing(compiled, q, v)
        assert points is not None
        axes = self._directions(compiled, q[0])
        return points[0] @ axes.T, points[1] @ axes.T

    def seminorm(self, motions: Floats) -> Floats:
        """The residuals (…,) of motions (…, signals, samples): ranges, their root of the sum of squares; or an energy,
        or of an envelope the sums of the amplitudes, whose two parts follow one another.
        """
        if self.unit == "J":
            return np.asarray(np.abs(motions[..., 0, 0]))
        if self.envelope:
            pairs = motions.reshape(*motions.shape[:-1], -1, 2)
            return np.asarray(np.linalg.norm(2.0 * np.hypot(pairs[..., 0], pairs[..., 1]).sum(axis=-1), axis=-1))
        return np.asarray(np.linalg.norm(np.ptp(motions, axis=-1), axis=-1))

    # --- Linear motion -----------------------------------------------------------------------------------------------

    def rows(self, compiled: CompiledArm, rest: StopMotion) -> Floats:
        """What each mode moves (signals, modes)."""
        if self._coordinate is not None:
            return (rest.moving == self._coordinate).astype(float)[None, :] @ rest.shapes
        if self._signal is not None:
            return self._signal.row(compiled, rest)
        rates = point_rates(compiled, rest.q)[self._index][:, rest.moving]
        return np.asarray(self._directions(compiled, rest.q) @ rates @ rest.shapes)

    def of_modes(
        self, compiled: CompiledArm, rest: StopMotion, swing: Swing, x: Floats, rate: Floats, span: float
    ) -> Floats:
        """The same (runs,) of modal coordinates and rates (runs, modes) at the stop, to first order."""
        if self.unit == "J":
            return rest.modal_energy(x, rate)
        if self.envelope:
            return np.array([self._enveloped(compiled, rest, *pair) for pair in zip(x, rate, strict=True)])
        return self.free_swing(compiled, rest, swing, span).ranges(np.concatenate([x, rate], axis=1))

    def free_swing(self, compiled: CompiledArm, rest: StopMotion, swing: Swing, span: float) -> FreeSwing:
        """The ranges over a window, from the state at the stop."""
        times = np.linspace(0.0, span, _LOOKS)
        return FreeSwing(rest, [swing.history(row, times) for row in self.rows(compiled, rest)])

    def _parts(self, compiled: CompiledArm, rest: StopMotion, x: Floats, rate: Floats) -> Floats:
        """What the modes of each frequency move now and a quarter of their period later (signals, 2 frequencies)."""
        rows = self.rows(compiled, rest)
        quarter = rate / rest.omega
        parts = [(rows[:, group] @ x[group], rows[:, group] @ quarter[group]) for group in rest.together()]
        return np.array([part for pair in parts for part in pair]).T

    def _enveloped(self, compiled: CompiledArm, rest: StopMotion, x: Floats, rate: Floats) -> float:
        """Twice the sum of the amplitudes, those of one frequency added with their phases."""
        return float(self.seminorm(self._parts(compiled, rest, x, rate)))

    def _directions(self, compiled: CompiledArm, q: Floats) -> Floats:
        if self._axes is not None:
            return self._axes
        assert self._link is not None
        return self._link.axes(compiled, q)


def ranges_of(times: Floats, each: Sequence[Pair]) -> list[Sample]:
    """The ranges of several motions, values and rates (m, signals) at the times (s): root of the sum of squares."""
    values, rates = (np.concatenate([pair[k] for pair in each], axis=1) for k in (0, 1))
    least, greatest = extremes_of_batch(times, values, rates)
    spans = (greatest - least).reshape(len(each), -1)
    motions = values.T.reshape(len(each), -1, len(times))
    return [Sample(float(np.linalg.norm(span)), motion) for span, motion in zip(spans, motions, strict=True)]


class _LinkAxes:
    """The directions across a link, in the base frame."""

    def __init__(self, arm: Arm, compiled: CompiledArm, point: str) -> None:
        place = next(each for each in arm.observed if each.name == point)
        link = arm.link(place.link)
        self.name = link.name
        turn = link.axis_rotation
        offsets = [np.zeros(3), turn[:, 1], turn[:, 2]]
        points = [Point(name=f"{k}", link=link.name, offset=tuple(o)) for k, o in enumerate(offsets)]
        if arm.planar:
            # the way across in the plane: z × the link's direction
            across = np.cross((0.0, 0.0, 1.0), link.axis)
            points = [Point(name=f"{k}", link=link.name, offset=tuple(k * across)) for k in (0, 1)]
        self._compiled = compile_arm(arm.changed(points=tuple(points)))
        self._names = [p.name for p in points]
        self._kept: tuple[Floats, Floats] | None = None

    def axes(self, compiled: CompiledArm, q: Floats) -> Floats:
        """Unit vectors (1 or 2, 3) across the link if nothing bends, its joints at the coordinates (nq,)."""
        rigid = undeformed(compiled, q)
        if self._kept is None or not np.array_equal(self._kept[0], rigid):
            found = positions(self._compiled, rigid[None, :])[0]
            where = [found[self._compiled.point_names.index(name)] for name in self._names]
            self._kept = rigid, np.array([each - where[0] for each in where[1:]])
        return self._kept[1]


def _direction(kind: Sequence[float]) -> Floats:
    try:
        axis = np.array([float(x) for x in kind])
    except (TypeError, ValueError):
        axis = np.zeros(0)
    if axis.shape != (3,) or not np.isfinite(axis).all() or not axis.any():
        raise AnalysisError(f"residual is {kind!r}, must be {either(KINDS)}, or three numbers: a direction")
    return (axis / np.linalg.norm(axis))[None, :]
