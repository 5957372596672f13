"""Input shapers against their closed forms, and against an oscillator stepped exactly."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.linalg import expm

from flexarm.analyses.shaping.least_squares import positive_least_squares
from flexarm.analyses.shaping.shapers import Shaper, cascaded, ei, simultaneous, zv, zvd, zvdd
from flexarm.errors import AnalysisError

MODES = [(2.0, 0.0), (0.7, 0.01), (35.0, 0.1), (4.0, 0.4)]
MAKERS = {"zv": zv, "zvd": zvd, "zvdd": zvdd}
# Two to four modes, near and far, damped and not.
SEVERAL = [
    [(1.0, 0.0), (1.7, 0.0)],
    [(1.0, 0.02), (2.3, 0.05)],
    [(3.2, 0.0), (4.3, 0.01), (11.0, 0.02)],
    [(1.0, 0.0), (1.05, 0.0)],
    [(1.0, 0.0), (9.3, 0.0)],
]


def left_by(shaper: Shaper, frequency: float, ratio: float) -> float:
    """Amplitude after the last impulse of an oscillator hit by the impulses, per that of one impulse at the end.

    The oscillator is stepped from impulse to impulse by its transition matrix.
    """
    w = 2.0 * math.pi * frequency
    matrix = np.array([[0.0, w], [-w, -2.0 * ratio * w]])
    state, last = np.zeros(2), shaper.times[0]
    for time, size in zip(shaper.times, shaper.sizes, strict=True):
        state = expm(matrix * (time - last)) @ state + np.array([0.0, size])
        last = time
    return amplitude(state, ratio)


def amplitude(state: np.ndarray, ratio: float) -> float:
    """Size of the decaying vibration x = (displacement, rate/ω), 1 for a unit rate."""
    x, v = state
    return math.hypot(x * math.sqrt(1.0 - ratio**2), v + ratio * x)


@pytest.mark.parametrize(("frequency", "ratio"), MODES)
def test_times_and_sizes_are_those_of_the_closed_forms(frequency, ratio):
    half = 0.5 / (frequency * math.sqrt(1.0 - ratio**2))
    k = math.exp(-ratio * math.pi / math.sqrt(1.0 - ratio**2))
    wanted = {
        "zv": [1 / (1 + k), k / (1 + k)],
        "zvd": [1 / (1 + k) ** 2, 2 * k / (1 + k) ** 2, k**2 / (1 + k) ** 2],
        "zvdd": [c * k**i / (1 + k) ** 3 for i, c in enumerate((1, 3, 3, 1))],
    }
    for name, sizes in wanted.items():
        shaper = MAKERS[name](frequency, ratio)
        assert shaper.sizes == pytest.approx(sizes, rel=1e-14)
        assert shaper.times == pytest.approx([i * half for i in range(len(sizes))], rel=1e-14)


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize(("frequency", "ratio"), MODES)
def test_nothing_is_left_of_the_mode_a_shaper_is_made_for(name, frequency, ratio):
    shaper = MAKERS[name](frequency, ratio)
    assert left_by(shaper, frequency, ratio) < 1e-12
    assert shaper.residual(frequency, ratio) < 1e-12


@pytest.mark.parametrize("ratio", [0.0, 0.03, 0.2])
def test_what_is_left_of_other_modes_is_what_an_oscillator_does(ratio):
    for shaper in (zv(2.0, ratio), zvd(2.0, ratio), ei(2.0, ratio), simultaneous([(2.0, ratio), (3.1, ratio)])):
        for frequency in (0.3, 1.6, 2.2, 5.0):
            assert shaper.residual(frequency, ratio) == pytest.approx(left_by(shaper, frequency, ratio), abs=1e-12)


def test_sensitivity_curves_without_damping_are_powers_of_a_cosine():
    for part in np.linspace(0.3, 1.9, 33):
        swing = math.cos(math.pi * part / 2.0)
        assert zv(3.0).residual(3.0 * part) == pytest.approx(abs(swing), abs=1e-14)
        assert zvd(3.0).residual(3.0 * part) == pytest.approx(swing**2, abs=1e-14)
        assert zvdd(3.0).residual(3.0 * part) == pytest.approx(abs(swing) ** 3, abs=1e-14)
        level = 0.475 + 0.525 * math.cos(math.pi * part)
        assert ei(3.0, vibration=0.05).residual(3.0 * part) == pytest.approx(abs(level), abs=1e-14)


@pytest.mark.parametrize("ratio", [0.0, 0.01, 0.1, 0.3])
@pytest.mark.parametrize("vibration", [0.01, 0.05, 0.1])
def test_an_extra_insensitive_shaper_leaves_what_it_is_designed_for_and_nothing_on_either_side(ratio, vibration):
    shaper = ei(2.0, ratio, vibration)
    assert min(shaper.sizes) > 0.0 and sum(shaper.sizes) == pytest.approx(1.0, abs=1e-15)
    assert shaper.residual(2.0, ratio) == pytest.approx(vibration, abs=1e-12)
    parts = np.linspace(0.5, 1.5, 10001)
    curve = np.array([shaper.residual(2.0 * part, ratio) for part in parts])
    below, above = curve[parts < 1.0], curve[parts > 1.0]
    # two zeros, met to the spacing of the curve (1e-4 of the frequency, slope below 3), and a level top between them
    assert below.min() < 3e-4 and above.min() < 3e-4
    between = slice(int(below.argmin()), len(below) + 1 + int(above.argmin()))
    assert curve[between].max() == pytest.approx(vibration, rel=1e-6)


def test_damped_extra_insensitive_sizes_agree_with_the_published_fit():
    # W. Singhose, W. Seering, N. Singer: fitted to numerical solutions for ratios up to 0.3, to about 0.5 %
    for ratio in (0.05, 0.1, 0.2):
        v = 0.05
        first = 0.24968 + 0.24962 * v + (0.80008 + 1.23328 * v) * ratio + (0.49599 + 3.17316 * v) * ratio**2
        last = 0.25149 + 0.21474 * v + (-0.83249 + 1.41498 * v) * ratio + (0.85181 - 4.90094 * v) * ratio**2
        sizes = ei(1.0, ratio, v).sizes
        assert (sizes[0], sizes[2]) == pytest.approx((first, last), rel=5e-3)


def test_shapers_in_a_row_leave_nothing_of_any_mode_and_take_the_sum_of_their_times():
    modes = [(1.0, 0.02), (2.7, 0.0), (6.0, 0.1)]
    whole = cascaded([zv(*mode) for mode in modes])
    assert len(whole.times) == 8 and sum(whole.sizes) == pytest.approx(1.0, abs=1e-15)
    assert whole.duration == pytest.approx(sum(zv(*mode).duration for mode in modes), rel=1e-14)
    assert max(left_by(whole, *mode) for mode in modes) < 1e-12
    # a product of what each leaves, for modes of the same damping
    pair = zv(1.0).then(zvd(1.7))
    assert pair.residual(1.3) == pytest.approx(zv(1.0).residual(1.3) * zvd(1.7).residual(1.3), abs=1e-15)


def test_impulses_that_meet_become_one():
    assert zv(1.0).then(zv(1.0)).times == pytest.approx(zvd(1.0).times, abs=1e-15)
    assert zv(1.0).then(zv(1.0)).sizes == pytest.approx(zvd(1.0).sizes, abs=1e-15)


@pytest.mark.parametrize("modes", SEVERAL)
@pytest.mark.parametrize("robust", [0, 1])
def test_all_modes_at_once_are_left_at_rest_by_positive_impulses_sooner_than_in_a_row(modes, robust):
    shaper = simultaneous(modes, robust=robust)
    row = cascaded([(zv, zvd)[robust](*mode) for mode in modes])
    assert min(shaper.sizes) > 0.0 and sum(shaper.sizes) == pytest.approx(1.0, abs=1e-14)
    assert max(left_by(shaper, *mode) for mode in modes) < 1e-12
    assert shaper.duration <= row.duration * (1 + 1e-12)
    if robust:
        # no slope either: a shift of 1e-4 leaves 1e-8 of a curvature below (π t_n f)²
        for frequency, ratio in modes:
            assert shaper.residual(frequency * 1.0001, ratio) < 1e-6


def test_a_mode_three_times_as_fast_needs_no_impulse_of_its_own():
    # half a period of the slow one is one and a half of the fast one
    shaper = simultaneous([(1.0, 0.0), (3.0, 0.0)])
    assert shaper.times == pytest.approx((0.0, 0.5), abs=1e-9) and shaper.sizes == pytest.approx((0.5, 0.5), abs=1e-9)


def test_a_constant_rate_is_late_by_the_mean_of_the_times():
    shaper = zvd(2.0, 0.1)
    assert shaper.advanced(shaper.delay).delay == pytest.approx(0.0, abs=1e-15)
    assert shaper.advanced(0.3).residual(2.0, 0.1) < 1e-12


def test_positive_least_squares_is_scipy_s():
    from scipy.optimize import nnls

    numbers = np.random.default_rng(5)
    for _ in range(20):
        matrix, right = numbers.normal(size=(7, 12)), numbers.normal(size=7)
        _, distance = nnls(matrix, right)
        found = positive_least_squares(matrix, right)
        assert np.all(found >= 0.0)
        assert np.linalg.norm(matrix @ found - right) == pytest.approx(distance, abs=1e-10)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: zv(0.0), "the frequency of a mode is 0 Hz, must be > 0"),
        (lambda: zvd(1.0, 1.0), "the damping ratio of a mode is 1, must be at least 0 and below 1"),
        (lambda: ei(1.0, 0.0, 0.9), "the vibration an ei shaper leaves is 0.9, must be between 0.001 and 0.5"),
        (lambda: simultaneous([]), "there is no mode, must be at least one"),
    ],
)
def test_modes_that_cannot_be_shaped_are_refused(make, sentence):
    with pytest.raises(AnalysisError, match=sentence):
        make()
