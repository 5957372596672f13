"""flexarm's side of every benchmark: the only file here that calls the package."""

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.candidate import Candidate
from benchmarks.chains import Chain
from benchmarks.planar_case import PlanarCase

Vector = NDArray[np.float64]

NAME = "flexarm"


def prepare_aba(chain: Chain) -> Callable[[int], Vector]:
    """A function that runs that many forward dynamics in one compiled loop and returns accelerations (rad/s²)."""
    raise NotImplementedError("benchmarks/ours.py: prepare_aba is not connected to flexarm.core yet")


def planar_candidates(case: PlanarCase) -> list[Candidate]:
    """The planar case at tolerances around the loosest that meets the error, compiled and ready to be timed."""
    raise NotImplementedError("benchmarks/ours.py: planar_candidates is not connected to flexarm.analyses yet")


def command() -> list[str]:
    """The words that start the command line in a process of its own."""
    return [str(Path(sys.executable).with_name("flexarm"))]


def example() -> Path:
    """The model file whose simulation is timed from outside."""
    return Path(__file__).parents[1] / "examples" / "rod_handler.toml"
