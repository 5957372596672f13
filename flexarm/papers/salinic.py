"""The modified Hencky bar-chain: a beam spun up, one driven by a torque, frequencies (all `salinic.*` rows)."""

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
_UNFELT = (
    "Printed velocities take every bar for parallel to the hub's radius and keep the slides of its joints alone: "
    "rotation softens the chain by next to nothing and does not stiffen it"
)
_RATES = ("0.6", "2", "4", "8")
_TIMES = ("1", "2", "3", "5")
# Cubic elements in frames of their own that give the digits wanted, and the chain compared with them.
_FINE, _FINE_CHAIN = 32, 64
# Times (s) at which the spin-up is over and the run ends.
_SPUN_UP = 15.0


def salinic() -> Iterator[Row]:
    """All rows of the paper."""
    yield from _spin_up_rows()
    yield from _rotating_rows()
    yield from _torque_rows()
    yield from _frequency_rows()


def _lateral(run: Trajectory) -> np.ndarray:
    """The tip's displacement across the undeformed beam, in the hub's axes (m)."""
    angle = run.signal("joint_position", joint="beam")
    x = run.signal("point_deflection", point="tip", axis="x")
    y = run.signal("point_deflection", point="tip", axis="y")
    return np.asarray(np.cos(angle) * y - np.sin(angle) * x)


def _printed(arm: Arm) -> Arm:
    return with_model(arm, kinematics="printed")


def _converged(arm: Arm) -> Arm:
    return with_model(arm, formulation="hermite", elements=_FINE)


def _spun_up(arm: Arm) -> tuple[float, float]:
    """Greatest deflection of the tip and half its range after the spin-up (m)."""
    run = simulate(arm)
    tip = _lateral(run)
    after = tip[run.time >= _SPUN_UP]
    return float(np.max(np.abs(tip))), float(0.5 * (np.max(after) - np.min(after)))


def _spin_up_rows() -> Iterator[Row]:
    arm = paper_arm("salinic_spin_up.toml")
    for rate in _RATES:
        spun = arm.changed(motions={"spin": arm.motions["spin"].changed(rate=float(rate))})
        printed, finite = _spun_up(_printed(spun)), _spun_up(_converged(spun))
        chain = _spun_up(with_model(spun, elements=_FINE_CHAIN))
        for k, name in enumerate(("peak_m", "residual_m")):
            excess = 100.0 * (printed[k] / finite[k] - 1.0)
            note = f"{_UNFELT}: {excess:+.2g} % compared with finite rotations; {_FIGURE}"
            yield judged(f"salinic.spinup.printed.n2.{name}.w{rate}", printed[k], "m", note=note)
            note = (
                f"finite rotations, {_FINE} cubic elements; a finite chain of {_FINE_CHAIN} segments differs by "
                f"{100.0 * (chain[k] / finite[k] - 1.0):.1g} %; {_FIGURE}"
            )
            yield judged(f"salinic.spinup.finite.{name}.w{rate}", finite[k], "m", note=note)


def _rotating_rows() -> Iterator[Row]:
    """First frequency (rad/s) of the beam turning steadily, in the plane of rotation."""
    arm = paper_arm("salinic_spin_up.toml")
    for word, way in (("printed.n2", _printed(arm)), ("second_order", with_model(_converged(arm), frames="link"))):
        for rate in ("0", "2", "8"):
            value = 2.0 * np.pi * float(modes(way, spin=float(rate), joints="locked", count=1).frequencies_hz[0])
            if word == "second_order":
                note = f"{_FINE} cubic elements in the link's frame, foreshortening kept: rotation stiffens"
            else:
                note = f"{_UNFELT}, so that its frequency falls where the true one rises"
            yield judged(f"salinic.omega1.{word}.W{rate}", value, "rad/s", note=f"{note}; not in the paper")


def _torque_rows() -> Iterator[Row]:
    arm = paper_arm("salinic_torque.toml")
    runs = {word: simulate(way) for word, way in (("printed.n2", _printed(arm)), ("finite", _converged(arm)))}
    tips = {word: _lateral(run) for word, run in runs.items()}
    for word, run in runs.items():
        note = "the printed chain of two segments" if word != "finite" else f"finite rotations, {_FINE} cubic elements"
        angles = run.signal("joint_position", joint="beam")
        for t in _TIMES:
            at = int(np.argmin(np.abs(run.time - float(t))))
            yield judged(f"salinic.torque.{word}.theta.t{t}", angles[at], "rad", note=f"{note}; {_FIGURE}")
            if word != "finite":
                other = 100.0 * (tips[word][at] / tips["finite"][at] - 1.0)
                more = f"{note}, {other:+.2g} % compared with the converged beam of finite rotations"
            else:
                more = note
            yield judged(f"salinic.torque.{word}.tip_m.t{t}", tips[word][at], "m", note=f"{more}; {_FIGURE}")


def _frequency_rows() -> Iterator[Row]:
    """λ1 = ω1 L² √(ρA/EI) of a cantilever, uniform, without tip mass."""
    arm = paper_arm("salinic_spin_up.toml")
    link = arm.links[0]
    for theory, counts in (("euler", (2, 4, 8, 16)), ("timoshenko", (4, 8, 16))):
        for n in counts:
            # h/L = 0.1, square; E/G = 2.6 is a Poisson's ratio of 0.3; only ratios count
            material = {"youngs_modulus": 1e11, "density": 2700.0, "poisson": 0.3}
            section = {"shape": "rectangle", "width": 0.1, "height": 0.1, "shear": 5.0 / 6.0}
            square = link.changed(
                length=1.0,
                payload=None,
                beam={"material": material, "section": section},
                model=link.formulation.changed(elements=n, theory=theory),
            )
            assert square.beam is not None
            properties = square.beam.properties()
            assert properties.EIz is not None
            omega = 2.0 * np.pi * float(modes(arm.changed(links=(square,)), joints="locked", count=1).frequencies_hz[0])
            value = omega * np.sqrt(properties.mass_per_length / properties.EIz)
            order = "4" if theory == "euler" else "2"
            note = f"cantilever, {n} segments; converges with order {order}; the paper's own table stands elsewhere"
            yield judged(f"salinic.lambda1.{theory}.n{n}", float(value), "", note=note)
