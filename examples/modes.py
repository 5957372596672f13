"""Frequencies of a clamped strip, beside β² √(EI/ρA) / (2π L²) with cos β cosh β = −1."""

from math import pi
from pathlib import Path

import flexarm as fa

ROOTS = (1.875104, 4.694091, 7.854757)

arm = fa.read_arm(Path(__file__).parent / "strip.toml").changed(gravity=(0.0, 0.0, 0.0))
found = fa.modes(arm, count=3)
strip, length = arm.links[0].beam.properties(), arm.links[0].length

print(found.summary())
for root, ours in zip(ROOTS, found.frequencies_hz, strict=True):
    formula = root**2 * (strip.EIz / strip.mass_per_length) ** 0.5 / (2.0 * pi * length**2)
    print(f"{ours:9.3f} Hz, by the formula without shear {formula:9.3f} Hz")
