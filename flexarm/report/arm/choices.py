"""Motions of one arm among which the reader of a page chooses: modes, or runs side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from flexarm.report.arrays import ArrayStore


@final
@dataclass(frozen=True, eq=False)
class Swing:
    """A mode: the line swings about where it rests by Re(shape · e^{iφ}), φ from 0 to 2π; `shape` (points, 3), m.

    The scale of the arm is then per cent of its reach: shapes should be a hundredth of that where they move most.
    """

    name: str
    shape: Any
    words: str = ""


@final
@dataclass(frozen=True, eq=False)
class Course:
    """Another run of the same arm, as `MovingArm` has it."""

    name: str
    times: Any
    corners: Any
    deflections: Any
    scale: float = 1.0
    words: str = ""


Choice = Swing | Course


def choice_specification(choice: Choice, store: ArrayStore) -> dict[str, Any]:
    """The choice for the page's script; its arrays go into the store."""
    specification: dict[str, Any] = {"name": choice.name, "words": choice.words}
    if isinstance(choice, Swing):
        shape = np.asarray(choice.shape)
        specification["real"] = store.put(shape.real, "f4")
        specification["imag"] = store.put(shape.imag, "f4") if np.iscomplexobj(shape) else None
        return specification
    return specification | {
        "frames": len(np.asarray(choice.times)),
        "times": store.put(choice.times),
        "corners": store.put(choice.corners, "f4"),
        "deflections": store.put(choice.deflections, "f4"),
        "scale": float(choice.scale),
    }
