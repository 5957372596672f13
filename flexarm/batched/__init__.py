"""Batched numbers: formulas are evaluated with them so that a whole chunk of arms is built at once.

Nothing here knows of arms. Set-up code that may meet such numbers makes its arrays by `array`, `zeros` and `filled`,
which give plain arrays of floats for plain numbers, and asks for floats by `real`.
"""

from flexarm.batched.arrays import (
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
from flexarm.batched.number import Batch, Chunk, Measured, NotScalar

__all__ = [
    "Batch",
    "Chunk",
    "Measured",
    "NotScalar",
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
