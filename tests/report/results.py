"""One cheap result of every verb that has a page."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import flexarm as fa

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = ("modes", "campbell", "compare", "brake", "shape", "montecarlo", "reliability", "sensitivity", "rare")
# The planar rod with random length and stiffness, with few elements.
RANDOM = (EXAMPLES / "tolerances.toml").read_text(encoding="utf-8").replace("elements = 10", "elements = 2")
REGIONS = (
    fa.Requirement("circle", "circle", 0.001),
    fa.Requirement("box", "box", size=(0.002, 0.003)),
    fa.Requirement("ellipse", "ellipse", size=(0.002, 0.001), angle=0.5),
    fa.Requirement("rests", "settled", 0.003, at=(1.6,)),
)


@cache
def result_of(name: str) -> Any:
    """The result of a verb, made once; of rare failures its data, as FORM reports them."""
    arm = fa.read_arm(EXAMPLES / "rod_handler.toml")
    match name:
        case "modes":
            return fa.modes(arm, count=4)
        case "campbell":
            return fa.campbell(fa.parse_arm(ROTOR), spins=(0.0, 40.0, 9), count=2)
        case "compare":
            return fa.compare(arm, ["rigid-fe"], elements=(2, 4, 8), tolerance=1e-4)
        case "brake":
            return fa.brake(
                arm, between=(0.44, 0.56), points=13, explain=False, limit="1 mm", uncertain={"stiffness": 0.05}
            )
        case "shape":
            return fa.shape(arm, shapers=["zv"], laws=[])
        case "montecarlo":
            return fa.montecarlo(study(), samples=16, per_parameter=True, workers=1)
        case "reliability":
            return fa.reliability(study(), REGIONS, samples=120, workers=1, wanted=0.9)
        case "sensitivity":
            return fa.sensitivity(study(), outputs=["tip.y", "max(tip.deflection)"], times=5, samples=64, workers=1)
        case _:
            return RARE


def study() -> fa.StudyModel:
    """The random arm."""
    return fa.parse_study(RANDOM, name="random arm")


ROTOR = """\
name = "rotor"
planar = true
gravity = [0, 0, 0]

[[link]]
name = "blade"
joint = { type = "revolute", axis = "z", motion = "held" }
length = "1 m"
beam = { bending_stiffness = "20 N m^2", mass_per_length = "1 kg/m" }
model = { formulation = "rigid-fe", elements = 6 }
damping = { retardation = "1 ms" }

[motion.held]
kind = "hold"
"""

_ALL = {
    "name": "all",
    "nominal": None,
    "failure": 6.3e-4,
    "interval": [6.3e-4, 6.3e-4],
    "cov": None,
    "index": 3.224,
    "blame": {"link[1].length": 0.927, "link[1].beam.bending_stiffness": 0.073},
    "design_points": [],
    "levels": [{"of_limit": 0.5, "probability": 0.1}, {"of_limit": 1.0, "probability": 6.3e-4}],
    "runs": [],
    "trouble": "",
}
# What the study of rare failures reports of one requirement, in the words of its to_dict.
RARE = {
    "arm": "random arm",
    "method": "form",
    "seed": 1,
    "evaluations": 3,
    "complete": True,
    "failed": {"refused": 1},
    "reasons": {"refused": "link[1].length is -1 m, must be > 0"},
    "folder": None,
    "failure": 6.3e-4,
    "reliability": 1.0 - 6.3e-4,
    "parameters": [
        {"name": "link[1].length", "unit": "m", "mean": 1.0, "deviation": 1e-3},
        {"name": "link[1].beam.bending_stiffness", "unit": "N m²", "mean": 1586.5, "deviation": 48.0},
    ],
    "all": _ALL,
    "requirements": [
        _ALL
        | {
            "name": "stops there",
            "requirement": {"name": "stops there", "kind": "circle", "limit": 0.0036, "point": "tip"},
            "unit": "m",
            "nominal": 0.0,
            "design_points": [
                {
                    "index": 3.224,
                    "failure": 6.3e-4,
                    "curved": None,
                    "own": {"link[1].length": 0.9969, "link[1].beam.bending_stiffness": 1638.8},
                    "standard": {"link[1].length": -3.14, "link[1].beam.bending_stiffness": 1.09},
                    "blame": {"link[1].length": 0.898, "link[1].beam.bending_stiffness": 0.102},
                    "kink": False,
                }
            ],
        }
    ],
    "blame": _ALL["blame"],
    "remarks": [],
    "cloud": {"requirement stops there": [0.0, 0.0018, 0.0037]},
    "failed_samples": [{"sample": 2, "status": "refused", "reason": "link[1].length is -1 m, must be > 0"}],
}
