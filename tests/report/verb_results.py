"""One cheap result of statics, torques and linearise, and what check and reproduce hand to their pages."""

from __future__ import annotations

from functools import cache
from typing import Any

import flexarm as fa
from flexarm.analyses.overview import arm_summary
from flexarm.analyses.versions import versions
from flexarm.assembly import compile_arm
from flexarm.papers.row import judged
from tests.report.results import EXAMPLES

VERBS = ("statics", "torques", "linearise", "check", "reproduce")
_ROD = EXAMPLES / "rod_handler.toml"

CHECKED = {
    "checked": [
        {
            "model": "rod_handler.toml",
            "sound": True,
            **arm_summary(compile_arm(fa.read_arm(_ROD))),
            "input": _ROD.read_text(encoding="utf-8"),
            "frequencies_hz": [12.587, 79.333],
        }
    ],
    "versions": versions(),
}
REPRODUCED = {
    "reproduced": [
        judged("fine.a", 1.01, "Hz", paper=1.0, within=0.1).to_dict(),
        judged("fine.b", 4.0, "Hz", paper=1.0, within=0.1, note="a slip of the paper").to_dict(),
        judged("fine.c", 2.0, "m").to_dict(),
    ],
    "failed": ["lost: could not be computed"],
    "inputs": {"fine_arm.toml": _ROD.read_text(encoding="utf-8")},
    "versions": versions(),
}


@cache
def verb_result(name: str) -> Any:
    """The result of a verb, made once."""
    match name:
        case "statics":
            return fa.statics(fa.read_arm(EXAMPLES / "strip.toml"))
        case "torques":
            return fa.torques(fa.read_arm(_ROD))
        case "linearise":
            return fa.linearise(fa.read_arm(EXAMPLES / "pendulum.toml"))
        case "check":
            return CHECKED
        case _:
            return REPRODUCED
