"""An arm for other simulators: a steel strip as a chain of rigid pieces, its first frequency beside its own."""

from pathlib import Path

import numpy as np

import flexarm as fa

strip = fa.read_arm(Path(__file__).parent / "strip.toml").changed(gravity=(0.0, 0.0, 0.0))
chain = fa.parse_arm(fa.export(strip, elements=20)).changed(gravity=(0.0, 0.0, 0.0))
dynamics = fa.Dynamics(chain)
stiffness = {link.joint.name: link.joint.stiffness for link in chain.links}
springs = [k for k, name in enumerate(dynamics.names) if stiffness[name] > 0.0]
mass = dynamics.mass_matrix(np.zeros(dynamics.size))[np.ix_(springs, springs)]
square = np.linalg.eigvals(np.linalg.solve(mass, np.diag([stiffness[dynamics.names[k]] for k in springs]))).real.min()
own = fa.modes(strip, joints="locked", count=1).frequencies_hz[0]

print(f"chain of {len(springs)} springs: {np.sqrt(square) / (2 * np.pi):.4f} Hz, the arm itself {own:.4f} Hz")
