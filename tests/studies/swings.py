"""Small random arms whose answer is known in closed form."""

from __future__ import annotations

import flexarm as fa

LENGTH = 0.5  # m
TRAVEL = 0.4  # s
RATE, RATE_DEVIATION = 1.5, 0.05  # rad/s


def swing(*, rate: str = "", length: str = "", requirements: str = "", name: str = "swing") -> fa.StudyModel:
    """One rigid link that turns at a random rate for a time and stops: its end angle is rate × time."""
    rate = rate or f'{{ normal = ["{RATE} rad/s", "{RATE_DEVIATION} rad/s"] }}'
    return fa.parse_study(
        f"""
name = "{name}"
planar = true
gravity = [0, 0, 0]

[[link]]
name = "arm"
joint = {{ type = "revolute", motion = "stop", rate = {rate} }}
length = {length or f'"{LENGTH} m"'}
rigid = {{ mass = "1 kg", inertia = 0.02 }}

[motion.stop]
kind = "brake"
travel_time = "{TRAVEL} s"
braking_time = "0.1 s"

[simulation]
end = "0.5 s"
{requirements}
""",
        name=name,
    )


BENDING = """
name = "bending arm"
planar = true
gravity = [0, 0, 0]

[[link]]
name = "arm"
joint = { type = "revolute", motion = "stop" }
length = { normal = ["0.8 m", "2 mm"] }
beam = { bending_stiffness = { normal = ["100 N m^2", "5 N m^2"] }, mass_per_length = "0.5 kg/m" }
model = { formulation = "rigid-fe", elements = 4 }
damping = { retardation = "1 ms" }

[motion.stop]
kind = "brake"
rate = "90 deg/s"
travel_time = "50 ms"
braking_time = "20 ms"

[simulation]
end = "0.2 s"
start = "steady"
"""


def bending() -> fa.StudyModel:
    """A flexible link of random length and stiffness that brakes and rings."""
    return fa.parse_study(BENDING, name="bending")
