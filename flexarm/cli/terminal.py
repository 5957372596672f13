"""Summaries on a terminal: tables that fit, calm colours, curves; plain text to a pipe."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flexarm.cli.output import QUIET, show
from flexarm.cli.spelling import spelt

if TYPE_CHECKING:
    from rich.console import Console
    from rich.padding import Padding
    from rich.table import Table

    from flexarm.cli.curves import Histories

_LABEL, _TITLE, _CURVE, _BEWARE = "cyan", "bold", "green", "yellow"
_FAILED = "INCOMPLETE", "bold red"  # the label of a run that stopped early, and how its line looks
_PADDING = 3  # between columns, as in the plain text
_INDENT = 2
_WIDEST_CURVE, _NARROWEST_CURVE = 60, 10
_CODE_INDENT = 4
_NARROWEST_SCREEN = 20
_WITH_CURVES = 50  # on a narrower terminal curves would cut their own numbers
_SHORT = 16  # texts up to this long are not wrapped before a table is split


def seen() -> bool:
    """True if stdout is a terminal."""
    return sys.stdout.isatty()


def show_result(text: str, histories: Callable[[], Histories | None] | None = None) -> None:
    """A summary on stdout: as it is to a pipe, in tables and with curves below to a terminal."""
    if not seen():
        show(text)
        return
    console = _console()
    for number, block in enumerate(blocks(spelt(text, sys.stdout.encoding))):
        if number:
            console.print()
        for index, part in enumerate(block):
            if isinstance(part, Columns):
                for place, table in enumerate(_tables(part, console.width)):
                    if place:
                        console.print()
                    console.print(_indented(table))
            else:
                _print_line(console, part, title=number == 0 and index == 0)
    drawn = None if histories is None or QUIET.get() else histories()
    if drawn is not None and console.width >= _WITH_CURVES:
        console.print()
        console.print(_indented(_curves(drawn, console)))
        if drawn.more:
            _print_line(console, f"  {drawn.more}", title=False)
    sys.stdout.flush()


@dataclass(frozen=True)
class Columns:
    """A table found in plain text: rows of cells, which columns end in line, and how many rows are its head."""

    rows: tuple[tuple[str, ...], ...]
    right: tuple[bool, ...]
    head: int


def blocks(text: str) -> list[list[str | Columns]]:
    """The blocks of a summary in plain text, which blank lines part; in each, lines and tables."""
    found = []
    for block in re.split(r"\n[ \t]*\n", text.strip("\n")):
        lines = block.split("\n")
        titled = not lines[0].startswith(" ") and not _spread(lines[0])
        parts: list[str | Columns] = []
        rows: list[str] = []
        for line in [*lines, ""]:
            if _spread(line) or (rows and line.startswith(" " * 2 * _CODE_INDENT)):
                rows.append(line)
                continue
            parts += _table_of(rows, titled=titled)
            rows = []
            parts += [line] if line else []
        found.append(parts)
    return found


def _spread(line: str) -> bool:
    """True if there is a gap within the line, as between columns."""
    return "  " in line.strip()


def _table_of(lines: Sequence[str], *, titled: bool) -> list[str | Columns]:
    """The lines as one table if blank columns run through all of them, and as they are if not."""
    if not lines:
        return []
    width = max(map(len, lines))
    padded = [line.ljust(width) for line in lines]
    blank = "".join(" " if all(line[index] == " " for line in padded) else "x" for index in range(width))
    spans = [(match.start(), match.end()) for match in re.finditer(r"x+(?: x+)*", blank)]
    if len(spans) < 2:
        return list(lines)
    rows = tuple(tuple(line[begin:end].strip() for begin, end in spans) for line in padded)
    right = tuple(_ends_in_line([line[begin:end] for line in padded]) for begin, end in spans)
    # Rows under a title are labels with texts; any other table begins with the names of its columns.
    return [Columns(rows, right, 0 if titled and len(spans) == 2 else _head(rows))]


def _ends_in_line(cells: Sequence[str]) -> bool:
    """True if the cells are set to the right."""
    filled = [cell for cell in cells if cell.strip()]
    return all(not cell.endswith(" ") for cell in filled) and any(cell.startswith(" ") for cell in filled)


def _head(rows: Sequence[Sequence[str]]) -> int:
    """How many rows are names: a second one that holds units alone belongs to them."""
    second = [cell for cell in rows[1] if cell] if len(rows) > 2 else ["1"]
    return 1 if any(re.search(r"\d", cell) for cell in second) or rows[1][0] else 2


def _console() -> Console:
    """Where stdout is shown; NO_COLOR, TERM and COLUMNS are honoured."""
    from rich.console import Console

    # Rich takes a dumb terminal to be 80 wide, whatever it is.
    size = shutil.get_terminal_size()
    width, height = max(size.columns, _NARROWEST_SCREEN), size.lines
    return Console(file=sys.stdout, width=width, height=height, highlight=False, markup=False, emoji=False)


def _print_line(console: Console, line: str, *, title: bool) -> None:
    """A line of prose, wrapped below its own beginning; what is meant for a file stays as it is."""
    from rich.padding import Padding
    from rich.text import Text

    depth = len(line) - len(line.lstrip())
    style = _TITLE if title else _BEWARE if line.lstrip().startswith("beware:") else ""
    if depth >= _CODE_INDENT:
        console.print(Text(line, style=style), soft_wrap=True)
    else:
        console.print(Padding(Text(line.strip(), style=style), (0, 0, 0, depth), expand=False))


def _indented(table: Table) -> Padding:
    """The table as far in as plain text has it."""
    from rich.padding import Padding

    return Padding(table, (0, 0, 0, _INDENT), expand=False)


def _tables(found: Columns, width: int) -> list[Table]:
    """The table, or as many as the width asks for, each with the first column again."""
    columns = list(zip(*found.rows, strict=True))
    room = width - _INDENT
    least = [_narrowest(column, found.right[index], found.head) for index, column in enumerate(columns)]
    groups: list[list[int]] = [[0]]
    used = least[0]
    for index in range(1, len(columns)):
        if used + _PADDING + least[index] > room and len(groups[-1]) > 1:
            groups.append([0])
            used = least[0]
        groups[-1].append(index)
        used += _PADDING + least[index]
    return [_table(found, columns, group, _widths(columns, group, least, room)) for group in groups]


def _narrowest(cells: Sequence[str], right: bool, head: int) -> int:
    """How narrow a column may get: numbers and short texts stay on one line, other words may be wrapped."""
    words = [len(word) for cell in cells for word in cell.split()]
    return max([*words, *(len(cell) for cell in cells[head:] if right or len(cell) <= _SHORT)], default=1)


def _widths(columns: Sequence[Sequence[str]], group: Sequence[int], least: Sequence[int], room: int) -> dict[int, int]:
    """The widths of some columns that fit together, the widest narrowed first."""
    widths = {index: max(map(len, columns[index])) for index in group}
    excess = sum(widths.values()) + _PADDING * (len(group) - 1) - room
    for _ in range(excess):
        widest = max(group, key=lambda index: (widths[index] > least[index], widths[index]))
        # A single column wider than the terminal is cut as little as can be.
        widths[widest] = max(widths[widest] - 1, 1)
    return widths


def _table(found: Columns, columns: Sequence[Sequence[str]], group: Sequence[int], widths: dict[int, int]) -> Table:
    """Some columns of the table."""
    table = _empty(header=found.head > 0)
    for index in group:
        table.add_column(
            "\n".join(columns[index][: found.head]),
            justify="right" if found.right[index] else "left",
            width=widths[index],
            header_style=_LABEL,
            style=_LABEL if found.head == 0 and index == 0 else "",
        )
    for row in found.rows[found.head :]:
        table.add_row(*(row[index] for index in group), style=_FAILED[1] if row[0] == _FAILED[0] else None)
    return table


def _empty(*, header: bool) -> Table:
    """A table with nothing but a line below its head."""
    from rich import box
    from rich.table import Table

    return Table(
        box=box.SIMPLE_HEAD if header else None,
        show_header=header,
        show_edge=False,
        pad_edge=False,
        padding=(0, 1) if header else (0, _PADDING, 0, 0),
    )


def _curves(drawn: Histories, console: Console) -> Table:
    """The curves as lines of a table, each with its least and greatest value."""
    from flexarm.cli.sparklines import ASCII_BARS, BARS, cell_of, sparkline

    plain = not (sys.stdout.encoding or "ascii").lower().replace("-", "").startswith("utf")
    bars, pointer = (ASCII_BARS, "^") if plain else (BARS, "▲")
    ends = [curve.ends for curve in drawn.curves]
    taken = max(len(drawn.over), *(len(curve.name) for curve in drawn.curves))
    taken += sum(max(len("greatest"), *(len(each[side]) for each in ends)) for side in (0, 1))
    width = console.width - taken - 3 * _PADDING - _INDENT
    width = max(min(width, _WIDEST_CURVE), _NARROWEST_CURVE) // 2 * 2
    places = drawn.places.tolist()
    table = _empty(header=True)
    table.add_column(drawn.over, header_style=_LABEL)
    table.add_column(drawn.span, header_style=_LABEL, style=_CURVE, min_width=width)
    table.add_column("least", header_style=_LABEL, justify="right", no_wrap=True)
    table.add_column("greatest", header_style=_LABEL, justify="right", no_wrap=True)
    for curve, (least, greatest) in zip(drawn.curves, ends, strict=True):
        table.add_row(curve.name, sparkline(curve.values.tolist(), width, places=places, bars=bars), least, greatest)
        if curve.mark is not None:
            at = cell_of(curve.mark, places[0], places[-1], width)
            said = f" {curve.said}"
            line = " " * at + pointer + said if at + len(said) < width else f"{curve.said} {pointer}".rjust(at + 1)
            table.add_row("", line)
    return table
