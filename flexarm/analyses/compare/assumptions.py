"""Which assumptions of its model a run did not keep: small deflection, no shear, no speed to speak of."""

from __future__ import annotations

import numpy as np

from flexarm.analyses.compare.measures import Measured
from flexarm.analyses.compare.reference import Reference
from flexarm.analyses.compare.variants import can_vary
from flexarm.model import Arm, Formulation, Link
from flexarm.model.freedoms import freedoms_of
from flexarm.results.comparison import Assumption
from flexarm.results.engineering import digits, percent, quantity

# What changes a deflection by less than this part, or than the tolerance, is neglected with good reason.
NEGLIGIBLE = 0.01
# Gauss points along a beam: exact where it is uniform, to many digits where it tapers.
_POINTS = 12
# What a warning may begin with that is not about deflection.
_KINDS = ("inertia", "energy")


def broken_assumptions(arm: Arm, found: Measured, reference: Reference) -> tuple[Assumption, ...]:
    """A sentence for each assumption the run of this model did not keep."""
    remarks = [
        Assumption(next((kind for kind in _KINDS if sentence.startswith(f"the {kind} ")), "deflection"), sentence)
        for sentence in found.warnings
    ]
    peak = reference.history.peak
    level = max(NEGLIGIBLE, reference.tolerance / peak if peak > 0.0 else NEGLIGIBLE)
    for link in arm.links:
        if can_vary(link):
            remarks += _shear(link, arm.planar, level)
            remarks += _speed(link, reference, level)
    return tuple(remarks)


def _shear(link: Link, planar: bool, level: float) -> list[Assumption]:
    """Shear that is left out although it matters."""
    if _shears(link, planar):
        return []
    part = shear_part(link, planar)
    if part is None or part <= level:
        return []
    return [
        Assumption(
            "shear",
            f'link "{link.name}": shear adds {_percent(part)} to its deflection under a load at the tip, and this '
            f'model has none; try theory = "timoshenko" or, of rigid-fe, freedoms with "shear"',
        )
    ]


def _shears(link: Link, planar: bool) -> bool:
    """True if the model of the link lets its sections shear."""
    assert link.beam is not None
    return "shear" in freedoms_of(link.formulation, link.beam.properties(), planar)


def shear_part(link: Link, planar: bool) -> float | None:
    """What shear adds to the deflection under a load at the tip, as part of what bending does; None if unknown.

    Of a uniform beam 3EI/(κGA L²); the worse of the two planes of a spatial arm.
    """
    assert link.beam is not None
    xi, weights = link.beam.quadrature(_POINTS)
    here = [link.beam.properties(float(x)) for x in xi]
    parts = []
    for stiff, shear in (("EIz", "GAy"),) if planar else (("EIz", "GAy"), ("EIy", "GAz")):
        rows = [(getattr(each, stiff), getattr(each, shear)) for each in here]
        if any(bending is None or shearing is None for bending, shearing in rows):
            continue
        bending, shearing = np.array(rows, dtype=float).T
        lever = link.length * (1.0 - xi)
        parts.append(float(weights @ (1.0 / shearing)) / float(weights @ (lever**2 / bending)))
    return max(parts, default=None)


def _speed(link: Link, reference: Reference, level: float) -> list[Assumption]:
    """A speed at which a link without stiffening softens too much, or one that rotation leaves alone is too soft.

    In its own frame it loses Ω² of ω₁², the square of its first frequency, and has none left where both are equal.
    The printed chain loses nothing, and gains nothing either where a beam would stiffen by the order of Ω².
    """
    if not unstiffened(link.formulation) or not reference.frequencies or reference.frequencies[0] <= 0.0:
        return []
    turning = reference.turning[link.name]
    part = (turning / (2.0 * np.pi * reference.frequencies[0])) ** 2
    if part <= level:
        return []
    outcome = "and diverges" if part >= 1.0 else f"and softens by {_percent(part)}"
    advice = f"a link frame without stiffening takes that for a loss of stiffness {outcome}; try stiffening = true"
    if _printed(link.formulation):
        advice = 'the printed chain does not feel it and does not stiffen; try kinematics = "finite"'
    return [
        Assumption(
            "speed",
            f'link "{link.name}" turns with up to {quantity(turning, "rad/s", 3)}, {digits(np.sqrt(part), 2)} of its '
            f"first frequency: {advice}",
        )
    ]


def unstiffened(model: Formulation) -> bool:
    """True if one frame for the whole link does not feel that rotation stiffens it.

    Elements with frames of their own follow the bent link whether they are stiffened or not.
    """
    return _printed(model) or (model.frames == "link" and not model.stiffening)


def _printed(model: Formulation) -> bool:
    return model.kinematics == "printed"


def _percent(part: float) -> str:
    return percent(part, 2)
