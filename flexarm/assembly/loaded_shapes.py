"""Links in shapes that know nothing of what they carry: by how much their frequencies are too high."""

from __future__ import annotations

import numpy as np

from flexarm.assembly.spans import span_of
from flexarm.model import Arm, Link
from flexarm.results.engineering import digits

_THEORIES = ("timoshenko", "rayleigh", "euler")
# So many frequencies of each direction are compared, with so many shapes that those are as good as exact.
_COMPARED, _ENOUGH = 3, 12
# An error below this is nothing to speak of.
_WORTH_SAYING = 1e-3


def shape_remarks(arm: Arm) -> list[str]:
    """A sentence for every link of assumed modes whose shapes are "clamped" though it carries something, with the
    greatest error of its first three frequencies in each direction, all it carries taken for one rigid body.
    """
    found = []
    for index, link in enumerate(arm.links):
        if _unloaded(link) and (link.payloads or index in arm.parents):
            worst = _worst(arm, index)
            if worst > _WORTH_SAYING:
                found.append(
                    f'link "{link.name}" carries something, but its shapes are "clamped", those of the bare beam: its '
                    f"first frequencies come out up to {digits(100.0 * worst, 2)} % too high; try shapes = "
                    '"payload"'
                )
    return found


def _unloaded(link: Link) -> bool:
    return (
        link.beam is not None
        and link.formulation.traits.mesh == "modes"
        and link.formulation.shapes == "clamped"
        and link.formulation.order != "printed"
    )


def _worst(arm: Arm, index: int) -> float:
    """The greatest relative error of a frequency of the link with what it carries."""
    # only arms with such links need the families of modes
    from flexarm.links.mesh import free_directions, theory_of
    from flexarm.links.mode_families import loaded_frequencies

    link = arm.links[index]
    loaded = link.changed(model=link.formulation.changed(shapes="payload", modes=link.formulation.modes))
    whole = arm.changed(links=(*arm.links[:index], loaded, *arm.links[index + 1 :]))
    span = span_of(whole, whole.links[index])
    base = span.properties(0.0)
    theory, count = theory_of(span, "modes", _THEORIES, base), link.formulation.modes
    worst = 0.0
    for direction in free_directions(span, base):
        rough = loaded_frequencies(span, count, theory, "clamped", direction)[:_COMPARED]
        fine = loaded_frequencies(span, _ENOUGH, theory, "payload", direction)[: len(rough)]
        worst = max(worst, float(np.max(rough / fine)) - 1.0)
    return worst
