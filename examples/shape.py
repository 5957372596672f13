"""Commands that leave a link at rest; the zero-vibration shaper beside two impulses half a period apart."""

from pathlib import Path

import flexarm as fa

arm = fa.read_arm(Path(__file__).parent / "braked_link.toml")
study = fa.shape(arm, shapers=["zv", "zvd"], sensitivity=False)
mode = fa.modes(arm, count=1)
half = 0.5 / (mode.frequencies_hz[0] * (1.0 - mode.damping_ratios[0] ** 2) ** 0.5)
(first, _), (second, size) = study.row("zv").impulses

print(study.summary())
print(f"second impulse {size:.4f} after {1e3 * (second - first):.3f} ms, by the formula 0.5 after {1e3 * half:.3f} ms")
