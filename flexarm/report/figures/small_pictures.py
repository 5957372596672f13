"""Small SVG for notebooks: plots of a few lines, bars, and the sketch of an arm. No script, no style sheet."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np

from flexarm.report.arm.posed import PosedLink
from flexarm.results.engineering import prefixed_unit

# Dark enough on white and light enough on black: a notebook does not say which it is.
COLOURS = ("#2f93cf", "#d1570a", "#1f9e78", "#b0578c", "#b98300", "#7b8794", "#8c7b00", "#6a5acd")
_WIDTH, _HEIGHT = 330, 190
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 10, 22, 34
_MOST_POINTS = 400
_TEXT = 'font-size="11" fill="currentColor"'


@dataclass(frozen=True, eq=False)
class Curve:
    """A line through points, or the points alone; without a name it stands in no legend, and is grey."""

    name: str
    x: Any
    y: Any
    dashed: bool = False
    dots: bool = False


def plot(
    title: str,
    curves: Sequence[Curve],
    x: tuple[str, str],
    y: tuple[str, str],
    *,
    log: tuple[bool, bool] = (False, False),
) -> str:
    """A plot of the curves; axes are (name, SI unit), a logarithmic one shows what is above zero."""
    known = [_known(curve, log) for curve in curves]
    if not any(len(points) for points in known):
        return ""
    everything = np.concatenate([points for points in known if len(points)])
    axes = [_Axis(everything[:, k], (x, y)[k], log[k], span) for k, span in enumerate(_SPANS)]
    parts = [_frame(title, axes)]
    for index, (curve, points) in enumerate(zip(curves, known, strict=True)):
        colour = COLOURS[index % len(COLOURS)] if curve.name else "#8a939c"
        places = [f"{axes[0].place(a):.1f},{axes[1].place(b):.1f}" for a, b in _thinned(points)]
        if curve.dots:
            parts += [f'<circle cx="{p.split(",")[0]}" cy="{p.split(",")[1]}" r="3" fill="{colour}"/>' for p in places]
        elif places:
            dash = ' stroke-dasharray="5 3"' if curve.dashed else ""
            parts.append(
                f'<polyline points="{" ".join(places)}" fill="none" stroke="{colour}" stroke-width="1.5"{dash}/>'
            )
    named = [curve for curve in curves if curve.name]
    parts += _legend(named)
    return _svg(title, _WIDTH, _HEIGHT + (4 + 15 * len(named) if len(named) > 1 else 0), parts)


def bars(title: str, rows: Sequence[tuple[str, float, str]]) -> str:
    """Horizontal bars with their names and labels; the longest takes the width."""
    longest = max((abs(size) for _, size, _ in rows if math.isfinite(size)), default=0.0)
    if longest == 0.0:
        return ""
    parts = [f'<text x="4" y="14" {_TEXT} font-weight="600">{escape(title)}</text>']
    for index, (name, size, label) in enumerate(rows):
        top = 24 + 30 * index
        width = 0.0 if not math.isfinite(size) else (_WIDTH - 90) * abs(size) / longest
        parts.append(f'<text x="4" y="{top + 10}" {_TEXT}>{escape(name)}</text>')
        parts.append(f'<rect x="4" y="{top + 14}" width="{width:.1f}" height="9" fill="{COLOURS[0]}"/>')
        parts.append(f'<text x="{width + 10:.1f}" y="{top + 22}" {_TEXT}>{escape(label)}</text>')
    return _svg(title, _WIDTH, 30 + 30 * len(rows), parts)


def sketch(links: Sequence[PosedLink], planar: bool) -> str:
    """The arm in the posture it starts in; a spatial one is seen from the front, above and to the right."""
    flat = [_seen(link.corners, planar) for link in links]
    points = np.vstack([np.zeros((1, 2)), *flat])
    low, high = points.min(axis=0), points.max(axis=0)
    size = float(max(high - low)) or 1.0
    scale = 150.0 / size
    width, height = (high - low) * scale + 40

    def place(point: np.ndarray) -> str:
        return f"{20 + (point[0] - low[0]) * scale:.1f},{height - 20 - (point[1] - low[1]) * scale:.1f}"

    parts = []
    for link, corners in zip(links, flat, strict=True):
        look = f'stroke="{COLOURS[0]}" stroke-width="3"' if link.flexible else 'stroke="currentColor" stroke-width="6"'
        line = " ".join(place(point) for point in corners)
        parts.append(f'<polyline points="{line}" fill="none" {look} stroke-linecap="round" opacity="0.85"/>')
    for link, corners in zip(links, flat, strict=True):
        x, y = place(corners[0]).split(",")
        if link.joint == "revolute":
            parts.append(f'<circle cx="{x}" cy="{y}" r="5" fill="#fff" stroke="currentColor" stroke-width="1.5"/>')
        elif link.joint == "prismatic":
            parts.append(
                f'<rect x="{float(x) - 6:.1f}" y="{float(y) - 4:.1f}" width="12" height="8" fill="#fff" '
                'stroke="currentColor"/>'
            )
        for payload in _seen(link.payloads, planar):
            a, b = place(payload).split(",")
            parts.append(f'<circle cx="{a}" cy="{b}" r="4" fill="{COLOURS[1]}"/>')
    a, b = place(np.zeros(2)).split(",")
    parts.append(f'<path d="M{float(a) - 9:.1f},{float(b) + 9:.1f}h18" stroke="currentColor" stroke-width="2"/>')
    return _svg("the arm where it starts", width, height, parts)


_SPANS = ((_LEFT, _WIDTH - _RIGHT), (_HEIGHT - _BOTTOM, _TOP))


class _Axis:
    """An axis of a plot: places of values, and the ticks on it."""

    def __init__(self, values: np.ndarray, name: tuple[str, str], log: bool, span: tuple[int, int]) -> None:
        self.log, self.span = log, span
        unit, self._factor = ("", 1.0) if log else prefixed_unit(float(np.abs(values).max()), name[1])
        unit = name[1] if log else unit
        self.label = f"{name[0]}, {unit}" if unit else name[0]
        scaled = self._scaled(values)
        self._low, self._high = float(scaled.min()), float(scaled.max())
        if self._high - self._low < 1e-12 * max(abs(self._high), 1e-300):
            margin = 0.5 if log else 0.05 * abs(self._high) or 1.0
            self._low, self._high = self._low - margin, self._high + margin

    def _scaled(self, values: Any) -> Any:
        return np.log10(values) if self.log else np.asarray(values) / self._factor

    def place(self, value: float) -> float:
        """Where a value (SI) stands in the picture."""
        part = (float(self._scaled(value)) - self._low) / (self._high - self._low)
        return self.span[0] + part * (self.span[1] - self.span[0])

    def ticks(self) -> list[tuple[float, str]]:
        """Places of round values and what is written there."""
        if self.log:
            return [(self._place(math.log10(value)), f"{value:g}") for value in self._decades()]
        return [(self._place(value), f"{value:.6g}") for value in _round_values(self._low, self._high)]

    def _decades(self) -> list[float]:
        """Round values on a logarithmic axis: powers of ten, or 1, 2 and 5 times them where there are few."""
        powers = range(math.floor(self._low), math.ceil(self._high) + 1)
        every = max(1, (len(powers) - 1) // 4)
        steps = (1, 2, 5) if self._high - self._low < 2.0 else (1,)
        values = [k * 10.0**power for power in powers[::every] for k in steps]
        seen = [value for value in values if self._low - 1e-9 <= math.log10(value) <= self._high + 1e-9]
        # within part of a decade there may be none of these: then evenly spaced ones
        return seen if len(seen) > 1 else _round_values(10.0**self._low, 10.0**self._high)

    def _place(self, scaled: float) -> float:
        part = (scaled - self._low) / (self._high - self._low)
        return self.span[0] + part * (self.span[1] - self.span[0])


def _round_values(low: float, high: float) -> list[float]:
    """Multiples of the largest of 1, 2 or 5 times a power of ten of which three or more lie between the ends."""
    power = math.floor(math.log10(high - low))
    for step in (k * 10.0 ** (power - down) for down in range(3) for k in (5, 2, 1)):
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        if last - first >= 2:
            break
    return [k * step for k in range(first, last + 1)]


def _known(curve: Curve, log: tuple[bool, bool]) -> np.ndarray:
    """The points (n, 2) of a curve that can be drawn."""
    points = np.column_stack([np.asarray(curve.x, dtype=float), np.asarray(curve.y, dtype=float)])
    fine = np.isfinite(points).all(axis=1)
    for k in range(2):
        if log[k]:
            fine &= points[:, k] > 0.0
    return points[fine]


def _thinned(points: np.ndarray) -> np.ndarray:
    """So many points as can be seen, extremes kept: of every stretch the least and the greatest."""
    if len(points) <= _MOST_POINTS:
        return points
    chosen: list[int] = []
    for stretch in np.array_split(np.arange(len(points)), _MOST_POINTS // 2):
        ends = {int(stretch[points[stretch, 1].argmin()]), int(stretch[points[stretch, 1].argmax()])}
        chosen += sorted(ends)
    return points[[0, *chosen, len(points) - 1]]


def _frame(title: str, axes: Sequence[_Axis]) -> str:
    (left, right), (bottom, top) = _SPANS
    parts = [f'<text x="{left}" y="14" {_TEXT} font-weight="600">{escape(title)}</text>']
    for place, text in axes[0].ticks():
        parts.append(f'<path d="M{place:.1f},{bottom}V{top}" stroke="currentColor" opacity="0.15"/>')
        parts.append(f'<text x="{place:.1f}" y="{bottom + 13}" {_TEXT} text-anchor="middle">{text}</text>')
    for place, text in axes[1].ticks():
        parts.append(f'<path d="M{left},{place:.1f}H{right}" stroke="currentColor" opacity="0.15"/>')
        parts.append(f'<text x="{left - 4}" y="{place + 4:.1f}" {_TEXT} text-anchor="end">{text}</text>')
    parts.append(f'<text x="{right}" y="{bottom + 28}" {_TEXT} text-anchor="end">{escape(axes[0].label)}</text>')
    parts.append(f'<text x="{left}" y="{bottom + 28}" {_TEXT} opacity="0.8">{escape(axes[1].label)} ↑</text>')
    return "".join(parts)


def _legend(curves: Sequence[Curve]) -> list[str]:
    if len(curves) < 2:
        return []
    parts = []
    for k, curve in enumerate(curves):
        colour, y = COLOURS[k % len(COLOURS)], _HEIGHT + 5 + 15 * k
        dash = ' stroke-dasharray="5 3"' if curve.dashed else ""
        parts.append(f'<path d="M{_LEFT},{y}h16" stroke="{colour}" stroke-width="3"{dash}/>')
        parts.append(f'<text x="{_LEFT + 22}" y="{y + 4}" {_TEXT}>{escape(curve.name)}</text>')
    return parts


def _seen(points: np.ndarray, planar: bool) -> np.ndarray:
    """Points (n, 3) as seen on paper (n, 2)."""
    if planar:
        return points[:, :2]
    # an oblique view: y goes back, to the right and up
    x, y, z = points.T
    return np.column_stack([0.87 * x - 0.5 * y, z + 0.25 * x + 0.43 * y])


def _svg(title: str, width: float, height: float, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'height="{height:.0f}" role="img" aria-label="{escape(title, quote=True)}" '
        f'font-family="sans-serif">{"".join(parts)}</svg>'
    )
