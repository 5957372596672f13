"""Arms that are held beside their joints, and where closed-form kinematics has them."""

from __future__ import annotations

import numpy as np

import flexarm as fa

# A four-bar linkage: crank, coupler, rocker, and the place of the rocker's bearing; a slider-crank of crank and rod.
LENGTHS, BEARING, BEGIN = (0.3, 1.0, 0.8), 0.9, 0.3
CRANK, ROD = 0.2, 0.7
MASSES, INERTIAS = (1.0, 2.0, 2.0), (0.01, 0.2, 0.2)


def four_bar_angles(crank: float) -> tuple[float, float]:
    """Directions (rad) of coupler and rocker, drawn from joint to joint, by the law of cosines."""
    a, b, c = LENGTHS
    x, y = BEARING - a * np.cos(crank), -a * np.sin(crank)
    far = np.hypot(x, y)
    coupler = np.arctan2(y, x) + np.arccos((b * b + far * far - c * c) / (2 * b * far))
    rocker = np.arctan2(y - b * np.sin(coupler), x - b * np.cos(coupler))
    return float(coupler), float(rocker)


def four_bar(drive: str, more: str = "") -> fa.Arm:
    """The four-bar linkage with something that moves its crank, in TOML."""
    coupler, rocker = four_bar_angles(BEGIN)
    angles = (BEGIN, coupler - BEGIN, rocker - coupler)
    links = ""
    for k, name in enumerate(("crank", "coupler", "rocker")):
        links += f"""
[[link]]
name   = "{name}"
joint  = {{ type = "revolute", at = {angles[k]!r}, {drive if k == 0 else "free = true"} }}
length = {LENGTHS[k]}
rigid  = {{ mass = {MASSES[k]}, inertia = {INERTIAS[k]} }}
"""
    return fa.parse_arm(
        f"""
planar  = true
gravity = [0, -9.81, 0]
{links}
[[support]]
name  = "bearing"
link  = "rocker"
place = [{BEARING}, 0, 0]
{more}
[motion.turn]
kind = "constant-rate"
rate = 3

[motion.swing]
kind     = "cycloidal"
travel   = 12
duration = "4 s"
"""
    )


def slider_crank() -> fa.Arm:
    """A crank at 5 rad/s with a rod whose end slides along x."""
    lean = -np.arcsin(CRANK * np.sin(BEGIN) / ROD)
    return fa.parse_arm(
        f"""
planar = true
[[link]]
name   = "crank"
joint  = {{ type = "revolute", at = {BEGIN}, motion = "turn" }}
length = {CRANK}
rigid  = {{ mass = 1, inertia = 0.01 }}

[[link]]
name   = "rod"
joint  = {{ type = "revolute", at = {float(lean) - BEGIN!r}, free = true }}
length = {ROD}
rigid  = {{ mass = 2, inertia = 0.1 }}
payload = {{ mass = 3 }}

[[support]]
name  = "guide"
link  = "rod"
holds = ["y"]
place = [0, 0, 0]

[motion.turn]
kind = "constant-rate"
rate = 5
"""
    )


def parallelogram(holds: str = '"pin"') -> fa.Arm:
    """Two equal cranks that carry a bar: one of them is free, its end pinned to the bar's."""
    return fa.parse_arm(
        f"""
planar  = true
gravity = [0, -9.81, 0]
[[link]]
name   = "crank"
joint  = {{ type = "revolute", at = "60 deg", motion = "swing" }}
length = 0.5
rigid  = {{ mass = 1, inertia = 0.02 }}

[[link]]
name   = "bar"
joint  = {{ type = "revolute", at = "-60 deg", free = true }}
length = 0.8
rigid  = {{ mass = 2, inertia = 0.1 }}

[[link]]
name   = "second"
parent = "base"
joint  = {{ type = "revolute", offset = [0.8, 0, 0], at = "60 deg", free = true }}
length = 0.5
rigid  = {{ mass = 1, inertia = 0.02 }}

[[loop]]
name  = "pin"
link  = "bar"
to    = "second"
holds = {holds}

[motion.swing]
kind     = "cycloidal"
travel   = "-40 deg"
duration = "1 s"
"""
    )


E, I, AREA, DENSITY, LONG = 2e11, 1e-8, 1e-4, 7800.0, 1.0


def held_beam(supports: str, *, elements: int = 8, freedoms: str = '["bending"]', gravity: float = 0.0) -> fa.Arm:
    """A beam of 1 m clamped at its joint, with supports in TOML."""
    return fa.parse_arm(
        f"""
planar  = true
gravity = [0, {-gravity}, 0]
[[link]]
name   = "boom"
joint  = {{ type = "revolute", locked = true }}
length = {LONG}
beam   = {{ bending_stiffness = {E * I}, axial_stiffness = {E * AREA}, mass_per_length = {DENSITY * AREA} }}
model  = {{ formulation = "hermite", elements = {elements}, freedoms = {freedoms} }}
{supports}
"""
    )


def swept_boom() -> fa.Arm:
    """A boom that is driven by a motion and stopped, on a spring."""
    return fa.parse_arm(
        """
planar = true
[[link]]
name   = "boom"
joint  = { type = "revolute", motion = "stop" }
length = 1
beam   = { bending_stiffness = 100, mass_per_length = 1 }
model  = { formulation = "hermite", elements = 2 }

[[support]]
link  = "boom"
holds = ["y"]
stiffness = 10

[motion.stop]
kind = "brake"
rate = 0.5
travel_time  = 0.2
braking_time = 0.1

[simulation]
end = 0.4
"""
    )
