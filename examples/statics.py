"""How a strip sags under its own weight, beside q L⁴ / (8 EI), and the moment that holds it, beside q L² / 2."""

from pathlib import Path

import flexarm as fa

arm = fa.read_arm(Path(__file__).parent / "strip.toml")
rest = fa.statics(arm)
strip, length = arm.links[0].beam.properties(), arm.links[0].length
weight = 9.81 * strip.mass_per_length  # N/m

print(rest.summary())
print(f"sag {1e3 * rest.tip_sag['tip'][1]:.5f} mm, by the formula {-1e3 * weight * length**4 / (8 * strip.EIz):.5f} mm")
print(f"moment {rest.joint_torque[0]:.5f} N m, by the formula {weight * length**2 / 2:.5f} N m")
