"""Systems of python-control and scipy.signal as matrices of difference equations; neither library is loaded here."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.model.reading.messages import shown


def sampled_matrices(system: Any, sample: float | None) -> tuple[tuple[Floats, Floats, Floats, Floats], float]:
    """A, B, C, D of the system in discrete time, and its sample (s); `sample` is for one in continuous time."""
    found = system if _has_matrices(system) else _in_state_space(system)
    A, B, C, D = (np.atleast_2d(np.asarray(getattr(found, name), float)) for name in "ABCD")
    period = getattr(system, "dt", None)
    if period is True:
        raise AnalysisError("the system has a sample of unknown length (dt = True), must have one in seconds")
    if not period:
        if sample is None:
            raise AnalysisError("the system is in continuous time, must have a sample: from_control(…, sample=…)")
        from scipy.signal import cont2discrete

        A, B, C, D = cont2discrete((A, B, C, D), sample, method="bilinear")[:4]
        return (A, B, C, D), sample
    if sample is not None and abs(sample - period) > 1e-9 * period:
        raise AnalysisError(f"sample is {sample:g} s, must be the system's dt, {period:g} s")
    return (A, B, C, D), float(period)


def _has_matrices(system: Any) -> bool:
    return all(hasattr(system, name) for name in "ABCD")


def _in_state_space(system: Any) -> Any:
    if hasattr(system, "to_ss"):  # scipy.signal
        return system.to_ss()
    if type(system).__module__.partition(".")[0] == "control" and hasattr(system, "num"):
        import control

        return control.ss(system)
    raise AnalysisError(f"the system is {shown(system)}, must be one of python-control or scipy.signal")
