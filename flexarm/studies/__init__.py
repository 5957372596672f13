"""Verbs on many arms: a model file with distributions, its samples, and what becomes of them."""
