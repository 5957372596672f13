"""Pick-freeze samples: functions of seed and index alone, each row with one parameter taken from the other."""

import numpy as np
import pytest

from flexarm.errors import AnalysisError
from flexarm.studies.sensitivity.pick_freeze import PickFreeze, rows_within
from tests.studies.closed_forms import model_of, shares_of

LAWS = ("{ normal = [1.0, 0.5] }", "{ uniform = [0.0, 1.0] }", "{ lognormal = [2.0, 0.5] }")


@pytest.mark.parametrize("method", ["plain", "lhs", "sobol"])
def test_a_sample_has_the_same_bits_whatever_is_drawn_beside_it(method):
    design = PickFreeze(model_of(*LAWS), 20, 3, method, pairs=True, points=2)
    whole = design.draw(0, design.samples)
    assert whole.shape == (design.samples, 3) == (2 * 3 * 3 + 20 * 8, 3)
    for begin, end in ((0, 5), (3, 23), (17, 18), (18, 19), (29, 71), (100, design.samples)):
        assert design.draw(begin, end).tobytes() == whole[begin:end].tobytes()


@pytest.mark.parametrize("method", ["plain", "sobol"])
def test_more_rows_leave_the_first_as_they_are(method):
    few, many = (PickFreeze(model_of(*LAWS), rows, method=method) for rows in (8, 50))
    assert many.draw(0, few.samples).tobytes() == few.draw(0, few.samples).tobytes()


def test_every_sample_of_a_row_differs_from_the_first_two_in_what_it_says():
    design = PickFreeze(model_of(*LAWS), 10, pairs=True)
    for row in design.draw(design.neighbours, design.samples).reshape(10, 8, 3):
        a, b = row[0], row[1]
        assert not (a == b).any()
        for i in range(3):
            taken = np.arange(3) == i
            assert row[2 + i].tolist() == np.where(taken, b, a).tolist()
            assert row[5 + i].tolist() == np.where(taken, a, b).tolist()


def test_the_two_of_a_row_are_independent_and_have_the_laws():
    design = PickFreeze(model_of(*LAWS), 4000, method="plain")
    rows = design.draw(design.neighbours, design.samples).reshape(4000, 5, 3)
    both = np.column_stack([rows[:, 0], rows[:, 1]])
    # four standard errors of a correlation, a mean and a deviation over 4000 rows
    assert np.abs(np.corrcoef(both.T) - np.eye(6)).max() < 4.0 / np.sqrt(4000)
    assert both.mean(axis=0) == pytest.approx([1.0, 0.5, 2.0] * 2, abs=4.0 * 0.5 / np.sqrt(4000))
    assert both.std(axis=0) == pytest.approx([0.5, np.sqrt(1.0 / 12.0), 0.5] * 2, rel=0.08)


def test_neighbours_stand_a_step_to_either_side_and_within_the_law():
    design = PickFreeze(model_of(*LAWS), 0, step=2.5, points=1)
    below, above = design.draw(0, 6)[[2, 3]]
    # 2.5 deviations of a uniform law are beyond its ends
    assert (below[1], above[1]) == (0.0, 1.0)
    assert below[[0, 2]].tolist() == above[[0, 2]].tolist() == pytest.approx([1.0, 2.0], rel=1e-14)
    assert design.draw(0, 1)[0, 0] == pytest.approx(1.0 - 2.5 * 0.5, rel=1e-14)


@pytest.mark.parametrize(
    ("function", "known"),
    [
        (lambda x: np.abs(x[:, 0] - 1.0) + x[:, 1] - 0.5, [False, True, True]),
        # off its kink by less than the step
        (lambda x: np.abs(x[:, 0] - 1.001) + x[:, 1] - 0.5, [False, True, True]),
        # smooth, and flat there: what it reports wrongly is little beside the others
        (lambda x: (x[:, 0] - 1.0) ** 2 + 10.0 * x[:, 1], [True, True, True]),
        (lambda x: 3.0 * x[:, 0] - x[:, 1], [True, True, True]),
        (lambda x: 0.0 * x[:, 0], [True, True, True]),
    ],
)
def test_a_derivative_is_unknown_where_neighbours_lie_on_one_side(tmp_path, function, known):
    shares = shares_of(tmp_path, PickFreeze(model_of(*LAWS), 0), function).columns["y"]
    assert np.isfinite(shares.per_deviation).tolist() == known
    assert (~shares.turns).tolist() == known


def test_samples_are_taken_in_whole_rows():
    assert rows_within(1000, 3, pairs=False) == 200
    assert rows_within(1000, 3, pairs=True) == 125
    assert rows_within(1000, 2, pairs=True) == 250
    assert rows_within(0, 3, pairs=False) == 0
    with pytest.raises(AnalysisError, match="samples is 39, must be at least 40, 8 rows of 5, or 0 for"):
        rows_within(39, 3, pairs=False)
    with pytest.raises(AnalysisError, match="samples is -1, must be a whole number ≥ 0"):
        rows_within(-1, 3, pairs=False)


@pytest.mark.parametrize(
    ("options", "sentence"), [({"step": 0.0}, "difference is 0, must be from"), ({"points": -1}, "points is -1")]
)
def test_what_cannot_be_drawn_is_refused(options, sentence):
    with pytest.raises(AnalysisError, match=sentence):
        PickFreeze(model_of(*LAWS), 8, **options)
