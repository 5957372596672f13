"""The modified Hencky bar-chain: a beam spun up, one driven by a torque, frequencies (all `salinic.*` rows)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

import numpy as np

from flexarm.analyses.modes.modes import modes
from flexarm.analyses.run.simulate import simulate
from flexarm.model import Arm
from flexarm.papers.files import paper_arm, with_model
from flexarm.papers.row import Row, claimed, judged, percent, with_claims
from flexarm.papers.tip import across
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
    """All rows of the paper, then its claims."""
    return with_claims(_rows(), _claims)


def _rows() -> Iterator[Row]:
    yield from _spin_up_rows()
    yield from _rotating_rows()
    yield from _torque_rows()
    yield from _frequency_rows()


def as_printed(arm: Arm) -> Arm:
    """The arm by the paper's own velocities."""
    return with_model(arm, kinematics="printed")


def converged(arm: Arm) -> Arm:
    """The arm by enough cubic elements of finite rotations."""
    return with_model(arm, formulation="hermite", elements=_FINE)


def _spun_up(arm: Arm) -> tuple[float, float]:
    """Greatest deflection of the tip and half its range after the spin-up (m)."""
    run = simulate(arm)
    tip = across(run, "beam")
    after = tip[run.time >= _SPUN_UP]
    return float(np.max(np.abs(tip))), float(0.5 * (np.max(after) - np.min(after)))


def spun_up_to(rate: float) -> Arm:
    """The beam spun up to a rate (rad/s)."""
    arm = paper_arm("salinic_spin_up.toml")
    return arm.changed(motions={"spin": arm.motions["spin"].changed(rate=rate)})


def _spin_up_rows() -> Iterator[Row]:
    for rate in _RATES:
        spun = spun_up_to(float(rate))
        printed, finite = _spun_up(as_printed(spun)), _spun_up(converged(spun))
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
    for word, way in (("printed.n2", as_printed(arm)), ("second_order", with_model(converged(arm), frames="link"))):
        for rate in ("0", "2", "8"):
            value = 2.0 * np.pi * float(modes(way, spin=float(rate), joints="locked", count=1).frequencies_hz[0])
            if word == "second_order":
                note = f"{_FINE} cubic elements in the link's frame, foreshortening kept: rotation stiffens"
            else:
                note = f"{_UNFELT}, so that its frequency falls where the true one rises"
            yield judged(f"salinic.omega1.{word}.W{rate}", value, "rad/s", note=f"{note}; not in the paper")


@cache
def torqued() -> dict[str, Trajectory]:
    """The beam driven by a torque: the printed chain, and the beam of finite rotations."""
    arm = paper_arm("salinic_torque.toml")
    return {word: simulate(way) for word, way in (("printed.n2", as_printed(arm)), ("finite", converged(arm)))}


def _torque_rows() -> Iterator[Row]:
    runs = torqued()
    tips = {word: across(run, "beam") for word, run in runs.items()}
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
    for theory, counts in (("euler", (2, 4, 8, 16)), ("timoshenko", (4, 8, 16))):
        for n in counts:
            order = "4" if theory == "euler" else "2"
            note = f"cantilever, {n} segments; converges with order {order}; the paper's own table stands elsewhere"
            yield judged(f"salinic.lambda1.{theory}.n{n}", _frequency_parameter(theory, n), "", note=note)


def _frequency_parameter(theory: str, segments: int) -> float:
    """λ1 of a square cantilever, h/L = 0.1, by a theory of bending and so many segments."""
    arm = paper_arm("salinic_spin_up.toml")
    link = arm.links[0]
    # E/G = 2.6 is a Poisson's ratio of 0.3; only ratios count
    material = {"youngs_modulus": 1e11, "density": 2700.0, "poisson": 0.3}
    section = {"shape": "rectangle", "width": 0.1, "height": 0.1, "shear": 5.0 / 6.0}
    square = link.changed(
        length=1.0,
        payload=None,
        beam={"material": material, "section": section},
        model=link.formulation.changed(elements=segments, theory=theory),
    )
    assert square.beam is not None
    properties = square.beam.properties()
    assert properties.EIz is not None
    omega = 2.0 * np.pi * float(modes(arm.changed(links=(square,)), joints="locked", count=1).frequencies_hz[0])
    return float(omega * np.sqrt(properties.mass_per_length / properties.EIz))


def _claims(values: Mapping[str, float]) -> Iterator[Row]:
    """What the paper concludes (rows `claim.salinic.*`)."""
    still, turning, true = (
        values[f"salinic.omega1.{word}"] for word in ("printed.n2.W0", "printed.n2.W8", "second_order.W8")
    )
    yield claimed(
        "salinic.captures_dynamic_stiffening",
        turning / still,
        "",
        turning > still,
        "the approach is said to capture dynamic stiffening: at 8 rad/s its first frequency falls from "
        f"{still:.5g} to {turning:.5g} rad/s where that of the beam rises to {true:.5g}",
    )
    peaks = {way: values[f"salinic.spinup.{way}.peak_m.w8"] for way in ("printed.n2", "finite")}
    swing = values["salinic.spinup.printed.n2.residual_m.w8"]
    yield claimed(
        "salinic.results_stay_bounded_at_high_rates",
        swing,
        "m",
        swing < peaks["printed.n2"],
        "at large angular velocities the results converge, other than those of earlier chains: spun up to 8 rad/s the "
        f"tip lags by {peaks['printed.n2']:.3g} m and comes back to a swing of {swing:.2g} m, bounded, if not right",
    )
    more, fine = _spun_up(with_model(as_printed(spun_up_to(8.0)), elements=8))[0], peaks["finite"]
    yield claimed(
        "salinic.more_segments_are_more_accurate",
        more / fine - 1.0,
        "",
        abs(more / fine - 1.0) < 0.5 * abs(peaks["printed.n2"] / fine - 1.0),
        "for more accurate results more segments must be used: at 8 rad/s eight printed segments lag by "
        f"{more:.4g} m, two by {peaks['printed.n2']:.4g}, the beam by {fine:.4g}; the missing terms stay missing. "
        "Without rotation, and with finite rotations, the chain does converge",
    )
    slow = values["salinic.spinup.printed.n2.peak_m.w0.6"] / values["salinic.spinup.finite.peak_m.w0.6"] - 1.0
    yield claimed(
        "salinic.accurate_when_slow",
        slow,
        "",
        abs(slow) < 0.01,
        "two segments give the response approximately: at 0.6 rad/s their peak differs by "
        f"{percent(slow, 2)} from the converged beam of finite rotations",
    )
    fast = peaks["printed.n2"] / fine - 1.0
    yield claimed(
        "salinic.accurate_when_fast",
        fast,
        "",
        abs(fast) < 0.05,
        f"the validity and accuracy are said to be proven also at 8 rad/s: there the peak is {percent(fast, 0)} too "
        "large",
    )
    yield from _torque_claims()
    theories = {theory: _frequency_parameter(theory, 8) for theory in ("euler", "rayleigh", "timoshenko")}
    falling = list(theories.values())
    yield claimed(
        "salinic.three_beam_theories",
        falling[0] - falling[2],
        "",
        falling[0] > falling[1] > falling[2],
        "the chain is an Euler-Bernoulli, a Rayleigh or a Timoshenko beam as wanted: λ1 of a cantilever with h/L = 0.1 "
        f"is {falling[0]:.5g}, {falling[1]:.5g} and {falling[2]:.5g}, lower with every effect that is added",
    )


def _torque_claims() -> Iterator[Row]:
    printed, finite = torqued().values()
    tips = [across(run, "beam") for run in (printed, finite)]
    apart = float(np.max(np.abs(tips[0] - tips[1])) / np.max(np.abs(tips[1])))
    yield claimed(
        "salinic.torque_close_to_first_order_model",
        apart,
        "",
        apart < 0.05,
        "Figs. 8 and 9: the results are close to those of a model that has the foreshortening: the tip differs from "
        f"that of finite rotations by {percent(apart, 1)} of its peak at most within 5 s",
    )
    angle = finite.signal("joint_position", joint="beam")
    after = angle[finite.time >= 2.0]
    yield claimed(
        "salinic.rigid_motion_is_coupled_with_bending",
        float(np.ptp(after)),
        "rad",
        np.ptp(after) > 0.05 * np.max(angle),
        "the chain allows the coupling of rigid motion and small deformation to be analysed: after the torque has "
        f"ended the hub of a rigid beam would stand still, that of the flexible one swings by {np.ptp(after):.2g} rad",
    )
