"""The braking time that leaves a slow link at rest, beside whole periods of its first mode, k/f."""

from pathlib import Path

import flexarm as fa

arm = fa.read_arm(Path(__file__).parent / "braked_link.toml")
study = fa.brake(arm, ("0.1 s", "0.3 s"), points=80)
period = 1.0 / fa.modes(arm, count=1).frequencies_hz[0]

print(study.summary())
for point in study.minima:
    whole = round(point.time / period)
    print(f"least at {point.time:.5f} s; {whole} periods are {whole * period:.5f} s")
