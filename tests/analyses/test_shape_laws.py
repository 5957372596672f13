"""What laws excite, durations at which that vanishes, and arms with shifted frequencies."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import flexarm as fa
from flexarm.analyses.detuned import detuned
from flexarm.analyses.shaping.laws import LAWS, excitation, tuned
from flexarm.model import MotionLaw
from tests.analyses.arms import EXAMPLES, cantilever, rod_handler


def excited(kind: str, frequency: float, ratio: float = 0.0, **fields: float) -> float:
    """What a unit travel along a law leaves of a mode."""
    return excitation(MotionLaw(kind=kind, travel=1.0, **fields).pieces(), frequency, ratio)


def test_what_a_cycloid_excites_is_its_closed_form():
    # ∫ (2π/D²) sin(2πt/D) e^{iωt} dt: 2 (2π/D)² |sin(ωD/2)| / |(2π/D)² − ω²| / D, per ω
    for duration, frequency in ((1.0, 0.3), (1.0, 1.7), (2.5, 4.3), (0.4, 9.0)):
        w, base = 2 * math.pi * frequency, 2 * math.pi / duration
        wanted = 2 * base**2 * abs(math.sin(w * duration / 2)) / (duration * abs(base**2 - w**2) * w)
        assert excited("cycloidal", frequency, duration=duration) == pytest.approx(wanted, rel=1e-11, abs=1e-15)


def test_what_a_law_excites_is_what_an_oscillator_does():
    law = MotionLaw(kind="trapezoidal-acceleration", travel=1.0, duration=0.9, ramp=0.2).pieces()
    w, ratio = 2 * math.pi * 2.3, 0.07

    def rates(t: float, x: np.ndarray) -> list[float]:
        return [x[1], -2 * ratio * w * x[1] - w * w * x[0] - float(law.evaluate(t)[2])]

    x, v = solve_ivp(rates, (0.0, 0.9), [0.0, 0.0], rtol=1e-11, atol=1e-13, max_step=0.01).y[:, -1]
    # the amplitude of the decaying vibration, of which the unit is √(1 − ζ²)
    wanted = math.hypot(x * math.sqrt(1 - ratio**2), v / w + ratio * x)
    assert excitation(law, 2.3, ratio) == pytest.approx(wanted, rel=1e-7)


@pytest.mark.parametrize("word", LAWS)
def test_a_tuned_law_leaves_nothing_of_an_undamped_mode_and_is_no_shorter(word):
    for duration in (0.3, 1.0, 2.5):
        fields = tuned(word, duration, [(3.3, 0.0)])
        assert fields["duration"] >= duration * (1 - 1e-9)
        # per what a jump of the same travel excites, which is 1
        assert excited(word, 3.3, **fields) < 1e-13


@pytest.mark.parametrize("word", ["s-curve", "trapezoidal-acceleration"])
def test_laws_with_two_times_leave_nothing_of_two_modes(word):
    fields = tuned(word, 1.0, [(3.3, 0.0), (11.7, 0.0)])
    assert max(excited(word, frequency, **fields) for frequency in (3.3, 11.7)) < 1e-13


@pytest.mark.parametrize("word", LAWS)
def test_with_damping_the_duration_is_the_best_near_the_one_without(word):
    mode = (3.3, 0.05)
    fields = tuned(word, 1.0, [mode])
    here = excited(word, *mode, **fields)
    for stretch in (0.99, 1.01):
        aside = {key: value if key == "ramp" else value * stretch for key, value in fields.items()}
        assert excited(word, *mode, **aside) > here


def test_a_detuned_arm_has_all_its_frequencies_shifted_and_its_damping_ratios_kept():
    strip = {"damping": {"retardation": 1e-4}}
    for arm in (cantilever(link=strip, elements=6), rod_handler(), fa.read_arm(EXAMPLES / "two_link.toml")):
        before, after = fa.modes(arm, count=3), fa.modes(detuned(arm, 1.1), count=3)
        assert after.frequencies_hz == pytest.approx(1.1 * before.frequencies_hz, rel=1e-9)
        assert after.damping_ratios == pytest.approx(before.damping_ratios, rel=1e-9)
