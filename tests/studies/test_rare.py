"""Methods for rare failures against closed forms, one another, and plain sampling."""

import re
from math import exp, sqrt
from types import SimpleNamespace

import numpy as np
import openturns as ot
import pytest
from scipy.stats import lognorm, multivariate_normal, norm, uniform

import flexarm as fa
from flexarm.studies.execution.worker_pool import LocalPool
from flexarm.studies.reliability.design_points import _confirmed, find_design_points
from flexarm.studies.reliability.limit_states import LimitStates, seeded
from flexarm.studies.reliability.rare_events import Search, answered
from flexarm.studies.reliability.rare_sampling import about, importance
from flexarm.studies.reliability.series_systems import both, series_bounds
from flexarm.studies.reliability.standard_space import StandardSpace
from tests.studies.evaluators import FormulaEvaluator, normals, scores, solved, states_of
from tests.studies.swings import swing

WEIGHTS = np.array([0.8, -0.36, 0.48])  # of length 1
SAMPLING = {"importance": {"cov": 0.05}, "subset": {"cov": 0.25}}


@pytest.mark.parametrize("off", [-0.015, 0.015])
def test_where_a_search_ends_short_of_the_limit_its_index_is_that_of_the_limit(off):
    # number over limit = 1 + 0.7 (α·u − 3.2): a search that ends short of it or beyond has the index to rounding
    flat = SimpleNamespace(
        ratios=lambda points: 1.0 + 0.7 * (points @ WEIGHTS - 3.2)[:, None],
        any_failed=lambda points: False,
        space=SimpleNamespace(own=lambda points: points, shares=lambda direction, at: direction**2),
    )
    point, reason = _confirmed(flat, 0, (3.2 + off) * WEIGHTS)
    assert reason == "" and point is not None
    assert point.index == pytest.approx(3.2, rel=1e-9)
    assert point.slope == pytest.approx(0.7, rel=1e-9)


@pytest.fixture(scope="module")
def three():
    """Three normal parameters."""
    return normals(3)


@pytest.fixture(scope="module")
def odd():
    """Parameters that are lognormal, uniform and normal; the first two are correlated in their normal scores."""
    return fa.study_of(
        normals(1),
        {
            "link[0].rigid.mass": {"lognormal": [1.0, 0.3]},
            "link[0].joint.rate": {"uniform": [1.0, 2.0]},
        },
        correlation={"pairs": [["link[0].rigid.mass", "link[0].joint.rate", 0.6]]},
    )


def _odd_scores(model, values):
    """The normal scores of those parameters, by SciPy's laws."""
    sigma = sqrt(np.log(1.0 + 0.3**2))
    laws = {
        "link[0].rigid.mass": lognorm(sigma, scale=exp(-(sigma**2) / 2.0)),
        "link[0].joint.rate": uniform(1.0, 1.0),
        "link[0].length": norm(0.5, 0.01),
    }
    found = []
    for k, name in enumerate(model.names):
        # from the nearer tail, for its digits
        low, high = norm.ppf(laws[name].cdf(values[:, k])), norm.isf(laws[name].sf(values[:, k]))
        found.append(np.where(values[:, k] < laws[name].median(), low, high))
    return np.column_stack(found)


def _odd_case(model, index):
    """A number linear in those scores, with its limit so that it is missed with Φ(−index)."""
    weights = {"link[0].rigid.mass": 1.0, "link[0].joint.rate": 0.7, "link[0].length": -0.5}
    w = np.array([weights[name] for name in model.names])
    spread = sqrt(w @ model.dependence.matrix @ w)
    return (lambda values: 10.0 + _odd_scores(model, values) @ w), 10.0 + index * spread


def test_standard_space_is_that_of_openturns_far_out_too(odd):
    points = np.concatenate([np.random.default_rng(1).normal(size=(50, 3)), 7.0 * np.eye(3), -7.0 * np.eye(3)])
    theirs = np.asarray(odd.distribution.getInverseIsoProbabilisticTransformation()(points))
    # rounding: quantiles are computed by the same library, but not in the same order
    np.testing.assert_allclose(StandardSpace(odd).own(points), theirs, rtol=1e-12)


@pytest.mark.parametrize("index", [2.0, 4.0, 6.0])
def test_form_is_exact_for_a_number_that_is_linear_in_normal_parameters(three, index):
    found = solved(three, scores(three, lambda u: 5.0 + u @ WEIGHTS), [5.0 + index], "form")
    (point,) = found.each[0].points
    # differences of a linear function are exact but for rounding, about 1e-16 over a step of 1e-2
    assert point.index == pytest.approx(index, abs=1e-9)
    np.testing.assert_allclose(point.standard, index * WEIGHTS, atol=1e-6)
    np.testing.assert_allclose(point.shares, WEIGHTS**2, atol=1e-9)
    assert found.joint.probability == pytest.approx(norm.sf(index), rel=1e-7)
    means = [each.mean + index * w * each.deviation for each, w in zip(three.parameters, WEIGHTS, strict=True)]
    np.testing.assert_allclose(point.own, means, rtol=1e-6)


@pytest.mark.parametrize("method", ["form", "sorm"])
def test_form_is_exact_for_other_laws_and_correlation_where_scores_are_linear(odd, method):
    formula, limit = _odd_case(odd, 3.0)
    found = solved(odd, formula, [limit], method)
    # the search stops at 1e-3, whose square is left; curvatures of SORM are zero but for differences
    assert found.joint.probability == pytest.approx(norm.sf(3.0), rel=1e-4)


@pytest.mark.parametrize("method", SAMPLING)
def test_sampling_finds_the_same_probability_within_its_interval(odd, method):
    formula, limit = _odd_case(odd, 3.0)
    found = solved(odd, formula, [limit], method, **SAMPLING[method])
    assert found.complete and found.joint.cov <= SAMPLING[method]["cov"]
    assert found.joint.low <= norm.sf(3.0) <= found.joint.high
    assert found.joint.low <= found.joint.probability <= found.joint.high


@pytest.mark.parametrize("method", ["form", *SAMPLING])
def test_a_correlated_parameter_without_influence_is_not_to_blame(odd, method):
    alone = odd.names.index("link[0].rigid.mass")
    found = solved(odd, lambda values: 10.0 + _odd_scores(odd, values)[:, alone], [12.0], method)
    # sampling knows second moments of some hundred points, within about a tenth
    assert found.joint.shares[alone] == pytest.approx(1.0, abs=1e-3 if method == "form" else 0.1)


@pytest.mark.parametrize("method", SAMPLING)
def test_sampling_reaches_a_probability_of_one_in_a_milliard(three, method):
    cov = {"importance": 0.05, "subset": 0.4}[method]
    found = solved(three, scores(three, lambda u: 5.0 + u @ WEIGHTS), [11.0], method, cov=cov)
    exact = norm.sf(6.0)  # 9.9e-10
    assert found.joint.low <= exact <= found.joint.high
    assert found.joint.shares[0] == pytest.approx(WEIGHTS[0] ** 2, abs=0.1)
    if method == "subset":
        assert len(found.joint.runs) >= 4 and len(found.joint.levels) in (9, 10)
        assert found.joint.levels[0][0] < found.joint.levels[-1][0] == 1.0


def test_a_tolerance_about_the_nominal_arm_has_design_points_on_both_sides(three):
    # |number| has no gradient at the mean, where every other search would begin
    found = solved(three, scores(three, lambda u: np.abs(u @ WEIGHTS)), [3.0], "form")
    assert [round(point.index, 6) for point in found.each[0].points] == [3.0, 3.0]
    assert found.joint.probability == pytest.approx(2.0 * norm.sf(3.0), rel=1e-6)


@pytest.mark.parametrize(("limit", "reported"), [(0.2, True), (3.0, False)])
def test_a_design_point_near_the_nominal_arm_is_remarked(three, limit, reported):
    found = solved(three, scores(three, lambda u: np.abs(u @ WEIGHTS)), [limit], "form")
    remarks = [remark for remark in found.remarks if "importance or subset sampling sees all sides" in remark]
    assert len(remarks) == reported


def test_sampling_sees_what_flat_limit_states_leave_out(three):
    radius = 3.5

    def distance(u):
        return np.hypot(u[:, 0], u[:, 1])

    exact = exp(-(radius**2) / 2.0)  # Rayleigh
    flat = solved(three, scores(three, distance), [radius], "form").joint.probability
    assert flat < 0.6 * exact
    for method in SAMPLING:
        found = solved(three, scores(three, distance), [radius], method, **SAMPLING[method])
        assert found.joint.low <= exact <= found.joint.high
        np.testing.assert_allclose(found.joint.shares, [0.5, 0.5, 0.0], atol=0.2)
        if method == "importance":
            assert "is far from this: limit states are curved" in found.remarks[0]


def test_sorm_has_breitungs_factor_of_a_parabola(three):
    index, curvature = 3.0, 0.2
    found = solved(three, scores(three, lambda u: u[:, 0] + 5 + curvature / 2 * u[:, 1] ** 2), [index + 5], "sorm")
    exact = norm.sf(index) / sqrt(1.0 - index * curvature)  # K. Breitung, J. Eng. Mech. 110 (1984) 357
    # curvature from differences over 0.2 deviations at a point that is known to 1e-3
    assert found.joint.probability == pytest.approx(exact, rel=5e-3)


def test_several_requirements_are_a_series_system(three):
    def numbers(u):
        return 5.0 + np.column_stack([u[:, 0], 0.6 * u[:, 0] + 0.8 * u[:, 1]])

    limits = [7.5, 7.2]
    exact = 1.0 - multivariate_normal([0, 0], [[1.0, 0.6], [0.6, 1.0]]).cdf([2.5, 2.2])
    found = solved(three, scores(three, numbers), limits, "form")
    assert found.joint.probability == pytest.approx(exact, rel=1e-5)
    assert [each.probability for each in found.each] == pytest.approx(norm.sf([2.5, 2.2]), rel=1e-6)
    for method in SAMPLING:
        found = solved(three, scores(three, numbers), limits, method, **SAMPLING[method])
        assert found.joint.low <= exact <= found.joint.high
        for each, index in zip(found.each, (2.5, 2.2), strict=True):
            assert each.low <= norm.sf(index) <= each.high


def test_ditlevsens_bounds_hold_the_probability_of_a_box():
    directions = [*np.eye(3), *-np.eye(3)]
    low, high = series_bounds([1.5] * 6, directions)
    exact = 1.0 - (1.0 - 2.0 * norm.sf(1.5)) ** 3
    assert low <= exact <= high
    assert series_bounds([2.0, 2.0], [directions[0]] * 2) == pytest.approx((norm.sf(2.0),) * 2)
    assert both(3.0, 2.0, 0.5) == pytest.approx(
        multivariate_normal([0, 0], [[1, 0.5], [0.5, 1]]).cdf([-3, -2]), rel=1e-3
    )


def test_importance_sampling_is_that_of_openturns(three):
    states = states_of(three, scores(three, lambda u: 5.0 + u @ WEIGHTS), [8.0])
    points = find_design_points(states, 0).points
    joint, _ = importance(states, points, seed=7, cov=0.1, block=100)
    with seeded(7, "importance"):
        event = states.event(None)
        theirs = ot.ProbabilitySimulationAlgorithm(event, ot.ImportanceSamplingExperiment(about(states.space, points)))
        theirs.setBlockSize(100)
        theirs.setMaximumCoefficientOfVariation(0.1)
        theirs.setMaximumOuterSampling(1000)
        theirs.run()
    result = theirs.getResult()
    # sums in another order
    assert joint.probability == pytest.approx(result.getProbabilityEstimate(), rel=1e-10)
    # theirs is a mean over blocks, ours is that of all samples
    assert joint.cov == pytest.approx(result.getCoefficientOfVariation(), rel=0.05)
    states.close()


def test_doors_share_samples_and_keep_their_order(three):
    points = np.random.default_rng(2).normal(size=(50, 3))
    formula = scores(three, lambda u: 5.0 + u @ WEIGHTS)
    evaluators = [FormulaEvaluator(formula), FormulaEvaluator(formula), FormulaEvaluator(formula)]
    states = LimitStates(
        StandardSpace(three), [fa.Requirement("A", "speed", limit=2.0)], LocalPool(evaluators), most=100
    )
    # rounding of a score that becomes a parameter and a score again
    np.testing.assert_allclose(states.ratios(points)[:, 0], (5.0 + points @ WEIGHTS) / 2.0, rtol=1e-12)
    assert sorted(size for evaluate in evaluators for size in evaluate.sizes) == [16, 17, 17]
    states.ratios(points[::-1])
    assert states.evaluations == sum(sum(evaluate.sizes) for evaluate in evaluators) == 50
    states.close()


# --- Trouble ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", SAMPLING)
def test_samples_that_fail_count_as_missing_and_nothing_else_reaches_an_algorithm(three, method):
    # beyond 2.5 deviations to one side there is no arm; to the other the limit is at 2.5 deviations
    def number(u):
        return np.where(u[:, 0] > 2.5, np.nan, np.maximum(5.0 - u[:, 0], 0.1))

    found = solved(three, scores(three, number), [7.5], method, **SAMPLING[method])
    assert found.joint.low <= 2.0 * norm.sf(2.5) <= found.joint.high


def test_ratios_are_numbers_whatever_a_sample_does(three):
    states = states_of(three, scores(three, lambda u: np.where(u[:, 0] > 0.0, np.nan, 1.0)), [2.0])
    ratios = states.ratios(np.array([[1.0, 0, 0], [-1.0, 0, 0]]))
    assert ratios.tolist() == [[2.0], [0.5]]
    assert states.failed == {"impossible": 1} and states.reasons == {"impossible": "no such arm"}
    states.close()


def test_a_design_point_among_failed_samples_is_none(three):
    found = solved(three, scores(three, lambda u: np.where(u[:, 0] > 2.0, np.nan, 5.0 + 0.1 * u[:, 0])), [8.0], "form")
    assert found.joint.probability is None
    assert "no design point was found" in found.each[0].trouble and "try method subset" in found.each[0].trouble
    assert "evaluations failed" in found.each[0].trouble


def test_a_limit_that_is_never_reached_is_reported(odd):
    rate = odd.names.index("link[0].joint.rate")

    def formula(values):
        return values[:, rate]  # uniform, at most 2

    flat = solved(odd, formula, [2.5], "form")
    assert flat.joint.probability is None
    assert "no design point was found" in flat.each[0].trouble
    sampled = solved(odd, formula, [2.5], "subset", block=20)
    assert sampled.joint.probability == 0.0
    assert re.match(
        r"no sample missed it at \de-14 and less: the number came to 0.8 of its limit", sampled.joint.trouble
    )


def test_what_the_medians_miss_already_is_not_rare(three):
    found = solved(three, scores(three, lambda u: 5.0 + u @ WEIGHTS), [4.0], "form")
    assert "which is not rare; try method plain" in found.each[0].trouble
    found = solved(three, scores(three, lambda u: 5.0 + u @ WEIGHTS), [4.0], "subset", cov=0.1)
    assert found.joint.low <= norm.cdf(1.0) <= found.joint.high


def test_a_kink_at_a_design_point_is_reported(three):
    found = solved(three, scores(three, lambda u: 5 + u[:, 0] - 0.5 * np.abs(u[:, 1])), [8.0], "form")
    assert found.each[0].points[0].index == pytest.approx(3.0)
    assert "has a kink or a jump at a design point" in found.remarks[0]


# --- Seeds, ends -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", SAMPLING)
def test_a_seed_decides_the_answer_and_the_generator_is_put_back(three, method):
    def answer(seed):
        return solved(three, scores(three, lambda u: 5.0 + u @ WEIGHTS), [7.5], method, seed=seed, block=50, cov=0.3)

    ot.RandomGenerator.SetSeed(5)
    before = ot.RandomGenerator.GetState()
    first = answer(1).joint.probability
    assert ot.RandomGenerator.GetState() == before
    ot.RandomGenerator.SetSeed(6)
    assert answer(1).joint.probability == first != answer(2).joint.probability


class _Pressed:
    """Ctrl-C after so many looks."""

    def __init__(self, looks):
        self.left = looks

    def __call__(self):
        """Look."""
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt


@pytest.mark.parametrize(("method", "looks"), [("form", 25), ("importance", 40), ("subset", 25)])
def test_ctrl_c_gives_what_was_found(three, method, looks):
    def numbers(u):
        return 5.0 + np.column_stack([u[:, 0], u[:, 1] ** 3 / 9.0])

    options = {} if method == "form" else {"block": 50, "cov": 1e-3}
    found = solved(three, scores(three, numbers), [9.0, 9.0], method, check=_Pressed(looks), **options)
    assert found.interrupted and not found.complete
    if method == "form":
        assert found.each[0].points and found.each[1].trouble == "not looked at to its end"
    elif method == "importance":
        assert found.joint.low <= found.joint.probability <= found.joint.high
    else:
        assert "of the limit is exceeded with probability" in found.joint.trouble


def test_no_more_evaluations_are_made_than_allowed(three):
    for method in ("form", "importance", "subset"):
        states = states_of(three, scores(three, lambda u: 5.0 + u @ WEIGHTS), [9.0], most=60)
        options = {} if method == "form" else {"cov": 0.01, "block": 20}
        found = answered(states, Search(method, evaluations=60, **options), [5.0])
        states.close()
        assert states.evaluations <= 60
        assert method == "form" or not found.complete


def test_discrete_laws_are_left_to_subset_and_plain_sampling(tmp_path):
    model = fa.study_of(swing(), {"link[0].length": {"discrete": [0.5, 0.51]}})
    near = fa.Requirement("A", "circle", limit=0.05)
    for method in ("form", "importance"):
        with pytest.raises(fa.FlexarmError, match=r"link\[0\].length is discrete, must be continuous"):
            fa.reliability(model, [near], method=method)
