"""The damping of a stop: what `brake` finds, prints and draws is the damping ratio of the closed form."""

from __future__ import annotations

import math

import numpy as np
import pytest

import flexarm as fa
from flexarm.report import page_of
from flexarm.report.page import Table
from flexarm.results import BrakeStudy
from tests.analyses.braked_arms import MASS, OMEGA, PAYLOAD, PERIOD, RATE, slider

ZETA = 0.03
RANGE = (1.2 * PERIOD, 2.8 * PERIOD)


@pytest.fixture(scope="module")
def study() -> BrakeStudy:
    """The mass on the slide with a damper of 3 % of the critical one."""
    return fa.brake(slider(damping=2.0 * ZETA * (MASS + PAYLOAD) * OMEGA), RANGE, residual="x", points=9)


def _envelope(time: float) -> float:
    """Amplitude (m) of the damped mass at the end of a stop at constant deceleration, by its complex amplitude."""
    pole = OMEGA * complex(-ZETA, math.sqrt(1.0 - ZETA**2))
    # x = Im(A e^(λt)): a step of acceleration a leaves |a / (λ ω_d)|; the step back comes `time` later
    return abs(RATE / time * (np.exp(pole * time) - 1.0) / (pole * pole.imag))


def test_frequency_and_damping_ratio_are_those_of_the_closed_form(study):
    (mode,) = study.linear.modes
    assert mode.frequency_hz == pytest.approx(OMEGA / (2.0 * math.pi), rel=1e-9)
    assert mode.damping_ratio == pytest.approx(ZETA, rel=1e-7)
    assert mode.decay == pytest.approx(ZETA * OMEGA, rel=1e-7)


def test_the_text_prints_the_frequency_and_the_damping_ratio_that_were_found(study):
    (line,) = (line for line in study.summary().splitlines() if "Hz" in line and "100 %" in line)
    assert line.split(study.linear.modes[0].name)[1].split()[:4] == ["3.979", "Hz", "3.0", "%"]


def test_the_page_prints_the_frequency_and_the_damping_ratio_that_were_found(study):
    tables = [part for part in page_of(study).parts if isinstance(part, Table)]
    (row,) = (row for table in tables for row in table.rows if row[0] == study.linear.modes[0].name)
    assert list(row[1:4]) == ["3.979 Hz", "3.0 %", "100 %"]


def test_the_damped_range_after_the_stop_is_that_of_the_closed_form(study):
    # from the first crest on a swing falls by e^(-πζ/√(1-ζ²)) in half a period: the range is between both ends of the
    # first swing after the stop, 2 A at the most and A (1 + e^(…)) e^(…) at the least
    fall = math.exp(-math.pi * ZETA / math.sqrt(1.0 - ZETA**2))
    for time, residual in zip(study.times, study.residuals, strict=True):
        assert _envelope(time) * (1.0 + fall) * fall - 1e-5 <= residual <= 2.0 * _envelope(time) + 1e-5
