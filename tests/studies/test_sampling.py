"""Samples: each a function of seed and index alone, in the law and the dependence asked for, spread as asked for."""

import resource
from itertools import pairwise
from pathlib import Path

import numpy as np
import openturns as ot
import pytest
from scipy import stats
from scipy.integrate import quad
from scipy.special import ndtr

from flexarm.errors import AnalysisError
from flexarm.studies.parameters.study_model import parse_study
from flexarm.studies.sampling.sobol import plain_sobol

N = 100_000
METHODS = ("plain", "lhs", "sobol")

# Families with SciPy's own form of them, by mean 1 and deviation 0.1 where moments are asked for.
_LOG = np.log(1.01)
_GUMBEL = 0.1 * np.sqrt(6) / np.pi
FAMILIES = [
    ("{ normal = [1, 0.1] }", stats.norm(1, 0.1)),
    ("{ normal = [1, 0.1], bounds = [0.9, 1.3] }", stats.truncnorm(-1, 3, 1, 0.1)),
    ("{ lognormal = [1, 0.1] }", stats.lognorm(np.sqrt(_LOG), scale=np.exp(-_LOG / 2))),
    ("{ uniform = [0.5, 2] }", stats.uniform(0.5, 1.5)),
    ("{ triangular = [0.5, 1, 2] }", stats.triang(1 / 3, 0.5, 1.5)),
    ("{ beta = [2, 3, 0.5, 2] }", stats.beta(2, 3, 0.5, 1.5)),
    ("{ gamma = [1, 0.1] }", stats.gamma(100, scale=0.01)),
    ("{ gumbel = [1, 0.1] }", stats.gumbel_r(1 - np.euler_gamma * _GUMBEL, _GUMBEL)),
    ('{ openturns = "WeibullMin", parameters = [1, 3, 0.2] }', stats.weibull_min(3, 0.2, 1)),
    ('{ openturns = "Logistic", parameters = [1, 0.05] }', stats.logistic(1, 0.05)),
]


@pytest.mark.parametrize("table, law", FAMILIES, ids=[table for table, _ in FAMILIES])
@pytest.mark.parametrize("method", METHODS)
def test_samples_follow_the_law(one, table, law, method):
    size = N if method == "plain" else 20_000
    drawn = parse_study(one(table)).draw(11, 0, size, method, total=size)[:, 0]
    # Kolmogorov's D √n of a sound sample is above 1.95 once in a thousand; the seed is fixed. LHS and Sobol' do better.
    assert stats.kstest(drawn, law.cdf).statistic * np.sqrt(size) < 1.95
    # Four standard errors of the mean and of the variance.
    assert abs(drawn.mean() - law.mean()) < 4 * law.std() / np.sqrt(size)
    kurtosis = float(law.stats(moments="k"))
    assert abs(drawn.var() / law.var() - 1) < 4 * np.sqrt((kurtosis + 2) / size)


def test_discrete_values_come_as_often_as_they_weigh(one):
    drawn = parse_study(one("{ discrete = [0.5, 1, 2], weights = [1, 2, 5] }")).draw(2, 0, N)[:, 0]
    for value, share in ((0.5, 1 / 8), (1.0, 2 / 8), (2.0, 5 / 8)):
        # Four standard errors of a share.
        assert abs(np.mean(drawn == value) - share) < 4 * np.sqrt(share * (1 - share) / N)


@pytest.mark.parametrize("method", METHODS)
def test_a_sample_is_the_same_to_the_bit_however_it_is_cut_into_chunks(text, method):
    other = text.replace(', "width", 0.3]', ', "width", 2.0, "clayton"]')
    for study in (parse_study(text), parse_study(other)):
        whole = study.draw(7, 0, 1000, method, total=1000)
        for size in (1, 3, 64, 333):
            bounds = [*range(0, 400, size), 400]
            parts = [study.draw(7, a, b, method, total=1000) for a, b in pairwise(bounds)]
            assert np.concatenate(parts).tobytes() == whole[:400].tobytes()
        assert study.draw(7, 5, 5, method, total=1000).shape == (0, 8)
        assert not np.array_equal(study.draw(8, 0, 1000, method, total=1000), whole)


def test_the_raw_words_behind_a_sample_are_those_of_philox_for_ever():
    from flexarm.studies.sampling.streams import words

    # Known answer of Philox 4x64-10 (Random123, kat_vectors): counter and key all zero, and NumPy counts on before it
    # draws, so the block of counter 0 is the one after 2^256 - 1.
    block = np.random.Philox(key=[0, 0], counter=2**256 - 1).random_raw(4)
    assert [f"{word:016x}" for word in block] == [
        *("16554d9eca36314c", "db20fe9d672d0fdc", "d7e772cee186176b", "7e68b68aec7ba23b")
    ]
    assert np.array_equal(words(3, "a", 0, 20)[5:17], words(3, "a", 5, 17))


def test_a_hypercube_has_one_sample_in_every_stratum_of_every_parameter_even_if_they_are_dependent(text):
    study = parse_study(text)
    total = 500
    drawn = study.draw(1, 0, total, "lhs", total=total)
    for parameter, column in zip(study.parameters, drawn.T, strict=True):
        law = parameter.law.distribution
        strata = np.floor([law.computeCDF(value) * total for value in column]).astype(int)
        # A value drawn next to a border may round over it: the law's own rounding, far below one in 500.
        assert len(set(strata)) >= total - 1


def test_the_strata_of_every_axis_and_pair_are_met_by_aligned_blocks_of_sobol_points(text):
    study = parse_study(text[: text.index("[correlation]")])
    for block in range(3):
        probabilities, _ = study._sampler.draw(9, block * 256, (block + 1) * 256, "sobol", None)
        assert all(len(set(np.floor(column * 256))) == 256 for column in probabilities.T)
    boxes = np.floor(study._sampler.draw(9, 0, 256, "sobol", None)[0][:, :2] * 16)
    assert len({tuple(box) for box in boxes}) == 256


def test_the_sequence_before_scrambling_is_that_of_openturns():
    assert np.array_equal(plain_sobol(40, 1, 5000), np.asarray(ot.SobolSequence(40).generate(4999)))


def test_sobol_points_and_hypercubes_beat_plain_samples_on_a_smooth_integral(text):
    study = parse_study(text[: text.index("[correlation]")])
    means = np.array([p.mean for p in study.parameters])
    size = 1024

    def error(method):
        drawn = [study.draw(seed, 0, size, method, total=size) for seed in range(8)]
        return np.sqrt(np.mean([np.mean(np.prod(rows / means, axis=1)) - 1 for rows in drawn] ** np.array(2)))

    # The parameters are independent: the mean of the product is 1. It is nearly a sum, which strata integrate well.
    plain, hypercube, sobol = error("plain"), error("lhs"), error("sobol")
    assert hypercube < plain / 5 and sobol < plain / 5


@pytest.mark.parametrize("method", METHODS)
def test_normal_parameters_have_the_correlation_asked_for(text, method):
    study = parse_study(text)
    drawn = study.draw(3, 0, N, method, total=N)
    i, j = study.names.index("link[0].length"), study.names.index("random.width")
    # Four standard errors of a correlation, (1 - r²)/√n.
    assert abs(np.corrcoef(drawn[:, i], drawn[:, j])[0, 1] - 0.3) < 4 * (1 - 0.3**2) / np.sqrt(N)
    # A uniform beside a normal: Spearman's rank correlation of a gaussian copula is 6/π asin(r/2).
    k, l = study.names.index("material.alloy.youngs_modulus"), study.names.index("material.alloy.density")
    assert abs(stats.spearmanr(drawn[:, k], drawn[:, l])[0] - 6 / np.pi * np.arcsin(0.25)) < 4 / np.sqrt(N)
    assert abs(np.corrcoef(drawn[:, i], drawn[:, k])[0, 1]) < 4 / np.sqrt(N)


def test_rank_correlations_come_out_as_given(text):
    for measure, found in (("spearman", stats.spearmanr), ("kendall", stats.kendalltau)):
        study = parse_study(f'{text}measure = "{measure}"')
        i, j = study.names.index("link[0].length"), study.names.index("random.width")
        drawn = study.draw(3, 0, 20_000)
        # Four standard errors; that of either rank correlation is below 1/√n.
        assert abs(found(drawn[:, i], drawn[:, j])[0] - 0.3) < 4 / np.sqrt(20_000)


@pytest.mark.parametrize(
    "word, strength, tau",
    [
        ("clayton", 2.0, 0.5),
        ("gumbel", 2.0, 0.5),
        ("farlie-gumbel-morgenstern", 0.9, 0.2),
        ("frank", 5.0, 1 - 4 / 5 * (1 - quad(lambda t: t / np.expm1(t), 0, 5)[0] / 5)),
        ("ali-mikhail-haq", 0.7, 1 - 2 * (0.7 + 0.3**2 * np.log(0.3)) / (3 * 0.7**2)),
    ],
)
def test_other_copulas_have_their_kendalls_tau(text, word, strength, tau):
    # Nelsen, An Introduction to Copulas: θ/(θ + 2), 1 - 1/θ, 2θ/9, 1 - 4/θ (1 - D(θ)) with Debye's function, and
    # 1 - 2 (θ + (1 - θ)² ln(1 - θ)) / (3 θ²).
    study = parse_study(text.replace('"width", 0.3]', f'"width", {strength}, "{word}"]'))
    i, j = study.names.index("link[0].length"), study.names.index("random.width")
    drawn = study.draw(3, 0, 20_000)
    assert abs(stats.kendalltau(drawn[:, i], drawn[:, j])[0] - tau) < 4 / np.sqrt(20_000)
    # And the joint distribution handed to OpenTURNS has the same.
    copula = study.distribution.getCopula().getMarginal([i, j])
    assert copula.getKendallTau()[0, 1] == pytest.approx(tau, abs=1e-3)


def test_placketts_copula_has_its_spearmans_rank_correlation(text):
    # Nelsen: (θ + 1)/(θ - 1) - 2 θ ln θ / (θ - 1)².
    study = parse_study(text.replace('"width", 0.3]', '"width", 4.0, "plackett"]'))
    i, j = study.names.index("link[0].length"), study.names.index("random.width")
    drawn = study.draw(3, 0, 20_000)
    assert abs(stats.spearmanr(drawn[:, i], drawn[:, j])[0] - (5 / 3 - 8 * np.log(4) / 9)) < 4 / np.sqrt(20_000)


def test_samples_are_the_inverse_isoprobabilistic_transformation_of_their_normal_scores(text):
    study = parse_study(text)
    drawn = study.draw(3, 0, 20)
    back = np.asarray(study.distribution.getIsoProbabilisticTransformation()(drawn))
    plain = study._sampler._plain(3, 0, 20)
    # Through a distribution function and back: probabilities round, and more so where the law is flat.
    assert ndtr(back) == pytest.approx(plain, abs=1e-9)


@pytest.mark.parametrize(
    "call, sentence",
    [
        (dict(seed=-1), "seed is -1, must be a whole number from 0"),
        (dict(seed=float("nan")), "seed is nan, must be a whole number"),
        (dict(seed=0.5), "seed is 0.5, must be a whole number"),
        (dict(end=-1), "end is -1, must be a whole number from 0"),
        (dict(method="lsh"), 'method is "lsh", must be "plain", "lhs" or "sobol"'),
        (dict(method="lhs"), "total is missing, must be given for lhs"),
        (dict(method="lhs", total=3), "total is 3, must be a whole number from 10"),
    ],
)
def test_samples_that_cannot_be_drawn_are_refused_in_a_sentence(text, call, sentence):
    study = parse_study(text)
    with pytest.raises(AnalysisError) as error:
        study.draw(**{"seed": 1, "begin": 0, "end": 10, **call})
    assert sentence in str(error.value)


def _resident() -> int:
    """Bytes of this process in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is reported by /proc")
def test_drawing_again_and_again_keeps_no_memory(text):
    study, rows = parse_study(text), 20_000
    study.draw(1, 0, rows)
    before = _resident()
    for _ in range(10):
        study.draw(1, 0, rows)
    # less than a byte for every number drawn; what is allocated and freed again may leave some pages
    assert _resident() - before < 10 * rows * len(study.parameters)
