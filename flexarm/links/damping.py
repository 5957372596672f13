"""Damping of a beam's springs: by retardation time, by the ratio of a clamped mode, or per spring."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from flexarm.core.build import build_tree
from flexarm.core.dynamics import crba, new_work
from flexarm.errors import AnalysisError
from flexarm.links.base import BeamSpan, LinkBlock
from flexarm.model import Link


def clamped_frequencies(block: LinkBlock) -> np.ndarray:
    """Angular frequencies (rad/s) of the beam alone, clamped at its base, ascending."""
    tree, _, _ = build_tree(block.bodies, gravity=np.zeros(3))
    nq = len(block.bodies)
    mass = np.zeros((nq, nq))
    crba(tree, np.zeros(nq), np.zeros(nq), mass, new_work(tree))
    # K is diagonal: K^-½ M K^-½ has the eigenvalues 1/ω²
    root = 1.0 / np.sqrt(tree.spring[:, 0])
    values = np.linalg.eigvalsh(root[:, None] * mass * root[None, :])
    return np.sort(1.0 / np.sqrt(np.maximum(values, 1e-300)))


def damped(block: LinkBlock, span: BeamSpan, link: Link) -> LinkBlock:
    """The block with its dampers."""
    damping = link.effective_damping
    if damping is None:
        return block
    if damping.per_spring is not None:
        bodies = tuple(
            replace(body, damping=damping.per_spring) if direction.startswith("bending") else body
            for body, direction in zip(block.bodies, block.directions, strict=True)
        )
        return replace(block, bodies=bodies)
    retardation = damping.retardation
    if damping.ratio is not None:
        frequencies = clamped_frequencies(block)
        mode = damping.mode or 1
        if mode > len(frequencies):
            raise AnalysisError(
                f'link "{link.name}": damping.mode is {mode}, must be ≤ the number of elastic coordinates, '
                f"{len(frequencies)}"
            )
        retardation = 2.0 * damping.ratio / float(frequencies[mode - 1])
    assert retardation is not None
    return replace(block, bodies=tuple(replace(body, damping=retardation * body.stiffness) for body in block.bodies))
