"""The link formulations: frequencies, statics, damping, refusals."""
