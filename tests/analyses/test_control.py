"""Controllers set side by side are what they are called, and their margins are where their loops become unstable."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest

import flexarm as fa


@pytest.fixture(scope="module")
def damped():
    return fa.read_arm("examples/damped_link.toml")


@pytest.fixture(scope="module")
def found(damped):
    return fa.control(damped, payload=0.2, stiffness=0, end="1.6 s")


def test_pd_has_the_gains_of_its_formula_and_an_lqg_settles_long_before_it(found):
    kp, kv = found.row("PD").parts[0].gains[0]
    inertia = kv / (2.0 * math.pi * found.frequency)
    # a hub, a strip and a payload about the joint
    assert inertia == pytest.approx(0.05 + 2700 * 0.04 * 0.006 / 3 + 0.2, rel=2e-3)
    assert kp == pytest.approx(math.pi**2 * found.frequency**2 * inertia)
    lqg, pd, none = (found.row(name) for name in ("LQG", "PD", "none"))
    assert none.settled is None and lqg.settled < pd.settled
    assert lqg.settled - found.command_end < 0.5 * (pd.settled - found.command_end)
    assert math.isfinite(lqg.worst) and [each.name for each in lqg.varied] == ["payload +20 %", "payload -20 %"]


def test_margins_are_where_the_loop_becomes_unstable(damped, found):
    row = found.row("PD")
    (part,) = row.parts
    plain = damped.changed(controllers=())

    def radius(factor=1.0, more=0.0):
        loop = fa.StateFeedback(
            factor * np.array(part.gains), part.sample, part.inputs, part.outputs, delay=part.sample + more
        )
        return abs(fa.sampled_poles(plain, [loop], posture={"link": "60 deg"})[0])

    assert radius() < 1.0
    assert row.decay == pytest.approx(-math.log(radius()) / part.sample, rel=1e-6)
    # found to a thousandth
    assert radius(0.997 * row.gain_margin) < 1.0 < radius(1.005 * row.gain_margin)
    assert radius(1.0, row.delay_margin - 1e-5) < 1.0 < radius(1.0, row.delay_margin + 2e-5)


def test_the_arm_with_a_controller_moves_as_its_row_says(found):
    run = fa.simulate(found.arm_with("LQG"))
    assert run.residual("tip") == pytest.approx(found.row("LQG").residual, rel=1e-9)
    again = fa.parse_arm(fa.format_arm(found.arm_with("LQG")))
    assert fa.simulate(again).residual("tip") == pytest.approx(found.row("LQG").residual, rel=1e-6)


def test_a_row_that_fails_says_so_and_the_others_stay(damped):
    wild = damped.with_("controller", [{"name": "wild", "kind": "feedback", "sample": "1 ms", "gains": [4e5, 1e4]}])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = fa.control(wild, payload=0, stiffness=0, end="1 s")
    row = found.row("model file")
    assert "unstable" in row.failure and math.isnan(row.residual) and row.gain_margin == 0.0
    assert math.isfinite(found.row("PD").residual)
    assert "failed" in found.summary()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"sample": 0}, "sample"),
        ({"payload": 1.5}, "payload"),
        ({"within": "1 s"}, "within"),
        ({"end": 0}, "end"),
    ],
)
def test_what_makes_no_sense_is_refused(damped, options, words):
    with pytest.raises(fa.FlexarmError, match=words):
        fa.control(damped, **options)


def test_an_arm_that_does_not_move_is_refused():
    with pytest.raises(fa.FlexarmError, match=r"bend|motion|move"):
        fa.control("examples/pendulum.toml", end=1)
