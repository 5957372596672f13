"""How far the sag of a strip spreads, beside the first-order rule: relative deviations, weighted by their powers."""

from pathlib import Path

import flexarm as fa

POWERS = {"length": 3, "width": 1, "height": 3, "youngs_modulus": 1}  # of F L³ / (3 E b h³ / 12)

study = fa.read_study(Path(__file__).parent / "strip_tolerances.toml")
found = fa.montecarlo(study, samples=150, outputs=["tip.y@end"], workers=1)
sag = found.figures["tip.y@0.1"]
parts = [POWERS[p.name.rpartition(".")[2]] * p.deviation / p.mean for p in study.parameters]
rule = abs(sag.nominal) * sum(part**2 for part in parts) ** 0.5

print(found.summary())
print(f"standard deviation {1e6 * sag.deviation:.2f} µm, by the rule {1e6 * rule:.2f} µm")
