"""Numbers that pages work out before they print them: each is the one its own definition gives."""

import math

import pytest

from flexarm.report import page_of
from flexarm.report.page import Figure, Table
from tests.report.results import result_of
from tests.report.verb_results import verb_result

SCALES = {"n": 1e-9, "µ": 1e-6, "m": 1e-3, "": 1.0, "k": 1e3}


def value_of(text: str, unit: str) -> float:
    """The number of a quantity as it is printed, in its unit without prefix."""
    number, shown = text.split()
    return float(number) * SCALES[shown.removesuffix(unit)]


def table(page, column: str) -> Table:
    """The one table of a page that has the column."""
    (found,) = (part for part in page.parts if isinstance(part, Table) and column in part.columns)
    return found


def test_a_pole_is_printed_with_its_frequency_damping_ratio_and_time_constant():
    # a hanging rod of 2 kg and 0.6 m with a damper of 0.02 N m s
    inertia, damping, stiffness = 2.0 * 0.6**2 / 3.0, 0.02, 2.0 * 9.81 * 0.3
    omega = math.sqrt(stiffness / inertia)
    page = page_of(verb_result("linearise"))
    _, frequency, ratio, constant = table(page, "time constant").rows[0]
    assert value_of(frequency, "Hz") == pytest.approx(omega / (2.0 * math.pi), rel=1e-3)
    assert float(ratio.split()[0]) == pytest.approx(100.0 * damping / (2.0 * inertia * omega), rel=1e-2)
    assert value_of(constant, "s") == pytest.approx(2.0 * inertia / damping, rel=1e-3)
    plane = next(part for part in page.parts if isinstance(part, Figure) and part.title.startswith("Poles"))
    labels = plane.marks[0].labels
    assert all(label.endswith(f"Hz, {ratio}") for label in labels) and len(labels) == 2


def test_the_period_of_a_mode_is_one_over_its_frequency():
    rows = table(page_of(verb_result("check")), "period").rows
    assert rows and all(
        value_of(f, "Hz") * value_of(period, "s") == pytest.approx(1.0, rel=1e-3) for _, f, period in rows
    )


def test_a_swing_falls_to_a_tenth_after_as_many_periods_as_it_says():
    found = result_of("modes")
    ratio = float(found.damping_ratios[0])
    words = next(each.remark for each in page_of(found).numbers if "tenth" in each.remark)
    swings = float(next(word for word in words.split() if word[0].isdigit()))
    # an amplitude falls by e^(−2πζ/√(1−ζ²)) in a period; two digits are printed
    assert math.exp(-2.0 * math.pi * ratio / math.sqrt(1.0 - ratio**2) * swings) == pytest.approx(0.1, rel=0.13)


def test_means_and_deviations_of_a_study_stand_in_the_unit_of_their_row():
    found = result_of("montecarlo")
    rows = table(page_of(found), "± (95 %)").rows
    outputs = found.to_dict()["outputs"]
    assert len(rows) == len(outputs)
    for row, output in zip(rows, outputs, strict=True):
        name, _, shown = row[0].rpartition(", ")
        assert name, "an output with a unit has it beside its name"
        scale = SCALES[shown.removesuffix(output["unit"])]
        assert float(row[2]) * scale == pytest.approx(output["mean"], rel=1e-3)
        assert float(row[3]) * scale == pytest.approx(output["half_width"], rel=0.05)
        assert float(row[4]) * scale == pytest.approx(output["deviation"], rel=5e-3)
