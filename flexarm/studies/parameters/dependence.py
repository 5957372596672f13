"""How parameters depend on one another: the [correlation] table becomes copulas, and independent numbers dependent."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from flexarm.model.reading.messages import either, meant, quoted, shown
from flexarm.model.reading.quantity import LARGEST, is_number
from flexarm.studies.execution.interrupts import take_back_interrupts
from flexarm.studies.parameters.distributions import point_of
from flexarm.studies.parameters.numbers import Unsound

Array = npt.NDArray[np.float64]

GAUSSIAN = "gaussian"
# Copulas of two parameters with one number, by our word for them. OpenTURNS' JoeCopula is no Archimedean copula of
# that name: its dependence falls as its number grows.
COPULAS = {
    "clayton": "ClaytonCopula",
    "frank": "FrankCopula",
    "gumbel": "GumbelCopula",
    "plackett": "PlackettCopula",
    "ali-mikhail-haq": "AliMikhailHaqCopula",
    "farlie-gumbel-morgenstern": "FarlieGumbelMorgensternCopula",
}
# What the number of a gaussian pair is: the correlation of the normal scores, or a rank correlation turned into it.
_MEASURES = {
    "normal": lambda r: r,
    "spearman": lambda r: 2 * math.sin(math.pi * r / 6),
    "kendall": lambda r: math.sin(math.pi * r / 2),
}
# A smaller pivot than this would be rounding: the matrix is not positive definite.
SMALLEST_PIVOT = 1e-10


@dataclass(frozen=True)
class Dependence:
    """Which of p parameters depend on one another; without pairs all are independent."""

    matrix: Array
    factor: Array = field(repr=False)
    pairs: tuple[tuple[int, int, Any], ...] = ()

    @property
    def correlated(self) -> list[int]:
        """The parameters whose normal scores are correlated with another's."""
        off = self.matrix - np.eye(len(self.matrix))
        return [int(i) for i in np.flatnonzero(off.any(axis=1))]

    def apply(self, uniforms: Array) -> tuple[Array, dict[int, Array]]:
        """Dependent probabilities from independent ones (n, p), and the normal scores of correlated parameters.

        Every row is computed by itself, number by number: a product of matrices would round a row otherwise if it
        stood alone.
        """
        import openturns as ot

        dependent = np.array(uniforms, order="F")
        scores: dict[int, Array] = {}
        normal = ot.Normal()
        group = self.correlated
        plain = {i: _flat(normal.computeQuantile(point_of(uniforms[:, i]))) for i in group}
        for i in group:
            score = np.zeros(len(uniforms))
            for j in group:
                if j <= i and self.factor[i, j] != 0:
                    score += self.factor[i, j] * plain[j]
            scores[i] = score
            if not np.array_equal(self.factor[i, : i + 1], np.eye(1, i + 1, i)[0]):
                # Far out the probability would round to 1, where no law has a number.
                dependent[:, i] = np.clip(_flat(normal.computeCDF(_column(score))), 2.0**-1022, 1 - 2.0**-53)
        for i, j, copula in self.pairs:
            given, asked = uniforms[:, i], uniforms[:, j]
            found = copula.computeConditionalQuantile(point_of(asked), _column(given))
            dependent[:, j] = np.clip(_flat(found), 2.0**-1022, 1 - 2.0**-53)
        take_back_interrupts()
        return dependent, scores

    def copula(self) -> Any:
        """The copula of all parameters, of OpenTURNS."""
        import openturns as ot

        count = len(self.matrix)
        if not self.pairs:
            return (
                ot.NormalCopula(ot.CorrelationMatrix(self.matrix)) if self.correlated else ot.IndependentCopula(count)
            )
        paired = [k for i, j, _ in self.pairs for k in (i, j)]
        rest = [k for k in range(count) if k not in paired]
        blocks = [copula for _, _, copula in self.pairs]
        if rest:
            blocks.append(ot.NormalCopula(ot.CorrelationMatrix(self.matrix[np.ix_(rest, rest)])))
        order = [*paired, *rest]
        return ot.BlockIndependentCopula(blocks).getMarginal([order.index(k) for k in range(count)])


def _flat(found: Any) -> Array:
    return np.asarray(found).reshape(-1)


def _column(values: Array) -> Any:
    import openturns as ot

    return ot.Sample(np.ascontiguousarray(values).reshape(-1, 1))


def read_dependence(table: Any, names: Sequence[str]) -> Dependence:
    """The dependence in a [correlation] table between parameters of the given names; raises Unsound."""
    matrix = np.eye(len(names))
    if table is None:
        return Dependence(matrix, matrix)
    if not isinstance(table, Mapping):
        raise Unsound(f"is {shown(table)}, must be a table with pairs")
    for key in table:
        if key not in ("pairs", "copula", "measure"):
            raise Unsound(f"{key} is not a key known here, allowed are pairs, copula, measure")
    measure = _word(table, "measure", "normal", list(_MEASURES))
    usual = _word(table, "copula", GAUSSIAN, [GAUSSIAN, *COPULAS])
    entries = table.get("pairs")
    if not isinstance(entries, list | tuple) or not entries:
        raise Unsound(f'pairs is {shown(entries)}, must be a list of pairs such as ["link[0].length", "width", 0.3]')
    pairs: list[tuple[int, int, Any]] = []
    met: dict[frozenset[int], int] = {}
    for k, entry in enumerate(entries):
        i, j, strength, word = _pair(f"pairs[{k}]", entry, names, usual)
        if frozenset((i, j)) in met:
            raise Unsound(f"pairs[{k}] is the pair of pairs[{met[frozenset((i, j))]}] again, must stand once")
        met[frozenset((i, j))] = k
        if word == GAUSSIAN:
            if not abs(strength) < 1:
                raise Unsound(f"pairs[{k}][2] is {shown(strength)}, must be between -1 and 1")
            matrix[i, j] = matrix[j, i] = _MEASURES[measure](strength)
        else:
            pairs.append((i, j, _copula(f"pairs[{k}]", word, strength)))
    if "measure" in table and len(pairs) == len(entries):
        raise Unsound(
            f"measure is {shown(measure)} beside copulas that are not gaussian, must be left out: such a copula has a "
            "number of its own"
        )
    _alone(pairs, met, names)
    take_back_interrupts()
    return Dependence(matrix, _factor(matrix), tuple(pairs))


def kept_correlation(table: Mapping[str, Any], pairs: Sequence[Any]) -> dict[str, Any]:
    """A sound [correlation] table with some of its pairs alone; a measure none of them uses goes with the others."""
    usual = table.get("copula", GAUSSIAN)
    measured = any((pair[3] if len(pair) == 4 else usual) == GAUSSIAN for pair in pairs)
    return {key: value for key, value in table.items() if key != "measure" or measured} | {"pairs": list(pairs)}


def _word(table: Mapping[str, Any], key: str, default: str, known: list[str]) -> str:
    word = table.get(key, default)
    if not isinstance(word, str) or word not in known:
        raise Unsound(f"{key} is {shown(word)}, must be {either(known)}{meant(word, known)}")
    return word


def _pair(place: str, entry: Any, names: Sequence[str], usual: str) -> tuple[int, int, float, str]:
    if not isinstance(entry, list | tuple) or len(entry) not in (3, 4):
        raise Unsound(f'{place} is {shown(entry)}, must be [one, other, number] or [one, other, number, "copula"]')
    found = []
    for k, name in enumerate(entry[:2]):
        # A distribution with a name may be called by it alone.
        full = f"random.{name}" if name not in names else name
        if full not in names:
            raise Unsound(
                f"{place}[{k}] is {shown(name)}, must be a random parameter, {either(names)}{meant(name, names)}"
            )
        found.append(list(names).index(full))
    if found[0] == found[1]:
        raise Unsound(f"{place} pairs {quoted(entry[0])} with itself, must be two parameters")
    if not is_number(entry[2]) or not abs(entry[2]) <= LARGEST:
        raise Unsound(f"{place}[2] is {shown(entry[2])}, must be a number")
    word = entry[3] if len(entry) == 4 else usual
    if word not in (GAUSSIAN, *COPULAS):
        raise Unsound(f"{place}[3] is {shown(word)}, must be {either([GAUSSIAN, *COPULAS])}{meant(word, COPULAS)}")
    return found[0], found[1], float(entry[2]), word


def _copula(place: str, word: str, strength: float) -> Any:
    import openturns as ot

    try:
        return getattr(ot, COPULAS[word])(strength)
    except (TypeError, ValueError, RuntimeError) as error:
        reason = " ".join(str(error).split()).split(" : ", 1)[-1]
        raise Unsound(f"{place}[2] is {strength:.6g}, which no {word} copula has: {reason[:120]}") from None


def _alone(pairs: Sequence[tuple[int, int, Any]], met: Mapping[frozenset[int], int], names: Sequence[str]) -> None:
    for i, j, _ in pairs:
        for k in (i, j):
            others = [pair for pair in met if k in pair and pair != frozenset((i, j))]
            if others:
                raise Unsound(
                    f"{quoted(names[k])} stands in more than one pair, must stand in one if its copula is not gaussian"
                )


def _factor(matrix: Array) -> Array:
    # Cholesky, written out: the same operations on every machine, and a pivot that explains a failure.
    count = len(matrix)
    factor = np.zeros_like(matrix)
    for i in range(count):
        for j in range(i + 1):
            rest = matrix[i, j] - sum(factor[i, k] * factor[j, k] for k in range(j))
            if i == j:
                if rest < SMALLEST_PIVOT:
                    smallest = float(np.linalg.eigvalsh(matrix)[0])
                    raise Unsound(
                        f"pairs make a matrix that is not positive definite (smallest eigenvalue {smallest:.3g}), "
                        "must be correlations that can all hold at once: make some of them weaker"
                    )
                factor[i, i] = math.sqrt(rest)
            else:
                factor[i, j] = rest / factor[j, j]
    return factor
