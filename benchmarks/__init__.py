"""Measurements of flexarm beside Pinocchio and Exudyn: `python -m benchmarks`.

Every figure is CPU time, which counts all threads of the process: a linear-algebra library that spreads a small solve
over several threads would only look slower. So the thread pools are held at one, before NumPy is first imported.
Exudyn ships a faster build without range checks, which also has to be asked for before it is first imported.
"""

import os
import sys

for pool in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ.setdefault(pool, "1")

sys.exudynFast = True  # type: ignore[attr-defined]
