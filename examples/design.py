"""The lightest strip that sags less than 1 mm under its own weight, beside its closed form."""

from pathlib import Path

import flexarm as fa

found = fa.design(Path(__file__).parent / "light_strip.toml", starts=1)
steel = found.arm.links[0].beam.material_data
height = (12 * steel.density * 9.81 * 0.5**4 / (8 * steel.youngs_modulus * 1e-3)) ** 0.5

print(found.summary())
print(f"height {1e3 * found.after[0]:.4f} mm, by the formula {1e3 * height:.4f} mm")
