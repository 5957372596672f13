"""Functions whose indices are known in closed form, as evaluators of samples."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

import flexarm as fa
from flexarm.studies.execution.evaluate import Evaluated
from flexarm.studies.execution.runner import fill
from flexarm.studies.execution.worker_pool import LocalPool
from flexarm.studies.sensitivity.estimates import Estimates, estimated
from flexarm.studies.sensitivity.pick_freeze import PickFreeze
from flexarm.studies.store.store import StoredStudy, StudyDirectory

LINK = """
[[link]]
name = "link {k}"
joint = {{ type = "revolute", at = {law} }}
length = "1 m"
rigid = {{ mass = "1 kg", inertia = 0.1 }}
"""


def model_of(*laws: str) -> fa.StudyModel:
    """A chain whose joint angles have these laws; only their numbers are used."""
    links = "".join(LINK.format(k=k, law=law) for k, law in enumerate(laws))
    return fa.parse_study(f'name = "stand-in"\nplanar = true\ngravity = [0, 0, 0]\n{links}', name="stand-in")


def uniforms(low: float, high: float, count: int = 3) -> fa.StudyModel:
    """Independent numbers between two ends."""
    return model_of(*[f"{{ uniform = [{low!r}, {high!r}] }}"] * count)


def ishigami(x: np.ndarray) -> np.ndarray:
    """sin x₁ + 7 sin² x₂ + 0.1 x₃⁴ sin x₁, for numbers between −π and π (Ishigami and Homma, 1990)."""
    return np.sin(x[:, 0]) + 7.0 * np.sin(x[:, 1]) ** 2 + 0.1 * x[:, 2] ** 4 * np.sin(x[:, 0])


def ishigami_variances() -> dict[str, float]:
    """The parts of its variance: by x₁, by x₂, by x₁ and x₃ together, and all."""
    one = 0.5 * (1.0 + 0.1 * np.pi**4 / 5.0) ** 2
    two = 7.0**2 / 8.0
    together = 0.1**2 * np.pi**8 * (1.0 / 18.0 - 1.0 / 50.0)
    return {"1": one, "2": two, "13": together, "all": one + two + together}


class StandIn:
    """A function in the place of the arm; samples for which `fails` is true have failed."""

    def __init__(self, function: Callable, fails: Callable | None = None) -> None:
        self.function, self.fails = function, fails

    def __call__(self, values: np.ndarray) -> Evaluated:
        """The outcome of the samples."""
        outputs = self.function(values).reshape(len(values), 1).astype(float)
        lost = np.zeros(len(values), dtype=bool) if self.fails is None else self.fails(values)
        outputs[lost] = np.nan
        words = ["refused" if each else "ok" for each in lost]
        return Evaluated(outputs, words, ["reported so" if each else "" for each in lost])

    def close(self) -> None:
        """There is nothing to give up."""


def shares_of(
    folder: Path, design: PickFreeze, function: Callable, *, fails: Callable | None = None, estimator: str = "martinez"
) -> Estimates:
    """The shares of the function "y", by a study with the design that is kept in the folder."""
    study_json = {"model": "", "samples": design.samples, "design": design.description}
    with StudyDirectory(folder, design.model.text, study_json, resume=False) as store:
        fill(store, design.samples, (design.model.names, ["y"]), design.draw, LocalPool([StandIn(function, fails)]))
    nominal = {"y": float(function(design.centres[:1])[0])}
    return estimated(StoredStudy(folder), design, ["y"], nominal, estimator, paired=["y"])
