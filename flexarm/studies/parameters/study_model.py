"""A model file with distributions: its random parameters, its samples, and the arm of every sample."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from flexarm.batched import Batch
from flexarm.errors import AnalysisError, FlexarmError, ModelError
from flexarm.model.arm import Arm
from flexarm.model.reading.distributions import CORRELATION, RANDOM
from flexarm.model.reading.file import arm_from_dict, arm_to_dict, table_of, text_of
from flexarm.model.reading.messages import either, meant, quoted, shown
from flexarm.model.reading.paths import can_hold, path_of, placed
from flexarm.model.reading.text import toml_text
from flexarm.results.reported import displayed
from flexarm.results.stored_samples import RandomParameter
from flexarm.studies.parameters.dependence import kept_correlation
from flexarm.studies.parameters.prevalidated import prevalidated
from flexarm.studies.parameters.reading import Found, Parameter, find
from flexarm.studies.sampling.schemes import Sampler

__all__ = ["ImpossibleSample", "Parameter", "StudyModel", "parse_study", "read_study", "study_of"]

Array = npt.NDArray[np.float64]


class ImpossibleSample(FlexarmError):
    """Numbers no arm can have, such as a negative thickness; a study keeps such a sample as a row with its sentence."""


def read_study(path: str | os.PathLike[str]) -> StudyModel:
    """The model file with distributions, checked and in SI units.

    Parameters
    ----------
    path
        A TOML file; `ModelError` names every mistake in it with its path.

    Returns
    -------
    StudyModel
        The arm with its random parameters.

    Examples
    --------
    >>> import flexarm as fa
    >>> len(fa.read_study("tolerances.toml").parameters) > 0
    True
    """
    text, source = text_of(path)
    return parse_study(text, source, folder=Path(path).parent)


def parse_study(text: str, name: str = "<text>", *, folder: str | os.PathLike[str] | None = None) -> StudyModel:
    """The model in a text with distributions, checked and in SI units.

    Parameters
    ----------
    text, name, folder
        As for `parse_arm`.

    Returns
    -------
    StudyModel
        The arm with its random parameters.
    """
    return StudyModel(find(table_of(text, name, folder), name, folder), name)


def study_of(
    model: Arm | StudyModel,
    distributions: Mapping[str, Any] | None = None,
    *,
    correlation: Mapping[str, Any] | None = None,
    **more: Any,
) -> StudyModel:
    """The arm, or a study, with distributions at paths of its model file.

    Parameters
    ----------
    model
        An arm or a study.
    distributions
        By path: {"link[0].length": {"normal": [0.53, 1e-3]}}; "random.NAME" adds a distribution of that name.
    correlation
        Between the parameters, as in a model file.
    **more
        Distributions at paths that are identifiers.

    Returns
    -------
    StudyModel
        The arm with its random parameters.

    Examples
    --------
    >>> import flexarm as fa
    >>> fa.study_of(fa.read_arm("rod_handler.toml"), {"link[2].length": {"normal": [1.0, 1e-3]}})
    <StudyModel study: 1 random parameters>
    """
    if not isinstance(model, Arm | StudyModel):
        raise AnalysisError(f"the model is {shown(model)}, must be an arm or a study")
    data: dict[str, Any] = dict(model.data) if isinstance(model, StudyModel) else arm_to_dict(model)
    name = model.name if isinstance(model, StudyModel) else "study"
    for place, table in {**(distributions or {}), **more}.items():
        path = path_of(place)
        if path is not None and path[0] == RANDOM:
            data.setdefault(RANDOM, {})
        if path is None or not can_hold(data, path):
            raise AnalysisError(f'{quoted(place)} is not a place of the model, must be one such as "link[0].length"')
        data = placed(data, [(path, plain_data(table))])
    if correlation is not None:
        data[CORRELATION] = plain_data(correlation)
    return StudyModel(find(data, name), name)


def plain_data(value: Any) -> Any:
    """The value as a file would hold it: numbers of NumPy write themselves in a way TOML does not know."""
    if isinstance(value, Mapping):
        return {str(key): plain_data(entry) for key, entry in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return [plain_data(entry) for entry in value] if isinstance(value, list | tuple) else value


class StudyModel:
    """A model some of whose numbers are random; nothing of it changes."""

    _repr_html_ = displayed

    def __init__(self, found: Found, name: str) -> None:
        self.name = name
        self.data = found.data
        self.nominal = found.nominal
        self.parameters = found.parameters
        self.dependence = found.dependence
        self._body = prevalidated(found)
        self._sampler = Sampler(self.names, self.dependence)

    def __repr__(self) -> str:
        return f"<StudyModel {self.name}: {len(self.parameters)} random parameters>"

    def __reduce__(self) -> Any:
        return parse_study, (self.text, self.name)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the parameters: paths in the file, or random.NAME."""
        return tuple(parameter.name for parameter in self.parameters)

    @property
    def random_parameters(self) -> tuple[RandomParameter, ...]:
        """The parameters as results hold them."""
        return tuple(RandomParameter(p.name, p.unit, p.mean, p.deviation, p.words) for p in self.parameters)

    @property
    def text(self) -> str:
        """The complete input as TOML; parsing it gives the same study to the last bit."""
        return toml_text(self.data)

    @property
    def distribution(self) -> Any:
        """The joint distribution of the parameters, of OpenTURNS, in SI units."""
        import openturns as ot

        joint = ot.JointDistribution([p.law.distribution for p in self.parameters], self.dependence.copula())
        joint.setDescription(list(self.names))
        return joint

    def draw(self, seed: int, begin: int, end: int, method: str = "plain", *, total: int | None = None) -> Array:
        """Samples begin … end - 1, (end - begin, p) in SI units; row k is a function of seed and index alone.

        `method` is "plain", "lhs" (Latin hypercube of `total` samples) or "sobol" (scrambled).
        """
        probabilities, scores = self._sampler.draw(seed, begin, end, method, total)
        values = np.empty(probabilities.shape)
        if not len(values):
            return values
        for j, parameter in enumerate(self.parameters):
            if parameter.law.gaussian and j in scores:
                values[:, j] = parameter.mean + parameter.deviation * scores[j]
            else:
                values[:, j] = parameter.law.quantiles(probabilities[:, j])
        return values

    def arm(self, values: npt.ArrayLike) -> Arm:
        """The arm with these numbers (p,) in SI units; ImpossibleSample says why there is none.

        Every part that holds a random number is read again, and the arm is checked as a whole, so that everything
        derived from a number follows it.
        """
        row = np.asarray(values, dtype=float)
        if row.shape != (len(self.parameters),):
            raise AnalysisError(f"values has the shape {row.shape}, must be one number for each of {self.names}")
        for parameter, value in zip(self.parameters, row.tolist(), strict=True):
            if not np.isfinite(value):
                raise ImpossibleSample(f"{parameter.name} is {value}, must be finite")
        return _with_noise(self.arm_with(row.tolist()), row)

    def arm_with(self, numbers: Iterable[float | Batch]) -> Arm:
        """The arm with these finite numbers, one for each parameter, of one sample or of a batch."""
        pairs = zip(self.parameters, numbers, strict=True)
        entries = [entry for parameter, value in pairs for entry in parameter.entries(value)]
        try:
            return arm_from_dict(placed(self._body, entries), source=self.name)
        except ModelError as error:
            raise ImpossibleSample("; ".join(str(problem) for problem in error.problems)) from None

    def only(self, names: str | Iterable[str]) -> StudyModel:
        """The study in which only the named parameters are random and the others stand at their means."""
        kept = {self._known(name) for name in ([names] if isinstance(names, str) else names)}
        if not kept:
            raise AnalysisError("names is empty, must name at least one random parameter")
        fixed = [p for p in self.parameters if p.name not in kept]
        data = placed(self.data, [(path, p.written(p.mean)) for p in fixed for path in p.paths])
        gone = {p.name for p in fixed}
        named = {name: table for name, table in data.pop(RANDOM, {}).items() if f"{RANDOM}.{name}" not in gone}
        if named:
            data[RANDOM] = named
        table = data.pop(CORRELATION, None)
        if table is not None:
            pairs = [pair for pair in table["pairs"] if all(self._known(name) in kept for name in pair[:2])]
            if pairs:
                data[CORRELATION] = kept_correlation(table, pairs)
        return StudyModel(find(data, self.name), self.name)

    def _known(self, name: str) -> str:
        for full in (name, f"{RANDOM}.{name}"):
            if full in self.names:
                return full
        raise AnalysisError(
            f"there is no random parameter {shown(name)}, must be {either(self.names)}{meant(name, self.names)}"
        )

    def summary(self) -> str:
        """A table of the random parameters."""
        return f"{self.name}: {len(self.parameters)} random parameters\n{self.table('  ')}"

    def table(self, margin: str = "") -> str:
        """The parameters, a line each."""
        width = max(len(name) for name in self.names)
        lines = [f"{margin}{'random':<{width}}  law"]
        for p in self.parameters:
            unit = f" {p.unit}" if p.unit else ""
            lines.append(
                f"{margin}{p.name:<{width}}  {p.words}, mean {p.mean:.6g}{unit}, deviation {p.deviation:.3g}{unit}"
            )
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """The parameters as plain data."""
        keys = ("name", "unit", "mean", "deviation", "words")
        rows = [{key: getattr(p, key) for key in keys} | {"places": list(p.places)} for p in self.parameters]
        return {"name": self.name, "parameters": rows, "text": self.text}


def _with_noise(arm: Arm, row: Array) -> Arm:
    """The arm of a sample: the noise of its sensors is its own, by their seeds and the numbers of the sample."""
    if not any(sensor.noise > 0.0 for sensor in arm.sensors):
        return arm
    own = int.from_bytes(blake2b(row.tobytes(), digest_size=7).digest(), "big")
    sensors = tuple(each.model_copy(update={"seed": (each.seed + own) % 2**63}) for each in arm.sensors)
    return arm.model_copy(update={"sensors": sensors})
