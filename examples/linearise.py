"""The poles of a hanging rod, beside s² + (d/J) s + m g L / (2 J) = 0 with J = m L²/3."""

import cmath
from pathlib import Path

import flexarm as fa

model = fa.linearise(fa.read_arm(Path(__file__).parent / "pendulum.toml"))
mass, length, damping = 2.0, 0.6, 0.02
inertia = mass * length**2 / 3.0
half = damping / (2.0 * inertia)
formula = -half + cmath.sqrt(half**2 - mass * 9.81 * length / (2.0 * inertia))

print(model.summary())
print(f"pole {model.poles()[1]:.6f}, by the formula {formula:.6f} 1/s")
