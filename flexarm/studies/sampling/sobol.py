"""Scrambled Sobol' points by their index: the sequence of Sobol' with a random linear scramble and a digital shift.

Point i is the exclusive or of the direction numbers at the bits of Gray's code of i, so that any range of points costs
the same wherever it begins. Scramble and shift (Matoušek, J. Complexity 14, 1998) make every point uniform and keep
what the sequence is good for: each aligned block of 2^k points has one in each of 2^k equal strata of every axis.
The first direction numbers are those of OpenTURNS, the others follow from Sobol's recurrence.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from flexarm.studies.sampling.streams import BITS, OPEN, Words, words

# As many axes as OpenTURNS has first direction numbers for.
MOST_AXES = 1111


def sobol(seed: int, names: tuple[str, ...], begin: int, end: int) -> npt.NDArray[np.float64]:
    """Points begin … end - 1 of the scrambled sequence, (end - begin, p), all inside (0, 1)."""
    index = np.arange(begin, end, dtype=np.uint64)
    directions, shifts = _scrambled(seed, names)
    points = np.empty((end - begin, len(names)))
    for j, shift in enumerate(shifts):
        points[:, j] = (_xor_at_bits(index, directions[j]) ^ shift) * OPEN + OPEN / 2
    return points


def plain_sobol(axes: int, begin: int, end: int) -> npt.NDArray[np.float64]:
    """Points begin … end - 1 of the sequence itself; the first is the origin."""
    index = np.arange(begin, end, dtype=np.uint64)
    return np.stack([_xor_at_bits(index, numbers) * OPEN for numbers in directions_of(axes)], axis=1)


def _xor_at_bits(index: Words, directions: Words) -> Words:
    gray = index ^ (index >> np.uint64(1))
    found = np.zeros_like(index)
    for bit in range(int(index[-1]).bit_length() if len(index) else 0):
        # All ones where the bit is set: the direction number, else nothing.
        chosen = np.uint64(0) - ((gray >> np.uint64(bit)) & np.uint64(1))
        found ^= chosen & directions[bit]
    return found


@lru_cache(maxsize=8)
def _scrambled(seed: int, names: tuple[str, ...]) -> tuple[Words, Words]:
    plain = directions_of(len(names))
    scrambled = np.zeros_like(plain)
    shifts = np.empty(len(names), dtype=np.uint64)
    for j, name in enumerate(names):
        drawn = words(seed, f"sobol:{name}", 0, BITS + 1) >> np.uint64(64 - BITS)
        shifts[j] = drawn[BITS]
        for row in range(BITS):
            here = 1 << (BITS - 1 - row)
            # A row of a lower triangular matrix with ones on its diagonal; bits are counted from the most significant.
            above = ((1 << row) - 1) << (BITS - row)
            mask = np.uint64((int(drawn[row]) & above) | here)
            scrambled[j] |= _parity(plain[j] & mask) * np.uint64(here)
    return scrambled, shifts


def _parity(values: Words) -> Words:
    for shift in (32, 16, 8, 4, 2, 1):
        values = values ^ (values >> np.uint64(shift))
    return values & np.uint64(1)


@lru_cache(maxsize=8)
def directions_of(axes: int) -> Words:
    """Direction numbers (axes, BITS) as whole numbers of BITS bits."""
    degrees = _degrees(axes)
    first = _first_numbers(axes, degrees[-1] + 1)
    numbers = np.empty((axes, BITS), dtype=np.uint64)
    for j, degree in enumerate(degrees):
        m = first[j][: degree + 1] if degree else [1] * BITS
        taps = _taps(m, degree)
        while len(m) < BITS:
            m.append(_next(m, degree, taps))
        numbers[j] = [value << (BITS - 1 - k) for k, value in enumerate(m)]
    return numbers


def _next(m: list[int], degree: int, taps: list[int]) -> int:
    # Sobol's recurrence, m_k = 2 a_1 m_{k-1} ⊕ 2² a_2 m_{k-2} ⊕ … ⊕ 2^s m_{k-s} ⊕ m_{k-s}; taps are the i with a_i = 1.
    new = m[-degree] ^ (m[-degree] << degree)
    for i in taps:
        new ^= m[-i] << i
    return new


def _taps(m: list[int], degree: int) -> list[int]:
    # The coefficients of the polynomial from the one number after the first: all m are odd, so that a_i alone decides
    # bit i once those before it are known.
    if degree == 0:
        return []
    known, left = m[:degree], m[degree] ^ _next(m[:degree], degree, [])
    taps = []
    for i in range(1, degree):
        if left >> i & 1:
            taps.append(i)
            left ^= known[-i] << i
    return taps


def _degrees(axes: int) -> list[int]:
    # One axis for every primitive polynomial over two elements, by degree; there are φ(2^s - 1)/s of degree s.
    degrees = [0]
    degree = 1
    while len(degrees) < axes:
        order = 2**degree - 1
        coprime = order
        for factor in range(2, order + 1):
            if order % factor == 0:
                coprime -= coprime // factor
                while order % factor == 0:
                    order //= factor
        degrees += [degree] * max(1, coprime // degree)
        degree += 1
    return degrees[:axes]


def _first_numbers(axes: int, count: int) -> list[list[int]]:
    import openturns as ot

    # Its k-th point is the one of index k + 1, and Gray's code of 2^k - 1 has one bit, the k-th, alone.
    points = np.asarray(ot.SobolSequence(axes).generate(2**count - 1))
    return [[int(points[2**k - 2, j] * 2**k) for k in range(1, count + 1)] for j in range(axes)]
