"""An arm written as URDF or MJCF."""

from __future__ import annotations

import os
from pathlib import Path

from flexarm.analyses.export.mjcf import mjcf_text
from flexarm.analyses.export.pieces import pieces_of
from flexarm.analyses.export.urdf import urdf_text
from flexarm.assembly import refuse_closures
from flexarm.errors import AnalysisError
from flexarm.files import write_whole
from flexarm.model import Arm
from flexarm.model.reading.given import takes_arm
from flexarm.model.reading.messages import either, meant, shown

FORMATS = {"urdf": urdf_text, "mjcf": mjcf_text}


@takes_arm
def export(
    arm: Arm,
    path: str | os.PathLike[str] | None = None,
    *,
    format: str = "urdf",
    rigid: bool = False,
    elements: int | None = None,
) -> str:
    """The arm as the text of a URDF or MJCF file, which is also written if a path is given.

    Beams become chains of rigid finite elements with springs and dampers between them, gears a joint with a spring
    behind the motor's; URDF has no springs, they stand in `<spring>` tags that flexarm reads and others ignore.

    Parameters
    ----------
    arm
        The arm, or the path of its model file.
    path
        The file to write, replaced if it is there.
    format
        "urdf" or "mjcf".
    rigid
        Leave out all that bends: beams and gears are stiff.
    elements
        Rigid elements per beam. Default: those of the link's model if it is a chain, else 10.

    Returns
    -------
    str
        The text.

    Examples
    --------
    >>> import flexarm as fa
    >>> text = fa.export("rod_handler.toml", rigid=True)
    >>> fa.Dynamics(fa.parse_arm(text)).names
    ('upper arm', 'forearm', 'rod')
    """
    if format not in FORMATS:
        raise AnalysisError(f"format is {shown(format)}, must be {either(FORMATS)}{meant(format, FORMATS)}")
    if elements is not None and not (isinstance(elements, int) and 1 <= elements <= 1000):
        raise AnalysisError(f"elements is {shown(elements)}, must be a whole number from 1 to 1000")
    refuse_closures(arm, "export")
    text = FORMATS[format](pieces_of(arm, rigid=rigid, elements=elements))
    if path is not None:
        write_whole(Path(path), text)
    return text
