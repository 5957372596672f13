"""Analyses of random arms: a model file with distributions, its samples, and their statistics."""
