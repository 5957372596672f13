"""Which model a turned link needs; and the order in which rigid finite elements converge, which is two."""

from pathlib import Path

import flexarm as fa

arm = fa.read_arm(Path(__file__).parent / "turned_link.toml")
found = fa.compare(arm, ["rigid-fe", "hermite", "hencky"], elements=(4, 8, 16))

print(found.summary())
print(f"order of rigid-fe: {found.trends[0].order:.2f}, by theory 2")
