"""Numbers of many samples at once: what formulas are given so that a whole chunk of arms is made in one go.

Nothing here knows of arms. Set-up code that may meet such numbers makes its arrays by `array`, `zeros` and `filled`,
which give plain arrays of floats for plain numbers, and asks for floats by `real`.
"""

from flexarm.many.arrays import (
    among,
    array,
    diagonal,
    each,
    filled,
    floats,
    greatest,
    key,
    larger,
    real,
    sample_of,
    smaller,
    snapped,
    whole,
    zeros,
)
from flexarm.many.number import Chunk, Many, Measured, NotOneNumber

__all__ = [
    "Chunk",
    "Many",
    "Measured",
    "NotOneNumber",
    "among",
    "array",
    "diagonal",
    "each",
    "filled",
    "floats",
    "greatest",
    "key",
    "larger",
    "real",
    "sample_of",
    "smaller",
    "snapped",
    "whole",
    "zeros",
]
