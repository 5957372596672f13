"""NOTATION as code: the equations of one body, in NOTATION's letters, for numbers of any kind.

With floats they run as they stand and are the oracle of the tests; with the numbers of `emit.tracing`, which remember
how they were computed, they become the straight-line kernels of `sweeps`. Vectors have three entries, motions and
wrenches six (angular; linear), in the plane too: what cannot move is zero there and leaves no trace in a kernel.
"""
