"""Random words by their index: one stream for every seed and name, each word of it reached without those before it."""

from __future__ import annotations

from hashlib import blake2b

import numpy as np
import numpy.typing as npt

Words = npt.NDArray[np.uint64]

# Numbers in (0, 1) are made of so many bits: the middles of 2^52 equal intervals, which are floats and never 0 or 1.
BITS = 52
OPEN = 2.0**-BITS


def words(seed: int, name: str, begin: int, end: int) -> Words:
    """Words begin … end - 1 of the stream, 64 bits each.

    The generator is Philox 4x64 (Salmon et al., SC 2011), whose blocks of four are a function of a counter, index // 4.
    NumPy promises its raw words for ever, which it does not for the numbers made of them.
    """
    stream = int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "little")
    key = np.array([seed, stream], dtype=np.uint64)
    generator = np.random.Philox(key=key, counter=begin // 4)
    first = begin % 4
    return generator.random_raw(first + end - begin)[first:]


def uniforms(seed: int, name: str, begin: int, end: int) -> npt.NDArray[np.float64]:
    """Numbers begin … end - 1 of the stream, inside (0, 1)."""
    return np.asarray((words(seed, name, begin, end) >> np.uint64(64 - BITS)) * OPEN + OPEN / 2, dtype=np.float64)
