"""An arm written for other programs: URDF, MJCF, a C library, an FMU."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from flexarm.analyses.contacts import refuse_any_meeting
from flexarm.analyses.export.mjcf import mjcf_text
from flexarm.analyses.export.pieces import pieces_of
from flexarm.analyses.export.urdf import urdf_text
from flexarm.assembly import refuse_closures
from flexarm.errors import AnalysisError
from flexarm.files import write_whole
from flexarm.model import Arm
from flexarm.model.reading.given import quantity_of, takes_arm
from flexarm.model.reading.messages import either, meant, shown

_TEXTS = {"urdf": urdf_text, "mjcf": mjcf_text}
FORMATS = (*_TEXTS, "c", "fmu")


@takes_arm
def export(
    arm: Arm,
    path: str | os.PathLike[str] | None = None,
    *,
    format: str = "urdf",
    rigid: bool = False,
    elements: int | None = None,
    inputs: Sequence[str] = (),
    outputs: Sequence[str] | None = None,
    end: float | str | None = None,
    period: float | str | None = None,
    processor: str | None = None,
    fmi: str | None = None,
) -> str:
    """The arm as the text of a file for another program, which is also written if a path is given.

    URDF and MJCF: beams become chains of rigid finite elements with springs and dampers between them, gears a joint
    with a spring behind the motor's; URDF has no springs, they stand in `<spring>` tags that flexarm reads and others
    ignore. C and FMU: the arm as `simulate` runs it, with the same bits, as a library that needs libc and libm alone.

    Parameters
    ----------
    arm
        The arm, or the path of its model file.
    path
        The file to write, replaced if it is there; of a C library the folder, whose name it takes.
    format
        "urdf", "mjcf", "c" or "fmu".
    rigid
        Leave out all that bends: beams and gears are stiff (URDF, MJCF).
    elements
        Rigid elements per beam (URDF, MJCF). Default: those of the link's model if it is a chain, else 10.
    inputs
        Torques from outside, such as ["hub.torque"], in place of whatever drives these joints; they are held over
        periods as `Plant` holds them (C, FMU). Default: none, the arm runs under its own commands.
    outputs
        Signals to be read, such as ["tip.x"] (C, FMU). Default: points, joints and gauges.
    end
        Time (s) at which the run ends (C, FMU). Default: that of the model file.
    period
        Usual time (s) between two looks at the arm (C, FMU). Default: the sampling interval, or end/1000.
    processor
        Level of processors the library is made for (C, FMU): "x86-64" runs anywhere, "x86-64-v3" and "native" give the
        bits of `simulate`. Default: "x86-64-v3" where this machine has it.

    fmi
        Version of the interface (FMU): "2.0" or "3.0". Default: "2.0".

    Returns
    -------
    str
        The text; of a C library its header, of an FMU its description.

    Examples
    --------
    >>> import flexarm as fa
    >>> text = fa.export("rod_handler.toml", rigid=True)
    >>> fa.Dynamics(fa.parse_arm(text)).names
    ('upper arm', 'forearm', 'rod')
    """
    if format not in FORMATS:
        raise AnalysisError(f"format is {shown(format)}, must be {either(FORMATS)}{meant(format, FORMATS)}")
    refuse_closures(arm, "export")
    refuse_any_meeting(arm, "of an export", "joints that stick, meet stops or have play are simulated here alone")
    if format in _TEXTS:
        given = {"inputs": inputs or None, "outputs": outputs, "end": end, "period": period, "processor": processor}
        _refuse(given | {"fmi": fmi}, format, "C libraries and FMUs")
        if elements is not None and not (isinstance(elements, int) and 1 <= elements <= 1000):
            raise AnalysisError(f"elements is {shown(elements)}, must be a whole number from 1 to 1000")
        text = _TEXTS[format](pieces_of(arm, rigid=rigid, elements=elements))
        if path is not None:
            write_whole(Path(path), text)
        return text
    _refuse({"rigid": rigid or None, "elements": elements}, format, "URDF and MJCF")
    if path is None:
        what = "the folder of the C library" if format == "c" else "the file of the FMU"
        raise AnalysisError(f"path is missing, must be {what}")
    seconds = {"end": end, "period": period}
    options = {name: None if x is None else quantity_of(x, "s", name, above=0) for name, x in seconds.items()}
    if format == "c":
        _refuse({"fmi": fmi}, format, "FMUs")
        from flexarm.analyses.export.library import write_library

        return write_library(arm, Path(path), inputs=inputs, outputs=outputs, processor=processor, **options)
    from flexarm.analyses.export.fmu import write_fmu

    chosen = "2.0" if fmi is None else fmi
    return write_fmu(arm, Path(path), inputs=inputs, outputs=outputs, processor=processor, fmi=chosen, **options)


def _refuse(given: Mapping[str, object], format: str, known: str) -> None:
    """Refuse an option that the format has no use for."""
    for name, value in given.items():
        if value is not None:
            raise AnalysisError(f'{name} is given with the format "{format}", must be left out: it is for {known}')
