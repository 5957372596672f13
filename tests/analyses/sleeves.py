"""Arms with a beam that slides out of a sleeve, by their model files' text."""

from __future__ import annotations

from flexarm import Arm, parse_arm

LENGTH, OUT = 1.2, 0.7  # of the whole boom, and of what is outside at the start (m)
BEAM = """
bending_stiffness   = [40, 60]
mass_per_length     = 0.9
torsional_stiffness = 25
axial_stiffness     = 4e4
shear_stiffness     = [3e3, 2e3]
rotary_inertia      = [3e-4, 4e-4]
polar_inertia       = 7e-4
"""
LAWS = """
[motion.swing]
kind     = "cycloidal"
travel   = "50 deg"
duration = "0.6 s"

[motion.extend]
kind     = "cycloidal"
travel   = "0.4 m"
duration = "0.6 s"

[torque.push]
kind      = "sine"
amplitude = "4 N"
period    = "1 s"
"""


def telescope(
    *,
    joint: str = "",
    formulation: str = "hermite",
    elements: int = 2,
    planar: bool = True,
    sleeve: bool = True,
    model: str = "",
    boom: str = "",
    boom_axis: str = "x",
    payload: str = 'payload = { mass = "0.5 kg", inertia = [2e-3, 2e-3, 2e-3] }',
    gravity: str = "[0, -9.81, 0]",
    turret: str = 'motion = "swing"',
    simulation: str = 'end = "0.6 s"',
    more: str = "",
) -> Arm:
    """A turret that swings and a boom: in a sleeve, with `joint` for its keys, or fixed and as long as what would be
    outside.
    """
    slides = f'type = "prismatic", axis = "{boom_axis}", sleeve = true, at = "{OUT} m"' + (
        f", {joint}" if joint else ""
    )
    return parse_arm(
        f"""
name    = "telescope"
planar  = {str(planar).lower()}
gravity = {gravity}

[[link]]
name   = "turret"
joint  = {{ type = "revolute", axis = {"'z'" if planar else "[0.0, 0.6, 0.8]"}, {turret} }}
length = "0.3 m"
rigid  = {{ mass = "5 kg", inertia = [0.05, 0.05, 0.05] }}

[[link]]
name   = "boom"
joint  = {{ {slides if sleeve else 'type = "fixed"'} }}
length = "{LENGTH if sleeve else OUT} m"
direction = "{boom_axis}"
model  = {{ formulation = "{formulation}", elements = {elements}, frames = "link"{", " if model else ""}{model} }}
{payload}
{boom}

[link.beam]
{BEAM}
{LAWS}
{more}
[simulation]
{simulation}
"""
    )
