"""What a mode is called: after the links and directions that hold its energy."""

from __future__ import annotations

from collections import Counter

import numpy as np

from flexarm.assembly import CompiledArm
from flexarm.core.tree.types import Ints

# A mode whose energy is shared bears the names of all that hold at least this part of it.
_SHARE = 0.25


def holders(compiled: CompiledArm, moving: Ints, shape: np.ndarray, forces: np.ndarray) -> str:
    """The links and directions that hold the energy of a shape (n,) against the forces (n,) it takes; none: empty."""
    names, number = compiled.groups
    energy = np.bincount(number[moving], np.real(np.conj(shape) * forces), len(names)).tolist()
    total = sum(energy)
    if total <= 0.0:
        return ""
    held = sorted(zip(names, energy, strict=True), key=lambda x: -x[1])
    return " + ".join(name for name, part in held if part >= _SHARE * total)


def numbered(kinds: list[str]) -> list[str]:
    """The names, each with its number among its like."""
    seen: Counter[str] = Counter()
    names = []
    for kind in kinds:
        seen[kind] += 1
        names.append(f"{kind} {seen[kind]}")
    return names
