"""The Hermitian Timoshenko element: frequencies without locking, a turned link (all `hermite.*` rows)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from flexarm.analyses.run.simulate import simulate
from flexarm.model import Arm
from flexarm.papers.files import paper_arm, with_model
from flexarm.papers.hermite_claims import hermite_claims
from flexarm.papers.hermite_links import DIAMETER, frequency_parameter, spun
from flexarm.papers.row import Row, judged, with_claims
from flexarm.papers.tip import across, value_at

_FIGURE = "the paper shows it as a figure only"
_SPIN = (
    "the left side of the trajectory is lost and read as the rate, 50 (t + 1e-4 cos 10 t) rad/s, from rest in "
    "the hub's axes"
)
_PLAIN = (
    "The printed model, 4 elements (a figure only), softens with the rate and never stiffens, which no link does; with "
    "the paper's axial coordinate, or its matrix Q taken node by node, it differs little and softens as much"
)
# What the paper compares its four elements with (Fig. 5 has those).
_FIGURES = {
    "modes": "Fig. 2: two assumed modes",
    "isoparametric": "Fig. 3: four isoparametric elements of three nodes",
    "n2": "Fig. 4: two Hermitian elements",
}


def hermite() -> Iterator[Row]:
    """All rows of the paper, then its claims."""
    return with_claims(_rows(), hermite_claims)


def _rows() -> Iterator[Row]:
    yield from _frequency_rows()
    yield from _rest_rows()
    yield from _spin_rows()


def _frequency_rows() -> Iterator[Row]:
    """λ1 = ω1 L² √(ρA/EI) of a cantilever of square section, 4 elements."""
    for span in (2, 5, 10, 20, 50, 100, 1000):
        value, fine = (frequency_parameter(span, elements=n) for n in (4, 32))
        yield judged(
            f"hermite.lambda1.s{span}.n4",
            value,
            "",
            note="the paper claims that nothing locks, which holds, and prints no frequency; "
            f"32 elements give {fine:.5f}, {100.0 * (value / fine - 1.0):.1g} % less",
        )


def _rest_rows() -> Iterator[Row]:
    arm = paper_arm("hermite_link.toml")
    run = simulate(arm)
    tip = across(run, "link")
    apart = float(np.max(np.abs(across(simulate(with_model(arm, stiffening=True)), "link") - tip)))
    note = (
        "the printed model, which softens with the rate and does not stiffen; stiffening would move the tip by "
        f"{1e3 * apart:.1g} mm at most. {_FIGURE[0].upper()}{_FIGURE[1:]}"
    )
    for t in ("0.02", "0.05", "0.1", "0.15", "0.2", "0.3"):
        yield judged(f"hermite.rest.tip_mm.t{t}", 1e3 * value_at(run, tip, float(t)), "mm", note=note)
    angle = float(run.signal("joint_position", joint="link")[-1])
    note = (
        "the paper prints 0.41 rad for the end of the move; its own 40.4211 rad/s², for 0.1 s each way, lead to 0.4042"
    )
    yield judged("hermite.rest.final_angle_rad", angle, "rad", paper=0.41, within=0.005, note=note)
    largest = {span: _largest(_of_length(arm, span * DIAMETER)) for span in (10, 20, 30, 40, 60)}
    for k, (name, words) in enumerate(
        (("max_tip_mm", "first 0.1 s"), ("max_tip_whole_mm", "the whole move, as the paper's Fig. 6"))
    ):
        for span, found in largest.items():
            note = f"length {1e3 * span * DIAMETER:.4g} mm, {words}; {_FIGURE}"
            yield judged(f"hermite.rest.{name}.s{span}", 1e3 * found[k], "mm", note=note)


def _of_length(arm: Arm, length: float) -> Arm:
    return arm.changed(links=(arm.links[0].changed(length=length),))


def _largest(arm: Arm) -> tuple[float, float]:
    """The largest magnitudes of the tip's lateral displacement while it is sped up, and in the whole move (m)."""
    # of the shortest link, which bends by 3 µm, the file's tolerance would leave three digits
    fine = 1e-10 if arm.links[0].length < 20 * DIAMETER else None
    run = simulate(arm, end=0.2, output=2e-5, tolerance=fine)
    tip = np.abs(across(run, "link"))
    # the instant of the switch itself belongs to both halves
    return float(np.max(tip[run.time <= 0.1 + 1e-9])), float(np.max(tip))


def _spin_rows() -> Iterator[Row]:
    runs = {word: spun(word) for word in ("plain", "stiffened", *_FIGURES)}
    for t in ("0.1", "0.3", "0.6", "1.0"):
        tips = {word: 1e3 * value_at(run, across(run, "link"), float(t)) for word, run in runs.items()}
        yield judged(f"hermite.spin.tip_mm.t{t}.plain", tips["plain"], "mm", note=f"{_SPIN}. {_PLAIN}")
        note = f"{_SPIN}. Not in the paper: with the foreshortening that stiffens; its own has {tips['plain']:.4g} mm"
        yield judged(f"hermite.spin.tip_mm.t{t}.stiffened", tips["stiffened"], "mm", note=note)
        for word, figure in _FIGURES.items():
            yield judged(
                f"hermite.spin.tip_mm.t{t}.{word}", tips[word], "mm", note=f"{_SPIN}. {figure}, without stiffening"
            )
