"""Exudyn: the models, settings and step counts that proved fastest.

Explicit integrators are not offered: stiff springs and dampers hold them to more than 12 000 steps at ten elements of
the planar case (several times the CPU time of the implicit ones) and put them out of reach at fifty and two hundred.
"""

from collections.abc import Callable, Sequence
from functools import partial

import exudyn as exu

from benchmarks import planar_case, spin_up_case, two_link_case
from benchmarks.candidate import Candidate
from benchmarks.exudyn_beams import Cables, PieceTree, ShearBeams
from benchmarks.exudyn_floating import FloatingFrames
from benchmarks.exudyn_loop import Model, candidate
from benchmarks.exudyn_models import RodOfBodies, RodTree
from benchmarks.exudyn_spin_up import SpunCables, SpunShearBeams, SpunTree, spin_up_beams
from benchmarks.exudyn_two_link import BEAMS

NAME = "Exudyn"
VERSION = exu.config.Version()
METHOD = "generalised-α 0.9, modified Newton"
REPEATS = 5  # of a run of a few milliseconds

# Second-order methods: the error falls with the square of the step, and steps around 0.6 ms meet 1e-5 m.
TREE_STEPS = (3400,)
BODY_STEPS = (2000, 2200, 2400, 2800)
LARGEST_TREE = 50  # its dense mass matrix costs the square of the links: at two hundred it takes four times longer

CABLE_STEPS = (700, 800, 900, 1000)
SOFTENING = 30.0  # see `Cables`; a hundred moves the tip too much

# The fastest of several thousand: elements, how much softer they stretch (and shear), and steps;
SPIN_UP_CABLES = ((3, 20.0, 1200), (3, 20.0, 1400))
SPIN_UP_SHEAR_BEAMS = ((8, 10.0, 1200), (8, 10.0, 1600), (10, 20.0, 1200))
# springs, steps, and the residual (N m) below which a step counts as solved.
SPIN_UP_EQUAL = ((26, 90, 0.07), (28, 95, 0.07), (26, 110, 0.05), (30, 120, 0.01))
SPIN_UP_GAUSS = ((15, 85, 0.05), (15, 88, 0.05), (15, 90, 0.05), (14, 110, 0.01))


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
    return [_two_link(partial(Cables, BEAMS, elements, steps, SOFTENING), words, steps) for steps in CABLE_STEPS]


def two_link_alternatives(*, fine: bool) -> list[Candidate]:
    """Other forms of the two-link arm: with a mesh that leaves most of the error to the steps, or the coarsest of use.

    The coarse ones owe their small error to a mesh that swings too fast and steps that swing too slow.
    """
    beams, pieces, modes = ((8, 800), (9, 800), (2, 800)) if fine else ((6, 600), (6, 600), (2, 700))
    return [
        _two_link(partial(ShearBeams, BEAMS, *beams), f"{beams[0]} geometrically exact beams a link", beams[1]),
        _two_link(partial(PieceTree, BEAMS, *pieces), f"kinematic tree, {pieces[0]} springs a link", pieces[1]),
        _two_link(partial(FloatingFrames, BEAMS, *modes), f"floating frames, {modes[0]} modes a link", modes[1]),
    ]


def spin_up_candidates(case: spin_up_case.SpinUp) -> dict[str, list[Candidate]]:
    """By form: the spin-up with settings around the cheapest that keep 1e-3 of the lag.

    Elements whose nodes have absolute coordinates need ten times the steps of the tree, whose coordinates turn along.
    """
    beams = spin_up_beams(case)
    return {
        "cable elements": [
            _spin_up(case, lambda n, steps, softer=softer: SpunCables(beams, (n,), steps, softer), n, steps, softer)
            for n, softer, steps in SPIN_UP_CABLES
        ],
        "geometrically exact beams": [
            _spin_up(case, lambda n, steps, softer=softer: SpunShearBeams(beams, n, steps, softer), n, steps, softer)
            for n, softer, steps in SPIN_UP_SHEAR_BEAMS
        ],
        "tree of equal rigid pieces": [
            _spin_up(case, partial(SpunTree, beams, floor=floor), n, steps) for n, steps, floor in SPIN_UP_EQUAL
        ],
        "tree of rigid pieces, springs at Gauss points": [
            _spin_up(case, partial(SpunTree, beams, floor=floor, gauss=True), n, steps)
            for n, steps, floor in SPIN_UP_GAUSS
        ],
    }


def _spin_up(
    case: spin_up_case.SpinUp, form: Callable[[int, int], Model], count: int, steps: int, softer: float = 0.0
) -> Candidate:
    """One form with so many elements or springs, with half the step and with twice the elements as its companions."""
    words = f"{count} {'elements' if softer else 'springs'}"
    if softer:
        words += f", stretching softened {softer:g} times"
    return candidate(
        partial(form, count, steps),
        f"{words}, {METHOD}, {steps} steps",
        case.sample_times,
        repeats=REPEATS,
        finer=(partial(form, count, 2 * steps), partial(form, 2 * count, steps)),
    )


def _two_link(build: partial, words: str, steps: int) -> Candidate:
    return candidate(build, f"{words}, {METHOD}, {steps} steps", two_link_case.SAMPLE_TIMES)
