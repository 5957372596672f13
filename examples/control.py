"""What a controller gains: PD, feedback of the beam's moment and LQG on one move; the gain of PD beside π² f² J."""

import math
from pathlib import Path

import flexarm as fa

arm = Path(__file__).parent / "damped_link.toml"
found = fa.control(arm, payload=0, stiffness=0, end="1.3 s")
gain = found.row("PD").parts[0].gains[0][0]
# half a kilogram's hub, a strip of aluminium 1 m long, and 0.2 kg at its end
inertia = 0.05 + 2700.0 * 0.04 * 0.006 * 1.0**3 / 3.0 + 0.2 * 1.0**2
formula = (math.pi * found.frequency) ** 2 * inertia

print(found.summary())
print(f"kp {gain:.4f} N m/rad, by the formula {formula:.4f} N m/rad")
