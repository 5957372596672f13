"""What a page is made of: sections with words, figures, tables and a moving arm; values in SI, as NumPy arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, final

import numpy as np

from flexarm.report.arm.choices import Choice
from flexarm.report.arm.drawn import DrawnSolid
from flexarm.report.figures.bars import BarList
from flexarm.results.engineering import is_number


@final
@dataclass(frozen=True)
class Axis:
    """What runs along an axis of a figure: its name, its SI unit, and how it is shown.

    `shown` names another unit and `factor` how much one of it is in SI ("°", π/180); left out, the page puts a prefix
    on the unit. `least` and `most` fix the range (SI).
    """

    label: str
    unit: str = ""
    scale: Literal["linear", "log"] = "linear"
    shown: str | None = None
    factor: float = 1.0
    least: float | None = None
    most: float | None = None


@final
@dataclass(frozen=True, eq=False)
class Line:
    """Points joined in order. Lines of one `colour` belong together and differ by their `dash`.

    With `labels`, one for each point, the points themselves are drawn too, each with its label under the pointer.
    """

    name: str
    x: Any
    y: Any
    colour: int | None = None
    dash: Literal["solid", "dashed", "dotted"] = "solid"
    labels: Sequence[str] = ()


@final
@dataclass(frozen=True, eq=False)
class Band:
    """All between a lower and an upper line, shaded."""

    name: str
    x: Any
    low: Any
    high: Any
    colour: int | None = None


@final
@dataclass(frozen=True, eq=False)
class Points:
    """Single points, each with a label shown under the pointer if there are any."""

    name: str
    x: Any
    y: Any
    colour: int | None = None
    labels: Sequence[str] = ()
    names: Sequence[str] = ()  # printed beside the points, where there are few


@final
@dataclass(frozen=True, eq=False)
class Bars:
    """Bars that stand on zero (or on the axis, if that is logarithmic) from left to right edge.

    With `edges` (one more than heights) they are a histogram; with `labels` categories beside one another.
    """

    name: str
    heights: Any
    edges: Any = None
    labels: Sequence[str] = ()
    colour: int | None = None


@final
@dataclass(frozen=True)
class Rule:
    """A straight line across the figure at a value of one axis, with a few words on it."""

    at: float
    text: str = ""
    axis: Literal["x", "y"] = "x"


@final
@dataclass(frozen=True, eq=False)
class Moving:
    """A line that changes with the page's clock: `values` (times, points) over `x` (points)."""

    name: str
    x: Any
    values: Any
    times: Any
    colour: int | None = None


@final
@dataclass(frozen=True, eq=False)
class HeatMap:
    """Coloured cells about the places `x` (n) and `y` (m), rising, for `values` (m, n) of a unit; NaN stays empty."""

    name: str
    x: Any
    y: Any
    values: Any
    unit: str = ""
    colour: int | None = None


Mark = Line | Band | Points | Bars | Rule | Moving | HeatMap


@final
@dataclass(frozen=True, eq=False)
class Figure:
    """A plot. With `clock` its x axis is the page's time: a cursor runs along it and a click moves the clock.

    `words` stand under the title; `wide` takes the whole width of the page.
    """

    title: str
    x: Axis
    y: Axis
    marks: Sequence[Mark]
    words: str = ""
    clock: bool = False
    wide: bool = False
    equal: bool = False  # one scale for both axes, so that a circle is round
    # two lists of names of which the reader chooses: line i·(length of the second) + j is that of their ith and jth
    choose: tuple[Sequence[str], Sequence[str]] | None = None


@final
@dataclass(frozen=True)
class Table:
    """Rows under named columns; cells are text, aligned right where they begin with a digit or a sign."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    title: str = ""
    words: str = ""


@final
@dataclass(frozen=True)
class Paragraphs:
    """Paragraphs; `tone` "warning" or "failure" sets them off."""

    paragraphs: Sequence[str]
    tone: Literal["plain", "warning", "failure"] = "plain"


@final
@dataclass(frozen=True)
class Listing:
    """A text shown as it is, folded away under its title, which can be copied or saved as a file."""

    title: str
    text: str
    file: str
    open: bool = False


@final
@dataclass(frozen=True, eq=False)
class ArmLink:
    """One link as it is drawn: which points of the line are its own, and what stands there."""

    name: str
    first: int
    last: int
    flexible: bool
    joint: Literal["revolute", "prismatic", "fixed"] = "fixed"
    joint_point: int = 0
    payloads: Sequence[int] = ()  # points of the line


@final
@dataclass(frozen=True, eq=False)
class MovingArm:
    """The arm in motion: the unbent line and the deflections of its points, frame by frame, m, base frame.

    `corners` (frames, corners, 3) are the points of the unbent line listed in `corner_points`; between them it is
    straight in `distances` (points). `deflections` is (frames, points, 3). `scale` is how much larger deflections are
    drawn at first. `traced` is the point that leaves a trace. `loop` plays round and round (a mode).
    `solid` is what the arm looks like; without it, its line is drawn.
    """

    links: Sequence[ArmLink]
    times: Any
    corners: Any
    corner_points: Sequence[int]
    distances: Any
    deflections: Any
    planar: bool = False
    scale: float = 1.0
    traced: int = -1
    loop: bool = True
    title: str = "The arm in motion"
    words: str = ""
    solid: DrawnSolid | None = None
    choices: Sequence[Choice] = ()  # the first is what the fields above hold


@final
@dataclass(frozen=True)
class Number:
    """A key number of the page: a name, the value as it is to be read, and a short remark."""

    name: str
    value: str
    remark: str = ""


Part = Figure | Table | Paragraphs | Listing | MovingArm | BarList


@final
@dataclass(frozen=True)
class Section:
    """A part of the page with a heading; the parts come in order, figures side by side where there is room.

    A `minor` one is folded away on a long page.
    """

    title: str
    parts: Sequence[Part]
    words: str = ""
    minor: bool = False


@final
@dataclass(frozen=True)
class Page:
    """A whole page. `kind` is the small word above the title, `file` what files saved from the page are called after,
    `source` the name of the file full data are in, if there is one.
    """

    title: str
    kind: str
    sections: Sequence[Section]
    lead: str = ""
    numbers: Sequence[Number] = ()
    warnings: Sequence[str] = ()
    failure: str = ""
    source: str = ""
    foot: str = ""
    file: str = "report"
    extra: dict[str, Any] = field(default_factory=dict)  # JSON's types, for the page's own script

    @property
    def parts(self) -> list[Part]:
        """All parts of all sections, in order."""
        return [part for section in self.sections for part in section.parts]


def finite(values: Any) -> np.ndarray:
    """The finite numbers among the values."""
    array = np.asarray(values, dtype=float).ravel()
    return array[np.isfinite(array)]


def largest(values: Any) -> float:
    """The largest magnitude among the finite values, 0 if there are none."""
    known = finite(values)
    return float(np.abs(known).max()) if known.size else 0.0


def shown_number(value: float | None, unit: str = "", significant: int = 4) -> str:
    """The value for the reader, a dash where it is not known."""
    from flexarm.results.engineering import quantity

    return quantity(value, unit, significant) if is_number(value) else "–"
