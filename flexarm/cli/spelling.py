"""Text for screens and pipes that do not hold every sign: µ is written u there, ² is written ^2."""

from __future__ import annotations

import codecs
import re
import unicodedata
from typing import Any, TextIO

# A sign → how it is written by hand. What is not here loses its accent, or becomes a question mark.
_SPELT = {
    **{"µ": "u", "μ": "u", "×": "x", "·": "*", "⋅": "*", "−": "-", "–": "-", "—": "-", "…": "...", "°": " deg"},
    **{"≤": "<=", "≥": ">=", "≈": "~", "±": "+-", "→": "->", "←": "<-", "√": "sqrt", "½": "1/2", "§": "section "},
    **{"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "\u00a0": " ", "▲": "^", "█": "#", "░": "."},
    **{"α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "eps", "ζ": "zeta", "η": "eta", "θ": "theta"},
    **{"κ": "kappa", "λ": "lambda", "ν": "nu", "ξ": "xi", "π": "pi", "ρ": "rho", "σ": "sigma", "τ": "tau"},
    **{"φ": "phi", "ψ": "psi", "ω": "omega", "Δ": "Delta", "Σ": "Sum", "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega"},
    **{"ø": "o", "Ø": "O", "ß": "ss", "æ": "ae", "Æ": "AE", "ł": "l", "Ł": "L"},
}
_RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ", "0123456789+-n", strict=True))
_POWER = re.compile(f"[{''.join(_RAISED)}]+")
_HANDLER = "flexarm.spelling"


def spelt(text: str, encoding: str | None) -> str:
    """The text as the encoding can hold it.

    A word that grew takes its space from the blanks behind it, so that the columns of a table stay in line.
    """
    if _holds(text, encoding):
        return text
    return "\n".join(line if _holds(line, encoding) else _spelt_line(line, encoding) for line in text.split("\n"))


def speak_plainly(stream: TextIO) -> None:
    """Let a stream write signs it cannot hold as `spelt` does, whoever prints them."""
    codecs.register_error(_HANDLER, _handed)
    stream.reconfigure(errors=_HANDLER)  # type: ignore[attr-defined]


def _holds(text: str, encoding: str | None) -> bool:
    try:
        text.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _spelt_line(line: str, encoding: str | None) -> str:
    """One line, cell by cell."""
    # cells stand at least two blanks apart
    parts = re.split(r"( {2,})", line)
    owed = 0
    for place, part in enumerate(parts):
        if place % 2:
            kept = max(2, len(part) - owed)
            owed -= len(part) - kept
            parts[place] = " " * kept
        elif not _holds(part, encoding):
            parts[place] = _spelt_cell(part, encoding)
            owed += len(parts[place]) - len(part)
    return "".join(parts)


def _spelt_cell(text: str, encoding: str | None) -> str:
    # m⁻² is m^-2: a power is one word, even where the encoding knows some of its signs
    text = _POWER.sub(lambda found: found[0] if _holds(found[0], encoding) else _power(found[0]), text)
    return "".join(sign if _holds(sign, encoding) else _sign(sign) for sign in text)


def _power(signs: str) -> str:
    return "^" + "".join(_RAISED[sign] for sign in signs)


def _sign(sign: str) -> str:
    """One sign by hand."""
    if sign in _SPELT:
        return _SPELT[sign]
    if sign in _RAISED:
        return _power(sign)
    # a letter and its accent, or a letter in another shape
    plain = unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode()
    return plain or ("" if unicodedata.combining(sign) else "?")


def _handed(error: Any) -> tuple[str, int]:
    """The replacement of characters a stream refused: an error handler for Python's codecs."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return _spelt_cell(error.object[error.start : error.end], "ascii"), error.end
