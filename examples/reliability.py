"""How often a strip sags no more than allowed, beside the normal law of the first-order rule.

Its mean is F L³ / (3 E I); relative deviations count by the powers in which the numbers stand there.
"""

from pathlib import Path
from statistics import NormalDist

import flexarm as fa

ALLOWED = 1.6e-3  # m
POWERS = {"length": 3, "width": 1, "height": 3, "youngs_modulus": 1}

study = fa.read_study(Path(__file__).parent / "strip_tolerances.toml")
parts = [POWERS[p.name.rpartition(".")[2]] * p.deviation / p.mean for p in study.parameters]
mean = 2.0 * 0.5**3 / (3.0 * 210e9 * 0.025 * 0.005**3 / 12.0)
normal = NormalDist(mean, mean * sum(part**2 for part in parts) ** 0.5).cdf(ALLOWED)
stiff = fa.Requirement("stiff enough", "deflection", limit=ALLOWED)
found = fa.reliability(study, [stiff], samples=150, workers=1)
low, high = found.joint_interval

print(found.summary())
print(f"met in {found.reliability:.2%} ({low:.2%} to {high:.2%}), by the normal law {normal:.2%}")
