"""Is the arm valid, and what is it made of?"""

from __future__ import annotations

from flexarm.analyses.overview import arm_overview, arm_summary
from flexarm.assembly import compile_arm
from flexarm.model import Arm
from flexarm.model.reading.given import takes_arm
from flexarm.results.overview import Overview

_FREQUENCIES = 4


@takes_arm
def check(arm: Arm, *, frequencies: bool = False) -> Overview:
    """What the arm is made of, what drives it and what its model leaves out; nothing is simulated.

    Parameters
    ----------
    arm
        An arm, or the path of its model file; a file with mistakes raises `ModelError`, which names all of them.
    frequencies
        Also finds the lowest frequencies (Hz) with all joints locked.

    Returns
    -------
    Overview
        Masses (kg), reach (m), drives, beams with their elements and freedoms, and remarks.

    Examples
    --------
    >>> import flexarm as fa
    >>> "rod" in fa.check("rod_handler.toml").summary()
    True
    """
    compiled = compile_arm(arm, closed=True)
    facts, text = arm_summary(compiled), arm_overview(compiled)
    if any(span.frames == "link" for span in compiled.spans):
        # only links in one frame ask for the engine
        from flexarm.analyses.run.link_frames import frame_remarks

        remarks = frame_remarks(compiled)
        facts = {**facts, "remarks": [*facts.get("remarks", ()), *remarks]}
        text = "\n".join([text, *([""] if remarks else []), *(f"  beware: {each}" for each in remarks)])
    if frequencies:
        found: list[float] = []
        if len(compiled.elastic_coordinates):
            from flexarm.analyses.modes.modes import modes

            found = modes(arm, joints="locked", count=_FREQUENCIES).frequencies_hz.tolist()
        facts = {**facts, "frequencies_hz": found}
        shown = ", ".join(f"{frequency:.5g} Hz" for frequency in found)
        words = f"frequencies with all joints locked: {shown}" if found else "no link is flexible: no frequencies"
        text = f"{text}\n\n  {words}"
    return Overview(arm_name=arm.name, facts=facts, text=text, arm=arm)
