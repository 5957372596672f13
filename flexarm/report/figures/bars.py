"""Lists of labelled bars with intervals, such as parts of a variance; pure HTML that needs no script."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import final

from flexarm.report.html_text import text_html
from flexarm.results.engineering import is_number


@final
@dataclass(frozen=True)
class Bar:
    """One name with its value; `whole`, if there is one, is drawn lighter behind it, `low` to `high` as a whisker."""

    name: str
    value: float | None
    text: str
    whole: float | None = None
    low: float | None = None
    high: float | None = None


@final
@dataclass(frozen=True)
class BarList:
    """Bars under a title, all on one scale from zero to `most` (default: the greatest); `key` names the two shades."""

    title: str
    bars: Sequence[Bar]
    words: str = ""
    most: float | None = None
    key: tuple[str, ...] = ()
    colour: int = 0


def bar_list_html(part: BarList) -> Iterable[str]:
    """The bars as a table."""
    known = [abs(v) for bar in part.bars for v in (bar.value, bar.whole, bar.high) if is_number(v)]
    most = part.most if part.most is not None else max(known, default=1.0)
    most = most if most > 0.0 else 1.0
    yield f'<div class="card bar-card wide c{part.colour % 8}"><h3>{escape(part.title)}</h3>'
    if part.words:
        yield f"<p>{text_html(part.words)}</p>"
    if part.key:
        shades = ("bar-full", "bar-light", "bar-whisker")
        keys = "".join(
            f'<span><i class="{shade}"></i>{escape(name)}</span>'
            for shade, name in zip(shades, part.key, strict=False)
            if name
        )
        yield f'<p class="bar-key">{keys}</p>'
    yield '<table class="bar-list"><tbody>'
    for bar in part.bars:
        yield f"<tr><th scope='row'>{escape(bar.name)}</th><td class='bar-track'><div>{_drawn(bar, most)}</div></td>"
        yield f"<td class='right'>{text_html(bar.text)}</td></tr>"
    yield "</tbody></table></div>"


def _drawn(bar: Bar, most: float) -> str:
    """The shades and the whisker of one bar, in per cent of the track."""
    drawn = ""
    if is_number(bar.whole):
        drawn += f'<i class="bar-light" style="width:{_percent(bar.whole, most)}%"></i>'
    if is_number(bar.value):
        drawn += f'<i class="bar-full" style="width:{_percent(bar.value, most)}%"></i>'
    if is_number(bar.low) and is_number(bar.high):
        left, right = float(_percent(bar.low, most)), float(_percent(bar.high, most))
        drawn += f'<i class="bar-whisker" style="left:{left:g}%;width:{right - left:.4g}%"></i>'
    return drawn


def _percent(value: float, most: float) -> str:
    return f"{100.0 * min(max(abs(value) if value > 0.0 else 0.0, 0.0) / most, 1.0):.4g}"
