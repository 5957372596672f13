"""The first rows of a paper's case, computed now: the first frequency of ever slenderer beams, beside Euler's 3.516.

`fa.reproduce(["hermite"])` or `flexarm reproduce hermite` gives all of its 26 rows, `flexarm reproduce` every paper's.
"""

from itertools import islice

from flexarm.papers import PAPERS

rows = list(islice(PAPERS["hermite"](), 7))
for row in rows:
    print(f"{row.id:24} {row.value:.6f}  {row.verdict}")
# cos β cosh β = -1 has its first root at β = 1.875104
print(f"slenderness 1000: {rows[-1].value:.6f}, by the formula {1.8751040687**2:.6f}")
