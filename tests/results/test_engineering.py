"""Numbers as they are printed: enough digits to report them apart, words where a number would say nothing."""

import math

import pytest

from flexarm.results.engineering import distinguishable, share


@pytest.mark.parametrize(
    ("values", "unit", "texts"),
    [
        ([0.52601, 0.526012, 0.526019], "m", ["526.01000 mm", "526.01200 mm", "526.01900 mm"]),
        ([1.0, 2.0, 3.0], "m", ["1.000 m", "2.000 m", "3.000 m"]),
        ([1.0, 1.0], "m", ["1.000 m", "1.000 m"]),
        ([math.nan, 2.0], "s", ["unknown", "2.000 s"]),
    ],
)
def test_quantiles_are_distinguished(values, unit, texts):
    assert distinguishable(values, unit) == texts


@pytest.mark.parametrize(
    ("part", "text"),
    [(4.2e-11, "none"), (-1e-5, "none"), (-0.0061, "within sampling error"), (0.031, "3.1 %"), (0.62, "62 %")],
)
def test_parts_of_a_variance_are_percentages_or_words(part, text):
    assert share(part) == text
