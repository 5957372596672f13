"""The poles a command is shaped for: frequency and damping ratio as they were made, in the text and on the page."""

import pytest

import flexarm as fa
from flexarm.report import page_of
from flexarm.report.page import Table
from flexarm.results import ShapeStudy
from tests.analyses.test_shape import FREQUENCY, geared


@pytest.fixture(scope="module")
def study() -> ShapeStudy:
    """A rigid link behind a gear that lets it swing at 2 Hz with 4 % of critical damping."""
    return fa.shape(geared(0.04), shapers=["zv"], laws=[])


def test_the_pole_is_that_of_the_gear(study):
    assert study.modes[0].frequency_hz == pytest.approx(FREQUENCY, rel=1e-6)
    assert study.modes[0].damping_ratio == pytest.approx(0.04, rel=1e-6)


def test_the_text_prints_it(study):
    (line,) = (line for line in study.summary().splitlines() if study.modes[0].name in line and " Hz " in line)
    assert line.split()[1:5] == ["2.0000", "Hz", "4.00", "%"]


def test_the_page_prints_it(study):
    rows = [row for part in page_of(study).parts if isinstance(part, Table) for row in part.rows]
    (row,) = (row for row in rows if study.modes[0].name in row)
    assert list(row[1:3]) == ["2.0000 Hz", "4.00 %"]
