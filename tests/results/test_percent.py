"""Per cent as people print it: no powers of ten, and rounding is zero."""

import pytest

from flexarm.results.engineering import percent


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (1.0, "100 %"),
        (12.3456, "1235 %"),
        (0.123456, "12.3 %"),
        (0.9999, "100 %"),
        (0.005, "0.500 %"),
        (2e-6, "0.000200 %"),
        (3e-8, "< 0.0001 %"),
        (-3e-8, "> -0.0001 %"),
        (-4e-15, "0 %"),
        (0.0, "0 %"),
        (-0.02, "-2.00 %"),
        (float("nan"), "unknown"),
    ],
)
def test_a_share_in_per_cent_has_no_power_of_ten(share, text):
    assert percent(share) == text


def test_a_change_carries_its_sign():
    assert percent(0.02, 2, sign=True) == "+2.0 %"
    assert percent(1.0, 2) == "100 %"
