"""The Hermitian Timoshenko element: the links of the paper, and of those it is compared with."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from flexarm.analyses.modes.modes import modes
from flexarm.analyses.run.simulate import simulate
from flexarm.papers.files import paper_arm
from flexarm.results import Trajectory

# Diameter (m) of the paper's section.
DIAMETER = 0.0185
# Models of the link that is spun up; all but one without stiffening, in the frame of the link, as the paper's.
_PLAIN = {"frames": "link", "stiffening": False}
MODELS: dict[str, dict[str, Any]] = {
    "plain": {"formulation": "hermite", "elements": 4, **_PLAIN},
    "n2": {"formulation": "hermite", "elements": 2, **_PLAIN},
    "fine": {"formulation": "hermite", "elements": 12, **_PLAIN},
    "isoparametric": {"formulation": "isoparametric", "elements": 4, **_PLAIN},
    "isoparametric2": {"formulation": "isoparametric", "elements": 2, **_PLAIN},
    "modes": {"formulation": "modes", "modes": 2, "stiffening": False},
    "stiffened": {"formulation": "hermite", "elements": 16, "frames": "element", "stiffening": True},
}


@cache
def spun(word: str) -> Trajectory:
    """The link of 1 m spun up to 50 rad/s within a second, by a named model."""
    arm = paper_arm("hermite_link.toml")
    link = arm.links[0]
    turned = link.changed(length=1.0, joint=link.joint.changed(motion="spin"), model=MODELS[word])
    return simulate(arm.changed(links=(turned,)), end=1.0, output=5e-3)


def frequency_parameter(span: int, **model: Any) -> float:
    """λ1 = ω1 L² √(ρA/EI) of a square cantilever so many times as long as thick, by elements in their own frames."""
    arm = paper_arm("hermite_link.toml")
    link = arm.links[0]
    # E/G = 2.6 is a Poisson's ratio of 0.3, the model file's; only ratios count
    side = 0.01
    section = {"shape": "rectangle", "width": side, "height": side, "shear": 5.0 / 6.0}
    assert link.beam is not None
    beam = link.beam.changed(section=section)
    changed = link.formulation.changed(**({"frames": "element", "stiffening": True} | model))
    stubby = arm.changed(links=(link.changed(length=span * side, beam=beam, model=changed),))
    bound = stubby.links[0].beam
    assert bound is not None
    properties = bound.properties()
    assert properties.EIz is not None
    omega = 2.0 * np.pi * float(modes(stubby, joints="locked", count=1).frequencies_hz[0])
    return float(omega * (span * side) ** 2 * np.sqrt(properties.mass_per_length / properties.EIz))
