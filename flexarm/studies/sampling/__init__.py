"""Samples by their index: random numbers, Sobol' points and sampling schemes."""
