"""Damping given as the ratio of a mode of the whole arm: the retardation time its beams need for it (NOTATION O10)."""

from __future__ import annotations

import numpy as np

from flexarm.assembly.compiled_arm import CompiledArm
from flexarm.batched import Batch
from flexarm.batched.number import NotScalar
from flexarm.core.sweeps.dynamics import crba, elastic_blocks, new_work
from flexarm.core.tree.types import S_K, Floats
from flexarm.errors import AnalysisError
from flexarm.model import Arm, Damping, Link


def damped_as_a_whole(arm: Arm) -> bool:
    """True if the damping of some link is a ratio of the whole arm."""
    return any(_as_a_whole(link) for link in arm.links)


def _as_a_whole(link: Link) -> bool:
    return link.damping is not None and link.damping.of == "arm"


def without_arm_damping(arm: Arm) -> Arm:
    """The arm without the dampers that are ratios of the whole arm."""
    links = [
        link.changed(damping=Damping(retardation=0.0))
        if link.damping is not None and link.damping.of == "arm"
        else link
        for link in arm.links
    ]
    return arm.changed(links=tuple(links))


def with_retardation(arm: Arm, undamped: CompiledArm) -> Arm:
    """The arm whose ratios have become retardation times 2ζ/ω, with ω of the undamped arm, joints held at the start."""
    if any(isinstance(array, Batch) for array in undamped.tree):
        raise NotScalar("damping is a ratio of the whole arm")
    frequencies = held_frequencies(undamped)
    links = []
    for link in arm.links:
        damping = link.damping
        if damping is not None and damping.of == "arm":
            if damping.mode > len(frequencies):
                raise AnalysisError(
                    f'link "{link.name}": damping.mode is {damping.mode}, must be ≤ the number of elastic coordinates '
                    f"of the arm, {len(frequencies)}"
                )
            assert damping.ratio is not None
            time = 2.0 * damping.ratio / float(frequencies[damping.mode - 1])
            link = link.changed(damping=Damping(retardation=time))
        links.append(link)
    return arm.changed(links=tuple(links))


def held_frequencies(compiled: CompiledArm) -> Floats:
    """Angular frequencies (rad/s) of the arm with its joints held where they start, without gravity, ascending."""
    from scipy.linalg import eigh

    tree, q = compiled.tree, np.array(compiled.start, dtype=float)
    q[compiled.elastic_coordinates] = 0.0
    mass = np.zeros((len(q), len(q)))
    crba(tree, q, np.zeros_like(q), mass, new_work(tree))
    stiffness = np.diag(np.array(tree.spring[:, S_K]))
    for where, block, _ in elastic_blocks(tree):
        stiffness[where, where] = block
    own = np.ix_(compiled.elastic_coordinates, compiled.elastic_coordinates)
    squares = eigh(stiffness[own], mass[own], eigvals_only=True)
    return np.asarray(np.sqrt(np.maximum(squares, 0.0)))
