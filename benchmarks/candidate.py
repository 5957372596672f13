"""One way to solve a case: a solver with its settings, able to be timed and to show the path of its tip."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Candidate:
    """Settings in words; a timed run without output (CPU s of the solver loop); a run that returns the tip's path.

    `tip` gives positions (m) at the sample times of the case, one row per time, from the very same settings. What a run
    records costs time that differs from package to package and says nothing of its engine: `seconds` records nothing.

    `finer` are runs of the same with finer steps and with a finer mesh: a setting whose errors only happen to cancel
    does not keep its small error there.
    """

    settings: str
    seconds: Callable[[], float]
    tip: Callable[[], NDArray[np.float64]]
    finer: tuple[Callable[[], NDArray[np.float64]], ...] = ()
