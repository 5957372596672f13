"""Chunks of samples evaluated: in lanes, by worker processes, by the workers of a cluster."""
