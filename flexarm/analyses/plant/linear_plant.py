"""An arm linearised under torques that are held: its flow over a time, and what is seen of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexarm.analyses.linear_signals import acceptable
from flexarm.analyses.plant.measuring import gain_of, sensor_named
from flexarm.analyses.signals.names import canonical
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.model.reading.messages import quoted
from flexarm.results import LinearModel

# Delays closer than this part of a sample to whole samples are whole.
SAME = 1e-9


def flow(A: Floats, B: Floats, span: float) -> tuple[Floats, Floats]:
    """Φ and Γ over a time (s) in which the torques are held (L1)."""
    from scipy.linalg import expm

    n, m = B.shape
    block = np.zeros((n + m, n + m))
    block[:n, :n], block[:n, n:] = A * span, B * span
    whole = expm(block)
    return whole[:n, :n], whole[:n, n:]


class Seen:
    """What is seen of a linear model, by the names of signals."""

    @staticmethod
    def column(model: LinearModel, link: str) -> int:
        """The input that is the torque of a link."""
        wanted = {acceptable([f"{link}.{what}"])[0] for what in ("torque", "force")}
        return next(k for k, name in enumerate(model.input_names) if name in wanted)


def seen_of(
    model: LinearModel, signals: Sequence[str], columns: Sequence[int], *, late: bool = False
) -> tuple[Floats, Floats]:
    """C (signals, states) and D (signals, columns) of signals: outputs of the model, coordinates and their rates, and
    what sensors read of them; those with filters and delays are refused but with `late`, which leaves these out.
    """
    C, D = np.zeros((len(signals), len(model.A))), np.zeros((len(signals), len(columns)))
    for k, word in enumerate(signals):
        name, gain = canonical(word), 1.0
        sensor = None if model.arm is None else sensor_named(model.arm, word)
        if sensor is not None and model.arm is not None:
            if not late and (sensor.filter is not None or sensor.delay > 0.0):
                raise AnalysisError(
                    f"sensor {quoted(sensor.name)} has a filter or a delay, so its loop has no poles here"
                )
            name, gain = gain_of(model.arm, sensor)
        owner, _, what = name.rpartition(".")
        if name in model.signal_names:
            row = model.output(name)
            C[k], D[k] = gain * model.C[row], gain * model.D[row, list(columns)]
        elif owner in model.coordinate_names and what in ("position", "rate"):
            C[k, model.coordinate_names.index(owner) + len(model.coordinate_names) * (what == "rate")] = gain
        else:
            raise AnalysisError(f"the signal {quoted(word)} is not linear in small motion, so the loop has no poles")
    return C, D
