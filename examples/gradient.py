"""What the length of a strip does to its sag, as a derivative carried along by the run, beside −q L³ / (2 EI)."""

from pathlib import Path

import flexarm as fa

arm = fa.read_arm(Path(__file__).parent / "light_strip.toml")
found = fa.gradient(arm, of="tip.y @ end", by=["link[0].length", "link[0].beam.section.height"])
strip, length = arm.links[0].beam.properties(), arm.links[0].length
weight = 9.81 * strip.mass_per_length  # N/m

print(found.summary())
print(f"dy/dL {found.derivative[0, 0]:.8f}, by the formula {-weight * length**3 / (2 * strip.EIz):.8f}")
