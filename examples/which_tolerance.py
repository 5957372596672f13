"""Which tolerance of a loaded strip decides its sag, beside the formula F L³ / (3 E I) with I = b h³ / 12.

A small change of h counts three times, as one of L does, one of b or E once; squared, these are parts of the variance.
"""

from pathlib import Path

import flexarm as fa

POWERS = {"length": 3, "width": 1, "height": 3, "youngs_modulus": 1}

study = fa.read_study(Path(__file__).parent / "strip_tolerances.toml")
found = fa.sensitivity(study, outputs=["tip.y@end"], samples=240, workers=1)
spread = {p.name: (POWERS[p.name.rpartition(".")[2]] * p.deviation / p.mean) ** 2 for p in study.parameters}

print(f"{'part of the variance':36} by samples    by derivatives    by the formula")
for part in found["tip.y@end"].ranked:
    formula = spread[part.parameter] / sum(spread.values())
    print(f"{part.parameter:36} {part.share:10.1%}    {part.linear_share:14.1%}    {formula:14.1%}")
print(found.advice)
