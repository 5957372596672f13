"""Figures of one look: small SVG that stands in the page itself and takes the page's colours."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

# As drawn by matplotlib → as the page's style has it, in daylight and in the dark.
COLOURS = ("#0068a8", "#d1570a", "#008a64", "#b0578c", "#b98300", "#2f93cf", "#4b5563", "#8c7b00")
INK, FAINT = "#1b2431", "#c9d0d7"
_NAMES = {
    **{colour: f"var(--c{index})" for index, colour in enumerate(COLOURS)},
    INK: "currentColor",
    FAINT: "var(--rule)",
}
DASHES = ("-", "--", ":", "-.")
MARKS = ("o", "s", "^", "D", "v", "P", "X", "*")

_SETTINGS = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 9.5,
    "axes.titlesize": 10,
    "axes.titleweight": "normal",
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "axes.linewidth": 0.7,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": FAINT,
    "grid.linewidth": 0.5,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.major.width": 0.7,
    "ytick.major.width": 0.7,
    "lines.linewidth": 1.6,
    "lines.markersize": 4.5,
    "legend.frameon": False,
    "legend.fontsize": 9,
    "figure.constrained_layout.use": True,
    "axes.unicode_minus": True,
}


class Drawing:
    """A figure being drawn: `axes` to draw on, and afterwards its `svg`."""

    def __init__(self, figure: Any, axes: Any, name: str) -> None:
        self.figure, self.axes, self._name = figure, axes, name
        self.svg = ""

    def close(self) -> None:
        """Write the figure out."""
        text = io.StringIO()
        self.figure.savefig(text, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
        self.svg = _embedded(text.getvalue(), self._name)


@contextmanager
def drawing(
    name: str, *, columns: int = 1, width: float = 6.8, height: float = 3.2, **sharing: Any
) -> Iterator[Drawing]:
    """A figure of so many axes beside one another (inches); its SVG is there when the block has ended."""
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt
    from cycler import cycler

    # Ids within the page come from the salt: without it two figures would share their clips.
    with matplotlib.rc_context({**_SETTINGS, "svg.hashsalt": name, "axes.prop_cycle": cycler(color=COLOURS)}):
        figure, axes = plt.subplots(1, columns, figsize=(width, height), **sharing)
        made = Drawing(figure, axes, name)
        yield made
        made.close()
        plt.close(figure)


def plain_ticks(axes: Any, values: Sequence[float]) -> None:
    """Write these values on a logarithmic y axis as they are, and nothing between them."""
    axes.set_yticks(list(values), [f"{value:g}" for value in values])
    axes.yaxis.minorticks_off()


def _embedded(svg: str, name: str) -> str:
    """The SVG without its head, in the page's colours and of no fixed size."""
    body = svg[svg.index("<svg ") :]
    for colour, word in _NAMES.items():
        body = body.replace(colour, word)
    # Presentation attributes know no variables; styles do, and matplotlib writes styles.
    width = re.search(r'width="([\d.]+)pt"', body)[1]  # type: ignore[index]
    body = re.sub(r' (width|height)="[\d.]+pt"', "", body, count=2)
    body = body.replace("<svg ", f'<svg class="drawn" style="max-width:{float(width) * 4 / 3:.0f}px" ', 1)
    # Ids of groups (figure_1, axes_1, …) repeat from figure to figure and serve nobody.
    body = re.sub(r'<g id="[a-zA-Z]+_?\d*(_\d+)*">', "<g>", body)
    return re.sub(r"\s*<metadata>.*?</metadata>", "", body, flags=re.DOTALL)
