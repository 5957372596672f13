"""Sketches of the formulations: what becomes of one bent beam, clamped on its left, in each of them.

They are schematic SVG in the colours of the page; the bent line is that of a cantilever under a force at its tip, much
enlarged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

LEFT, BASE, REACH, DROP = 46.0, 52.0, 520.0, 92.0  # px: where the beam begins, its length and its deflection
WIDTH, HEIGHT = 680.0, 178.0
Point = tuple[float, float]


def bent(s: float) -> Point:
    """The point of the bent line at a part s of its length."""
    return LEFT + REACH * s, BASE + DROP * (3.0 * s**2 - s**3) / 2.0


def slope(s: float) -> float:
    """The direction of the bent line there, as an angle in the picture."""
    return float(np.arctan2(DROP * (6.0 * s - 3.0 * s**2) / 2.0, REACH))


def sketch(formulation: str) -> str:
    """The sketch of a formulation, or of "frames", as an SVG within the page."""
    return SKETCHES[formulation]()


def rigid_fe() -> str:
    """Rigid pieces between springs in the middles of four equal segments."""
    hinges = [(k + 0.5) / 4 for k in range(4)]
    places = [bent(s) for s in (0.0, *hinges, 1.0)]
    parts = [_bar(one, two) for one, two in pairwise(places)]
    parts += [_spring(bent(s)) for s in hinges]
    parts.append(_mark(bent(0.25), bent(0.5), "Δ = ℓ/4"))
    parts += _notes(("spring k = EI/Δ", 0.625), ("rigid piece", 0.2))
    return _picture(parts)


def hencky() -> str:
    """Bars that slide and turn against each other in the middle of every half segment; masses where halves meet."""
    parts = []
    for k in range(4):
        begin, middle, end = bent(k / 4), (k + 0.5) / 4, bent((k + 1) / 4)
        x, y = bent(middle)
        one, two = (x, y - 5.0), (x, y + 5.0)
        parts += [_bar(begin, one), _bar(two, end), _spring((x, y)), _line([one, two], "var(--c2)", 2.0)]
    for k, size in enumerate((1 / 6, 2 / 3, 1 / 3, 2 / 3, 1 / 6)):
        x, y = bent(k / 4)
        parts.append(_dot(x, y, 3.0 + 9.0 * size**0.5, "var(--c1)"))
    parts += _notes(("bars slide on a spring and turn on another", 0.625), ("lumped mass", 0.25))
    return _picture(parts)


def timoshenko() -> str:
    """Straight elements between nodes; sections are not square to the axis."""
    nodes = [k / 4 for k in range(5)]
    parts = [_line([bent(s) for s in nodes], "var(--c0)", 5.0)]
    parts += [_section(s, lean=0.16 if s else 0.0) for s in nodes] + [_node(s) for s in nodes]
    parts += _notes(("the section leans by the shear angle", 0.75), ("v and θ linear between two nodes", 0.36))
    return _picture(parts)


def hermite() -> str:
    """Two cubic elements."""
    nodes = (0.0, 0.5, 1.0)
    parts = [_line([bent(s) for s in np.linspace(0, 1, 41)], "var(--c0)", 5.0)]
    parts += [_section(s, lean=0.04 if s else 0.0) for s in nodes] + [_node(s) for s in nodes]
    parts += _notes(("node with v and φ", 0.5), ("v cubic, the shear angle constant", 0.3))
    return _picture(parts)


def isoparametric() -> str:
    """Two quadratic elements, each with a node in its middle."""
    parts = [_line([bent(s) for s in np.linspace(0, 1, 41)], "var(--c0)", 5.0)]
    parts += [_section(s, lean=0.08 if s else 0.0) for s in (0.0, 0.25, 0.5, 0.75, 1.0)]
    parts += [_node(s) for s in (0.0, 0.5, 1.0)] + [_node(s, hollow=True) for s in (0.25, 0.75)]
    parts += _notes(("node in the middle of an element", 0.75), ("v and θ quadratic", 0.36))
    return _picture(parts)


def modes() -> str:
    """The bent line as a sum of shapes of the whole link."""
    beta, parts = (1.8751, 4.6941, 7.8548), []
    s = np.linspace(0.0, 1.0, 61)
    for number, (b, amplitude) in enumerate(zip(beta, (0.9, 0.32, 0.16), strict=True)):
        sigma = (np.sinh(b) - np.sin(b)) / (np.cosh(b) + np.cos(b))
        shape = np.cosh(b * s) - np.cos(b * s) - sigma * (np.sinh(b * s) - np.sin(b * s))
        y = BASE + DROP * amplitude * shape / 2.0
        line = list(zip(LEFT + REACH * s, y, strict=True))
        parts.append(_line(line, f"var(--c{(1, 2, 3)[number]})", 1.8, dash="6 4"))
        parts.append(_text(line[-1][0] + 8, line[-1][1] + 4, f"φ{'₁₂₃'[number]} η{'₁₂₃'[number]}", "start"))
    parts.insert(0, _line([bent(each) for each in s], "var(--c0)", 5.0))
    parts += _notes(None, ("v(x, t) = Σ φᵢ(x) ηᵢ(t)", 0.4))
    return _picture(parts)


def frames() -> str:
    """One frame for every element above, one for the whole link below."""
    parts = [_line([bent(s) for s in np.linspace(0, 1, 41)], "var(--c0)", 5.0)]
    parts += [_frame(bent(s), slope(s), "var(--c1)") for s in (0.0, 0.25, 0.5, 0.75)]
    parts += _notes(None, ("a frame for each element", 0.25))
    parts.append(_line([(LEFT, BASE), (LEFT + REACH, BASE)], "var(--rule)", 1.2, dash="5 4"))
    parts += [_line([(bent(s)[0], BASE), bent(s)], "var(--c3)", 1.2, dash="2 3") for s in (0.25, 0.5, 0.75, 1.0)]
    parts.append(_text(LEFT + REACH + 8, (BASE + bent(1.0)[1]) / 2, "in one frame", "start"))
    parts.append(_text(LEFT + REACH + 8, (BASE + bent(1.0)[1]) / 2 + 16, "for the link", "start"))
    return _picture(parts)


SKETCHES: dict[str, Callable[[], str]] = {
    "rigid-fe": rigid_fe,
    "hencky": hencky,
    "timoshenko": timoshenko,
    "hermite": hermite,
    "isoparametric": isoparametric,
    "modes": modes,
    "frames": frames,
}


# --- Pieces ----------------------------------------------------------------------------------------------------------


def _picture(parts: Sequence[str]) -> str:
    """The parts in front of the clamp and the beam as it is."""
    ghost = _line([bent(s) for s in np.linspace(0, 1, 41)], "var(--rule)", 16.0, opacity=0.45)
    hatch = "".join(
        f'<line x1="{LEFT}" y1="{y:g}" x2="{LEFT - 12:g}" y2="{y + 10:g}" stroke="currentColor" stroke-width="1"/>'
        for y in np.arange(BASE - 30, BASE + 26, 10)
    )
    wall = f'<line x1="{LEFT}" y1="{BASE - 32}" x2="{LEFT}" y2="{BASE + 32}" stroke="currentColor" stroke-width="2"/>'
    return (
        f'<svg class="drawn" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" style="max-width:{WIDTH:g}px" '
        f'xmlns="http://www.w3.org/2000/svg" font-size="13">{ghost}{hatch}{wall}{"".join(parts)}</svg>'
    )


def _line(points: Sequence[Point], colour: str, width: float, *, dash: str = "", opacity: float = 1.0) -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return (
        f'<polyline points="{path}" fill="none" style="stroke:{colour}" stroke-width="{width:g}" '
        f'stroke-linejoin="round" stroke-linecap="round" opacity="{opacity:g}"'
        + (f' stroke-dasharray="{dash}"' if dash else "")
        + "/>"
    )


def _bar(one: Point, two: Point) -> str:
    return _line([one, two], "var(--c0)", 5.0)


def _dot(x: float, y: float, radius: float, colour: str, stroke: str = "none") -> str:
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" style="fill:{colour};stroke:{stroke}" stroke-width="2"/>'
    )


def _spring(place: Point) -> str:
    """A hinge with a coil about it."""
    t = np.linspace(0.0, 3.6 * np.pi, 60)
    radius = 3.0 + 8.0 * t / t[-1]
    coil = [(place[0] + r * np.cos(a), place[1] + r * np.sin(a)) for r, a in zip(radius, t, strict=True)]
    return _line(coil, "var(--c2)", 1.6) + _dot(*place, 3.0, "var(--c2)")


def _node(s: float, *, hollow: bool = False) -> str:
    return _dot(*bent(s), 5.0, "var(--color-background-primary, #fff)" if hollow else "var(--c1)", "var(--c1)")


def _section(s: float, *, lean: float) -> str:
    """The section of the beam at s, leaning from the square by an angle."""
    (x, y), angle = bent(s), slope(s) + np.pi / 2 - lean
    dx, dy = 17 * np.cos(angle), 17 * np.sin(angle)
    return _line([(x - dx, y - dy), (x + dx, y + dy)], "currentColor", 1.8)


def _frame(place: Point, angle: float, colour: str) -> str:
    """Two axes."""
    (x, y), length = place, 30.0
    ends = [(x + length * np.cos(a), y + length * np.sin(a)) for a in (angle, angle - np.pi / 2)]
    return "".join(_line([place, end], colour, 2.4) + _dot(*end, 2.6, colour) for end in ends) + _dot(x, y, 4.0, colour)


def _mark(one: Point, two: Point, words: str) -> str:
    """A length marked below the beam."""
    below = max(one[1], two[1]) + 28
    ticks = [_line([(x, below - 5), (x, below + 5)], "currentColor", 1.0) for x in (one[0], two[0])]
    line = _line([(one[0], below), (two[0], below)], "currentColor", 1.0)
    return line + "".join(ticks) + _text((one[0] + two[0]) / 2, below + 17, words, "middle")


def _notes(above: tuple[str, float] | None, below: tuple[str, float]) -> list[str]:
    """Words above on the right and below on the left, where the beam is not, each with a line to its place s."""
    parts = []
    if above is not None:
        x, y = bent(above[1])
        parts.append(_line([(LEFT + REACH * above[1] + 26, 34.0), (x, y - 14)], "currentColor", 0.8))
        parts.append(_text(LEFT + REACH * above[1] + 22, 26.0, above[0], "start"))
    x, y = bent(below[1])
    parts.append(_line([(x - 30, HEIGHT - 36), (x, y + 14)], "currentColor", 0.8))
    parts.append(_text(max(x - 30, LEFT), HEIGHT - 20, below[0], "middle" if x - 130 > LEFT else "start"))
    return parts


def _text(x: float, y: float, words: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{words}</text>'
