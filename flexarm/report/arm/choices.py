"""Motions of one arm among which the reader of a page chooses: modes, or runs side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from flexarm.report.arm.drawn import Turning, turning_specification
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
    twist: Any = None  # (points) of the sections about the line, rad, in step with the shape


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
    turning: Turning | None = None  # of the solid, where there is one


Choice = Swing | Course


def choice_specification(choice: Choice, store: ArrayStore) -> dict[str, Any]:
    """The choice for the page's script; its arrays go into the store."""
    specification: dict[str, Any] = {"name": choice.name, "words": choice.words}
    if isinstance(choice, Swing):
        shape = np.asarray(choice.shape)
        specification["real"] = store.put(shape.real, "f4")
        specification["imag"] = store.put(shape.imag, "f4") if np.iscomplexobj(shape) else None
        if choice.twist is not None and np.any(choice.twist):
            twist = np.asarray(choice.twist)
            specification["twistReal"] = store.put(twist.real, "f4")
            specification["twistImag"] = store.put(twist.imag, "f4") if np.iscomplexobj(twist) else None
        return specification
    return specification | {
        "frames": len(np.asarray(choice.times)),
        "times": store.put(choice.times),
        "corners": store.put(choice.corners, "f4"),
        "deflections": store.put(choice.deflections, "f4"),
        "scale": float(choice.scale),
        "turning": None if choice.turning is None else turning_specification(choice.turning, store),
    }
