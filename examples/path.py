"""Does the bent arm stand where it should, once its joints are compensated? Statics finds the sag by itself.

flexarm path welder.toml --csv table.csv
"""

from __future__ import annotations

from pathlib import Path

import flexarm as fa

found = fa.path(Path(__file__).parent / "welder.toml", compensate="sag")
print(found.summary())

k = len(found.time) // 2
posture = dict(zip(found.joints, found.commanded[k], strict=True))
arm = found.commanded_arm()
place = fa.Dynamics(arm).place("tip", fa.Dynamics(arm).coordinates(posture)).position
tip = place + fa.statics(arm, posture=posture).tip_sag["tip"]
x, y = found.target[k, :2]
print(f"\nhalf way: x {1e3 * tip[0]:.4f} mm, y {1e3 * tip[1]:.4f} mm; on the path {1e3 * x:.4f} mm, {1e3 * y:.4f} mm")
