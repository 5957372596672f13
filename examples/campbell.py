"""How rotation stiffens a blade, beside the table of Wright, Smith, Thresher and Wang (1982).

They print λ = ω L² √(ρA/EI) of flapping; in the plane of rotation λ² is less by η², η = Ω L² √(ρA/EI).
"""

from math import pi, sqrt
from pathlib import Path

import flexarm as fa

PRINTED = {0.0: 3.516, 4.0: 5.585, 8.0: 9.257}  # η: λ1 of flapping

arm = fa.read_arm(Path(__file__).parent / "blade.toml")
unit = sqrt(30.0 / 0.5) / 1.0**2  # rad/s per unit of η and λ
diagram = fa.campbell(arm, spins=[eta * unit for eta in PRINTED], count=2)

print(diagram.summary())
for (eta, flapping), ours in zip(PRINTED.items(), diagram.frequencies_hz[:, 0], strict=True):
    printed = sqrt(flapping**2 - eta**2) * unit / (2.0 * pi)
    print(f"at {eta * unit:5.2f} rad/s: {ours:.4f} Hz, from the table {printed:.4f} Hz")
