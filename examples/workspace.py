"""How stiff is a cantilever whichever way it points? 3EI/L³ where it stands level.

flexarm workspace strip.toml
"""

from __future__ import annotations

import flexarm as fa

STIFFNESS, LENGTH = 400.0, 1.2

arm = fa.parse_arm(f"""
planar = true
gravity = [0, "-9.81 m/s^2", 0]
[[link]]
name = "beam"
joint = {{ type = "revolute" }}
length = {LENGTH}
beam = {{ bending_stiffness = {STIFFNESS}, mass_per_length = "0.1 kg/m" }}
model = {{ formulation = "hermite", elements = 4 }}
payload = {{ mass = "0.5 kg" }}
""")

found = fa.workspace(arm, {"beam": ("-60 deg", "60 deg", 121)})
print(found.summary())
level = found.stiffness[60]
print(f"\nlevel: {level:.3f} N/m, by the formula 3EI/L³ {3 * STIFFNESS / LENGTH**3:.3f} N/m")
