"""Sweeps: one or two keys of the model file over ranges or lists of values."""
