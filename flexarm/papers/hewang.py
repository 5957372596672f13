"""Assumed modes with dynamic stiffening: a strip on a hub driven by a torque (all `hewang.*` rows)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

import numpy as np

from flexarm.analyses.run.simulate import simulate
from flexarm.model import Arm
from flexarm.papers.files import paper_arm, with_model
from flexarm.papers.hewang_random import CENTRE, RADIUS, random_rows
from flexarm.papers.row import Row, claimed, judged, percent, with_claims
from flexarm.papers.tip import across

_EQUATION = (
    "equation (17) as printed: its first row lacks q'(I − D)q θ̈ + 2θ̇ q̇'(I − D)q. The tip lies {apart:.0f} mm from "
    "the centre of the circle of 15 mm that the paper has it in"
)
# Elements of the chain whose error, of second order, is extrapolated away.
_CHAIN = (128, 256)
_TIGHT = 1e-10  # m: rows are asked for to 1e-6 of a tip that is a few centimetres off the axis


def hewang() -> Iterator[Row]:
    """All rows of the paper, then its claims."""
    return with_claims(chain(_deterministic_rows(), random_rows()), _claims)


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


def _claims(values: Mapping[str, float]) -> Iterator[Row]:
    """What the paper concludes (rows `claim.hewang.*`)."""
    low, reliability, high = (values[f"hewang.{name}"] for name in ("reliability_lo", "reliability", "reliability_hi"))
    yield claimed(
        "hewang.reliability_is_99_7_per_cent",
        reliability,
        "",
        low <= 0.997 <= high,
        f"the tip is in its circle with 99.7 %: with {percent(reliability, 2)}, between {percent(low, 2)} and "
        f"{percent(high, 2)}",
    )
    place = np.array([values[f"hewang.eq17.n2.tip_{axis}_m"] for axis in "xy"])
    apart = float(np.linalg.norm(place - CENTRE))
    spread = float(np.sqrt(values["hewang.mc.var_theta.t2.0"])) * float(np.linalg.norm(CENTRE))
    yield claimed(
        "hewang.statistics_tell_more_than_one_run",
        spread / RADIUS,
        "",
        spread > RADIUS,
        "a stochastic model answers more than a determined one: at the mean parameters the tip misses the circle by "
        f"{1e3 * (apart - RADIUS):.0f} mm, so that the answer would be never, while the samples are spread by "
        f"{1e3 * spread:.0f} mm and {percent(reliability, 1)} of them meet it",
    )
    yield claimed(
        "hewang.reliability_can_be_computed",
        high - low,
        "",
        high - low < 0.01,
        "functional reliability can be computed from the stochastic model and verify a motion's accuracy: our "
        f"samples have it within ±{percent(0.5 * (high - low), 2)}, the paper's thousand would within "
        f"±{percent(_width(reliability), 1)}",
    )
    run = simulate(with_model(paper_arm("hewang_hub.toml"), modes=2, order="printed"), output=5e-3)
    bent = float(np.max(np.abs(across(run, "strip")))) / paper_arm("hewang_hub.toml").links[0].length
    moved = float(np.linalg.norm(place - [values[f"hewang.rigid_fe.tip_{axis}_m"] for axis in "xy"]))
    yield claimed(
        "hewang.deformation_is_small",
        bent,
        "",
        bent < 0.1,
        f"the deformation is assumed to be small: the tip bends by {percent(bent, 0)} of the length, and equation (17) "
        f"ends {1e3 * moved:.0f} mm from the beam of finite rotations, as much as the circle's radius",
    )


def _width(share: float) -> float:
    """Half the 95 % interval of a share found by a thousand samples."""
    return float(1.96 * np.sqrt(share * (1.0 - share) / 1000.0))
