"""Curves in one line: nothing that matters is lost, whatever the width."""

from itertools import pairwise

import numpy as np
import pytest

from flexarm.cli.sparklines import ASCII_BARS, BARS, cell_of, cells, sparkline


@pytest.mark.parametrize("width", [2, 11, 40, 120])
@pytest.mark.parametrize("count", [2, 7, 40, 1001])
def test_the_line_is_as_wide_as_asked_to_the_even_number_below(width, count):
    assert len(sparkline(np.sin(np.arange(count)), width)) == width // 2 * 2


@pytest.mark.parametrize("peak", [0, 1, 333, 500, 999])
def test_a_peak_of_one_sample_is_kept_wherever_it_stands(peak):
    values = np.zeros(1000)
    values[peak] = 1.0
    shown = sparkline(values, 20)
    assert shown.count("█") == 1
    assert abs(shown.index("█") - cell_of(peak, 0, 999, 20)) <= 1  # its pair of characters may show it a place off


def test_both_extremes_are_kept_where_they_fall_into_one_character():
    values = np.zeros(1000)
    values[500], values[501] = 1.0, -1.0
    shown = sparkline(values, 20)
    assert shown.index("█") + 1 == shown.index("▁")


def test_the_extremes_of_random_series_are_the_extremes_of_the_characters():
    random = np.random.default_rng(3)
    for count in (3, 17, 60, 61, 5000):
        values = random.normal(size=count)
        places = np.sort(random.uniform(size=count))
        for width in (4, 30, 60):
            curve = cells(values, width, places)
            if count <= 2 or width >= 4:
                assert (curve.min(), curve.max()) == (values.min(), values.max())


def test_a_rising_line_rises_through_all_heights():
    assert sparkline(np.arange(8.0), 8) == BARS
    assert sparkline(np.arange(8.0), 8, bars=ASCII_BARS) == ASCII_BARS


@pytest.mark.parametrize("value", [0.0, -3.0, 1e300])
def test_a_constant_series_is_a_flat_line(value):
    assert sparkline([value] * 50, 10) == "▄" * 10


def test_what_is_not_known_is_a_gap_that_is_not_bridged():
    values = np.arange(100.0)
    values[40:60] = np.nan
    values[0] = np.inf
    shown = sparkline(values, 10)
    assert shown[4:6] == "  "
    assert " " not in shown[:4] + shown[6:]
    assert sparkline([np.nan] * 5, 6) == " " * 6
    assert sparkline([], 6) == " " * 6


def test_few_values_are_joined_by_straight_lines_at_their_own_places():
    # the second of three values stands at a tenth of the axis
    shown = sparkline([0.0, 1.0, 0.0], 20, places=[0.0, 1.0, 10.0])
    assert shown.index("█") == cell_of(1.0, 0.0, 10.0, 20) == 2
    assert all(left >= right for left, right in pairwise(shown[2:]))


def test_a_single_value_and_huge_numbers_do_no_harm():
    assert sparkline([2.0], 4) == "▄▄▄▄"
    assert sparkline([-1.7e308, 1.7e308], 2) == "▁█"
