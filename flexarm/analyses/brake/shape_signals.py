"""Residuals of any signal that follows from the shape of the arm: displacements in link axes, strains, curvatures."""

from __future__ import annotations

import numpy as np

from flexarm.analyses.brake.stop import StopMotion
from flexarm.analyses.points import point_rates
from flexarm.analyses.signals.names import AXES, LINK_AXES, PLACE, TURNS, canonical, rate_of, signal_unit
from flexarm.analyses.signals.observed import OneObserved, States
from flexarm.assembly import CompiledArm
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.model.reading.messages import quoted

# What follows from the coordinates alone. Rates, torques and moments (which have damping in them) do not; distances
# have no derivative where they vanish, which is where an arm comes to rest.
_OF_SHAPE = {
    *(*AXES, *LINK_AXES, *TURNS, *(f"d{axis}" for axis in AXES), "position", "strain", "stress"),
    *(f"deflection_{word}" for word in (*LINK_AXES, *TURNS)),
}
_PLACES = ("curvature_y", "curvature_z", "twist")
# Length of the steps of central differences, in units of the coordinates: m and rad.
_STEP = 1e-4


class ShapeSignal:
    """A signal of the list as something that swings: values, rates, and what each mode gives to it."""

    def __init__(self, compiled: CompiledArm, word: str) -> None:
        self.name = canonical(word)
        self.unit = signal_unit(compiled, word)
        what = self.name.rpartition(".")[2]
        place = PLACE.fullmatch(what)
        in_space = what.removeprefix("deflection_") == "turn" and not compiled.arm.planar
        if in_space or not (what in _OF_SHAPE or (place is not None and place[1] in _PLACES)):
            raise AnalysisError(
                f"residual is {quoted(word)}, must be a signal of the arm's shape: POINT.{{x, across, turn_z, dx, "
                "deflection_across …}, COORDINATE.position, GAUGE.{strain, stress} or LINK.curvature_z_at_250_mm"
            )

    def values(self, compiled: CompiledArm, q: Floats) -> Floats:
        """The signal (m,) in the shapes (m, nq)."""
        return self._observed(compiled, q, np.zeros_like(q)).signal(self.name)[:, 0]

    def swing(self, compiled: CompiledArm, q: Floats, v: Floats) -> tuple[Floats, Floats]:
        """The signal and its rate (m, 1) in the states (m, nq)."""
        observed = self._observed(compiled, q, v)
        rate = rate_of(self.name)
        if rate is not None:
            return observed.signal(self.name), observed.signal(rate)
        # what has no rate in the list is a function of the shape: its derivative along the motion
        step = _STEP / max(float(np.abs(v).max()), np.finfo(float).tiny)
        ahead, behind = (self.values(compiled, q + way * step * v) for way in (1.0, -1.0))
        return observed.signal(self.name), ((ahead - behind) / (2.0 * step))[:, None]

    def row(self, compiled: CompiledArm, rest: StopMotion) -> Floats:
        """What each mode gives to the signal (1, modes)."""
        steps = np.zeros((rest.shapes.shape[1], len(rest.q)))
        sizes = _STEP / np.maximum(np.abs(rest.shapes).max(axis=0), np.finfo(float).tiny)
        steps[:, rest.moving] = (rest.shapes * sizes).T
        ahead, behind = (self.values(compiled, rest.q + way * steps) for way in (1.0, -1.0))
        return np.asarray((ahead - behind) / (2.0 * sizes))[None, :]

    def distance(self, compiled: CompiledArm, rest: StopMotion, point: int) -> float:
        """How far (m) the point moves in a mode for one unit of the signal, in the mode that shows most of it."""
        given = np.abs(self.row(compiled, rest)[0])
        moved = np.linalg.norm(point_rates(compiled, rest.q)[point][:, rest.moving] @ rest.shapes, axis=0)
        # of modes that hardly move the point, no distance follows
        most = int(np.argmax(np.where(moved > 1e-6 * moved.max(), given / rest.omega, 0.0)))
        return float(moved[most] / given[most]) if given[most] > 0.0 else compiled.reach

    def _observed(self, compiled: CompiledArm, q: Floats, v: Floats) -> OneObserved:
        return OneObserved(compiled, States(np.zeros(len(q)), q, v, np.zeros_like(q)), "nonlinear")
