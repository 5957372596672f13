"""What is done with tuples of numbers of any length: vectors, motions, forces, inertias."""

from __future__ import annotations

from flexarm.core._jit import by_length

plus = by_length("a, b", of="a", each="a[{0}] + b[{0}]")
minus = by_length("a, b", of="a", each="a[{0}] - b[{0}]")
times = by_length("s, a", of="a", each="s * a[{0}]")
dot = by_length("a, b", of="a", each="a[{0}] * b[{0}]", together="return {}", between=" + ")
# row[k], row[k + 1], … = x
put = by_length("row, k, x", of="x", each="row[k + {0}] = x[{0}]", together="{}", between="; ")
# row[k], row[k + 1], … += x
add_to = by_length("row, k, x", of="x", each="row[k + {0}] += x[{0}]", together="{}", between="; ")
