"""Distributions of one number: a table of a model file becomes a distribution of OpenTURNS, or a sentence why not."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from flexarm.model.reading.distributions import FAMILIES
from flexarm.model.reading.messages import either, meant, quoted, shown
from flexarm.model.reading.units import Dimension
from flexarm.studies.execution.interrupts import take_back_interrupts
from flexarm.studies.parameters.numbers import Numbers, Unsound

if TYPE_CHECKING:
    import openturns as ot

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Law:
    """The distribution of one number in SI units."""

    words: str
    distribution: Any = field(repr=False)
    mean: float
    deviation: float
    # Of the texts it was read from; None if it was all plain numbers.
    dimension: Dimension | None = None
    # Mean and deviation where the law is normal and nothing else: a normal score is then all that is needed.
    gaussian: bool = False

    def quantiles(self, probabilities: Array) -> Array:
        """The numbers that belong to probabilities inside (0, 1); each a function of its own probability alone."""
        found = self.distribution.computeQuantile(point_of(probabilities))
        take_back_interrupts()
        return np.asarray(found).reshape(-1)


def point_of(values: Array) -> Any:
    """The numbers as OpenTURNS' Point, by way of its Sample: made directly it loses 32 bytes a number for ever."""
    import openturns as ot

    return ot.Sample(np.ascontiguousarray(values).reshape(-1, 1)).asPoint()


def read_law(table: Mapping[str, Any], unit: str | None) -> Law:
    """The law in a table such as { normal = ["0.53 m", "1 mm"] }, for a place whose numbers have the SI unit `unit`.

    `unit` None leaves units unchecked, which is enough to find the range of the law. Raises Unsound.
    """
    families = [family for family in FAMILIES if family in table]
    if len(families) != 1:
        raise Unsound(f"has {' and '.join(families) or 'no family'}, must be one distribution")
    numbers = Numbers(table, unit)
    try:
        with quiet():
            return _made(families[0], numbers)
    except (TypeError, ValueError, RuntimeError, OverflowError) as error:
        raise Unsound(f"{families[0]} cannot be made: {_reason(error)}") from None


def _made(family: str, numbers: Numbers) -> Law:
    distribution, words = _MAKERS[family](numbers)
    law = _bounded(distribution, numbers, family)
    numbers.finish()
    mean, deviation = law.getMean()[0], law.getStandardDeviation()[0]
    if not (math.isfinite(mean) and math.isfinite(deviation)):
        raise Unsound(f"{family} has mean {mean:.6g} and deviation {deviation:.6g}, must be finite")
    words += ", bounded" if law is not distribution else ""
    gaussian = _MAKERS[family] is _normal and law is distribution
    return Law(words, law, mean, deviation, numbers.dimension, gaussian)


@contextmanager
def quiet() -> Iterator[None]:
    """Nothing that OpenTURNS remarks on the terminal is seen; what matters of it becomes a sentence."""
    import openturns as ot

    flags = ot.Log.Flags()
    ot.Log.Show(ot.Log.NONE)
    try:
        yield
    finally:
        ot.Log.Show(flags)
        take_back_interrupts()


def _reason(error: Exception) -> str:
    # OpenTURNS begins with the name of its exception.
    text = " ".join(str(error).split()).split(" : ", 1)[-1].removeprefix("Error: ")
    return text[:160] or type(error).__name__


def _bounded(distribution: ot.Distribution, numbers: Numbers, family: str) -> ot.Distribution:
    import openturns as ot

    if family in ("uniform", "triangular", "beta", "discrete"):
        return distribution
    least, most = -math.inf, math.inf
    bounds = numbers.get("bounds")
    if bounds is not None:
        least, most = numbers.some("bounds", bounds, ("least", "most"))
    for key in ("least", "most"):
        if numbers.get(key) is not None:
            if bounds is not None:
                raise Unsound(f"{key} is given with bounds, must be one or the other")
            value = numbers.one(key, numbers.get(key))
            least, most = (value, most) if key == "least" else (least, value)
    if least == -math.inf and most == math.inf:
        return distribution
    if not least < most:
        raise Unsound(f"bounds is [{least:.6g}, {most:.6g}], must rise")
    inside = distribution.computeCDF(most) if most < math.inf else 1.0
    inside -= distribution.computeCDF(least) if least > -math.inf else 0.0
    if not inside > 1e-6:
        raise Unsound(f"bounds leave a probability of {inside:.3g} of {family}, must leave more than 1e-6")
    if most == math.inf:
        return ot.TruncatedDistribution(distribution, least, ot.TruncatedDistribution.LOWER)
    if least == -math.inf:
        return ot.TruncatedDistribution(distribution, most, ot.TruncatedDistribution.UPPER)
    return ot.TruncatedDistribution(distribution, least, most)


Made = tuple[Any, str]
# Continuous families of OpenTURNS that it cannot fit to data, and those that are made from more than numbers.
_WITHOUT_FACTORY = {
    *("GeneralizedExtremeValue", "InverseChiSquare", "InverseGamma", "NonCentralChiSquare", "NonCentralStudent"),
    "SquaredNormal",
}
_FROM_LISTS = {"Dirichlet", "Histogram"}


def _normal(numbers: Numbers) -> Made:
    import openturns as ot

    return ot.Normal(*numbers.spread("normal")), "normal"


def _shifted(family: str, name: str) -> Callable[[Numbers], Made]:
    # Families given by mean and deviation that begin at a shift, 0 unless given.
    def make(numbers: Numbers) -> Made:
        import openturns as ot

        mean, deviation = numbers.spread(family)
        shift = numbers.get("shift")
        begin = 0.0 if shift is None else numbers.one("shift", shift)
        if not mean > begin:
            raise Unsound(f"{family} has the mean {mean:.6g}, must be > {begin:.6g}, where it begins")
        return getattr(ot, name)(mean, deviation, begin).getDistribution(), family

    return make


def _gumbel(numbers: Numbers) -> Made:
    import openturns as ot

    return ot.GumbelMuSigma(*numbers.spread("gumbel")).getDistribution(), "gumbel"


def _uniform(numbers: Numbers) -> Made:
    import openturns as ot

    value = numbers.get("uniform")
    if isinstance(value, list | tuple):
        least, most = numbers.some("uniform", value, ("least", "most"))
    elif numbers.get("tolerance") is not None:
        middle, half = numbers.one("uniform", value), numbers.tolerance()
        least, most = middle - half, middle + half
    else:
        middle, deviation = numbers.spread("uniform")
        least, most = middle - math.sqrt(3) * deviation, middle + math.sqrt(3) * deviation
    _rising("uniform", (least, most))
    return ot.Uniform(least, most), "uniform"


def _triangular(numbers: Numbers) -> Made:
    import openturns as ot

    least, mode, most = numbers.some("triangular", numbers.get("triangular"), ("least", "mode", "most"))
    if not (least <= mode <= most and least < most):
        raise Unsound(f"triangular is [{least:.6g}, {mode:.6g}, {most:.6g}], must rise")
    return ot.Triangular(least, mode, most), "triangular"


def _beta(numbers: Numbers) -> Made:
    import openturns as ot

    value = numbers.get("beta")
    if isinstance(value, list | tuple) and len(value) != 2:
        words = ("alpha", "beta", "least", "most")
        alpha, beta, least, most = numbers.some("beta", value, words, (0, 0, 1, 1))
        for word, shape in (("alpha", alpha), ("beta", beta)):
            if not shape > 0:
                raise Unsound(f"{word} is {shape:.6g}, must be > 0")
        _rising("beta", (least, most))
        return ot.Beta(alpha, beta, least, most), "beta"
    mean, deviation = numbers.spread("beta")
    if numbers.get("bounds") is None:
        raise Unsound("bounds is missing, must be given with beta = mean; or beta = [alpha, beta, least, most]")
    least, most = numbers.some("bounds", numbers.get("bounds"), ("least", "most"))
    _rising("bounds", (least, most))
    # No law between two bounds has a larger deviation than this.
    room = math.sqrt(max(0.0, (mean - least) * (most - mean)))
    if not least < mean < most or not deviation < room:
        raise Unsound(f"beta has mean {mean:.6g} and deviation {deviation:.6g}, which its bounds do not allow")
    return ot.BetaMuSigma(mean, deviation, least, most).getDistribution(), "beta"


def _discrete(numbers: Numbers) -> Made:
    import openturns as ot

    values = numbers.get("discrete")
    if not isinstance(values, list | tuple) or not values:
        raise Unsound(f"discrete is {shown(values)}, must be a list of values")
    points = [numbers.one(f"discrete[{i}]", value) for i, value in enumerate(values)]
    if len(set(points)) != len(points):
        raise Unsound("discrete holds a value twice, must hold each once, with its weight")
    weights = numbers.get("weights")
    shares = [1.0] * len(points)
    if weights is not None:
        words = [f"weight {i}" for i in range(len(points))] if len(points) < 4 else ["a weight for each value"]
        if not isinstance(weights, list | tuple) or len(weights) != len(points):
            raise Unsound(f"weights is {shown(weights)}, must be [{', '.join(words)}]")
        shares = [numbers.positive(f"weights[{i}]", weight, power=0) for i, weight in enumerate(weights)]
    return ot.FiniteDiscreteDistribution([[point] for point in points], [s / sum(shares) for s in shares]), "discrete"


def _openturns(numbers: Numbers) -> Made:
    import openturns as ot

    name, parameters = numbers.get("openturns"), numbers.get("parameters")
    known = families_of_openturns()
    if not isinstance(name, str) or name not in known or not hasattr(ot, name):
        raise Unsound(f"openturns is {shown(name)}, must be {either(known)}{meant(name, known)}")
    family = getattr(ot, name)
    words = [str(word).removesuffix("_0") for word in family().getParameterDescription()]
    wanted = f"must be [{', '.join(words)}]"
    if not isinstance(parameters, list | tuple) or not parameters:
        raise Unsound(f"parameters is {shown(parameters)}, {wanted} of {quoted(name)}")
    values = [numbers.one(f"parameters[{i}]", value) for i, value in enumerate(parameters)]
    try:
        return family(*values), name
    except (TypeError, NotImplementedError):
        if len(values) == len(words):
            raise
        # so many numbers as no constructor takes; what it says of that are prototypes of C++
        raise Unsound(f"parameters is {shown(parameters)}, {wanted} of {quoted(name)}") from None


def families_of_openturns() -> list[str]:
    """The continuous families of OpenTURNS that are made from numbers."""
    import openturns as ot

    factories = ot.DistributionFactory.GetContinuousUniVariateFactories()
    found = {factory.getImplementation().getClassName().removesuffix("Factory") for factory in factories}
    return sorted(name for name in (found | _WITHOUT_FACTORY) - _FROM_LISTS if hasattr(ot, name))


def _rising(key: str, ends: tuple[float, float]) -> None:
    if not ends[0] < ends[1]:
        raise Unsound(f"{key} is [{ends[0]:.6g}, {ends[1]:.6g}], must rise")


def _random(numbers: Numbers) -> Made:
    raise Unsound("random is the name of another distribution, must be a distribution of its own here")


_MAKERS: dict[str, Callable[[Numbers], Made]] = {
    "normal": _normal,
    "lognormal": _shifted("lognormal", "LogNormalMuSigma"),
    "uniform": _uniform,
    "triangular": _triangular,
    "beta": _beta,
    "gamma": _shifted("gamma", "GammaMuSigma"),
    "gumbel": _gumbel,
    "weibull": _shifted("weibull", "WeibullMinMuSigma"),
    "discrete": _discrete,
    "openturns": _openturns,
    "random": _random,
}
