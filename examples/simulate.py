"""How far the tip of a turned link lags behind, beside 11 ρA α L⁵ / (120 EI) at the greatest acceleration.

The formula is that of a triangular load, which an angular acceleration α puts on a link; vibration comes on top.
"""

from math import pi, radians
from pathlib import Path

import numpy as np

import flexarm as fa

arm = fa.read_arm(Path(__file__).parent / "turned_link.toml")
run = fa.simulate(arm)
slow = fa.simulate(arm, analysis="quasi-static")

beam, length = arm.links[0].beam, arm.links[0].length
greatest = 2.0 * pi * radians(60.0) / 1.0**2  # rad/s², of the cycloid
formula = 11.0 * beam.mass_per_length * greatest * length**5 / (120.0 * beam.bending_stiffness[0])

print(
    f"greatest deflection of the tip, quasi-static: {1e3 * np.linalg.norm(slow.tip.deflection, axis=-1).max():.3f} mm"
)
print(f"by the formula                              : {1e3 * formula:.3f} mm")
print(run.summary())
