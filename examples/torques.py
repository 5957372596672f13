"""What turns a link: the rigid arm's greatest torque beside J α, and what the flexible one needs on top."""

from math import pi, radians
from pathlib import Path

import flexarm as fa

arm = fa.read_arm(Path(__file__).parent / "turned_link.toml")
found = fa.torques(arm)
inertia = 0.945 * 1.0**3 / 3.0
greatest = 2.0 * pi * radians(60.0) / 1.0**2  # rad/s², of the cycloid
flexible, rigid = found.peaks()[0]

print(found.summary())
print(f"rigid {rigid:.5f} N m, by the formula {inertia * greatest:.5f} N m; flexible {flexible:.5f} N m")
