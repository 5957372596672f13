"""The residual after a stop as the range of a signal."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import flexarm as fa
from flexarm.errors import AnalysisError

EXAMPLE = Path(__file__).parents[2] / "examples" / "rod_handler.toml"
GAUGE = '[[gauge]]\nname = "root"\nlink = "rod"\nat = "100 mm"\nface = "+y"\ndistance = "10 mm"\n'
WINDOW = 0.1


@pytest.fixture(scope="module")
def arm() -> fa.Arm:
    return fa.parse_arm(EXAMPLE.read_text() + GAUGE)


def found(arm: fa.Arm, residual: str, **options: object) -> fa.BrakeStudy:
    return fa.brake(arm, ("0.46 s", "0.49 s"), points=7, explain=False, residual=residual, window=WINDOW, **options)


@pytest.mark.parametrize(
    "word", ["root.strain", "tip.across", "rod.curvature_z_at_250_mm", "tip.dy", "tip.deflection_turn"]
)
def test_the_residual_is_the_range_of_the_signal_in_a_run(arm: fa.Arm, word: str) -> None:
    study = found(arm, word)
    best = study.best
    assert best is not None
    braked = fa.parse_arm(EXAMPLE.read_text().replace('"0.509 s"', f'"{best.time!r} s"') + GAUGE)
    run = fa.simulate(braked, end=best.stop + WINDOW, output=5e-5, tolerance=1e-8)
    after = np.asarray(run.time) >= best.stop
    values = np.asarray(run[word])[after]
    # the study's runs are within the model's 1 µm of the tip, some 1 % of what the rod swings at the best time
    assert np.ptp(values) == pytest.approx(best.residual, rel=0.02)


def test_a_signal_of_a_point_is_what_the_axis_is(arm: fa.Arm) -> None:
    assert found(arm, "tip.y").residuals == pytest.approx(found(arm, "y").residuals, rel=1e-6)


def test_the_envelope_of_a_strain_is_no_less_than_its_range(arm: fa.Arm) -> None:
    whole = fa.brake(arm, ("0.46 s", "0.49 s"), points=7, explain=False, residual="root.strain", window="envelope")
    part = found(arm, "root.strain")
    assert (whole.residuals >= part.residuals * (1.0 - 1e-3)).all()
    assert part.to_csv().splitlines()[0].startswith("braking_time_s,stop_s,residual,")


def test_a_strain_of_uncertain_arms(arm: fa.Arm) -> None:
    study = found(arm, "root.strain", uncertain={"stiffness": "2 %"})
    assert study.robust is not None
    assert study.robust.best.residual >= study.best.residual


@pytest.mark.parametrize("word", ["tip.speed", "root.moment", "rod.torque", "tip.deflection"])
def test_signals_that_do_not_follow_from_the_shape_are_refused(arm: fa.Arm, word: str) -> None:
    with pytest.raises(AnalysisError, match="must be a signal of the arm's shape"):
        found(arm, word)
