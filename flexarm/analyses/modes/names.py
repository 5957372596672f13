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
    groups = groups_of(compiled)
    energy: dict[str, float] = {}
    for c, part in zip(moving.tolist(), np.real(np.conj(shape) * forces).tolist(), strict=True):
        energy[groups[c]] = energy.get(groups[c], 0.0) + part
    total = sum(energy.values())
    if total <= 0.0:
        return ""
    return " + ".join(name for name, part in sorted(energy.items(), key=lambda x: -x[1]) if part >= _SHARE * total)


def numbered(kinds: list[str]) -> list[str]:
    """The names, each with its number among its like."""
    seen: Counter[str] = Counter()
    names = []
    for kind in kinds:
        seen[kind] += 1
        names.append(f"{kind} {seen[kind]}")
    return names


def groups_of(compiled: CompiledArm) -> dict[int, str]:
    """The link and direction, or the joint, that every coordinate belongs to."""
    groups = {int(c): f"{name} joint" for c, name in zip(compiled.joint_coordinates, compiled.joint_names, strict=True)}
    for c, link, direction in zip(
        compiled.elastic_coordinates, compiled.elastic_links, compiled.elastic_directions, strict=True
    ):
        groups[int(c)] = f"{link} {direction.replace('_', ' ')}"
    return groups
