"""Is the arm sound, and what is it?"""

from __future__ import annotations

from flexarm.analyses.overview import arm_facts, arm_overview
from flexarm.compiled import compile_arm
from flexarm.model import Arm
from flexarm.model.given import takes_arm
from flexarm.results.overview import Overview

_FREQUENCIES = 4


@takes_arm
def check(arm: Arm, *, frequencies: bool = False) -> Overview:
    """What the arm is made of, what drives it and what its model leaves out; with `frequencies` also the lowest ones.

    An arm, or the path of its model file; a file with mistakes raises ModelError with all of them. Nothing is
    simulated.
    """
    compiled = compile_arm(arm)
    facts, text = arm_facts(compiled), arm_overview(compiled)
    if any(span.frames == "link" for span in compiled.spans):
        # only links in one frame ask for the engine
        from flexarm.analyses.link_frames import frame_remarks

        remarks = frame_remarks(compiled)
        facts = {**facts, "remarks": [*facts.get("remarks", ()), *remarks]}
        text = "\n".join([text, *([""] if remarks else []), *(f"  beware: {each}" for each in remarks)])
    if frequencies:
        found: list[float] = []
        if len(compiled.elastic_coordinates):
            from flexarm.analyses.modes import modes

            found = modes(arm, joints="locked", count=_FREQUENCIES).frequencies_hz.tolist()
        facts = {**facts, "frequencies_hz": found}
        shown = ", ".join(f"{frequency:.5g} Hz" for frequency in found)
        words = f"frequencies with all joints locked: {shown}" if found else "no link is flexible: no frequencies"
        text = f"{text}\n\n  {words}"
    return Overview(arm_name=arm.name, facts=facts, text=text, arm=arm)
