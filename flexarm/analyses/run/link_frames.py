"""How far links in one frame may bend: up to where the arm's inertia stays definite, and what to change beyond it.

The kinetic energy of a link in one frame is cut off at second order. Where the arm can move so that the link stays at
rest in space while its frame turns, orders zero and one cancel and the remainder may be negative: with many shapes and
little inertia at the joints far inside the deflection up to which second order is accurate.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from flexarm.analyses.equilibrium import Forces
from flexarm.assembly import CompiledArm
from flexarm.assembly.bodies import FlexibleSpan
from flexarm.core.sweeps.dynamics import spring_matrices
from flexarm.core.tree.types import Floats
from flexarm.model import Link

# Beyond this part of a link's length second order is no longer meant.
_FAR = 0.3
# Up to this part second order is accurate to about a per cent: this is documented as its range.
_STATED = 0.1
# Bisections: to less than a hundredth of that.
_HALVINGS = 8
# Ways to bend the links at once that are tried.
_MOST_WAYS = 32
# Part of the inertia a joint moves that, at the joint itself, keeps a link on it definite: 1e-2 m L² of a bare rod.
_HUB_SHARE = 0.03
# Part of the straight arm's least inertia below which it is to blame for a step that fails.
_GONE = 0.2
# Twist this much softer than bending across the strong axis, a beam is a strip.
_STRIP = 0.1


def in_one_frame(compiled: CompiledArm) -> list[FlexibleSpan]:
    """The flexible bodies that are whole links."""
    return [span for span in compiled.spans if span.frames == "link"]


def definite_up_to(compiled: CompiledArm) -> float | None:
    """Deflection, as part of the length, up to which the arm's inertia stays definite in its posture at the start.

    All links in one frame are bent at once, each as a force at its tip would bend it, one way and the other; the least
    of all is returned. None: there is no such link, or the inertia stays definite up to 0.3.
    """
    spans = in_one_frame(compiled)
    if not spans:
        return None
    forces, least = Forces(compiled), _FAR
    stiffness = spring_matrices(compiled.tree)[0]
    axes = (1,) if compiled.arm.planar else (1, 2)
    shapes = [[_bent(span, stiffness, axis) for axis in axes] for span in spans]
    for axis, signs in [*product(range(len(axes)), product((1.0, -1.0), repeat=len(spans)))][:_MOST_WAYS]:
        if signs[0] < 0.0 and len(axes) == 1 and len(spans) == 1:
            continue
        bend = np.zeros(len(compiled.coordinate_names))
        for span, shape, sign in zip(spans, shapes, signs, strict=True):
            bend[span.first : span.first + span.phi.shape[1]] = sign * shape[axis]
        if _definite(forces, compiled.start + least * bend):
            continue
        low, high = 0.0, least
        for _ in range(_HALVINGS):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if _definite(forces, compiled.start + middle * bend) else (low, middle)
        least = low
    return None if least == _FAR else least


def _bent(span: FlexibleSpan, stiffness: Floats, axis: int) -> Floats:
    """Coordinates of a link that a force across its tip bends by its length."""
    own = slice(span.first, span.first + span.phi.shape[1])
    bent = np.linalg.solve(stiffness[own, own], span.phi[axis])
    moved = float(span.phi[axis] @ bent)
    return bent * (span.length / moved) if moved > 0.0 else 0.0 * bent


def _definite(forces: Forces, q: Floats) -> bool:
    """True if the mass matrix of the free coordinates is positive definite."""
    free = forces.compiled.free
    mass = forces.mass(q)[np.ix_(free, free)]
    try:
        np.linalg.cholesky(mass)
    except np.linalg.LinAlgError:
        return False
    return True


def _least(compiled: CompiledArm, q: Floats) -> tuple[float, Floats]:
    """The least inertia of a motion of the free coordinates, of the unit diagonal's scale, and that motion (nq,)."""
    free = compiled.free
    mass = Forces(compiled).mass(np.ascontiguousarray(q))
    size = 1.0 / np.sqrt(np.maximum(np.abs(np.diag(mass)), 1e-300))
    values, vectors = np.linalg.eigh((mass * np.outer(size, size))[np.ix_(free, free)])
    motion = np.zeros(len(q))
    motion[free] = vectors[:, 0]
    return float(values[0]), motion


def nearly_lost(compiled: CompiledArm, q: Floats) -> bool:
    """True if links in one frame are bent so far at coordinates q (nq,) that the least inertia is all but gone."""
    if not in_one_frame(compiled) or not np.all(np.isfinite(q)):
        return False
    straight = q.copy()
    for span in in_one_frame(compiled):
        straight[span.first : span.first + span.phi.shape[1]] = 0.0
    return _least(compiled, q)[0] < _GONE * _least(compiled, straight)[0]


def weakest(compiled: CompiledArm, q: Floats) -> FlexibleSpan:
    """The link in one frame whose coordinates take most part in the motion of least inertia at coordinates q (nq,)."""
    motion = _least(compiled, q)[1]

    def part(span: FlexibleSpan) -> float:
        """How much of the motion is the link's."""
        return float(np.sum(motion[span.first : span.first + span.phi.shape[1]] ** 2))

    return max(in_one_frame(compiled), key=part)


def lost(compiled: CompiledArm, q: Floats) -> tuple[str, str] | None:
    """Message and advice where the inertia of an arm with links in one frame is lost near coordinates q (nq,)."""
    if not in_one_frame(compiled):
        return None
    span = weakest(compiled, q)
    share = definite_up_to(compiled)
    holds = "" if share is None else f" (bent by forces at the tips this arm's holds to about {share:.2g})"
    return (
        f'the inertia is no longer positive definite: link "{span.link}" has one frame for its whole length and bends '
        f"by {span.bend(q[None, :]):.2g} of it; its kinetic energy of second order does not hold there{holds}",
        cure(compiled, span.link),
    )


def cure(compiled: CompiledArm, link: str) -> str:
    """What to change in the model file so that a link in one frame bends farther."""
    found = compiled.arm.link(link)
    words = [f'{_elements(found)} in link "{link}" (one frame for each element)']
    model = found.formulation
    if model.modes > 2:
        words.append(f"fewer shapes (modes = 2 in place of {model.modes})")
    joint = found.joint
    if joint.type == "revolute" and not joint.prescribed:
        c = compiled.coordinate_names.index(link)
        moved = float(Forces(compiled).mass(compiled.start)[c, c])
        words.append(f'inertia at its joint (rotor_inertia = "{_HUB_SHARE * moved:.2g} kg m^2")')
    return ", ".join(words[:-1]) + (" or " if len(words) > 1 else "") + words[-1]


def _elements(link: Link) -> str:
    """The model of a link with a frame for each element."""
    model = link.formulation
    if model.traits.link_frame == "always":
        return f'model = {{ formulation = "hermite", elements = {max(4, 2 * model.modes)} }}'
    return 'frames = "element"' + (" without modes" if model.modes else "")


def frame_remarks(compiled: CompiledArm) -> list[str]:
    """One sentence for every link in one frame whose range is short or whose section asks for more than it has."""
    remarks = []
    share = definite_up_to(compiled)
    if share is not None and share < _STATED:
        links = list(dict.fromkeys(span.link for span in in_one_frame(compiled)))
        name = min(links, key=lambda each: -compiled.arm.link(each).formulation.modes)
        remarks.append(
            f"links in one frame ({', '.join(links)}): the arm's inertia stays definite up to a deflection of about "
            f"{share:.2g} of their length, and runs that bend them farther stop; try {cure(compiled, name)}"
        )
    for span in in_one_frame(compiled):
        beam = compiled.arm.link(span.link).beam
        assert beam is not None
        here = beam.properties(0.0)
        strong = max(here.EIy or 0.0, here.EIz or 0.0)
        if not compiled.arm.planar and here.GJ is not None and here.GJ < _STRIP * strong:
            remarks.append(
                f'link "{span.link}" is a strip (GJ is {here.GJ / strong:.2g} EI) in one frame: products of twist and '
                "bending move what it carries and its weight, but not its own inertia; where it is accelerated hard "
                f"across, try {_elements(compiled.arm.link(span.link))}"
            )
    return remarks
