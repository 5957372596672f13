"""Table II of Naganathan: a plane frame of linear elements under a force at its tip (rows `naganathan.table2.*`)."""

from __future__ import annotations

from collections.abc import Iterator

from flexarm.analyses.statics import statics
from flexarm.model import Arm
from flexarm.papers.files import paper_arm
from flexarm.papers.row import Row, judged

INCH = 0.0254  # m
# Elements in AB and in BD, and the deflection printed for them (inches).
PRINTED = {(2, 2): 3.55, (4, 4): 3.59, (4, 6): 3.61}
EXACT = 3.61
WITHIN = 0.01  # in: the last digit, which the thesis cuts as often as it rounds
_READING = (
    "of the frame's figure only 240 in is legible: read as two members of 240 in and one section, clamped at A, pushed "
    "at D, by a force for which the formula has 3.61 in. So the ratios compare: in a member bent by a shear force n "
    "elements are too stiff by 1/4n², and a quarter of the deflection comes from BD's own"
)


def frame_rows() -> Iterator[Row]:
    """All entries of the table."""
    arm = paper_arm("naganathan_frame.toml")
    for (first, second), printed in PRINTED.items():
        links = tuple(
            link.changed(model=link.formulation.changed(elements=n))
            for link, n in zip(arm.links, (first, second), strict=True)
        )
        value = float(statics(arm.changed(links=links)).tip_sag["tip"][0]) / INCH
        name = f"naganathan.table2.ab{first}.bd{second}"
        yield judged(name, value, "in", paper=printed, within=WITHIN, note=_READING)
    note = f"formula (3.3), bending alone; {_READING}"
    yield judged("naganathan.table2.exact", _by_formula(arm) / INCH, "in", paper=EXACT, within=WITHIN, note=note)


def _by_formula(arm: Arm) -> float:
    """∫ M m / EI over both members (m): the force on its lever in BD, its whole moment in AB."""
    first, second = arm.links
    assert second.beam is not None
    stiffness = second.beam.properties().EIz
    assert stiffness is not None
    force = float(arm.loads[0].force[0])
    return force * (second.length**3 / 3.0 + second.length**2 * first.length) / stiffness
