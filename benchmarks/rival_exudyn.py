"""Exudyn: the models, settings and step counts that proved fastest.

Explicit integrators are not offered: stiff springs and dampers hold them to more than 12 000 steps at ten elements of
the planar case (several times the CPU time of the implicit ones) and put them out of reach at fifty and two hundred.
"""

from collections.abc import Sequence
from functools import partial

import exudyn as exu

from benchmarks import planar_case, two_link_case
from benchmarks.candidate import Candidate
from benchmarks.exudyn_floating import FloatingFrames
from benchmarks.exudyn_loop import candidate
from benchmarks.exudyn_models import RodOfBodies, RodTree
from benchmarks.exudyn_two_link import Cables, PieceTree, ShearBeams

NAME = "Exudyn"
VERSION = exu.config.Version()
METHOD = "generalised-α 0.9, modified Newton"

# Second-order methods: the error falls with the square of the step, and steps around 0.6 ms meet 1e-5 m.
TREE_STEPS = (3400,)
BODY_STEPS = (2000, 2200, 2400, 2800)
LARGEST_TREE = 50  # its dense mass matrix costs the square of the links: at two hundred it takes four times longer

CABLE_STEPS = (700, 800, 900, 1000)
SOFTENING = 30.0  # see `Cables`; a hundred moves the tip too much


def planar_candidates(case: planar_case.PlanarCase) -> list[Candidate]:
    """Both forms at step counts around the fewest that meet the error."""
    out = []
    if case.elements <= LARGEST_TREE:
        for steps in TREE_STEPS:
            words = f"kinematic tree in the moving frame, {METHOD}, {steps} steps"
            out.append(candidate(partial(RodTree, case, steps), words, planar_case.SAMPLE_TIMES))
    for steps in BODY_STEPS:
        words = f"plane bodies and joints, sparse, {METHOD}, {steps} steps"
        out.append(candidate(partial(RodOfBodies, case, steps), words, planar_case.SAMPLE_TIMES))
    return out


def two_link_cables(elements: Sequence[int]) -> list[Candidate]:
    """Cable elements, so many on each link, at step counts around the fewest that meet the error."""
    words = f"{' and '.join(map(str, elements))} cable elements, stretching softened {SOFTENING:g} times"
    return [_two_link(partial(Cables, elements, steps, SOFTENING), words, steps) for steps in CABLE_STEPS]


def two_link_alternatives(*, fine: bool) -> list[Candidate]:
    """Other forms of the two-link arm: with a mesh that leaves most of the error to the steps, or the coarsest of use.

    The coarse ones owe their small error to a mesh that swings too fast and steps that swing too slow.
    """
    beams, pieces, modes = ((8, 800), (9, 800), (2, 800)) if fine else ((6, 600), (6, 600), (2, 700))
    return [
        _two_link(partial(ShearBeams, *beams), f"{beams[0]} geometrically exact beams a link", beams[1]),
        _two_link(partial(PieceTree, *pieces), f"kinematic tree, {pieces[0]} springs a link", pieces[1]),
        _two_link(partial(FloatingFrames, *modes), f"floating frames, {modes[0]} modes a link", modes[1]),
    ]


def _two_link(build: partial, words: str, steps: int) -> Candidate:
    return candidate(build, f"{words}, {METHOD}, {steps} steps", two_link_case.SAMPLE_TIMES)
