"""Numbers and columns as an engineer writes them: a few digits, a prefix on the unit, decimal points in line."""

import math
import re
from collections.abc import Sequence
from typing import Any, TypeGuard

_PREFIXES = {-9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M", 9: "G"}
# A prefix on the first unit scales the whole only where that unit stands to the first power.
_PREFIXABLE = re.compile(r"(m|s|rad|N|J|W|Hz|Pa)(?=$|[ /])")
_NO_PERCENT, _LEAST_PERCENT = 1e-8, 1e-4
_NEVER_LARGE = {"s", "rad"}  # nobody writes ks or krad


def is_number(value: Any) -> TypeGuard[float]:
    """True for a finite real number (None and NaN both mean "not known")."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def digits(value: float, significant: int = 4) -> str:
    """The number with so many significant digits; a power of ten only where it is very small or very large."""
    if not is_number(value):
        return "unknown"
    if value == 0.0:
        return "0"
    exponent = _exponent(value, significant)
    if -4 <= exponent < 7:
        return f"{value:.{max(significant - 1 - exponent, 0)}f}"
    return f"{value:.{significant - 1}e}"


def percent(share: float, significant: int = 3, *, sign: bool = False) -> str:
    """The share in per cent, without powers of ten: "12.3 %", "100 %"; "0 %" where it is nothing but rounding."""
    if not is_number(share):
        return "unknown"
    value = 100.0 * share
    if abs(value) < _NO_PERCENT:
        return "0 %"
    if abs(value) < _LEAST_PERCENT:
        return f"< {_LEAST_PERCENT:.4f} %" if value > 0.0 else f"> -{_LEAST_PERCENT:.4f} %"
    decimals = max(significant - 1 - _exponent(value, significant), 0)
    return f"{value:{'+' if sign else ''}.{decimals}f} %"


def quantity(value: float, unit: str = "", significant: int = 4) -> str:
    """The number with its unit, the unit prefixed so that one to three digits stand before the point."""
    if not is_number(value):
        return "unknown"
    power = _power(value, unit, significant)
    return f"{digits(value / 10.0**power, significant)} {_prefixed(unit, power)}".rstrip()


def at_most(value: float, unit: str = "", significant: int = 4) -> str:
    """The number with its unit, rounded up: what is bounded by the number is bounded by what is written."""
    if not is_number(value) or value == 0.0:
        return quantity(value, unit, significant)
    step = 10.0 ** (math.floor(math.log10(abs(value))) - significant + 1)
    # what rounding alone has put above a whole step is not rounded up
    return quantity(step * math.ceil(value / step - 1e-9), unit, significant)


def column(values: Sequence[float], unit: str = "", significant: int = 4) -> list[str]:
    """The numbers in one common unit and with one number of decimals, led by the largest."""
    known = [abs(value) for value in values if is_number(value)]
    largest = max(known, default=0.0)
    power = _power(largest, unit, significant)
    scaled = largest / 10.0**power
    exponent = _exponent(scaled, significant) if scaled else 0
    shown = _prefixed(unit, power)
    if not -4 <= exponent < 7:
        return [f"{digits(value, significant)} {unit}".rstrip() for value in values]
    decimals = max(significant - 1 - exponent, 0)
    # Adding zero turns a rounded "-0.000" into "0.000".
    return [
        f"{round(value / 10.0**power, decimals) + 0.0:.{decimals}f} {shown}".rstrip() if is_number(value) else "unknown"
        for value in values
    ]


def distinguishable(values: Sequence[float], unit: str = "", significant: int = 4) -> list[str]:
    """The numbers in one common unit with so many digits that their spread shows in at least three of them."""
    known = [value for value in values if is_number(value)]
    spread, largest = (max(known) - min(known), max(map(abs, known))) if known else (0.0, 0.0)
    if spread > 0.0:
        significant = min(max(significant, 3 + math.ceil(math.log10(largest / spread))), 12)
    return column(values, unit, significant)


def share(part: Any) -> str:
    """A part of a variance in per cent: "none" where it is nothing, "within sampling error" where it is negative."""
    if not is_number(part):
        return "unknown"
    if abs(part) < 0.0005:
        return "none"
    if part < 0.0:
        return "within sampling error"
    return f"{100.0 * part:.{1 if part < 0.0995 else 0}f} %"


def prefixed_unit(largest: float, unit: str, significant: int = 4) -> tuple[str, float]:
    """The unit with the prefix a number of that size wants, and how much one of it is in SI."""
    power = _power(largest, unit, significant) if is_number(largest) else 0
    return _prefixed(unit, power), 10.0**power


def aligned(rows: Sequence[Sequence[str]], *, right: Sequence[int] = (), indent: str = "  ", gap: str = "   ") -> str:
    """The rows as lines of equally wide columns, a gap between them; the columns numbered in `right` end in line."""
    widths = [max(len(row[index]) for row in rows if index < len(row)) for index in range(max(map(len, rows)))]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(widths[index]) if index in right else cell.ljust(widths[index]) for index, cell in enumerate(row)
        ]
        lines.append((indent + gap.join(cells)).rstrip())
    return "\n".join(lines)


def format_pole_cells(
    frequency: float, ratio: float, decay: float, digits_hz: int = 5, digits_ratio: int = 3
) -> list[str]:
    """Frequency (Hz) and damping ratio of a pole; a real one by its time constant."""
    if frequency == 0.0:
        return ["real pole", f"e^(-t/{quantity(1.0 / decay, 's', 3)})" if decay > 0.0 else "–"]
    return [f"{digits(frequency, digits_hz)} Hz", percent(ratio, digits_ratio)]


def plural(count: int, word: str) -> str:
    """The count with its word: 1 step, 2 steps."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def _exponent(value: float, significant: int) -> int:
    """The power of ten of the first digit, after rounding (999.96 to four digits is 1000)."""
    return int(f"{abs(value):.{significant - 1}e}".partition("e")[2])


def _power(value: float, unit: str, significant: int) -> int:
    """The power of ten that moves from the number into the unit's prefix."""
    found = _PREFIXABLE.match(unit)
    if found is None or value == 0.0:
        return 0
    power = 3 * (_exponent(value, significant) // 3)
    highest = 0 if found[1] in _NEVER_LARGE else max(_PREFIXES)
    return min(max(power, min(_PREFIXES)), highest)


def _prefixed(unit: str, power: int) -> str:
    return _PREFIXES[power] + unit
