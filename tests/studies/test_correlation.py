"""The linear correlation of dependent numbers is that of a double integral of their densities, and of their samples."""

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad

from flexarm.studies.parameters.correlation import linear_correlation
from flexarm.studies.parameters.study_model import parse_study
from tests.studies.closed_forms import model_of

NORMALS = ("{ normal = [1.0, 0.5] }", "{ normal = [-2.0, 3.0] }")


def found_of(laws, pair):
    """The correlation of two numbers, and their study."""
    model = model_of(*laws)
    place = '["link[0].joint.at", "link[1].joint.at"'
    study = parse_study(f"{model.text}\n[correlation]\npairs = [{place}, {pair}]]\n")
    return linear_correlation([p.law for p in study.parameters], study.dependence)[0, 1], study


def clayton(u, v, theta):
    """P(V < v | U = u) of Clayton's copula: its derivative by u."""
    return u ** (-theta - 1) * (u**-theta + v**-theta - 1) ** (-1 / theta - 1)


def gumbel(u, v, theta):
    """P(V < v | U = u) of Gumbel's copula."""
    a, b = (-np.log(u)) ** theta, (-np.log(v)) ** theta
    return np.exp(-((a + b) ** (1 / theta))) * (a + b) ** (1 / theta - 1) * (-np.log(u)) ** (theta - 1) / u


def mean_of_product(conditional, theta):
    """E[X Y] of standard normals: the integral over x of x φ(x) E[Y | x], by SciPy.

    E[Y | x] is the integral of 1 - P(Y < y | x) over y > 0 less that of P(Y < y | x) over y < 0.
    """

    def given(x):
        u = stats.norm.cdf(x)
        above = quad(lambda y: 1 - conditional(u, stats.norm.cdf(y), theta), 0, 6, epsabs=1e-7)[0]
        return above - quad(lambda y: conditional(u, stats.norm.cdf(y), theta), -6, 0, epsabs=1e-7)[0]

    return quad(lambda x: x * stats.norm.pdf(x) * given(x), -5.5, 5.5, epsabs=1e-5, limit=30)[0]


@pytest.mark.parametrize(
    ("word", "conditional", "theta"), [("clayton", clayton, 2.0), ("clayton", clayton, 5.0), ("gumbel", gumbel, 4.0)]
)
def test_it_is_that_of_a_double_integral_for_normal_numbers(word, conditional, theta):
    # correlation does not know of shifts and scales; 1e-3 is what is promised
    found, _ = found_of(NORMALS, f'{theta}, "{word}"')
    assert found == pytest.approx(mean_of_product(conditional, theta), abs=1e-3)


def test_normal_numbers_with_a_gaussian_copula_have_its_number():
    assert found_of(NORMALS, "0.6")[0] == 0.6


def test_a_lognormal_beside_a_normal_has_the_correlation_of_its_closed_form():
    # exp(s Z) with r between the normal scores: s r / √(exp(s²) - 1)
    s = np.sqrt(np.log1p(0.5**2))
    found, _ = found_of((NORMALS[0], "{ lognormal = [2.0, 1.0] }"), "0.6")
    assert found == pytest.approx(0.6 * s / np.sqrt(np.expm1(s**2)), abs=1e-3)


@pytest.mark.parametrize("pair", ['-4.0, "frank"', '3.0, "plackett"', "-0.7"])
def test_it_is_that_of_samples_whatever_the_laws(pair):
    found, study = found_of(("{ uniform = [0.0, 1.0] }", "{ discrete = [1, 2, 5], weights = [1, 2, 1] }"), pair)
    drawn = study.draw(1, 0, 100_000)
    # four standard errors, and half a step of the sum where the law leaps
    assert found == pytest.approx(np.corrcoef(drawn.T)[0, 1], abs=4.0 / np.sqrt(100_000) + 0.01)
