"""The Hermitian Timoshenko element: frequencies without locking, a turned link (all `hermite.*` rows)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from flexarm.analyses.modes.modes import modes
from flexarm.analyses.run.simulate import simulate
from flexarm.model import Arm
from flexarm.papers.files import paper_arm, with_model
from flexarm.papers.row import Row, judged
from flexarm.results import Trajectory

_FIGURE = "the paper shows it as a figure only"
_SPIN = (
    "the left side of the trajectory is lost and read as the rate, 50 (t + 1e-4 cos 10 t) rad/s, from rest in "
    "the hub's axes"
)
_PLAIN = (
    "The printed model, 4 elements (a figure only), softens with the rate and never stiffens, which no link does; with "
    "the paper's axial coordinate, or its matrix Q taken node by node, it differs little and softens as much"
)
# Diameter (m) of the paper's section.
DIAMETER = 0.0185


def hermite() -> Iterator[Row]:
    """All rows of the paper."""
    yield from _frequency_rows()
    yield from _rest_rows()
    yield from _spin_rows()


def _frequency_rows() -> Iterator[Row]:
    """λ1 = ω1 L² √(ρA/EI) of a cantilever of square section, 4 elements."""
    arm = paper_arm("hermite_link.toml")
    for span in (2, 5, 10, 20, 50, 100, 1000):
        value, fine = (_frequency_parameter(arm, span, n) for n in (4, 32))
        yield judged(
            f"hermite.lambda1.s{span}.n4",
            value,
            "",
            note="the paper claims that nothing locks, which holds, and prints no frequency; "
            f"32 elements give {fine:.5f}, {100.0 * (value / fine - 1.0):.1g} % less",
        )


def _frequency_parameter(arm: Arm, span: int, elements: int) -> float:
    """λ1 of a cantilever so many times as long as thick."""
    link = arm.links[0]
    # E/G = 2.6 is a Poisson's ratio of 0.3, the model file's; only ratios count
    side = 0.01
    section = {"shape": "rectangle", "width": side, "height": side, "shear": 5.0 / 6.0}
    beam = link.beam.changed(section=section)  # type: ignore[union-attr]
    model = link.formulation.changed(elements=elements, frames="element", stiffening=True)
    stubby = arm.changed(links=(link.changed(length=span * side, beam=beam, model=model),))
    bound = stubby.links[0].beam
    assert bound is not None
    properties = bound.properties()
    assert properties.EIz is not None
    omega = 2.0 * np.pi * float(modes(stubby, joints="locked", count=1).frequencies_hz[0])
    return float(omega * (span * side) ** 2 * np.sqrt(properties.mass_per_length / properties.EIz))


def lateral(run: Trajectory) -> np.ndarray:
    """The tip's displacement across the undeformed link, in the hub's axes (m)."""
    angle = run.signal("joint_position", joint="link")
    x = run.signal("point_deflection", point="tip", axis="x")
    y = run.signal("point_deflection", point="tip", axis="y")
    return np.asarray(np.cos(angle) * y - np.sin(angle) * x)


def _at(run: Trajectory, values: np.ndarray, t: float) -> float:
    return float(values[int(np.argmin(np.abs(run.time - t)))])


def _rest_rows() -> Iterator[Row]:
    arm = paper_arm("hermite_link.toml")
    run = simulate(arm)
    tip = lateral(run)
    apart = float(np.max(np.abs(lateral(simulate(with_model(arm, stiffening=True))) - tip)))
    note = (
        "the printed model, which softens with the rate and does not stiffen; stiffening would move the tip by "
        f"{1e3 * apart:.1g} mm at most. {_FIGURE[0].upper()}{_FIGURE[1:]}"
    )
    for t in ("0.02", "0.05", "0.1", "0.15", "0.2", "0.3"):
        yield judged(f"hermite.rest.tip_mm.t{t}", 1e3 * _at(run, tip, float(t)), "mm", note=note)
    for span in (10, 20, 30, 40, 60):
        length = span * DIAMETER
        note = f"length {1e3 * length:.4g} mm, first 0.1 s; {_FIGURE}"
        yield judged(f"hermite.rest.max_tip_mm.s{span}", 1e3 * _largest(_of_length(arm, length)), "mm", note=note)


def _of_length(arm: Arm, length: float) -> Arm:
    return arm.changed(links=(arm.links[0].changed(length=length),))


def _largest(arm: Arm) -> float:
    """The largest magnitude of the tip's lateral displacement in the first tenth of a second (m)."""
    run = simulate(arm, end=0.1, output=2e-5)
    return float(np.max(np.abs(lateral(run))))


def _spin_rows() -> Iterator[Row]:
    arm = paper_arm("hermite_link.toml")
    link = arm.links[0]
    arm = arm.changed(links=(link.changed(length=1.0, joint=link.joint.changed(motion="spin")),))
    plain = simulate(with_model(arm, elements=4), end=1.0, output=5e-3)
    stiff = simulate(with_model(arm, elements=16, frames="element", stiffening=True), end=1.0, output=5e-3)
    for t in ("0.1", "0.3", "0.6", "1.0"):
        softened, held = (1e3 * _at(run, lateral(run), float(t)) for run in (plain, stiff))
        yield judged(f"hermite.spin.tip_mm.t{t}.plain", softened, "mm", note=f"{_SPIN}. {_PLAIN}")
        note = f"{_SPIN}. Not in the paper: with the foreshortening that stiffens; its own has {softened:.4g} mm"
        yield judged(f"hermite.spin.tip_mm.t{t}.stiffened", held, "mm", note=note)
