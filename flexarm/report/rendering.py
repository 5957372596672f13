"""A page as one HTML file: headings, words and tables as plain HTML, figures and arms drawn by the page's script.

Nothing is fetched from anywhere, and the file's own security policy forbids it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from flexarm.files import write_whole
from flexarm.report.arrays import ArrayStore
from flexarm.report.figures.bars import BarList, bar_list_html
from flexarm.report.html_text import text_html
from flexarm.report.page import Figure, Listing, MovingArm, Page, Paragraphs, Part, Section, Table
from flexarm.report.specification import arm_specification, figure_specification, slug
from flexarm.results.engineering import plural
from flexarm.results.jsonable import jsonable

MOST_BYTES = 6_000_000
# Points per line tried in turn until the page is small enough; the first keeps all.
# More figures than this make a page long, and a section one that folds.
_FIGURES_OF_LONG_PAGE, _FIGURES_OF_SECTION = 12, 8
_THINNINGS = (None, 8000, 4000, 2000, 1000, 500)
# A page begins with these words: a file that does not is never replaced by one.
MARK = "<!DOCTYPE html><!-- flexarm report -->"
_SCRIPTS = (
    "numbers.js",
    "clock.js",
    "scales.js",
    "plot.js",
    "plot_marks.js",
    "heat_map.js",
    "plot_pointer.js",
    "plot_choices.js",
    "plot_files.js",
    "camera.js",
    "arm.js",
    "arm_picture.js",
    "arm_choices.js",
    "arm_controls.js",
    "transport.js",
    "page.js",
)
_STYLES = ("page.css", "plots.css", "parts.css", "bars.css")
_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: blob:; "
    "base-uri 'none'; form-action 'none'"
)


def write_page(page: Page, path: str | os.PathLike[str]) -> Path:
    """The path of the file now holding the page; an existing one is replaced in one step."""
    target = Path(path)
    write_whole(target, page_text(page))
    return target


def page_text(page: Page, *, most_bytes: int = MOST_BYTES) -> str:
    """The whole page as HTML, its lines thinned as far as its size demands."""
    frame = len(_asset_text(_SCRIPTS)) + len(_style_text()) + 200_000
    for most in _THINNINGS:
        store = ArrayStore(most)
        drawn = [_drawn(part, store, page.file) for part in page.parts]
        if store.size + frame <= most_bytes:
            break
    data = {
        "arrays": store.packed,
        "drawn": [each for each in drawn if each is not None],
        "source": page.source,
        "file": page.file,
        "extra": jsonable(page.extra, "extra"),
    }
    return "".join(_html(page, data))


def is_page(path: Path) -> bool:
    """True where the file is a page of ours."""
    try:
        with path.open("rb") as file:
            return file.read(len(MARK)) == MARK.encode()
    except OSError:
        return False


def _drawn(part: Part, store: ArrayStore, file: str) -> dict[str, Any] | None:
    match part:
        case Figure():
            return {"part": "figure"} | figure_specification(part, store, file)
        case MovingArm():
            return {"part": "arm"} | arm_specification(part, store)
        case _:
            return None


@cache
def _asset_text(names: tuple[str, ...]) -> str:
    folder = files("flexarm.report") / "assets"
    return "\n".join((folder / name).read_text(encoding="utf-8") for name in names)


@cache
def _style_text() -> str:
    """The styles: the dark palette, once for readers who prefer it and once for those who chose it on the page."""
    light, *others = (_asset_text((name,)) for name in _STYLES)
    dark = _asset_text(("dark.css",)).removeprefix(":root")
    # paper is never dark
    preferred = f'@media screen and (prefers-color-scheme: dark) {{:root:not([data-theme="light"]) {dark}}}'
    chosen = f'@media screen {{:root[data-theme="dark"] {dark}}}'
    return "\n".join([light, preferred, chosen, *others])


def _html(page: Page, data: dict[str, Any]) -> Iterable[str]:
    # "<" inside JSON could close the script element
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")
    yield f'{MARK}\n<html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    yield '<meta name="color-scheme" content="light dark">'
    yield f"<title>{escape(page.title)} · {escape(page.kind)}</title>"
    yield f"<style>{_style_text()}</style></head><body>"
    yield '<a class="skip" href="#content">Skip to the content</a>'
    yield from _header(page)
    yield '<main id="content">'
    drawn = iter(range(len(data["drawn"])))
    long = sum(isinstance(part, Figure) for part in page.parts) > _FIGURES_OF_LONG_PAGE
    for section in page.sections:
        yield from _section(section, drawn, folded=long and section.minor)
    yield f'</main><footer><p>{escape(page.foot)}</p></footer><div id="transport"></div>'
    yield "<noscript><p class='note failure'>The figures of this page are drawn by its script.</p></noscript>"
    yield f'<script type="application/json" id="data">{text}</script>'
    yield f'<script>"use strict";(() => {{\n{_asset_text(_SCRIPTS)}\n}})();</script></body></html>\n'


def _header(page: Page) -> Iterable[str]:
    yield f'<header class="top"><div class="bar"><p class="kind">{escape(page.kind)}</p><div id="switches"></div></div>'
    yield f"<h1>{escape(page.title)}</h1>"
    if page.lead:
        yield f'<p class="lead">{text_html(page.lead)}</p>'
    if page.failure:
        yield f'<p class="note failure" role="alert">{text_html(page.failure)}</p>'
    for warning in page.warnings:
        yield f'<p class="note warning">{text_html(warning)}</p>'
    if page.numbers:
        yield '<dl class="numbers">'
        for number in page.numbers:
            remark = f"<dd class='remark'>{text_html(number.remark)}</dd>" if number.remark else ""
            yield f"<div><dt>{escape(number.name)}</dt><dd class='value'>{_with_unit(number.value)}</dd>{remark}</div>"
        yield "</dl>"
    if len(page.sections) > 2:
        links = "".join(f'<a href="#{slug(each.title)}">{escape(each.title)}</a>' for each in page.sections)
        yield f'<nav aria-label="Sections">{links}</nav>'
    yield "</header>"


def _section(section: Section, drawn: Iterable[int], *, folded: bool = False) -> Iterable[str]:
    name = slug(section.title)
    heading = f'<h2 id="{name}">{escape(section.title)}</h2>'
    yield f'<section aria-labelledby="{name}">'
    yield f'<details class="fold"><summary>{heading}</summary>' if folded else heading
    if section.words:
        yield f'<p class="words">{text_html(section.words)}</p>'
    numbers = iter(drawn)
    shown, more = _folded(section.parts)
    yield '<div class="parts">'
    for part in _filled(shown):
        yield from _part(part, numbers)
    yield "</div>"
    if more:
        yield f'<details class="fold"><summary>{plural(len(more), "more part")}</summary><div class="parts">'
        for part in _filled(more):
            yield from _part(part, numbers)
        yield "</div></details>"
    yield "</details></section>" if folded else "</section>"


def _folded(parts: Sequence[Part]) -> tuple[Sequence[Part], Sequence[Part]]:
    """The parts of a section that are seen at once, and those that are folded away where there are many figures."""
    figures = [k for k, part in enumerate(parts) if isinstance(part, Figure)]
    if len(figures) <= _FIGURES_OF_SECTION + 1:
        return parts, ()
    cut = figures[_FIGURES_OF_SECTION]
    return parts[:cut], parts[cut:]


def _filled(parts: Sequence[Part]) -> list[Part]:
    """The parts, a figure that would stand alone in its row made wide."""
    filled: list[Part] = []
    in_row = 0
    for part, following in zip(parts, [*parts[1:], None], strict=True):
        if isinstance(part, Figure) and not part.wide:
            alone = in_row == 0 and not (isinstance(following, Figure) and not following.wide)
            filled.append(replace(part, wide=alone))
            in_row = 0 if alone else 1 - in_row
        else:
            filled.append(part)
            in_row = 0
    return filled


def _part(part: Part, numbers: Any) -> Iterable[str]:
    match part:
        case Figure() | MovingArm():
            look = "arm wide" if isinstance(part, MovingArm) else "plot wide" if part.wide else "plot"
            words = f"<p>{text_html(part.words)}</p>" if part.words else ""
            yield f'<figure class="card {look}" data-drawn="{next(numbers)}">'
            yield f"<figcaption><h3>{escape(part.title)}</h3>{words}</figcaption></figure>"
        case Table():
            yield from _table(part)
        case BarList():
            yield from bar_list_html(part)
        case Paragraphs():
            tone = "" if part.tone == "plain" else f" note {part.tone}"
            paragraphs = "".join(f"<p>{text_html(text)}</p>" for text in part.paragraphs)
            yield f'<div class="prose wide{tone}">{paragraphs}</div>'
        case Listing():
            shown = " open" if part.open else ""
            yield f'<details class="card listing wide"{shown}><summary>{escape(part.title)}</summary>'
            yield f'<div class="tools" data-file="{escape(part.file)}"></div>'
            yield f'<pre tabindex="0">{escape(part.text)}</pre></details>'


def _table(table: Table) -> Iterable[str]:
    right = [bool(table.rows) and all(_numeric(row[k]) for row in table.rows) for k in range(len(table.columns))]
    yield '<div class="card table wide">'
    if table.title:
        yield f"<h3>{escape(table.title)}</h3>"
    if table.words:
        yield f"<p>{text_html(table.words)}</p>"
    yield '<div class="scroll" tabindex="0"><table>'
    if any(table.columns):
        yield from _head(table.columns, right)
    yield "<tbody>"
    for row in table.rows:
        yield f"<tr>{''.join(_cell(text, k, right[k]) for k, text in enumerate(row))}</tr>"
    yield "</tbody></table></div></div>"


def _head(columns: Sequence[str], right: Sequence[bool]) -> Iterable[str]:
    yield "<thead><tr>"
    yield "".join(f"<th scope='col'{_aligned(right[k])}>{escape(name)}</th>" for k, name in enumerate(columns))
    yield "</tr></thead>"


def _cell(text: str, index: int, right: bool) -> str:
    tag = "th scope='row'" if index == 0 else "td"
    return f"<{tag}{_aligned(right)}>{text_html(text)}</{tag.partition(' ')[0]}>"


def _aligned(right: bool) -> str:
    return " class='right'" if right else ""


def _numeric(text: str) -> bool:
    return not text or text in ("–", "unknown") or text[0].isdigit() or text[0] in "+-−."


def _with_unit(value: str) -> str:
    """The number large, what follows it small."""
    number, space, unit = value.partition(" ")
    if not space or not number.lstrip("-−+")[:1].isdigit():
        return text_html(value)
    return f"{escape(number)}<small>\u00a0{text_html(unit)}</small>"
