"""Which part of a robot costs most at its tip: the shoulder's gear beside its twist times the reach, τ r / K."""

from pathlib import Path

import flexarm as fa

robot = Path(__file__).parent / "three_axes.urdf"
found = fa.audit(robot, posture={"shoulder": 0.0, "elbow": 0.0})
shoulder = next(cost for cost in found.costs if cost.name == "shoulder")
reach = 0.7 + 0.6
torque = 9.81 * (6.0 * 0.3 + 3.5 * (0.7 + 0.2) + 2.0 * reach)
formula = torque / (200.0 * 200.0) * reach  # 200/rad times the 200 N m of the joint

print(found.summary())
print(f"the shoulder costs {1e3 * shoulder.sag:.4f} mm, by the formula {1e3 * formula:.4f} mm")
