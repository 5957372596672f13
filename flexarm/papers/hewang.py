"""Assumed modes with dynamic stiffening: a strip on a hub driven by a torque (all `hewang.*` rows)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from flexarm.analyses.run.simulate import simulate
from flexarm.model import Arm
from flexarm.papers.files import paper_arm, with_model
from flexarm.papers.hewang_random import CENTRE, random_rows
from flexarm.papers.row import Row, judged

_EQUATION = (
    "equation (17) as printed: its first row lacks q'(I − D)q θ̈ + 2θ̇ q̇'(I − D)q. The tip lies {apart:.0f} mm from the "
    "centre of the circle of 15 mm that the paper has it in"
)
# Elements of the chain whose error, of second order, is extrapolated away.
_CHAIN = (128, 256)
_TIGHT = 1e-10  # m: rows are asked for to 1e-6 of a tip that is a few centimetres off the axis


def hewang() -> Iterator[Row]:
    """All rows of the paper."""
    yield from _deterministic_rows()
    yield from random_rows()


def _deterministic_rows() -> Iterator[Row]:
    """The strip at its mean numbers."""
    arm = paper_arm("hewang_hub.toml")
    for n in (1, 2, 3, 4):
        yield from _rows(f"hewang.eq17.n{n}", _end(with_model(arm, modes=n, order="printed"), _TIGHT), True)
    for n in (1, 2, 3, 4):
        note = f"{n} mode{'s' if n > 1 else ''}, every inertia term of second order kept"
        yield from _rows(f"hewang.second_order.n{n}", _end(with_model(arm, modes=n), _TIGHT), False, note)
    coarse, fine = (_end(_chain(arm, n), 1e-9) for n in _CHAIN)
    limit = fine + (fine - coarse) / 3.0
    note = (
        f"finite rotations; chains of {_CHAIN[0]} and {_CHAIN[1]} elements, whose error of second order is "
        f"extrapolated away: the finer one is {1e3 * float(np.linalg.norm(fine[2:] - limit[2:])):.1g} mm off; sections "
        "without rotary inertia, as in the paper"
    )
    yield from _rows("hewang.rigid_fe", limit, False, note)


def _end(arm: Arm, tolerance: float) -> np.ndarray:
    """Angle (rad) and rate (rad/s) of the hub, x and y of the tip (m) at the end of the run."""
    run = simulate(arm, tolerance=tolerance, output=1.0)
    hub = [run.signal(name, joint="strip")[-1] for name in ("joint_position", "joint_velocity")]
    tip = [run.signal("point_position", point="tip", axis=axis)[-1] for axis in ("x", "y")]
    return np.array(hub + tip)


def _chain(arm: Arm, elements: int) -> Arm:
    """The strip as a chain of rigid elements; its sections have no rotary inertia, as the paper's."""
    link = arm.links[0]
    assert link.beam is not None
    properties = link.beam.properties()
    thin = {"bending_stiffness": properties.EIz, "mass_per_length": properties.mass_per_length}
    model = {"formulation": "rigid-fe", "elements": elements}
    return arm.changed(links=(link.changed(beam=thin, model=model),))


def _rows(word: str, end: np.ndarray, with_rate: bool, note: str | None = None) -> Iterator[Row]:
    """The rows of one model at t = 2 s."""
    if note is None:
        note = _EQUATION.format(apart=1e3 * float(np.linalg.norm(end[2:] - CENTRE)))
    note += "; the paper prints no number"
    yield judged(f"{word}.theta2", end[0], "rad", note=note)
    if with_rate:
        yield judged(f"{word}.thetadot2", end[1], "rad/s", note=note)
    yield judged(f"{word}.tip_x_m", end[2], "m", note=note)
    yield judged(f"{word}.tip_y_m", end[3], "m", note=note)
